"""The authorities that a target's certificate may be signed by: a file of PEM certificates, a CA bundle."""

import ssl
from pathlib import Path

from airworthy.errors import UsageError


def ca_bundle_problem(path: Path) -> str | None:
    """Say in a few words why a file cannot be used as a CA bundle, or None."""
    try:
        ssl.create_default_context(cafile=path)
    except ssl.SSLError:
        return "holds no PEM certificate"
    except OSError as error:
        return f"cannot be read: {error.strerror}"
    return None


def ca_bundle(path: Path | None) -> Path | None:
    """Return what ``--ca-bundle`` names. Raises `UsageError` where it cannot be used."""
    if path and (problem := ca_bundle_problem(path)):
        raise UsageError(f"--ca-bundle {path}: {problem}")
    return path
