"""Where the files lie that are not Python: in the checkout, or inside the installed wheel."""

from pathlib import Path
from typing import Literal

Resource = Literal["features", "schemas", "conformance", "proxy_addons"]

_PACKAGE = Path(__file__).resolve().parent
_CHECKOUT = {"conformance": "tests/conformance"}


def resource(name: Resource) -> Path:
    """Return the folder of one kind of resource.

    The wheel holds copies below ``airworthy/_resources``; a checkout has them at its top level.
    """
    packaged = _PACKAGE / "_resources" / name
    return packaged if packaged.is_dir() else _PACKAGE.parent / _CHECKOUT.get(name, name)
