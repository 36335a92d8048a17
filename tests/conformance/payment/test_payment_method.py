"""Run features/payment/payment_method.feature: Create a payment method."""
