"""What a screen reader says by itself: what others do, what was refused, how the game stands."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.web.conftest import Visits
from tests.web.people import Finger, Keys
from tests.web.tables import send, sit_down_together
from tests.web.words import said


def test_what_others_do_and_what_is_refused_is_spoken(visits: Visits) -> None:
    ana, bo = Keys(visits().page), Finger(visits(phone=True).page)
    sit_down_together(ana, bo, seed="spoken")
    spoken = {person: person.page.locator(".board > [aria-live=polite]") for person in (ana, bo)}
    for person in (ana, bo):
        expect(spoken[person]).to_have_text("")  # what was there before is no news
    ana.act(ana.state(), 1, "take W1")
    for person in (ana, bo):
        expect(spoken[person]).to_have_text(re.compile("^Ana takes a white puzzle, [0-9] points?, .+"))
    ana.act(ana.state(), 1, "upgrade O1 I2")
    expect(spoken[bo]).to_have_text(said("b_log_upgrade", name="Ana", **{"from": "Dot", "to": "Domino"}))
    # What cannot be done now says why, at once, and says it again when it is asked again.
    alert = ana.page.get_by_role("alert")
    ana.choose("Undo")
    expect(spoken[bo]).to_have_text(said("b_log_undo", name="Ana"))
    ana.choose("Undo")
    expect(alert).to_have_text(said("b_why_no_undo"))
    before = alert.element_handle()
    ana.choose("Undo")
    expect(alert).to_have_text(said("b_why_no_undo"))
    assert not ana.page.evaluate("([old]) => old.isConnected", [before]), "an unchanged alert is not read again"
    # A round that begins is spoken with the action before it.
    for action in ("gain O1", "gain O1"):
        ana.act(ana.state(), 1, action)
    for _ in range(3):
        send(bo, "gain")
    expect(spoken[ana]).to_have_text(f"{said('b_log_gain', name='Bo', piece='Dot')}. {said('b_round', n=2)}")
