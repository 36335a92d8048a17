@payment
Feature: Create a payment method
  The client sends card data to the payment provider, and its id to the service.

  @PAYMENT-METHOD-FIELDS @client
  Rule: A payment method is created from the card's number, expiry and type
    Source: v3, External step: create a payment method
    "Fields: card[number] (string, no separators, required), card[exp_month] (number, two digits, required),
     card[exp_year] (number, four digits, required), … type (string, card, required)"

    Scenario Outline: The client <sends a form>
      Given a documented exchange of createPaymentMethod
      When the client <sends a form>
      Then the traffic check <judgement>

      Examples:
        | sends a form                                               | judgement                   |
        | leaves the form field card[number] out                     | reports this violation only |
        | leaves the form field card[exp_month] out                  | reports this violation only |
        | leaves the form field card[exp_year] out                   | reports this violation only |
        | leaves the form field type out                             | reports this violation only |
        | sends the form field card[number] as "4242 4242 4242 4242" | reports this violation only |
        | sends the form field card[exp_year] as "29"                | reports this violation only |
        | sends the form field card[exp_month] as "January"          | reports this violation only |
        | sends the form field type as "sepa_debit"                  | reports this violation only |
        | leaves the form field card[cvc] out                        | reports nothing             |

  @PAYMENT-METHOD-ID
  Rule: The id of a payment method begins with pm_
    Source: v3, External step: create a payment method
    "The response contains id beginning pm_."

    Scenario: A payment method is created
      When the client creates a payment method of an accepted card
      Then the id of the payment method begins with pm_

    Scenario: A payment method is created without the security code of its card
      The provider may require the code, as it does of accounts in Europe.

      When the client creates a payment method of an accepted card without its code
      Then the id of the payment method begins with pm_

  @PAYMENT-METHOD-TOKEN @client
  Rule: The user name of the payment method request is the restricted token
    Source: v3, External step: create a payment method
    "authenticated with the restricted provider token issued by the operator (sent as basic-auth user name, empty
     password)"

    Scenario Outline: After <exchanges>, the client <sends a wrong token>
      Given a documented exchange of <exchanges>
      When the client <sends a wrong token>
      Then the traffic check reports this violation only

      Examples:
        | exchanges                                     | sends a wrong token                                            |
        | createPaymentMethod                           | leaves the header Authorization out                            |
        | createPaymentMethod                           | sends the header Authorization as "Basic cmtfdGVzdDpzZWNyZXQ=" |
        | confirmOrder, then one of createPaymentMethod | sends the service's key to the payment provider                |
