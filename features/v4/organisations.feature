@v4
Feature: Offers of another organisation
  Each organisation has a key of its own. The rules about fares, orders and reservations of another organisation are part of
  the features of their operations.

  @V4-OFFER-FOREIGN
  Rule: Baggage options and orders of an offer are for its own organisation only
    A deviation is a warning: the documents speak only of the fares of a foreign offer (OPEN-58).
    Source: v4, Errors
    "Get All Fares returns 200 with an empty fares array for a missing, expired or foreign offer."

    @second-organisation
    Scenario: Another organisation retrieves the baggage options of the offer
      Given a stored offer for 1 adult, 0 children and 0 infants
      When the second organisation retrieves the baggage options of the offer
      Then the response should contain no baggage options

    @second-organisation
    Scenario: Another organisation creates an order from the offer
      Given an order request that the service accepts
      When the second organisation sends the request
      Then the service should reject the request
