@v4
Feature: Values in responses
  Identifiers, money, sections and fares have the same form in every response of v4.

  @V4-IDENTIFIERS
  Rule: Offers, fares, orders and reservations are identified by UUIDs
    One id does not identify two things; the same request may return the same id again (OPEN-73).
    Source: v4, Resources and their fields / Conventions
    "Identifiers of offer, fare, order, reservation: UUID strings"

    Scenario: Identifiers in every response
      Then every offer, fare, order and reservation is identified by a UUID

    Scenario: Different things in all responses
      Then no two offers, orders or reservations have the same id

  @V4-MONEY
  Rule: Money is an amount with its currency
    Source: v4, Resources and their fields / Conventions
    "Money object: amount (number), currency (string, only EUR)"

    Scenario: Money in every response
      Then every amount has a currency

  @V4-CURRENCY
  Rule: Every price is in EUR
    Source: v4, Resources and their fields / Conventions; v4, Limits
    "Currency: EUR only, all"

    Scenario: Currencies in every response
      Then every price is in EUR

  @V4-SECTION-FIELDS
  Rule: A section has its airports, times, flight number, carriers and travel class
    Source: v4, Resources and their fields / Section
    "origin: string … destination: string … departureDate: string … arrivalDate: string … travelClass: string …
     flightNumber: string … operatingCarrierCode: string … marketingCarrierCode: string"

    Scenario: Sections in every response
      Then every section has its airports, times, flight number, carriers and travel class

  @V4-SECTION-AIRPORTS
  Rule: The origin and the destination of a section are IATA airport codes
    Source: v4, Resources and their fields / Section
    "origin: string, IATA airport code … destination: string, IATA airport code"

    Scenario: Airports in every response
      Then every origin and destination of a section is an IATA airport code

  @V4-SECTION-CARRIERS
  Rule: The carriers of a section are two-character IATA codes
    A code may contain a digit (OPEN-64).
    Source: v4, Resources and their fields / Section
    "operatingCarrierCode: string, 2-letter IATA … marketingCarrierCode: string, 2-letter IATA"

    Scenario: Carriers in every response
      Then every carrier is a two-character IATA code

  @V4-SECTION-TIMES
  Rule: The times of a section are local times without a time zone
    Source: v4, Resources and their fields / Conventions
    "Date-time in sections: YYYY-MM-DDTHH:mm:ss, no zone designator"

    Scenario: Times in every response
      Then every departure and arrival is a local time without a time zone

  @V4-SECTION-FLIGHT-NUMBER
  Rule: A flight number has one to four digits
    Source: v4, Resources and their fields / Section
    "flightNumber: string, 1 to 4 digits"

    Scenario: Flight numbers in every response
      Then every flight number has one to four digits

  @V4-SECTION-TRAVEL-CLASS
  Rule: The travel class of a section is ECONOMY
    Source: v4, Resources and their fields / Section; v4, Limits
    "travelClass: string, ECONOMY"

    Scenario: Travel classes in every response
      Then the travel class of every section is ECONOMY

  @V4-SECTION-AVAILABLE-SEATS
  Rule: A section in a search result shows its available seats
    Source: v4, Resources and their fields / Section
    "availableSeats: integer, search results only"
    Optional: availableSeats may be null (OPEN-48).

    Scenario: Flights are searched for their seats
      When the client sends a search
      Then every section shows its available seats

  @V4-TECHNICAL-STOPS
  Rule: Technical stops are an array
    The elements are not documented, and the array may be absent or null (OPEN-01, OPEN-48).
    Source: v4, Resources and their fields / Section
    "technicalStops: array, element shape: not shown"
    Optional: technicalStops may be absent or null (OPEN-01, OPEN-48).

    Scenario: Technical stops in every response
      When the client uses every operation once
      Then the technical stops of every section are an array
      And the form of the technical stops is observed as OPEN-01

  @V4-PRICING
  Rule: A fare is priced by passenger type
    Keys are adult, child and infant; each has a fare amount, a tax amount and a number of passengers.
    Source: v4, Resources and their fields / Fare
    "keys adult, child, infant; each value has fareAmount (money), taxAmount (money), numberOfPassengers (integer)"

    Scenario: Pricing in every response
      Then every fare has a price for each passenger type

    Scenario: A family is offered
      When the client requests an offer for 2 adults, 1 child and 1 infant
      Then every fare has a price for each passenger type
      And the pricing keys of absent passenger types are observed as OPEN-63

  @V4-PAYMENT-OPTIONS
  Rule: A payment option is card or balance and has a fee
    The fee may be absent (OPEN-36).
    Source: v4, Resources and their fields / Offer
    "paymentOptions: array, items: type (card or balance), fee (money)"
    Optional: an offer may list no payment option (OPEN-36).

    Scenario: Flights are searched and offered
      When the client requests an offer for 1 adult, 0 children and 0 infants
      Then every payment option is card or balance and has a fee
      And the fees of the payment options are observed as OPEN-36
