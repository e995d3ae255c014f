"""Sounds: none unless they are wanted; those that there are can be heard and do not crack."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Page, expect

from tests.web.conftest import Visits
from tests.web.people import Finger, Mouse, Person
from tests.web.pieces import Placement
from tests.web.tables import send, sit_down, sit_down_together
from tests.web.words import said

# Instead of loudspeakers a tape of twelve seconds; what sounds goes where the tape stands. The test moves it on by a
# second after each deed.
_TAPE = """
window.made = 0;
window.started = 0;
window.at = 0;
window.AudioContext = class extends OfflineAudioContext {
  constructor() {
    super(1, 12 * 44100, 44100);
    window.made += 1;
    window.tape = this;
  }
  get currentTime() { return window.at; }
  async resume() {}
};
const start = AudioScheduledSourceNode.prototype.start;
AudioScheduledSourceNode.prototype.start = function (...when) {
  window.started += 1;
  return start.apply(this, when);
};
"""
_LEVELS = """() => window.tape.startRendering().then((heard) => {
  const samples = heard.getChannelData(0);
  return Array.from({ length: 12 }, (_, second) =>
    samples.slice(second * 44100, (second + 1) * 44100).reduce((peak, each) => Math.max(peak, Math.abs(each)), 0));
})"""


def switch_on(page: Page) -> None:
    """Sound, in the menu of the table."""
    menu = page.get_by_role("button", name="Menu")
    menu.click()
    sound = page.get_by_label("Sound")
    expect(sound).not_to_be_checked()
    sound.check()
    menu.click()


def wound(page: Page) -> int:
    """How many tones have begun since the last time; the tape goes on to its next second."""
    counted: dict[str, Any] = page.evaluate(
        "() => { const begun = window.started; window.started = 0; window.at += 1; return { begun }; }"
    )
    return int(counted["begun"])


def smallest(person: Person, piece: str) -> str:
    """A placement of this piece that is possible now."""
    found: list[str] = [text for text in person.state()["legal"]["1"] if text.startswith("place")]
    return next(text for text in found if Placement.read(text.split()[1]).piece == piece)


def test_no_sound_is_prepared_unless_it_is_wanted(visits: Visits) -> None:
    visit = visits()
    visit.context.add_init_script(_TAPE)
    person = Mouse(visit.page)
    sit_down(person, players=2, seats=[{"kind": "me"}, {"kind": "me"}], seed="first-1421")
    person.act(person.state(), 1, "take W1")
    person.choose("Undo")
    person.act(person.state(), 1, smallest(person, "I2"))
    person.choose("Undo")
    person.await_state(lambda now: "I2" in now["view"]["players"][0]["supply"])
    assert visit.page.evaluate("[window.made, window.started]") == [0, 0]


def test_every_sound_is_heard_and_none_is_cut(visits: Visits) -> None:
    visit = visits()
    visit.context.add_init_script(_TAPE)
    ana, bo = Mouse(visit.page), Finger(visits(phone=True).page)
    sit_down_together(ana, bo, seed="first-1421")
    page = visit.page
    switch_on(page)
    ana.act(ana.state(), 1, "take W1")
    tones = {"taking": wound(page)}
    ana.choose("Undo")
    expect(page.get_by_role("alert")).to_be_visible()
    tones["what is not possible"] = wound(page)
    ana.press(ana.piece("I2"))
    tones["picking up"] = wound(page)
    page.keyboard.press("r")
    tones["turning"] = wound(page)
    page.keyboard.press("Escape")
    ana.act(ana.state(), 1, smallest(ana, "I2"))
    tones["placing"] = wound(page)
    ana.act(ana.state(), 1, smallest(ana, "O1"))
    tones["completing"] = wound(page)
    for _ in range(3):
        send(bo, "gain")
    expect(page.locator(".banner h2")).to_have_text(said("b_turn_mine"))
    tones["my turn"] = wound(page)
    assert page.evaluate("window.made") == 1, "one context is enough"
    levels: list[float] = page.evaluate(_LEVELS)
    heard = {deed: level for deed, level in zip(tones, levels, strict=False) if tones[deed]}
    assert set(heard) >= set(tones) - {"taking"}, tones
    assert all(0.02 < level < 0.99 for level in heard.values()), heard
    assert max(levels[len(tones) :]) == 0, "a sound is over within its second"
