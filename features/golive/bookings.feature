@client
Feature: Go-live bookings
  The test bookings that a partner makes before its integration goes live. The v3/v2 document lists them; the v4
  document has no such list, and there the same bookings are advice.

  Background:
    Given the recorded traffic of a partner

  @GOLIVE-ADULTS
  Rule: The client books for several adults
    Source: v3/v2 document, What the service does, Going live
    "Going live: send test bookings covering several adults and infants"
    Source of v4: Airworthy's advice for a safe integration, by analogy with v3
    Show: Make a booking for at least {adults} adults, such as MAD to PMI in the sandbox.
    Show of v4: Make a booking for at least {adults} adults, such as MAD to BCN in the sandbox.

    Scenario: A booking for several adults
      Then it shows a booking for several adults

  @GOLIVE-INFANTS
  Rule: The client books for infants
    Source: v3/v2 document, What the service does, Going live
    "Going live: send test bookings covering several adults and infants"
    Source of v4: Airworthy's advice for a safe integration, by analogy with v3
    Needs: infants
    Show: Make a booking with infants, at least {infants} of them, each under two years old on the day of departure.

    Scenario: A booking with infants
      Then it shows a booking with infants

  @GOLIVE-CHECKED-BAGS
  Rule: The client books checked bags
    Source: v3/v2 document, What the service does, Going live
    "Going live: send test bookings covering … with and without checked bags"
    Source of v4: Airworthy's advice for a safe integration, by analogy with v3
    Needs: checked_bags
    Show of v4: Confirm an order that selects at least one piece of CHECK_IN baggage.
    Show of v3: Book a booking request with quantity 1 or more of a checked option in bags.
    Show of v2: Book with quantity 1 or more of an option in luggage.

    Scenario: A booking with checked bags
      Then it shows a booking with checked bags

  @GOLIVE-NO-CHECKED-BAGS
  Rule: The client books without checked bags
    Source: v3/v2 document, What the service does, Going live
    "Going live: send test bookings covering … with and without checked bags"
    Source of v4: Airworthy's advice for a safe integration, by analogy with v3
    Show of v4: Confirm an order that selects no CHECK_IN baggage.
    Show of v3: Book a booking request with quantity 0 of every checked option in bags.
    Show of v2: Book with quantity 0 of every option in luggage.

    Scenario: A booking without checked bags
      Then it shows a booking without checked bags

  @GOLIVE-CABIN-BAGS @v3 @v4
  Rule: The client books cabin bags
    v2 has no cabin bags.
    Source: v3/v2 document, What the service does, Going live
    "Going live: send test bookings covering … with and without cabin bags"
    Source of v4: Airworthy's advice for a safe integration, by analogy with v3
    Needs: cabin_bags
    Show of v4: Confirm an order that selects at least one piece of CABIN baggage.
    Show of v3: Book a booking request with quantity 1 or more of a cabin option in bags.

    Scenario: A booking with cabin bags
      Then it shows a booking with cabin bags

  @GOLIVE-NO-CABIN-BAGS @v3 @v4
  Rule: The client books without cabin bags
    v2 has no cabin bags.
    Source: v3/v2 document, What the service does, Going live
    "Going live: send test bookings covering … with and without cabin bags"
    Source of v4: Airworthy's advice for a safe integration, by analogy with v3
    Show of v4: Confirm an order that selects no CABIN baggage.
    Show of v3: Book a booking request with quantity 0 of every cabin option in bags.

    Scenario: A booking without cabin bags
      Then it shows a booking without cabin bags

  @GOLIVE-CHILDREN @optional
  Rule: The client books for children
    The documents do not name children; an operator can add this item.
    Source: Airworthy's advice for a safe integration; v3/v2 document, Booking request
    "passengers: object, adults, children, infants (integers)"
    Source of v4: Airworthy's advice for a safe integration; v4 document, Enumerations
    "Passenger type (current): adult, child, infant (infant = under 2 years)"
    Needs: children
    Show: Make a booking with at least one child, from two to eleven years old on the day of departure.

    Scenario: A booking with children
      Then it shows a booking with children

  @GOLIVE-ROUND-TRIP @v3 @v4 @optional
  Rule: The client books a round trip
    The documents do not name round trips; an operator can add this item.
    Source: Airworthy's advice for a safe integration; v3/v2 document, What the service does
    "v3 sells one-way fares always and round-trip fares sometimes"
    Source of v4: Airworthy's advice for a safe integration; v4 document, What the service does
    "It sells one-way and round-trip itineraries in a single cabin class (ECONOMY) and a single currency (EUR)."
    Show of v4: Confirm an order for an offer of tripType ROUND_TRIP.
    Show of v3: Book two booking requests, outward and return, with one POST /v3/bookings.

    Scenario: A booking of a round trip
      Then it shows a booking of a round trip
