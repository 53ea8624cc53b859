"""Calendar feeds: a player's deadlines and dates, under a secret address."""
