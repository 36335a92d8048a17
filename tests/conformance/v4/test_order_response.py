"""Run features/v4/order_response.feature: Orders in responses."""
