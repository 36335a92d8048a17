@v4
Feature: Get Baggage
  GET /offer/{offerId}/baggage lists the paid baggage options of an offer.

  @V4-BAGGAGE-OPTIONS
  Rule: Baggage is offered by fare and segment, with pieces, kilos and price
    Source: v4, Resources and their fields / Baggage option (Get Baggage)

    Scenario: The baggage of a stored offer is read
      Given a stored offer for 1 adult, 0 children and 0 infants
      When its baggage is read
      Then it is answered
      And the service keeps this rule
      And the inbound baggage options of one-way offers are observed as OPEN-58

    Scenario: The baggage of a stored round-trip offer is read
      Given a stored round-trip offer
      When its baggage is read
      Then it is answered
      And the service keeps this rule

    @situation
    Scenario: The baggage of an offer without paid baggage is read
      Given a stored offer without paid baggage
      When its baggage is read
      Then it is answered
      And the service keeps this rule

  @V4-BAGGAGE-TYPE
  Rule: Paid baggage is CHECK_IN or CABIN
    Source: v4, Resources and their fields / Enumerations

    Scenario: The types of the baggage of a stored offer are read
      Given a stored offer for 1 adult, 0 children and 0 infants
      When its baggage is read
      Then the service keeps this rule

  @V4-BAGGAGE-UNKNOWN-OFFER
  Rule: The baggage of an offer that does not exist is Not Found
    Source: v4, Errors

    Scenario: The baggage of an offer that does not exist is read
      Given a stored offer for 1 adult, 0 children and 0 infants
      When the baggage of an unknown offer is read
      Then it is refused as Not Found

    @ages
    Scenario: The baggage of an expired offer is read
      Given an offer stored more than 30 minutes ago
      When its baggage is read
      Then no error of the service is answered
      And the status is observed as OPEN-58
