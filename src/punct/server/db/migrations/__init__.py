"""Steps from one shape of the tables to the next, run when the server starts."""
