"""Texts of profiles, and the environment that they need."""

from collections.abc import Callable
from pathlib import Path

Write = Callable[[str], Path]

CANARY = "canary-key-7f3a"
ENVIRON = {"V4_KEY": CANARY, "V4_CUSTOMER_CODE": "ACME"}
MINIMAL = """\
base_url = "https://flights.example"
[v4]
key = { env = "V4_KEY" }
customer_code = "$V4_CUSTOMER_CODE"
"""
TOKENS = """\
base_url = "https://flights.example"
[v3]
token = "$V4_KEY"
customer_code = "c"
"""
EXPORT = MINIMAL + TOKENS.partition("\n")[2] + "[export]\n"
