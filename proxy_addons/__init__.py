"""Airworthy's addons for mitmproxy, one class per file; ``airworthy.py`` is the script that loads them."""
