"""The choices of a service where the documents are silent or contradict each other: all, those of HTTP and the export.

Each field is one open choice. Its type lists every behaviour that conforms, the default first; its arguments are the id
of the open question and the subject. A status code among the behaviours is the status of the rejection; a word
describes what happens instead.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Literal, Self, get_args, get_type_hints

from airworthy.sandbox.dialects import choice, open_choices
from airworthy.sandbox.dialects.v3_choices import V3Choices
from airworthy.sandbox.dialects.v4_choices import V4Choices

Behaviour = str | int


@open_choices
class ExportChoices:
    """One choice for every open question on the export that an importer can observe."""

    legacy: Literal["absent", "there"] = choice("OPEN-45", "files with the legacy names")
    fare_type: Literal["OW", "OWN", "Charter"] = choice("OPEN-45", "fareType in the export")
    seats: Literal["numbers", "stars", "stars from nine on"] = choice("OPEN-45", "availableSeats in the export")
    decimal: Literal["point", "comma"] = choice("OPEN-101", "decimal mark in the export")
    encoding: Literal["UTF-8", "UTF-8 with BOM", "Latin-1"] = choice("OPEN-101", "encoding of the export")
    line_end: Literal["LF", "CRLF", "CRLF, none at the end"] = choice("OPEN-101", "line ends of the export")
    quoting: Literal["where needed", "all cells", "a semicolon in quotes"] = choice("OPEN-101", "quotes in the export")
    codes: Literal["capital letters", "small letters"] = choice("OPEN-64", "letter case of codes in the export")
    unused: Literal["empty", "as the first segment"] = choice("OPEN-101", "cells of unused segments in the export")
    no_bag: Literal["empty", "zero"] = choice("OPEN-101", "cells of bags that are not sold")
    duration: Literal["HH:mm", "minutes", "ISO 8601"] = choice("OPEN-101", "journeyDuration in the export")
    overnight: Literal["0 or 1", "true or false", "Y or N", "+1 or empty"] = choice("OPEN-101", "overNight of flights")
    stops: Literal["number", "airports"] = choice("OPEN-101", "stops in the export")
    versions: Literal["2 and 3", "3"] = choice("OPEN-101", "API versions that have export files")
    weight: Literal["number", "with unit"] = choice("OPEN-101", "baggage weights in the export")
    own_files: Literal["of customers", "none"] = choice("OPEN-101", "files of customers with distribution rules")
    total: Literal["base and supplement", "rounded"] = choice("OPEN-101", "total amounts in the export")
    customer: Literal["words", "letters", "number"] = choice(
        "OPEN-101", "how a customer is named in the export's file names", default="letters"
    )


@open_choices
class HttpChoices:
    """One choice for every open question on HTTP and JSON that a client can observe."""

    unknown_request_fields: Literal["ignored", 400] = choice("OPEN-47", "unknown fields in requests")
    plain_http: Literal["closed", "reset", 400, "redirect", "no response"] = choice("OPEN-33", "plain HTTP")
    throttling: Literal["none", "429 with Retry-After", "429", "503", "429 often"] = choice(
        "OPEN-09", "every 150th request, or every 25th; with 503 none that has a body"
    )
    media_type: Literal["application/json", "application/json;charset=UTF-8", "Application/JSON; charset=utf-8"] = (
        choice("OPEN-75", "Content-Type of responses")
    )
    transfer: Literal["plain", "chunked", "gzip"] = choice("OPEN-75", "how response bodies are transferred")
    json_form: Literal["compact", "indented", "escaped"] = choice("OPEN-75", "how JSON is written")
    number_form: Literal["shortest", "with a fraction"] = choice("OPEN-75", "whole numbers in JSON: 10 or 10.0")
    key_order: Literal["as documented", "reversed"] = choice("OPEN-75", "order of members in responses")
    extra_headers: Literal["none", "some"] = choice("OPEN-46", "response headers that are not documented")
    date_header: Literal["of its clock", "of the machine"] = choice("OPEN-46", "Date after the clock was moved")
    order_of_checks: Literal["key first", "body first", "resource first"] = choice("OPEN-74", "the first check")
    other_accept: Literal["ignored", 406, 400] = choice("OPEN-75", "Accept that does not take JSON")
    other_content_type: Literal["ignored", 415, 400] = choice("OPEN-75", "Content-Type other than JSON")
    unknown_path: Literal[404, 405] = choice("OPEN-75", "undocumented paths")
    unknown_method: Literal[405, 404] = choice("OPEN-75", "undocumented methods of a documented path")
    removed_versions: Literal[404, 410, "no route"] = choice("OPEN-102", "versions 1.0 and 1.1")


# The order decides what a number draws: see `airworthy.sandbox.dialects.named`.
_GROUPS = {"v3": V3Choices, "export": ExportChoices, "v4": V4Choices, "http": HttpChoices}


@dataclass(frozen=True, slots=True)
class Choices:
    """One choice for every open question that a client can observe."""

    v4: V4Choices = field(default_factory=V4Choices)
    v3: V3Choices = field(default_factory=V3Choices)
    export: ExportChoices = field(default_factory=ExportChoices)
    http: HttpChoices = field(default_factory=HttpChoices)

    @classmethod
    def of(cls, behaviours: Mapping[str, Behaviour]) -> Self:
        """Return the choices with these behaviours, by the names of their fields, and the defaults of all others."""
        groups: dict[str, Any] = {
            name: group(**{each.name: behaviours[each.name] for each in fields(group) if each.name in behaviours})
            for name, group in _GROUPS.items()
        }
        return cls(**groups)

    def behaviour(self, name: str) -> Behaviour:
        """Return the behaviour of a field, in whatever group it is."""
        groups = (getattr(self, each) for each in _GROUPS)
        found: Behaviour = next(getattr(group, name) for group in groups if hasattr(group, name))
        return found


@dataclass(frozen=True, slots=True)
class OpenChoice:
    """An open choice: its field, the id of the open question, the subject and all behaviours that conform."""

    name: str
    open_id: str
    subject: str
    behaviours: tuple[Behaviour, ...]


def questions() -> Iterator[OpenChoice]:
    """Yield every open choice, ordered by open question."""
    found = [
        OpenChoice(each.name, each.metadata["question"], each.metadata["subject"], get_args(types[each.name]))
        for group in _GROUPS.values()
        for types in [get_type_hints(group)]
        for each in fields(group)
    ]
    yield from sorted(found, key=lambda each: int(each.open_id.removeprefix("OPEN-")))
