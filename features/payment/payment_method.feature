@payment
Feature: Create a payment method
  The client sends card data to the payment provider, and its id to the service.

  @PAYMENT-METHOD-FIELDS @client
  Rule: A payment method is created from the card's number, expiry and type
    Source: v3, External step: create a payment method
    "Fields: card[number] (string, no separators, required), card[exp_month] (number, two digits, required),
     card[exp_year] (number, four digits, required), … type (string, card, required)"

    Scenario Outline: <field> is missing
      Given a documented exchange of createPaymentMethod
      When the client leaves the form field <field> out
      Then the traffic check reports this violation only

      Examples:
        | field           |
        | card[number]    |
        | card[exp_month] |
        | card[exp_year]  |
        | type            |

    Scenario Outline: <field> is "<value>"
      Given a documented exchange of createPaymentMethod
      When the client sends the form field <field> as "<value>"
      Then the traffic check reports this violation only

      Examples:
        | field           | value               |
        | card[number]    | 4242 4242 4242 4242 |
        | card[exp_year]  | 29                  |
        | card[exp_month] | January             |
        | type            | sepa_debit          |

    Scenario: The card's verification code is missing
      Given a documented exchange of createPaymentMethod
      When the client leaves the form field card[cvc] out
      Then the traffic check reports nothing

  @PAYMENT-METHOD-ID
  Rule: The id of a payment method begins with pm_
    Source: v3, External step: create a payment method
    "The response contains id beginning pm_."
    Optional: the status codes of the provider are not documented (OPEN-100).

    Scenario: A payment method is created
      When the client creates a payment method of an accepted card
      Then the id of the payment method begins with pm_

  @PAYMENT-METHOD-TOKEN @client
  Rule: The user name of the payment method request is the restricted token
    Source: v3, External step: create a payment method
    "authenticated with the restricted provider token issued by the operator (sent as basic-auth user name, empty
     password)"

    Scenario: The token is missing
      Given a documented exchange of createPaymentMethod
      When the client leaves the header Authorization out
      Then the traffic check reports this violation only

    Scenario: The token has a password
      Given a documented exchange of createPaymentMethod
      When the client sends the header Authorization as "Basic cmtfdGVzdDpzZWNyZXQ="
      Then the traffic check reports this violation only

    Scenario: The service's key is sent
      Given a documented exchange of confirmOrder, then one of createPaymentMethod
      When the client sends the service's key to the payment provider
      Then the traffic check reports this violation only
