"""Run features/v4/reservation.feature: Get Reservation."""
