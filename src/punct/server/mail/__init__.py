"""Mail: players' addresses, single messages, the daily digest, and links that verify, reset and unsubscribe."""
