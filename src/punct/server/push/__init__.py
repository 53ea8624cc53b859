"""Web Push: messages to browsers whose page is closed."""
