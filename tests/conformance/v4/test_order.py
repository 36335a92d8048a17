"""Run features/v4/order.feature: Create Order."""
