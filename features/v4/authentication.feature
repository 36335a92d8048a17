@v4
Feature: Authentication
  Every request contains the API key, without a scheme prefix, in the Authorization header.

  @V4-AUTH-KEY
  Rule: The service accepts a valid key without a scheme prefix
    Source: v4, Authentication, item 1
    "Every request carries the key in the Authorization header; the examples send the key bare, with no scheme prefix."

    Scenario: Every operation is used once with the bare key
      When the client uses every operation once
      Then the service accepts the key every time

    Scenario: The key is sent with a scheme prefix
      Given a search that the service accepts
      When the client sends the request with the key prefixed by "Bearer"
      Then the service does not respond with a 5xx status
      And the status is observed as OPEN-34

  @V4-AUTH-WRONG-KEY
  Rule: The service rejects a wrong key with 401 Unauthorized
    A service that ignores the case of a key only warns.
    Source: v4, Authentication, item 2; v4, Errors
    "Requests without a valid key fail; … a wrong key gives 401."

    Scenario Outline: <operation> with <a key>
      Given a request of <operation> that the service accepts
      When the client sends the request with <a key>
      Then the service rejects the request with 401 Unauthorized

      Examples:
        | operation       | a key                                 |
        | searchOffers    | a wrong key                           |
        | getOffer        | a wrong key                           |
        | getFares        | a wrong key                           |
        | getBaggage      | a wrong key                           |
        | createOrder     | a wrong key                           |
        | getOrder        | a wrong key                           |
        | getReservation  | a wrong key                           |
        | findReservation | a wrong key                           |
        | searchOffers    | the key without its last character    |
        | searchOffers    | the key followed by another character |

    Scenario: A key is sent in the other case
      Given a search that the service accepts
      When the client sends the request with the key in the other case
      Then the service should reject the request

    Scenario: A wrong key is sent with a scheme prefix
      Given a search that the service accepts
      When the client sends the request with a wrong key prefixed by "Bearer"
      Then the request fails
      And the status is observed as OPEN-34

    Scenario: An order is confirmed with a wrong key
      Given a confirmation by card that the service would accept
      When the client sends the request with a wrong key
      Then the service rejects the request with 401 Unauthorized
      And the order is still open

  @V4-AUTH-MISSING-KEY
  Rule: A request without a key fails
    Source: v4, Authentication, item 2
    "Requests without a valid key fail"

    Scenario Outline: <operation> <without a key>
      Given a request of <operation> that the service accepts
      When the client sends the request <without a key>
      Then the request fails
      And the status is observed as OPEN-32

      Examples:
        | operation       | without a key     |
        | searchOffers    | without a key     |
        | getOffer        | without a key     |
        | getFares        | without a key     |
        | getBaggage      | without a key     |
        | createOrder     | without a key     |
        | getOrder        | without a key     |
        | getReservation  | without a key     |
        | findReservation | without a key     |
        | searchOffers    | with an empty key |

    Scenario: An order is confirmed without a key
      Given a confirmation by card that the service would accept
      When the client sends the request without a key
      Then the request fails
      And the order is still open

  @V4-AUTH-KEY-SENT @client
  Rule: Every request contains the key
    Source: v4, Authentication, item 1
    "Every request carries the key in the Authorization header"

    Scenario Outline: A client of <operation> <does not send the key>
      Given a documented exchange of <operation>
      When the client <does not send the key>
      Then the traffic check reports this violation only

      Examples:
        | operation                                     | does not send the key                              |
        | searchOffers                                  | leaves the header Authorization out                |
        | getOrder                                      | leaves the header Authorization out                |
        | confirmOrder                                  | leaves the header Authorization out                |
        | getOrder                                      | sends the header Authorization as "Basic a2V5Og==" |
        | createPaymentMethod, then one of confirmOrder | sends the payment provider's token to the service  |

  @V4-CUSTOMER-CODE-PLACE @client
  Rule: The customer code is sent with Search Offers and Get Offer only
    Source: v4, Authentication, item 4
    "customerCode is a body field of Search Offers and Get Offer only; other v4 endpoints do not accept it."

    Scenario Outline: A client of <operation> sends a customer code
      Given a documented exchange of <operation>
      When the client sends customerCode as "ANY"
      Then the traffic check reports this violation only

      Examples:
        | operation    |
        | createOrder  |
        | confirmOrder |

  @V4-CUSTOMER-CODE-UNKNOWN
  Rule: The service accepts an unknown customer code or rejects it with 404 Not Found
    The service may respond with 404 Not Found or accept the request (OPEN-31).
    Source: v4, Authentication, item 4; v4, Errors
    "When an endpoint resolves customer context, an unknown customerCode can give 404."

    Scenario: A search names an unknown customer code
      Given a search that the service accepts
      When the client sends the request with customerCode set to "AIRWORTHY-NOBODY"
      Then the service accepts the request or rejects it with 404 Not Found
      And the status is observed as OPEN-31

    Scenario: An offer request names an unknown customer code
      Given an offer request that the service accepts
      When the client sends the request with customerCode set to "AIRWORTHY-NOBODY"
      Then the service accepts the request or rejects it with 404 Not Found
      And the status is observed as OPEN-31
