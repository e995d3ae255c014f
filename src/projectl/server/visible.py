"""What strangers write, as others are to see it."""

import unicodedata
from typing import Final

_JOINERS: Final = frozenset("\u200c\u200d")  # some scripts and many pictures are written with them
_BLANK: Final = frozenset("\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")  # letters and signs drawn as nothing
_SEEN: Final = frozenset("LNPS")  # letters, numbers, punctuation, symbols: what else there is stands on one of them


def seen(text: str) -> str:
    """Without signs that show nothing, or turn round what stands beside them; nothing, if nothing would be seen."""
    kept = "".join(sign for sign in text if sign in _JOINERS or not _hidden(sign)).strip()
    return kept if any(unicodedata.category(sign)[0] in _SEEN for sign in kept) else ""


def _hidden(sign: str) -> bool:
    return sign in _BLANK or unicodedata.category(sign) in ("Cf", "Zl", "Zp")
