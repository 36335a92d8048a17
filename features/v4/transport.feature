@v4
Feature: Transport
  The service is a REST interface with JSON bodies and standard HTTP status codes, reached by HTTPS only.

  @V4-HTTPS-ONLY @both
  Rule: The service is used over HTTPS only
    Source: v4, What the service does; v4, Authentication, item 2
    "It is a REST interface: JSON bodies, standard HTTP status codes, HTTPS only."

    Scenario: A documented request is sent over plain HTTP
      Given a search that the service accepts
      When the client sends the same request over plain HTTP
      Then the service does not accept the request
      And the way of the rejection is observed as OPEN-33

    Scenario: A client sends its key over plain HTTP
      Given a documented exchange of getOrder
      When the client sends it over plain HTTP
      Then the traffic check reports this violation only

  @V4-JSON-ANSWERS
  Rule: Every response body is JSON
    Source: v4, Resources and their fields / Conventions
    "Response body: JSON; request header Accept: application/json"

    Scenario: Bodies of all responses
      Then every response has a JSON body

  @V4-SUCCESS-STATUS
  Rule: The status code of every successful response is 200
    For Get Order and Get Reservation the documents name no status code, so that another success only warns.
    Source: v4, Endpoints
    "Success: response 200"

    Scenario: Status codes of successful responses
      Then every successful response has the status code 200

  @V4-NO-SERVER-FAULT
  Rule: The service does not respond to a client's mistake with a 5xx status
    Source: v4, Errors
    "500: Internal Server Error, error on the service side"

    Scenario Outline: A malformed identifier is sent to <operation>
      When the client requests <operation> with the identifier "not-a-uuid"
      Then the service does not respond with a 5xx status
      And the status is observed as OPEN-49

      Examples:
        | operation       |
        | getFares        |
        | getBaggage      |
        | getOrder        |
        | confirmOrder    |
        | getReservation  |
        | findReservation |
        | createOrder     |

    Scenario Outline: A body that is not a JSON object is sent to <operation>
      Given <a request> that the service accepts
      When the client sends the request with the body <body>
      Then the service rejects the request with 400 Bad Request

      Examples:
        | operation    | a request        | body       |
        | searchOffers | a search         | {"adults": |
        | searchOffers | a search         | []         |
        | getOffer     | an offer request | {"adults": |
        | getOffer     | an offer request | []         |
        | createOrder  | an order request | {"a":      |
        | createOrder  | an order request | []         |

    Scenario: A body that is not a JSON object is sent to confirmOrder
      Given a confirmation that the service would accept
      When the client sends the request with the body {"a":
      Then the service rejects the request with 400 Bad Request
      And the order is not booked

  @V4-REMOVED-VERSIONS
  Rule: The removed versions 1.0 and 1.1 are not available
    Source: v4, Versioning, item 1
    "Versions 1.0 and 1.1 are officially deprecated and removed; only v2 and above are used."

    Scenario Outline: A search is sent to version <version>
      When the client sends a search to the removed version <version>
      Then the service does not accept the request
      And the status is observed as OPEN-102

      Examples:
        | version |
        | v1      |
        | v1.0    |
        | v1.1    |

  @V4-CONTENT-TYPE @client
  Rule: A POST declares its body as JSON
    Source: v4, Resources and their fields / Conventions
    "Request body: JSON; header Content-Type: application/json on POST"

    Scenario Outline: A <operation> request declares <content type>
      Given a documented exchange of <operation>
      When the client sends the header Content-Type as "<content type>"
      Then the traffic check <judgement>

      Examples:
        | operation    | content type                      | judgement                   |
        | searchOffers | application/json                  | reports nothing             |
        | searchOffers | application/json; charset=utf-8   | reports nothing             |
        | searchOffers | text/plain                        | reports this violation only |
        | createOrder  | application/x-www-form-urlencoded | reports this violation only |
        | confirmOrder |                                   | reports this violation only |

  @V4-ACCEPT @client
  Rule: A request accepts JSON
    Source: v4, Resources and their fields / Conventions
    "Response body: JSON; request header Accept: application/json"

    Scenario Outline: A <operation> request accepts <accept>
      Given a documented exchange of <operation>
      When the client sends the header Accept as "<accept>"
      Then the traffic check <judgement>

      Examples:
        | operation    | accept           | judgement                   |
        | searchOffers | application/json | reports nothing             |
        | getOrder     | */*              | reports nothing             |
        | getOrder     | text/html        | reports this violation only |

  @V4-OPERATIONS @client
  Rule: Clients use the documented operations only
    Another path or method is a warning (OPEN-75), unless another version has it.
    Source: v4, Versioning, item 6
    "v4 endpoint list: POST /v4/search; POST /v4/offer; GET /v4/offer/{offerId}/fares; … GET /v4/reservation?orderId=."

    Scenario Outline: A client sends <method> <path>
      Given a documented exchange of searchOffers
      When the client sends <method> <path> instead
      Then the traffic check reports this violation only

      Examples:
        | method | path           |
        | GET    | /v4/search     |
        | DELETE | /v4/order/9f1c |
        | POST   | /v4/payments   |

  @V4-CURRENT-REVISION @both
  Rule: Requests and responses use the current revision of v4
    A field of an earlier revision in a response that is complete without it is a warning (OPEN-46), and so is a key with
    the scheme Bearer (OPEN-34).
    Source: v4, Resources and their fields / Enumerations; v4, Errors; v4, States and transitions
    "An earlier revision of v4 used upper-case passenger types (ADULT, CHILD, INFANT), the payment method cash, the
     order status CONFIRMING"

    Scenario: Names and values in every response
      Then no response of v4 uses a name or value of an earlier revision or of another version

    Scenario Outline: A <client or service> <field> of an earlier revision
      Given a documented exchange of <operation>
      When the <client or service> <field> as <value>
      Then the traffic check reports this violation only

      Examples:
        | client or service     | operation    | field                                        | value          |
        | client sends          | createOrder  | passengers[0].type                           | "ADULT"        |
        | client sends          | createOrder  | paymentMethod                                | {"cash": true} |
        | client sends          | getOffer     | isResidentDiscountEligible                   | false          |
        | client sends          | createOrder  | selectedBaggage[0].itineraryBaggageSelection | []             |
        | client sends          | createOrder  | selectedBaggage[0].selectedSeats             | []             |
        | client sends          | createOrder  | passengers[0].is_infant                      | false          |
        | service responds with | confirmOrder | status                                       | "CONFIRMING"   |
        | service responds with | getOffer     | connectivityStandard                         | "NDC"          |
        | service responds with | getOffer     | validatingCarrier                            | "IB"           |
        | service responds with | getOffer     | cheapestFare.hasPriorityBoardingIncluded     | false          |
        | service responds with | getOffer     | cheapestFare.hasFastTrackIncluded            | false          |
        | service responds with | getOffer     | cheapestFare.hasFreeSeatsAvailable           | true           |
        | service responds with | getBaggage   | fareBaggageOptions[0].itineraryOptions       | []             |

  @V4-UNKNOWN-FIELDS @both
  Rule: Requests and responses contain documented fields and values only
    An unknown field is drift, not a violation (OPEN-46, OPEN-47).
    Source: v4, Resources and their fields; v4, Errors
    "400: Bad Request, payload does not match the expected schema"

    Scenario: A service returns an unknown field
      Given a documented exchange of getOrder
      When the service responds with loyaltyPoints as 12
      Then the traffic check reports this violation only

    Scenario: A client sends an unknown field
      Given a documented exchange of searchOffers
      When the client sends flexibleDates as true
      Then the traffic check reports this violation only

  @V4-EVENTS @excluded
  Rule: No events are pushed to the client
    Excluded: the document describes no push mechanism, and its absence cannot be observed (OPEN-08).
    Source: v4, Events
    "No events are emitted to the client in v4 by the means of a documented push mechanism."

  @V4-INTERNAL-ERROR @excluded
  Rule: An internal error carries a generic server-error payload
    Excluded: an internal error cannot be provoked, and its payload is not documented (OPEN-41).
    Source: v4, Errors
    "Internal 5xx errors carry a generic server-error payload."

  @V4-CREDENTIALS-ISSUED @excluded
  Rule: Credentials are issued by the operator on request, apart for test and production
    Excluded: this is an organisational agreement that no interface shows.
    Source: v4, What the service does; v4, Authentication, item 3
    "Credentials (API key, customer code) are issued by the operator on request; there is no self-service sign-up."
