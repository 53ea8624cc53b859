"""Games being played: judged by the rules, stored, and only then told."""
