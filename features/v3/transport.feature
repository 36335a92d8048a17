@v2 @v3
Feature: Transport and authentication of v2 and v3
  v2 and v3 use JSON over HTTPS and a Bearer token. The body of an error is not documented (OPEN-14).

  @V23-HTTPS-ONLY @both
  Rule: v2 and v3 are used over HTTPS only
    Source: v3, Authentication, item 2
    "requests over plain HTTP fail"

    Scenario Outline: A request of <operation> is sent over plain HTTP in <interface>
      Given a request of <operation> in <interface> that the service accepts
      When the client sends the same request over plain HTTP
      Then the service does not accept the request
      And the way of the rejection is observed as OPEN-33

      Examples:
        | interface | operation       |
        | v2        | searchFlightsV2 |
        | v2        | getBookingsV2   |
        | v3        | searchFlights   |
        | v3        | createBookings  |

    Scenario: A client sends its token over plain HTTP
      Given a documented exchange of getBookings
      When the client sends it over plain HTTP
      Then the traffic check reports this violation only

  @V23-JSON-ANSWERS
  Rule: The body of every successful response of v2 and v3 is JSON
    Source: v3, Endpoints
    "Headers: Accept: application/json; POST also Content-Type: application/json"

    Scenario: Bodies of successful responses
      Then every successful response has a JSON body

  @V23-SUCCESS-STATUS
  Rule: Successful responses of v2 and v3 have the documented status code
    The status codes of GET /v2/flights, GET bookings, verify and the POST requests of v2 are not documented (OPEN-96,
    OPEN-99).
    Source: v3, Endpoints
    "Response 200: {results: [flight], next_page_id: string or null}; up to 100 results per page."

    Scenario: Status codes of successful responses
      Then every successful response has its documented status code

  @V23-NO-SERVER-FAULT
  Rule: v2 and v3 do not respond to a client's mistake with a 5xx status
    Source: v3, Errors
    "500: Internal Server Error, error on the service side"

    Scenario Outline: A body that is not a JSON object is sent to <interface>
      Given a booking request in <interface> that the service accepts
      When the client sends the request with the body <body>
      Then the service rejects the request with 400 Bad Request

      Examples:
        | interface | body       |
        | v2        | {"flights":|
        | v2        | []         |
        | v3        | {"bags":   |
        | v3        | []         |

    Scenario Outline: Accents and an apostrophe in <name> of <a request>
      Given <a request>
      When the client sends the request with <name> set to "O'Núñez Škoda"
      Then the service does not respond with a 5xx status

      Examples:
        | a request                                        | name                                 |
        | a booking request in v3 that the service accepts | the last name of the first passenger |
        | a booking in v3 that the service would accept    | last_name                            |
        | a booking in v2 that the service would accept    | last_name                            |
        | a booking in v2 that the service would accept    | the last name of the first passenger |

    Scenario: A search has values that the service may ignore or reject in <interface>
      Given a flight search in <interface> that the service accepts
      When the client sends the search with each value that the service may ignore or reject
      Then no response has a 5xx status

    Scenario: Ids and flights are unusual in <interface>
      Given a booking in <interface> that the service would accept
      When the client sends impossible ids and references, repeated ids, and two flights of one day
      Then no response has a 5xx status

    Scenario: A booking request has passengers that the service may reject
      Given a booking request in v3 that the service accepts
      When the client sends it for an unborn passenger, a child without an adult, a long name and ten adults
      Then no response has a 5xx status

    Scenario Outline: The client has <a resource> in <interface> and <uses it> in <other>
      Given <a resource> in <interface>
      When the client <uses it> in <other>
      Then the service does not respond with a 5xx status

      Examples:
        | a resource                | interface | uses it                   | other |
        | a booking                 | v2        | retrieves the booking     | v3    |
        | a booking                 | v3        | retrieves the booking     | v2    |
        | a pending booking request | v2        | books the booking request | v3    |
        | a pending booking request | v3        | books the booking request | v2    |

  @V23-AUTH-KEY
  Rule: v2 and v3 accept a valid Bearer token
    The form of the token in POST requests is not documented (OPEN-18).
    Source: v3, Authentication, item 1
    "v2 and v3 use Bearer tokens."

    Scenario: A flight search with a Bearer token in <interface>
      When the client searches flights in <interface>
      Then the service accepts the request

    Scenario: A flight search with a bare token in <interface>
      Given a flight search in <interface> that the service accepts
      When the client sends the request with the bare token
      Then the service does not respond with a 5xx status
      And the status is observed as OPEN-18

  @V23-AUTH-WRONG-KEY
  Rule: v2 and v3 reject a wrong token with 401 Unauthorized
    A service that ignores the case of a token only warns.
    Source: v3, Authentication, item 2; v3, Errors
    "Requests without authentication fail; … a wrong key gives 401."

    Scenario Outline: <operation> of <interface> with <a token>
      Given a request of <operation> in <interface> that the service accepts
      When the client sends the request with <a token>
      Then the service rejects the request with 401 Unauthorized

      Examples:
        | interface | operation        | a token                                 |
        | v2        | searchFlightsV2  | a wrong token                           |
        | v2        | createRequestsV2 | a wrong token                           |
        | v2        | createBookingsV2 | a wrong token                           |
        | v2        | getBookingsV2    | a wrong token                           |
        | v3        | searchFlights    | a wrong token                           |
        | v3        | searchRoundTrips | a wrong token                           |
        | v3        | createRequests   | a wrong token                           |
        | v3        | cancelRequest    | a wrong token                           |
        | v3        | createBookings   | a wrong token                           |
        | v3        | getBookings      | a wrong token                           |
        | v2        | searchFlightsV2  | the token without its last character    |
        | v2        | searchFlightsV2  | the token followed by another character |
        | v3        | searchFlights    | the token without its last character    |
        | v3        | searchFlights    | the token followed by another character |

    Scenario: A search of <interface> with a token in the other case
      Given a flight search in <interface> that the service accepts
      When the client sends the request with the token in the other case
      Then the service should reject the request

  @V23-AUTH-MISSING-KEY
  Rule: A request without a token fails in v2 and v3
    Source: v3, Authentication, item 2
    "Requests without authentication fail"

    Scenario Outline: <operation> of <interface> <without a token>
      Given a request of <operation> in <interface> that the service accepts
      When the client sends the request <without a token>
      Then the request fails
      And the status is observed as OPEN-32

      Examples:
        | interface | operation        | without a token     |
        | v2        | searchFlightsV2  | without a token     |
        | v2        | createRequestsV2 | without a token     |
        | v2        | createBookingsV2 | without a token     |
        | v2        | getBookingsV2    | without a token     |
        | v3        | searchFlights    | without a token     |
        | v3        | searchRoundTrips | without a token     |
        | v3        | createRequests   | without a token     |
        | v3        | cancelRequest    | without a token     |
        | v3        | createBookings   | without a token     |
        | v3        | getBookings      | without a token     |
        | v2        | searchFlightsV2  | with an empty token |
        | v2        | createBookingsV2 | with an empty token |
        | v3        | searchFlights    | with an empty token |
        | v3        | createRequests   | with an empty token |

  @V23-AUTH-KEY-SENT @client
  Rule: Every request to v2 and v3 contains the token
    Source: v3, Authentication, items 1 and 2
    "Requests without authentication fail"

    Scenario Outline: A client of <operation> <does not send the token>
      Given a documented exchange of <operation>
      When the client <does not send the token>
      Then the traffic check reports this violation only

      Examples:
        | operation                                       | does not send the token                           |
        | searchFlights                                   | leaves the header Authorization out               |
        | createRequests                                  | leaves the header Authorization out               |
        | createBookingsV2                                | leaves the header Authorization out               |
        | createPaymentMethod, then one of createBookings | sends the payment provider's token to the service |

  @V23-CONTENT-TYPE @client
  Rule: A POST request to v2 and v3 declares its body as JSON
    Source: v3, Endpoints
    "Headers: Accept: application/json; POST also Content-Type: application/json"

    Scenario: A client sends a form
      Given a documented exchange of createRequests
      When the client sends the header Content-Type as "application/x-www-form-urlencoded"
      Then the traffic check reports this violation only

  @V23-ACCEPT @client
  Rule: A request to v2 and v3 accepts JSON
    Source: v3, Endpoints
    "Headers: Accept: application/json; POST also Content-Type: application/json"

    Scenario: A client accepts HTML only
      Given a documented exchange of searchFlights
      When the client sends the header Accept as "text/html"
      Then the traffic check reports this violation only

  @V23-OPERATIONS @client
  Rule: Clients use the documented operations of v2 and v3 only
    Another path or method is a warning (OPEN-75), unless another version has it.
    Source: v3, Endpoints; v3, What the service does
    "Flow in v2: search, request, payment method, booking, retrieve."

    Scenario Outline: A client sends <method> <path>
      Given a documented exchange of searchFlights
      When the client sends <method> <path> instead
      Then the traffic check reports this violation only

      Examples:
        | method | path                      |
        | POST   | /v3/flights               |
        | GET    | /v2/roundTrips            |
        | POST   | /v2/requests/4711/cancel  |
        | DELETE | /v3/bookings              |

  @V23-CURRENT-REVISION @both
  Rule: Requests and responses of v2 and v3 use their own version
    A field of another version in a response that is complete without it is a warning (OPEN-46), except for bags_fee
    in a booking request of v2: "no bags_fee" (v3, v2 endpoints).
    Source: v3, Versioning
    "/requests requires passengers and bags; flights is renamed flight_ids; is_infant is dropped; bag prices come back
     in bags_fee."

    Scenario: Names and values in every response
      Then no response of v2 or v3 uses a name or value of another version

    Scenario Outline: A client sends <field> of another version
      Given a documented exchange of <operation>
      When the client sends <field> as <value>
      Then the traffic check reports this violation only

      Examples:
        | operation        | field                   | value         |
        | createRequests   | passengers[0].is_infant | false         |
        | createRequests   | flights                 | [1]           |
        | createBookings   | luggage                 | {}            |
        | createBookings   | requests                | [1]           |
        | createRequestsV2 | flight_ids              | [1]           |
        | createBookings   | paymentMethod           | {"card": true}|

  @V23-UNKNOWN-FIELDS @both
  Rule: Requests and responses of v2 and v3 contain documented fields only
    An unknown field is drift, not a violation (OPEN-46, OPEN-47).
    Source: v3, Resources and their fields; v3, Errors
    "400: Bad Request, payload does not match the request signature"

    Scenario: A service returns an unknown field
      Given a documented exchange of getBookings
      When the service responds with loyalty_points as 12
      Then the traffic check reports this violation only

  @V23-CARD-DATA @client
  Rule: Clients do not send card data to v2 and v3
    Source: v3, What the service does
    "The service … may not hold card data, so the client obtains a payment method id from that provider and sends the
     id."

    Scenario: A client sends a card number
      Given a documented exchange of createBookings
      When the client sends address as "card 4242424242424242"
      Then the traffic check reports this violation only

    Scenario: A client sends a card number in a header
      Given a documented exchange of getBookings
      When the client sends the header X-Card as "4242 4242 4242 4242"
      Then the traffic check reports this violation only

  @V23-TRAVEL-DOCUMENTS @client
  Rule: Clients send passport data for a flight that requires it
    A deviation is a warning (OPEN-85).
    Source: v3, Resources and their fields / Flight (v3)
    "need_apis: boolean, passenger travel-document data needed"

    Scenario: The passport data for a flight that requires it is missing
      Given a documented conversation in v3 about a flight that requires passport data
      When the client leaves the passport data out
      Then the traffic check reports this violation only

  @V23-AUTH-WRONG-KEY-FORMS
  Rule: A wrong token fails with and without the scheme Bearer
    Which form a service accepts is open, and so is the status code of the other (OPEN-18).
    Source: v3, Authentication, items 1 and 2
    "Requests without authentication fail; … a wrong key gives 401."

    Scenario Outline: <operation> of <interface> with a wrong token in both forms
      Given a request of <operation> in <interface> that the service accepts
      When the client sends it with a wrong token in both forms
      Then the service accepts neither

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
