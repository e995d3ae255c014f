"""The words of the page, in English, by their keys: for tests that are about what is said and not how."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any, Final

_MESSAGES: Final = Path(__file__).parents[2] / "web" / "messages"


@cache
def _all() -> dict[str, Any]:
    found: dict[str, Any] = {}
    for part in ("board", "shell", "practice"):
        found |= json.loads((_MESSAGES / f"{part}.en.json").read_text())
    return found


def said(key: str, **values: object) -> str:
    """What the page says there."""
    text = _all()[key]
    if isinstance(text, list):  # one form for one, another for all other numbers
        one, more = text[0]["match"].values()
        text = one if values["n"] == 1 else more
    for name, value in values.items():
        text = text.replace(f"{{{name}}}", str(value))
    assert isinstance(text, str)
    return text
