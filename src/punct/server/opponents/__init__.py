"""Computers in seats: who thinks when, in processes of their own."""
