"""A game as text: the record format (`.pln`), read, written and replayed."""

import re
from typing import Final, NamedTuple

from projectl.core.cards import Card, Tile, parse_card, shipped_cards
from projectl.core.engine import apply
from projectl.core.errors import ProjectLError, Unreadable
from projectl.core.lines import Decisions, legal_decisions, text
from projectl.core.rules import DEFAULT_EDITION, Rules
from projectl.core.setup import Named, new_game
from projectl.core.state import TOUCHES, State

FORMAT: Final = "1"
MOST_BYTES: Final = 4 * 1024 * 1024
MOST_OWN_CARDS: Final = 10_000

_HEADER: Final = re.compile(r"([A-Za-z_]+)\s*:(.*)", re.DOTALL)
_ACTION: Final = re.compile(r"([0-9]+)\s+(\S.*)", re.DOTALL)
_COMMENT: Final = re.compile(r"(?:^|(?<=\s))#.*", re.DOTALL)
_COUNT: Final = re.compile(r"[0-9]{1,9}")
_KEYS: Final[tuple[str, ...]] = (
    "format",
    "edition",
    "players",
    "modules",
    "options",
    "names",
    "card",
    "seed",
    "white",
    "black",
    "deck",
    "finesse",
)
_OPTIONS: Final[tuple[str, ...]] = ("upgrade_skip", "exchange_down", "known_points", "max_rounds", "difficulty")


class Replaced(NamedTuple):
    """What card packs put in place of the shipped cards and tiles: all of them, or nothing."""

    cards: tuple[Card, ...] = ()
    tiles: tuple[Tile, ...] = ()


NOTHING: Final = Replaced()


class Header(NamedTuple):
    """Everything above the first action."""

    rules: Rules
    seed: str | None = None
    names: tuple[str, ...] = ()
    named: Named = Named()

    def text(self) -> str:
        """The header as a record writes it, defaults left out but for format and edition."""
        rules = self.rules
        rows = [f"format: {FORMAT}", f"edition: {rules.edition}", f"players: {int(rules.players)}"]
        if rules.modules:
            rows.append(f"modules: {' '.join(rules.modules)}")
        if rules.options():
            rows.append("options: " + " ".join(f"{key}={value}" for key, value in rules.options().items()))
        if self.names:
            rows.append(f"names: {' | '.join(self.names)}")
        rows += [f"card: {card.text()}" for card in rules.own]
        if self.seed is not None:
            rows.append(f"seed: {self.seed}".rstrip())
        for key, cards in zip(("white", "black", "deck", "finesse"), self.named, strict=True):
            if cards:
                rows.append(f"{key}: {' '.join(cards)}")
        return "\n".join(rows) + "\n"


class Move(NamedTuple):
    """One whole action that was played."""

    seat: int  # from 0
    text: str  # canonical
    decisions: Decisions

    def line(self) -> str:
        """As a record writes it."""
        return f"{self.seat + 1} {self.text}"


class Game:
    """A game that is being played or replayed: its header, its actions and where it stands."""

    def __init__(self, header: Header) -> None:
        self.header = header
        self.moves: list[Move] = []
        self.state: State = new_game(header.rules, header.seed, header.named)

    def play(self, line: str) -> Move:
        """Play `SEAT ACTION`, checked; an error leaves the game as it was."""
        found = _ACTION.fullmatch(line.strip())
        if not found:
            raise Unreadable("line", f"expected a seat and an action, as `1 take W1`, found {line.strip()[:40]!r}")
        seat = int(found[1]) if len(found[1]) <= 9 else 10**9
        return self.play_action(seat - 1, found[2])

    def play_action(self, seat: int, action: str) -> Move:
        """Play one whole action of a seat (from 0)."""
        decisions = legal_decisions(self.state, seat, action)
        move = Move(seat, text(decisions, self.state.phase == TOUCHES), decisions)
        self._apply(move)
        return move

    def _apply(self, move: Move) -> None:
        for decision in move.decisions:
            apply(self.state, decision, move.seat)
        self.moves.append(move)

    def undo(self, count: int = 1) -> None:
        """Take the last actions back, by replaying what remains."""
        keep = self.moves[: max(0, len(self.moves) - count)]
        self.state = new_game(self.header.rules, self.header.seed, self.header.named)
        self.moves = []
        for move in keep:
            self._apply(move)

    def text(self) -> str:
        """The record: canonical, so that the same game always prints the same text."""
        return self.header.text() + "\n" + "".join(f"{move.line()}\n" for move in self.moves)


# --- reading ----------------------------------------------------------------------------------


def decode(data: bytes) -> str:
    """The text of a file, or the line where it stops being one."""
    if len(data) > MOST_BYTES:
        raise Unreadable("too-large", f"a record has at most {MOST_BYTES} bytes", line=1)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise Unreadable("encoding", f"byte {data[error.start]:#04x} is not UTF-8 text", line=line) from None


def replay(text: str, replaced: Replaced = NOTHING) -> Game:
    """Read a record and play it to its end. Errors carry the line."""
    rows = _rows(text)
    header, rest = _read_header(rows, replaced)
    game = Game(header)
    for number, row in rest:
        try:
            if _HEADER.fullmatch(row):
                raise Unreadable("key-late", f"a header line after the first action: {row[:40]!r}")
            game.play(row)
        except ProjectLError as error:
            raise _at(error, number) from None
    return game


def _at(error: ProjectLError, line: int) -> ProjectLError:
    error.line = error.line or line
    return error


def _rows(text: str) -> list[tuple[int, str]]:
    """The lines that say something, with their numbers, comments and outer blanks taken off."""
    found: list[tuple[int, str]] = []
    for number, line in enumerate(text.split("\n"), 1):
        row = line.strip()
        if not row.startswith("card:"):
            row = _COMMENT.sub("", row).strip()
        if row:
            found.append((number, row))
    return found


class _Fields:
    """The header's values and the lines they stand on."""

    def __init__(self) -> None:
        self.values: dict[str, str] = {}
        self.lines: dict[str, int] = {}
        self.cards: list[Card] = []

    def add(self, key: str, value: str, line: int) -> None:
        if key not in _KEYS:
            raise Unreadable("key", f"unknown key {key[:20]!r}, expected one of {', '.join(_KEYS)}")
        if key == "card":
            self._add_card(value, line)
            return
        if key in self.values:
            raise Unreadable("key-twice", f"{key} stands twice, first in line {self.lines[key]}")
        self.values[key] = value
        self.lines[key] = line

    def _add_card(self, value: str, line: int) -> None:
        card = parse_card(value)
        if card.id in self.lines or any(card.id == other.id for other in shipped_cards()):
            raise Unreadable("card-id-taken", f"the id {card.id} is taken")
        if len(self.cards) >= MOST_OWN_CARDS:
            raise Unreadable("cards-too-many", f"a game has at most {MOST_OWN_CARDS} own cards")
        self.cards.append(card)
        self.lines[card.id] = line

    def words(self, key: str) -> tuple[str, ...]:
        return tuple(self.values.get(key, "").split())


def _read_header(rows: list[tuple[int, str]], replaced: Replaced) -> tuple[Header, list[tuple[int, str]]]:
    fields = _Fields()
    read = 0
    for number, row in rows:
        found = _HEADER.fullmatch(row)
        if not found:
            if not _ACTION.fullmatch(row):
                sentence = f"expected `key: value` or a seat and an action, found {row[:40]!r}"
                raise Unreadable("line", sentence, line=number)
            break
        try:
            fields.add(found[1], found[2].strip(), number)
        except Unreadable as error:
            raise _at(error, number) from None
        read += 1
    try:
        header = _header(fields, replaced)
        new_game(header.rules, header.seed, header.named)
    except Unreadable as error:
        raise _at(error, fields.lines.get(error.field, fields.lines.get("players", 1))) from None
    return header, rows[read:]


def _header(fields: _Fields, replaced: Replaced) -> Header:
    values = fields.values
    if values.get("format", FORMAT) != FORMAT:
        raise Unreadable(
            "format", f"this program reads format {FORMAT}, found {values['format'][:20]!r}", field="format"
        )
    if "players" not in values:
        raise Unreadable("players-missing", "the header has no `players:`", line=1)
    if not _COUNT.fullmatch(values["players"]):
        sentence = f"players is a number from 1 to 6, found {values['players'][:20]!r}"
        raise Unreadable("players", sentence, field="players")
    rules = read_rules(
        int(values["players"]),
        values.get("edition", DEFAULT_EDITION),
        fields.words("modules"),
        fields.words("options"),
        tuple(fields.cards),
        replaced,
    )
    names = tuple(name.strip() for name in values["names"].split("|")) if "names" in values else ()
    if names and len(names) != rules.players:
        raise Unreadable("names", f"{int(rules.players)} names are expected, found {len(names)}", field="names")
    if "finesse" in values and not values["finesse"]:
        raise Unreadable("tiles", "finesse: names ten tiles", field="finesse")
    named = Named(*(fields.words(key) for key in ("white", "black", "deck", "finesse")))
    return Header(rules, values.get("seed"), names, named)


def read_rules(
    players: int,
    edition: str,
    modules: tuple[str, ...],
    options: tuple[str, ...],
    own: tuple[Card, ...] = (),
    replaced: Replaced = NOTHING,
) -> Rules:
    """Rules from the words of a header or a command line."""
    given: dict[str, str] = {}
    for word in options:
        key, equals, value = word.partition("=")
        if key not in _OPTIONS or not equals:
            sentence = f"an option is one of {', '.join(_OPTIONS)} with =VALUE, found {word[:40]!r}"
            raise Unreadable("option", sentence, field="options")
        if key in given:
            raise Unreadable("option-twice", f"option {key} stands twice", field="options")
        if not value:
            raise Unreadable("option-value", f"option {key} has no value", field="options")
        given[key] = value
    known = given.get("known_points")
    if known not in (None, "yes", "no"):
        raise Unreadable("option-value", f"known_points is yes or no, found {known[:20]!r}", field="options")
    rounds = given.get("max_rounds", "0")
    if not _COUNT.fullmatch(rounds) or ("max_rounds" in given and int(rounds) < 1):
        raise Unreadable("option-value", f"max_rounds is a number from 1, found {rounds[:20]!r}", field="options")
    return Rules(
        players,
        edition,
        modules,
        upgrade_skip=given.get("upgrade_skip", ""),
        exchange_down=given.get("exchange_down", ""),
        known_points=None if known is None else known == "yes",
        max_rounds=int(rounds),
        difficulty=given.get("difficulty", ""),
        own=own,
        replaced=replaced.cards,
        replaced_tiles=replaced.tiles,
    )
