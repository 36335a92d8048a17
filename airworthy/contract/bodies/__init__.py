"""JSON bodies: their values, what is wrong in them, and the words for it."""
