"""Public files of finished games, one for each month, if the operator wants them."""
