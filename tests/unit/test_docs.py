"""Documentation pages: valid links, commands, options, profiles and examples, and up-to-date generated parts."""

import ast
import importlib.util
import json
import re
import shlex
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any, cast

import pytest
import trustme
from gherkin import Parser
from ruamel.yaml import YAML

from airworthy.cli.app import COMMANDS, load_command
from airworthy.contract.conversation.limits import Lifetimes
from airworthy.register import rule, rules
from airworthy.resources import resource
from airworthy.sandbox.dialects.named import dialect
from airworthy.sandbox.faults import faults
from airworthy.target.profile import Payment, Profile, Route, TokenCredentials, V4Credentials
from airworthy.target.profile_file import load_profile, profile_from

ROOT = Path(__file__).parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
MINIMAL = {
    "base_url": "https://flights.example.com",
    "v4": {"key": {"env": "AIRWORTHY_V4_KEY"}, "customer_code": {"env": "AIRWORTHY_V4_CUSTOMER_CODE"}},
}
_FENCE = re.compile(r"^```(?P<info>[^\n]*)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"(?<!!)\[[^\]]*\]\((?P<target>[^)\s]+)\)")
_INLINE = re.compile(r"(?<!`)`([^`\n]+)`(?!`)")
_RULE = re.compile(r"(?<![\w-])(?:V23|V[234]|PAYMENT|EXPORT)-[A-Z0-9]+(?:-[A-Z0-9]+)*\b(?!-)")
_KEY = re.compile(r"^\| `(?P<key>[\w.]+)` \|(?P<rest>.*)\|$", re.MULTILINE)
_VARIABLE = re.compile(r"\b(?:AIRWORTHY|ACME)_[A-Z0-9_]+\b")
_TOOLS = ("airworthy", "make", "pytest")


@dataclass(frozen=True)
class Block:
    page: str
    info: str
    text: str

    def __str__(self) -> str:
        return f"{self.page}: {self.text.splitlines()[0] if self.text else ''}"


def name_of(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


def blocks(*infos: str) -> list[Block]:
    return [
        Block(name_of(page), found["info"], found["text"])
        for page in PAGES
        for found in _FENCE.finditer(page.read_text(encoding="utf-8"))
        if found["info"] in infos
    ]


def prose(page: Path) -> str:
    return _FENCE.sub("", page.read_text(encoding="utf-8"))


def script(name: str) -> ModuleType:
    """Return a module of the folder docs."""
    spec = importlib.util.spec_from_file_location(name, ROOT / "docs" / f"{name}.py")
    assert spec
    assert spec.loader
    # The decorator dataclass looks the module up by its name.
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


GENERATOR = script("generate")


# Links


def anchors(page: Path) -> set[str]:
    headings = re.findall(r"^#+ (.+)$", prose(page), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_links_have_a_target(page: Path) -> None:
    for found in _LINK.finditer(prose(page)):
        if found["target"].startswith("https://"):
            continue
        path, _, anchor = found["target"].partition("#")
        target = (page.parent / path).resolve() if path else page
        assert target.exists(), found[0]
        assert not anchor or anchor in anchors(target), found[0]


def test_index_lists_every_page() -> None:
    index = ROOT / "docs" / "README.md"
    linked = {(index.parent / found["target"]).resolve() for found in _LINK.finditer(prose(index))}

    assert linked == {page for page in PAGES if page.parent.parent == ROOT / "docs"}


# Commands


def commands(page: Path) -> Iterator[list[str]]:
    """Every use of a tool in a page: in shell and workflow blocks, and in inline code."""
    text = page.read_text(encoding="utf-8")
    # A table escapes the pipes in its cells.
    lines = [each.replace("\\|", "|") for each in _INLINE.findall(_FENCE.sub("", text))]
    for found in _FENCE.finditer(text):
        if found["info"] in ("sh", "yaml"):
            lines += found["text"].replace("\\\n", " ").splitlines()
    for line in lines:
        plain = re.sub(r"\s#\s.*", "", line.strip().removeprefix("- ").removeprefix("run: "))
        for part in re.split(r"&&|\|\||\||;|(?<!\S)&(?!\S)", plain):
            words = shlex.split(part) if part.count("'") % 2 == 0 and part.count('"') % 2 == 0 else part.split()
            if words and words[0] in _TOOLS:
                yield words


@cache
def pytest_options() -> frozenset[str]:
    shown = subprocess.run(
        [sys.executable, "-m", "pytest", "--help"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return frozenset(re.findall(r"(?<![\w-])--?[a-z][\w-]*", shown.stdout))


@cache
def make_targets() -> frozenset[str]:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    return frozenset(re.findall(r"^([a-z-]+):", makefile, re.MULTILINE))


def check_airworthy(words: list[str]) -> None:
    if not words or words[0] not in COMMANDS:
        assert set(words) <= {"--help", "--version", "--install-completion", "--show-completion"}
        return
    command = load_command(words.pop(0))
    while words and words[0] in getattr(command, "commands", {}):
        command = command.commands[words.pop(0)]
    own = {option for parameter in command.params for option in parameter.opts} | {"--help"}
    before, _, after = " ".join(words).partition("-- ")
    for option in re.findall(r"(?<!\S)--?[a-z][\w-]*", before):
        assert option in own, f"{command.name} has no {option}"
    check_pytest(after.split())


def check_pytest(words: list[str]) -> None:
    for word in words:
        if word.startswith("-"):
            assert word.partition("=")[0] in pytest_options(), f"pytest has no {word}"


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_every_command_exists(page: Path) -> None:
    for tool, *words in commands(page):
        match tool:
            case "make":
                assert set(words[:1]) <= make_targets(), words
            case "pytest":
                check_pytest(words)
            case _:
                check_airworthy(words)


def test_commands_are_found_and_wrong_ones_are_noticed(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("Use `make certify`.\n\n```sh\nx=1 && airworthy sandbox --nonsense 3  # why\n```\n")
    found = list(commands(page))

    assert found == [["make", "certify"], ["airworthy", "sandbox", "--nonsense", "3"]]
    with pytest.raises(AssertionError, match="sandbox has no --nonsense"):
        check_airworthy(found[1][1:])
    with pytest.raises(AssertionError, match="pytest has no --fautl"):
        check_airworthy(["certify", "service", "--", "--fautl", "x"])


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_named_faults_dialects_and_rules_exist(page: Path) -> None:
    text = page.read_text(encoding="utf-8")

    assert set(re.findall(r"--fault ([a-z][\w:/*-]*)", text)) <= set(faults())
    assert all(map(dialect, re.findall(r"--dialect ([a-z]+(?:-[0-9]+)?)", text)))
    assert {name for name in _RULE.findall(text) if rule(name) is None} == set()


@pytest.mark.parametrize("block", blocks("text"), ids=str)
def test_rule_counts_in_shown_output_are_up_to_date(block: Block) -> None:
    for line in re.findall(r"^  rules     (.+)$", block.text, re.MULTILINE):
        counts = [int(count) for count in re.findall(r"\d+", line)]
        *verdicts, binding = counts
        assert sum(verdicts) == binding == sum(each.binds != "client" for each in rules()), line
        assert "not applicable" not in line or verdicts[-1] >= sum(1 for each in rules() if each.excluded_reason)


# Code


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the CA bundles of the examples, and an environment with their variables."""
    texts = [block.text for block in blocks("toml profile", "toml continued", "toml fragment")]
    for name in re.findall(r'ca_bundle = "([^"]+)"', "\n".join(texts)):
        trustme.CA().cert_pem.write_to_path(str(tmp_path / name))
    for variable in _VARIABLE.findall("\n".join(texts)):
        monkeypatch.setenv(variable, "a-value-of-the-environment")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("block", blocks("toml profile"), ids=str)
def test_profiles_are_valid(block: Block, folder: Path) -> None:
    path = folder / "airworthy.toml"
    path.write_text(block.text, encoding="utf-8")

    profile = load_profile(path)

    assert profile.route("regular") or profile.route("flights_regular") or "[routes" not in block.text


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_parts_of_a_profile_can_be_appended_to_each_other(page: Path, folder: Path) -> None:
    """A block `toml continued` continues the block `toml profile` before it, as if copied into the same file."""
    text = ""
    for found in _FENCE.finditer(page.read_text(encoding="utf-8")):
        if found["info"] == "toml profile":
            text = found["text"]
        elif found["info"] == "toml continued":
            text += found["text"]
            path = folder / "airworthy.toml"
            path.write_text(text, encoding="utf-8")
            assert load_profile(path).route("flights_regular")


@pytest.mark.parametrize("block", blocks("toml fragment"), ids=str)
def test_profile_fragments_are_valid(block: Block, folder: Path) -> None:
    assert folder.is_dir()
    environ = dict.fromkeys(_VARIABLE.findall(block.text + json.dumps(MINIMAL)), "a value")

    profile_from(MINIMAL | tomllib.loads(block.text), block.page, environ)


PARSERS: dict[str, Callable[[str], object]] = {
    **dict.fromkeys(("python", "python tests/test_ours.py", "python tests/conftest.py"), ast.parse),
    "json": json.loads,
    "yaml": YAML(typ="safe").load,
}


@pytest.mark.parametrize("block", blocks(*PARSERS), ids=str)
def test_examples_parse(block: Block) -> None:
    assert PARSERS[block.info](block.text)


@pytest.mark.parametrize("block", blocks("gherkin"), ids=str)
def test_gherkin_examples_are_those_of_the_features(block: Block) -> None:
    text = block.text if "Feature:" in block.text else f"Feature: one\n{block.text}"
    document = cast("dict[str, Any]", Parser().parse(text))
    (shown,) = (child["rule"] for child in document["feature"]["children"])
    owner = rule(shown["tags"][0]["name"].removeprefix("@"))

    assert owner
    feature = (resource("features") / owner.path).read_text(encoding="utf-8")
    lines = {line.strip() for line in feature.splitlines()}
    assert [line for line in block.text.splitlines() if line.strip() not in lines] == []


# Reference


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_generated_parts_are_up_to_date(page: Path) -> None:
    text = page.read_text(encoding="utf-8")

    assert GENERATOR.refreshed(text) == text, "update the pages with: make docs"


def test_every_generated_part_is_in_a_page() -> None:
    texts = "".join(page.read_text(encoding="utf-8") for page in GENERATOR.pages())

    assert set(re.findall(r"<!-- generated: ([a-z-]+) -->", texts)) == set(GENERATOR.PARTS)


def keys(schema: dict[str, Any], definitions: dict[str, Any], at: str = "") -> Iterator[str]:
    """Yield every key of a profile; SITUATION represents all tables with the same keys, and v3 also v2."""
    if "x-sensitive" in schema or at.startswith("second_organisation."):
        return
    if schema.get("type") == "array":
        schema = resolved(schema["items"], definitions)
    situations = {"payment_situation", "route", "flights_route"}
    for name, member in schema.get("properties", {}).items():
        path = f"{at}.{name}".lstrip(".")
        yield path
        if path == "v2":
            continue
        below = f"{at}.SITUATION" if member.get("$ref", "").rpartition("/")[2] in situations else path
        yield from keys(resolved(member, definitions), definitions, below)


def resolved(schema: dict[str, Any], definitions: dict[str, Any]) -> dict[str, Any]:
    return definitions[schema["$ref"].rpartition("/")[2]] if "$ref" in schema else schema


def documented() -> dict[str, list[str]]:
    page = (ROOT / "docs" / "reference" / "profile.md").read_text(encoding="utf-8")
    rows = (found for found in _KEY.finditer(page) if not found["key"].startswith("AIRWORTHY_"))
    return {found["key"]: [cell.strip() for cell in found["rest"].split("|")] for found in rows}


def test_profile_keys_are_documented() -> None:
    schema = json.loads((resource("schemas") / "profile.json").read_text(encoding="utf-8"))

    assert sorted(set(keys(schema, schema["$defs"]))) == sorted(documented())


@pytest.mark.parametrize(
    ("values", "prefix"),
    [
        (Profile, ""),
        (V4Credentials, "v4."),
        (TokenCredentials, "v3."),
        (Payment, "payment."),
        (Lifetimes, "lifetimes."),
        (Route, "routes.SITUATION."),
    ],
)
def test_profile_defaults_are_documented(values: type, prefix: str) -> None:
    rows = documented()
    plain = {
        field.name: field.default for field in fields(values) if isinstance(field.default, bool | int | float | str)
    }
    # A date format is documented as YYYY-MM-DD, not as %Y-%m-%d.
    plain = {name: value for name, value in plain.items() if "%" not in str(value)}
    known = {name: value for name, value in plain.items() if f"{prefix}{name}" in rows and value != ""}
    assert known

    for name, value in known.items():
        default = rows[f"{prefix}{name}"][1]
        shown = json.dumps(int(value) if isinstance(value, float) else value)
        assert f"`{shown}`" in default, f"{prefix}{name}: {default}"


def test_observations_are_documented() -> None:
    page = (ROOT / "docs" / "reference" / "observations.md").read_text(encoding="utf-8")
    steps = (path.read_text(encoding="utf-8") for path in (ROOT / "tests" / "conformance").rglob("*.py"))
    coded = {place for text in steps for place in re.findall(r'observe\(\s*"(OPEN-[0-9]+)"', text)}

    assert coded
    assert {place for place in coded if place not in page} == set()
