"""The examples of the documentation work against a running sandbox: the first profile, and each program."""

import json
import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

import command_line
from airworthy.resources import resource
from airworthy.sandbox import SandboxServer

ROOT = Path(__file__).parents[2]
PUBLISHED = "https://127.0.0.1:8443"
SANDBOX_PAGE = ROOT / "docs" / "how-to" / "develop-against-the-sandbox.md"
CREDENTIALS = {
    "AIRWORTHY_V4_KEY": "test-key-first-6f1f0c52",
    "AIRWORTHY_V4_CUSTOMER_CODE": "FIRST-OTA",
    "AIRWORTHY_V3_TOKEN": "test-token-first-d41b7e90",
    "AIRWORTHY_V3_CUSTOMER_CODE": "FIRST-OTA",
}


def blocks(page: Path, info: str) -> list[str]:
    return re.findall(rf"^```{info}\n(.*?)^```$", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)


@pytest.fixture
def folder(sandbox: SandboxServer, tmp_path: Path) -> Path:
    """A folder with the certificate authority that readers of the pages download."""
    assert sandbox.ca_bundle
    (tmp_path / "ca.pem").write_bytes(sandbox.ca_bundle.read_bytes())
    return tmp_path


def run(folder: Path, *command: str, environment: Mapping[str, str] = CREDENTIALS) -> subprocess.CompletedProcess[str]:
    """Run Python in a folder, without a proxy and a CA bundle of the environment."""
    variables = (f"{name}={value}" for name, value in environment.items())
    return command_line.run("env", "-i", "PATH=/usr/bin:/bin", *variables, sys.executable, *command, folder=folder)


@pytest.mark.parametrize(
    ("page", "number", "rule"),
    [
        ("README.md", 0, "V4-CURRENCY"),
        ("docs/how-to/test-your-implementation.md", 0, "V3-CANCEL-UNKNOWN"),
        ("docs/tutorial/first-certificate.md", 0, "V4-CURRENCY"),
    ],
)
def test_first_profile_works(sandbox: SandboxServer, folder: Path, page: str, number: int, rule: str) -> None:
    profile = blocks(ROOT / page, "toml profile")[number]
    assert len([line for line in profile.splitlines() if line and not line.startswith("#")]) <= 15
    (folder / "airworthy.toml").write_text(profile.replace(PUBLISHED, sandbox.base_url))

    certify = ["-m", "airworthy.cli", "certify", "service", "--profile", "airworthy.toml", "--run-id", "one"]
    completed = run(folder, *certify, "--", "-m", rule)

    # A filtered run has no certificate; nothing else prevents one.
    assert completed.returncode == 3, completed.stdout + completed.stderr
    results = json.loads((folder / "reports" / "one" / "results.json").read_text())
    assert [block["cause"] for block in results["decision"]["blocks"]] == ["filtered"]
    assert results["counts"]["passed"] == 1


@pytest.mark.parametrize("number", range(4))
def test_example_program_works(sandbox: SandboxServer, folder: Path, number: int) -> None:
    programs = blocks(SANDBOX_PAGE, "python")
    assert len(programs) == 4
    (folder / "program.py").write_text(programs[number].replace(PUBLISHED, sandbox.base_url))

    completed = run(folder, "program.py")

    assert completed.returncode == 0, completed.stderr
    booked = r"BOOKED \w+ \{'amount': [\d.]+, 'currency': 'EUR'\}|AWAITING_PNR_AIRLINE CP\w+ [\d.]+"
    assert re.match(rf"{booked}|pm_\w+|https://127\.0\.0\.1:\d+", completed.stdout)


def test_three_d_secure_page_prints_what_it_shows(sandbox: SandboxServer, folder: Path) -> None:
    page = ROOT / "docs" / "how-to" / "three-d-secure.md"
    (folder / "program.py").write_text("\n".join(blocks(page, "python")).replace(PUBLISHED, sandbox.base_url))

    completed = run(folder, "program.py")

    assert completed.returncode == 0, completed.stderr
    assert completed.stdout == "".join(blocks(page, "text"))


@pytest.mark.parametrize(
    ("command", "code"),
    [
        (["pytest", "-p", "airworthy.suite.plugin", "tests", str(resource("conformance"))], 0),
        (["airworthy.cli", "certify", "service", "--", "tests"], 3),
    ],
    ids=["pytest", "airworthy"],
)
def test_own_tests_start_the_service_and_run_with_the_suite(tmp_path: Path, command: list[str], code: int) -> None:
    page = ROOT / "docs" / "how-to" / "run-in-your-own-tests.md"
    # The service is a sandbox, whose authority exists before it starts.
    with SandboxServer(ca_folder=tmp_path) as sandbox:
        address, port = sandbox.base_url, sandbox.base_url.rpartition(":")[2]
    service = f"[sys.executable, '-m', 'airworthy.cli', 'sandbox', '--port', '{port}', '--ca-dir', {str(tmp_path)!r}]"
    conftest = blocks(page, "python tests/conftest.py")[0].replace("8080", port)
    profile = blocks(page, "toml profile")[0].replace("http://127.0.0.1:8080", address)
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "conftest.py").write_text(re.sub(r"(?<=COMMAND = ).*", lambda _: service, conftest))
    (tmp_path / "tests" / "test_ours.py").write_text(blocks(page, "python tests/test_ours.py")[0])
    (tmp_path / "airworthy.toml").write_text(f'ca_bundle = "ca.pem"\n{profile}')
    environment = {name: value for name, value in CREDENTIALS.items() if "V4" in name}

    options = ["--profile=airworthy.toml", "--run-id=one", "-n0", "-k", "keeps_the_contract or is_rejected and infants"]
    completed = run(tmp_path, "-m", *command, *options, environment=environment)

    assert completed.returncode == code, completed.stdout + completed.stderr
    results = json.loads((tmp_path / "reports" / "one" / "results.json").read_text())
    assert [block["cause"] for block in results["decision"]["blocks"]] == ["filtered"]
    assert results["counts"]["passed"] > 0
