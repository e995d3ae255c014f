"""By keyboard: a group of cards or pieces is one stop, arrows move in it, and the focus is never lost."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.web.people import Keys
from tests.web.tables import sit_down


def test_arrows_move_among_the_cards(page: Page) -> None:
    person = Keys(page)
    sit_down(person, players=2, seats=[{"kind": "me"}, {"kind": "me"}], seed="arrows")
    expect(page.locator('[data-slot][tabindex="0"]')).to_have_count(1)
    person.go_to(page.locator('[data-slot="W"]'))
    for key, slot in [("Right", "W1"), ("Right", "W2"), ("Down", "B2"), ("Left", "B1"), ("Up", "W1"), ("Up", "W1")]:
        page.keyboard.press(f"Arrow{key}")
        expect(page.locator(f'[data-slot="{slot}"]')).to_be_focused()
    page.keyboard.press("s")
    page.keyboard.press("ArrowRight")
    expect(person.piece("I2")).to_be_focused()


def test_a_card_taken_leads_to_the_new_puzzle(page: Page) -> None:
    person = Keys(page)
    sit_down(person, players=2, seats=[{"kind": "me"}, {"kind": "me"}], seed="arrows")
    state = person.state()
    for place in (1, 2):
        state = person.act(state, 1, "take W2")
        expect(page.locator(f'[data-grid="{place}"] [data-cell]:focus')).to_have_count(1)
    # The turn passes on to the next of my seats: the new puzzle is not on this board.
    person.act(state, 1, "take W2")
    expect(page.locator('[data-slot="W2"]')).to_be_focused()
