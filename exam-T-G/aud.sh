#!/bin/sh
# aud.sh COMMAND FILE: judge one recording
exec "$1" audit "$2" --base-url https://api.skyhub.example --payment-provider https://pay.provider.example --jobs 1 --format jsonl
