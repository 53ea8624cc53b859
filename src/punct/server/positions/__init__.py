"""Views of any position: what a client needs to draw it and to enter a move."""
