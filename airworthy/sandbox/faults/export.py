"""Faults in the content export."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

from airworthy.sandbox.faults.export_changes import (
    always,
    another_number,
    cells,
    edit_files,
    files_without,
    first_file_as,
    first_row,
    iso_date,
    last_columns,
    renamed,
    written_with,
    years_later,
)
from airworthy.sandbox.faults.fault import ExportEdit, Fault
from airworthy.sandbox.model.export_file import ExportFile, Line

_FIRST_NUMBERS = ("marketingFlightNumber", "segmentFirstMarketingFlightNumber")


def flights(change: Callable[[Mapping[str, str]], dict[str, str]]) -> ExportEdit:
    """Replace cells of the flights files with others, which follow from the row."""

    def edit(file: ExportFile) -> ExportFile:
        def lines() -> Iterator[Line]:
            for line in file.lines():
                row = dict(zip(file.columns, line, strict=True))
                yield [*(row | change(row)).values()]

        return replace(file, lines=lines)

    return edit_files(edit, "flights")


def _on_twelve_hours(time: str) -> str:
    return f"{(int(time[:2]) - 1) % 12 + 1:02}{time[2:]}" if time else ""


FAULTS: tuple[Fault, ...] = (
    Fault(
        "export-version-4",
        "EXPORT-FILE-NAMES",
        "The service delivers a flights file whose name has version 4",
        export=first_file_as("cp_flights_all_v4.csv"),
    ),
    Fault(
        "export-without-version",
        "EXPORT-FILE-NAMES",
        "The service delivers a flights file whose name has no version",
        export=first_file_as("cp_flights_all.csv"),
    ),
    Fault(
        "export-unknown-format",
        "EXPORT-FILE-NAMES",
        "The service delivers a file whose name has an unknown format",
        export=first_file_as("cp_fares_all_v3.csv"),
    ),
    Fault(
        "export-singular-name",
        "EXPORT-FILE-NAMES",
        "The service delivers a flights file whose name says cp_flight",
        export=first_file_as("cp_flight_all_v3.csv"),
    ),
    Fault(
        "export-capital-name",
        "EXPORT-FILE-NAMES",
        "The service delivers a flights file whose name is in capital letters",
        export=first_file_as("CP_FLIGHTS_ALL_V3.CSV"),
    ),
    Fault(
        "export-without-all",
        "EXPORT-ALL-CONTENT",
        "The service delivers no all-content files",
        export=files_without(lambda file: file.customer == "all"),
    ),
    Fault(
        "export-without-all-flights",
        "EXPORT-ALL-CONTENT",
        "The service delivers no all-content flights file for v3",
        export=files_without(lambda file: file.name == "cp_flights_all_v3.csv"),
    ),
    Fault(
        "export-without-flights",
        "EXPORT-ALL-CONTENT",
        "The service delivers no flights files although the client requested them",
        export=files_without(lambda file: file.format == "flights" and bool(file.customer)),
    ),
    Fault(
        "export-without-v2",
        "EXPORT-ALL-CONTENT",
        "The service delivers no files for v2 although the client requested them",
        export=files_without(lambda file: file.name.endswith("_v2.csv")),
    ),
    Fault(
        "export-without-customers",
        "EXPORT-CUSTOMER-FILES",
        "The service delivers no files for customers",
        export=files_without(lambda file: file.customer != "all"),
    ),
    Fault(
        "export-without-customer-routes",
        "EXPORT-CUSTOMER-FILES",
        "The service delivers no v2 routes files for customers",
        export=files_without(lambda file: file.customer != "all" and (file.format, file.version) == ("routes", 2)),
    ),
    Fault(
        "export-other-routes",
        "EXPORT-SAME-CONTENT",
        "The service writes a route into the routes files on which the flights files have no flight",
        export=first_row(lambda line: [line[0], "HEL", line[2]], "routes"),
        verdict="warning",
        reason="OPEN-101: the files may be uploaded at different times",
    ),
    Fault(
        "export-nul-bytes",
        "EXPORT-CSV",
        "The service writes a NUL byte into flightKey",
        export=cells("flightKey", lambda key: f"{key}\0"),
    ),
    Fault(
        "export-open-quote",
        "EXPORT-CSV",
        "The service writes a quotation mark that is never closed into the last row",
        export=written_with(ends=b'"MAD;BCN'),
    ),
    Fault(
        "export-commas",
        "EXPORT-SEPARATOR",
        "The service separates cells by commas",
        export=written_with(separator=","),
    ),
    Fault(
        "export-tabs", "EXPORT-SEPARATOR", "The service separates cells by tabs", export=written_with(separator="\t")
    ),
    Fault(
        "export-without-header",
        "EXPORT-HEADER",
        "The service writes files without a header row",
        export=written_with(header=False),
    ),
    Fault(
        "export-headline",
        "EXPORT-HEADER",
        "The service writes a title line before the header row",
        export=written_with(begins=b"Content export\n"),
    ),
    Fault(
        "export-routes-swapped",
        "EXPORT-ROUTES-COLUMNS",
        "The service swaps the airport columns of the routes files",
        export=last_columns("routes", 1, 0, 2),
    ),
    Fault(
        "export-routes-undated",
        "EXPORT-ROUTES-COLUMNS",
        "The service leaves out the departureDate column of the routes files",
        export=last_columns("routes", 0, 1),
    ),
    Fault(
        "export-routes-priced",
        "EXPORT-ROUTES-COLUMNS",
        "The service adds a price column to the routes files",
        export=last_columns(
            "routes",
            *(0, 1, 2, 2),
            names=("departureAirport", "arrivalAirport", "departureDate", "totalFareAmountAdult"),
        ),
    ),
    Fault(
        "export-flights-shorter",
        "EXPORT-FLIGHTS-COLUMNS",
        "The service leaves out the last column of the flights files",
        export=last_columns("flights", 0, 1),
    ),
    Fault(
        "export-flights-swapped",
        "EXPORT-FLIGHTS-COLUMNS",
        "The service swaps the columns flightKey and tariffClass",
        export=last_columns("flights", 0, 2, 1),
    ),
    Fault(
        "export-flights-longer",
        "EXPORT-FLIGHTS-COLUMNS",
        "The service adds a column to the flights files",
        export=last_columns(
            "flights", *(0, 1, 2, 2), names=("combinationGroup", "flightKey", "tariffClass", "tariffFamily")
        ),
    ),
    Fault(
        "export-flights-renamed",
        "EXPORT-FLIGHTS-COLUMNS",
        "The service spells the column segmentFirstClassofService as segmentFirstClassOfService",
        export=renamed("segmentFirstClassofService", "segmentFirstClassOfService"),
    ),
    Fault(
        "export-short-row",
        "EXPORT-ROWS",
        "The service writes a flights row without its last cell",
        export=first_row(lambda line: line[:-1]),
    ),
    Fault(
        "export-long-row",
        "EXPORT-ROWS",
        "The service writes a routes row with an additional cell",
        export=first_row(lambda line: [*line, ""], "routes"),
    ),
    Fault(
        "export-cut-off",
        "EXPORT-ROWS",
        "The service delivers truncated flights files",
        export=edit_files(lambda file: replace(file, cut=9_000), "flights"),
    ),
    Fault(
        "export-blank-line",
        "EXPORT-ROWS",
        "The service writes a blank line into the routes files",
        export=first_row(lambda _: [], "routes"),
        verdict="warning",
        reason="A blank line is not a row",
    ),
    Fault(
        "export-no-origin",
        "EXPORT-ROUTE-AND-DAY",
        "The service writes flights without departureAirport",
        export=cells("departureAirport", always("")),
    ),
    Fault(
        "export-no-day",
        "EXPORT-ROUTE-AND-DAY",
        "The service writes routes without departureDate",
        export=cells("departureDate", always(""), "routes"),
    ),
    Fault(
        "export-iso-dates",
        "EXPORT-DATES",
        "The service writes dates of flights as YYYY-MM-DD",
        export=cells("departureDate", iso_date),
    ),
    Fault(
        "export-short-dates",
        "EXPORT-DATES",
        "The service writes dates of routes with two-digit years",
        export=cells("departureDate", lambda day: day[:6] + day[8:], "routes"),
    ),
    Fault(
        "export-impossible-day",
        "EXPORT-DATES",
        "The service writes the date 31.02.2028",
        export=cells("departureDate", always("31.02.2028"), "routes"),
    ),
    Fault(
        "export-days-without-zeros",
        "EXPORT-DATES",
        "The service writes dates without leading zeros",
        export=cells("departureDate", always("1.2.2030")),
    ),
    Fault(
        "export-time-without-zero",
        "EXPORT-TIMES",
        "The service writes the departure time 9:05",
        export=cells("segmentFirstDepartureTime", always("9:05")),
    ),
    Fault(
        "export-midnight-as-24",
        "EXPORT-TIMES",
        "The service writes the arrival time 24:00",
        export=cells("segmentFirstArrivalTime", always("24:00")),
    ),
    Fault(
        "export-seconds",
        "EXPORT-TIMES",
        "The service writes departure times with seconds",
        export=cells("segmentFirstDepartureTime", lambda time: f"{time}:00"),
    ),
    Fault(
        "export-time-24",
        "EXPORT-TIMES",
        "The service writes the arrival time 24:10",
        export=cells("segmentFirstArrivalTime", always("24:10")),
    ),
    Fault(
        "export-dotted-times",
        "EXPORT-TIMES",
        "The service writes departure times with a dot instead of a colon",
        export=cells("segmentSecondDepartureTime", lambda each: each.replace(":", ".")),
    ),
    Fault(
        "export-icao-airports",
        "EXPORT-AIRPORTS",
        "The service writes airport codes of four letters",
        export=cells("arrivalAirport", lambda code: f"L{code}", "routes"),
        verdict="warning",
        reason="OPEN-101: only dates and times of cells have a documented form",
    ),
    Fault(
        "export-airport-names",
        "EXPORT-AIRPORTS",
        "The service writes the name of a city instead of an airport code",
        export=cells("segmentFirstDepartureAirport", always("Madrid")),
    ),
    Fault(
        "export-icao-carriers",
        "EXPORT-CARRIERS",
        "The service writes carrier codes of three letters",
        export=cells("marketingAirlineCode", always("IBE")),
        verdict="warning",
        reason="OPEN-101: only dates and times of cells have a documented form",
    ),
    Fault(
        "export-carrier-names",
        "EXPORT-CARRIERS",
        "The service writes the name of a carrier instead of its code",
        export=cells("segmentFirstOperatingAirlineCode", always("Iberia")),
    ),
    Fault(
        "export-whole-numbers",
        "EXPORT-FLIGHT-NUMBERS",
        "The service writes flight numbers that include the carrier",
        export=cells("marketingFlightNumber", always("IB123")),
        verdict="warning",
        reason="The documents do not define the format of flight numbers in the export",
    ),
    Fault(
        "export-five-digits",
        "EXPORT-FLIGHT-NUMBERS",
        "The service writes flight numbers of five digits",
        export=cells("segmentFirstMarketingFlightNumber", always("12345")),
        verdict="warning",
        reason="The documents do not define the format of flight numbers in the export",
    ),
    Fault(
        "export-no-first-segment",
        "EXPORT-FIRST-SEGMENT",
        "The service writes a first segment without its departure airport",
        export=cells("segmentFirstDepartureAirport", always("")),
        verdict="warning",
        reason="OPEN-101: which cells of a segment must have a value is not documented",
    ),
    Fault(
        "export-seats-in-words",
        "EXPORT-AVAILABLE-SEATS",
        "The service writes a word as availableSeats",
        export=cells("availableSeats", always("many")),
    ),
    Fault(
        "export-seats-empty",
        "EXPORT-AVAILABLE-SEATS",
        "The service writes an empty availableSeats",
        export=cells("availableSeats", always("")),
    ),
    Fault(
        "export-seats-fraction",
        "EXPORT-AVAILABLE-SEATS",
        "The service writes availableSeats with decimals",
        export=cells("availableSeats", lambda seats: f"{seats}.0"),
    ),
    Fault(
        "export-seats-negative",
        "EXPORT-AVAILABLE-SEATS",
        "The service writes a negative availableSeats",
        export=cells("availableSeats", always("-1")),
        verdict="warning",
        reason="OPEN-45: availableSeats is a number or *, and the documents give no minimum",
    ),
    Fault(
        "export-no-fare-type",
        "EXPORT-FARE-TYPE",
        "The service writes an empty fareType",
        export=cells("fareType", always("")),
    ),
    Fault(
        "export-amount-words",
        "EXPORT-AMOUNTS",
        "The service writes words as amounts",
        export=cells("totalFareAmountAdult", always("on request")),
    ),
    Fault(
        "export-amount-currency",
        "EXPORT-AMOUNTS",
        "The service writes amounts that include the currency",
        export=cells("baseFareAmountChild", lambda each: f"{each} EUR"),
        verdict="warning",
        reason="OPEN-101: how an amount is written is open",
    ),
    Fault(
        "export-amount-empty",
        "EXPORT-AMOUNTS",
        "The service writes an empty totalFareAmountAdult",
        export=cells("totalFareAmountAdult", always("")),
        verdict="warning",
        reason="OPEN-101: how a missing amount is written is not documented",
    ),
    Fault(
        "export-dollars",
        "EXPORT-CURRENCY",
        "The service writes fares in USD",
        export=cells("currency", always("USD")),
    ),
    Fault(
        "export-euro-sign",
        "EXPORT-CURRENCY",
        "The service writes a currency symbol instead of a code",
        export=cells("currency", always("€")),
    ),
    Fault(
        "export-other-flights",
        "EXPORT-SEARCH",
        "The service writes flight numbers that a search does not find",
        export=flights(lambda row: {name: another_number(row[name]) for name in _FIRST_NUMBERS}),
        verdict="warning",
        reason="OPEN-37: search results are cached and indicative",
    ),
    Fault(
        "export-other-days",
        "EXPORT-SEARCH",
        "The service writes routes for days that are not on sale yet",
        export=cells("departureDate", years_later, "routes"),
        verdict="warning",
        reason="OPEN-37: search results are cached and indicative",
    ),
    Fault(
        "export-other-departure",
        "EXPORT-SEGMENTS",
        "The service writes the first destination as departureAirport",
        export=flights(lambda row: {"departureAirport": row["segmentFirstArrivalAirport"]}),
    ),
    Fault(
        "export-first-stop",
        "EXPORT-SEGMENTS",
        "The service writes the first stop-over as arrivalAirport",
        export=flights(lambda row: {"arrivalAirport": row["segmentFirstArrivalAirport"]}),
    ),
    Fault(
        "export-other-flight-number",
        "EXPORT-SEGMENTS",
        "The service writes another marketingFlightNumber than in the segments",
        export=flights(lambda row: {"marketingFlightNumber": another_number(row["marketingFlightNumber"])}),
    ),
    Fault(
        "export-other-carrier",
        "EXPORT-SEGMENTS",
        "The service writes the operating carrier of another flight",
        export=flights(lambda _: {"operatingAirlineCode": "ZZ"}),
    ),
    Fault(
        "export-segment-ends-exchanged",
        "EXPORT-SEGMENTS",
        "The service writes the ends of the second segment exchanged",
        export=flights(
            lambda row: {
                "segmentSecondDepartureAirport": row["segmentSecondArrivalAirport"],
                "segmentSecondArrivalAirport": row["segmentSecondDepartureAirport"],
            }
        ),
    ),
    Fault(
        "export-first-times-exchanged",
        "EXPORT-SEGMENTS",
        "The service writes the departure and the arrival of the first segment of every other flight exchanged",
        export=flights(
            lambda row: (
                {
                    "segmentFirstDepartureTime": row["segmentFirstArrivalTime"],
                    "segmentFirstArrivalTime": row["segmentFirstDepartureTime"],
                }
                if int(row["marketingFlightNumber"]) % 2
                else {}
            )
        ),
        verdict="warning",
        reason="OPEN-101: journeyDuration is not defined",
    ),
    Fault(
        "export-no-stops",
        "EXPORT-SEGMENTS",
        "The service writes 0 stops for every flight",
        export=flights(lambda _: {"stops": "0"}),
        verdict="warning",
        reason="OPEN-101: the form of stops is not documented",
    ),
    Fault(
        "export-twelve-hour-times",
        "EXPORT-SEARCH-SEGMENTS",
        "The service writes times on a twelve-hour clock",
        export=flights(lambda row: {name: _on_twelve_hours(row[name]) for name in row if name.endswith("Time")}),
    ),
)
