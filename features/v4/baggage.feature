@v4
Feature: Get Baggage
  GET /offer/{offerId}/baggage lists the paid baggage options of an offer.

  @V4-BAGGAGE-OPTIONS
  Rule: Baggage options are listed by fare and segment, with pieces, kilos and price
    Source: v4, Resources and their fields / Baggage option (Get Baggage)
    "Each option: type (CHECK_IN or CABIN), maxPiecesPerPassenger (integer), maxKilosPerPiece (integer), pricePerPiece
     (money)."
    Optional: a service need not sell baggage.

    Scenario: The baggage of a stored offer is retrieved
      Given a stored offer for 1 adult, 0 children and 0 infants
      When the client retrieves the baggage options of the offer
      Then the service accepts the request
      And every baggage option has a type, pieces, kilos and a price
      And the inbound baggage options of one-way offers are observed as OPEN-58

    @situation
    Scenario: The baggage of an offer without paid baggage is retrieved
      Given a stored offer without paid baggage
      When the client retrieves the baggage options of the offer
      Then the service accepts the request
      And every baggage option has a type, pieces, kilos and a price

  @V4-BAGGAGE-TYPE
  Rule: Paid baggage is CHECK_IN or CABIN
    Source: v4, Resources and their fields / Enumerations
    "Baggage type: CHECK_IN, CABIN"
    Optional: a service need not sell baggage.

    Scenario: The types of the baggage of a stored offer are retrieved
      Given a stored offer for 1 adult, 0 children and 0 infants
      When the client retrieves the baggage options of the offer
      Then the type of every baggage option is CHECK_IN or CABIN

  @V4-BAGGAGE-UNKNOWN-OFFER
  Rule: The service responds with 404 Not Found to a request for the baggage of an unknown offer
    Source: v4, Errors
    "404: Not Found, offer, order or reservation not found"

    Scenario: The baggage of an offer that does not exist is retrieved
      Given a stored offer for 1 adult, 0 children and 0 infants
      When the client retrieves the baggage options of an unknown offer
      Then the service rejects the request with 404 Not Found

    @ages
    Scenario: The baggage of an expired offer is retrieved
      Given an offer stored more than 30 minutes ago
      When the client retrieves the baggage options of the offer
      Then the service does not respond with a 5xx status
      And the status is observed as OPEN-58
