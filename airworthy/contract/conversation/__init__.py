"""What a conversation between clients and the service has shown so far."""
