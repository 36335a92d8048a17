"""The target under examination: its profile, the client that talks to it, its clock, what must age, what was made."""
