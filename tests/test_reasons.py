"""A reason that is given is true: every code's claim is worked out again from the position's JSON."""

import random
import re
from collections.abc import Callable, Mapping
from typing import NamedTuple

import pytest

from projectl import Game, Header, Illegal, Rules, State, apply, legal, to_act, view
from projectl.core import actions
from projectl.core.notation import legal_decisions, parse
from projectl.core.pieces import LEVEL, NAMES, PLACEMENT_TEXT, names_in
from projectl.core.reasons import why_not
from projectl.core.rules import EDITIONS
from projectl.core.state import LEVEL_UP, ORDER, OVER, PLACING, PLAY, REWARD, TOUCHES
from tests.configurations import configurations, random_rules
from tests.players import choose
from tests.table import go, table

LEVELS = {name: int(level) for name, level in zip(NAMES, LEVEL, strict=True)}


class Tried(NamedTuple):
    """A decision that was refused, and all that can be seen of the position."""

    state: State
    seat: int
    decision: int
    sentence: str
    seen: Mapping[str, object]  # the referee's view

    def part(self, key: str) -> dict[str, object]:
        found = self.seen.get(key, {})
        assert isinstance(found, dict)
        return found

    @property
    def me(self) -> dict[str, object]:
        players = self.seen["players"]
        assert isinstance(players, list)
        found = players[self.seat]
        assert isinstance(found, dict)
        return found

    @property
    def supply(self) -> dict[str, int]:
        found = self.me["supply"]
        assert isinstance(found, dict)
        return found

    @property
    def reserve(self) -> dict[str, int]:
        return {name: int(str(n)) for name, n in self.part("reserve").items() if n}

    @property
    def words(self) -> list[str]:
        return actions.decision_text(self.decision).split()

    @property
    def modules(self) -> tuple[str, ...]:
        return self.state.rules.modules

    def puzzle(self, place: int) -> dict[str, object] | None:
        puzzles = self.me["puzzles"]
        assert isinstance(puzzles, list)
        return next((puzzle for puzzle in puzzles if puzzle["place"] == place), None)

    def actions_left(self) -> int:
        left = self.seen["actions_left"]
        return left[str(self.seat + 1)] if isinstance(left, dict) else int(str(left))

    def credits(self) -> int:
        held = self.me["credits"]
        assert isinstance(held, dict)
        return int(held["active"])


def _placed(t: Tried) -> tuple[int, str, list[str]]:
    """Place, piece and cells of a placement, from its text."""
    place, cells = actions.placement_text(t.decision).split(":")
    found = re.findall("[a-e][1-5]", cells)
    return int(place), NAMES[actions.shape_placed(t.decision)], found


def _pair(t: Tried) -> tuple[str, str]:
    return t.words[1], t.words[2]


def _covered(puzzle: dict[str, object]) -> set[str]:
    pieces = puzzle["pieces"]
    assert isinstance(pieces, list)
    return {cell for piece in pieces for cell in piece["cells"]}


def _not_owned(t: Tried) -> bool:
    piece = t.words[1] if t.decision >= actions.TAKE else _placed(t)[1]
    return piece in t.sentence and piece not in t.supply


def _outside(t: Tried) -> bool:
    place, _, cells = _placed(t)
    puzzle = t.puzzle(place)
    assert puzzle is not None
    empty = puzzle["empty"]
    assert isinstance(empty, list)
    return str(puzzle["card"]) in t.sentence and not set(cells) <= set(empty) | _covered(puzzle)


def _overlap(t: Tried) -> bool:
    place, piece, cells = _placed(t)
    puzzle = t.puzzle(place)
    return puzzle is not None and piece in t.supply and bool(set(cells) & _covered(puzzle))


def _fits_somewhere(t: Tried) -> bool:
    """Whether any piece of the supply fits on any puzzle, tried cell by cell."""
    puzzles = t.me["puzzles"]
    assert isinstance(puzzles, list)
    for placement, text in enumerate(PLACEMENT_TEXT):
        if NAMES[actions.shape_placed(placement)] in t.supply:
            cells = set(re.findall("[a-e][1-5]", text))
            if any(cells <= set(puzzle["empty"]) for puzzle in puzzles):
                return True
    return False


def _no_placement(t: Tried) -> bool:
    if t.decision == actions.STOP:
        return t.state.phase == PLACING and t.state.placed == 0 and not actions.is_ghost(t.state.pending)
    return not _fits_somewhere(t)


def _slots(t: Tried) -> dict[str, str | None]:
    """Every face-up place of this kind of game, with its card."""
    if "solo" in t.seen:
        grid = t.part("solo")["grid"]
        assert isinstance(grid, list)
        return {f"G{n}": card for n, card in enumerate(grid, 1)}
    rows = t.part("rows")
    return {f"{row}{n}": card for row, cards in rows.items() for n, card in enumerate(list(cards), 1)}  # type: ignore[call-overload]


def _decks(t: Tried) -> dict[str, int]:
    if "solo" in t.seen:
        return {"G": int(str(t.part("solo")["deck"]))}
    return {name: int(str(n)) for name, n in t.part("decks").items()}


def _other_table(t: Tried) -> bool:
    name = t.words[1]
    if t.words[0] == "recycle":
        return name not in t.part("rows")
    return name not in _slots(t) and name not in _decks(t)


def _other_side(t: Tried) -> bool:
    """The right rows are the black holder's; decks and Recycle the white holder's."""
    name, white = t.words[1], t.part("markers")["white"] == t.seat + 1
    right = len(name) > 1 and name[1] == "R"
    return white if right else not white


def _no_card(t: Tried) -> bool:
    name = t.words[1]
    return _decks(t)[name] == 0 if name in _decks(t) else _slots(t)[name] is None


def _deck_empty(t: Tried) -> bool:
    return _decks(t)[t.words[1][0]] == 0


def _black_limit(t: Tried) -> bool:
    return t.seen["end_triggered"] is True and t.words[1].startswith("B") and t.state.players[t.seat].black >= 1


def _gain(t: Tried) -> bool:
    """The pieces that are named can be had, the one asked for is not among them."""
    named = re.search("takes (?:an )?(.*?)(?: now|$)", t.sentence)
    assert named is not None
    choices = named[1].split(" or ")
    can = [actions.decision_text(option).split()[1] for option in legal(t.state, t.seat) if actions.is_gain(option)]
    if "now" in t.sentence:
        return choices == can and t.words[1] not in choices and all(piece in t.reserve for piece in choices)
    return choices == ["O1"] and can == [] and t.words[1] != "O1"


def _reserve(t: Tried) -> bool:
    if t.words[0] == "ghost":
        return any(t.words[2:].count(piece) > t.reserve.get(piece, 0) for piece in t.words[2:])
    if "nothing" in t.sentence:
        return not any(LEVELS[piece] < 5 for piece in t.reserve)
    return t.words[-1] in t.sentence and t.words[-1] not in t.reserve


def _level(t: Tried) -> bool:
    """What each of the five sentences claims about two levels and the reserve."""
    returned, taken = _pair(t)
    low, high = LEVELS[returned], LEVELS[taken]
    there = {LEVELS[piece] for piece in t.reserve}
    if "exactly" in t.sentence:
        steps = 1 if "one level" in t.sentence else 2
        return t.state.arrows == steps and high != low + steps and t.seen["edition"] == "2019"
    if "below" in t.sentence:
        return high < low - 1 and t.state.rules.exchange_down == "one"
    if "next level is there" in t.sentence:
        return high > low + 1 and low + 1 in there
    if "upgrade_skip=two" in t.sentence:
        return high > low + 2 and low + 1 not in there and t.state.rules.upgrade_skip == "two"
    nearer = [level for level in there if low < level < high]
    return "nearest" in t.sentence and bool(nearer) and low + 1 not in there


def _ghost(t: Tried) -> bool:
    returned, taken = _pair(t)
    assert LEVELS[taken] == 5
    return t.words[0] == "upgrade" or LEVELS[returned] < 4


def _ghost_module(t: Tried) -> bool:
    piece = t.words[1] if t.words[0] == "ghost" else _placed(t)[1]
    return "ghost" not in t.modules and LEVELS[piece] == 5


def _not_taken(t: Tried) -> bool:
    piece = _placed(t)[1]
    return actions.is_ghost(t.state.pending) and piece not in names_in(int(t.state.hand))


def _ambassadors(t: Tried) -> bool:
    """None at all, or only those of this turn, where the next turn is named."""
    unused = int(str(t.me["ambassador"]))
    fresh = int(t.state.players[t.seat].new_ambassadors)
    return unused == fresh and ("next turn" in t.sentence) == (fresh > 0)


def _seat(t: Tried) -> bool:
    return t.seat + 1 not in t.seen["to_act"]  # type: ignore[operator]


def _phase(t: Tried) -> bool:
    touching = t.seen["phase"] == "touches"
    return touching != (t.decision in (actions.CREDIT, actions.DONE))


def _nothing_open(t: Tried) -> bool:
    return t.state.phase == PLAY and t.words[0] in ("order", "reward", "levelup", "stop")


def _credits(t: Tried) -> bool:
    return t.credits() < 2 if t.decision == actions.INSERT else t.credits() == 0


CLAIMS: dict[str, Callable[[Tried], bool]] = {
    "seat": _seat,
    "phase": _phase,
    "reward": lambda t: t.state.phase == REWARD and t.words[0] == "reward",
    "reward-open": lambda t: t.state.phase == REWARD and t.words[0] != "reward",
    "levelup-open": lambda t: t.state.phase == LEVEL_UP and not actions.is_levelup(t.decision),
    "order": lambda t: t.state.phase == ORDER and str(len(t.words) - 1) not in t.sentence,
    "order-open": lambda t: t.state.phase == ORDER and t.words[0] != "order",
    "placing-open": lambda t: t.state.phase == PLACING and t.decision not in range(actions.TAKE),
    "place-passed": lambda t: t.state.phase == PLACING and _placed(t)[0] <= t.state.next_place,
    "credit-open": lambda t: t.state.phase == TOUCHES and t.state.credit,
    "insert-open": lambda t: t.state.inserting,
    "nothing-open": _nothing_open,
    "no-actions": lambda t: t.actions_left() == 0 and t.credits() >= 2,
    "must-act": lambda t: t.seen["edition"] == "2023" and t.actions_left() > 0,
    "no-puzzle": lambda t: t.puzzle(_placed(t)[0]) is None,
    "not-owned": _not_owned,
    "not-taken": _not_taken,
    "outside": _outside,
    "overlap": _overlap,
    "no-placement": _no_placement,
    "four-puzzles": lambda t: all(t.puzzle(place) for place in (1, 2, 3, 4)),
    "other-table": _other_table,
    "other-side": _other_side,
    "no-deck-take": lambda t: t.seen["edition"] in ("2019", "2020") and t.words[1] in _decks(t),
    "black-limit": _black_limit,
    "no-card": _no_card,
    "no-recycle": lambda t: not EDITIONS[str(t.seen["edition"])].recycles or "solo" in t.seen,
    "deck-empty": _deck_empty,
    "gain": _gain,
    "reserve": _reserve,
    "same-shape": lambda t: _pair(t)[0] == _pair(t)[1],
    "level": _level,
    "ghost": _ghost,
    "ghost-module": _ghost_module,
    "master-used": lambda t: t.state.players[t.seat].master,
    "ambassador-module": lambda t: "ambassador" not in t.modules,
    "no-ambassador": _ambassadors,
    "finesse-module": lambda t: "finesse" not in t.modules,
    "credits": _credits,
}


def check(state: State, seat: int, decision: int, seen: Mapping[str, object]) -> str:
    """The reason for one decision is true."""
    code, sentence = why_not(state, seat, decision)
    tried = Tried(state, seat, decision, sentence, seen)
    assert CLAIMS[code](tried), f"{actions.decision_text(decision)}: {code}, {sentence}\n{seen}"
    return code


def some_decisions(dice: random.Random) -> list[int]:
    """A few of every kind."""
    kinds = [
        range(actions.PLACE, actions.TAKE),
        range(actions.TAKE, actions.RECYCLE),
        range(actions.RECYCLE, actions.GAIN),
        range(actions.GAIN, actions.UPGRADE),
        range(actions.UPGRADE, actions.LEVELUP),
        range(actions.LEVELUP, actions.LEVELUP_NONE),
        range(actions.REWARD, actions.GHOST),
        range(actions.GHOST, actions.MASTER),
    ]
    found = [dice.choice(kind) for kind in kinds for _ in range(3)]
    return [*found, actions.LEVELUP_NONE, *range(actions.MASTER, actions.COUNT)]


def refusals(state: State, dice: random.Random) -> set[str]:
    """Every seat tries many things that are not legal."""
    codes: set[str] = set()
    seen = view(state)
    for seat in range(len(state.players)):
        allowed = set(legal(state, seat))
        tried = some_decisions(dice) if seat in to_act(state) else [dice.randrange(actions.COUNT)]
        codes |= {check(state, seat, decision, seen) for decision in tried if decision not in allowed}
    return codes


SEEN: set[str] = set()


@pytest.mark.parametrize("number", range(60))
def test_reasons_are_true_in_random_games(number: int) -> None:
    dice = random.Random(f"reasons {number}")
    state = Game(Header(random_rules(dice), str(number))).state
    while state.phase != OVER:
        seat, _, decisions = choose(state, dice)
        for decision in decisions:  # inside an action too
            apply(state, decision, seat)
            rare = state.phase in (REWARD, LEVEL_UP) or actions.is_ghost(state.pending) or state.end_triggered
            if dice.random() < (0.5 if rare else 0.1):
                SEEN.update(refusals(state, dice))


@pytest.mark.parametrize(("players", "edition", "modules"), configurations()[::9])
def test_reasons_are_true_at_the_start_of_every_kind_of_game(
    players: int, edition: str, modules: tuple[str, ...]
) -> None:
    state = Game(Header(Rules(players, edition, modules), "start")).state
    seen = view(state)
    for seat in to_act(state):
        allowed = set(legal(state, seat))
        for decision in range(players, actions.COUNT, 7):
            if decision not in allowed:
                check(state, seat, decision, seen)


TEXTS = (
    "take W1",
    "take B",
    "take WL2",
    "take G3",
    "recycle W",
    "recycle BL",
    "gain O1",
    "gain I3",
    "upgrade O1 I2",
    "upgrade I2 T4",
    "place 1:c3",
    "master 1:c3c4 2:c3c4",
    "ambassador 1:c3 2:c4 3:b3",
    "ghost U5 I2 L3 1:c3",
    "insert gain O1",
    "insert master 1:c3",
    "reward 1 S4",
    "levelup I2 L3",
    "levelup none",
    "pass",
    "touch 1:c3",
    "touch 1:c3 credit",
    "done",
)


@pytest.mark.parametrize("number", range(12))
def test_reasons_for_whole_actions_are_true_where_the_action_stops(number: int) -> None:
    """The refused decision is found again by going through the action, and its claim checked there."""
    dice = random.Random(f"texts {number}")
    state = Game(Header(random_rules(dice), str(number))).state
    for _ in range(40):
        if state.phase == OVER:
            break
        for seat in to_act(state):
            for text in TEXTS:
                _text_is_refused_truly(state, seat, text)
        seat, _, decisions = choose(state, dice)
        for decision in decisions:
            apply(state, decision, seat)


def _refusal(state: State, seat: int, text: str) -> Illegal | None:
    try:
        legal_decisions(state, seat, text)
    except Illegal as error:
        return error
    return None


def _text_is_refused_truly(state: State, seat: int, text: str) -> None:
    error = _refusal(state, seat, text)
    if error is None:
        return
    if error.code == "phase":
        assert (state.phase == TOUCHES) != (text.split()[0] in ("touch", "done"))
        return
    after = state.clone()
    for decision in parse(text):
        if decision not in legal(after, seat):
            assert CLAIMS[error.code](Tried(after, seat, decision, error.sentence, view(after))), error.sentence
            return
        apply(after, decision, seat)
    pytest.fail(f"{text} was refused, but every decision of it is legal: {error.sentence}")


def test_inside_a_master_a_gain_is_refused_for_the_master() -> None:
    """Not because Gain takes something else: it would take an O1, and an O1 is there."""
    game = go(table("players: 2\nwhite: W09"), "1 take W1")
    state = game.state.clone()
    apply(state, actions.MASTER, 0)
    code, sentence = why_not(state, 0, actions.GAIN)
    assert (code, "Master" in sentence, "O1" in sentence) == ("placing-open", True, False)


def test_reasons_once_the_black_deck_is_empty() -> None:
    """Eight cards empty it; from then on one black card a turn, no Recycle, nothing on top."""
    head = "players: 2\ncard: K B 0 O1 .#### ##### ##### ##### #####\nblack: K"
    game = table(head, "1 take B1|1 place 1:a1|1 take B1", "2 take B1|2 take B1|2 take B1")
    go(game, "1 take B1|1 take B1|1 take B1")
    state, top, row = game.state, actions.TAKE_TOP_BLACK, actions.RECYCLE + 1
    assert [check(state, 1, decision, view(state)) for decision in (top, row)] == ["no-card", "deck-empty"]
    go(game, "2 take B2")
    second = actions.TAKE + actions.TAKE_NAMES.index("B1")
    assert check(game.state, 1, second, view(game.state)) == "four-puzzles"
    go(game, "2 gain O1|2 gain O1", "1 gain O1|1 gain O1|1 gain O1")
    SEEN.update({"no-card", "deck-empty"})


def test_random_games_met_nearly_every_reason() -> None:
    """So that the claims above are not idle. Runs after the random games of this file."""
    rare = {"nothing-to-insert", "credit-open", "black-limit"}
    if len(SEEN) > 10:  # a run of this test alone has met none
        assert set(CLAIMS) - SEEN <= rare
