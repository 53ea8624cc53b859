"""Webhooks: addresses of players that are called with what they are told, as for a chat."""
