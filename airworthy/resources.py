"""Locates the files that are not Python modules, in a checkout or in the installed wheel."""

from functools import cache
from pathlib import Path
from typing import Literal

Resource = Literal["features", "schemas", "conformance", "proxy_addons", "constraints"]

_PACKAGE = Path(__file__).resolve().parent
_CHECKOUT = {"conformance": "tests/conformance"}


@cache
def resource(name: Resource) -> Path:
    """Return the folder with one kind of resource.

    The wheel contains copies in ``airworthy/_resources``; in a checkout the folders are at the top level.
    """
    packaged = _PACKAGE / "_resources" / name
    return packaged if packaged.is_dir() else _PACKAGE.parent / _CHECKOUT.get(name, name)
