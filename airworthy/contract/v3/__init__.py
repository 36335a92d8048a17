"""Coded rules of v3, and of v2, which shares its resources."""
