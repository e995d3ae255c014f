"""Where games are kept: a file of their own after every action, and wherever somebody saves them."""

import time
from contextlib import suppress
from pathlib import Path
from typing import Final

from platformdirs import user_state_path

from projectl.core.errors import Unreadable

_RECORD: Final = b"format:"


def state_directory() -> Path:
    """The user's directory for what a program remembers between runs."""
    return user_state_path("projectl", appauthor=False)


def write(path: Path, text: str) -> None:
    """Put a text into a file, wholly or not at all."""
    draft = path.with_name(path.name + ".new")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        draft.write_text(text, encoding="utf-8")
        draft.replace(path)
    except OSError as error:
        raise Unreadable("file", f"{path} cannot be written: {error.strerror}") from None


def check_overwritten(path: Path) -> None:
    """Refuse to write over a file that is no game."""
    try:
        with path.open("rb") as stream:
            first = stream.read(len(_RECORD))
    except FileNotFoundError:
        return
    except OSError as error:
        raise Unreadable("file", f"{path} cannot be written: {error.strerror}") from None
    if first not in (_RECORD, b""):
        raise Unreadable("file-taken", f"{path} is there already and is no game; choose another name")


class SavedGame:
    """The file in which a game is kept without being asked."""

    def __init__(self, path: Path | None = None) -> None:
        self.path = path
        self.trouble = ""  # why the last attempt failed

    def keep(self, text: str) -> None:
        """Save, and remember what went wrong: a game goes on without its file."""
        try:
            self.path = self.path or _fresh(state_directory())
            write(self.path, text)
            self.trouble = ""
        except Unreadable as error:
            self.trouble = error.sentence


def _fresh(directory: Path) -> Path:
    """An empty file of a name that nobody else has, by the time of day."""
    name = time.strftime("%Y-%m-%d-%H%M%S")
    try:
        directory.mkdir(parents=True, exist_ok=True)
        for n in range(1000):
            path = directory / (f"{name}-{n}.pln" if n else f"{name}.pln")
            with suppress(FileExistsError):
                path.touch(exist_ok=False)
                return path
    except OSError as error:
        raise Unreadable("file", f"no file can be made in {directory}: {error.strerror}") from None
    raise Unreadable("file", f"no free name was found in {directory}")


def saved_game_for(file: str | None) -> SavedGame:
    """Goes on in the same file where it is one of the kept games; other files are never written over unasked."""
    path = Path(file).resolve() if file and file != "-" else None
    return SavedGame(path if path and path.parent == state_directory().resolve() else None)
