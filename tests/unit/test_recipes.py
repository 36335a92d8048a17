"""The recipes for CI systems and containers: valid YAML, and commands and files that exist."""

import re
import shlex
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

from airworthy.cli.app import load_command
from airworthy.report.write import PDF, RESULTS

ROOT = Path(__file__).parents[2]
CI = sorted((ROOT / "examples" / "ci").glob("*.yml"))
COMPOSE = ROOT / "examples" / "compose" / "compose.yml"
WRITTEN = {RESULTS, PDF, "report.html", "junit.xml", "findings.sarif", "summary.md"}


def load(path: Path) -> Any:  # noqa: ANN401 - any YAML value
    return YAML(typ="safe").load(path.read_text(encoding="utf-8"))


def strings(value: object) -> Iterator[str]:
    for each in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from strings(each)
    if isinstance(value, str):
        yield value


@pytest.mark.parametrize("path", CI, ids=lambda path: path.stem)
def test_commands_and_files_of_a_recipe_exist(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    lines = [line for each in strings(load(path)) for line in each.splitlines() if "airworthy " in line]
    lines = [line for line in lines if "pip install" not in line]
    commands = [shlex.split(re.search(r"airworthy (.*?)(?: -- | \|\||$)", line)[1]) for line in lines]  # type: ignore[index]
    assert {words[0] for words in commands} == {"certify", "compare"}
    for name, *words in commands:
        command = load_command(name)
        if name == "certify":
            command = command.commands[words.pop(0)]
        known = {option for parameter in command.params for option in parameter.opts}
        assert {word for word in words if word.startswith("--")} <= known
    # A service that was tested in part is accepted, and the run waits only at night.
    assert "|| test $? -eq 3" in text
    assert "--max-wait 0" in text
    assert {"junit.xml", "summary.md"} <= set(re.findall(r"reports/ci/([\w.]+)", text)) <= WRITTEN


@pytest.mark.parametrize("path", CI, ids=lambda path: path.stem)
@pytest.mark.parametrize(("baseline", "accepted"), [(False, {0, 3}), (True, {0, 1, 3})])
def test_recipe_accepts_known_violations_only_with_a_baseline(
    path: Path, tmp_path: Path, baseline: bool, accepted: set[int]
) -> None:
    text = path.read_text(encoding="utf-8")
    # Shells disagree about a `test` with many operands.
    (line,) = re.findall(r"airworthy certify service .*? (\|\|.*)", text)
    if baseline:
        (tmp_path / "baseline.json").touch()
    for shell in ("sh", "bash"):
        ended = {
            code: subprocess.run([shell, "-c", f"(exit {code}) {line}"], cwd=tmp_path, check=False).returncode  # noqa: S603
            for code in range(5)
        }
        assert {code for code, ended_with in ended.items() if ended_with == 0} == accepted
    assert "baseline.json reports/ci/results.json --fail-on new-failures" in text


@pytest.mark.parametrize("path", [*CI, ROOT / "docs" / "how-to" / "run-in-ci.md"], ids=lambda path: path.stem)
def test_recipe_installs_the_tested_versions(path: Path) -> None:
    installs = [line.partition("pip install")[2] for line in path.read_text().splitlines() if "pip install --" in line]
    installs = [each.replace(" --quiet", "") for each in installs]
    assert set(installs) == {' --no-deps "$AIRWORTHY"', ' --constraint "$(python -m airworthy.constraints)" airworthy'}


def test_page_about_ci_uses_the_actions_of_the_recipe() -> None:
    page, recipe = (
        set(re.findall(r"uses: ([\w/-]+@v\d+)", (ROOT / path).read_text(encoding="utf-8")))
        for path in ("docs/how-to/run-in-ci.md", "examples/ci/github-actions.yml")
    )
    assert page
    assert page <= recipe


def test_compose_file_starts_the_sandbox_for_the_partner() -> None:
    services = load(COMPOSE)["services"]
    assert services["sandbox"]["command"][0] == "sandbox"
    assert services["sandbox"]["ports"] == ["127.0.0.1:8443:8443"]
    assert services["partner"]["environment"]["SERVICE_URL"] == "https://sandbox:8443"
    for each in services.values():
        assert (COMPOSE.parent / each["build"] / "Dockerfile").is_file()
    # Airworthy needs a folder for temporary files.
    assert services["sandbox"]["read_only"]
    assert services["sandbox"]["tmpfs"] == ["/tmp"]  # noqa: S108 - in the container
    for mount in services["partner"]["volumes"]:
        source = mount.partition(":")[0]
        assert source == "authority" or (COMPOSE.parent / source).is_file()


def test_image_contains_what_the_package_is_built_from_and_does_not_run_as_root() -> None:
    dockerfile = (ROOT / "Dockerfile").read_text(encoding="utf-8")
    copied = re.findall(r"^COPY (?!--)(.+) \S+$", dockerfile, re.MULTILINE)
    allowed = set(re.findall(r"^!(.+)$", (ROOT / ".dockerignore").read_text(encoding="utf-8"), re.MULTILINE))
    assert {name for names in copied for name in names.split()} == allowed
    assert all((ROOT / name).exists() for name in allowed)
    assert re.search(r"^USER [1-9]\d*$", dockerfile, re.MULTILINE)
    assert 'ENTRYPOINT ["tini", "--", "airworthy"]' in dockerfile
    assert re.search(r"apt-get install .*\btini\b", dockerfile)
