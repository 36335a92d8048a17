@v3
Feature: Search round-trip fares
  GET /v3/roundTrips returns special fares for an outward and a return flight.

  @V3-ROUND-TRIPS-REQUIRED @both
  Rule: A round-trip fare search has an origin and a destination
    Source: v3, GET /v3/roundTrips
    "Query: same as flights plus returnStart (date, default start + 1 day) and returnEnd"

    Scenario: The origin or the destination is missing
      Given the service has round-trip fares
      Then the service rejects each value that the documents exclude

  @V3-ROUND-TRIPS-ANSWER
  Rule: The response to a round-trip fare search contains fares, flights without bags and a cursor or null
    An empty cursor on the last page is a warning (OPEN-80).
    Source: v3, GET /v3/roundTrips
    "Response 200: {fares: [round-trip fare], flights: [flight without bags], next_page_id}."
    Optional: special round-trip fares exist for some routes only.

    Scenario: A round-trip fare search
      When the client searches round-trip fares
      Then the response contains fares, flights without bags and a cursor or null

    @situation
    Scenario: A round-trip fare search finds no special fares
      When the client searches round-trip fares on a route without special fares
      Then the service accepts the request
      And the response contains fares, flights without bags and a cursor or null

  @V3-ROUND-TRIP-FARE
  Rule: A round-trip fare has its two flights, prices, bag prices, fee fraction and seats
    The elements of the bag prices are not documented (OPEN-95).
    Source: v3, Resources and their fields / Round-trip fare
    "outward_id (integer), return_id (integer), price, infant_price (number or null), checked_bags_prices (array; …
     cabin_bags_prices (array; … cc_fees (fraction, default 0.03), available_seats (integer)"
    About: a round-trip fare

    @situation
    Scenario: A round-trip fare search finds fares
      When a round-trip fare search finds fares
      Then every round-trip fare has two flights, prices, bag prices, a fee fraction and seats
      And the bag prices of round-trip fares are observed as OPEN-95

  @V3-ROUND-TRIPS-WINDOW
  Rule: The flights of round-trip fares depart within the requested windows
    A flight that is outside in some time zones only warns.
    Source: v3, GET /v3/roundTrips; v3, Limits
    "Search window: end at most start + 3 days (returnEnd at most returnStart + 3 days), flights, roundTrips"
    About: a flight of a round-trip fare

    @situation
    Scenario: A search has a window for the outward flight and one for the return flight
      Given a round-trip fare search that finds fares
      When the client searches for a return flight seven days later
      Then the service accepts the request
      And both flights of every fare depart within the requested windows

  @V3-ROUND-TRIPS-ROUTE
  Rule: The flights of a round-trip fare connect the requested airports, there and back
    Another airport only warns if it may be in the same city (OPEN-78). The opposite direction is a violation.
    Source: v3, GET /v3/roundTrips; v3, Resources and their fields / Round-trip fare
    "outward_id (integer), return_id (integer)"
    About: a round-trip fare with its flights

    Scenario: Flights of every round-trip fare
      Given the service has round-trip fares
      Then both flights of every fare connect the requested airports

  @V3-ROUND-TRIPS-PAGE
  Rule: A page contains at most 100 fares, and the last page has no cursor
    Source: v3, Limits
    "Results per page: up to 100, flights, roundTrips"

    @situation
    Scenario: All pages of round-trip fares are retrieved
      Each flight there can be combined with each one back.
      Given a round-trip fare search that finds fares
      When the client searches for a return flight seven days later
      And the client retrieves all pages
      Then every page contains at most 100 results
      And the last page has no cursor

  @V3-ROUND-TRIPS-BESIDE
  Rule: The one-way search finds flights on a route with round-trip fares
    That it finds none only warns, because search results come from a cache (OPEN-37).
    Source: v3, GET /v3/roundTrips
    "It never replaces the one-way searches, which are needed for full flight details and comparison."

    @situation
    Scenario: The flights of round-trip fares are searched one way
      Given a round-trip fare search that finds fares
      When the client searches the flights of a fare one way
      Then the service should find flights there and back

  @V3-ROUND-TRIPS-PARAMETERS
  Rule: The dates of a round-trip search are YYYY-MM-DD and its seats a whole number
    Source: v3, GET /v3/roundTrips; v3, GET /v3/flights
    "Query: same as flights plus returnStart (date, default start + 1 day) and returnEnd"

    Scenario Outline: <parameter> is "<value>"
      Given a documented round-trip search
      When the client sends the request with the parameter <parameter> set to "<value>"
      Then the service rejects the request

      Examples:
        | parameter   | value      |
        | start       | tomorrow   |
        | end         | 14/03/2027 |
        | returnStart | tomorrow   |
        | returnEnd   | 14/03/2027 |
        | seats       | many       |

  @V3-ROUND-TRIPS-CUSTOMER-CODE
  Rule: A round-trip search may name the customer
    That it finds nothing only warns: the content of a customer may be limited (v3, Content export).
    Source: v3, GET /v3/roundTrips; v3, GET /v3/flights
    "customerCode: string, optional, customer identifier"

    Scenario: The customer code is sent
      Given a documented round-trip search
      When the client sends the request with the customer code
      Then the service accepts the request

    @situation
    Scenario: The customer code is sent on a route with fares
      Given a round-trip fare search that finds fares
      When the client sends the request with the customer code
      Then the service accepts the request
      And the search should find something, if it does so without the customer code

  @V3-ROUND-TRIPS-LONG-WINDOW
  Rule: The flights of round-trip fares depart at most three days after the first day of their window
    Whether the service rejects or shortens a longer window is open (OPEN-78).
    Source: v3, GET /v3/roundTrips; v3, Limits
    "Search window: end at most start + 3 days (returnEnd at most returnStart + 3 days), flights, roundTrips"

    @situation
    Scenario: Longer windows are searched
      Given a round-trip fare search that finds fares
      When the client sends it with a window of nine days there, then with one back
      Then no flight departs more than three days after the first day
