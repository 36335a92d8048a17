"""The memory of v4: offers, orders and reservations."""
