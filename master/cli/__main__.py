"""`python -m master.cli` is `manyply`."""

from master.cli import main

main()
