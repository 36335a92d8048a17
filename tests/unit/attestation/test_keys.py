"""Keys: their files, and that no error or text shows a private key or a passphrase."""

import errno
import hashlib
import shutil
import stat
import subprocess
import traceback
from collections.abc import Callable
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, generate_private_key
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, PublicFormat

from airworthy.attestation.keys import load_signing_key, load_verification_key, new_key_pair
from airworthy.errors import StorageError, UsageError

PASSPHRASE = "canary-correct-horse"


def secret_part(path: Path) -> str:
    return path.read_text().splitlines()[1][10:40]


def test_pair_is_loaded_again(tmp_path: Path) -> None:
    private, public, key = new_key_pair(tmp_path / "keys" / "operator")

    assert (private.name, public.name) == ("operator.key", "operator.pub")
    assert load_signing_key(private).public.id == load_verification_key(public).id == key.id
    assert secret_part(private) not in repr(load_signing_key(private))
    assert stat.S_IMODE(private.stat().st_mode) == 0o600
    assert private.read_text().startswith("-----BEGIN PRIVATE KEY-----")
    assert public.read_text().startswith("-----BEGIN PUBLIC KEY-----")
    # A passphrase that is not needed is ignored.
    assert load_signing_key(private, PASSPHRASE).public.id == key.id


@pytest.mark.parametrize("existing", ["operator.key", "operator.pub"])
def test_existing_file_is_never_overwritten(tmp_path: Path, existing: str) -> None:
    (tmp_path / existing).write_text("mine")

    with pytest.raises(UsageError, match=f"{existing}: exists and is never overwritten"):
        new_key_pair(tmp_path / "operator")

    assert [path.name for path in tmp_path.iterdir()] == [existing]
    assert (tmp_path / existing).read_text() == "mine"


def test_half_a_pair_is_not_left_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened = Path.open

    def full(path: Path, mode: str) -> object:
        if path.suffix == ".pub":
            raise OSError(errno.ENOSPC, "No space left on device", str(path))
        return opened(path, mode)

    monkeypatch.setattr(Path, "open", full)
    with pytest.raises(StorageError, match=r"operator.pub: No space left on device"):
        new_key_pair(tmp_path / "operator")
    assert list(tmp_path.iterdir()) == []


def test_id_is_the_digest_that_openssl_shows(tmp_path: Path) -> None:
    openssl = shutil.which("openssl")
    if openssl is None:
        pytest.skip("openssl is not installed on this machine")
    _, public, key = new_key_pair(tmp_path / "operator")
    command = [openssl, "pkey", "-pubin", "-in", str(public), "-outform", "DER"]

    der = subprocess.run(command, capture_output=True, check=True).stdout  # noqa: S603  our own

    assert hashlib.sha256(der).hexdigest() == key.id


def test_passphrase_encrypts_the_private_key(tmp_path: Path) -> None:
    private, _, key = new_key_pair(tmp_path / "operator", PASSPHRASE)

    assert private.read_text().startswith("-----BEGIN ENCRYPTED PRIVATE KEY-----")
    assert load_signing_key(private, PASSPHRASE).public.id == key.id


@pytest.mark.parametrize(
    ("passphrase", "message"),
    [(None, "set the environment variable AIRWORTHY_KEY_PASSPHRASE"), ("canary-wrong", "the passphrase is wrong")],
)
def test_missing_or_wrong_passphrase_is_named_without_its_value(
    tmp_path: Path, passphrase: str | None, message: str
) -> None:
    private, _, _ = new_key_pair(tmp_path / "operator", PASSPHRASE)

    with pytest.raises(UsageError, match=message) as raised:
        load_signing_key(private, passphrase)

    shown = "".join(traceback.format_exception(raised.value))
    assert "canary" not in shown
    assert secret_part(private) not in shown


def test_file_that_is_not_the_expected_key_is_named(tmp_path: Path) -> None:
    private, public, _ = new_key_pair(tmp_path / "operator")
    other = generate_private_key(SECP256R1())
    (tmp_path / "ec.key").write_bytes(other.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    (tmp_path / "ec.pub").write_bytes(other.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo))
    (tmp_path / "damaged.key").write_text(private.read_text().replace("M", "%"))
    (tmp_path / "text").write_text("hello")

    load: Callable[[Path], object]
    for load, name, expected in (
        (load_signing_key, public.name, "not a private key"),
        (load_signing_key, "ec.key", "expected an Ed25519 key"),
        (load_signing_key, "damaged.key", "the file is damaged"),
        (load_signing_key, "missing", "No such file"),
        (load_verification_key, private.name, "this is a private key"),
        (load_verification_key, "ec.pub", "expected an Ed25519 key"),
        (load_verification_key, "text", "not a public key"),
    ):
        with pytest.raises(UsageError, match=f"{name}.*{expected}"):
            load(tmp_path / name)
