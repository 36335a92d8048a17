"""The pages and the control interface of the sandbox."""
