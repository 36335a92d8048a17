"""The versions of all dependencies that were tested together, as constraints of pip.

``python -m airworthy.constraints`` prints the path of their file. It works before the dependencies are installed.
"""

import sys
from pathlib import Path

from airworthy.resources import resource


def constraints() -> Path:
    """Return the file for this version of Python."""
    # mitmproxy 12 requires Python 3.12, so there is one file for 3.11 and one for later versions.
    oldest = "3.11" if sys.version_info < (3, 12) else "3.12"
    return resource("constraints") / f"python{oldest}.txt"


if __name__ == "__main__":
    sys.stdout.write(f"{constraints()}\n")
