#!/bin/sh
# judge.sh AIRWORTHY_COMMAND [IDS...]: measure again; without IDS also the correct recordings (correct.out) and RESULTS.md
cd "$(dirname "$0")" || exit 2
[ $# -ge 1 ] || { echo "usage: judge.sh AIRWORTHY_COMMAND [IDS...]" >&2; exit 2; }
[ $# -gt 1 ] || python3 correct_audit.py "$1" > correct.out 2>&1
exec python3 plant.py "$@"
