"""The documented service in test mode, on the local machine.

::

    with SandboxServer() as sandbox:
        requests.get(sandbox.base_url, verify=sandbox.ca_bundle)
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from airworthy.sandbox.app import create_app
    from airworthy.sandbox.dialects.named import dialect
    from airworthy.sandbox.server import SandboxServer
    from airworthy.sandbox.settings import SandboxSettings

__all__ = ["SandboxServer", "SandboxSettings", "create_app", "dialect"]

_MODULES: Final = {
    "SandboxSettings": "airworthy.sandbox.settings",
    "create_app": "airworthy.sandbox.app",
    "dialect": "airworthy.sandbox.dialects.named",
    "SandboxServer": "airworthy.sandbox.server",
}


def __getattr__(name: str) -> Any:  # noqa: ANN401 - any public name
    """Import a public name when it is first used: listing faults must not import the server."""
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_MODULES[name]), name)
