@v2 @v3
Feature: Create bookings
  POST /v3/bookings and POST /v2/bookings pay for one or more booking requests and issue the tickets.

  @V23-BOOKINGS-BOOK
  Rule: A paid booking request becomes a booking
    Source: v3, POST /v3/bookings; v3, States and transitions
    "(none): booking creation (POST bookings), payment succeeds, AWAITING_PNR_AIRLINE, ticket considered issued on a 200
     response"

    @ages
    Scenario: Every two circumstances of a booking in <interface> come together
      Flights, passengers, bags, payment, age, organisation, and what happens before and after.
      Then bookings in <interface> are as documented, whichever two circumstances come together

    Scenario Outline: The client pays in <interface> with the results of 3D Secure <version>
      Given a pending booking request in <interface>
      When the client creates a booking paid by a payment method and three_d_secure <version>
      Then the booking succeeds

      Examples:
        | interface | version |
        | v2        | 1.0.2   |
        | v2        | 2.1.0   |
        | v3        | 2.1.0   |

    Scenario: Two booking requests are booked one by one in <interface>
      Both bookings have the same external id. A rejection of the second only warns: no document excludes it.

      Given two pending booking requests in <interface>
      When the client creates a booking of the first booking request only, with a long external id
      And the client creates a booking of the second booking request only, with a long external id
      Then the service should still book the booking request

  @V3-BOOKINGS-REQUIRED @both
  Rule: A booking has its booking requests, customer and booker
    Source: v3, POST /v3/bookings
    "request_ids: array of integer, required … customer_code: string, required … first_name, last_name, gender, email,
     phonenumber: string, required, booker"

    Scenario: Members of a booking are missing or wrong
      Then the service rejects each value that the documents exclude

  @V23-BOOKINGS-OPTIONAL
  Rule: The external id and the address of a booking, and the travel documents of its passengers, are optional
    The service may require passport data for a flight with need_apis (OPEN-85).
    Source: v3, POST /v3/bookings; v3, v2 endpoints
    "external_id: string, optional … address, city_name, country_code, postal_code: string, optional, booker"

    Scenario: Every documented value of a booking is accepted in <interface>
      When the client sends a booking in <interface> with each value that the documents allow
      Then the service accepts each value that the documents allow

  @V3-BOOKINGS-REQUESTS @both
  Rule: A booking is for up to two booking requests
    Source: v3, POST /v3/bookings; v3, Limits
    "request_ids: array of integer, required, up to two request ids"

    Scenario: A booking of three booking requests is rejected
      Given a booking in v3 that the service would accept
      When the client creates a booking of three booking requests
      Then the service rejects the request

  @V23-BOOKINGS-TOGETHER
  Rule: Bookings that are created together share one reference
    Source: v3, POST /v3/bookings; v3, Resources and their fields / Booking
    "With several requests, the same cp_reference is issued for all bookings."
    About: two bookings made together

    Scenario: Two booking requests are booked together in <interface>
      Given two pending booking requests in <interface>
      When the client creates a booking of both booking requests
      Then the booking succeeds
      And the bookings share one reference
      When the client books another booking request with the same external id
      Then the service should still book the booking request

    Scenario: Two booking requests that were created one by one are booked together in <interface>
      Given a pending booking request in <interface>
      When the client books the pending booking request together with one that it creates afterwards
      Then the bookings share one reference

  @V23-BOOKINGS-PAYMENT @both
  Rule: A booking has a payment method, unless it is paid on deposit
    Source: v3, POST /v3/bookings
    "payment_method: string, required unless self_psp, provider payment method id"

    Scenario: The payment method is missing or wrong
      Given the service takes cards
      Then the service rejects each value that the documents exclude

  @V23-BOOKINGS-SELF-PSP
  Rule: An authorized organisation pays on deposit, without a payment method
    Source: v3, POST /v3/bookings; v3, Authentication, item 6
    "self_psp: boolean, required if authorized, books on deposit; then payment_method and three_d_secure are omitted"

    Scenario: An authorized organisation pays on deposit in <interface>
      Given a pending booking request in <interface>
      When the client creates a booking paid by self_psp
      Then the booking succeeds

  @V23-BOOKINGS-SELF-PSP-UNAUTHORIZED
  Rule: The service rejects payment on deposit by an unauthorized organisation
    The status code is not documented (OPEN-90). Acceptance of another organisation's customer code
    is only a warning: the documents do not say who may use a customer code.
    Source: v3, POST /v3/bookings; v3, Authentication, item 6
    "self_psp is usable only by organizations explicitly authorized"

    @second-organisation
    Scenario: An unauthorized organisation pays on deposit in <interface>
      Given two pending booking requests of the second organisation in <interface>
      When the second organisation creates a booking paid by self_psp
      Then the service rejects the request
      Given a pending booking request of the second organisation in <interface>
      When the second organisation creates a booking paid by self_psp
      Then the service rejects the request
      And the status is observed as OPEN-90
      When the second organisation books on deposit with the customer code of the first one
      Then the service should reject the request

    @second-organisation
    Scenario: An unauthorized organisation pays on deposit with customer data in v2
      Given two pending booking requests of the second organisation in v2
      When the second organisation creates a booking with customer data paid by self_psp
      Then the service rejects the request

  @V23-BOOKINGS-CUSTOMER-UNKNOWN
  Rule: The service rejects a booking with an unknown customer code
    The status code is not documented (OPEN-90).
    Source: v3, POST /v3/bookings
    "customer_code: string, required, must be known to the service"

    Scenario: The customer code is unknown in <interface>
      Given a booking in <interface> that the service would accept
      When the client sends the request with its customer_code followed by "-UNKNOWN"
      Then the service rejects the request
      And the status is observed as OPEN-90

    Scenario: The customer code is unknown from the booking request on in <interface>
      Given a paid booking in <interface>
      When the client requests a flight and books it, both with an unknown customer code
      Then the service rejects the request

  @V23-BOOKINGS-PAYMENT-FAILS @both
  Rule: The service rejects a booking whose payment fails, and aborts its booking request
    Source: v3, States and transitions; v3, Errors
    "request: failed payment, payment fails, aborted, booking on an aborted request gives 403; restart the flow"

    Scenario: A client books an aborted booking request
      Given a documented conversation in v3
      When the client creates another booking after the card was declined
      Then the traffic check reports this violation only

    @situation
    Scenario: The flow is restarted in <interface> after a payment failed
      Given a booking request in <interface> whose payment failed
      When the client requests its flight again and books it
      Then the service books the flight, unless it is gone

    @situation @unseen
    Scenario: A card is declined in <interface> although its holder was authenticated
      Given a pending booking request in <interface>
      When the client creates a booking paid by a card that is declined and three_d_secure 2.2.0
      Then the service rejects the request
      And the status is observed as OPEN-91
      When the client creates a booking paid by a payment method and three_d_secure 2.2.0
      Then the service rejects the request with 403 Forbidden
      When the client creates a booking on deposit, where it may
      Then the service rejects the request with 403 Forbidden

    @situation @unseen
    Scenario: A card needs verification in <interface>
      The service may book without verification, or demand it before it tries the payment. That it books after a rejection
      only warns, as the client may try again with the results of 3-D Secure.

      Given a pending booking request in <interface>
      When the client creates a booking paid by a card that needs verification
      Then the service does not respond with a 5xx status
      And the status is observed as OPEN-91
      When the client books the same booking request without 3D Secure results
      Then the service does not respond with a 5xx status
      And the service should not book what it rejected as a payment

    @situation @unseen
    Scenario: A card is declined for two booking requests in <interface>
      Given two pending booking requests in <interface>
      When the client creates a booking paid by a card that is declined
      Then the service rejects the request
      When the client creates a booking of the first booking request only
      And the client creates a booking of the second booking request only
      Then the service rejects at least one of both with 403 Forbidden
      And the number of aborted booking requests is observed as OPEN-97

    @unseen
    Scenario Outline: An authentication was only attempted in <interface>, with indicator <value>
      The status code of a failed payment is not documented (OPEN-91). A service that responds with 400 Bad Request has not
      tried the payment.

      Given a booking in <interface> with 3D Secure results that the service would accept
      When the client sends the request with version 2.2.0 and indicator <value> of 3D Secure, paid by <card>
      Then the service rejects the request
      When the client books the same booking request without 3D Secure results
      Then the service rejects the request with 403 Forbidden if the payment failed before

      Examples:
        | interface | value | card          |
        | v2        | "06"  | the same card |
        | v2        | "01"  | a Mastercard  |
        | v3        | "06"  | the same card |
        | v3        | "01"  | a Mastercard  |

  @V23-BOOKINGS-ONCE @both
  Rule: A booking request is booked once
    The status code is not documented (OPEN-88). A client that books a booking request again causes a warning.
    Source: v3, Errors
    "409: Conflict, not processed: … flight already booked"

    @ages
    Scenario: A booking request is booked again in <interface> after its booking received a record locator
      Given a booking in <interface> made more than two hours ago
      When the client creates a booking
      Then the service rejects the request

    Scenario: A booking request is booked again in <interface>
      Given a booking in <interface>
      When the client creates a booking
      Then the service rejects the request
      And the status is observed as OPEN-88

    Scenario: A booking request that was booked on deposit is booked again in <interface>
      Given a booking in <interface> paid by self_psp
      When the client creates a booking
      Then the service rejects the request

    Scenario: One of two booking requests that were booked together is booked again in <interface>
      Given a booking in <interface> of two booking requests
      When the client creates a booking of the second booking request only
      Then the service rejects the request
      And the status is observed as OPEN-88

    Scenario: Four bookings of two booking requests arrive at once in <interface>
      Given two pending booking requests in <interface>
      When the client creates four bookings of the second one at once, two of them of both
      Then at most one booking succeeds

  @V3-BOOKINGS-CANCELLED @both
  Rule: The service does not book a cancelled booking request
    The status code is not documented (OPEN-88).
    Source: v3, States and transitions
    "request (pending): cancel request endpoint, request still pending, cancelled, a new flow can start"

    Scenario: A cancelled booking request is booked
      Given a cancelled booking request in v3
      When the client creates a booking
      Then the service rejects the request
      And the status is observed as OPEN-88
      When the client creates a booking on deposit, where it may
      Then the service rejects the request

  @V23-REQUEST-LIFETIME @both
  Rule: A booking request expires after three to five minutes
    The documents name both limits; between them the service may accept or reject a booking (OPEN-15).
    Source: v3, POST /v3/requests; v3, Limits
    "Request lifetime: 3 minutes … 5 minutes according to the endpoint note; a booking using an expired request is
     rejected."

    @ages
    Scenario: A booking request in <interface> is booked within three minutes
      Given a booking request in <interface> made almost 3 minutes ago
      When the client creates a booking
      Then the booking succeeds

    @ages
    Scenario: Two booking requests in <interface> are booked within three minutes
      Given two booking requests in <interface> made almost 3 minutes ago
      When the client creates a booking of both booking requests
      Then the booking succeeds

    @ages
    Scenario: A booking request in <interface> is booked after five minutes
      Given a booking request in <interface> made more than 5 minutes ago
      When the client creates a booking
      Then the service rejects the request
      And the status is observed as OPEN-88
      When the client creates a booking on deposit, where it may
      Then the service rejects the request
      When the client requests its flight again and books it
      Then the service books the flight, unless it is gone

    @ages
    Scenario: Neither a rejected booking nor another booking request prolongs a booking request in <interface>
      Given another booking request in <interface> made almost 3 minutes ago
      When the client makes mistakes in its booking, requests its flight again, and another organisation tries to book it
      And more than 5 minutes have passed since the booking request was made
      And the client creates a booking
      Then the service rejects the request

    @ages
    Scenario: The second of two booking requests in <interface> is booked after five minutes
      Given two booking requests in <interface> made more than 5 minutes ago
      When the client creates a booking of the second booking request only
      Then the service rejects the request

  @V23-BOOKINGS-UNKNOWN-REQUEST
  Rule: The service rejects a booking of an unknown booking request
    Source: v3, Errors
    "404: Not Found, data not found, e.g. a flight id that does not exist"

    Scenario: The booking request does not exist in <interface>
      Given a booking in <interface> that the service would accept
      When the client creates a booking of an unknown booking request
      Then the service rejects the request with 404 Not Found

  @V23-BOOKINGS-CONFLICT
  Rule: The service rejects a booking whose flight is sold out or whose price changed with 409 Conflict
    The status of a changed price is any 4xx, and to book it only warns: which difference is unacceptable is not documented.
    Source: v3, Errors
    "409: Conflict, not processed: flight no longer available or not in the cache, unacceptable price difference between
     request and booking"

    @situation
    Scenario: The flight is sold out in <interface>
      Given a pending booking request in <interface> for a flight that is sold out by the time of booking
      When the client creates a booking
      Then the service rejects the request with 409 Conflict

    @situation
    Scenario: The price has changed in <interface>
      Given a pending booking request in <interface> for a flight whose price changes by the time of booking
      When the client creates a booking
      Then the service should reject the request
      And the status is observed as OPEN-29

  @V23-3DS-FIELDS @both
  Rule: 3D Secure results are complete
    Source: v3, POST /v3/bookings / three_d_secure
    "three_d_secure (all required): version … electronic_commerce_indicator … cryptogram … transaction_id"

    Scenario: Members of the 3D Secure results are missing or wrong
      Given the service takes 3D Secure results
      Then the service rejects each value that the documents exclude

  @V23-3DS-VALUES @both
  Rule: 3D Secure results have a documented version and indicator, and a cryptogram of 28 characters
    Source: v3, POST /v3/bookings / three_d_secure
    "version (1.0.2, 2.1.0, 2.2.0); electronic_commerce_indicator (05 fully authenticated, 06 … 01 … 02 … cryptogram (20
     bytes base64, 28 characters)"

    Scenario: Wrong versions, indicators and cryptograms
      Given the service takes 3D Secure results
      Then the service rejects each value that the documents exclude

    Scenario: The indicator "02" of a full authentication is accepted in <interface>
      Given a booking in <interface> with 3D Secure results that the service would accept
      When the client sends the request with the 3D Secure indicator set to "02"
      Then the service books it, or rejects it because its card is not a Mastercard

    Scenario: A Mastercard is fully authenticated in <interface>
      Given a pending booking request in <interface>
      When the client creates a booking paid by a Mastercard and three_d_secure 1.0.2 with indicator 02
      Then the booking succeeds

  @V23-3DS-FAILED @both
  Rule: The service rejects a payment whose authentication failed or was only attempted
    Source: v3, POST /v3/bookings / three_d_secure
    "07 or 00 means failed, leave the object unset; 06 and 01 give a payment error"

    Scenario Outline: The indicator of a failed authentication is <value> in <interface>
      Given a booking in <interface> with 3D Secure results that the service would accept
      When the client sends the request with the 3D Secure indicator set to <value>
      Then the service rejects the request

      Examples:
        | interface | value |
        | v2        | "07"  |
        | v2        | "00"  |
        | v3        | "07"  |
        | v3        | "00"  |

    @unseen
    Scenario Outline: An authentication of version <version> was only attempted in <interface>, with indicator <value>
      Given a booking in <interface> with 3D Secure results that the service would accept
      When the client sends the request with version <version> and indicator <value> of 3D Secure, paid by <card>
      Then the service rejects the request

      Examples:
        | interface | version | value | card                           |
        | v2        | 1.0.2   | "06"  | a Mastercard                   |
        | v2        | 1.0.2   | "01"  | a card that needs verification |
        | v2        | 2.1.0   | "06"  | a card that needs verification |
        | v2        | 2.1.0   | "01"  | the same card                  |
        | v3        | 1.0.2   | "06"  | a Mastercard                   |
        | v3        | 1.0.2   | "01"  | a card that needs verification |
        | v3        | 2.1.0   | "06"  | a card that needs verification |
        | v3        | 2.1.0   | "01"  | the same card                  |

    @unseen
    Scenario: The indicator of an attempted authentication is "01" for two booking requests in <interface>
      Given a booking in <interface> of two booking requests with 3D Secure results that the service would accept
      When the client sends the request with the 3D Secure indicator set to "01"
      Then the service rejects the request

  @V23-BOOKING-FIELDS
  Rule: A booking has its ids, reference, status, booker, passengers, prices and flight
    Source: v3, Resources and their fields / Booking
    "request_id: integer … cp_reference: string … status: string … first_name, last_name, gender, email, phonenumber:
     string … passengers: array … flight: flight"

    Scenario: Members of every booking
      Then the booking has its ids, reference, status, booker, passengers, prices and flight

    Scenario: A booking with two infants is created in <interface>
      Given flights in <interface> that are sold to infants
      When the client requests one for two adults and two infants
      And the client books it, if it was accepted
      And the client retrieves the booking
      Then the booking has its ids, reference, status, booker, passengers, prices and flight
      And the booking contains the infants as infants

  @V23-BOOKING-STATUS
  Rule: The status of a booking is AWAITING_PNR_AIRLINE, CONFIRMED, CANCELED or CHANGED
    A new booking that is CANCELED or CHANGED only warns (OPEN-11).
    Source: v3, States and transitions
    "Booking status values: AWAITING_PNR_AIRLINE, CONFIRMED, CANCELED, CHANGED."

    Scenario: Statuses of every booking
      Then the status of the booking is AWAITING_PNR_AIRLINE, CONFIRMED, CANCELED or CHANGED

  @V23-PASSENGER-RECORD
  Rule: A passenger record has its ids, names, flags and dates
    Source: v3, Resources and their fields / Passenger record
    "id, booking_id, gender, last_name, first_name, is_infant (boolean), date_of_birth, nationality, confirmed
     (boolean), confirmed_at, canceled (boolean), canceled_at"

    Scenario: The passengers of a booking are retrieved in <interface>
      Given a booking in <interface> of a family
      When the client retrieves the booking
      Then the booking contains the infants as infants
      And every passenger record has its ids, names, flags and dates
      And only absent values of the passenger records are null

    Scenario: Two bookings are created at the same time in <interface>
      When the client searches, requests, books and retrieves flights in <interface>, two at the same time each
      Then every passenger record has its ids, names, flags and dates

    Scenario: The passengers of a booking send different optional fields in <interface>
      When the client books a family in <interface> whose members send some of the optional fields each
      Then the booking succeeds
      And every passenger record has its ids, names, flags and dates
      And only absent values of the passenger records are null

  @V23-EXTERNAL-ID
  Rule: A booking has the external id that the client sent
    Source: v3, Resources and their fields / Booking
    "external_id: string, client-side id sent at booking"
    About: a booking with an external id

    Scenario: External ids of every booking
      Then the booking has the external id that the client sent

    @second-organisation
    Scenario: Another organisation sends the same external id in <interface>
      Given a booking in <interface>
      When the second organisation books another booking request with the same external id
      Then the booking succeeds

  @V23-LOCATOR
  Rule: A booking is confirmed when the airline's record locator arrives
    The record locator may take longer than two hours (OPEN-39).
    Source: v3, States and transitions; v3, POST /v3/bookings
    "AWAITING_PNR_AIRLINE: airline record locator received, generally within two hours, CONFIRMED, pnr_airline
     populated"

    @ages
    Scenario: A booking in <interface> is retrieved twice after two hours
      Given a booking in <interface> made more than two hours ago
      When the client retrieves the booking
      Then the booking should be confirmed with a record locator
      When the client retrieves the booking
      Then the booking should be confirmed with a record locator

    @situation
    Scenario: A charter flight is booked in <interface>
      When the client books a charter flight in <interface>
      Then the booking should be confirmed immediately

  @V23-LOOK-UP @both
  Rule: The service returns bookings by their reference
    Source: v3, GET /v3/bookings
    "Returns {bookings: [...]} with one or two bookings (round trip), each with flight (original), final_flight
     (current) and flight_changes"

    Scenario: A booking is retrieved in <interface>
      Given a booking in <interface>
      When the client retrieves the booking
      Then the response contains the booking
      And the booking has the values that it was created with
      And the type of every booking is outward, return or null

    @situation
    Scenario: The bookings of a round-trip fare are retrieved
      Given a round-trip fare search that finds fares
      When the client creates a booking request for the first fare
      And the client books both flights and retrieves the bookings
      Then the response contains the booking
      And the type of every booking is outward, return or null

    Scenario: The reference is missing in <interface>
      Given a booking in <interface>
      When the client retrieves bookings without a reference
      Then the service rejects the request with 400 Bad Request

  @V23-LOOK-UP-UNKNOWN
  Rule: The service returns no booking for an unknown reference
    A service that ignores the case of a reference only warns.
    Source: v3, Errors
    "404: Not Found, data not found, e.g. a flight id that does not exist"

    Scenario: The reference does not exist in <interface>
      Given a booking in <interface>
      When the client retrieves the bookings of an unknown reference
      Then the response contains no booking
      And the status is observed as OPEN-92

    Scenario: The reference is empty in <interface>
      Given a booking in <interface>
      When the client retrieves the bookings of an empty reference
      Then the response contains no booking

    Scenario Outline: A booking in <interface> is retrieved by its reference <that differs>
      Given a booking in <interface>
      When the client retrieves the bookings of the reference <that differs>
      Then the response does not contain the booking

      Examples:
        | interface | that differs                  |
        | v2        | without its last character    |
        | v2        | followed by another character |
        | v3        | without its last character    |
        | v3        | followed by another character |

    Scenario: A booking in <interface> is retrieved by its reference in the other case
      Given a booking in <interface>
      When the client retrieves the bookings of the reference in the other case
      Then the response should not contain the booking

  @V23-CONFIRMATION-EMAIL @excluded
  Rule: The customer receives a confirmation e-mail with the tickets
    Excluded: the e-mail arrives in the customer's mailbox, and no interface shows it.
    Source: v3, What the service does; v3, Events
    "A successful booking triggers a confirmation e-mail with ticket(s) to the customer."

  @V23-PASSENGER-WEBSITE @excluded
  Rule: Passengers find their reservation on a website by the booking reference
    Excluded: the website is not described, and no interface shows it.
    Source: v3, What the service does; v3, Resources and their fields / Booking
    "the customer … can look up the reservation on a passenger website with the booking reference."
