"""mitmproxy's side of Airworthy: small addons, one class a file. `mitmdump -s proxy_addons/airworthy.py` loads them all."""
