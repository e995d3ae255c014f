"""People at the table: what they want to do is an action text, how they do it is by mouse, finger or keys."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable
from typing import Any, Final, TypeAlias

from playwright.sync_api import Locator, Page, expect

from tests.web.choosing import State, choose, kind, player
from tests.web.pieces import NAMES, Cell, Cells, Placement, cells_of, name_of, turns
from tests.web.words import said

Spot: TypeAlias = Callable[[], tuple[float, float]]

_CELLS_DRAWN: Final = """face => {
  const found = [], point = face.ownerSVGElement.createSVGPoint();
  for (let row = 0; row < 5; row++) for (let column = 0; column < 5; column++) {
    [point.x, point.y] = [column * 20 + 10, row * 20 + 10];
    if (face.isPointInFill(point)) found.push([column, row]);
  }
  return found;
}"""
_ARRIVED: Final = """([game, version]) => {
  const kept = JSON.parse(localStorage.getItem(`projectl.last.${game}`) ?? "null");
  return kept !== null && kept.state.version >= version && !document.querySelector(".prompt.busy");
}"""


class Person(ABC):
    """Somebody at a page that shows a table."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.done: Counter[str] = Counter()

    # What is seen.

    @property
    def game(self) -> str:
        """The table's id."""
        return self.page.url.split("#")[0].split("?")[0].rsplit("/", 1)[-1]

    def state(self) -> State:
        """The state of this person's seats."""
        answer = self.page.request.get(f"/api/tables/{self.game}/state")
        assert answer.ok, answer.text()
        found: State = answer.json()
        return found

    def sees(self, version: int) -> None:
        """Wait until the page shows this version and nothing is under way."""
        self.page.wait_for_function(_ARRIVED, arg=[self.game, version])

    def await_state(self, ready: Callable[[State], bool]) -> State:
        """The first state that has this; the page shows it."""
        for _ in range(600):
            state = self.state()
            if ready(state):
                self.sees(state["version"])
                return state
            # Whatever changes the table arrives at this page too.
            self.page.wait_for_function(_ARRIVED, arg=[self.game, state["version"] + 1])
        raise AssertionError("it never came to that")

    def cells_drawn(self, where: Locator) -> Cells:
        """Which cells a drawn piece covers."""
        return frozenset((column, row) for column, row in where.evaluate(_CELLS_DRAWN))

    # A game.

    def arrive(self) -> None:
        """The table is there, and where one comes from is gone: help shows boards too."""
        expect(self.page.locator(".board")).to_have_count(1)
        expect(self.page.locator(".board")).to_be_visible()

    def play(self, rounds: int = 60) -> State:
        """Play all of one's seats to the end of the game."""
        self.arrive()
        for _ in range(rounds * 30):
            state = self.await_state(lambda now: now["view"]["phase"] == "over" or any(now["legal"].values()))
            if state["view"]["phase"] == "over":
                return state
            seat = next(seat for seat in state["view"]["to_act"] if seat in state["seats"])
            self.act(state, seat, choose(state, seat, self.done))
        raise AssertionError("the game does not end")

    def act(self, state: State, seat: int, action: str) -> State:
        """Do one action; it is done exactly as it was meant."""
        self.done[kind(action)] += 1
        words = action.split()
        if words[0] == "insert":
            self.choose("Insert")
            words = words[1:]
        self.sure_of(seat, state)
        verb, rest = words[0], words[1:]
        getattr(self, f"do_{verb}")(state, seat, rest)
        after = self.await_state(lambda now: now["version"] > state["version"])
        mine = [
            happened["event"].get("action")
            for happened in self.page.request.get(f"/api/tables/{self.game}/state?since={state['version']}").json()[
                "events"
            ]
            if happened["event"].get("seat") == seat
        ]
        assert mine[:1] == [action], f"wanted {action!r}, got {mine[:1]}"
        return after

    def sure_of(self, seat: int, state: State) -> None:
        """Somebody with several seats looks at the right one."""
        if len(state["seats"]) < 2:
            return
        tab = self.page.get_by_role("group", name="My seats").get_by_role("button").nth(state["seats"].index(seat))
        if tab.get_attribute("aria-pressed") != "true":
            self.press(tab)

    # Means, different for each way.

    @abstractmethod
    def press(self, what: Locator) -> None:
        """Press a button."""

    def choose(self, action: str) -> None:
        """Choose in the action bar, once the table has answered what was done before."""
        expect(self.page.locator(".prompt.busy")).to_have_count(0)
        self.press(self.page.get_by_role("toolbar", name="Actions").get_by_role("button", name=action, exact=True))

    @abstractmethod
    def lay(self, state: State, seat: int, placement: Placement, *, waits: bool) -> None:
        """Put a piece of the supply onto a puzzle; `waits`: for Master and the like, nothing is sent yet."""

    def take_up(self, slot: str) -> None:
        """Take a card that lies open."""
        card = self.page.locator(f'[data-slot="{slot}"]')
        self.press(card)
        self.press(card)

    # Parts that are the same for all.

    def piece(self, name: str) -> Locator:
        """A piece of the supply."""
        return self.page.locator(f'[data-piece="{name}"]')

    def reserve(self, name: str) -> Locator:
        """A piece of the reserve."""
        return self.page.locator(f'[data-reserve="{name}"]')

    def cell(self, place: int, cell: Cell) -> Locator:
        """A cell of one's own puzzle."""
        return self.page.locator(f'[data-grid="{place}"] [data-cell="{name_of(cell)}"]')

    def held(self) -> Cells:
        """The held piece as it is drawn in the supply, which turns with the hand."""
        return self.cells_drawn(self.page.locator('[data-piece][aria-pressed="true"] path.face'))

    def preview(self, place: int) -> Locator:
        """The held piece as it would lie."""
        return self.page.locator(f'.place:has([data-grid="{place}"]) .piece.preview path.face').last

    def in_dialog(self, name: str | None = None) -> Locator:
        """The open dialog."""
        return self.page.get_by_role("dialog", name=name) if name else self.page.get_by_role("dialog")

    def do_take(self, _state: State, _seat: int, words: list[str]) -> None:
        slot = words[0]
        if len(slot) > 1:
            return self.take_up(slot)
        name = {"W": "White deck", "B": "Black deck", "G": "Deck"}[slot]
        deck = self.page.get_by_role("button", name=f"{name}:")
        self.press(deck)
        return self.press(deck)

    def do_recycle(self, state: State, _seat: int, words: list[str]) -> None:
        row, order = words[0], words[1:]
        self.choose("Recycle")
        dialog = self.in_dialog()
        rows = {text.split()[1] for text in state["legal"][str(_seat)] if text.startswith("recycle")}
        if len(rows) > 1:
            self.press(dialog.get_by_role("group").get_by_role("button").nth(sorted(rows, reverse=True).index(row)))
        for number in order[:-1]:
            self.press(dialog.locator("button.card").nth(int(number) - 1))
        self.press(dialog.get_by_role("button", name="Recycle", exact=True))

    def do_gain(self, state: State, seat: int, words: list[str]) -> None:
        self.choose("Gain")
        if sum(text.startswith("gain") for text in state["legal"][str(seat)]) > 1:
            self.press(self.reserve(words[0]))

    def do_upgrade(self, _state: State, _seat: int, words: list[str]) -> None:
        self.choose("Upgrade")
        self.exchange(*words)

    def exchange(self, given: str, taken: str) -> None:
        """The piece that can be given lights up; with it in hand, what it may become."""
        expect(self.piece(given)).to_contain_class("source")
        self.press(self.piece(given))
        expect(self.reserve(taken)).to_contain_class("target")
        self.press(self.reserve(taken))

    def do_place(self, state: State, seat: int, words: list[str]) -> None:
        self.lay(state, seat, Placement.read(words[0]), waits=False)

    def do_touch(self, state: State, seat: int, words: list[str]) -> None:
        self.lay(state, seat, Placement.read(words[0]), waits=False)

    def _gather(self, state: State, seat: int, placements: list[str]) -> None:
        for text in placements:
            placement = Placement.read(text)
            expect(self.piece(placement.piece)).not_to_have_class("idle")
            self.lay(state, seat, placement, waits=True)
            assert self.cells_drawn(self.preview(placement.place)) == placement.cells
        self.press(self.page.get_by_role("button", name="Confirm"))

    def do_master(self, state: State, seat: int, words: list[str]) -> None:
        self.choose("Master")
        self._gather(state, seat, words)

    def do_ambassador(self, state: State, seat: int, words: list[str]) -> None:
        self.choose("Ambassador")
        self._gather(state, seat, words)

    def do_ghost(self, state: State, seat: int, words: list[str]) -> None:
        ghost, parts = words[0], [word for word in words[1:] if ":" not in word]
        self.choose("Ghost")
        sources = {text.split()[1] for text in state["legal"][str(seat)] if text.startswith("ghost")}
        if len(sources) > 1:
            self.press(self.piece(ghost))
        counts = Counter(NAMES[part] for part in parts)
        listed = [f"{name} \u00d7{n}" if n > 1 else name for name, n in counts.items()]
        words_of = listed[0] if len(listed) == 1 else f"{', '.join(listed[:-1])} and {listed[-1]}"
        ways = self.page.get_by_role("group", name=f"Break up: {NAMES[ghost]}")
        self.press(ways.get_by_role("button", name=words_of, exact=True))
        self._gather(state, seat, [word for word in words[1:] if ":" in word])

    def do_reward(self, _state: State, _seat: int, words: list[str]) -> None:
        expect(self.reserve(words[1])).to_contain_class("target")
        self.press(self.reserve(words[1]))

    def do_levelup(self, _state: State, _seat: int, words: list[str]) -> None:
        if words[0] == "none":
            self.press(self.page.get_by_role("button", name="No thanks", exact=True))
        else:
            self.exchange(*words)

    def do_pass(self, *_: Any) -> None:
        self.choose("End turn")

    def do_done(self, *_: Any) -> None:
        self.press(self.page.get_by_role("button", name="Done", exact=True))


def middle(what: Locator) -> tuple[float, float]:
    """The middle of something on the screen, scrolled to."""
    what.scroll_into_view_if_needed()
    box = what.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


class Mouse(Person):
    """By real moves and presses of a mouse: cards and pieces are dragged, the wheel turns."""

    def press(self, what: Locator) -> None:
        # What cannot be done now is asked for all the same: it says why.
        what.click(force=what.get_attribute("aria-disabled") == "true")

    def drag(
        self, what: Locator, to: Callable[[], tuple[float, float]], turn: Callable[[], None] | None = None
    ) -> None:
        """Lift something, carry it, drop it. Where to is looked for with the thing in hand, as an eye does."""
        mouse = self.page.mouse
        x, y = middle(what)
        mouse.move(x, y)
        mouse.down()
        mouse.move(x + 6, y - 8)
        to_x, to_y = to()
        mouse.move((x + to_x) / 2, (y + to_y) / 2, steps=3)
        if turn:
            turn()
        mouse.move(*to(), steps=3)
        mouse.up()

    def take_up(self, slot: str) -> None:
        self.drag(self.page.locator(f'[data-slot="{slot}"]'), lambda: middle(self.page.locator("[data-mine] .places")))

    def do_gain(self, state: State, seat: int, words: list[str]) -> None:
        if self.done["gain"] % 2:
            self.drag(
                self.page.locator(f'[data-reserve="{words[0]}"]'),
                lambda: middle(self.page.locator("[data-mine] .places")),
            )
        else:
            super().do_gain(state, seat, words)

    def do_upgrade(self, state: State, seat: int, words: list[str]) -> None:
        if self.done["upgrade"] % 2:
            self.drag(self.piece(words[0]), lambda: middle(self.page.locator(f'[data-reserve="{words[1]}"]')))
        else:
            super().do_upgrade(state, seat, words)

    def spot(self, placement: Placement) -> tuple[float, float]:
        """Where the middle of a placement is on the screen."""
        grid = self.page.locator(f'[data-grid="{placement.place}"]')
        grid.scroll_into_view_if_needed()
        box = grid.bounding_box()
        assert box is not None
        x, y = placement.middle
        return box["x"] + x * box["width"] / 5, box["y"] + y * box["height"] / 5

    def lay(self, state: State, seat: int, placement: Placement, *, waits: bool) -> None:
        if self.done["place"] % 2:
            return self.drag(self.piece(placement.piece), lambda: self.spot(placement), lambda: self._turn(placement))
        # Click, turn by the buttons, click.
        self.press(self.piece(placement.piece))
        for letter in turns(self.held(), placement.cells):
            self.press(self.page.locator(".prompt").get_by_role("button", name={"R": "Rotate", "F": "Flip"}[letter]))
        x, y = self.spot(placement)
        self.page.mouse.move(x, y, steps=2)
        self._shows(placement)
        self.page.mouse.down()
        self.page.mouse.up()
        return None

    def lay_text(self, state: State, seat: int, text: str) -> None:
        """Lay a piece as part of a Master action that is not confirmed yet."""
        self.lay(state, seat, Placement.read(text), waits=True)

    def _turn(self, placement: Placement) -> None:
        for letter in turns(self.held(), placement.cells):
            if letter == "F":
                self.page.keyboard.down("Shift")
            self.page.mouse.wheel(0, 100)
            if letter == "F":
                self.page.keyboard.up("Shift")
        expect(self.page.locator('[data-piece][aria-pressed="true"]')).to_have_count(1)

    def _shows(self, placement: Placement) -> None:
        expect(self.preview(placement.place)).to_be_attached()
        assert self.cells_drawn(self.preview(placement.place)) == placement.cells


class Finger(Person):
    """By taps: piece, buttons to turn it, cell."""

    def press(self, what: Locator) -> None:
        what.tap(force=what.get_attribute("aria-disabled") == "true")

    def lay(self, state: State, seat: int, placement: Placement, *, waits: bool) -> None:
        self.press(self.piece(placement.piece))
        for letter in turns(self.held(), placement.cells):
            self.press(self.page.locator(".prompt").get_by_role("button", name={"R": "Rotate", "F": "Flip"}[letter]))
        puzzle = next(each for each in player(state["view"], seat)["puzzles"] if each["place"] == placement.place)
        cell, at_once = self._where(placement, cells_of("".join(puzzle["empty"])))
        self.press(self.cell(placement.place, cell))
        if not at_once:
            expect(self.page.get_by_text(said("b_tap_again"))).to_be_visible()
            assert self.cells_drawn(self.preview(placement.place)) == placement.cells
            self.press(self.cell(placement.place, cell))

    def _where(self, placement: Placement, empty: Cells) -> tuple[Cell, bool]:
        """A cell whose tap means this placement, and whether that is plain at once."""
        fits = placement.others(empty)
        best: tuple[Cell, bool] | None = None
        for cell in sorted((column, row) for column in range(5) for row in range(5)):
            meant = [each for each in fits if cell in each.cells]
            if len(meant) == 1:
                if meant[0] == placement:
                    return cell, True
            elif cell == placement.aim:
                best = cell, False
        assert best is not None, f"no tap means {placement}"
        return best


class Keys(Person):
    """By keyboard alone."""

    def press(self, what: Locator) -> None:
        self.go_to(what)
        self.page.keyboard.press("Enter")

    def choose(self, action: str) -> None:
        expect(self.page.locator(".prompt.busy")).to_have_count(0)
        button = self.page.get_by_role("toolbar", name="Actions").get_by_role("button", name=action, exact=True)
        keys = button.get_attribute("aria-keyshortcuts")
        assert keys, f"{action} has no key"
        self.page.keyboard.press(keys if len(keys) > 1 else keys.lower())

    def go_to(self, what: Locator) -> None:
        """Tab there, the shorter way; within a group of cards or pieces by the arrows."""
        expect(what).to_be_visible()
        if what.get_attribute("tabindex") == "-1":
            self._move_to(what)
            return
        for _ in range(150):
            where = what.evaluate(
                """e => e === document.activeElement ? 0
                  : e.compareDocumentPosition(document.activeElement) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1"""
            )
            if where == 0:
                return
            self.page.keyboard.press("Tab" if where > 0 else "Shift+Tab")
        raise AssertionError(f"Tab never reaches {what}")

    def _move_to(self, what: Locator) -> None:
        """Tab to where its group was left, then along and up or down."""
        kind = what.evaluate("e => ['slot', 'piece', 'reserve'].find(name => name in e.dataset)")
        assert kind, f"{what} can be reached by no key"
        self.go_to(self.page.locator(f'[data-{kind}][tabindex="0"]'))
        for _ in range(20):
            key = what.evaluate(
                """e => {
                  if (document.activeElement === e) return "";
                  const [from, to] = [document.activeElement, e].map(each => each.getBoundingClientRect());
                  const down = to.y + to.height / 2 - from.y - from.height / 2;
                  if (Math.abs(down) > from.height / 2) return down > 0 ? "ArrowDown" : "ArrowUp";
                  return to.x > from.x ? "ArrowRight" : "ArrowLeft";
                }"""
            )
            if not key:
                return
            self.page.keyboard.press(key)
        raise AssertionError(f"the arrows never reach {what}")

    def lay(self, state: State, seat: int, placement: Placement, *, waits: bool) -> None:
        keyboard = self.page.keyboard
        keyboard.press("s")
        self.press(self.piece(placement.piece))
        for letter in turns(self.held(), placement.cells):
            keyboard.press(letter.lower())
        keyboard.press(str(placement.place))
        for _ in range(9):
            focused = self.page.evaluate("document.activeElement.dataset.cell ?? ''")
            assert focused, "no cell has the focus"
            ((column, row),) = cells_of(focused)
            to_column, to_row = placement.aim
            if (column, row) == (to_column, to_row):
                break
            keyboard.press(
                "ArrowRight"
                if column < to_column
                else "ArrowLeft"
                if column > to_column
                else "ArrowDown"
                if row < to_row
                else "ArrowUp"
            )
        assert self.cells_drawn(self.preview(placement.place)) == placement.cells
        keyboard.press("Enter")
