"""``python -m punct.ugi`` talks UGI, without loading the rest of the command line."""

import sys

from punct.ugi.engine import main

try:
    main()
except KeyboardInterrupt:  # Ctrl-C in the terminal it runs in
    sys.exit(130)
