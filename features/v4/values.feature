@v4
Feature: Values in answers
  Identifiers, money, sections and fares have one form in every answer of v4.

  @V4-IDENTIFIERS
  Rule: Offers, fares, orders and reservations are identified by UUIDs
    Source: v4, Resources and their fields / Conventions

    Scenario: Identifiers in every answer
      When a trip is searched, offered, ordered, booked and read
      Then the service keeps this rule

  @V4-MONEY
  Rule: Money is an amount with its currency
    Source: v4, Resources and their fields / Conventions

    Scenario: Money in every answer
      When a trip is searched, offered, ordered, booked and read
      Then the service keeps this rule

  @V4-CURRENCY
  Rule: Every price is in EUR
    Source: v4, Resources and their fields / Conventions; v4, Limits

    Scenario: Currencies in every answer
      When a trip is searched, offered, ordered, booked and read
      Then the service keeps this rule

  @V4-SECTION-FIELDS
  Rule: A section says from where to where, when, by whom and in which class it flies
    Source: v4, Resources and their fields / Section

    Scenario: Sections in every answer
      When a trip is searched, offered, ordered, booked and read
      Then the service keeps this rule

  @V4-SECTION-AIRPORTS
  Rule: The ends of a section are IATA airport codes
    Source: v4, Resources and their fields / Section

    Scenario: Airports in every answer
      When a trip is searched, offered, ordered, booked and read
      Then the service keeps this rule

    @situation
    Scenario: A city is searched
      Given a search between cities that the service answers
      Then the service keeps this rule

  @V4-SECTION-CARRIERS
  Rule: The carriers of a section are two-letter IATA codes
    A designator may hold a digit (OPEN-64).
    Source: v4, Resources and their fields / Section

    Scenario: Carriers in every answer
      When a trip is searched, offered, ordered, booked and read
      Then the service keeps this rule

  @V4-SECTION-TIMES
  Rule: Sections leave and arrive at local times without a zone
    Source: v4, Resources and their fields / Conventions

    Scenario: Times in every answer
      When a trip is searched, offered, ordered, booked and read
      Then the service keeps this rule

  @V4-SECTION-FLIGHT-NUMBER
  Rule: A flight number has one to four digits
    Source: v4, Resources and their fields / Section

    Scenario: Flight numbers in every answer
      When a trip is searched, offered, ordered, booked and read
      Then the service keeps this rule

  @V4-SECTION-TRAVEL-CLASS
  Rule: Sections are sold in ECONOMY only
    Source: v4, Resources and their fields / Section; v4, Limits

    Scenario: Travel classes in every answer
      When a trip is searched, offered, ordered, booked and read
      Then the service keeps this rule

  @V4-SECTION-AVAILABLE-SEATS
  Rule: A section in a search result says how many seats are available
    Source: v4, Resources and their fields / Section

    Scenario: Flights are searched
      Given a search that the service answers
      Then the service keeps this rule

  @V4-TECHNICAL-STOPS
  Rule: Technical stops are an array
    Their elements are not described, and they may be left out (OPEN-01).
    Source: v4, Resources and their fields / Section

    Scenario: Technical stops in every answer
      When a trip is searched, offered, ordered, booked and read
      Then the service keeps this rule
      And the form of the technical stops is observed as OPEN-01

  @V4-PRICING
  Rule: A fare is priced by passenger type
    Keys are adult, child and infant; each has a fare amount, a tax amount and a number of passengers.
    Source: v4, Resources and their fields / Fare

    Scenario: Pricing in every answer
      When a trip is searched, offered, ordered, booked and read
      Then the service keeps this rule

    Scenario: A family is offered
      Given a stored offer for 2 adults, 1 child and 1 infant
      Then the service keeps this rule
      And the pricing keys of absent passenger types are observed as OPEN-63

  @V4-PAYMENT-OPTIONS
  Rule: A payment option is card or balance, with its fee
    The fee may be left out (OPEN-36).
    Source: v4, Resources and their fields / Offer

    Scenario: Flights are searched and offered
      Given a stored offer for 1 adult, 0 children and 0 infants
      Then the service keeps this rule
      And the fees of the payment options are observed as OPEN-36
