@v3
Feature: Search round-trip fares
  GET /v3/roundTrips finds special fares for two flights.

  @V3-ROUND-TRIPS-REQUIRED @both
  Rule: A round-trip search names its origin and its destination
    Source: v3, GET /v3/roundTrips

    Scenario Outline: <parameter> is left out
      Given a round-trip fare search that the service answers
      When it is sent without the parameter <parameter>
      Then it is refused as Bad Request

      Examples:
        | parameter   |
        | origin      |
        | destination |

  @V3-ROUND-TRIPS-ANSWER
  Rule: A round-trip search is answered with fares, flights without bags and a cursor or null
    Source: v3, GET /v3/roundTrips
    Optional: special round-trip fares exist for some routes only.

    Scenario: Round-trip fares are searched
      Given a round-trip fare search that the service answers
      Then the service keeps this rule

    @situation
    Scenario: There are no special fares
      Given a round-trip fare search where there are no special fares
      Then it is answered
      And the service keeps this rule

  @V3-ROUND-TRIP-FARE
  Rule: A round-trip fare has its two flights, prices, bag prices, fee fraction and seats
    The elements of the bag prices are not described (OPEN-95).
    Source: v3, Resources and their fields / Round-trip fare
    About: a round-trip fare

    @situation
    Scenario: Round-trip fares are found
      Given a round-trip fare search that finds fares
      Then the service keeps this rule
      And the bag prices of round-trip fares are observed as OPEN-95

  @V3-ROUND-TRIPS-WINDOW
  Rule: The flights of round-trip fares leave in the windows that were asked for
    Source: v3, GET /v3/roundTrips; v3, Limits
    About: a round-trip fare of a search with explicit windows

    @situation
    Scenario: Windows are asked for the way out and the way back
      Given a round-trip fare search that finds fares
      When it is sent for a way back after seven days
      Then it is answered
      And the service keeps this rule

  @V3-ROUND-TRIPS-PAGE
  Rule: A page holds at most 100 fares, and the cursor leads to an end
    Source: v3, Limits

    @situation
    Scenario: The pages of round-trip fares are read
      Given a round-trip fare search that finds fares
      When all its pages are read
      Then every page holds at most 100 results
      And the pages come to an end
