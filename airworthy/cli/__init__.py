"""The command line: ``airworthy sandbox | certify | rules | openapi``."""

import sys

from airworthy.cli.app import app
from airworthy.errors import AirworthyError


def main() -> None:
    """Run the command line; a user's mistake is one line on standard error, and an exit code."""
    try:
        app()
    except AirworthyError as error:
        sys.stderr.write(f"airworthy: {error}\n")
        sys.exit(error.exit_code)
