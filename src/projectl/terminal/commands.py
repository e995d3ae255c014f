"""What a typed line does: an action, or one of the words that help, undo, save and quit."""

from collections.abc import Callable
from enum import Enum
from shlex import quote
from typing import Final, NamedTuple

from rich.text import Text

from projectl.bots import BotError, names
from projectl.core.errors import Illegal, ProjectLError, Unreadable
from projectl.core.state import TOUCHES
from projectl.terminal.completion import continuations, nearest, split_seat, tidy
from projectl.terminal.help import ACTIONS, COMMANDS, DRAWN, help_text, topics
from projectl.terminal.score import explanation
from projectl.terminal.seats import ME, read_seat
from projectl.terminal.sentences import position_words
from projectl.terminal.session import Session

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
    drawn: Text | None = None  # the same in colours
    refused: bool = False
    seat: int = -1  # for VIEW and HINT


def obey(table: Session, line: str) -> Reply:
    """Do what a line says. Whatever is wrong with it is a sentence, and the nearest legal actions."""
    words = line.split()
    if not words:
        return Reply()
    command = _COMMANDS.get(words[0].lower())
    try:
        return command(table, words[1:]) if command else _act(table, line.strip())
    except ProjectLError as error:
        about_action = not command and error.code != "seat"
        return Reply(f"{_sentence(error)}." + (_nearest(table, line) if about_action else ""), refused=True)


def _sentence(error: ProjectLError) -> str:
    """What is wrong; of all the actions that there are, this game may have only some."""
    return f"there is no action {error.about!r}" if error.code == "verb" else error.sentence


def _act(table: Session, line: str) -> Reply:
    seat, action = table.seat_of(line)
    table.play(seat, tidy(action))
    return Reply(then=Then.ADVANCE)


def _nearest(table: Session, line: str) -> str:
    """The legal actions nearest to a wrong line, and the nearest word where it begins with none."""
    prefix, action = split_seat(line.strip())
    people = table.people_to_act()
    if not people:
        return ""
    seat = int(prefix) - 1 if prefix else table.viewer if table.viewer in people else people[0]
    texts = table.legal_texts(seat)
    verbs = sorted({text.split()[0] for text in texts})
    if action and action.split()[0].lower() not in ACTIONS:
        close = nearest(action.split()[0].lower(), [*verbs, *words_of(table)], 2)
        return f" Nearest: {', '.join(close)}." if close else " `help` lists what can be typed."
    found = nearest(tidy(action), texts)
    if found and found[0].split()[0] == action.split()[0].lower():
        return f" Nearest: {', '.join(prefix + text for text in found)}."
    return f" Possible now: {', '.join(verbs)}." if verbs else ""


# --- the words --------------------------------------------------------------------------------


def _help(table: Session, words: list[str]) -> Reply:
    people = table.people_to_act()
    seat = table.viewer if table.viewer in people or not people else people[0]
    found = help_text(words, table.state.rules, table.legal_texts(seat), words_of(table))
    return Reply(str(found), page=True, drawn=found if isinstance(found, Text) else None)


def _hint(table: Session, words: list[str]) -> Reply:
    people = table.people_to_act()
    if not people:
        raise Illegal("seat", "the game is over" if table.over else f"{table.whose_turn()} to act now")
    return Reply(then=Then.HINT, seat=table.viewer if table.viewer in people else people[0])


def _moves(table: Session, words: list[str]) -> Reply:
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
    verb = " ".join(split_seat(found[-1])[1].split()[:1])
    more = [f"... and {rest} more; `moves {verb}` lists those that begin so"] if rest > 0 else []
    return Reply("\n".join([*found[:MOST_LISTED], *more]), page=True)


def _show(table: Session, words: list[str]) -> Reply:
    return Reply("\n".join(position_words(table.state, table.viewer, table.names)), page=True)


def _undo(table: Session, words: list[str]) -> Reply:
    return Reply(f"Taken back: {table.undo()}.", Then.ADVANCE)


def _save(table: Session, words: list[str]) -> Reply:
    return Reply(f"Saved in {table.save(' '.join(words))}.")


def _seat(table: Session, words: list[str]) -> Reply:
    if len(words) < 2:
        raise Unreadable("form", f"expected `seat NUMBER WHO`, as seat {len(table.seats)} random")
    number = _number(table, words[0])
    table.reseat(number, read_seat(" ".join(words[1:])))
    return Reply(f"Seat {number + 1} is {table.names[number]} now.", Then.ADVANCE)


def _view(table: Session, words: list[str]) -> Reply:
    number = _number(table, words[0] if words else "")
    if table.seats[number].is_bot:
        raise Illegal("view-bot", f"seat {number + 1} is {table.names[number]}, a bot, and keeps its view to itself")
    return Reply(then=Then.VIEW, seat=number)


def _number(table: Session, word: str) -> int:
    if word not in [str(n + 1) for n in range(len(table.seats))]:
        raise Unreadable("seat", f"a seat is a number from 1 to {len(table.seats)}, found {word[:20]!r}")
    return int(word) - 1


def _score(table: Session, words: list[str]) -> Reply:
    rows = explanation(table.state, table.names)
    if not rows:
        raise Illegal("not-over", "the game is not over yet")
    return Reply("\n".join(rows), page=True)


def _quit(table: Session, words: list[str]) -> Reply:
    return Reply(then=Then.QUIT)


_COMMANDS: Final[dict[str, Callable[[Session, list[str]], Reply]]] = {
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


def words_of(table: Session) -> list[str]:
    """The words that mean something at this table now."""
    missing = {
        DRAWN: not table.plain,
        "view": len(table.people()) < 2,
        "score": not table.over,
        "hint": table.over or not table.people(),
        "moves": table.over or not table.people(),
        "undo": not table.game.moves or not table.people(),
    }
    return [word for word in COMMANDS if not missing.get(word, False)]


def invitation(table: Session) -> str:
    """What the empty line asks for."""
    if table.over:
        return "score, help or quit"
    return "an action, or help" if table.people() else "help, or quit"


def welcome(table: Session) -> str:
    """What somebody who just sat down can do."""
    people = table.people_to_act() or table.people()
    if table.over or not people:
        return "`help` lists what can be typed."
    texts = table.legal_texts(people[0])
    verbs: dict[str, str] = {}
    for text in sorted(texts, key=lambda text: (text[:4] != "take", not text[-1].isdigit(), " B" in text)):
        verbs.setdefault(text.split()[0], text)
    prefix = f"{people[0] + 1} " if len(table.people_to_act()) > 1 and table.state.phase != TOUCHES else ""
    examples = " or ".join(prefix + text for text in list(verbs.values())[:2])
    return f"Type an action{f', as {examples}' if examples else ''}; `help` explains."


def completions(table: Session, line: str) -> list[str]:
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
            found += [word for word in words_of(table) if word.startswith(words[0])]
        else:
            known = _arguments(table, words[:-1])
            found += [" ".join([*words[:-1], word]) for word in known if word.startswith(words[-1])]
    return [prefix + text for text in found]


def _arguments(table: Session, before: list[str]) -> list[str]:
    """What may follow a word that is no action."""
    if before == ["help"]:
        return topics(table.state.rules, words_of(table))
    if before == ["view"]:
        return [str(seat + 1) for seat in table.people()] if "view" in words_of(table) else []
    if before == ["seat"]:
        return [str(number + 1) for number in range(len(table.seats))]
    return [ME, *names()] if len(before) == 2 and before[0] == "seat" else []


def bot_trouble(table: Session, seat: int, error: BotError | ProjectLError) -> str:
    """What to say, and what to do, when a bot does not go on."""
    number = seat + 1
    return (
        f"{table.names[seat]} does not go on: {error.sentence}. "
        f"`seat {number} random` puts another bot there, `seat {number} me` yourself."
    )


def farewell(table: Session, packs: list[str]) -> list[str]:
    """Where the game is, and how to come back to it."""
    if table.store.trouble:
        return [f"The game could not be kept: {table.store.trouble}."]
    if not table.store.path:
        return []
    more = "".join(f" --pack {quote(pack)}" for pack in packs)
    if table.over:
        return [f"The game is in {table.store.path}"]
    return [f"The game is kept. Resume it with: projectl table {quote(str(table.store.path))}{more}"]
