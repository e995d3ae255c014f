"""Reading records and card packs; naming the file in every error."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from projectl.core.cards import Card, Pack, parse_pack, shipped_cards
from projectl.core.errors import ProjectLError, Unreadable
from projectl.record import MOST_BYTES, Game, decode, replay


class Located(ProjectLError):
    """An error as `FILE:LINE: …`."""

    def __init__(self, error: ProjectLError, file: str) -> None:
        super().__init__(error.code, error.sentence, line=error.line, field=error.field, file=error.file or file)
        self.kind = error.kind

    def __str__(self) -> str:
        return f"{self.file}:{self.line or 1}: {self.kind}: {self.sentence}"


@contextmanager
def named(file: str) -> Iterator[None]:
    """Errors inside say which file they are about."""
    try:
        yield
    except ProjectLError as error:
        raise (error if isinstance(error, Located) else Located(error, file)) from None


def _read(file: str) -> bytes:
    """At most as much as a record may have, and one byte more to tell."""
    if file == "-":
        return sys.stdin.buffer.read(MOST_BYTES + 1)
    try:
        with Path(file).open("rb") as stream:
            return stream.read(MOST_BYTES + 1)
    except OSError as error:
        raise Unreadable("file", f"the file cannot be read: {error.strerror}", line=1) from None


def load_game(file: str, packs: list[str]) -> Game:
    """Replay a record file; `-` is standard input."""
    replaced = replacing(load_packs(packs))
    with named(file):
        return replay(decode(_read(file)), replaced)


def load_packs(files: list[str]) -> list[Pack]:
    """Card packs by path."""
    found: list[Pack] = []
    for file in files:
        with named(file):
            found.append(parse_pack(decode(_read(file)), file))
    return found


def replacing(packs: list[Pack]) -> tuple[Card, ...]:
    """The shipped cards with the designed ones replaced by a pack's; empty where none is.

    A pack replaces a designed card by giving one of the same id. Printed cards stay as they are.
    """
    given = {card.id: card for pack in packs for card in pack.cards}
    cards = tuple(
        given[card.id] if card.source == "designed" and card.id in given else card for card in shipped_cards()
    )
    return cards if cards != shipped_cards() else ()


def adding(packs: list[Pack]) -> tuple[Card, ...]:
    """The packs' cards with ids of their own, to be written into a header as `card:` lines."""
    taken = {card.id: card for card in shipped_cards()}
    found: list[Card] = []
    for pack in packs:
        for card in pack.cards:
            if card.id in taken and taken[card.id].source == "printed":
                raise Unreadable("card-id-taken", f"{card.id} is a printed card and cannot be replaced", line=1)
            if card.id not in taken:
                found.append(card)
    return tuple(found)
