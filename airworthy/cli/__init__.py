"""The command line of Airworthy; ``airworthy --help`` lists its commands."""

import sys
import traceback

from airworthy.cli.app import app
from airworthy.errors import AirworthyError

OWN_FAULT = AirworthyError.exit_code


def main() -> None:
    """Run the command line; a user's mistake is one line on standard error, and an exit code.

    An exit code of 1 is a verdict, so a mistake of our own has another.
    """
    try:
        app()
    except AirworthyError as error:
        sys.stderr.write(f"airworthy: {error}\n")
        sys.exit(error.exit_code)
    except Exception:  # noqa: BLE001 - told whole: it is for those who mend it
        traceback.print_exc()
        sys.exit(OWN_FAULT)
