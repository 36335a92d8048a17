"""The certificate authority that issues the sandbox's certificate, and the folder that keeps it."""

import ssl
from pathlib import Path
from typing import Final

import trustme

from airworthy.errors import UsageError, writing
from airworthy.private_files import make_folder, owner_only

CERTIFICATE: Final = "ca.pem"
"""The file with the certificate that clients trust."""
PRIVATE: Final = "ca-private.pem"
"""The file with the private key and the certificate."""


def kept_authority(folder: Path) -> trustme.CA:
    """Return the authority that a folder keeps; a folder without one gets a new one.

    ``ca-private.pem`` holds the authority; ``ca.pem`` is a copy of its certificate for clients. Raises UsageError for
    files that cannot be read, are damaged or have expired.
    """
    path = folder / PRIVATE
    try:
        authority = _read(path, path.read_bytes())
    except FileNotFoundError:
        authority = _create(path)
    except OSError as error:
        raise UsageError(f"{path}: the certificate authority cannot be read: {error.strerror}") from None
    write_certificate(authority, folder / CERTIFICATE)
    return authority


def write_certificate(authority: trustme.CA, path: Path) -> None:
    """Write the certificate of an authority to a file, unless the file contains it; raises UsageError if it cannot."""
    certificate = authority.cert_pem.bytes()
    with writing(f"{path}: the certificate cannot be written"):
        if not path.is_file() or path.read_bytes() != certificate:
            path.write_bytes(certificate)


def _create(path: Path) -> trustme.CA:
    authority = trustme.CA(organization_name="Airworthy", organization_unit_name="Flight Booking Service sandbox")
    with writing(f"{path}: the certificate authority cannot be written"):
        make_folder(path.parent)
        with open(path, "xb", opener=owner_only) as file:
            file.write(authority.private_key_pem.bytes() + authority.cert_pem.bytes())
    return authority


def _read(path: Path, content: bytes) -> trustme.CA:
    from OpenSSL import crypto  # noqa: PLC0415 - few sandboxes keep their authority

    try:
        # Fails unless the key belongs to the certificate. Without a password, an encrypted key would ask for one.
        ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(path, password="")
        has_expired = crypto.load_certificate(crypto.FILETYPE_PEM, content).has_expired()
        authority = trustme.CA.from_pem(content, content)
        authority.issue_cert("localhost")
        trusting = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        trusting.load_verify_locations(path)
        is_authority = trusting.cert_store_stats()["x509_ca"] > 0
    except Exception:  # noqa: BLE001 - the libraries raise many errors for unsuitable certificates
        is_authority = False
    if not is_authority:
        raise UsageError(f"{path}: expected the key and certificate of an authority; delete the file to create another")
    if has_expired:
        raise UsageError(f"{path}: the certificate authority has expired; delete the file to create another")
    return authority
