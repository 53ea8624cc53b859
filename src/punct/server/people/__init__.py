"""Who plays online: guests, account holders, their sessions and tokens, and how strong they are. No JSON, no web."""
