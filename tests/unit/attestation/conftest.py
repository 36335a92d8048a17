"""A signed run and the key that signed it."""

import shutil
from pathlib import Path

import pytest

from airworthy.attestation.keys import SigningKey

from .signed_run import new_key, write_signed_run


@pytest.fixture(scope="module")
def key(tmp_path_factory: pytest.TempPathFactory) -> SigningKey:
    return new_key(tmp_path_factory.mktemp("keys"))


@pytest.fixture(scope="module")
def original(key: SigningKey, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A signed run; do not change its folder."""
    folder = tmp_path_factory.mktemp("original") / "run"
    write_signed_run(folder, key)
    return folder


@pytest.fixture
def run(original: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(original, tmp_path / "run"))
