"""Run a command in a process group of its own, to be killed with its children: ``run_as_group.py COMMAND``."""

import os
import sys

if __name__ == "__main__":
    os.setpgrp()
    os.execvp(sys.argv[1], sys.argv[1:])
