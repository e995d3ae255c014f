"""The end as the printed rules have it: the black deck runs out, the last rounds, finishing touches, the score."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, expect

from projectl.core.score import result
from projectl.record import replay
from tests.web.choosing import State, choose, player
from tests.web.conftest import Visits
from tests.web.people import Mouse
from tests.web.positions import header, legal, until
from tests.web.scenes import named
from tests.web.tables import go_on, play_on
from tests.web.words import said


def one_black_card_left() -> str:
    """A game where the next take of a black puzzle empties the deck."""
    return until(
        header(2, seed="black-18"),
        lambda found, state: state.black_left() == 1 and any("take B1" in texts for texts in found.values()),
    )


def signed(text: str) -> int:
    """A number as the score screen writes it."""
    return int(text.replace("\u2212", "-").replace("+", ""))


def explains(entry: Locator, state: State, seat: int) -> None:
    """A player's score as a sum: the pile, the touches, each unfinished puzzle."""
    me = player(state["view"], seat)
    lines = [
        (line.locator("dt").inner_text().split("\n")[0].strip(), signed(line.locator("dd").inner_text()))
        for line in entry.locator("dl > div").all()
    ]
    wanted = [(said("score_pile", n=len(me["completed"])), me["points"])]
    if me["touches"]:
        wanted.append((said("score_touches", n=me["touches"]), -me["touches"]))
    assert lines[: len(wanted)] == wanted
    unfinished = lines[len(wanted) :]
    assert [label for label, _ in unfinished] == [said("score_unfinished")] * len(me["puzzles"])
    assert all(points <= 0 for _, points in unfinished)
    assert (
        sum(points for _, points in lines)
        == state["view"]["result"]["scores"][seat - 1]
        == signed(entry.locator(".total").inner_text())
    )
    # Every card of the pile is shown, and every unfinished one.
    shown = entry.locator("[data-card]")
    cards = [*me["completed"], *(each["card"] for each in me["puzzles"])]
    assert [each.get_attribute("data-card") for each in shown.all()] == cards
    if me["completed"]:
        pile = entry.locator("dt").first
        expect(pile).to_contain_text(re.compile(r"\(\d+( \+ \d+)*\)"))
        assert sum(map(int, re.findall(r"\d+", pile.locator(".unseen").inner_text()))) == me["points"]


def test_the_black_deck_runs_out_and_the_score_is_explained(visits: Visits) -> None:
    person = Mouse(visits().page)
    page = person.page
    made = go_on(person, one_black_card_left(), seats=named(2))
    state = person.state()
    banner, spoken = page.locator(".banner"), page.locator(".board > [aria-live]")
    expect(banner).not_to_contain_text(re.compile(said("b_last_round")))
    began = state["view"]["round"]
    state = person.act(state, state["view"]["to_act"][0], "take B1")
    expect(banner).to_contain_text(said("b_end_triggered"))
    expect(spoken).to_contain_text(said("b_log_end"))
    expect(page.get_by_role("region", name=said("b_log"))).to_contain_text(said("b_log_end"))
    play_on(person, lambda now: now["round"] > began)
    expect(banner.get_by_text(said("b_last_round"), exact=True)).to_be_visible()
    state = play_on(person, lambda now: now["phase"] == "touches")
    # Each piece costs a point, and what they cost so far is in sight.
    expect(banner.get_by_role("heading", level=2)).to_have_text(said("b_turn_touches"))
    seat = 1
    person.sure_of(seat, state)
    for lost in range(3):
        expect(page.get_by_text(said("b_touches_so_far", n=lost))).to_be_visible()
        action = choose(state, seat, person.done)
        if action == "done":
            break
        state = person.act(state, seat, action)
    assert player(state["view"], seat)["touches"] > 0
    state = play_on(person)
    dialog = person.in_dialog()
    expect(dialog).to_be_visible()
    record = page.request.get(f"/api/tables/{made['game']}/record").text()
    score = result(replay(record).state)
    assert score is not None
    assert list(score.scores) == state["view"]["result"]["scores"]
    assert not legal(replay(record).state)
    for number, name in ((1, "Ana"), (2, "Bo")):
        explains(dialog.locator(".scores > li", has=page.locator("strong", has_text=name)), state, number)
    expect(dialog.get_by_role("heading")).to_contain_text("Ana won")
    expect(dialog.get_by_text(said("end_winner"))).to_have_count(1)
