"""The schemas: compiled, and the members that they document."""
