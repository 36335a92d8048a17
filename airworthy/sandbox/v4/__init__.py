"""The offer-based interface of the sandbox, v4."""
