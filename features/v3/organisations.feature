@v2 @v3
Feature: Booking requests and bookings of another organisation
  Each organisation has a token of its own. The documents do not say what it may do with what belongs to another one.

  @V23-FOREIGN
  Rule: Booking requests and bookings are for their own organisation only
    A deviation is a warning: the documents do not speak of other organisations.
    Source: v3, Authentication
    "A customer code identifies the distributor (an online travel agency) in the service; it is sent at every step"

    @second-organisation
    Scenario: Another organisation cancels a booking request in v3
      Given a pending booking request in v3
      When the second organisation cancels the booking request
      Then the cancellation should fail
      When the client creates a booking
      Then the service should still book the booking request

    @second-organisation
    Scenario: Another organisation books a booking request in <interface>
      Given a pending booking request in <interface>
      When the second organisation creates a booking
      Then the service should reject the request
      When the second organisation books a booking request of its own together with it
      Then the service should not book it
      When the client creates a booking
      Then the service should still book the booking request

    @second-organisation
    Scenario: Another organisation retrieves a booking in <interface>
      Given a booking in <interface>
      When the second organisation retrieves the booking
      Then the response should not contain the booking
