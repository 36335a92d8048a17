"""``python -m airworthy.cli``, for where the ``airworthy`` script is not on the path."""

from airworthy.cli import main

main()
