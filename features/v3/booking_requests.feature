@v3
Feature: Create booking requests
  POST /v3/requests holds seats and prices for a few minutes, with one booking request for each flight.

  @V3-REQUESTS-REQUIRED @both
  Rule: A booking request has its flights, customer, passengers, bags and fare type
    Source: v3, POST /v3/requests
    "flight_ids: array of integer, required … customer_code: string, required … passengers: array, required … bags:
     object, required … fare_type: string, required"

    Scenario: Members of a booking request are missing or wrong
      Then the service rejects each value that the documents exclude

  @V3-REQUESTS-FLIGHTS @both
  Rule: A booking request is for one or two flights
    Source: v3, POST /v3/requests; v3, Limits
    "flight_ids: array of integer, required, one or two ids"

    Scenario: A booking request has no flights
      Then the service rejects each value that the documents exclude

    Scenario: A booking request for three flights is rejected
      Given a booking request in v3 that the service accepts
      When the client creates a booking request for three flights
      Then the service rejects the request

    Scenario: A booking request for two flights is accepted
      When the client creates a booking request in v3 for two flights
      Then the service accepts the request

  @V3-REQUESTS-PASSENGER @both
  Rule: A passenger has a first name, a last name, a gender and a date of birth
    Source: v3, POST /v3/requests
    "Passenger object: first_name (required), middle_name (optional), last_name (required), gender (required),
     date_of_birth (required)"

    Scenario: Members of a passenger are missing or wrong
      Then the service rejects each value that the documents exclude

  @V3-REQUESTS-OPTIONAL
  Rule: The other fields of a passenger are optional
    The service may require passport data for a flight with need_apis (OPEN-85).
    Source: v3, POST /v3/requests
    "birth_country, passport_number, passport_expiry_date, passport_country_of_issue, nationality (all optional,
     strings)"

    Scenario: Every documented value of a booking request is accepted
      When the client sends a booking request in v3 with each value that the documents allow
      Then the service accepts each value that the documents allow

  @V3-REQUESTS-FARE-TYPE @both
  Rule: The fare type is one_way or round_trip
    Source: v3, POST /v3/requests
    "fare_type: string, required, one_way or round_trip"

    Scenario: Wrong fare types
      Then the service rejects each value that the documents exclude

    Scenario: The fare type does not exist
      Given a booking request in v3 that the service accepts
      When the client sends the request with fare_type set to "open_jaw"
      Then the service rejects the request
      And the status is observed as OPEN-29

    @situation
    Scenario: A booking request for a round-trip fare is accepted
      Given a round-trip fare search that finds fares
      When the client creates a booking request for the first fare
      Then the service accepts the request

  @V3-BAGS-KEYS @both
  Rule: Bags are listed by flight id
    Source: v3, POST /v3/requests, bag rule 1
    "bags keys equal the ids in flight_ids."

    Scenario: The bags of one flight are missing
      Given a booking request in v3 for two flights that the service accepts
      When the client sends the request without the bags of one flight
      Then the service rejects the request

    Scenario: Bags of another flight are added
      Given a booking request in v3 that the service accepts
      When the client sends the request with the bags of another flight
      Then the service rejects the request

  @V3-BAGS-NOT-EMPTY @both
  Rule: Bags are neither missing nor empty nor null
    Source: v3, POST /v3/requests, bag rule 2; v3, Versioning, item 3
    "bags may not be empty or null."

    Scenario: Bags are missing or empty
      Then the service rejects each value that the documents exclude

  @V3-BAGS-LISTED @both
  Rule: A booking request lists every bag option of the search, with quantity 0 for unselected options
    Source: v3, POST /v3/requests, bag rule 2
    "For every flight, every checked and cabin option returned by the search must be listed, with quantity 0 when not
     wanted."

    Scenario Outline: A <booking request> is sent <with other bags>
      Given a <booking request> that the service accepts
      When the client sends the request <with other bags>
      Then the service rejects the request
      And the status is observed as OPEN-29

      Examples:
        | booking request                       | with other bags                                      |
        | booking request in v3                 | without one checked bag option                       |
        | booking request in v3                 | without one cabin bag option                         |
        | booking request in v3                 | with another entry instead of one checked bag option |
        | booking request in v3                 | with another weight of one checked bag option        |
        | booking request in v3                 | without any checked bag option                       |
        | booking request in v3                 | without any cabin bag option                         |
        | booking request in v3 for two flights | without one checked bag option of the second flight  |
        | booking request in v3 for a trip      | without one cabin bag option of the second flight    |

  @V3-BAGS-OPTION @both
  Rule: A bag option has a quantity, and a checked bag option has a weight
    The documents do not say whether a cabin bag option needs dimensions and a weight (OPEN-16).
    Source: v3, POST /v3/requests, bag rules 3 and 4
    "Checked option: quantity (number, required), weight (number, required)."

    Scenario: Members of a bag option are missing or wrong
      Given the service sells checked bags
      Then the service rejects each value that the documents exclude

    Scenario Outline: The <member> of a checked bag option of the second flight is missing
      Given a booking request in v3 for two flights that the service accepts
      When the client sends the request without the <member> of a checked bag option of the second flight
      Then the service rejects the request

      Examples:
        | member   |
        | quantity |
        | weight   |

  @V3-BAGS-QUANTITY @both
  Rule: The number of checked bags or of cabin bags does not exceed the number of passengers
    Source: v3, POST /v3/requests, bag rule 5; v3, Limits
    "quantity of each kind must not exceed the number of passengers."

    Scenario Outline: A <booking request> is sent with <more bags than passengers>
      Given a <booking request> that the service accepts
      When the client sends the request with <more bags than passengers>
      Then the service rejects the request
      And the status is observed as OPEN-29

      Examples:
        | booking request                       | more bags than passengers                              |
        | booking request in v3                 | more checked bags than passengers                      |
        | booking request in v3                 | more cabin bags than passengers                        |
        | booking request in v3 for a family    | more checked bags than passengers                      |
        | booking request in v3 for a family    | more cabin bags than passengers                        |
        | booking request in v3 for two flights | more checked bags than passengers on the second flight |
        | booking request in v3 for a trip      | more cabin bags than passengers on the second flight   |

    Scenario: A booking request has one checked bag of each option for one passenger
      The limit may apply to each option or to all options of a kind together.

      Given a booking request in v3 that the service accepts
      When the client sends the request with one checked bag of each option for one passenger
      Then the service does not respond with a 5xx status
      And the status is observed as OPEN-86

    Scenario Outline: A booking request for <flights with bags> is accepted
      Given a booking request in v3 that the service accepts
      When the client requests <flights with bags>
      Then the service accepts the request

      Examples:
        | flights with bags                                        |
        | two flights with a checked bag for each passenger        |
        | a flight for two passengers with two bags of one option  |
        | a flight for two passengers with two bags of two options |

  @V3-REQUESTS-ANSWER
  Rule: Each flight has one booking request with passengers, prices, customer and flight
    Source: v3, POST /v3/requests; v3, Resources and their fields / Booking request
    "Creates one request per flight id, at once."

    Scenario: Members of every booking request
      Then each flight has one booking request with passengers, prices, customer and flight

  @V3-REQUESTS-BAGS-FEE
  Rule: A booking request has the fees of checked and cabin bags
    A fee of 0 or above the price of the requested bags only warns: how prices are computed is not documented (OPEN-82).
    Source: v3, Resources and their fields / Booking request
    "bags_fee: object, v3: checked and cabin amounts"

    Scenario: A booking request with a checked bag
      When the client creates a booking request in v3 with a checked bag
      Then the booking request has the fees of checked and cabin bags

  @V3-REQUESTS-COUNT
  Rule: The passenger counts of a booking request match its passengers
    The ages that separate the counts are not documented (OPEN-84).
    Source: v3, Resources and their fields / Booking request
    "passengers: object, adults, children, infants (integers)"

    Scenario: A booking request for a family
      When the client creates a booking request in v3 for a family
      Then the passenger counts of the booking request match its passengers
      And the passengers should be counted as adults, children and infants

  @V3-CANCEL
  Rule: The client can cancel a pending booking request
    A rejection only warns: the booking request may have ended elsewhere (OPEN-97, OPEN-98).
    Source: v3, POST /v3/requests/{request_id}/cancel
    "Cancels a pending request only."

    Scenario: A pending booking request is cancelled
      Given a pending booking request in v3
      When the client cancels the booking request
      Then the cancellation succeeds

    @ages
    Scenario: A booking request is cancelled within three minutes
      Given a booking request in v3 to be cancelled made almost 3 minutes ago
      When the client cancels the booking request
      Then the cancellation succeeds

  @V3-CANCEL-PENDING @both
  Rule: The client can cancel a pending booking request only
    The status code is not documented (OPEN-89).
    Source: v3, POST /v3/requests/{request_id}/cancel
    "Cancels a pending request only."

    Scenario Outline: There is <something> and its booking request is cancelled
      Given <something>
      When the client cancels the booking request
      Then the cancellation fails
      And the status is observed as OPEN-89
      When the client creates a booking
      Then the service does not accept the request

      Examples:
        | something                                                         |
        | a cancelled booking request in v3                                 |
        | a booking in v3                                                   |
        | a booking in v3 paid by self_psp                                  |
        | a booking in v3 paid by a payment method and three_d_secure 2.2.0 |

      @situation
      Examples:
        | something                                    |
        | a booking request in v3 whose payment failed |

    @ages
    Scenario: A booking request is cancelled after five minutes
      Given another booking request in v3 made more than 5 minutes ago
      When the client cancels the booking request
      Then the cancellation fails
      And the status is observed as OPEN-89
      When the client creates a booking
      Then the service does not accept the request

  @V3-CANCEL-UNKNOWN
  Rule: The service does not cancel an unknown booking request
    Source: v3, Errors
    "404: Not Found, data not found, e.g. a flight id that does not exist"

    Scenario: The booking request does not exist
      Given a booking request in v3 that the service accepts
      When the client cancels an unknown booking request
      Then the service rejects the request with 404 Not Found

  @V3-CANCEL-ONE
  Rule: A cancellation ends one booking request only
    The other one may not be booked, which only warns: the documents do not say what else ends a booking request.
    Source: v3, POST /v3/requests/{request_id}/cancel; v3, States and transitions
    "request (pending): cancel request endpoint, request still pending, cancelled, a new flow can start"

    Scenario: One of two booking requests is cancelled
      Given a paid booking in v3
      When the client cancels the second of two booking requests and books the first
      Then the service should book the other booking request
      When the client creates a booking of the second booking request only
      Then the service rejects the request

  @V3-CANCEL-OR-BOOK
  Rule: A booking request that is cancelled and booked at the same time is either cancelled or booked
    That it is neither only warns: the documents do not speak of requests at the same time.
    Source: v3, POST /v3/requests/{request_id}/cancel
    "Cancels a pending request only."

    Scenario: A booking request is cancelled during its booking
      Given a pending booking request in v3
      When the client cancels the booking request and books it at the same time
      Then the booking request is either cancelled or booked

  @V3-CANCEL-NEW-FLOW
  Rule: After a cancellation a new flow can start with the same flight
    That the flight is gone only warns: whether its seats are free at once is not documented.
    Source: v3, States and transitions
    "request (pending): cancel request endpoint, request still pending, cancelled, a new flow can start"

    Scenario: A flight is requested again after a cancellation
      Given a cancelled booking request in v3
      When the client requests its flight again
      Then the service accepts a new booking request, unless the flight is gone

    @situation
    Scenario: The last seats of a flight are requested again after a cancellation
      Given a flight in v3 whose seats are held by booking requests
      When the client cancels one of the booking requests and requests its seats again
      Then the service should accept a new booking request
