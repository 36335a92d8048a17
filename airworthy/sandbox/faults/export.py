"""Faults in the content export: its files are changed before they are written."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from airworthy.sandbox.faults.fault import Fault, Redrop

if TYPE_CHECKING:
    from airworthy.sandbox.export.files import ExportFile, Line

Change = Callable[[str], str]


def _without(fits: Callable[["ExportFile"], bool]) -> Redrop:
    """Leave out files."""
    return lambda files: tuple(each for each in files if not fits(each))


def _first_file_as(name: str) -> Redrop:
    """Deliver the first file a second time under another name."""
    return lambda files: (*files, replace(files[0], name=name, customer=""))


def _edited(edit: Callable[["ExportFile"], "ExportFile"], kind: str = "") -> Redrop:
    """Edit the files of one format, or of all; files with legacy names have no format to violate."""
    return lambda files: tuple(edit(each) if each.customer and kind in ("", each.format) else each for each in files)


def _written_with(**members: object) -> Redrop:
    """Write all files with other settings, such as another separator."""
    return _edited(lambda file: replace(file, **members))  # type: ignore[arg-type]


def _cells(column: str, change: Change, kind: str = "flights") -> Redrop:
    """Change the cells of a column that have a value."""

    def edit(file: "ExportFile") -> "ExportFile":
        at = file.columns.index(column)

        def lines() -> Iterator["Line"]:
            for line in file.lines():
                yield [*line[:at], change(line[at]) if line[at] else "", *line[at + 1 :]]

        return replace(file, lines=lines)

    return _edited(edit, kind)


def _last_columns(kind: str, *order: int, names: tuple[str, ...] = ()) -> Redrop:
    """Write the last three columns in this order, each as often as it is listed, with other names if given."""

    def edit(file: "ExportFile") -> "ExportFile":
        kept = len(file.columns) - 3
        columns = names or tuple(file.columns[kept + each] for each in order)

        def lines() -> Iterator["Line"]:
            for line in file.lines():
                yield [*line[:kept], *(line[kept + each] for each in order)]

        return replace(file, columns=(*file.columns[:kept], *columns), lines=lines)

    return _edited(edit, kind)


def _renamed(old: str, new: str) -> Redrop:
    """Rename a column of the flights files."""
    return _edited(
        lambda file: replace(file, columns=tuple(new if each == old else each for each in file.columns)), "flights"
    )


def _first_row(change: Callable[["Line"], "Line"], kind: str = "flights") -> Redrop:
    """Change the first row after the header."""

    def edit(file: "ExportFile") -> "ExportFile":
        def lines() -> Iterator["Line"]:
            for number, line in enumerate(file.lines()):
                yield line if number else change(line)

        return replace(file, lines=lines)

    return _edited(edit, kind)


def _always(text: str) -> Change:
    return lambda _: text


def _iso(date: str) -> str:
    return "-".join(reversed(date.split(".")))


def _another_number(number: str) -> str:
    return str(int(number) % 9999 + 1)


def _years_later(day: str) -> str:
    # A day that every such year has.
    return f"01{day[2:6]}{int(day[6:]) + 3}"


FAULTS: tuple[Fault, ...] = (
    Fault(
        "export-version-4",
        "EXPORT-FILE-NAMES",
        "The service delivers a flights file whose name has version 4",
        export=_first_file_as("cp_flights_all_v4.csv"),
    ),
    Fault(
        "export-without-version",
        "EXPORT-FILE-NAMES",
        "The service delivers a flights file whose name has no version",
        export=_first_file_as("cp_flights_all.csv"),
    ),
    Fault(
        "export-unknown-format",
        "EXPORT-FILE-NAMES",
        "The service delivers a file whose name has an unknown format",
        export=_first_file_as("cp_fares_all_v3.csv"),
    ),
    Fault(
        "export-without-all",
        "EXPORT-ALL-CONTENT",
        "The service delivers no all-content files",
        export=_without(lambda file: file.customer == "all"),
    ),
    Fault(
        "export-without-all-flights",
        "EXPORT-ALL-CONTENT",
        "The service delivers no all-content flights file for v3",
        export=_without(lambda file: file.name == "cp_flights_all_v3.csv"),
    ),
    Fault(
        "export-without-customers",
        "EXPORT-CUSTOMER-FILES",
        "The service delivers no files for customers",
        export=_without(lambda file: file.customer != "all"),
    ),
    Fault(
        "export-without-customer-routes",
        "EXPORT-CUSTOMER-FILES",
        "The service delivers no v2 routes files for customers",
        export=_without(lambda file: file.customer != "all" and (file.format, file.version) == ("routes", 2)),
    ),
    Fault(
        "export-nul-bytes",
        "EXPORT-CSV",
        "The service writes a NUL byte into flightKey",
        export=_cells("flightKey", lambda key: f"{key}\0"),
    ),
    Fault(
        "export-open-quote",
        "EXPORT-CSV",
        "The service writes a quotation mark that is never closed into the last row",
        export=_written_with(ends=b'"MAD;BCN'),
    ),
    Fault(
        "export-commas",
        "EXPORT-SEPARATOR",
        "The service separates cells by commas",
        export=_written_with(separator=","),
    ),
    Fault(
        "export-tabs", "EXPORT-SEPARATOR", "The service separates cells by tabs", export=_written_with(separator="\t")
    ),
    Fault(
        "export-without-header",
        "EXPORT-HEADER",
        "The service writes files without a header row",
        export=_written_with(header=False),
    ),
    Fault(
        "export-headline",
        "EXPORT-HEADER",
        "The service writes a title line before the header row",
        export=_written_with(begins=b"Content export\n"),
    ),
    Fault(
        "export-routes-swapped",
        "EXPORT-ROUTES-COLUMNS",
        "The service swaps the airport columns of the routes files",
        export=_last_columns("routes", 1, 0, 2),
    ),
    Fault(
        "export-routes-undated",
        "EXPORT-ROUTES-COLUMNS",
        "The service leaves out the departureDate column of the routes files",
        export=_last_columns("routes", 0, 1),
    ),
    Fault(
        "export-routes-priced",
        "EXPORT-ROUTES-COLUMNS",
        "The service adds a price column to the routes files",
        export=_last_columns(
            "routes",
            *(0, 1, 2, 2),
            names=("departureAirport", "arrivalAirport", "departureDate", "totalFareAmountAdult"),
        ),
    ),
    Fault(
        "export-flights-shorter",
        "EXPORT-FLIGHTS-COLUMNS",
        "The service leaves out the last column of the flights files",
        export=_last_columns("flights", 0, 1),
    ),
    Fault(
        "export-flights-swapped",
        "EXPORT-FLIGHTS-COLUMNS",
        "The service swaps the columns flightKey and tariffClass",
        export=_last_columns("flights", 0, 2, 1),
    ),
    Fault(
        "export-flights-longer",
        "EXPORT-FLIGHTS-COLUMNS",
        "The service adds a column to the flights files",
        export=_last_columns(
            "flights", *(0, 1, 2, 2), names=("combinationGroup", "flightKey", "tariffClass", "tariffFamily")
        ),
    ),
    Fault(
        "export-flights-renamed",
        "EXPORT-FLIGHTS-COLUMNS",
        "The service spells the column segmentFirstClassofService as segmentFirstClassOfService",
        export=_renamed("segmentFirstClassofService", "segmentFirstClassOfService"),
    ),
    Fault(
        "export-short-row",
        "EXPORT-ROWS",
        "The service writes a flights row without its last cell",
        export=_first_row(lambda line: line[:-1]),
    ),
    Fault(
        "export-long-row",
        "EXPORT-ROWS",
        "The service writes a routes row with an additional cell",
        export=_first_row(lambda line: [*line, ""], "routes"),
    ),
    Fault(
        "export-cut-off",
        "EXPORT-ROWS",
        "The service delivers truncated flights files",
        export=_edited(lambda file: replace(file, cut=9_000), "flights"),
    ),
    Fault(
        "export-blank-line",
        "EXPORT-ROWS",
        "The service writes a blank line into the routes files",
        export=_first_row(lambda _: [], "routes"),
        verdict="warning",
        reason="A blank line is not a row",
    ),
    Fault(
        "export-no-origin",
        "EXPORT-ROUTE-AND-DAY",
        "The service writes flights without departureAirport",
        export=_cells("departureAirport", _always("")),
    ),
    Fault(
        "export-no-day",
        "EXPORT-ROUTE-AND-DAY",
        "The service writes routes without departureDate",
        export=_cells("departureDate", _always(""), "routes"),
    ),
    Fault(
        "export-iso-dates",
        "EXPORT-DATES",
        "The service writes dates of flights as YYYY-MM-DD",
        export=_cells("departureDate", _iso),
    ),
    Fault(
        "export-short-dates",
        "EXPORT-DATES",
        "The service writes dates of routes with two-digit years",
        export=_cells("departureDate", lambda day: day[:6] + day[8:], "routes"),
    ),
    Fault(
        "export-no-such-day",
        "EXPORT-DATES",
        "The service writes the date 31.02.2028",
        export=_cells("departureDate", _always("31.02.2028"), "routes"),
    ),
    Fault(
        "export-seconds",
        "EXPORT-TIMES",
        "The service writes departure times with seconds",
        export=_cells("segmentFirstDepartureTime", lambda time: f"{time}:00"),
    ),
    Fault(
        "export-time-24",
        "EXPORT-TIMES",
        "The service writes the arrival time 24:10",
        export=_cells("segmentFirstArrivalTime", _always("24:10")),
    ),
    Fault(
        "export-dotted-times",
        "EXPORT-TIMES",
        "The service writes departure times with a dot instead of a colon",
        export=_cells("segmentSecondDepartureTime", lambda each: each.replace(":", ".")),
    ),
    Fault(
        "export-icao-airports",
        "EXPORT-AIRPORTS",
        "The service writes airport codes of four letters",
        export=_cells("arrivalAirport", lambda code: f"L{code}", "routes"),
    ),
    Fault(
        "export-airport-names",
        "EXPORT-AIRPORTS",
        "The service writes the name of a city instead of an airport code",
        export=_cells("segmentFirstDepartureAirport", _always("Madrid")),
    ),
    Fault(
        "export-icao-carriers",
        "EXPORT-CARRIERS",
        "The service writes carrier codes of three letters",
        export=_cells("marketingAirlineCode", _always("IBE")),
    ),
    Fault(
        "export-carrier-names",
        "EXPORT-CARRIERS",
        "The service writes the name of a carrier instead of its code",
        export=_cells("segmentFirstOperatingAirlineCode", _always("Iberia")),
    ),
    Fault(
        "export-whole-numbers",
        "EXPORT-FLIGHT-NUMBERS",
        "The service writes flight numbers that include the carrier",
        export=_cells("marketingFlightNumber", _always("IB123")),
        verdict="warning",
        reason="The documents do not define the format of flight numbers in the export",
    ),
    Fault(
        "export-five-digits",
        "EXPORT-FLIGHT-NUMBERS",
        "The service writes flight numbers of five digits",
        export=_cells("segmentFirstMarketingFlightNumber", _always("12345")),
        verdict="warning",
        reason="The documents do not define the format of flight numbers in the export",
    ),
    Fault(
        "export-no-first-segment",
        "EXPORT-FIRST-SEGMENT",
        "The service writes a first segment without its departure airport",
        export=_cells("segmentFirstDepartureAirport", _always("")),
        verdict="warning",
        reason="OPEN-101: which cells of a segment must have a value is not documented",
    ),
    Fault(
        "export-seats-in-words",
        "EXPORT-AVAILABLE-SEATS",
        "The service writes a word as availableSeats",
        export=_cells("availableSeats", _always("many")),
    ),
    Fault(
        "export-seats-empty",
        "EXPORT-AVAILABLE-SEATS",
        "The service writes an empty availableSeats",
        export=_cells("availableSeats", _always("")),
    ),
    Fault(
        "export-seats-fraction",
        "EXPORT-AVAILABLE-SEATS",
        "The service writes availableSeats with decimals",
        export=_cells("availableSeats", lambda seats: f"{seats}.0"),
    ),
    Fault(
        "export-no-fare-type",
        "EXPORT-FARE-TYPE",
        "The service writes an empty fareType",
        export=_cells("fareType", _always("")),
    ),
    Fault(
        "export-amount-words",
        "EXPORT-AMOUNTS",
        "The service writes words as amounts",
        export=_cells("totalFareAmountAdult", _always("on request")),
    ),
    Fault(
        "export-amount-currency",
        "EXPORT-AMOUNTS",
        "The service writes amounts that include the currency",
        export=_cells("baseFareAmountChild", lambda each: f"{each} EUR"),
    ),
    Fault(
        "export-amount-empty",
        "EXPORT-AMOUNTS",
        "The service writes an empty totalFareAmountAdult",
        export=_cells("totalFareAmountAdult", _always("")),
        verdict="warning",
        reason="OPEN-101: how a missing amount is written is not documented",
    ),
    Fault(
        "export-dollars",
        "EXPORT-CURRENCY",
        "The service writes fares in USD",
        export=_cells("currency", _always("USD")),
    ),
    Fault(
        "export-euro-sign",
        "EXPORT-CURRENCY",
        "The service writes a currency symbol instead of a code",
        export=_cells("currency", _always("€")),
    ),
    Fault(
        "export-other-flights",
        "EXPORT-SEARCH",
        "The service writes flight numbers that a search does not find",
        export=_cells("marketingFlightNumber", _another_number),
        verdict="warning",
        reason="OPEN-37: search results are cached and indicative",
    ),
    Fault(
        "export-other-days",
        "EXPORT-SEARCH",
        "The service writes routes for days that are not on sale yet",
        export=_cells("departureDate", _years_later, "routes"),
        verdict="warning",
        reason="OPEN-37: search results are cached and indicative",
    ),
)
