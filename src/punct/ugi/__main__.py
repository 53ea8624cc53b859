"""``python -m punct.ugi`` talks UGI, without loading the rest of the command line."""

import sys

from punct.ugi.engine import main

try:
    main()
except KeyboardInterrupt:  # Ctrl-C in the terminal of whoever started it
    sys.exit(130)
