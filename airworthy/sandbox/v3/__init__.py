"""The request-based interfaces of the sandbox: v3, and v2, which shares its model."""
