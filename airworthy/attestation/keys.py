"""Ed25519 keys in PEM files: create a pair, and load either half.

The private key is PKCS #8, encrypted if there is a passphrase; the public key is a SubjectPublicKeyInfo. Its id is the
SHA-256 of the latter in DER: ``openssl pkey -pubin -in NAME.pub -outform DER | sha256sum``. No error quotes the content
of a key file or a passphrase.
"""

import hashlib
from pathlib import Path
from typing import Final

from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    KeySerializationEncryption,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
    load_pem_private_key,
    load_pem_public_key,
)
from securesystemslib.signer import CryptoSigner, SSlibKey

from airworthy.errors import UsageError, reading, unwritable
from airworthy.private_files import owner_only

PASSPHRASE_VARIABLE: Final = "AIRWORTHY_KEY_PASSPHRASE"  # noqa: S105  a name
_MOST_BYTES: Final = 64 * 1024
_PRIVATE: Final = b"PRIVATE KEY-----"
_SCHEME: Final = "ed25519"


class VerificationKey:
    """A public key. ``id`` is the SHA-256 of its SubjectPublicKeyInfo in hexadecimal."""

    def __init__(self, public: Ed25519PublicKey) -> None:
        der = public.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
        self.id = hashlib.sha256(der).hexdigest()
        self.pem = public.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
        self.verifier = SSlibKey.from_crypto(public, self.id, _SCHEME)


class SigningKey:
    """A private key, whose value no text of the object shows. ``public`` is its other half."""

    def __init__(self, private: Ed25519PrivateKey) -> None:
        self.public = VerificationKey(private.public_key())
        self.signer = CryptoSigner(private, self.public.verifier)

    def __repr__(self) -> str:
        return f"SigningKey({self.public.id})"


def new_key_pair(name: Path, passphrase: str | None = None) -> tuple[Path, Path, VerificationKey]:
    """Write a new pair to ``NAME.key`` (readable by its owner only) and ``NAME.pub``; return the paths and the key.

    Raises:
        UsageError: one of the files exists or cannot be written.
        StorageError: the files could not be written.
    """
    private_path, public_path = (name.with_name(name.name + suffix) for suffix in (".key", ".pub"))
    for path in (private_path, public_path):
        if path.exists():
            raise UsageError(f"{path}: exists and is never overwritten; choose another name")
    private = Ed25519PrivateKey.generate()
    public = VerificationKey(private.public_key())
    encryption: KeySerializationEncryption = (
        NoEncryption() if passphrase is None else BestAvailableEncryption(passphrase.encode())
    )
    content = private.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, encryption)
    created: list[Path] = []
    try:
        name.parent.mkdir(parents=True, exist_ok=True)
        with open(private_path, "xb", opener=owner_only) as file:
            created.append(private_path)
            file.write(content)
        with public_path.open("xb") as file:
            created.append(public_path)
            file.write(public.pem)
    except OSError as error:
        # Half a pair is of no use, and would be in the way of the next attempt.
        for path in created:
            path.unlink(missing_ok=True)
        raise unwritable(str(error.filename or private_path), error) from None
    return private_path, public_path, public


def load_signing_key(path: Path, passphrase: str | None = None) -> SigningKey:
    """Read a private key. A passphrase that the file does not need is ignored.

    Raises `UsageError` if the file is not an Ed25519 private key, or the passphrase is missing or wrong.
    """
    content = _read(path)
    if _PRIVATE not in content:
        raise UsageError(f"{path}: not a private key in PEM format; create one with airworthy keys new")
    is_encrypted = b"ENCRYPTED" in content
    if is_encrypted and passphrase is None:
        raise UsageError(f"{path}: the key is encrypted; set the environment variable {PASSPHRASE_VARIABLE}")
    try:
        key = load_pem_private_key(content, passphrase.encode() if is_encrypted and passphrase else None)
    except (ValueError, TypeError, UnsupportedAlgorithm):
        cause = "the passphrase is wrong, or the file is damaged" if is_encrypted else "the file is damaged"
        raise UsageError(f"{path}: cannot read the private key: {cause}") from None
    if not isinstance(key, Ed25519PrivateKey):
        raise UsageError(f"{path}: expected an Ed25519 key; create one with airworthy keys new")
    return SigningKey(key)


def load_verification_key(path: Path) -> VerificationKey:
    """Read a public key. Raises `UsageError` if the file is not an Ed25519 public key."""
    content = _read(path)
    if _PRIVATE in content:
        raise UsageError(f"{path}: this is a private key, which must stay with its owner; expected the public key")
    try:
        key = load_pem_public_key(content)
    except (ValueError, UnsupportedAlgorithm):
        raise UsageError(f"{path}: not a public key in PEM format") from None
    if not isinstance(key, Ed25519PublicKey):
        raise UsageError(f"{path}: expected an Ed25519 key")
    return VerificationKey(key)


def _read(path: Path) -> bytes:
    with reading(path), path.open("rb") as file:
        return file.read(_MOST_BYTES)
