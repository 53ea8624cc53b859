"""Bots: any program that speaks UGI, as a player on a server."""

from punct.bot.player import Bot, Preferences
from punct.bot.remote import Remote, RemoteError

__all__ = ["Bot", "Preferences", "Remote", "RemoteError"]
