"""How the sandbox reads requests and writes responses."""
