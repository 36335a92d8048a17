"""Faults in the content export: in its files, before they are written."""

from collections.abc import Callable, Iterator
from dataclasses import replace

from airworthy.sandbox.export.export_file import ExportFile, Line
from airworthy.sandbox.faults.fault import Fault
from airworthy.sandbox.faults.making import Wanting, of

Change = Callable[[str], str]
Fits = Callable[[ExportFile], bool]


def _dropping(name: str, description: str, fits: Fits) -> Wanting:
    """Leave files out."""
    return lambda rule: Fault(
        name, rule, description, export=lambda files: tuple(each for each in files if not fits(each))
    )


def _adding(name: str, description: str, called: str) -> Wanting:
    """Drop the first file a second time, under a name of the fault's."""
    return lambda rule: Fault(
        name, rule, description, export=lambda files: (*files, replace(files[0], name=called, customer=""))
    )


def _editing(name: str, description: str, edit: Callable[[ExportFile], ExportFile], kind: str = "") -> Wanting:
    """Change the files of a format (without one: all); those with legacy names may hold anything."""

    def export(files: tuple[ExportFile, ...]) -> tuple[ExportFile, ...]:
        return tuple(edit(each) if each.customer and kind in ("", each.format) else each for each in files)

    return lambda rule: Fault(name, rule, description, export=export)


def _form(name: str, description: str, **members: object) -> Wanting:
    """Write all files in another form."""
    return _editing(name, description, lambda file: replace(file, **members))  # type: ignore[arg-type]


def _cells(name: str, description: str, column: str, change: Change, kind: str = "flights") -> Wanting:
    """Change the filled cells of a column."""

    def edited(file: ExportFile) -> ExportFile:
        at = file.columns.index(column)

        def lines() -> Iterator[Line]:
            for line in file.lines():
                yield [*line[:at], change(line[at]) if line[at] else "", *line[at + 1 :]]

        return replace(file, lines=lines)

    return _editing(name, description, edited, kind)


def _columns(name: str, description: str, kind: str, *order: int, called: tuple[str, ...] = ()) -> Wanting:
    """Write the last columns in another order, some of them not or twice, with other names for them if given."""

    def edited(file: ExportFile) -> ExportFile:
        kept = len(file.columns) - 3
        names = called or tuple(file.columns[kept + each] for each in order)

        def lines() -> Iterator[Line]:
            for line in file.lines():
                yield [*line[:kept], *(line[kept + each] for each in order)]

        return replace(file, columns=(*file.columns[:kept], *names), lines=lines)

    return _editing(name, description, edited, kind)


def _renaming(name: str, description: str, old: str, new: str) -> Wanting:
    """Give a column of the flights another name."""
    return _editing(
        name,
        description,
        lambda file: replace(file, columns=tuple(new if each == old else each for each in file.columns)),
        "flights",
    )


def _lines(name: str, description: str, change: Callable[[Line], Line], kind: str = "flights") -> Wanting:
    """Change the first line after the header."""

    def edited(file: ExportFile) -> ExportFile:
        def lines() -> Iterator[Line]:
            for number, line in enumerate(file.lines()):
                yield line if number else change(line)

        return replace(file, lines=lines)

    return _editing(name, description, edited, kind)


def _to(text: str) -> Change:
    return lambda _: text


def _iso(date: str) -> str:
    return "-".join(reversed(date.split(".")))


def _another_number(number: str) -> str:
    return str(int(number) % 9999 + 1)


def _years_later(day: str) -> str:
    # A day that every such year has.
    return f"01{day[2:6]}{int(day[6:]) + 3}"


FAULTS: tuple[Fault, ...] = (
    *of(
        "EXPORT-FILE-NAMES",
        _adding("export-version-4", "A flights file is called after version 4", "cp_flights_all_v4.csv"),
        _adding("export-without-version", "A flights file has no version in its name", "cp_flights_all.csv"),
        _adding("export-unknown-format", "A file is called after another format", "cp_fares_all_v3.csv"),
    ),
    *of(
        "EXPORT-ALL-CONTENT",
        _dropping("export-without-all", "There is no all-content file", lambda file: file.customer == "all"),
        _dropping(
            "export-without-all-flights",
            "There is no all-content file of flights for v3",
            lambda file: file.name == "cp_flights_all_v3.csv",
        ),
    ),
    *of(
        "EXPORT-CUSTOMER-FILES",
        _dropping(
            "export-without-customers", "Only the all-content files are there", lambda file: file.customer != "all"
        ),
        _dropping(
            "export-without-customer-routes",
            "Customers have no routes files for v2",
            lambda file: file.customer != "all" and file.format == "routes" and file.version == 2,  # noqa: PLR2004
        ),
    ),
    *of(
        "EXPORT-CSV",
        _cells("export-nul-bytes", "flightKey holds a NUL byte", "flightKey", lambda key: f"{key}\0"),
        _form("export-open-quote", "The last row has a quotation mark that is never closed", ends=b'"MAD;BCN'),
    ),
    *of(
        "EXPORT-SEPARATOR",
        _form("export-commas", "Cells are separated by commas", separator=","),
        _form("export-tabs", "Cells are separated by tabs", separator="\t"),
    ),
    *of(
        "EXPORT-HEADER",
        _form("export-without-header", "There is no header", header=False),
        _form("export-headline", "A line with the day stands before the header", begins=b"Content export\n"),
    ),
    *of(
        "EXPORT-ROUTES-COLUMNS",
        _columns("export-routes-swapped", "The routes' airports are swapped", "routes", 1, 0, 2),
        _columns("export-routes-undated", "The routes have no day", "routes", 0, 1),
        _columns(
            "export-routes-priced",
            "The routes have one column more",
            "routes",
            *(0, 1, 2, 2),
            called=("departureAirport", "arrivalAirport", "departureDate", "totalFareAmountAdult"),
        ),
    ),
    *of(
        "EXPORT-FLIGHTS-COLUMNS",
        _columns("export-flights-shorter", "The flights' last column is missing", "flights", 0, 1),
        _columns("export-flights-swapped", "flightKey and tariffClass are swapped", "flights", 0, 2, 1),
        _columns(
            "export-flights-longer",
            "The flights have one column more",
            "flights",
            *(0, 1, 2, 2),
            called=("combinationGroup", "flightKey", "tariffClass", "tariffFamily"),
        ),
        _renaming(
            "export-flights-renamed",
            "A column is spelt as one would expect",
            "segmentFirstClassofService",
            "segmentFirstClassOfService",
        ),
    ),
    *of(
        "EXPORT-ROWS",
        _lines("export-short-row", "A row lacks its last cell", lambda line: line[:-1]),
        _lines("export-long-row", "A row has one cell more", lambda line: [*line, ""], "routes"),
        _editing("export-cut-off", "The flights files are cut off", lambda file: replace(file, cut=9_000), "flights"),
        _lines("export-blank-line", "There is a blank line", lambda _: [], "routes"),
    ),
    *of(
        "EXPORT-ROUTE-AND-DAY",
        _cells("export-no-origin", "Flights have no departureAirport", "departureAirport", _to("")),
        _cells("export-no-day", "Routes have no departureDate", "departureDate", _to(""), "routes"),
    ),
    *of(
        "EXPORT-DATES",
        _cells("export-iso-dates", "Days are YYYY-MM-DD", "departureDate", _iso),
        _cells("export-short-dates", "Years have two digits", "departureDate", lambda day: day[:6] + day[8:], "routes"),
        _cells("export-no-such-day", "Days are the 31st of February", "departureDate", _to("31.02.2028"), "routes"),
    ),
    *of(
        "EXPORT-TIMES",
        _cells("export-seconds", "Times have seconds", "segmentFirstDepartureTime", lambda time: f"{time}:00"),
        _cells("export-time-24", "Flights arrive at 24:10", "segmentFirstArrivalTime", _to("24:10")),
        _cells(
            "export-dotted-times", "Times have a dot", "segmentSecondDepartureTime", lambda each: each.replace(":", ".")
        ),
    ),
    *of(
        "EXPORT-AIRPORTS",
        _cells(
            "export-icao-airports", "Airports have four letters", "arrivalAirport", lambda code: f"L{code}", "routes"
        ),
        _cells("export-airport-names", "Segments name the airport", "segmentFirstDepartureAirport", _to("Madrid")),
    ),
    *of(
        "EXPORT-CARRIERS",
        _cells("export-icao-carriers", "Carriers have three letters", "marketingAirlineCode", _to("IBE")),
        _cells("export-carrier-names", "Segments name the carrier", "segmentFirstOperatingAirlineCode", _to("Iberia")),
    ),
    *of(
        "EXPORT-FLIGHT-NUMBERS",
        _cells("export-whole-numbers", "Flight numbers have the carrier", "marketingFlightNumber", _to("IB123")),
        _cells(
            "export-five-digits", "Flight numbers have five digits", "segmentFirstMarketingFlightNumber", _to("12345")
        ),
    ),
    *of(
        "EXPORT-FIRST-SEGMENT",
        _cells("export-no-first-segment", "The first segment has no airport", "segmentFirstDepartureAirport", _to("")),
    ),
    *of(
        "EXPORT-AVAILABLE-SEATS",
        _cells("export-seats-in-words", "availableSeats is a word", "availableSeats", _to("many")),
        _cells("export-seats-empty", "availableSeats is empty", "availableSeats", _to("")),
        _cells("export-seats-fraction", "availableSeats has decimals", "availableSeats", lambda seats: f"{seats}.0"),
    ),
    *of(
        "EXPORT-FARE-TYPE",
        _cells("export-no-fare-type", "fareType is empty", "fareType", _to("")),
    ),
    *of(
        "EXPORT-AMOUNTS",
        _cells("export-amount-words", "Amounts are words", "totalFareAmountAdult", _to("on request")),
        _cells(
            "export-amount-currency", "Amounts have the currency", "baseFareAmountChild", lambda each: f"{each} EUR"
        ),
        _cells("export-amount-empty", "The adult's total is empty", "totalFareAmountAdult", _to("")),
    ),
    *of(
        "EXPORT-CURRENCY",
        _cells("export-dollars", "Fares are in USD", "currency", _to("USD")),
        _cells("export-euro-sign", "The currency is a sign", "currency", _to("€")),
    ),
    *of(
        "EXPORT-SEARCH",
        _cells("export-other-flights", "Flights have other numbers", "marketingFlightNumber", _another_number),
        _cells(
            "export-other-days", "Routes are of days that nobody sells yet", "departureDate", _years_later, "routes"
        ),
    ),
)
