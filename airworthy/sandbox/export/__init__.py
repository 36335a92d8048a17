"""The CSV content export of the sandbox: its files, and how they reach a client."""
