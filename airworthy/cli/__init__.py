"""The command line of Airworthy. ``airworthy --help`` lists its commands."""

import sys
import traceback
from typing import Final

from airworthy.cli.app import app
from airworthy.cli.output import tolerant_output
from airworthy.errors import AirworthyError

INTERNAL_ERROR: Final = 4


def main() -> None:
    """Run the command line and exit.

    An error of the user is one line on standard error. An unexpected exception is shown with its traceback; its exit
    code is 4, because 1 is the verdict "not certified".
    """
    try:
        with tolerant_output():
            app()
    except AirworthyError as error:
        from airworthy.text import printable

        sys.stderr.write(f"airworthy: {printable(str(error))}\n")
        sys.exit(error.exit_code)
    except Exception:  # noqa: BLE001  the traceback is for the developers of Airworthy
        traceback.print_exc()
        sys.exit(INTERNAL_ERROR)
