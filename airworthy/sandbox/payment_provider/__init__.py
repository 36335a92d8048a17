"""The payment provider's part of the sandbox."""
