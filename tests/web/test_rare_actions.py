"""Actions that a short game seldom comes to, each by mouse, by taps and by keyboard."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import pytest
from playwright.sync_api import expect

from tests.web.choosing import choose
from tests.web.conftest import Visits
from tests.web.people import Finger, Keys, Mouse, Person
from tests.web.positions import having, header
from tests.web.tables import go_on
from tests.web.words import said

EVERYTHING = "ghost ambassador phoenix finesse finesse_ambassador endless_white"
STARTS: dict[str, tuple[Callable[[str], str], int, str]] = {
    "ghost": (lambda seed: header(2, "ghost", seed), 5, "levelup"),
    "ambassador": (lambda seed: header(2, "ambassador", seed), 1, "levelup"),
    "levelup": (lambda seed: header(2, "ghost", seed), 1, "levelup"),
    "pass": (lambda seed: header(2, EVERYTHING, seed), 65, "levelup"),
    "reward": (lambda seed: header(2, "", seed), 3, "gain"),
    "touch": (lambda seed: header(2, "", seed), 0, "levelup"),
    "insert": (lambda seed: header(2, "finesse", seed), 0, "levelup"),
}


@cache
def position(verb: str) -> str:
    """A record after which this can be done."""
    start, first, eager = STARTS[verb]
    return having(verb, start, first, eager)


@pytest.mark.parametrize("means", [Mouse, Finger, Keys])
@pytest.mark.parametrize("verb", sorted(STARTS))
def test_by_hand(visits: Visits, verb: str, means: type[Person]) -> None:
    person = means(visits(phone=means is Finger).page)
    go_on(person, position(verb))
    state = person.state()
    seat = next(int(seat) for seat, texts in state["legal"].items() if any(text.startswith(verb) for text in texts))
    only = [text for text in state["legal"][str(seat)] if text.startswith(verb)]
    wanted = choose({**state, "legal": {str(seat): only}}, seat, person.done)
    person.act(state, seat, wanted)
    expect(person.page.get_by_role("alert")).to_have_count(0)


def test_a_card_whose_ambassador_action_is_unused_lies_face_up(visits: Visits) -> None:
    """R45: its owner's pile lies face down, and this card beside it."""
    card = "card: Z1 W 1 M .#### ##### ##### ##### #####"
    record = f"{header(2, 'ambassador')}{card}\nwhite: Z1\n\n1 take W1\n1 place 1:a1\n1 gain O1\n"
    person = Mouse(visits().page)
    go_on(person, record, seats=[{"kind": "bot", "bot": "greedy"}, {"kind": "me"}])
    assert person.state()["view"]["players"][0]["ambassador_cards"] == ["Z1"]
    person.page.locator(".players [data-seat='1']").click()
    sheet = person.page.get_by_role("dialog")
    expect(sheet.get_by_role("heading", name=said("b_ambassador"), exact=True)).to_be_visible()
    expect(sheet).to_contain_text(said("b_pile_hidden"))
    expect(sheet.locator(".pile li")).to_have_count(1)
    expect(sheet.locator(".pile li")).to_contain_text("Ambassador")
