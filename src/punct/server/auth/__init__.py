"""Authentication: sessions, tokens, CSRF, who makes a request, and what they may ask for."""
