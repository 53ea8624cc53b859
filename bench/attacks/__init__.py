"""What ``make attack`` tries: a module for each side that a server is attacked from."""
