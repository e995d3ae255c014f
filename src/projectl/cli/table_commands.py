"""What a typed line does: an action, or one of the words that help, undo, save and quit."""

from collections.abc import Callable
from enum import Enum
from shlex import quote
from typing import Final, NamedTuple

from projectl.bots import BotError
from projectl.cli.table_complete import continuations, nearest, split_seat, tidy
from projectl.cli.table_help import ACTIONS, COMMANDS, help_text
from projectl.cli.table_read import position_words
from projectl.cli.table_score import explanation
from projectl.cli.table_seats import read_seat
from projectl.cli.table_session import Table
from projectl.core.errors import Illegal, ProjectLError, Unreadable

MOST_LISTED: Final = 60


class Then(Enum):
    """What follows a reply."""

    NOTHING = "nothing"
    ADVANCE = "advance"  # the position or the seats changed
    VIEW = "view"  # another person wants to look
    HINT = "hint"
    QUIT = "quit"


class Reply(NamedTuple):
    """The answer to a typed line."""

    text: str = ""
    then: Then = Then.NOTHING
    page: bool = False  # long: worth a page of its own
    refused: bool = False
    seat: int = -1  # for VIEW and HINT


def obey(table: Table, line: str) -> Reply:
    """Do what a line says. Whatever is wrong with it is a sentence, and the nearest legal actions."""
    words = line.split()
    if not words:
        return Reply()
    command = _COMMANDS.get(words[0].lower())
    try:
        return command(table, words[1:]) if command else _act(table, line.strip())
    except ProjectLError as error:
        about_action = not command and error.code != "seat"
        return Reply(f"{error.sentence}." + (_nearest(table, line) if about_action else ""), refused=True)


def _act(table: Table, line: str) -> Reply:
    seat, action = table.seat_of(line)
    table.play(seat, tidy(action))
    return Reply(then=Then.ADVANCE)


def _nearest(table: Table, line: str) -> str:
    """The legal actions nearest to a wrong line, and the nearest word where it begins with none."""
    prefix, action = split_seat(line.strip())
    people = table.people_to_act()
    if not people:
        return ""
    seat = int(prefix) - 1 if prefix else table.viewer if table.viewer in people else people[0]
    texts = table.legal_texts(seat)
    verbs = sorted({text.split()[0] for text in texts})
    if action and action.split()[0].lower() not in ACTIONS:
        close = nearest(action.split()[0].lower(), [*verbs, *COMMANDS], 2)
        return f" Nearest: {', '.join(close)}." if close else " `help` lists what can be typed."
    found = nearest(tidy(action), texts)
    if found and found[0].split()[0] == action.split()[0].lower():
        return f" Nearest: {', '.join(prefix + text for text in found)}."
    return f" Possible now: {', '.join(verbs)}." if verbs else ""


# --- the words --------------------------------------------------------------------------------


def _help(table: Table, words: list[str]) -> Reply:
    people = table.people_to_act()
    seat = table.viewer if table.viewer in people or not people else people[0]
    return Reply(help_text(words, table.state.rules, table.legal_texts(seat)), page=True)


def _hint(table: Table, words: list[str]) -> Reply:
    people = table.people_to_act()
    if not people:
        raise Illegal("seat", "the game is over" if table.over else f"{table.whose_turn()} to act now")
    return Reply(then=Then.HINT, seat=table.viewer if table.viewer in people else people[0])


def _moves(table: Table, words: list[str]) -> Reply:
    beginning = tidy(" ".join(words))
    found = [
        f"{seat + 1} {text}" if len(table.people_to_act()) > 1 else text
        for seat in table.people_to_act()
        for text in table.legal_texts(seat)
        if text.startswith(beginning)
    ]
    if not found:
        nobody = "" if table.people_to_act() else " for anybody at this keyboard"
        return Reply(f"Nothing that begins so is legal now{nobody}.")
    rest = len(found) - MOST_LISTED
    more = [f"... and {rest} more; `moves place 1:` lists those that begin so"] if rest > 0 else []
    return Reply("\n".join([*found[:MOST_LISTED], *more]), page=True)


def _show(table: Table, words: list[str]) -> Reply:
    return Reply("\n".join(position_words(table.state, table.viewer, table.names)), page=True)


def _undo(table: Table, words: list[str]) -> Reply:
    return Reply(f"Taken back: {table.undo()}.", Then.ADVANCE)


def _save(table: Table, words: list[str]) -> Reply:
    return Reply(f"Saved in {table.save(' '.join(words))}.")


def _seat(table: Table, words: list[str]) -> Reply:
    if len(words) < 2:
        raise Unreadable("form", "expected `seat NUMBER WHO`, as seat 2 random")
    number = _number(table, words[0])
    table.reseat(number, read_seat(" ".join(words[1:])))
    return Reply(f"Seat {number + 1} is {table.names[number]} now.", Then.ADVANCE)


def _view(table: Table, words: list[str]) -> Reply:
    number = _number(table, words[0] if words else "")
    if table.seats[number].is_bot:
        raise Illegal("view-bot", f"seat {number + 1} is {table.names[number]}, a bot, and keeps its view to itself")
    return Reply(then=Then.VIEW, seat=number)


def _number(table: Table, word: str) -> int:
    if word not in [str(n + 1) for n in range(len(table.seats))]:
        raise Unreadable("seat", f"a seat is a number from 1 to {len(table.seats)}, found {word[:20]!r}")
    return int(word) - 1


def _score(table: Table, words: list[str]) -> Reply:
    rows = explanation(table.state, table.names)
    if not rows:
        raise Illegal("not-over", "the game is not over yet")
    return Reply("\n".join(rows), page=True)


def _quit(table: Table, words: list[str]) -> Reply:
    return Reply(then=Then.QUIT)


_COMMANDS: Final[dict[str, Callable[[Table, list[str]], Reply]]] = {
    "help": _help,
    "hint": _hint,
    "moves": _moves,
    "show": _show,
    "undo": _undo,
    "save": _save,
    "seat": _seat,
    "view": _view,
    "score": _score,
    "quit": _quit,
}


# --- for both screens -------------------------------------------------------------------------


def completions(table: Table, line: str) -> list[str]:
    """Every way to complete the word that is being typed."""
    prefix, action = split_seat(line.lstrip())
    people = table.people_to_act()
    seat = int(prefix) - 1 if prefix else table.viewer if table.viewer in people else people[0] if people else -1
    found: list[str] = []
    if seat in people:
        found = continuations(action, table.legal_texts(seat), table.state, seat)
    if not prefix:
        words = action.split(" ")
        if len(words) == 1:
            found += [word for word in COMMANDS if word.startswith(words[0])]
        elif len(words) == 2 and words[0] == "help":
            found += [f"help {word}" for word in [*ACTIONS, *COMMANDS, "pieces"] if word.startswith(words[1])]
    return [prefix + text for text in found]


def bot_trouble(table: Table, seat: int, error: BotError | ProjectLError) -> str:
    """What to say, and what to do, when a bot does not go on."""
    number = seat + 1
    return (
        f"{table.names[seat]} does not go on: {error.sentence}. "
        f"`seat {number} random` puts another bot there, `seat {number} me` yourself."
    )


def farewell(table: Table, packs: list[str]) -> list[str]:
    """Where the game is, and how to come back to it."""
    if table.store.trouble:
        return [f"The game could not be kept: {table.store.trouble}."]
    if not table.store.path:
        return []
    more = "".join(f" --pack {quote(pack)}" for pack in packs)
    if table.over:
        return [f"The game is in {table.store.path}"]
    return [f"The game is kept. Resume it with: projectl table {quote(str(table.store.path))}{more}"]
