@v2 @v3
Feature: Request flights that are not there
  What a search shows is indicative: POST /v3/requests and POST /v2/requests say whether a flight can still be had.

  @V23-REQUESTS-UNKNOWN-FLIGHT
  Rule: A flight that does not exist is Not Found, or in Conflict with the cache
    Which of the two is left open (OPEN-20).
    Source: v3, Errors

    Scenario Outline: The flight does not exist in <interface>
      Given a booking request in <interface> that the service accepts
      When it is sent for an unknown flight
      Then it is refused as Not Found or Conflict
      And the status is observed as OPEN-20

      Examples:
        | interface |
        | v2        |
        | v3        |

  @V23-REQUESTS-GONE
  Rule: A flight that is no longer available is in Conflict
    Source: v3, Errors

    @situation
    Scenario Outline: The flight was sold out meanwhile in <interface>
      Given a booking request in <interface> for a flight that is sold out
      When it is sent
      Then it is refused as Conflict

      Examples:
        | interface |
        | v2        |
        | v3        |
