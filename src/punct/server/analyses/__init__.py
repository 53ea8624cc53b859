"""Shared analyses, and reviews of games."""
