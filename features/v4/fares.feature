@v4
Feature: Get Fares
  GET /offer/{offerId}/fares returns all available fares of an offer.

  @V4-FARES-LIVE
  Rule: The fares of a live offer are answered
    The shape of the answer is not described (OPEN-03).
    Source: v4, GET /offer/{offerId}/fares

    Scenario: The fares of a stored offer are read
      Given a stored offer for 1 adult, 0 children and 0 infants
      When its fares are read
      Then it is answered
      And the service keeps this rule
      And the shape of the fares is observed as OPEN-03

  @V4-FARES-MISSING
  Rule: A missing offer has an empty array of fares
    Source: v4, GET /offer/{offerId}/fares; v4, Errors / Exceptions

    Scenario: The fares of an offer that does not exist are read
      Given a stored offer for 1 adult, 0 children and 0 infants
      When the fares of an unknown offer are read
      Then it is answered with an empty array of fares

  @V4-FARES-EXPIRED
  Rule: An expired offer has an empty array of fares
    Source: v4, GET /offer/{offerId}/fares; v4, Errors / Exceptions

    @ages
    Scenario: The fares of an expired offer are read
      Given an offer stored more than 30 minutes ago
      When its fares are read
      Then it is answered with an empty array of fares

  @V4-FARES-FOREIGN
  Rule: The offer of another user has an empty array of fares
    Source: v4, GET /offer/{offerId}/fares; v4, Errors / Exceptions

    @second-organisation
    Scenario: The fares of another organisation's offer are read
      Given a stored offer for 1 adult, 0 children and 0 infants
      When the second organisation reads its fares
      Then it is answered with an empty array of fares
