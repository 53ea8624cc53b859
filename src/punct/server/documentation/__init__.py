"""The documentation's site, and the routes that serve it."""
