"""Calendar feeds: a player's deadlines, under a secret address."""
