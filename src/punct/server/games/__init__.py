"""Games: setting them up, playing them, storing them, watching them."""
