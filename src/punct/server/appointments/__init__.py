"""Appointments: live games that two players far apart arrange for a date, and that begin when both are there."""
