"""What a terminal can show."""

from typing import TextIO


def shows(stream: TextIO, signs: str) -> bool:
    """Whether these signs arrive there as they are: a locale without UTF-8 lacks most of what is drawn."""
    try:
        signs.encode(stream.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True
