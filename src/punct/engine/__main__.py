"""``python -m punct.engine`` talks UGI, without loading the rest of the command line."""

from punct.engine.ugi import main

main()
