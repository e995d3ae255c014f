"""The guided first game, played as the coach says, from its first word to its last."""

from __future__ import annotations

import re
from typing import Final

from playwright.sync_api import Locator, Page, expect

from tests.web.choosing import State
from tests.web.people import Mouse
from tests.web.pieces import Placement
from tests.web.words import said

_STEPS: Final = (
    "welcome",
    "take",
    "place",
    "fill",
    "reward",
    "take_two",
    "gain",
    "upgrade",
    "take_black",
    "master",
    "end",
)


class Learner(Mouse):
    """Somebody who does what the coach says; the address does not name the game."""

    @property
    def game(self) -> str:
        if "/table/" in self.page.url:
            return super().game
        found: str = self.page.evaluate("JSON.parse(sessionStorage.getItem('projectl.learn')).game")
        return found

    @property
    def coach(self) -> Locator:
        """Where the coach speaks."""
        return self.page.get_by_role("region", name=said("learn_title"))

    def height(self) -> float:
        """How high the coach stands above the table."""
        box = self.coach.bounding_box()
        assert box is not None
        return box["height"]

    def is_told(self, number: int) -> None:
        """The coach is at this step, in words and on the bar."""
        expect(self.coach.get_by_role("heading")).to_have_text(said(f"learn_{_STEPS[number]}_title"))
        expect(self.coach.get_by_role("progressbar")).to_have_attribute("value", str(number))

    def obeys(self, number: int, asked: str, marked: str = "") -> State:
        """Do what this step asks for: the marked thing is where it says, and the next step follows."""
        self.is_told(number)
        state = self.await_state(lambda now: bool(now.get("legal", {}).get("1")))
        expect(self.coach).not_to_contain_text(said("learn_waiting"))
        if marked:
            expect(self.page.locator(f"{marked}.spot")).to_be_visible()
        state = self.act(state, 1, wanted(state, *asked.split()))
        self.is_told(number + 1)
        return state

    def goes_on(self, number: int) -> None:
        """Read this step and press its button."""
        self.is_told(number)
        self.press(self.coach.get_by_role("button", name=said("learn_next")))


def wanted(state: State, verb: str, which: str = "") -> str:
    """The first action of this kind: with this card, or with this piece."""
    found: list[str] = [text for text in state["legal"]["1"] if text.split()[0] == verb]
    if verb == "place":
        return next(text for text in found if Placement.read(text.split()[1]).piece == which)
    return next(text for text in found if text.split()[1].startswith(which))


def test_the_guided_game_from_its_first_step_to_its_end(page: Page) -> None:
    page.goto("/")
    page.get_by_role("link", name=re.compile("first game")).first.click()
    ana = Learner(page)
    ana.is_told(0)
    # While one reads, nothing can be done by mistake.
    expect(page.get_by_role("toolbar").get_by_role("button", name="Gain")).to_have_attribute("aria-disabled", "true")
    expect(page.locator(".prompt")).to_be_empty()  # and nothing is asked for
    ana.goes_on(0)
    high = ana.height()
    ana.obeys(1, "take W1", '[data-slot="W1"]')
    ana.obeys(2, "place I2", '[data-piece="I2"]')
    # Leaving in the middle: the same game, at the same step, with nothing taken for done.
    game = ana.game
    ana.coach.get_by_role("link", name="Home").click()
    page.get_by_role("link", name=re.compile("first game")).first.click()
    ana.is_told(3)
    expect(ana.coach).to_contain_text(said("learn_fill"))
    page.reload()
    ana.is_told(3)
    assert ana.game == game
    state = ana.obeys(3, "place O1", '[data-piece="O1"]')
    assert state["view"]["players"][0]["completed"], "the first puzzle is complete"
    ana.goes_on(4)
    ana.obeys(5, "take W1", '[data-slot="W1"]')
    assert ana.height() == high, "the table does not jump with the length of a text"
    ana.obeys(6, "gain", ".do-gain")
    ana.obeys(7, "upgrade", ".do-upgrade")
    ana.obeys(8, "take B1")
    ana.obeys(9, "master", ".do-master")
    # The end: on to the rest of the game, at a table like any other.
    ana.press(ana.coach.get_by_role("button", name=said("learn_finish")))
    page.wait_for_url(re.compile(f"/table/{game}$"))
    ana.arrive()
    assert page.evaluate("sessionStorage.getItem('projectl.learn')") is None
    state = ana.await_state(lambda now: bool(now.get("legal", {}).get("1")))
    ana.act(state, 1, state["legal"]["1"][0])
    page.goto("/learn")
    ana.is_told(0)
    assert ana.game != game, "whoever comes again begins anew"


def test_whoever_does_something_else_is_told_so_and_no_step_says_what_is_not_true(page: Page) -> None:
    ana = Learner(page)
    page.goto("/learn")
    ana.is_told(0)
    note = page.locator(".note")

    def wrong(number: int, key: str, what: str = "") -> None:
        """That was refused in words, and both the game and the coach stand where they stood."""
        expect(note).to_have_text(said(key, what=said(f"learn_{what}_title")) if what else said(key))
        ana.is_told(number)
        assert ana.state()["version"] == state["version"]

    state = ana.state()
    ana.press(page.locator('[data-slot="W1"]'))
    wrong(0, "learn_read_first")
    ana.goes_on(0)
    ana.press(page.locator('[data-slot="W3"]'))
    wrong(1, "learn_marked")
    ana.choose("Gain")
    wrong(1, "learn_first", "take")
    ana.choose("Hint")
    wrong(1, "learn_first", "take")
    ana.obeys(1, "take W1", '[data-slot="W1"]')
    # The dot before the domino: it would fit, so nothing says that it does not.
    state = ana.await_state(lambda now: bool(now.get("legal", {}).get("1")))
    ana.lay(state, 1, Placement.read(wanted(state, "place", "O1").split()[1]), waits=True)
    wrong(2, "learn_marked")
    ana.press(page.locator('[data-slot="B1"]'))
    wrong(2, "learn_first", "place")
    # Who skips that step does not hear that one cell is left.
    ana.press(ana.coach.get_by_role("button", name=said("learn_skip"), exact=True))
    ana.press(ana.coach.get_by_role("button", name=said("learn_skip_yes")))
    ana.obeys(6, "gain", ".do-gain")


def test_whoever_played_on_elsewhere_is_told_nothing_that_is_over(page: Page) -> None:
    ana = Learner(page)
    page.goto("/learn")
    ana.goes_on(0)
    ana.obeys(1, "take W1")
    ana.obeys(2, "place I2")
    page.goto(f"/table/{ana.game}")
    ana.arrive()
    state = ana.await_state(lambda now: bool(now.get("legal", {}).get("1")))
    ana.act(state, 1, wanted(state, "place", "O1"))
    page.goto("/learn")
    ana.is_told(4)
