@v3
Feature: Parameters of the search for round-trip fares
  GET /v3/roundTrips takes the parameters of GET /v3/flights, and dates for the return flight.

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
