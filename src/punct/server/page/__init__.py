"""The built page, and the routes that serve it."""
