"""Faults in the content export."""

from dataclasses import replace

from airworthy.sandbox.faults.export_changes import (
    another_number,
    cells,
    edit_files,
    files_without,
    first_file_as,
    first_row,
    flights,
    iso_date,
    last_columns,
    renamed,
    written_with,
    years_later,
)
from airworthy.sandbox.faults.table import exports, rule, table, writes

_FIRST_NUMBERS = ("marketingFlightNumber", "segmentFirstMarketingFlightNumber")


def _on_twelve_hours(time: str) -> str:
    return f"{(int(time[:2]) - 1) % 12 + 1:02}{time[2:]}" if time else ""


FAULTS = table(
    rule("EXPORT-FILE-NAMES"),
    exports(
        "export-version-4: delivers a flights file whose name has version 4", first_file_as("cp_flights_all_v4.csv")
    ),
    exports(
        "export-without-version: delivers a flights file whose name has no version", first_file_as("cp_flights_all.csv")
    ),
    exports(
        "export-unknown-format: delivers a file whose name has an unknown format", first_file_as("cp_fares_all_v3.csv")
    ),
    exports(
        "export-singular-name: delivers a flights file whose name says cp_flight", first_file_as("cp_flight_all_v3.csv")
    ),
    exports(
        "export-capital-name: delivers a flights file whose name is in capital letters",
        first_file_as("CP_FLIGHTS_ALL_V3.CSV"),
    ),
    rule("EXPORT-ALL-CONTENT"),
    exports("export-without-all: delivers no all-content files", files_without(lambda file: file.customer == "all")),
    exports(
        "export-without-all-flights: delivers no all-content flights file for v3",
        files_without(lambda file: file.name == "cp_flights_all_v3.csv"),
    ),
    exports(
        "export-without-flights: delivers no flights files although the client requested them",
        files_without(lambda file: file.format == "flights" and bool(file.customer)),
    ),
    exports(
        "export-without-v2: delivers no files for v2 although the client requested them",
        files_without(lambda file: file.name.endswith("_v2.csv")),
    ),
    rule("EXPORT-CUSTOMER-FILES"),
    exports(
        "export-without-customers: delivers no files for customers", files_without(lambda file: file.customer != "all")
    ),
    exports(
        "export-without-customer-routes: delivers no v2 routes files for customers",
        files_without(lambda file: file.customer != "all" and (file.format, file.version) == ("routes", 2)),
    ),
    rule("EXPORT-SAME-CONTENT", warns="OPEN-101: the files may be uploaded at different times"),
    exports(
        "export-other-routes: writes a route into the routes files on which the flights files have no flight",
        first_row(lambda line: [line[0], "HEL", line[2]], "routes"),
    ),
    rule("EXPORT-CSV"),
    exports("export-nul-bytes: writes a NUL byte into flightKey", cells("flightKey", lambda key: f"{key}\0")),
    exports(
        "export-open-quote: writes a quotation mark that is never closed into the last row",
        written_with(ends=b'"MAD;BCN'),
    ),
    rule("EXPORT-SEPARATOR"),
    exports("export-commas: separates cells by commas", written_with(separator=",")),
    exports("export-tabs: separates cells by tabs", written_with(separator="\t")),
    rule("EXPORT-HEADER"),
    exports("export-without-header: writes files without a header row", written_with(header=False)),
    exports("export-headline: writes a title line before the header row", written_with(begins=b"Content export\n")),
    rule("EXPORT-ROUTES-COLUMNS"),
    exports("export-routes-swapped: swaps the airport columns of the routes files", last_columns("routes", 1, 0, 2)),
    exports(
        "export-routes-undated: leaves out the departureDate column of the routes files", last_columns("routes", 0, 1)
    ),
    exports(
        "export-routes-priced: adds a price column to the routes files",
        last_columns(
            "routes",
            *(0, 1, 2, 2),
            names=("departureAirport", "arrivalAirport", "departureDate", "totalFareAmountAdult"),
        ),
    ),
    rule("EXPORT-FLIGHTS-COLUMNS"),
    exports("export-flights-shorter: leaves out the last column of the flights files", last_columns("flights", 0, 1)),
    exports("export-flights-swapped: swaps the columns flightKey and tariffClass", last_columns("flights", 0, 2, 1)),
    exports(
        "export-flights-longer: adds a column to the flights files",
        last_columns("flights", *(0, 1, 2, 2), names=("combinationGroup", "flightKey", "tariffClass", "tariffFamily")),
    ),
    exports(
        "export-flights-renamed: spells the column segmentFirstClassofService as segmentFirstClassOfService",
        renamed("segmentFirstClassofService", "segmentFirstClassOfService"),
    ),
    rule("EXPORT-ROWS"),
    exports("export-short-row: writes a flights row without its last cell", first_row(lambda line: line[:-1])),
    exports(
        "export-long-row: writes a routes row with an additional cell", first_row(lambda line: [*line, ""], "routes")
    ),
    exports(
        "export-cut-off: delivers truncated flights files", edit_files(lambda file: replace(file, cut=9_000), "flights")
    ),
    rule("EXPORT-ROWS", warns="A blank line is not a row"),
    exports("export-blank-line: writes a blank line into the routes files", first_row(lambda _: [], "routes")),
    rule("EXPORT-ROUTE-AND-DAY"),
    writes("export-no-origin", "departureAirport", ""),
    writes("export-no-day", "departureDate", "", "routes"),
    rule("EXPORT-DATES"),
    exports("export-iso-dates: writes dates of flights as YYYY-MM-DD", cells("departureDate", iso_date)),
    exports(
        "export-short-dates: writes dates of routes with two-digit years",
        cells("departureDate", lambda day: day[:6] + day[8:], "routes"),
    ),
    writes("export-impossible-day", "departureDate", "31.02.2028", "routes"),
    writes("export-days-without-zeros", "departureDate", "1.2.2030"),
    rule("EXPORT-TIMES"),
    writes("export-time-without-zero", "segmentFirstDepartureTime", "9:05"),
    writes("export-midnight-as-24", "segmentFirstArrivalTime", "24:00"),
    exports(
        "export-seconds: writes departure times with seconds",
        cells("segmentFirstDepartureTime", lambda time: f"{time}:00"),
    ),
    writes("export-time-24", "segmentFirstArrivalTime", "24:10"),
    exports(
        "export-dotted-times: writes departure times with a dot instead of a colon",
        cells("segmentSecondDepartureTime", lambda each: each.replace(":", ".")),
    ),
    rule("EXPORT-AIRPORTS"),
    writes("export-airport-names", "segmentFirstDepartureAirport", "Madrid"),
    rule("EXPORT-AIRPORTS", warns="OPEN-101: only dates and times of cells have a documented form"),
    exports(
        "export-icao-airports: writes airport codes of four letters",
        cells("arrivalAirport", lambda code: f"L{code}", "routes"),
    ),
    rule("EXPORT-CARRIERS"),
    writes("export-carrier-names", "segmentFirstOperatingAirlineCode", "Iberia"),
    rule("EXPORT-CARRIERS", warns="OPEN-101: only dates and times of cells have a documented form"),
    writes("export-icao-carriers", "marketingAirlineCode", "IBE"),
    rule("EXPORT-FLIGHT-NUMBERS", warns="The documents do not define the format of flight numbers in the export"),
    writes("export-whole-numbers", "marketingFlightNumber", "IB123"),
    writes("export-five-digits", "segmentFirstMarketingFlightNumber", "12345"),
    rule("EXPORT-FIRST-SEGMENT", warns="OPEN-101: which cells of a segment must have a value is not documented"),
    writes("export-no-first-segment", "segmentFirstDepartureAirport", ""),
    rule("EXPORT-AVAILABLE-SEATS"),
    writes("export-seats-in-words", "availableSeats", "many"),
    writes("export-seats-empty", "availableSeats", ""),
    exports(
        "export-seats-fraction: writes availableSeats with decimals",
        cells("availableSeats", lambda seats: f"{seats}.0"),
    ),
    rule("EXPORT-AVAILABLE-SEATS", warns="OPEN-45: availableSeats is a number or *, and the documents give no minimum"),
    writes("export-seats-negative", "availableSeats", "-1"),
    rule("EXPORT-FARE-TYPE"),
    writes("export-no-fare-type", "fareType", ""),
    rule("EXPORT-AMOUNTS"),
    writes("export-amount-words", "totalFareAmountAdult", "on request"),
    rule("EXPORT-AMOUNTS", warns="OPEN-101: how an amount is written is open"),
    exports(
        "export-amount-currency: writes amounts that include the currency",
        cells("baseFareAmountChild", lambda each: f"{each} EUR"),
    ),
    rule("EXPORT-AMOUNTS", warns="OPEN-101: how a missing amount is written is not documented"),
    writes("export-amount-empty", "totalFareAmountAdult", ""),
    rule("EXPORT-CURRENCY"),
    writes("export-dollars", "currency", "USD"),
    writes("export-euro-sign", "currency", "€"),
    rule("EXPORT-SEARCH", warns="OPEN-37: search results are cached and indicative"),
    exports(
        "export-other-flights: writes flight numbers that a search does not find",
        flights(lambda row: {name: another_number(row[name]) for name in _FIRST_NUMBERS}),
    ),
    exports(
        "export-other-days: writes routes for days that are not on sale yet",
        cells("departureDate", years_later, "routes"),
    ),
    rule("EXPORT-SEGMENTS"),
    exports(
        "export-other-departure: writes the first destination as departureAirport",
        flights(lambda row: {"departureAirport": row["segmentFirstArrivalAirport"]}),
    ),
    exports(
        "export-first-stop: writes the first stop-over as arrivalAirport",
        flights(lambda row: {"arrivalAirport": row["segmentFirstArrivalAirport"]}),
    ),
    exports(
        "export-other-flight-number: writes another marketingFlightNumber than in the segments",
        flights(lambda row: {"marketingFlightNumber": another_number(row["marketingFlightNumber"])}),
    ),
    exports(
        "export-other-carrier: writes the operating carrier of another flight",
        flights(lambda _: {"operatingAirlineCode": "ZZ"}),
    ),
    exports(
        "export-segment-ends-exchanged: writes the ends of the second segment exchanged",
        flights(
            lambda row: {
                "segmentSecondDepartureAirport": row["segmentSecondArrivalAirport"],
                "segmentSecondArrivalAirport": row["segmentSecondDepartureAirport"],
            }
        ),
    ),
    rule("EXPORT-SEARCH-SEGMENTS"),
    exports(
        "export-twelve-hour-times: writes times on a twelve-hour clock",
        flights(lambda row: {name: _on_twelve_hours(row[name]) for name in row if name.endswith("Time")}),
    ),
)
