"""What a player writes down in a game: notes, and variations on a board of their own. Nobody else ever sees them."""
