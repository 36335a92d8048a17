@v4
Feature: Get Offer
  POST /offer verifies an itinerary with the supplier, stores the offer for 30 minutes and returns it whole.

  @V4-OFFER-REQUIRED @both
  Rule: An offer request contains its passengers, trip type, customer code and outbound segment
    Source: v4, POST /offer
    "Body: adults, children, infants, tripType, travelClass (optional, default ECONOMY) as in search; customerCode
     (string, required); outboundSegment (required)"

    Scenario: Members of an offer request are missing or wrong
      Then the service rejects each value that the documents exclude

  @V4-OFFER-ADULTS @both
  Rule: An offer is for one to nine adults
    Source: v4, POST /offer; v4, Limits
    "adults: 1..9, Search Offers, Get Offer"

    Scenario: Wrong numbers of adults
      Then the service rejects each value that the documents exclude

    Scenario: An offer for nine adults is accepted
      Given an itinerary with seats for 9 adults
      When the client requests the offer of that itinerary
      Then the service accepts the request

  @V4-OFFER-CHILDREN @both
  Rule: An offer is for zero to nine children
    A service may limit the sum of the passengers (OPEN-55).
    Source: v4, POST /offer; v4, Limits
    "children: 0..9, Search Offers, Get Offer"

    Scenario: Wrong numbers of children
      Then the service rejects each value that the documents exclude

    Scenario: An offer for an adult and up to eight children is accepted
      Given an itinerary with seats for 1 adult and at most 8 children
      When the client requests the offer of that itinerary
      Then the service accepts the request

  @V4-OFFER-INFANTS @both
  Rule: An offer is for no more infants than adults
    Source: v4, POST /offer; v4, Limits
    "infants: 0..number of adults, Search Offers, Get Offer"

    Scenario: Wrong numbers of infants
      Then the service rejects each value that the documents exclude

    Scenario Outline: <an offer request> is rejected with two infants
      Given <an offer request> that the service accepts
      When the client sends the request with infants set to 2
      Then the service rejects the request

      Examples:
        | an offer request                         |
        | an offer request                         |
        | an offer request for 1 adult, 2 children |
        | a round-trip offer request               |

    Scenario: An offer for as many infants as adults is accepted
      Given an itinerary with seats for at most 9 adults with an infant each
      When the client requests the offer of that itinerary
      Then the service accepts the request

  @V4-OFFER-TRIP-TYPE @both
  Rule: The trip type of an offer request is ONE_WAY or ROUND_TRIP
    Source: v4, Resources and their fields / Enumerations
    "tripType: ONE_WAY, ROUND_TRIP"

    Scenario: Wrong trip types
      Then the service rejects each value that the documents exclude

  @V4-OFFER-INBOUND @both
  Rule: A round-trip offer request names its inbound segment
    Source: v4, POST /offer
    "outboundSegment (required) and inboundSegment (required for ROUND_TRIP, otherwise null)."

    Scenario: The inbound segment is wrong
      Given the service sells round trips
      Then the service rejects each value that the documents exclude

  @V4-OFFER-SECTION @both
  Rule: A requested section names its airports, times and carriers
    Source: v4, POST /offer
    "origin: string, required … destination: string, required … departureDate: string, required … arrivalDate: string,
     required … operatingCarrierCode: string, required … marketingCarrierCode: string, required"

    Scenario: Members of a section are missing or wrong
      Then the service rejects each value that the documents exclude

    Scenario: The travel class of a section is missing
      Given an offer request that the service accepts
      When the client sends the request without the travel class of the first section
      Then the service accepts the request

  @V4-OFFER-FLIGHT-NUMBER @both
  Rule: A requested flight number has one to four digits
    Source: v4, POST /offer; v4, Limits
    "Flight number: 1 to 4 digits, Get Offer"

    Scenario: Wrong flight numbers
      Then the service rejects each value that the documents exclude

  @V4-OFFER-FIELDS
  Rule: A stored offer has its id, segments, cheapest fare, additional information and payment options
    Source: v4, Resources and their fields / Offer; v4, POST /offer
    "Response 200: offer (Get Offer form: id, segments with terminals, cheapestFare,
     providerAdditionalPassengerInformationByPassengerType, paymentOptions)."

    Scenario: An offer is stored
      When the client requests an offer for 1 adult, 0 children and 0 infants
      Then the offer has an id, segments, a cheapest fare, additional information and payment options
      And the inbound segment of one-way offers is observed as OPEN-02
      And the relation of the two offer ids is observed as OPEN-57
      And the available seats in stored offers are observed as OPEN-46

    @situation
    Scenario: A connecting offer is stored
      When the client requests an offer of connecting flights
      Then the offer has an id, segments, a cheapest fare, additional information and payment options

  @V4-OFFER-CHEAPEST-FARE
  Rule: The cheapest fare has its id, pricing, included baggage and total price
    A cheaper fare in the response of Get Fares is a warning (OPEN-03).
    Source: v4, Resources and their fields / Fare (as returned by Get Offer)
    "id: UUID, the fareId used by Create Order … passengerPricingByPassengerType: object … includedBaggage: array …
     totalPrice: money"

    Scenario: Cheapest fares of every offer
      Then the cheapest fare has an id, pricing, included baggage and a total price

  @V4-OFFER-INCLUDED-BAGGAGE
  Rule: Included baggage has a quantity, a descriptor and a type
    Source: v4, Resources and their fields / Fare (as returned by Get Offer)
    "includedBaggage: array, items: quantity (integer), descriptor (weight in kg; for cabin also dimensions with width,
     height, depth), type (CHECK_IN or CABIN)"
    Optional: the documents do not say that every fare includes baggage.

    Scenario: An offer is stored with its included baggage
      When the client requests an offer for 1 adult, 0 children and 0 infants
      Then the included baggage has a quantity, a descriptor and a type
      And the descriptors of included baggage are observed as OPEN-62

  @V4-OFFER-ADDITIONAL-INFORMATION
  Rule: An offer lists by passenger type the identification types and fields that the supplier requires
    A missing entry for a child or an infant of the offer is a warning.
    Source: v4, Resources and their fields / Offer; v4, Resources and their fields / Enumerations
    "keys are passenger types; each value has providerIdentificationTypeOptions (array of identification types) and
     providerRequiredAdditionalFields (array of field names, e.g. BIRTH_DATE)"
    Optional: a supplier may require nothing, and list nothing (OPEN-43, OPEN-68).

    Scenario: An offer is stored for a family
      When the client requests an offer for 2 adults, 1 child and 1 infant
      Then the offer lists identification types and required fields by passenger type
      And the names of required additional fields are observed as OPEN-68

    @situation
    Scenario: An offer that requires identification is stored
      When the client requests an offer that requires identification
      Then the offer lists identification types and required fields by passenger type

  @V4-OFFER-ROUND-TRIP
  Rule: A stored round-trip offer has an inbound segment
    The structure of the inbound segment is not documented (OPEN-02).
    Source: v4, Resources and their fields / Section
    "outboundSegment is always present; inboundSegment exists for round trips"

    Scenario: A round-trip offer is stored
      When the client requests a round-trip offer
      Then the offer has an inbound segment
      And the structure of the inbound segment is observed as OPEN-02

  @V4-OFFER-PASSENGER-COUNT
  Rule: The cheapest fare is priced for the requested passengers
    Source: v4, Resources and their fields / Fare
    "keys adult, child, infant; each value has fareAmount (money), taxAmount (money), numberOfPassengers (integer)"

    Scenario: An offer is priced for a family
      When the client requests an offer for 2 adults, 1 child and 1 infant
      Then the cheapest fare is priced for the requested passengers

    Scenario: A round trip is priced for two children and two infants
      When the client requests a round-trip offer for 3 adults, 2 children and 2 infants
      Then the cheapest fare is priced for the requested passengers

  @V4-OFFER-RETENTION
  Rule: The service stores an offer for 30 minutes
    A first order that does not find it only warns: the offer may be sold out, and the status of that is open (OPEN-73).
    Source: v4, States and transitions; v4, Limits
    "Offer retention: 30 minutes after Get Offer, Create Order"

    @ages
    Scenario: An order is created from an offer shortly before its 30 minutes are over
      Given an offer stored almost 30 minutes ago
      When the client creates an order from the offer
      Then the order is open

    @ages
    Scenario: An order of a round trip is created shortly before the 30 minutes of its offer are over
      Given a round-trip offer stored almost 30 minutes ago
      When the client creates an order from the offer
      Then the order is open

  @V4-OFFER-UNAVAILABLE
  Rule: The service rejects an itinerary that is no longer available with a documented error
    The status code is not documented; the service may also return the changed price (OPEN-56).
    Source: v4, POST /offer; v4, Errors
    "Verifies availability and price with the supplier, stores the offer for 30 minutes and returns the full offer."

    @situation
    Scenario: The itinerary was sold out after the search
      Given an itinerary that is sold out by the time of Get Offer
      When the client requests the offer of that itinerary
      Then the service rejects the request
      And the status is observed as OPEN-56

    Scenario: Nobody sells the itinerary
      Given an offer request that the service accepts
      When the client sends the request with the flight number of the first section set to "9999"
      Then the service does not respond with a 5xx status
      And the status is observed as OPEN-56

    @situation
    Scenario: The price changed after the search
      Given an itinerary whose price changes by the time of Get Offer
      When the client requests the offer of that itinerary
      Then the service does not respond with a 5xx status
      And the status is observed as OPEN-56
