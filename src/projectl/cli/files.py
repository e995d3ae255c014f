"""Reading records and card packs; naming the file in every error."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from projectl.core.cards import Card, Pack, all_tiles, parse_pack, shipped_cards
from projectl.core.errors import ProjectLError, Unreadable
from projectl.game import Game
from projectl.header import Replaced
from projectl.record import MOST_BYTES, decode, replay


class Located(ProjectLError):
    """An error as `FILE:LINE: …`."""

    def __str__(self) -> str:
        file = self.file if self.file and self.file.isprintable() else repr(self.file)
        place = f"{file}:{self.line}" if self.line else file
        return f"{place}: {self.kind}: {self.sentence}"


def locate(error: ProjectLError, file: str) -> Located:
    """The same error, with the file it is about."""
    found = Located(error.code, error.sentence, line=error.line, field=error.field, file=error.file or file)
    found.kind = error.kind
    return found


@contextmanager
def named(file: str) -> Iterator[None]:
    """Errors inside say which file they are about."""
    try:
        yield
    except ProjectLError as error:
        raise (error if isinstance(error, Located) else locate(error, file)) from None


def _read(file: str) -> bytes:
    """At most as much as a record may have, and one byte more to tell."""
    try:
        if file == "-":
            return sys.stdin.buffer.read(MOST_BYTES + 1)
        with Path(file).open("rb") as stream:
            return stream.read(MOST_BYTES + 1)
    except OSError as error:
        raise Unreadable("file", f"the file cannot be read: {error.strerror}") from None
    except (AttributeError, ValueError):  # standard input is closed, or the name holds a zero byte
        raise Unreadable("file", "the file cannot be read") from None


def read_text(file: str) -> str:
    """The text of a record file; `-` is standard input."""
    return decode(_read(file))


def load_game(file: str, packs: list[str]) -> Game:
    """Replay a record file; `-` is standard input."""
    replaced = replacing(load_packs(packs))
    with named(file):
        return replay(read_text(file), replaced)


def write_picture(path: Path, drawn: str) -> None:
    """Put a picture (SVG) into a file."""
    try:
        path.write_text(drawn, encoding="utf-8")
    except OSError as error:
        raise Unreadable("svg", f"the picture {path} cannot be written: {error.strerror}") from None


def load_packs(files: list[str]) -> list[Pack]:
    """Card packs by path."""
    found: list[Pack] = []
    for file in files:
        with named(file):
            found.append(parse_pack(decode(_read(file)), file))
    return found


def replacing(packs: list[Pack]) -> Replaced:
    """The shipped cards and tiles with designed ones replaced by those of packs with the same id."""
    cards = {card.id: card for pack in packs for card in pack.cards}
    tiles = {tile.id: tile for pack in packs for tile in pack.tiles}
    new_cards = tuple(cards.get(card.id, card) for card in shipped_cards())
    new_tiles = tuple(tiles.get(tile.id, tile) for tile in all_tiles())
    return Replaced(
        new_cards if new_cards != shipped_cards() else (),
        new_tiles if new_tiles != all_tiles() else (),
        " + ".join(pack.name for pack in packs),
    )


def adding(packs: list[Pack]) -> tuple[Card, ...]:
    """The packs' cards with ids of their own, to be written into a header as `card:` lines."""
    taken = {card.id for card in shipped_cards()}
    found: dict[str, Card] = {}
    for pack in packs:
        for card in pack.cards:
            if card.id in found:
                raise Unreadable("card-id-taken", f"two packs have a card {card.id}")
            if card.id not in taken:
                found[card.id] = card
    return tuple(found.values())
