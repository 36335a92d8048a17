"""Airworthy's addons for mitmproxy; ``airworthy.py`` is the script that loads them."""
