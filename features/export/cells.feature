@export
Feature: Cells of the export
  What stands in a cell is held against its column. Which cells may be empty is said for few of them: the segments that a
  flight does not have are, in whatever way (OPEN-101).

  @EXPORT-ROUTE-AND-DAY
  Rule: Each row names the airports and the day of departure
    Source: v3/v2, Content export / Routes columns

    Scenario: Routes and days are read
      Given the content export
      Then the export keeps this rule

  @EXPORT-DATES
  Rule: Dates are days that the calendar has, as DD.MM.YYYY
    Source: v3/v2, Content export / Format

    Scenario: Dates are read
      Given the content export
      Then the export keeps this rule

  @EXPORT-TIMES
  Rule: Times are times of day, as HH:mm
    This is about the segments' times; the form of journeyDuration is open (OPEN-101).
    Source: v3/v2, Content export / Format

    Scenario: Times are read
      Given the content export
      Then the export keeps this rule
      And the form of journeyDuration is observed as OPEN-101

  @EXPORT-AIRPORTS
  Rule: Airports are 3-letter IATA codes
    The letter case is open (OPEN-64). A code of four letters is a warning (OPEN-101).
    Source: v3/v2, Content export / Routes columns; v3/v2, Endpoints / GET /v3/flights

    Scenario: Airports are read
      Given the content export
      Then the export keeps this rule
      And the letter case of airports is observed as OPEN-64

  @EXPORT-CARRIERS
  Rule: Carriers are 2-character IATA codes
    Letters or digits; the letter case is open (OPEN-64). A code of three characters is a warning (OPEN-101).
    Source: v3/v2, Content export / Flights columns; v3/v2, Resources and their fields / Flight change

    Scenario: Carriers are read
      Given the content export
      Then the export keeps this rule
      And the letter case of carriers is observed as OPEN-64

  @EXPORT-FLIGHT-NUMBERS
  Rule: Flight numbers have up to four digits
    The export's own text does not say so: another form warns. Leading zeros are open (OPEN-64).
    Source: v3/v2, Content export / Flights columns; v3/v2, Resources and their fields / Flight change

    Scenario: Flight numbers are read
      Given the content export
      Then the export keeps this rule
      And the form of flight numbers is observed as OPEN-64

  @EXPORT-FIRST-SEGMENT
  Rule: A flight has at least one segment
    Which cells of a segment are filled is not said: an empty one of the first segment warns.
    Source: v3/v2, Content export / Flights columns; v3/v2, What the service does

    Scenario: First segments are read
      Given the content export
      Then the export keeps this rule
      And empty cells are observed as OPEN-101
      And the form of overNight is observed as OPEN-101
      And the form of stops is observed as OPEN-101

  @EXPORT-AVAILABLE-SEATS
  Rule: availableSeats is a whole number or *
    A negative number is a warning (OPEN-45).
    Source: v3/v2, Content export / Flights columns

    Scenario: Seats are read
      Given the content export
      Then the export keeps this rule
      And the form of availableSeats is observed as OPEN-45

  @EXPORT-FARE-TYPE
  Rule: fareType is OW or another code
    Source: v3/v2, Content export / Flights columns

    Scenario: Fare types are read
      Given the content export
      Then the export keeps this rule
      And the fare type is observed as OPEN-45

  @EXPORT-AMOUNTS
  Rule: Amounts are numbers
    With either decimal mark (OPEN-101), and no sum is checked. What stands for an infant, a bag or a fee that is not sold is
    not said, nor is an empty fare: both are a warning. So is an amount with the currency in its cell.
    Source: v3/v2, Content export / Flights columns; v3/v2, Resources and their fields / Flight

    Scenario: Amounts are read
      Given the content export
      Then the export keeps this rule
      And the decimal mark is observed as OPEN-101
      And total fares are observed as OPEN-101
      And the form of baggage weights is observed as OPEN-101

  @EXPORT-CURRENCY
  Rule: The currency is EUR
    An empty cell is a warning.
    Source: v3/v2, What the service does; v3/v2, Content export / Flights columns

    Scenario: Currencies are read
      Given the content export
      Then the export keeps this rule
      And the letter case of the currency is observed as OPEN-64
