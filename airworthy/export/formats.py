"""Read what the documents say about the export from ``schemas/export``: file names, columns and cell forms."""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from typing import Any

from airworthy.resources import resource


@dataclass(frozen=True, slots=True)
class CellForm:
    """One form that a cell may have: its name in observations and the pattern of the whole cell."""

    name: str
    pattern: bytes
    matches: Callable[[bytes], object] = field(repr=False, compare=False)


@dataclass(frozen=True, slots=True)
class CellType:
    """The type of the cells in a column.

    Without a ``rule`` any text is allowed. A cell in one of the ``soft_forms`` only warns. The form of a cell is
    observed as ``observed`` (a subject of the features) for the open question ``question``.
    """

    name: str
    forms: tuple[CellForm, ...]
    soft_forms: tuple[CellForm, ...]
    rule: str | None
    soft: bool
    expected: str
    question: str | None
    observed: str


@dataclass(frozen=True, slots=True)
class Column:
    """A column. Its cells may be empty if ``empty_rule`` is None; a soft finding warns and never fails."""

    name: str
    type: CellType
    soft: bool
    empty_rule: str | None
    empty_soft: bool


@dataclass(frozen=True, slots=True)
class ExportFormat:
    """A format of the export: its columns in order, and the rule that requires them."""

    name: str
    rule: str
    columns: tuple[Column, ...]


@dataclass(frozen=True, slots=True)
class ExportFileName:
    """A parsed file name; ``customer`` is "" and ``version`` is 0 in a legacy name."""

    text: str
    format: str
    customer: str
    version: int

    @property
    def is_legacy(self) -> bool:
        """Whether this is a name from before the API had versions."""
        return not self.version


@dataclass(frozen=True)
class ExportSpecification:
    """The content export as the documents describe it."""

    formats: Mapping[str, ExportFormat]
    types: Mapping[str, CellType]
    versions: tuple[int, ...]
    all_content: str
    delimiter: str
    path: str
    legacy_path: str

    def name(self, format_name: str, customer: str, version: int) -> str:
        """Return the name of a file."""
        return self.path.format(format=format_name, customer=customer, version=version)

    def parse(self, name: str) -> ExportFileName | None:
        """Parse a file name; return None if it is not a name of the export."""
        if found := self._pattern.fullmatch(name):
            return ExportFileName(name, found["format"], found["customer"], int(found["version"]))
        legacy = next((each for each in self.formats if name == self.legacy_path.format(format=each)), None)
        return ExportFileName(name, legacy, "", 0) if legacy else None

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        return re.compile(
            re.sub(r"\\\{(\w+)\\\}", r"{\1}", re.escape(self.path)).format(
                format=f"(?P<format>{'|'.join(self.formats)})",
                customer="(?P<customer>.+)",
                version=f"(?P<version>{'|'.join(map(str, self.versions))})",
            )
        )


@cache
def export_specification() -> ExportSpecification:
    """Return the specification in the packaged schemas."""
    files = read_document("files")
    types = {name: _type(name, found) for name, found in read_document("types")["types"].items()}
    documents = {name: read_document(name) for name in files["formats"]}
    return ExportSpecification(
        formats={
            name: ExportFormat(each["name"], each["rule"], tuple(_column(field, types) for field in each["fields"]))
            for name, each in documents.items()
        },
        types=types,
        versions=tuple(files["versions"]),
        all_content=files["allContent"],
        delimiter=files["delimiter"],
        path=files["path"],
        legacy_path=files["legacyPath"],
    )


def read_document(name: str) -> dict[str, Any]:
    """Return a document of ``schemas/export``."""
    document: dict[str, Any] = json.loads((resource("schemas") / "export" / f"{name}.json").read_text(encoding="utf-8"))
    return document


def _type(name: str, found: Mapping[str, Any]) -> CellType:
    return CellType(
        name=name,
        forms=_forms(found["forms"]),
        soft_forms=_forms(found.get("softForms", {})),
        rule=found.get("rule"),
        soft=found.get("soft", False),
        expected=found.get("expected", ""),
        question=found.get("open"),
        observed=found.get("observed", ""),
    )


def _forms(found: Mapping[str, str]) -> tuple[CellForm, ...]:
    patterns = {name: pattern.encode("latin-1") for name, pattern in found.items()}
    return tuple(CellForm(name, pattern, re.compile(pattern).fullmatch) for name, pattern in patterns.items())


def _column(found: Mapping[str, Any], types: Mapping[str, CellType]) -> Column:
    kind, empty = types[found["type"]], found.get("empty", {})
    return Column(
        name=found["name"],
        type=kind,
        soft=found.get("soft", kind.soft),
        empty_rule=empty.get("rule"),
        empty_soft=empty.get("soft", False),
    )
