@export
Feature: Cells of the export
  Each cell is checked against the type of its column. The documents rarely say which cells may be empty; the cells of
  segments that a flight does not have may be empty (OPEN-101).

  Background:
    Given the content export

  @EXPORT-ROUTE-AND-DAY
  Rule: A row has its airports and its day of departure
    Source: v3/v2, Content export / Routes columns
    "Routes columns: departureAirport, arrivalAirport, departureDate."

    Scenario: Airports and days are checked
      Then every row has its airports and its day of departure

  @EXPORT-DATES
  Rule: Dates are calendar days in the form DD.MM.YYYY
    Source: v3/v2, Content export / Format
    "Format: semicolon-separated with a header line; dates DD.MM.YYYY; times HH:mm."

    Scenario: Dates are checked
      Then every date is a calendar day in the form DD.MM.YYYY

  @EXPORT-TIMES
  Rule: Times are times of day in the form HH:mm
    This concerns the times of segments. The form of journeyDuration is not documented (OPEN-101).
    Source: v3/v2, Content export / Format
    "Format: semicolon-separated with a header line; dates DD.MM.YYYY; times HH:mm."

    Scenario: Times are checked
      Then every time is a time of day in the form HH:mm
      And the form of journeyDuration is observed as OPEN-101

  @EXPORT-AIRPORTS
  Rule: Airports are three-letter IATA codes
    The letter case is not documented (OPEN-64). A code of four letters is a warning (OPEN-101).
    Source: v3/v2, Content export / Routes columns; v3/v2, Endpoints / GET /v3/flights
    "origin: string, required, airport IATA code; city codes unsupported"

    Scenario: Airports are checked
      Then every airport is a three-letter IATA code
      And the letter case of airports is observed as OPEN-64

  @EXPORT-CARRIERS
  Rule: Carriers are two-character IATA codes
    The characters are letters or digits. The letter case is not documented (OPEN-64). A code of three characters is a
    warning (OPEN-101).
    Source: v3/v2, Content export / Flights columns; v3/v2, Resources and their fields / Flight change
    "airline_iata_code: string, 2-letter IATA"

    Scenario: Carriers are checked
      Then every carrier is a two-character IATA code
      And the letter case of carriers is observed as OPEN-64

  @EXPORT-FLIGHT-NUMBERS
  Rule: Flight numbers have one to four digits
    The documents do not say so of the export, so another form is a warning. Leading zeros are not documented (OPEN-64).
    Source: v3/v2, Content export / Flights columns; v3/v2, Resources and their fields / Flight change
    "flight_number: string, 2-letter airline code plus up to four digits"

    Scenario: Flight numbers are checked
      Then every flight number has one to four digits
      And the form of flight numbers is observed as OPEN-64

  @EXPORT-FIRST-SEGMENT
  Rule: A flight has at least one segment
    The documents do not say which cells of a segment are filled: an empty cell of the first segment is a warning.
    Source: v3/v2, Content export / Flights columns; v3/v2, What the service does
    "A flight has one, two or three segments (up to two stop-overs)."

    Scenario: First segments are checked
      Then every flight has a first segment
      And empty cells are observed as OPEN-101
      And the form of overNight is observed as OPEN-101
      And the form of stops is observed as OPEN-101

  @EXPORT-SEGMENTS
  Rule: A flight has the airports, carriers, flight numbers and classes of its segments
    The first segment departs from departureAirport, and the last arrives at arrivalAirport; unused segments may contain
    anything (OPEN-101). Where a segment may be left out, and for the carriers and numbers of a flight with stop-overs, a
    difference is a warning. The first 1,000 rows of a file are compared, and some of the others.
    Source: v3/v2, What the service does; v3/v2, Content export / Flights columns
    "A flight has one, two or three segments (up to two stop-overs)."

    Scenario: Flights and their segments are compared
      Then every flight has the airports, carriers, flight numbers and classes of its segments

  @EXPORT-AVAILABLE-SEATS
  Rule: availableSeats is a number or *
    A negative or decimal number is a warning (OPEN-45).
    Source: v3/v2, Content export / Flights columns
    "availableSeats may be *; fareType value OW appears for one-way."

    Scenario: Seats are checked
      Then every availableSeats is a number or *
      And the form of availableSeats is observed as OPEN-45

  @EXPORT-FARE-TYPE
  Rule: fareType is OW or another code
    Source: v3/v2, Content export / Flights columns
    "availableSeats may be *; fareType value OW appears for one-way."

    Scenario: Fare types are checked
      Then every fareType is OW or another code
      And the fare type is observed as OPEN-45

  @EXPORT-AMOUNTS
  Rule: Amounts are numbers
    Both decimal marks are accepted (OPEN-101), and no sum is checked. The documents do not say what an amount is for an
    infant, a bag or a fee that is not sold, or for an empty fare: both are a warning. So is an amount with its currency.
    Source: v3/v2, Content export / Flights columns; v3/v2, Resources and their fields / Flight
    "price: number, base fare for an adult or child ticket, excluding bag fees"

    Scenario: Amounts are checked
      Then every amount is a number
      And the decimal mark is observed as OPEN-101
      And total fares are observed as OPEN-101
      And the form of baggage weights is observed as OPEN-101

  @EXPORT-CURRENCY
  Rule: The currency is EUR
    An empty cell is a warning.
    Source: v3/v2, What the service does; v3/v2, Content export / Flights columns
    "All flights are non-refundable, non-exchangeable, with no flex fares, priced in EUR only."

    Scenario: Currencies are checked
      Then every currency is EUR
      And the letter case of the currency is observed as OPEN-64
