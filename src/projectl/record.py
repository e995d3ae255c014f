"""Reading records (`.pln`): the header, then every action played in turn. Errors carry their line."""

import re
from typing import Final

from projectl.core.cards import Card, parse_card, shipped_cards
from projectl.core.errors import ProjectLError, Unreadable
from projectl.core.rules import DEFAULT_EDITION, Rules, read_options, rules_with
from projectl.core.setup import Named
from projectl.game import ACTION_LINE, Game
from projectl.header import COMMENT, FORMAT, NOTHING, Header, Replaced, writable

MOST_BYTES: Final = 4 * 1024 * 1024
MOST_OWN_CARDS: Final = 10_000

_HEADER: Final = re.compile(r"([A-Za-z_]+)\s*:(.*)", re.DOTALL)
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
_PACK: Final = re.compile(r"#\s*pack:\s*(?:(\S.*?)\s+)?([0-9a-f]{16})\s*")


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
    pack = _pack(text, replaced)
    header, rest = _read_header(rows, replaced)
    game = Game(header._replace(pack=pack))
    for number, row in rest:
        try:
            if _HEADER.fullmatch(row):
                raise Unreadable("key-late", f"a header line after the first action: {row[:40]!r}")
            game.play_line(row)
        except ProjectLError as error:
            raise _at(error, number) from None
    return game


def _pack(text: str, replaced: Replaced) -> str:
    """The name of the packs that replace cards; a game that was played with them does not go on without."""
    for number, row in enumerate(text.split("\n"), 1):
        found = _PACK.fullmatch(row.strip()) if row.lstrip().startswith("#") else None
        if found and found[2] != replaced.checksum():
            name = f"{found[1][:60]!r} ({found[2]})" if found[1] else found[2]
            given = "another one was given" if replaced.checksum() else "give it with --pack"
            sentence = f"this game was played with cards of the pack {name}: {given}"
            raise Unreadable("pack", sentence, line=number, about=(found[1] or found[2])[:60])
        if found:
            return found[1] or ""
        if ACTION_LINE.fullmatch(row.strip()):
            break
    return writable(replaced.name) if replaced.checksum() else ""


def _at(error: ProjectLError, line: int) -> ProjectLError:
    error.line = error.line or line
    return error


def _rows(text: str) -> list[tuple[int, str]]:
    """The lines that say something, with their numbers, comments and outer blanks taken off."""
    found: list[tuple[int, str]] = []
    for number, line in enumerate(text.split("\n"), 1):
        row = line.strip()
        if not row.startswith("card:"):
            row = COMMENT.sub("", row).strip()
        if row:
            found.append((number, row))
    return found


def seed_of(text: str) -> str | None:
    """The seed that a record names; nothing else of it is looked at."""
    found = (_HEADER.fullmatch(row) for _, row in _rows(text))
    return next((match[2].strip() for match in found if match and match[1] == "seed"), None)


class _Fields:
    """The header's values and the lines they stand on."""

    def __init__(self) -> None:
        self.values: dict[str, str] = {}
        self.lines: dict[str, int] = {}
        self.cards: list[Card] = []

    def add(self, key: str, value: str, line: int) -> None:
        if key not in _KEYS:
            raise Unreadable("key", f"unknown key {key[:20]!r}, expected one of {', '.join(_KEYS)}", about=key[:20])
        if key == "card":
            self._add_card(value, line)
            return
        if key in self.values:
            raise Unreadable("key-twice", f"{key} stands twice, first in line {self.lines[key]}", about=key)
        self.values[key] = value
        self.lines[key] = line

    def _add_card(self, value: str, line: int) -> None:
        card = parse_card(value)
        if card.id in self.lines or any(card.id == other.id for other in shipped_cards()):
            raise Unreadable("card-id-taken", f"the id {card.id} is taken", about=card.id)
        if len(self.cards) >= MOST_OWN_CARDS:
            raise Unreadable(
                "cards-too-many", f"a game has at most {MOST_OWN_CARDS} own cards", about=str(MOST_OWN_CARDS)
            )
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
            if not ACTION_LINE.fullmatch(row):
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
        header.deal()
    except Unreadable as error:
        raise _at(error, fields.lines.get(error.field, fields.lines.get("players", 1))) from None
    return header, rows[read:]


def _header(fields: _Fields, replaced: Replaced) -> Header:
    values = fields.values
    if values.get("format", FORMAT) != FORMAT:
        found = values["format"][:20]
        raise Unreadable("format", f"this program reads format {FORMAT}, found {found!r}", field="format", about=found)
    if "players" not in values:
        raise Unreadable("players-missing", "the header has no `players:`", line=1)
    if not _COUNT.fullmatch(values["players"]):
        found = values["players"][:20]
        raise Unreadable("players", f"players is a number from 1 to 6, found {found!r}", field="players", about=found)
    rules = read_rules(
        int(values["players"]),
        values.get("edition", DEFAULT_EDITION),
        fields.words("modules"),
        fields.words("options"),
        tuple(fields.cards),
        replaced,
    )
    names = tuple(name.strip() for name in values["names"].split("|")) if "names" in values else ()
    if "finesse" in values and not values["finesse"]:
        raise Unreadable("tiles", "finesse: names ten tiles", field="finesse")
    named = Named(*(fields.words(key) for key in ("white", "black", "deck", "finesse")))
    header = Header(rules, values.get("seed"), names, named)
    header.check_count()
    return header


def read_rules(
    players: int,
    edition: str,
    modules: tuple[str, ...],
    options: tuple[str, ...],
    own: tuple[Card, ...] = (),
    replaced: Replaced = NOTHING,
) -> Rules:
    """Rules from the words of a header or a command line."""
    return rules_with(players, edition, modules, read_options(options), own, replaced.cards, replaced.tiles)
