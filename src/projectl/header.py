"""What stands above the first action of a record: the rules, the seed, the names, cards laid out by hand."""

import re
from hashlib import sha256
from typing import Final, NamedTuple
from unicodedata import category

from projectl.core.cards import Card, Tile, all_tiles, shipped_cards, tile_text
from projectl.core.errors import Unreadable
from projectl.core.rules import Rules
from projectl.core.setup import Named, new_game
from projectl.core.state import State

FORMAT: Final = "1"
COMMENT: Final = re.compile(r"(?:^|(?<=\s))#.*", re.DOTALL)  # of a line, from its sign on
_NEVER: Final = ("Cc", "Cs", "Zl", "Zp")  # control characters, halves of letters, ends of lines
_MEANINGS: Final = str.maketrans("|#", "/♯")


class Replaced(NamedTuple):
    """What card packs put in place of the shipped cards and tiles: all of them, or nothing."""

    cards: tuple[Card, ...] = ()
    tiles: tuple[Tile, ...] = ()
    name: str = ""  # of the packs

    def checksum(self) -> str:
        """Tells what is replaced by what; empty where nothing is."""
        return checksum_of(self.cards, self.tiles)


NOTHING: Final = Replaced()


def checksum_of(cards: tuple[Card, ...], tiles: tuple[Tile, ...]) -> str:
    """The same for the same replacements, whatever pack they came from; empty where there are none."""
    shipped, laid = set(shipped_cards()), set(all_tiles())
    rows = [card.text() for card in cards if card not in shipped]
    rows += [tile_text(tile) for tile in tiles if tile not in laid]
    return sha256("\n".join(sorted(rows)).encode()).hexdigest()[:16] if rows else ""


def holds(value: str) -> bool:
    """Whether a line of a record can end with this text: one line, no blanks around it, nothing like a comment."""
    return value == value.strip() and not COMMENT.search(value) and all(category(c) not in _NEVER for c in value)


def writable(name: str) -> str:
    """A name as a record can hold it: signs that mean something there are replaced, blanks are single."""
    plain = "".join(" " if category(c) in _NEVER else c for c in name)
    return " ".join(plain.translate(_MEANINGS).split())


class Header(NamedTuple):
    """All that decides a game before its first action."""

    rules: Rules
    seed: str | None = None
    names: tuple[str, ...] = ()
    named: Named = Named()
    pack: str = ""  # what the packs are called that replaced cards, where some did

    def checked(self) -> "Header":
        """The same header, once it is sure that its text reads back as the same; else what cannot be written."""
        if self.seed is not None and not holds(self.seed):
            sentence = f"a seed is one line without blanks at its ends and without ` #`, found {self.seed[:40]!r}"
            raise Unreadable("seed", sentence, field="seed")
        self.check_count()
        for name in self.names:
            if not holds(name) or "|" in name:
                sentence = f"a name is one line without `|`, ` #` and blanks at its ends, found {name[:40]!r}"
                raise Unreadable("name", sentence, field="names", about=name[:40])
        found = self._replace(named=Named(*(tuple(cards) for cards in self.named)), pack=writable(self.pack))
        found.deal()
        return found

    def check_count(self) -> None:
        """A name for each seat, or none at all."""
        if self.names and len(self.names) != self.rules.players:
            sentence = f"{int(self.rules.players)} names are expected, found {len(self.names)}"
            raise Unreadable("names", sentence, field="names", about=str(int(self.rules.players)))

    def text(self) -> str:
        """The header as a record writes it, defaults left out but for format and edition."""
        rules = self.rules
        rows = [f"format: {FORMAT}", *self._pack_row()]
        rows += [f"edition: {rules.edition}", f"players: {int(rules.players)}"]
        if rules.modules:
            rows.append(f"modules: {' '.join(rules.modules)}")
        if rules.options():
            rows.append("options: " + " ".join(f"{key}={value}" for key, value in rules.options().items()))
        if self.names:
            rows.append(f"names: {' | '.join(self.names)}".rstrip())
        rows += [f"card: {card.text()}" for card in rules.own]
        if self.seed is not None:
            rows.append(f"seed: {self.seed}".rstrip())
        for key, cards in zip(("white", "black", "deck", "finesse"), self.named, strict=True):
            if cards:
                rows.append(f"{key}: {' '.join(cards)}")
        return "\n".join(rows) + "\n"

    def _pack_row(self) -> list[str]:
        """A comment to other programs, but this one refuses to go on without the pack."""
        replaced = checksum_of(self.rules.replaced, self.rules.replaced_tiles)
        return [" ".join(["# pack:", *self.pack.split(), replaced])] if replaced else []

    def deal(self) -> State:
        """The first position of the game."""
        return new_game(self.rules, self.seed, self.named)
