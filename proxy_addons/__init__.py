"""mitmproxy's side of Airworthy: small addons, one class a file; ``airworthy.py`` is the script that loads them."""
