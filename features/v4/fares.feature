@v4
Feature: Get Fares
  GET /offer/{offerId}/fares returns all available fares of an offer.

  @V4-FARES-LIVE
  Rule: The service returns the fares of a live offer
    The structure of the response is not documented (OPEN-03).
    Source: v4, GET /offer/{offerId}/fares
    "Returns all available fares of the offer."

    Scenario: The fares of a stored offer are retrieved
      Given a stored offer for 1 adult, 0 children and 0 infants
      When the client retrieves the fares of the offer
      Then the service accepts the request
      And the response contains the fares of the offer
      And the shape of the fares is observed as OPEN-03

  @V4-FARES-MISSING
  Rule: The service returns an empty array of fares for an unknown offer
    Source: v4, GET /offer/{offerId}/fares; v4, Errors / Exceptions
    "When the offer is missing, expired or belongs to another user, the response is 200 with an empty fares array, not
     an error."

    Scenario: The fares of an offer that does not exist are retrieved
      Given a stored offer for 1 adult, 0 children and 0 infants
      When the client retrieves the fares of an unknown offer
      Then the response contains an empty array of fares

  @V4-FARES-EXPIRED
  Rule: The service returns an empty array of fares for an expired offer
    Source: v4, GET /offer/{offerId}/fares; v4, Errors / Exceptions
    "When the offer is missing, expired or belongs to another user, the response is 200 with an empty fares array, not
     an error."

    @ages
    Scenario Outline: The fares of <an offer or order> are retrieved
      Given <an offer or order>
      When the client retrieves the fares of the offer
      Then the response contains an empty array of fares

      Examples:
        | an offer or order                                                      |
        | an offer stored more than 30 minutes ago                               |
        | an order created in time from an offer stored more than 30 minutes ago |
        | an order booked in time from an offer stored more than 30 minutes ago  |

  @V4-FARES-FOREIGN
  Rule: The service returns an empty array of fares for the offer of another user
    Source: v4, GET /offer/{offerId}/fares; v4, Errors / Exceptions
    "When the offer is missing, expired or belongs to another user, the response is 200 with an empty fares array, not
     an error."

    @second-organisation
    Scenario: Another organisation retrieves the fares of an open round-trip order
      Given an open round-trip order
      When the second organisation retrieves the fares of the offer
      Then the response contains an empty array of fares

    @second-organisation
    Scenario: Another organisation that has an offer of the same flights retrieves the fares
      Given a stored offer for 1 adult, 0 children and 0 infants
      When the second organisation requests the same flights
      And the second organisation retrieves the fares of the offer
      Then the response contains an empty array of fares
