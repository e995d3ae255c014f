"""Random secrets, and the hashes that are stored and shown in their place."""

import hashlib
import re
import secrets
from typing import Final

KEY: Final = re.compile(r"[A-Za-z0-9_-]{32,64}")


def new_key() -> str:
    """A key for a browser or a program, or an invitation: 192 random bits."""
    return secrets.token_urlsafe(24)


def new_game_id() -> str:
    """An id that nobody guesses: whoever has it may watch."""
    return secrets.token_urlsafe(12)


def new_seed() -> str:
    """A seed of 192 random bits."""
    return secrets.token_hex(24)


def hashed(key: str) -> str:
    """What is stored of a key. The key is random, so a plain hash cannot be searched backwards."""
    return hashlib.sha256(b"projectl/key/" + key.encode()).hexdigest()


def fair_hash(seed: str, salt: str) -> str:
    """The promise that is shown at the start: SHA-256 of `projectl/1/fair/SALT/SEED`."""
    return hashlib.sha256(f"projectl/1/fair/{salt}/{seed}".encode()).hexdigest()
