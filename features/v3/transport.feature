@v2 @v3
Feature: Transport and authentication of v2 and v3
  JSON over HTTPS, with a Bearer token. What an error says is not described (OPEN-14).

  @V23-HTTPS-ONLY @both
  Rule: Nothing is asked of v2 and v3 or delivered by them over plain HTTP
    Source: v3, Authentication, item 2

    Scenario Outline: A documented request is sent over plain HTTP in <interface>
      Given a flight search in <interface> that the service answers
      When the same search is sent over plain HTTP
      Then nothing is delivered
      And the way of the refusal is observed as OPEN-33

      Examples:
        | interface |
        | v2        |
        | v3        |

    Scenario: A client sends its token over plain HTTP
      Given a documented exchange of getBookings
      When its client sends it over plain HTTP
      Then the traffic check names this rule

  @V23-JSON-ANSWERS
  Rule: v2 and v3 answer success in JSON
    Source: v3, Endpoints

    Scenario Outline: Every operation of <interface> is used once
      When a trip is searched, requested, booked and looked up in <interface>
      Then the service keeps this rule

      Examples:
        | interface |
        | v2        |
        | v3        |

  @V23-SUCCESS-STATUS
  Rule: v2 and v3 answer success with 200 where the documents say so
    The success status of v2's POSTs and of verify is not written (OPEN-96, OPEN-99).
    Source: v3, Endpoints

    Scenario Outline: Every operation of <interface> is used once, with success
      When a trip is searched, requested, booked and looked up in <interface>
      Then the service keeps this rule

      Examples:
        | interface |
        | v2        |
        | v3        |

  @V23-NO-SERVER-FAULT
  Rule: A client's mistake in v2 and v3 is never answered as an error of the service
    Source: v3, Errors

    Scenario Outline: A body that is no JSON object is sent to <interface>
      Given a booking request in <interface> that the service accepts
      When its body is replaced by <body>
      Then it is refused as Bad Request

      Examples:
        | interface | body       |
        | v2        | {"flights":|
        | v2        | []         |
        | v3        | {"bags":   |
        | v3        | []         |

    Scenario Outline: A booking of <interface> is looked up in <other>
      Given a booking in <interface>
      When it is looked up in <other>
      Then no error of the service is answered

      Examples:
        | interface | other |
        | v2        | v3    |
        | v3        | v2    |

    Scenario Outline: A request of <interface> is booked in <other>
      Given a pending request in <interface>
      When it is booked in <other>
      Then no error of the service is answered

      Examples:
        | interface | other |
        | v2        | v3    |
        | v3        | v2    |

  @V23-AUTH-KEY
  Rule: A valid Bearer token is accepted
    Which form POST takes is left open (OPEN-18).
    Source: v3, Authentication, item 1

    Scenario Outline: Flights are searched with a Bearer token in <interface>
      Given a flight search in <interface> that the service answers
      Then it was answered

      Examples:
        | interface |
        | v2        |
        | v3        |

    Scenario Outline: Flights are searched with a bare token in <interface>
      Given a flight search in <interface> that the service answers
      When it is sent with the bare token
      Then no error of the service is answered
      And the status is observed as OPEN-18

      Examples:
        | interface |
        | v2        |
        | v3        |

  @V23-AUTH-WRONG-KEY
  Rule: v2 and v3 answer a wrong token with Unauthorized
    Source: v3, Authentication, item 2; v3, Errors

    Scenario Outline: <operation> of <interface> is asked with a wrong token
      Given a request of <operation> in <interface> that the service answers
      When it is sent with a wrong key
      Then it is refused as Unauthorized

      Examples:
        | interface | operation        |
        | v2        | searchFlightsV2  |
        | v2        | createRequestsV2 |
        | v2        | createBookingsV2 |
        | v2        | getBookingsV2    |
        | v3        | searchFlights    |
        | v3        | searchRoundTrips |
        | v3        | createRequests   |
        | v3        | cancelRequest    |
        | v3        | createBookings   |
        | v3        | getBookings      |

  @V23-AUTH-MISSING-KEY
  Rule: A request without a token fails in v2 and v3
    Source: v3, Authentication, item 2

    Scenario Outline: <operation> of <interface> is asked without a token
      Given a request of <operation> in <interface> that the service answers
      When it is sent without a key
      Then it fails
      And the status is observed as OPEN-32

      Examples:
        | interface | operation        |
        | v2        | searchFlightsV2  |
        | v2        | createRequestsV2 |
        | v2        | createBookingsV2 |
        | v2        | getBookingsV2    |
        | v3        | searchFlights    |
        | v3        | searchRoundTrips |
        | v3        | createRequests   |
        | v3        | cancelRequest    |
        | v3        | createBookings   |
        | v3        | getBookings      |

  @V23-AUTH-KEY-SENT @client
  Rule: Every request of v2 and v3 carries the token
    Source: v3, Authentication, items 1 and 2

    Scenario Outline: A client of <operation> leaves the token out
      Given a documented exchange of <operation>
      When its client leaves the header Authorization out
      Then the traffic check names this rule

      Examples:
        | operation       |
        | searchFlights   |
        | createRequests  |
        | createBookingsV2|

    Scenario: A client sends the payment provider's token
      Given a documented exchange of createPaymentMethod, then one of createBookings
      When its client sends the payment provider's token to the service
      Then the traffic check names this rule

  @V23-CONTENT-TYPE @client
  Rule: A POST of v2 and v3 declares its body as JSON
    Source: v3, Endpoints

    Scenario: A form is sent
      Given a documented exchange of createRequests
      When its client sends the header Content-Type as "application/x-www-form-urlencoded"
      Then the traffic check names this rule

  @V23-ACCEPT @client
  Rule: A request of v2 and v3 accepts JSON
    Source: v3, Endpoints

    Scenario: Another form is accepted only
      Given a documented exchange of searchFlights
      When its client sends the header Accept as "text/html"
      Then the traffic check names this rule

  @V23-OPERATIONS @client
  Rule: Only the documented operations of v2 and v3 are called
    Source: v3, Endpoints

    Scenario Outline: A client calls <method> <path>
      Given a documented exchange of searchFlights
      When its client calls <method> <path> instead
      Then the traffic check names this rule

      Examples:
        | method | path                      |
        | POST   | /v3/flights               |
        | GET    | /v2/roundTrips            |
        | POST   | /v2/requests/4711/cancel  |
        | DELETE | /v3/bookings              |

  @V23-CURRENT-REVISION @both
  Rule: Traffic of v2 and v3 speaks its own version
    An answer that has a field of another version besides all that it has to have only warns (OPEN-46).
    Source: v3, Versioning

    Scenario Outline: The service answers in the words of <interface>
      When a trip is searched, requested, booked and looked up in <interface>
      Then the service shows no name or value of an earlier revision or of another version

      Examples:
        | interface |
        | v2        |
        | v3        |

    Scenario Outline: A client sends <field> of another version
      Given a documented exchange of <operation>
      When its client sends <field> as <value>
      Then the traffic check names this rule

      Examples:
        | operation        | field                   | value         |
        | createRequests   | passengers[0].is_infant | false         |
        | createRequests   | flights                 | [1]           |
        | createBookings   | luggage                 | {}            |
        | createBookings   | requests                | [1]           |
        | createRequestsV2 | flight_ids              | [1]           |
        | createBookings   | paymentMethod           | {"card": true}|

  @V23-UNKNOWN-FIELDS @both
  Rule: Traffic of v2 and v3 holds no field that the documents do not know
    An unknown field is tolerated (OPEN-46, OPEN-47): it is shown as drift and fails nobody.
    Source: v3, Resources and their fields

    Scenario: A service answers an unknown field
      Given a documented exchange of getBookings
      When its service answers loyalty_points as 12
      Then the traffic check names this rule

  @V23-CARD-DATA @client
  Rule: Card data is never sent to v2 or v3
    Source: v3, What the service does

    Scenario: A card number is sent
      Given a documented exchange of createBookings
      When its client sends address as "card 4242424242424242"
      Then the traffic check names this rule

    Scenario: A card number is sent in a header
      Given a documented exchange of getBookings
      When its client sends the header X-Card as "4242 4242 4242 4242"
      Then the traffic check names this rule

  @V23-TRAVEL-DOCUMENTS @client
  Rule: Passport data is sent where a flight needs it
    A deviation warns (OPEN-85).
    Source: v3, Resources and their fields / Flight (v3)

    Scenario: A flight that needs passport data is requested without
      Given a documented journey of v3 on a flight that needs passport data
      When its client leaves the passport data out
      Then the traffic check names this rule
