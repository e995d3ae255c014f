"""Random secrets, and the hashes that are stored and shown in their place."""

import base64
import hashlib
import hmac
import re
import secrets
from collections.abc import Mapping
from typing import Final

KEY: Final = re.compile(r"[A-Za-z0-9_-]{32,64}")


_SIGNED: Final = 32  # letters of a key; its signature follows


def new_key() -> str:
    """A key without a signature, as invitations are: 192 random bits."""
    return secrets.token_urlsafe(24)


class Keys:
    """Keys for browsers and programs. Each is signed with the store's secret: nobody issues them but this server."""

    def __init__(self, secret: str) -> None:
        self._secret = secret.encode()

    def new(self) -> str:
        """A key that nobody has."""
        key = new_key()
        return key + self._signature(key)

    def issued(self, key: str | None) -> bool:
        """Whether it came from here."""
        if key is None:
            return False
        return hmac.compare_digest(key[_SIGNED:], self._signature(key[:_SIGNED]))

    def _signature(self, key: str) -> str:
        return base64.urlsafe_b64encode(hmac.digest(self._secret, key.encode(), "sha256")[:12]).decode()


def new_game_id() -> str:
    """An id that nobody guesses: whoever has it may watch."""
    return secrets.token_urlsafe(12)


def new_seed() -> str:
    """A seed of 192 random bits."""
    return secrets.token_hex(24)


def hashed(key: str) -> str:
    """What is stored of a key. The key is random, so a plain hash cannot be searched backwards."""
    return hashlib.sha256(b"projectl/key/" + key.encode()).hexdigest()


def dealt_seed(promised: str, luck: Mapping[int, str]) -> str:
    """The seed that deals: the promised one, and what seats put into the shuffle, if they did.

    SHA-256 of a line `projectl/1/deal/SEED` and a line `SEAT TEXT` for each of them, by seat.
    """
    if not luck:
        return promised
    lines = [f"projectl/1/deal/{promised}", *(f"{seat} {luck[seat]}" for seat in sorted(luck))]
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()


def fair_hash(seed: str, salt: str) -> str:
    """The promise that is shown at the start: SHA-256 of `projectl/1/fair/SALT/SEED`."""
    return hashlib.sha256(f"projectl/1/fair/{salt}/{seed}".encode()).hexdigest()
