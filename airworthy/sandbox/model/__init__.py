"""What the sandbox has: flights, seats, organisations, situations and a clock."""
