"""Whole actions as people and records write them: to decisions and back, and all of them listed."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from projectl.core import actions
from projectl.core.engine import apply
from projectl.core.errors import Illegal, Unreadable
from projectl.core.legal import legal, may_act, to_act
from projectl.core.pieces import CELL_NUMBER, NAMES, PLACEMENT_OF_MASK, multiset
from projectl.core.reasons import whose_turn, why_not
from projectl.core.state import TOUCHES, State

Decisions = tuple[int, ...]

_PLACEMENT: Final = re.compile(r"([1-4]):((?:[a-e][1-5])+)")
_SLOT: Final = re.compile(r"[1-4]")
_NO_INSERT: Final[tuple[str, ...]] = ("insert", "reward", "levelup", "pass", "touch", "done")


# --- reading ----------------------------------------------------------------------------------


def parse(text: str) -> Decisions:
    """The decisions of a whole action. It says nothing about whether they are legal now."""
    words = text.split()
    if not words:
        raise Unreadable("empty", "an action is missing")
    verb, rest = words[0], words[1:]
    reader = _READERS.get(verb)
    if reader is None:
        raise Unreadable(
            "verb", f"unknown action {verb[:20]!r}, expected one of {', '.join(_READERS)}", about=verb[:20]
        )
    return reader(rest)


def _exactly(words: list[str], n: int, form: str) -> None:
    if len(words) != n:
        raise Unreadable("form", f"expected `{form}`", about=form)


def _piece(word: str) -> int:
    if word not in NAMES:
        raise Unreadable("piece", f"a piece is one of {' '.join(NAMES)}, found {word[:20]!r}", about=word[:20])
    return NAMES.index(word)


def _placement(word: str) -> int:
    found = _PLACEMENT.fullmatch(word)
    if not found:
        sentence = f"a placement is a place from 1 to 4 and cells, as 1:c3c4, found {word[:60]!r}"
        raise Unreadable("placement", sentence, about=word[:60])
    cells = [CELL_NUMBER[found[2][i : i + 2]] for i in range(0, len(found[2]), 2)]
    if len(set(cells)) != len(cells):
        raise Unreadable("cell-twice", f"a cell is named twice in {word[:60]!r}", about=word[:60])
    placement = PLACEMENT_OF_MASK.get(sum(2**cell for cell in cells))
    if placement is None:
        raise Unreadable("no-such-piece", f"the cells of {word[:60]!r} form no piece", about=word[:60])
    return int(actions.placing(int(found[1]) - 1, placement))


def _placements(words: list[str]) -> Decisions:
    found = sorted(_placement(word) for word in words)
    places = [actions.place_of(decision) for decision in found]
    if len(set(places)) != len(places):
        raise Illegal("place-twice", "one action places at most one piece on each puzzle")
    return tuple(found)


def _take(words: list[str]) -> Decisions:
    _exactly(words, 1, "take SLOT")
    if words[0] not in actions.TAKE_NAMES:
        raise Unreadable("slot", f"no game has a card at {words[0][:20]!r}", about=words[0][:20])
    return (actions.TAKE + actions.TAKE_NAMES.index(words[0]),)


def _recycle(words: list[str]) -> Decisions:
    if not words or words[0] not in (*actions.RECYCLE_NAMES, "WR", "BR"):
        raise Unreadable("row", "expected `recycle ROW` or `recycle ROW ORDER`, as recycle W 3 1 4 2")
    row, order = words[0], words[1:]
    if not all(word.isascii() and word.isdigit() for word in order):
        raise Unreadable("order", f"an order is slot numbers, found {' '.join(order)[:40]!r}")
    if row not in actions.RECYCLE_NAMES:
        raise Illegal("row", f"row {row} is never recycled")
    size = (len(row) == 1 and 4) or 3
    slots = tuple(int(word) - 1 if _SLOT.fullmatch(word) else -1 for word in order) or tuple(range(size))
    if sorted(slots) != list(range(size)):
        raise Illegal("order", f"an order names each of the {size} cards of row {row} once")
    return (
        actions.RECYCLE + actions.RECYCLE_NAMES.index(row),
        actions.ORDER_OF_FOUR + actions.ORDERS.index(slots),
    )


def _gain(words: list[str]) -> Decisions:
    _exactly(words, 1, "gain PIECE")
    shape = _piece(words[0])
    if not actions.is_gain(actions.GAIN + shape):
        raise Illegal("ghost", "a ghost is never gained")
    return (actions.GAIN + shape,)


def _upgrade(words: list[str]) -> Decisions:
    _exactly(words, 2, "upgrade PIECE PIECE")
    return (int(actions.exchange(actions.UPGRADE, _piece(words[0]), _piece(words[1]))),)


def _place(words: list[str]) -> Decisions:
    _exactly(words, 1, "place PLACE:CELLS")
    return (_placement(words[0]),)


def _master(words: list[str]) -> Decisions:
    if not words:
        raise Unreadable("form", "expected at least one placement, as master 1:c3c4 3:a1", about="master 1:c3c4 3:a1")
    return (actions.MASTER, *_placements(words), actions.STOP)


def _ambassador(words: list[str]) -> Decisions:
    if not words:
        raise Unreadable(
            "form", "expected at least one placement, as ambassador 1:c3c4 3:a1", about="ambassador 1:c3c4 3:a1"
        )
    return (actions.AMBASSADOR, *_placements(words), actions.STOP)


def _ghost(words: list[str]) -> Decisions:
    split = next((i for i, word in enumerate(words) if ":" in word), len(words))
    if split < 2:
        raise Unreadable("form", "expected a ghost and the pieces for it, as ghost U5 I2 L3", about="ghost U5 I2 L3")
    ghost, parts = _piece(words[0]), [NAMES[_piece(word)] for word in words[1:split]]
    placed = _placements(words[split:])
    if len(parts) > 5 or (ghost, multiset(parts)) not in actions.DECOMPOSITIONS:
        raise Illegal("tiling", f"{' '.join(parts)} do not form {NAMES[ghost]}")
    return (actions.GHOST + actions.DECOMPOSITIONS.index((ghost, multiset(parts))), *placed, actions.STOP)


def _insert(words: list[str]) -> Decisions:
    if not words or words[0] in _NO_INSERT:
        raise Unreadable("insert", "insert stands before an action of a turn, as insert place 1:c3")
    return (actions.INSERT, *parse(" ".join(words)))


def _reward(words: list[str]) -> Decisions:
    _exactly(words, 2, "reward PLACE PIECE")
    if not _SLOT.fullmatch(words[0]):
        raise Unreadable("place", f"a place is a number from 1 to 4, found {words[0][:20]!r}", about=words[0][:20])
    return (int(actions.rewarding(int(words[0]) - 1, _piece(words[1]))),)


def _levelup(words: list[str]) -> Decisions:
    if words == ["none"]:
        return (actions.LEVELUP_NONE,)
    _exactly(words, 2, "levelup PIECE PIECE` or `levelup none")
    return (int(actions.exchange(actions.LEVELUP, _piece(words[0]), _piece(words[1]))),)


def _pass(words: list[str]) -> Decisions:
    _exactly(words, 0, "pass")
    return (actions.PASS,)


def _touch(words: list[str]) -> Decisions:
    if len(words) == 2 and words[1] == "credit":
        return (actions.CREDIT, _placement(words[0]))
    _exactly(words, 1, "touch PLACE:CELLS` or `touch PLACE:CELLS credit")
    return (_placement(words[0]),)


def _done(words: list[str]) -> Decisions:
    _exactly(words, 0, "done")
    return (actions.DONE,)


_READERS: Final = {
    "take": _take,
    "recycle": _recycle,
    "gain": _gain,
    "upgrade": _upgrade,
    "place": _place,
    "master": _master,
    "ambassador": _ambassador,
    "ghost": _ghost,
    "insert": _insert,
    "reward": _reward,
    "levelup": _levelup,
    "pass": _pass,
    "touch": _touch,
    "done": _done,
}


# --- writing ----------------------------------------------------------------------------------


def text(decisions: Decisions, in_touches: bool = False) -> str:
    """The canonical text of a whole action."""
    first = decisions[0]
    if in_touches and first == actions.CREDIT:
        return f"touch {actions.placement_text(decisions[1])} credit"
    if in_touches and actions.is_placement(first):
        return f"touch {actions.placement_text(first)}"
    if first == actions.INSERT:
        return f"insert {text(decisions[1:])}"
    words = [actions.decision_text(first)]
    for decision in decisions[1:]:
        if actions.is_placement(decision):
            words.append(actions.placement_text(decision))
        elif decision != actions.STOP:
            words.append(actions.order_text(decision))
    return " ".join(word for word in words if word)


def whole_actions(s: State, seat: int, decisions: Sequence[int]) -> list[str]:
    """The canonical texts of a sequence of decisions of one seat, from a position on."""
    found: list[str] = []
    after = s.clone()
    group: list[int] = []
    touching = False
    for decision in decisions:
        if not group:
            touching = after.phase == TOUCHES
        group.append(decision)
        apply(after, decision, seat)
        if not after.action_open():
            found.append(text(tuple(group), touching))
            group = []
    return found


# --- listing ----------------------------------------------------------------------------------


def lines(s: State, every: bool = False) -> Iterator[tuple[int, str, Decisions]]:
    """The legal whole actions as (seat, text, decisions), sorted by seat and text.

    Master and Ambassador come with one placement, Ghost with at most one; with `every` all
    combinations of placements come, one at a time.
    """
    touching = s.phase == TOUCHES
    for seat in sorted(to_act(s)):
        wholes = _wholes(s, seat, (), every)
        if touching:  # the word `credit` stands last in the text, but is decided first
            wholes = iter(sorted(wholes, key=lambda whole: text(whole, True)))
        for decisions in wholes:
            yield seat, text(decisions, touching), decisions


def _wholes(s: State, seat: int, begun: Decisions, every: bool) -> Iterator[Decisions]:
    """Everything that `begun` can grow into, in the order of the texts.

    Depth first with sorted children is sorted throughout: where one placement's text begins
    another's, what follows the shorter is a blank or the end, and both sort first.
    """
    touching = s.phase == TOUCHES
    options = [int(decision) for decision in legal(s, seat)]
    for _, decision in sorted((_sort_text(decision, touching), decision) for decision in options):
        whole = (*begun, decision)
        if not _goes_on(decision, whole, every):
            yield (*whole, actions.STOP) if _in_placements(whole) and decision != actions.STOP else whole
            continue
        after = s.clone()
        apply(after, decision, seat)
        yield from _wholes(after, seat, whole, every)


def _in_placements(whole: Decisions) -> bool:
    opener = whole[1] if whole[0] == actions.INSERT and len(whole) > 1 else whole[0]
    return actions.opens_placements(opener)


def _goes_on(decision: int, whole: Decisions, every: bool) -> bool:
    return actions.opens(decision) or (every and actions.is_placement(decision) and _in_placements(whole))


def _sort_text(decision: int, touching: bool) -> str:
    if decision == actions.STOP:
        return ""
    if actions.is_order(decision):
        return actions.order_text(decision)
    if actions.is_placement(decision):
        verb = "touch" if touching else "place"
        return f"{verb} {actions.placement_text(decision)}"
    return actions.decision_text(decision)


# --- checking ---------------------------------------------------------------------------------


def legal_decisions(s: State, seat: int, line: str) -> Decisions:
    """Read a whole action and check it; `Illegal` says what is wrong with it now."""
    found = parse(line)
    verb = line.split()[0]
    if not may_act(s, seat):
        raise Illegal("seat", whose_turn(s, seat))
    if (s.phase == TOUCHES) != (verb in ("touch", "done")):
        now = (
            "the finishing touches, only touch and done are" if s.phase == TOUCHES else "a turn, touch and done are not"
        )
        raise Illegal("phase", f"in {now} possible")
    after = s
    for n, decision in enumerate(found):
        if decision not in legal(after, seat):
            code, sentence = why_not(after, seat, decision)
            raise Illegal(code, sentence)
        if n < len(found) - 1:
            after = after.clone()
            apply(after, decision, seat)
    return found


def more_placements(s: State, seat: int, decisions: Decisions) -> list[int]:
    """Placements that can be added to a Master, Ambassador or Ghost action, on any place that has none yet."""
    if decisions[-1] != actions.STOP:
        return []
    placed = [decision for decision in decisions if actions.is_placement(decision)]
    opened = s.clone()
    for decision in decisions:
        if not actions.is_placement(decision) and decision != actions.STOP:
            if decision not in legal(opened, seat):
                return []
            apply(opened, decision, seat)
    options = [int(option) for option in legal(opened, seat) if actions.is_placement(option)]
    return [option for option in options if _joins(opened, seat, placed, option)]


def _joins(opened: State, seat: int, placed: list[int], option: int) -> bool:
    """Whether a placement can stand beside the others; inside the engine places ascend."""
    if actions.place_of(option) in {actions.place_of(decision) for decision in placed}:
        return False
    after = opened.clone()
    for decision in sorted([option, *placed]):
        if decision not in legal(after, seat):
            return False
        apply(after, decision, seat)
    return True
