@v4
Feature: Responses that must agree
  Consecutive responses agree on an offer, its fares and its prices.

  @V4-SEARCH-CITIES
  Rule: A search between cities finds flights between their airports
    A deviation only warns: how many offers a search returns is not documented (OPEN-77).
    Source: v4, POST /search; v4, Resources and their fields / Enumerations
    "Supports airport and city codes."

    @situation
    Scenario: A search between cities is compared with one between two of their airports
      Given a search between cities that finds offers
      When the client searches between the airports of one of the offers
      Then the search should find offers too

  @V4-BAGGAGE-FARES
  Rule: Baggage options are listed for fares of their offer
    A deviation only warns: how Get Fares names the fares is not documented (OPEN-03).
    Source: v4, Resources and their fields / Baggage option (Get Baggage); v4, GET /offer/{offerId}/fares
    "Returns all available fares of the offer."

    Scenario: Fares of every baggage option
      Given the service sells paid baggage
      Then the baggage options are listed for fares of the offer

  @V4-BAGGAGE-PRICE
  Rule: The price per piece of an order is that of its baggage option
    The price may be a member of the item or of the selection (OPEN-44). On an item with bags in both directions it is
    compared if both have the same price.
    Source: v4, Resources and their fields / Baggage option (Get Baggage); v4, Resources and their fields / Order
    "selectedBaggage: array, as sent, each item additionally has pricePerPiece (money) in the response"

    Scenario: The order is for another fare than the cheapest
      Given an order request that the service accepts
      When the client sends the request with another fare of the offer and one of its bags
      Then the price per piece of the order is that of its baggage option
