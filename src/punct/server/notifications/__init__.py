"""Notifications: what players are told who are not looking at the page."""
