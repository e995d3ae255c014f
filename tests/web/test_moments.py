"""Moments: a puzzle that is completed, what others do, what was before, the end; nothing has to wait for them."""

from __future__ import annotations

import re
from functools import cache
from itertools import pairwise
from typing import Any, Final

import pytest
from playwright.sync_api import expect

from projectl.game import Game
from projectl.record import replay
from tests.web.browsing import Visit
from tests.web.conftest import Visits
from tests.web.people import Finger, Mouse, Person
from tests.web.scenes import named, record
from tests.web.tables import go_on, sit_down
from tests.web.test_layout import seats
from tests.web.words import said

UNDER: Final = 1000  # milliseconds that a completion may take
_WATCH: Final = """() => {
  window.seen = { lasts: 0, pieces: 0, cards: 0 };
  const flying = document.querySelector(".flying");
  new MutationObserver(() => {
    seen.cards = Math.max(seen.cards, flying.querySelectorAll(".completing").length);
    seen.pieces = Math.max(seen.pieces, flying.querySelectorAll(".springing").length);
    for (const each of flying.getAnimations({ subtree: true })) {
      seen.lasts = Math.max(seen.lasts, each.effect.getComputedTiming().endTime);
    }
  }).observe(flying, { childList: true, subtree: true });
}"""
# When each line of the log was there: by its text, milliseconds.
_LOG: Final = """() => {
  window.lines = [];
  const log = document.querySelector(".log ol");
  let had = log.children.length;
  new MutationObserver(() => {
    for (; had < log.children.length; had++) lines.push([log.children[had].textContent, performance.now()]);
  }).observe(log, { childList: true });
}"""


@cache
def before_a_completion() -> tuple[str, str]:
    """A record, and the placement that completes a puzzle then."""
    whole = replay(record("middle"))
    game = Game(whole.header)
    for move in whole.moves:
        text = game.text()
        game.play(move)
        if "completed" in move.did and "rewards" in move.did and move.text.startswith("place"):
            return text, move.text
    raise LookupError("no puzzle is completed by a single piece")


def complete(visit: Visit) -> tuple[Person, dict[str, Any]]:
    """A puzzle is completed by hand; who did it, and the state before."""
    text, action = before_a_completion()
    person = Mouse(visit.page)
    go_on(person, text, seats=seats(text))
    state = person.state()
    visit.page.evaluate(_WATCH)
    person.act(state, state["view"]["to_act"][0], action)
    return person, state


def test_a_completed_puzzle_has_its_moment_in_less_than_a_second(visits: Visits) -> None:
    person, before = complete(visits(reduced_motion="no-preference"))
    page = person.page
    # The next action is possible at once, whatever still flies.
    expect(page.locator(".prompt.busy")).to_have_count(0)
    expect(page.locator(".do-gain")).to_have_attribute("aria-disabled", "false")
    settle_down = page.locator(".flying > *")
    expect(settle_down).to_have_count(0)
    seen = page.evaluate("seen")
    assert seen["cards"] == 1
    assert seen["pieces"] >= 2
    assert 300 < seen["lasts"] < UNDER
    seat = before["view"]["to_act"][0]
    points = person.state()["view"]["players"][seat - 1]["points"]
    assert points > before["view"]["players"][seat - 1]["points"]
    expect(page.locator(f"[data-seat='{seat}'] .facts b").first).to_have_text(str(points))


def test_nothing_of_it_moves_where_motion_is_not_wanted(visits: Visits) -> None:
    person, _ = complete(visits(reduced_motion="reduce"))
    assert person.page.evaluate("seen") == {"lasts": 0, "pieces": 0, "cards": 0}


def against_a_bot(visit: Visit) -> Person:
    """A game with the gentle bot, in which my first turn is over but for one action."""
    person = Mouse(visit.page)
    two = [{"kind": "me", "name": "Ana"}, {"kind": "bot", "bot": "greedy", "name": "Bo"}]
    sit_down(person, players=2, seats=two, seed="picture")
    return person


def turn_of_the_bot(person: Person) -> list[float]:
    """My turn is played; when the actions of the bot's turn were shown after my last one, in milliseconds."""
    person.page.evaluate(_LOG)
    for _ in range(3):
        state = person.state()
        person.act(state, 1, next(text for text in state["legal"]["1"] if text.startswith("take W")))
    person.await_state(lambda now: now["view"]["to_act"] == [1])
    lines = person.page.evaluate("lines")
    mine = max(at for text, at in lines if text.startswith("Ana"))
    return [mine, *dict.fromkeys(at for text, at in lines if text.startswith("Bo"))]


def test_what_a_bot_does_is_shown_action_by_action(visits: Visits) -> None:
    visit = visits()
    visit.settings('{"pace": "steady"}')
    person = against_a_bot(visit)
    shown = turn_of_the_bot(person)
    assert len(shown) >= 4
    gaps = [later - earlier for earlier, later in pairwise(shown)]
    assert min(gaps) > 750, gaps  # of 900; a busy machine may be late with one of them
    # What the last turn of the others touched is marked in their colour until mine is over.
    marked = person.page.locator(".slot .new, .lately, .n.late")
    expect(marked.first).to_be_visible()


def test_who_wants_it_sees_everything_at_once(visits: Visits) -> None:
    visit = visits()
    visit.settings('{"pace": "once"}')
    shown = turn_of_the_bot(against_a_bot(visit))
    assert shown[-1] - shown[0] < 2700


def test_a_bot_that_thinks_is_seen_thinking(visits: Visits) -> None:
    visit = visits()
    visit.settings('{"pace": "calm"}')
    person = against_a_bot(visit)
    for _ in range(3):
        state = person.state()
        person.page.request.post(
            f"/api/tables/{person.game}/actions",
            data={"id": f"a{state['version']}", "version": state["version"], "seat": 1, "action": "gain O1"},
        )
    expect(person.page.locator(".banner")).to_contain_text(said("b_thinking"))
    expect(person.page.locator("[data-seat='2'] i[style*=animation-duration]")).to_have_count(1)


def test_one_can_step_back_through_the_game_and_return(visits: Visits) -> None:
    person = Mouse(visits().page)
    go_on(person, record("middle"), seats=named(2))
    page = person.page
    cells = page.locator("[data-grid] [data-cell]").count()
    page.get_by_role("button", name=said("b_look_back")).click()
    slider = page.get_by_role("slider")
    steps = int(slider.get_attribute("max") or 0)
    assert steps == len(replay(record("middle")).moves)
    assert slider.input_value() == str(steps - 1)
    expect(page.get_by_role("toolbar")).to_have_count(0)  # nothing can be played there
    page.get_by_role("button", name=said("replay_first")).click()
    expect(page.locator(".said")).to_have_text(said("replay_start"))
    expect(page.locator("[data-grid]")).to_have_count(0)  # no puzzle was taken yet
    page.get_by_role("button", name=said("b_look_now")).click()
    expect(page.locator("[data-grid] [data-cell]")).to_have_count(cells)
    expect(page.get_by_role("toolbar", name="Actions").first).to_be_visible()


def end_of_a_game(person: Person) -> dict[str, Any]:
    """A game against a bot that has come to its finishing touches is ended; the last state."""
    text = record("touches")
    go_on(person, text, seats=seats(text))
    state = person.state()
    me = state["seats"][0]
    person.press(person.page.get_by_role("button", name=said("b_done"), exact=True))
    state = person.await_state(lambda now: now["view"]["phase"] == "over")
    return {"me": me, **state["view"]["result"]}


def test_the_end_says_what_became_of_me_my_best_and_what_decided_it(visits: Visits) -> None:
    visit = visits(reduced_motion="reduce")
    person = Mouse(visit.page)
    result = end_of_a_game(person)
    dialog = visit.page.get_by_role("dialog")
    mine = result["scores"][result["me"] - 1]
    theirs = max(points for seat, points in enumerate(result["scores"], 1) if seat != result["me"])
    fate = dialog.locator(".fate")
    expect(fate).to_contain_text(str(abs(mine)))
    expect(fate).to_contain_text(str(abs(theirs)))
    expect(fate).to_have_class(re.compile("won" if mine > theirs else "fate"))
    expect(dialog.locator(".best")).to_contain_text(str(abs(mine)))
    # What to do next is in sight, however long the score is.
    for name in ("end_rematch", "end_replay", "end_look"):
        expect(dialog.locator(".buttons").get_by_text(said(name))).to_be_in_viewport(ratio=1)
    # The analysis comes to its end, and its turn can be looked at.
    expect(dialog.get_by_text(said("end_deciding"))).to_have_count(0, timeout=60_000)
    expect(dialog.locator(".decided a, .hint").first).to_be_visible()
    expect(visit.page.locator(".confetti")).to_have_count(0)  # motion is not wanted here


def test_on_a_phone_the_log_leads_back_and_makes_room(visits: Visits) -> None:
    page = visits(phone=True).page
    go_on(Finger(page), record("middle"), seats=named(2))
    page.get_by_role("button", name=said("b_log"), exact=True).tap()
    page.get_by_role("dialog").get_by_role("button", name=said("b_look_back")).tap()
    expect(page.get_by_role("slider")).to_be_visible()
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.get_by_role("button", name=said("b_look_now")).tap()
    expect(page.get_by_role("toolbar", name="Actions").first).to_be_visible()


# What lies under a box of the page, of the table's own things.
_UNDER: Final = """offer => {
  const box = offer.getBoundingClientRect();
  const things = document.querySelectorAll("[data-slot], .places, [data-piece], .banner button, .banner h2, .players");
  return [...things].map((e) => [e.className, e.getBoundingClientRect()]).filter(([, each]) =>
    Math.min(box.right, each.right) - Math.max(box.left, each.left) > 1 &&
    Math.min(box.bottom, each.bottom) - Math.max(box.top, each.top) > 1).map(([name]) => String(name));
}"""


@pytest.mark.parametrize("phone", [False, True])
def test_sound_is_offered_once_and_beside_the_table(visits: Visits, phone: bool) -> None:
    visit = visits(phone=phone)
    visit.settings('{"soundOffered": false}')
    person = against_a_bot(visit)
    page = person.page
    offer = page.get_by_role("complementary", name=said("sound_offer"))
    expect(offer).to_be_visible()
    assert offer.evaluate(_UNDER) == []
    offer.get_by_role("button", name=said("sound_yes")).click()
    expect(offer).to_have_count(0)
    assert page.evaluate("JSON.parse(localStorage.getItem('projectl.settings')).sound") is True
    page.reload()
    person.arrive()
    expect(offer).to_have_count(0)
