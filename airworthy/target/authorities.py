"""CA bundles: PEM files with the certificate authorities to trust."""

import ssl
from pathlib import Path

from airworthy.errors import UsageError


def ca_bundle_problem(path: Path) -> str | None:
    """Return why a file cannot be used as a CA bundle, or None."""
    try:
        ssl.create_default_context(cafile=path)
    except ssl.SSLError:
        return "does not contain a PEM certificate"
    except OSError as error:
        return f"cannot be read: {error.strerror}"
    return None


def ca_bundle(path: Path | None) -> Path | None:
    """Return the file that ``--ca-bundle`` names. Raises `UsageError` if it cannot be used."""
    if path and (problem := ca_bundle_problem(path)):
        raise UsageError(f"--ca-bundle {path}: {problem}")
    return path
