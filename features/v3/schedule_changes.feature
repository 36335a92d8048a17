@v2 @v3
Feature: Schedule changes of a booking
  GET /v3/bookings and GET /v2/bookings show the flight that was booked, the flight as it is now, and what changed.

  @V23-FLIGHT-CHANGES
  Rule: A schedule change lists what changed, by segment, with the flight as it is now
    A flight that differs from its schedule changes only warns: how they combine and take effect is open (OPEN-13).
    Source: v3, Resources and their fields / Flight change; v3, Events
    "data: object with oldFlight and newFlight, listing only keys that changed, plus flight_id"

    @situation @ages
    Scenario: A booking whose schedule changed is retrieved in <interface>
      Given a booking in <interface> whose schedule changed a while ago
      When the client retrieves the booking
      Then the booking lists the schedule change of its flight
      And the original and the current flight have the values of its schedule changes
      And every schedule change lists its keys by segment
      When the client retrieves the booking
      Then every schedule change lists its keys by segment
      When a day passes, where the clock can be moved
      And the client retrieves the booking
      Then every schedule change lists its keys by segment
