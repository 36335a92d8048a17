@client
Feature: Safe integration
  What an integration has to do so that it neither breaks with the next release nor books or charges twice.

  Background:
    Given the recorded traffic of a partner

  @GOLIVE-REQUESTS
  Rule: Every request of the client conforms to the contract, apart from what other items check
    Violations that belong to another item of this list count there.
    Source: all rules of the documents that bind clients, except those that other items check; v3/v2 document, Errors
    "400: Bad Request, payload does not match the request signature"
    Source of v4: all rules of the document that bind clients, except those that other items check; v4 document, Errors
    "400: Bad Request, payload does not match the expected schema"
    Show: Send requests to the service.

    Scenario: Requests without violations
      Then no request violates a rule that binds clients and that no other item checks
      And it shows requests that were judged

  @GOLIVE-NO-DRIFT
  Rule: The client uses the current names, values and paths
    An unknown field is only noted, because the documents do not forbid it (OPEN-46, OPEN-47).
    Source: v3/v2 document, Versioning
    "/requests requires passengers and bags; flights is renamed flight_ids; is_infant is dropped; bag prices come back in
     bags_fee."
    Source of v4: v4 document, Versioning
    "v4 replaces the flight/request/booking model with offers/orders/reservations."
    Show: Send requests to the service.

    Scenario: Requests without drift
      Then no request uses a name, value or path of an earlier revision
      And it shows requests that were judged

  @GOLIVE-ONE-VERSION
  Rule: The client uses ids, names and paths only in the version that they belong to
    A client may integrate several versions, side by side. Versions 1.0 and 1.1 are removed.
    Source: v4 document, Versioning, items 1 and 2
    "v4 is a separate integration from v2/v3."
    Show: Send requests to the service.

    Scenario: Requests of one version
      Then no request names a removed version or uses what another version created
      And it shows requests that were judged

  @GOLIVE-NO-DEPRECATED
  Rule: The client uses no deprecated operations or fields
    Source: v4 document, Versioning, item 5; v3/v2 document, POST /v3/flights/verify and v2 endpoints
    "POST /v3/flights/verify is deprecated; it is no longer maintained from 25 September 2026"
    Show: Send requests to the service.

    Scenario: Requests without deprecated operations
      Then no request uses a deprecated operation or field
      And it shows requests that were judged

  @GOLIVE-NO-CARD-DATA
  Rule: The client sends no card data to the service
    Source: v3/v2 document, What the service does
    "The service … may not hold card data, so the client obtains a payment method id from that provider and sends the id."
    Source of v4: v4 document, What the service does
    "by card (processed through an external payment provider, with card data never sent to the service)"
    Show: Send requests to the service.

    Scenario: Requests without card data
      Then no request to the service contains card data
      And it shows requests that were judged

  @GOLIVE-CUSTOMER-CODE
  Rule: The client sends its customer code where it is required
    Source: v3/v2 document, Authentication, item 4
    "it is sent at every step (search optional, request and booking required in v3)."
    Source of v4: v4 document, Authentication, item 4
    "customerCode is a body field of Search Offers and Get Offer only; other v4 endpoints do not accept it."
    Show of v4: Send customerCode with POST /v4/search and POST /v4/offer, and nowhere else.
    Show of v3: Send customer_code with POST /v3/requests and POST /v3/bookings.
    Show of v2: Send customer_code or customer_data with POST /v2/bookings.

    Scenario: Requests with a customer code
      Then no request lacks a required customer code
      And it shows requests with a customer code

  @GOLIVE-TEST-CREDENTIALS
  Rule: The client uses test credentials only
    Source: v3/v2 document, What the service does, Test mode
    "Test mode: test tokens work on demo flights without charges"
    Source of v4: v4 document, What the service does
    "Test credentials are issued for the integration period and work on demo flights without real charges or bookings."
    Show: Name the test key, token and customer code that the operator issued, and the test token of the payment provider ([payment] token), in a profile with environment = "test", record with airworthy proxy --profile FILE, and judge the recording with the same profile.

    Scenario: Requests with test credentials
      Then no accepted request has other credentials
      And it shows requests with test credentials

  @GOLIVE-BOOK-ONCE
  Rule: The client does not confirm an order, or book a booking request, that is booked already
    Source: v3/v2 document, Errors (409)
    "409: Conflict, not processed: … flight already booked"
    Source of v4: v4 document, POST /order/{orderId}/confirm
    "An order can be confirmed once."
    Show: Make a booking.

    Scenario: One confirmation for each order
      Then no request books again what a response has shown as booked
      And it shows a booking

  @GOLIVE-SAFE-RETRY
  Rule: After a booking without a clear response, the client does not book the same again
    A response with status 5xx, or no response, leaves open whether the booking was made.
    Source: Airworthy's advice for a safe integration; v3/v2 document, Errors (409)
    "409: Conflict, not processed: … flight already booked"
    Source of v4: Airworthy's advice for a safe integration; v4 document, States and transitions
    "duplicate confirmation is rejected; it does not create a status"
    Show of v4: Confirm an order whose response is lost or has status 5xx; then read it with GET /v4/order/{orderId}, find its reservation, or confirm the same order again. In the sandbox, the first confirmation of an order from MAD to VLC books and responds with 504.
    Show of v3: Book a booking request whose response is lost or has status 5xx; then send the same request_ids again instead of creating new booking requests. In the sandbox, the first booking from MAD to VLC books and responds with 504.
    Show of v2: Book a booking request whose response is lost or has status 5xx; then send the same requests again instead of creating new booking requests. In the sandbox, the first booking from MAD to VLC books and responds with 504.

    Scenario: A retry after an unclear response
      Then no retry books the same flights again for the same passengers
      And it shows a safe reaction to an unclear response

  @GOLIVE-FAILED-PAYMENT
  Rule: The client handles a failed payment
    Source: v3/v2 document, States and transitions (aborted)
    "request: failed payment, payment fails, aborted, booking on an aborted request gives 403; restart the flow"
    Source of v4: v4 document, States and transitions
    "OPEN: Confirm Order, confirmation fails, FAILED"
    Needs: card
    Show of v4: Confirm an order with a card that is declined, such as 4000000000000002 in the sandbox; then confirm it with another payment, or order the same flights again for the same passengers, until the booking succeeds.
    Show of v3: Book with a card that is declined, such as 4000000000000002 in the sandbox; then start again with POST /v3/requests for the same flight and passengers, and book it.
    Show of v2: Book with a card that is declined, such as 4000000000000002 in the sandbox; then start again with POST /v2/requests for the same flight, and book it for the same passengers.

    Scenario: A booking after a failed payment
      Then no request books what a failed payment has aborted
      And it shows a reaction to a failed payment

  @GOLIVE-3DS
  Rule: The client sends the results of 3-D Secure
    The documents leave 3-D Secure optional; without it, a card that requires authentication cannot pay.
    Source: Airworthy's advice for a safe integration; v3/v2 document, POST /v3/bookings
    "three_d_secure: object, optional unless self_psp, 3D Secure results"
    Source of v4: Airworthy's advice for a safe integration; v4 document, POST /order/{orderId}/confirm
    "three_d_secure: object, optional; allowed only together with payment_method"
    Needs: three_d_secure
    Show of v4: Confirm an order with payment_method and a complete three_d_secure object, or with a payment_intent_id after a 406 for the same order. A payment that the client authenticates before its first confirmation does not show it, because payment intents are not part of the recording. The card 4000002760003184 in the sandbox requires authentication.
    Show of v3: Book with payment_method and a complete three_d_secure object. The card 4000002760003184 in the sandbox requires authentication.
    Show of v2: Book with payment_method and a complete three_d_secure object. The card 4000002760003184 in the sandbox requires authentication.

    Scenario: A payment with 3-D Secure
      Then no request sends incomplete or failed results of 3-D Secure
      And it shows a booking that was paid with 3-D Secure

  @GOLIVE-EXPIRY
  Rule: The client starts again when its offer or booking request has expired
    Source: v3/v2 document, Limits, Request lifetime
    "Request lifetime: 3 minutes (overview) or 5 minutes (v3 endpoint note), requests"
    Source of v4: v4 document, Limits, Offer retention
    "Offer retention: 30 minutes after Get Offer, Create Order"
    Show of v4: Let an offer expire (30 minutes and 5 seconds; POST /sandbox/clock in the sandbox); then get a new offer for the same flights and numbers of passengers, and create an order from it.
    Show of v3: Let a booking request expire (5 minutes and 5 seconds; POST /sandbox/clock in the sandbox); then create a new one for the same flight and passengers, and book it.
    Show of v2: Let a booking request expire (5 minutes and 5 seconds; POST /sandbox/clock in the sandbox); then create a new one for the same flight and passengers, and book it.

    Scenario: A booking after an expiry
      Then no request uses an expired offer or booking request
      And it shows a new offer or booking request in place of an expired one

  @GOLIVE-RETRIEVAL
  Rule: The client retrieves what it booked
    That is how a client learns of schedule changes and of the state of an order.
    Source: v3/v2 document, Events
    "Clients poll; no push mechanism is described for v2 or v3."
    Source of v4: v4 document, Events
    "Order status changes are observed by reading Get Order."
    Show of v4: After a confirmation, read GET /v4/order/{orderId} or the reservation.
    Show of v3: After a booking, read GET /v3/bookings with its cp_reference.
    Show of v2: After a booking, read GET /v2/bookings with its cp_reference.

    Scenario: A retrieved booking
      Then it shows the retrieval of a booking

  @GOLIVE-LOCATOR
  Rule: The client obtains the record locator
    Source: v3/v2 document, POST /v3/bookings
    "for non-charter flights the airline record locator can take up to two hours, so poll GET bookings until pnr_airline is
     populated."
    Source of v4: v4 document, Resources and their fields, Reservation
    "pnr: string, booking reference"
    Show of v4: Read the reservation of a booked order, which contains its pnr.
    Show of v3: Poll GET /v3/bookings until pnr_airline is populated, or for at least a minute.
    Show of v2: Poll GET /v2/bookings until pnr_airline is populated, or for at least a minute.

    Scenario: A record locator
      Then it shows that the client obtains or polls for the record locator
