"""The folder of a match: its description, a record of each game, and one line of JSON for each."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from projectl.arena.match import Match, Pairing
from projectl.arena.result import GameResult, Json, Played, from_json, to_json
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
        self.played: dict[int, Played] = {}
        self._lines: TextIO | None = None

    def start(self, match: Match) -> None:
        """Begin a match in a folder that holds no games yet."""
        with _files(self.path):
            games = self.path / GAMES
            if games.exists() and games.stat().st_size:
                raise Unreadable("folder", f"{self.path} holds a match already; --resume goes on with it")
            self.path.mkdir(parents=True, exist_ok=True)
            text = json.dumps(match.description(), indent=2, ensure_ascii=False) + "\n"
            (self.path / DESCRIPTION).write_text(text, encoding="utf-8")
            self._lines = games.open("w", encoding="utf-8")

    def resume(self, match: Match) -> None:
        """Go on with the same match: read the games that were played."""
        _same(read_description(self.path), match.description(), self.path)
        with _files(self.path):
            self._read(match)
            self._lines = (self.path / GAMES).open("a", encoding="utf-8")

    def save(self, pairing: Pairing, result: GameResult) -> Played:
        """Keep a game: first its record, then its line, which says that the record is there."""
        assert self._lines is not None
        played = Played(pairing.number, pairing.deal, pairing.seats, result._replace(record=""))
        with _files(self.path):
            self.record(pairing.number).write_text(result.record, encoding="utf-8")
            self._lines.write(json.dumps(to_json(played), ensure_ascii=False) + "\n")
            self._lines.flush()
        self.played[pairing.number] = played
        return played

    def record(self, number: int) -> Path:
        """The file of a game's record."""
        return self.path / f"{number:04}.pln"

    def results(self) -> list[Played]:
        """The games that were played, in the order of the match."""
        return [self.played[number] for number in sorted(self.played)]

    def close(self) -> None:
        """No more games come."""
        if self._lines:
            self._lines.close()

    def _read(self, match: Match) -> None:
        """The lines of the games; the last one may have been cut off in the middle and is dropped then."""
        file = self.path / GAMES
        data = file.read_bytes() if file.exists() else b""
        whole = data[: data.rfind(b"\n") + 1]
        pairings = {pairing.number: pairing for pairing in match.pairings()}
        for line, text in enumerate(whole.decode().splitlines(), 1):
            played = _game(text, file, line)
            pairing = pairings.get(played.number)
            if pairing is None or (pairing.deal, pairing.seats) != (played.deal, played.seats):
                raise Unreadable("game-line", f"{file}, line {line}: game {played.number} is not one of this match")
            self.played[played.number] = played
        if whole != data:
            file.write_bytes(whole)


def read_description(path: Path) -> Json:
    """The description of the match that a folder holds."""
    file = path / DESCRIPTION
    if not file.exists():
        raise Unreadable("folder", f"{path} holds no match to resume")
    with _files(path):
        text = file.read_text(encoding="utf-8")
    try:
        found = json.loads(text)
    except ValueError:
        found = None
    if not isinstance(found, dict):
        raise Unreadable("folder", f"{file} does not describe a match")
    return found


def _same(found: Json, wanted: Json, path: Path) -> None:
    for key, value in wanted.items():
        if found.get(key) != value:
            was, now = (json.dumps(either, ensure_ascii=False) for either in (found.get(key), value))
            raise Unreadable("resume", f"{path} holds a match with {key} {was}, it cannot go on with {now}")


def _game(text: str, file: Path, line: int) -> Played:
    try:
        return from_json(json.loads(text))
    except Unreadable as error:
        raise Unreadable(error.code, f"{file}, line {line}: {error.sentence}") from None
    except ValueError:
        raise Unreadable("game-line", f"{file}, line {line}: this is not JSON") from None
