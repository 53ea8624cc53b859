"""``python -m punct.ugi`` talks UGI, without loading the rest of the command line."""

from punct.ugi.engine import main

main()
