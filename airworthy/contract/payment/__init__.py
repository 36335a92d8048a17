"""The coded rules of the call to the payment provider."""
