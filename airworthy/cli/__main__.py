"""Run the command line with ``python -m airworthy.cli``, where the ``airworthy`` script is not on the path."""

from airworthy.cli import main

main()
