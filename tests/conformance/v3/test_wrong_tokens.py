"""Run features/v3/wrong_tokens.feature: Wrong tokens in every form."""
