@v3
Feature: Cancel booking requests
  POST /v3/requests/{request_id}/cancel cancels a pending booking request.

  @V3-CANCEL-NEW-FLOW
  Rule: After a cancellation a new flow can start with the same flight
    Source: v3, States and transitions

    Scenario: A flight is requested again after a cancellation
      Given a cancelled booking request in v3
      When the client requests its flight again
      Then the service accepts a new booking request
