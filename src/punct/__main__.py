"""``python -m punct``: the command line, where its script is not on the path."""

from punct.cli import main

main()
