"""What can go wrong with a Redis server at start, in words that say the way out."""


class RedisStartError(Exception):
    """No Redis could be found, started or reached; the text says what to do."""
