"""Run features/v4/get_order.feature: Get Order."""
