"""The wire: routes, schemas, and what every request passes; the only place that knows JSON."""
