"""The folder of a match: its description, a record of each game, and one line of JSON for each."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

import msgspec

from projectl.arena.match import Description, Match, Pairing
from projectl.arena.result import GameResult, PlayedGame, from_line, to_line
from projectl.core.errors import Unreadable

DESCRIPTION = "match.json"
GAMES = "games.jsonl"


@contextmanager
def _files(path: Path) -> Iterator[None]:
    """What the disk refuses is a sentence."""
    try:
        yield
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is not text"
        raise Unreadable("folder", f"{path} cannot be used for a match: {why}") from None


class Folder:
    """Where a match is kept. What is saved stays, whatever happens to the program."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.played: dict[int, PlayedGame] = {}
        self._lines: BinaryIO | None = None

    def start(self, match: Match) -> None:
        """Begin a match in a folder that holds no games yet."""
        with _files(self.path):
            games = self.path / GAMES
            if games.exists() and games.stat().st_size:
                raise Unreadable("folder", f"{self.path} holds a match already; --resume goes on with it")
            self.path.mkdir(parents=True, exist_ok=True)
            data = msgspec.json.format(msgspec.json.encode(match.description()), indent=2)
            (self.path / DESCRIPTION).write_bytes(data + b"\n")
            self._lines = games.open("wb")

    def resume(self, match: Match) -> None:
        """Go on with the same match: read the games that were played."""
        _same(read_description(self.path), match.description(), self.path)
        self.go_on()
        pairings = {pairing.number: pairing for pairing in match.pairings()}
        for played in self.played.values():
            pairing = pairings.get(played.number)
            if pairing is None or (pairing.deal, pairing.seats) != (played.deal, played.seats):
                self.close()
                raise Unreadable("game-line", f"{self.path / GAMES}: game {played.number} is not one of this match")

    def go_on(self) -> None:
        """Read the games that were played, and be ready for more."""
        with _files(self.path):
            self.path.mkdir(parents=True, exist_ok=True)
            self._read()
            self._lines = (self.path / GAMES).open("ab")

    def read(self) -> None:
        """Read the games that were played."""
        with _files(self.path):
            self._read()

    def describe(self, name: str, text: str) -> None:
        """Put a text beside the games, wholly or not at all."""
        with _files(self.path):
            self.path.mkdir(parents=True, exist_ok=True)
            draft = self.path / f"{name}.new"
            draft.write_text(text, encoding="utf-8")
            draft.replace(self.path / name)

    def save(self, pairing: Pairing, result: GameResult) -> PlayedGame:
        """Keep a game: first its record, then its line, which says that the record is there."""
        assert self._lines is not None
        played = PlayedGame(pairing.number, pairing.deal, pairing.seats, result._replace(record=""))
        with _files(self.path):
            self.record(pairing.number).write_text(result.record, encoding="utf-8")
            self._lines.write(to_line(played) + b"\n")
            self._lines.flush()
        self.played[pairing.number] = played
        return played

    def record(self, number: int) -> Path:
        """The file of a game's record."""
        return self.path / f"{number:04}.pln"

    def results(self) -> list[PlayedGame]:
        """The games that were played, in the order of the match."""
        return [self.played[number] for number in sorted(self.played)]

    def close(self) -> None:
        """No more games come."""
        if self._lines:
            self._lines.close()

    def _read(self) -> None:
        """The lines of the games; the last one may have been cut off in the middle and is dropped then."""
        file = self.path / GAMES
        data = file.read_bytes() if file.exists() else b""
        whole = data[: data.rfind(b"\n") + 1]
        for line, row in enumerate(whole.splitlines(), 1):
            played = _game(row, file, line)
            self.played[played.number] = played
        if whole != data:
            file.write_bytes(whole)


def read_description(path: Path) -> Description:
    """The description of the match that a folder holds."""
    file = path / DESCRIPTION
    if not file.exists():
        raise Unreadable("folder", f"{path} holds no match to resume")
    with _files(path):
        data = file.read_bytes()
    try:
        return msgspec.json.decode(data, type=Description)
    except (msgspec.DecodeError, UnicodeDecodeError):
        raise Unreadable("folder", f"{file} does not describe a match") from None


def _same(found: Description, wanted: Description, path: Path) -> None:
    for key in Description.__struct_fields__:
        either = getattr(found, key), getattr(wanted, key)
        if either[0] != either[1]:
            was, now = (json.dumps(one, ensure_ascii=False) for one in either)
            raise Unreadable("resume", f"{path} holds a match with {key} {was}, it cannot go on with {now}")


def _game(row: bytes, file: Path, line: int) -> PlayedGame:
    try:
        return from_line(row)
    except Unreadable as error:
        raise Unreadable(error.code, f"{file}, line {line}: {error.sentence}") from None
