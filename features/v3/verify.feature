@v3
Feature: Verify price and availability
  POST /v3/flights/verify is deprecated. From 25 September 2026 it is not maintained, and the responses of the
  service are no longer judged (OPEN-40).

  @V3-VERIFY-DEPRECATED @client
  Rule: Clients do not use the deprecated verification
    A use before 25 September 2026 is a warning, a later one a violation (OPEN-40).
    Source: v4, Versioning, item 5
    "Deprecation: POST /v3/flights/verify is deprecated; it is no longer maintained from 25 September 2026, after which
     it may return incorrect values."

    Scenario Outline: A client verifies a flight on <day>
      Given a documented exchange of verifyFlight
      When the exchange took place on <day>
      Then the traffic check reports this violation only

      Examples:
        | day        |
        | 2026-09-24 |
        | 2026-09-25 |

  @V3-VERIFY-REQUEST @client
  Rule: A verification has its flight, passengers and customer
    Source: v3, POST /v3/flights/verify
    "Body: flight_id (integer, required), passengers (object: adults required, children optional default 0, infants
     optional default 0 and at most adults), customer_code (string, required)."

    Scenario Outline: <field> is missing
      Given a documented exchange of verifyFlight before its deprecation
      When the client leaves <field> out
      Then the traffic check reports this violation only

      Examples:
        | field             |
        | flight_id         |
        | passengers        |
        | passengers.adults |
        | customer_code     |

  @V3-VERIFY-INFANTS @client
  Rule: A verification has no more infants than adults
    Source: v3, POST /v3/flights/verify; v3, Limits
    "Infants in verify: at most adults, verify"

    Scenario: There are more infants than adults
      Given a documented exchange of verifyFlight before its deprecation
      When the client sends passengers.infants as 5
      Then the traffic check reports this violation only

  @V3-VERIFY-ANSWER
  Rule: The response to a verification has prices in EUR, and an infant price for infants only
    After 25 September 2026 a response is not a violation, whatever it is.
    Source: v3, POST /v3/flights/verify
    "Response: price, currency, infant_price (included only when infants > 0), total_price, included_airport_tax."
    Optional: after 25 September 2026 the response is not documented (OPEN-40).

    Scenario: A flight is verified
      Given a flight search in v3 that finds flights
      When the client verifies a flight
      Then the response has prices in EUR, and an infant price for infants only
      And the status is observed as OPEN-40
