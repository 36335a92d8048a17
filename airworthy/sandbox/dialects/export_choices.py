"""The open choices of the content export; see `airworthy.sandbox.dialects.choices`."""

from dataclasses import dataclass
from typing import Literal

from airworthy.sandbox.dialects import choice


@dataclass(frozen=True, slots=True)
class ExportChoices:
    """One choice for every open question on the export that an importer can observe."""

    legacy: Literal["absent", "there"] = choice("absent", "OPEN-45", "files with the legacy names")
    fare_type: Literal["OW", "OWN", "Charter"] = choice("OW", "OPEN-45", "fareType in the export")
    seats: Literal["numbers", "stars", "stars from nine on"] = choice(
        "numbers", "OPEN-45", "availableSeats in the export"
    )
    decimal: Literal["point", "comma"] = choice("point", "OPEN-101", "decimal mark in the export")
    encoding: Literal["UTF-8", "UTF-8 with BOM", "Latin-1"] = choice("UTF-8", "OPEN-101", "encoding of the export")
    line_end: Literal["LF", "CRLF", "CRLF, none at the end"] = choice("LF", "OPEN-101", "line ends of the export")
    quoting: Literal["where needed", "all cells", "a semicolon in quotes"] = choice(
        "where needed", "OPEN-101", "quotation marks in the export"
    )
    codes: Literal["capital letters", "small letters"] = choice(
        "capital letters", "OPEN-64", "letter case of codes in the export"
    )
    unused: Literal["empty", "as the first segment"] = choice(
        "empty", "OPEN-101", "cells of unused segments in the export"
    )
    no_bag: Literal["empty", "zero"] = choice("empty", "OPEN-101", "cells of bags that are not sold")
    duration: Literal["HH:mm", "minutes", "ISO 8601"] = choice("HH:mm", "OPEN-101", "journeyDuration in the export")
    overnight: Literal["0 or 1", "true or false", "Y or N", "+1 or empty"] = choice(
        "0 or 1", "OPEN-101", "overNight in the export"
    )
    stops: Literal["number", "airports"] = choice("number", "OPEN-101", "stops in the export")
    versions: Literal["2 and 3", "3"] = choice("2 and 3", "OPEN-101", "API versions that have export files")
    weight: Literal["number", "with unit"] = choice("number", "OPEN-101", "baggage weights in the export")
    own_files: Literal["of customers", "none"] = choice(
        "of customers", "OPEN-101", "files of customers with distribution rules"
    )
    total: Literal["base and supplement", "rounded"] = choice(
        "base and supplement", "OPEN-101", "total amounts in the export"
    )
    customer: Literal["words", "letters", "number"] = choice(
        "letters", "OPEN-101", "how a customer is named in the export's file names"
    )
