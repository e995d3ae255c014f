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
    ana.goes_on(0)
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
    ana.obeys(5, "take W2", '[data-slot="W2"]')
    # What the coach did not ask for is allowed, and answered.
    state = ana.await_state(lambda now: bool(now.get("legal", {}).get("1")))
    upgrade = next(text for text in state["legal"]["1"] if text.startswith("upgrade"))
    ana.act(state, 1, upgrade)
    ana.is_told(6)
    expect(ana.coach).to_contain_text(said("learn_instead"))
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
