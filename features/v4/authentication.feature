@v4
Feature: Authentication
  Every request carries the API key, bare, in the Authorization header.

  @V4-AUTH-KEY
  Rule: A valid key, sent bare, is accepted
    Source: v4, Authentication, item 1

    Scenario: Every operation is used once with the bare key
      When a trip is searched, offered, ordered, booked and read
      Then the key was accepted every time

    Scenario: The key is sent with a scheme prefix
      Given a search that the service answers
      When it is sent with the key prefixed by "Bearer"
      Then no error of the service is answered
      And the status is observed as OPEN-34

  @V4-AUTH-WRONG-KEY
  Rule: A wrong key is answered with Unauthorized
    Source: v4, Authentication, item 2; v4, Errors

    Scenario Outline: <operation> is asked with a wrong key
      Given a request of <operation> that the service answers
      When it is sent with a wrong key
      Then it is refused as Unauthorized

      Examples:
        | operation       |
        | searchOffers    |
        | getOffer        |
        | getFares        |
        | getBaggage      |
        | createOrder     |
        | getOrder        |
        | getReservation  |
        | findReservation |

    Scenario: An order is confirmed with a wrong key
      Given an open order to be paid by card
      When it is confirmed with a wrong key
      Then it is refused as Unauthorized
      And the order is not booked

  @V4-AUTH-MISSING-KEY
  Rule: A request without a key fails
    Source: v4, Authentication, item 2

    Scenario Outline: <operation> is asked without a key
      Given a request of <operation> that the service answers
      When it is sent without a key
      Then it fails
      And the status is observed as OPEN-32

      Examples:
        | operation       |
        | searchOffers    |
        | getOffer        |
        | getFares        |
        | getBaggage      |
        | createOrder     |
        | getOrder        |
        | getReservation  |
        | findReservation |

    Scenario: An order is confirmed without a key
      Given an open order to be paid by card
      When it is confirmed without a key
      Then it fails
      And the order is not booked

  @V4-AUTH-KEY-SENT @client
  Rule: Every request carries the key
    Source: v4, Authentication, item 1

    Scenario Outline: A client of <operation> leaves the key out
      Given a documented exchange of <operation>
      When its client leaves the header Authorization out
      Then the traffic check names this rule

      Examples:
        | operation    |
        | searchOffers |
        | getOrder     |
        | confirmOrder |

    Scenario: A client sends the payment provider's token
      Given a documented exchange of createPaymentMethod, then one of confirmOrder
      When its client sends the payment provider's token to the service
      Then the traffic check names this rule

    Scenario: A client sends the key by basic authentication
      Given a documented exchange of getOrder
      When its client sends the header Authorization as "Basic a2V5Og=="
      Then the traffic check names this rule

  @V4-CUSTOMER-CODE-PLACE @client
  Rule: The customer code is sent with Search Offers and Get Offer only
    Source: v4, Authentication, item 4

    Scenario Outline: A client of <operation> sends a customer code
      Given a documented exchange of <operation>
      When its client sends customerCode as "ANY"
      Then the traffic check names this rule

      Examples:
        | operation    |
        | createOrder  |
        | confirmOrder |

  @V4-CUSTOMER-CODE-UNKNOWN
  Rule: An unknown customer code is answered as documented
    It can give Not Found; a service may also answer as usual (OPEN-31).
    Source: v4, Authentication, item 4; v4, Errors

    Scenario: A search names an unknown customer code
      Given a search that the service answers
      When it is sent with customerCode set to "AIRWORTHY-UNKNOWN"
      Then it is answered, or refused as Not Found
      And the status is observed as OPEN-31

    Scenario: An offer request names an unknown customer code
      Given an offer request that the service answers
      When it is sent with customerCode set to "AIRWORTHY-UNKNOWN"
      Then it is answered, or refused as Not Found
      And the status is observed as OPEN-31
