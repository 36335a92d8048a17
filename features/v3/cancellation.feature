@v3
Feature: Cancel booking requests
  POST /v3/requests/{request_id}/cancel cancels a pending booking request.

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
