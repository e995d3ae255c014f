"""What can be typed, explained: every action with its form, an example and the rulings that apply."""

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from rich.text import Text

from projectl.core.errors import Unreadable
from projectl.core.pieces import LEVEL, NAMES, PICTURES
from projectl.core.rules import LINE_CLEAR, SOLO, Rules
from projectl.terminal.board import Block, beside
from projectl.terminal.draw import MARKS


class Topic(NamedTuple):
    """One action."""

    form: str
    what: str
    example: str
    more: tuple[str, ...] = ()  # details and rulings
    there: Callable[[Rules], bool] = lambda rules: True  # whether this game has it


ACTIONS: Final[dict[str, Topic]] = {
    "take": Topic(
        "take SLOT",
        "take a puzzle card into your lowest empty place",
        "take W1",
        (
            "Slots are W1 to W4 and B1 to B4; in Line Clear WL1 to BR3; in solo G1 to G9.",
            "In edition 2023 W, B or (solo) G without a number takes the top card of that deck, unseen.",
            "You may have four unfinished puzzles. In solo a lock of the card's column goes to the mastermind.",
            "R39: the Take that empties the black deck does not count toward the limit of one black card a turn.",
        ),
    ),
    "recycle": Topic(
        "recycle ROW [ORDER]",
        "put a row under its deck and deal a new one",
        "recycle W 3 1 4 2",
        (
            "Without an order the cards go under from left to right.",
            "R2: a row is not recycled while its deck is empty.",
        ),
        lambda rules: rules.recycles,
    ),
    "gain": Topic(
        "gain PIECE",
        "take an O1 from the reserve",
        "gain O1",
        ("R24: edition 2023 gives another piece when no O1 is left, and which one is yours to name.",),
    ),
    "upgrade": Topic(
        "upgrade PIECE PIECE",
        "return the first piece and take the second: up to one level higher",
        "upgrade I2 L3",
        (
            "Another shape of the same level and any lower level are possible too.",
            "R3: never the shape just returned. R25: if the next level is wholly gone, a higher one is in reach.",
        ),
    ),
    "place": Topic(
        "place PLACE:CELLS",
        "put a piece of your supply onto a puzzle",
        "place 1:c3c4",
        (
            "PLACE is 1 to 4. Cells are a column a to e and a row 1 to 5; together they show which piece it is.",
            "A full puzzle is completed at the end of the action: its pieces come back, its reward with them.",
            "R8: when several are completed at once, rewards come in the order of the places.",
        ),
    ),
    "master": Topic(
        "master PLACE:CELLS ...",
        "put one piece onto each of several puzzles, once a turn",
        "master 1:c3c4 3:a1",
        ("Every piece was in your supply when the action began. R4: at least one piece is placed.",),
    ),
    "ambassador": Topic(
        "ambassador PLACE:CELLS ...",
        "a Master for every Ambassador card you completed",
        "ambassador 2:b2b3b4",
        ("R14: in edition 2023 a card's action waits for your next turn, in 2019 for your next action.",),
        lambda rules: rules.ambassador,
    ),
    "ghost": Topic(
        "ghost PIECE PIECES [PLACE:CELLS ...]",
        "break a ghost up into smaller pieces of its shape",
        "ghost U5 I2 L3 1:a1a2",
        (
            "R12: the reserve needs exactly these pieces, there are no substitutes.",
            "R29: placing some of them at once is optional, at most one on each puzzle.",
        ),
        lambda rules: rules.ghost,
    ),
    "insert": Topic(
        "insert ACTION",
        "pay two active credits for one more action",
        "insert place 1:c3",
        (
            "R34: before your first action, between, or after your last. Master stays once a turn.",
            "R21: a turn that could still insert ends only with `pass`.",
        ),
        lambda rules: rules.finesse,
    ),
    "reward": Topic(
        "reward PLACE PIECE",
        "choose a reward where the printed one is gone",
        "reward 1 S4",
        ("R7: a single substitute is taken without asking. R24: where there is one, it must be taken.",),
    ),
    "levelup": Topic(
        "levelup PIECE PIECE, or levelup none",
        "use a Level Up, or decline it",
        "levelup I2 L3",
        (
            "R13: in edition 2023 each arrow is an Upgrade that may also reach a ghost; it may be declined.",
            "R27: in 2019 it goes exactly one level, or with the double arrow exactly two.",
            "R28: a Level Up that can change nothing is passed over.",
        ),
        lambda rules: rules.ghost,
    ),
    "pass": Topic(
        "pass",
        "end your turn before all actions are used",
        "pass",
        (
            "R21: in 2019 and 2020 at any time; in 2023 only where no action is left but an Insert is possible.",
            "R1: who must act and cannot loses the rest of the turn without being asked.",
        ),
        lambda rules: rules.finesse or not rules.must_use_all_actions,
    ),
    "touch": Topic(
        "touch PLACE:CELLS [credit]",
        "a finishing touch after the last round: place a piece for a point, or for a credit",
        "touch 1:c3c4",
        ("R40: everybody touches in any order; your full puzzles are completed, without rewards, when you are done.",),
    ),
    "done": Topic("done", "no more finishing touches", "done", ("R40: the game is over when everybody is done.",)),
}

_ELSEWHERE: Final[dict[tuple[str, int], str]] = {
    ("take", SOLO): "take G1",
    ("take", LINE_CLEAR): "take WL1",
    ("recycle", LINE_CLEAR): "recycle WL 3 1 2",
}

COMMANDS: Final[dict[str, tuple[str, str]]] = {
    "help": ("help [WORD]", "this page, or one about an action; `help pieces` shows the pieces"),
    "hint": ("hint", "the best rest of your turn, and why"),
    "moves": ("moves [BEGINNING]", "what is legal now"),
    "show": ("show", "the whole position in words"),
    "picture": ("picture", "the whole position, drawn"),
    "undo": ("undo", "take your last action back, unless it revealed something hidden"),
    "save": ("save FILE", "write the game to a file; it is also kept by itself after every action"),
    "seat": ("seat NUMBER WHO", "give a seat to a person or another bot, as seat 1 random"),
    "view": ("view NUMBER", "look from another person's seat"),
    "score": ("score", "the end of the game, explained"),
    "quit": ("quit", "leave; the game is kept and can be resumed"),
}
DRAWN: Final = "picture"  # where there is no screen
PIECES: Final = "pieces"
_COLUMN: Final = 11  # of the drawn pieces


def topics(rules: Rules, commands: Sequence[str]) -> list[str]:
    """What there is a page about: the actions of this game, the words of this table, the pieces."""
    return [*(word for word, topic in ACTIONS.items() if topic.there(rules)), *commands, PIECES]


def help_text(words: Sequence[str], rules: Rules, legal: Sequence[str], commands: Sequence[str]) -> str | Text:
    """The page that somebody asked for, at a table with these words."""
    if not words:
        return overview(rules, commands)
    word = words[0].lower()
    if word in (PIECES, "piece"):
        return pieces_page(rules)
    if word in COMMANDS and (word in commands or word != DRAWN):
        form, what = COMMANDS[word]
        return f"{form}\n{what[0].upper()}{what[1:]}."
    if word not in ACTIONS:
        known = ", ".join(topics(rules, commands))
        raise Unreadable("help", f"there is no help about {word[:20]!r}; there is about {known}")
    return _topic(word, rules, legal)


def overview(rules: Rules, commands: Sequence[str]) -> str:
    """Everything that can be typed in this game."""
    rows = ["Actions are typed as records write them. Three are a turn."]
    rows += [f"  {_example(word, rules):<22}  {topic.what}" for word, topic in ACTIONS.items() if topic.there(rules)]
    rows += ["", "Also:"]
    rows += [f"  {form:<22}  {what}" for form, what in (COMMANDS[word] for word in commands)]
    if rules.kind == LINE_CLEAR:
        rows += ["", "Where two people may act, the seat number comes first: 3 take WR1."]
    return "\n".join(rows)


def _example(word: str, rules: Rules) -> str:
    """An example that belongs to this kind of table."""
    return _ELSEWHERE.get((word, int(rules.kind))) or ACTIONS[word].example


def _topic(word: str, rules: Rules, legal: Sequence[str]) -> str:
    topic = ACTIONS[word]
    rows = [topic.form, f"{topic.what[0].upper()}{topic.what[1:]}.", *topic.more]
    now = [text for text in legal if text.split()[0] == word]
    if not topic.there(rules):
        rows.append(f"This game has no {word}{' in solo' if rules.kind == SOLO else ''}.")
    elif now:
        rows.append(f"For example: {now[0]}, which you could play now.")
    else:
        rows.append(f"For example: {_example(word, rules)}. Now it is not possible.")
    return "\n".join(rows)


def pieces_page(rules: Rules) -> Text:
    """The pieces as they lie on a puzzle, those of a level beside each other."""
    rows = [Text("Any piece may be turned and flipped. Each has its own mark:")]
    levels = ((1, 2, 3), (4,), (5,)) if rules.ghost else ((1, 2, 3), (4,))
    for group in levels:
        blocks = [_piece(name) for shape, name in enumerate(NAMES) if int(LEVEL[shape]) in group]
        rows += [Text(), *beside(blocks, [_COLUMN] * len(blocks))]
    return Text("\n").join(rows)


def _piece(name: str) -> Block:
    """A piece below its name, its cells as wide as those of the puzzles."""
    mark, colour = MARKS[name]
    rows = [Text(f"{name} level {name[1]}", "bold")]
    for picture in PICTURES[name]:
        row = Text()
        for n, cell in enumerate(picture):
            joined = picture[n : n + 2] == "##"
            row.append(mark if cell == "#" else " ", colour if cell == "#" else "").append(
                " ", colour if joined else ""
            )
        rows.append(row)
    return rows
