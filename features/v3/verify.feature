@v3
Feature: Verify price and availability
  POST /v3/flights/verify is deprecated: it is not maintained from 25 September 2026, and nothing is held against the
  service any more from then on (OPEN-40).

  @V3-VERIFY-DEPRECATED @client
  Rule: Prices and availability are no longer verified apart
    A warning before 25 September 2026, more than that from then on (OPEN-40).
    Source: v4, Versioning, item 5

    Scenario Outline: A flight is verified on <day>
      Given a documented exchange of verifyFlight
      When it took place on <day>
      Then the traffic check names this rule

      Examples:
        | day        |
        | 2026-09-24 |
        | 2026-09-25 |

  @V3-VERIFY-REQUEST @client
  Rule: A verification names its flight, its passengers and the customer
    Source: v3, POST /v3/flights/verify

    Scenario Outline: <field> is left out
      Given a documented exchange of verifyFlight before its deprecation
      When its client leaves <field> out
      Then the traffic check names this rule

      Examples:
        | field             |
        | flight_id         |
        | passengers        |
        | passengers.adults |
        | customer_code     |

  @V3-VERIFY-INFANTS @client
  Rule: A verification has no more infants than adults
    Source: v3, POST /v3/flights/verify; v3, Limits

    Scenario: More infants than adults
      Given a documented exchange of verifyFlight before its deprecation
      When its client sends passengers.infants as 5
      Then the traffic check names this rule

  @V3-VERIFY-ANSWER
  Rule: A verification answers prices in EUR, and an infant price for infants only
    Source: v3, POST /v3/flights/verify
    Optional: after 25 September 2026 the response is not documented (OPEN-40).

    Scenario: A flight is verified
      Given a flight search in v3 that finds flights
      When its first flight is verified
      Then no error of the service is answered
      And the service keeps this rule
      And the status is observed as OPEN-40
