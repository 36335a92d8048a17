"""The open choices of the content export; see `airworthy.sandbox.dialects.choices`."""

from typing import Literal

from airworthy.sandbox.dialects import choice, choices


@choices
class ExportChoices:
    """One choice for every open question on the export that an importer can observe."""

    legacy: Literal["absent", "there"] = choice("OPEN-45", "files with the legacy names")
    fare_type: Literal["OW", "OWN", "Charter"] = choice("OPEN-45", "fareType in the export")
    seats: Literal["numbers", "stars", "stars from nine on"] = choice("OPEN-45", "availableSeats in the export")
    decimal: Literal["point", "comma"] = choice("OPEN-101", "decimal mark in the export")
    encoding: Literal["UTF-8", "UTF-8 with BOM", "Latin-1"] = choice("OPEN-101", "encoding of the export")
    line_end: Literal["LF", "CRLF", "CRLF, none at the end"] = choice("OPEN-101", "line ends of the export")
    quoting: Literal["where needed", "all cells", "a semicolon in quotes"] = choice(
        "OPEN-101", "quotation marks in the export"
    )
    codes: Literal["capital letters", "small letters"] = choice("OPEN-64", "letter case of codes in the export")
    unused: Literal["empty", "as the first segment"] = choice("OPEN-101", "cells of unused segments in the export")
    no_bag: Literal["empty", "zero"] = choice("OPEN-101", "cells of bags that are not sold")
    duration: Literal["HH:mm", "minutes", "ISO 8601"] = choice("OPEN-101", "journeyDuration in the export")
    overnight: Literal["0 or 1", "true or false", "Y or N", "+1 or empty"] = choice(
        "OPEN-101", "overNight in the export"
    )
    stops: Literal["number", "airports"] = choice("OPEN-101", "stops in the export")
    versions: Literal["2 and 3", "3"] = choice("OPEN-101", "API versions that have export files")
    weight: Literal["number", "with unit"] = choice("OPEN-101", "baggage weights in the export")
    own_files: Literal["of customers", "none"] = choice("OPEN-101", "files of customers with distribution rules")
    total: Literal["base and supplement", "rounded"] = choice("OPEN-101", "total amounts in the export")
    customer: Literal["words", "letters", "number"] = choice(
        "OPEN-101", "how a customer is named in the export's file names", default="letters"
    )
