"""Accounts: login, passwords, passkeys, tokens, deletion; and players as others see them."""
