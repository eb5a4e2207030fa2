"""What can go wrong with a Redis server at start, in words that say the way out."""

from shared.errors import StartupProblem


class RedisStartError(StartupProblem):
    """No Redis could be found, started or reached; the text says what to do."""
