"""Observations and masks: every feature told again from the view, and nothing that the seat may not know."""

import random
import re
from array import array
from collections.abc import Callable
from math import prod
from typing import cast

import pytest

from projectl import Rules, State, apply, legal, new_game, result, to_act, view
from projectl.bots.protocol import look_at
from projectl.bots.registry import make
from projectl.core import actions
from projectl.core.cards import REWARDS, TILE_KINDS, parse_card, shipped_cards
from projectl.core.dice import Dice
from projectl.core.features import FEATURE, FEATURES, FOUR_PLAYERS, MASK_SIZE, SEATS, SHIPPED, SIZE, TWO_PLAYERS
from projectl.core.knowledge import imagine, known
from projectl.core.legal import may_act
from projectl.core.native import Buffer
from projectl.core.observe import mask, observe, returns
from projectl.core.pieces import NAMES, cell_name
from projectl.core.rules import DIFFICULTIES, EDITIONS, MODULES, option_named
from projectl.core.setup import cards_in_play
from projectl.core.state import EMPTY, OVER, PLAY, TOUCHES, player_index, scalar_index, vector_index
from tests.configurations import configurations, random_rules
from tests.features_page import PAGE, table


def observed(state: State, seat: int) -> bytes:
    out = bytearray(SIZE)
    observe(state, seat, out)
    return bytes(out)


def masked(state: State, seat: int) -> list[int]:
    out = bytearray(b"\x07" * MASK_SIZE)
    mask(state, seat, out)
    return list(out)


def of(name: str, observation: bytes) -> list[int]:
    return [observation[n] for n in FEATURE[name].indexes()]


class Retold:
    """The same features, slowly: from the JSON view where it says it, else from what `known` leaves."""

    def __init__(self, state: State, seat: int) -> None:
        self.rules = state.rules
        self.cards = {card.id: card for card in state.rules.cards.cards}
        self.seat = seat
        self.view = view(state, seat)
        self.known = known(state, seat, watched=False)  # an observation shows what lies there to be seen
        self.over = state.phase == OVER
        self.may_act = [may_act(state, other) for other in range(len(state.players))]

    def scalar(self, name: str) -> int:
        return self.known.parts["scalars"][0][scalar_index(name)]

    def vector(self, name: str) -> list[int]:
        return self.known.parts["vectors"][vector_index(name)]

    def player(self, seat: int, name: str) -> int:
        return self.known.parts["players"][seat][player_index(name)]

    def seats(self) -> list[int]:
        """Absolute seats, the observer first."""
        n = len(self.may_act)
        return [(self.seat + i) % n for i in range(n)]

    def shown(self, seat: int) -> dict[str, object]:
        players = self.view["players"]
        assert isinstance(players, list)
        return dict(players[seat])

    # --- configuration ------------------------------------------------------------------------

    def configuration(self) -> dict[str, list[int]]:
        rules = self.rules
        solo = int(rules.players) == 1
        return {
            "edition": [int(name == rules.edition) for name in EDITIONS],
            "players": [int(n == rules.players) for n in range(1, 7)],
            "modules": [int(name in rules.modules) for name in MODULES],
            "upgrade_skip": [int(name == rules.upgrade_skip) for name in option_named("upgrade_skip").values],
            "exchange_down": [int(name == rules.exchange_down) for name in option_named("exchange_down").values],
            "known_points": [int(rules.known_points)],
            "difficulty": [int(solo and name == rules.difficulty) for name in DIFFICULTIES],
            "max_rounds": [min(255, int(rules.max_rounds))],
        }

    # --- the turn -----------------------------------------------------------------------------

    def turn(self) -> dict[str, list[int]]:
        phase, round_, last = self.scalar("phase"), self.scalar("round"), self.scalar("last_round")
        triggered = bool(self.view["end_triggered"])
        solo, decks, finesse = self.view.get("solo"), self.view.get("decks"), self.view.get("finesse")
        assert isinstance(solo, dict) or isinstance(decks, dict)
        pending = self.scalar("pending")
        return {
            "round": [min(255, round_)],
            "last_round": [min(255, last)],
            "in_last_round": [int(triggered and round_ >= last)],
            "end_triggered": [int(triggered)],
            "quiet_round": [self.scalar("quiet_round")],
            "white_left": [solo["deck"] if isinstance(solo, dict) else decks["W"] if isinstance(decks, dict) else 0],
            "black_left": [decks["B"] if isinstance(decks, dict) else 0],
            "bank": [finesse["bank"] if isinstance(finesse, dict) else 0],
            "phase": [int(phase == n) for n in range(7)],
            "inserting": [self.scalar("inserting")],
            "action": [
                int(pending in (actions.RECYCLE, actions.RECYCLE + 2)),
                int(pending in (actions.RECYCLE + 1, actions.RECYCLE + 3)),
                int(actions.GHOST <= pending < actions.MASTER),
                int(pending == actions.MASTER),
                int(pending == actions.AMBASSADOR),
            ],
            "credit": [self.scalar("credit")],
            "placed": [self.scalar("placed")],
            "arrows": [self.scalar("arrows")],
            "open_places": [int(phase == 2 and place >= self.scalar("next_place")) for place in range(4)],
            "passed_white": [self.scalar("got_white")],
            "passed_black": [self.scalar("got_black")],
        }

    def pieces(self) -> dict[str, list[int]]:
        reserve = self.view["reserve"]
        assert isinstance(reserve, dict)
        hand = self.scalar("hand")
        return {
            "reserve": [reserve.get(name, 0) for name in NAMES],
            "hand": [hand // 32**shape % 32 for shape in range(12)],
        }

    def due(self) -> dict[str, list[int]]:
        queue = [divmod(item, 65536) for item in self.vector("queue")]
        rewards = [self.rules.cards.cards[card].reward for _, card in queue] + [-1] * (4 - len(queue))
        return {
            "rewards": [int(reward == n) for reward in rewards for n in range(len(REWARDS))],
            "place": [int(bool(queue) and queue[0][0] == place) for place in range(4)],
        }

    def solo(self) -> dict[str, list[int]]:
        solo = self.view.get("solo")
        if not isinstance(solo, dict):
            return {"locks": [0] * 8, "points": [0], "cards": [0]}
        locks = self.vector("locks")
        assert [locks[n] + locks[4 + n] for n in range(4)] == [*solo["locks"], solo["supply"]]
        return {"locks": locks, "points": [min(255, solo["points"])], "cards": [len(solo["completed"])]}

    # --- cards --------------------------------------------------------------------------------

    def market_ids(self) -> list[str | None]:
        rows, solo = self.view.get("rows"), self.view.get("solo")
        if isinstance(rows, dict):
            return [card for row in rows.values() for card in row]
        assert isinstance(solo, dict)
        return list(solo["grid"])

    def puzzles_of(self, seat: int) -> list[dict[str, object]]:
        puzzles = self.shown(seat)["puzzles"]
        assert isinstance(puzzles, list)
        return puzzles

    def unseen(self) -> dict[str, list[int]]:
        seen: set[object] = set(self.market_ids())
        for seat in self.seats():
            seen |= {puzzle["card"] for puzzle in self.puzzles_of(seat)}
            pile = self.shown(seat)["completed"]
            seen |= set(pile if isinstance(pile, list) else [])
        seen |= {self.rules.cards.cards[entry % 65536].id for entry in self.vector("finished")}  # face up too (R45)
        in_play = [*cards_in_play(self.rules, True), *cards_in_play(self.rules, False)]
        unseen = {self.rules.cards.cards[card].id for card in in_play} - seen
        own = [card for card in self.rules.own if card.id in unseen]
        white = sum(card.white for card in own)
        return {"cards": [int(card.id in unseen) for card in shipped_cards()], "own": [white, len(own) - white]}

    def card(self, card_id: object) -> dict[str, list[int]]:
        card = self.cards[str(card_id)] if card_id else None
        return {
            "present": [int(card is not None)],
            "colour": [int(card is not None and card.white), int(card is not None and not card.white)],
            "points": [card.points if card else 0],
            "reward": [int(card is not None and card.reward == n) for n in range(len(REWARDS))],
        }

    def market(self) -> dict[str, list[int]]:
        ids = self.market_ids()
        return joined([self.market_card(card) for card in [*ids, *([None] * (12 - len(ids)))]])

    def market_card(self, card_id: str | None) -> dict[str, list[int]]:
        recess = self.cards[card_id].recess if card_id else 0
        cells = [recess // 2**cell % 2 for cell in range(25)]
        return {**self.card(card_id), "recess": cells}

    # --- seats --------------------------------------------------------------------------------

    def seat_features(self) -> dict[str, list[int]]:
        return joined([self.one_seat(seat) for seat in self.seats()], 6)

    def one_seat(self, seat: int) -> dict[str, list[int]]:
        shown = self.shown(seat)
        supply, credits, pile = shown["supply"], shown.get("credits"), shown["completed"]
        markers = self.view.get("markers")
        assert isinstance(supply, dict)
        points, count = shown["points"], len(pile) if isinstance(pile, list) else shown["completed_count"]
        assert isinstance(count, int)
        usable, later = self.player(seat, "ambassadors"), self.player(seat, "new_ambassadors")
        assert shown.get("ambassador", 0) == usable + later
        return {
            "present": [1],
            "may_act": [int(self.may_act[seat])],
            "acts": [int(self.scalar("seat") == seat and not self.over)],
            "first": [int(seat == 0)],
            **{name: [min(255, self.player(seat, name))] for name in ("actions", "master", "black", "quiet", "done")},
            "pile_open": [int(points is not None)],
            "points": [min(255, points) if isinstance(points, int) else 0],
            "completed": [min(255, self.player(seat, "pile"))],
            "cards": [count],
            "touches": [int(str(shown["touches"]))],
            "credits": [credits["active"], credits["inactive"]] if isinstance(credits, dict) else [0, 0],
            "ambassadors": [usable, later],
            "markers": [int(markers[name] == seat + 1) for name in ("white", "black")]
            if isinstance(markers, dict)
            else [0, 0],
            "supply": [supply.get(name, 0) for name in NAMES],
        }

    def puzzles(self) -> dict[str, list[int]]:
        found: list[dict[str, list[int]]] = []
        for seat in self.seats():
            lying = {puzzle["place"]: puzzle for puzzle in self.puzzles_of(seat)}
            found += [self.puzzle(lying.get(place)) for place in range(1, 5)]
        return joined(found, 24)

    def puzzle(self, lying: dict[str, object] | None) -> dict[str, list[int]]:
        if lying is None:
            return {**self.card(None), "empty": [0] * 25, "covered": [0] * 25, "laid": [0] * 12}
        laid, empty = lying["pieces"], lying["empty"]
        assert isinstance(laid, list)
        assert isinstance(empty, list)
        under = [cell for piece in laid for cell in piece["cells"]]
        names = [piece["piece"] for piece in laid]
        return {
            **self.card(lying["card"]),
            "empty": [int(cell_name(cell) in empty) for cell in range(25)],
            "covered": [int(cell_name(cell) in under) for cell in range(25)],
            "laid": [names.count(name) for name in NAMES],
        }

    def tiles(self) -> dict[str, list[int]]:
        finesse = self.view.get("finesse")
        if not isinstance(finesse, dict) or self.view["phase"] in ("touches", "over"):
            return {}
        counting = [tile if n >= 2 else None for n, tile in enumerate(finesse["tiles"])]
        by_id = {tile.id: tile for tile in self.rules.tiles.tiles}
        entries = []
        for name in counting[self.scalar("round") - 1 :]:
            tile = by_id[name] if name else None
            entries.append(
                {
                    "counts": [int(tile is not None)],
                    "credits": [tile.credits if tile else 0],
                    "kind": [int(tile is not None and tile.what == kind) for kind in TILE_KINDS],
                    "shapes": [int(tile is not None and shape in tile.shapes) for shape in range(12)],
                }
            )
        return joined(entries, 10)

    def all(self) -> dict[str, list[int]]:
        parts: dict[str, Callable[[], dict[str, list[int]]]] = {
            "configuration": self.configuration,
            "turn": self.turn,
            "pieces": self.pieces,
            "due": self.due,
            "solo": self.solo,
            "unseen": self.unseen,
            "market": self.market,
            "seats": self.seat_features,
            "puzzles": self.puzzles,
            "tiles": self.tiles,
        }
        return {f"{part}.{name}": numbers for part, tell in parts.items() for name, numbers in tell().items()}


def joined(entries: list[dict[str, list[int]]], most: int = 0) -> dict[str, list[int]]:
    """The features of several blocks, filled up with 0 for those that are not there."""
    found: dict[str, list[int]] = {}
    for entry in entries:
        for name, numbers in entry.items():
            found.setdefault(name, []).extend(numbers)
    missing = max(0, most - len(entries))
    return {name: numbers + [0] * (len(numbers) // len(entries) * missing) for name, numbers in found.items()}


def check(state: State, seat: int) -> None:
    observation = observed(state, seat)
    retold = Retold(state, seat).all()
    expected = bytearray(SIZE)
    for name, numbers in retold.items():
        where = FEATURE[name].indexes()
        assert len(where) == len(numbers), name
        assert [observation[n] for n in where] == numbers, (name, seat, state.rules)
        assert max(numbers) <= FEATURE[name].highest, name
        for n, number in zip(where, numbers, strict=True):
            expected[n] = number
    assert observation == bytes(expected)


def check_mask(state: State, seat: int) -> None:
    options = set(legal(state, seat)) if may_act(state, seat) else set()
    assert [n for n, mark in enumerate(masked(state, seat)) if mark] == sorted(options)
    assert set(masked(state, seat)) <= {0, 1}


def check_hidden(state: State, seat: int, number: int) -> None:
    """Another deal of what the seat cannot see, with other seeds: the same bytes."""
    other = imagine(state.rules, known(state, seat), Dice(number))
    assert observed(other, seat) == observed(state, seat)
    assert masked(other, seat) == masked(state, seat)


def walk(rules: Rules, number: int, share: float, look: Callable[[State, int], None]) -> State:
    """A random game, any seat that may act acting; looks at a share of the positions and at the end."""
    dice = random.Random(number)
    state = new_game(rules, str(number))
    made = 0
    while state.phase != OVER and made < 2000:
        if dice.random() < share * (3 if state.phase not in (PLAY, TOUCHES) else 1):
            look(state, dice.randrange(len(state.players)))
        seat = dice.choice(to_act(state))
        apply(state, dice.choice(legal(state, seat)), seat)
        made += 1
    for seat in range(len(state.players)):
        look(state, seat)
    return state


def test_every_feature_in_every_configuration() -> None:
    for number, (players, edition, modules) in enumerate(configurations()):
        walk(Rules(players, edition, modules, max_rounds=2), number, 0.04, check)


@pytest.mark.parametrize("number", range(40))
def test_every_feature_in_random_games(number: int) -> None:
    walk(random_rules(random.Random(number)), number, 0.05, check)


@pytest.mark.parametrize("number", range(40))
def test_nothing_hidden_shows(number: int) -> None:
    def look(state: State, seat: int) -> None:
        check_hidden(state, seat, number)
        check_mask(state, seat)

    walk(random_rules(random.Random(1000 + number)), number, 0.1, look)


def test_games_of_bots() -> None:
    """Aimless play completes little; a bot fills piles, triggers the end and touches."""
    piles = 0
    for number, modules in enumerate(((), ("ghost",), ("ambassador", "finesse"))):
        state = new_game(Rules(2 + number, modules=modules, max_rounds=25), str(number))
        bot, dice = make("greedy", number), random.Random(number)
        while state.phase != OVER:
            if dice.random() < 0.05:
                observer = dice.randrange(len(state.players))
                check(state, observer)
                check_hidden(state, observer, number)
            seat = to_act(state)[0]
            apply(state, bot.decide(look_at(state, seat, 0.0)), seat)
        piles += sum(int(player.pile) for player in state.players)
    assert piles > 10


def test_every_shipped_card_has_a_feature() -> None:
    assert len(shipped_cards()) == SHIPPED


def test_the_features_do_not_overlap_and_stay_inside() -> None:
    where = [n for feature in FEATURES for n in feature.indexes()]
    assert len(where) == len(set(where))
    assert max(where) < SIZE
    assert all(len(feature.indexes()) == prod(feature.shape) for feature in FEATURES)


@pytest.mark.parametrize(("players", "size"), [(2, TWO_PLAYERS), (3, FOUR_PLAYERS), (4, FOUR_PLAYERS)])
def test_without_finesse_all_is_in_front(players: int, size: int) -> None:
    def look(state: State, seat: int) -> None:
        assert not any(observed(state, seat)[size:])

    walk(Rules(players, modules=("ghost", "ambassador", "phoenix"), max_rounds=8), players, 0.1, look)


def test_the_page_has_the_table() -> None:
    assert table() in PAGE.read_text(encoding="utf-8"), "python -m tests.features_page writes it anew"


# The arrays of the caller


@pytest.mark.parametrize("shape", [(SIZE,), (1, SIZE), (8, SIZE // 8), (SEATS, 24, 24)])
def test_an_observation_fills_an_array_of_any_shape(shape: tuple[int, ...]) -> None:
    state = new_game(Rules(3), "shape")
    out = bytearray(b"\x05" * SIZE)
    observe(state, 1, memoryview(out).cast("B", shape))
    assert bytes(out) == observed(state, 1)


def test_a_mask_may_be_of_truth_values() -> None:
    state = new_game(Rules(3), "truth")
    out = bytearray(MASK_SIZE)
    mask(state, 0, memoryview(out).cast("?"))
    assert list(out) == masked(state, 0)


@pytest.mark.parametrize(
    ("out", "found"),
    [
        (bytearray(SIZE - 1), f"found 'B' of shape ({SIZE - 1},)"),
        (bytearray(SIZE + 1), f"found 'B' of shape ({SIZE + 1},)"),
        (bytes(SIZE), f"found read-only 'B' of shape ({SIZE},)"),
        (array("q", [0] * SIZE), f"found 'q' of shape ({SIZE},)"),
        (array("d", [0] * (SIZE // 8)), f"found 'd' of shape ({SIZE // 8},)"),
    ],
    ids=["short", "long", "read-only", "numbers", "floats"],
)
def test_an_array_that_does_not_fit_is_refused(out: Buffer, found: str) -> None:
    before = bytes(memoryview(out))
    with pytest.raises(ValueError, match=re.escape(f"shape ({SIZE},), {found}")):
        observe(new_game(Rules(2), "x"), 0, out)
    assert bytes(memoryview(out)) == before
    test_a_mask_may_be_of_truth_values()  # what was in use is clean again


def test_what_is_no_array_is_refused() -> None:
    with pytest.raises(TypeError, match=rf"a mask needs .* shape \({MASK_SIZE},\), found list"):
        mask(new_game(Rules(2), "x"), 0, cast("Buffer", [0] * MASK_SIZE))


@pytest.mark.parametrize("seat", [-1, 2])
def test_a_seat_that_is_not_there(seat: int) -> None:
    with pytest.raises(ValueError, match="seats are numbers from 0 to 1"):
        observe(new_game(Rules(2), "x"), seat, bytearray(SIZE))
    with pytest.raises(ValueError, match="seats are numbers from 0 to 1"):
        mask(new_game(Rules(2), "x"), seat, bytearray(MASK_SIZE))


# Returns


@pytest.mark.parametrize("number", range(30))
def test_returns(number: int) -> None:
    rules = random_rules(random.Random(number))
    state = new_game(rules, str(number))
    assert returns(state) == [0.0] * int(rules.players)
    state = walk(rules, number, 0.0, lambda state, seat: None)
    found = result(state)
    assert found is not None
    won = returns(state)
    if rules.players == 1:
        assert won == [1.0 if found.winners == (0,) else -1.0]
        return
    assert sum(won) == pytest.approx(0)
    assert {seat for seat, share in enumerate(won) if share == max(won)} == set(found.winners)
    if len(found.winners) == 1:
        assert max(won) == pytest.approx(1)


@pytest.mark.parametrize("edition", ["2019", "2023"])
@pytest.mark.parametrize("observer", [0, 1])
def test_unused_ambassador_cards_are_in_sight_of_everybody(edition: str, observer: int) -> None:
    """R45: own cards and shipped ones, until the action is used; of a hidden pile the rest stays out of sight."""
    cell = ".#### ##### ##### ##### #####"
    own = tuple(parse_card(f"Z{n} W 1 M {cell}") for n in (1, 2))
    rules = Rules(2, edition, ("ambassador",), known_points=False, own=own)
    state = new_game(rules, "open")
    shipped = next(n for n, card in enumerate(shipped_cards()) if card.id == "AW01")
    hidden = next(n for n, card in enumerate(shipped_cards()) if card.id == "W01")
    first, second = len(shipped_cards()), len(shipped_cards()) + 1
    state.set_decks([card for card in range(30, 36) if card not in (shipped, hidden)], [])
    for n in range(len(state.row)):
        state.row[n] = EMPTY
    for card in (hidden, shipped, first, second):
        state.put_on_pile(0, card)
    for card in (shipped, first):
        state.lay_ambassador(0, card)

    def unseen() -> tuple[list[int], list[int]]:
        cards = of("unseen.cards", observed(state, observer))
        return [cards[shipped], cards[hidden]], of("unseen.own", observed(state, observer))

    assert unseen() == (([0, 0], [0, 0]) if observer == 0 else ([0, 1], [1, 0]))
    state.turn_ambassador(0)  # the oldest: the shipped one
    assert unseen() == (([0, 0], [0, 0]) if observer == 0 else ([1, 1], [1, 0]))
