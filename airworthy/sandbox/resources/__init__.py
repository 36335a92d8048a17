"""The records of the service, and how responses show them."""
