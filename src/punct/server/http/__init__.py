"""HTTP: bodies, errors, headers, rate limits, trusted proxies."""
