"""The scenarios of the go-live list; only ``airworthy certify partner`` runs them."""
