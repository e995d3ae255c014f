"""A finished game again: kept as a file, shared as a link, looked at step by step, analysed."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import pytest
from playwright.sync_api import Locator, Page, expect

from projectl.cli.store import verify
from projectl.core.score import result
from projectl.record import replay
from tests.web.browsing import Visit
from tests.web.conftest import Visits
from tests.web.people import Mouse
from tests.web.positions import header, until
from tests.web.scenes import named
from tests.web.tables import play_on, sit_down
from tests.web.words import said

_DROP: Final = """(where, text) => {
  const carried = new DataTransfer();
  carried.items.add(new File([text], "evening.pln", { type: "text/plain" }));
  for (const name of ["dragenter", "dragover", "drop"]) {
    where.dispatchEvent(new DragEvent(name, { dataTransfer: carried, bubbles: true, cancelable: true }));
  }
}"""


def finish(visit: Visit) -> tuple[str, dict[str, Any]]:
    """A game of one round between Ana and Bo, at its end screen; its id and last state."""
    person = Mouse(visit.page)
    made = sit_down(person, players=2, seats=named(2), seed="replays", options={"max_rounds": "1"})
    state = play_on(person)
    expect(person.in_dialog()).to_be_visible()
    return made["game"], state


def short_game() -> str:
    """A record of a few actions."""
    return until(header(2, seed="pasted"), lambda _, state: state.round > 1)


def stands_at(page: Page, step: int, steps: int) -> None:
    """The replay shows this step."""
    expect(page.locator("footer .count")).to_have_text(f"{step}/{steps}")
    slider = page.get_by_role("slider", name="Step")
    expect(slider).to_have_value(str(step))
    expect(slider).to_have_attribute("aria-valuetext", said("replay_step_of", n=step, all=steps))


def test_the_record_of_a_game_is_kept_as_a_file_that_proves_it(
    visits: Visits, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    visit = visits()
    game, state = finish(visit)
    page = visit.page
    texts = []
    for _ in ("from the end screen", "from the replay"):
        with page.expect_download() as download:
            page.get_by_role("button", name=said("record_download")).last.click()
        assert download.value.suggested_filename == f"{game}.pln"
        kept = tmp_path / "kept.pln"
        download.value.save_as(kept)
        texts.append(kept.read_text())
        page.goto(f"/replay/{game}")
    assert texts[0] == texts[1]
    played = replay(texts[0])
    score = result(played.state)
    assert score is not None
    assert list(score.scores) == state["view"]["result"]["scores"]
    assert len(played.moves) == state["version"]
    verify(str(kept))
    assert f"{state['version']} actions are legal to its end" in capsys.readouterr().out


def test_steps_keys_slider_and_speed_move_a_replay(visits: Visits) -> None:
    visit = visits()
    text = short_game()
    steps = len(replay(text).moves)
    page = visit.page
    page.goto("/replay")
    page.get_by_label("Record", exact=True).fill(text)
    page.get_by_role("button", name="Replay it").click()
    stands_at(page, 0, steps)
    spoken = page.locator("footer [aria-live]")
    expect(spoken).to_have_text(said("replay_start"))

    def press(name: str) -> Callable[[], None]:
        return lambda: page.get_by_role("button", name=said(name)).click()

    def key(name: str) -> Callable[[], None]:
        def pressed() -> None:
            page.evaluate("document.activeElement.blur()")
            page.keyboard.press(name)

        return pressed

    for move, step in (
        (press("replay_on"), 1),
        (press("replay_last"), steps),
        (press("replay_back"), steps - 1),
        (press("replay_first"), 0),
        (key("ArrowRight"), 1),
        (key("End"), steps),
        (key("ArrowLeft"), steps - 1),
        (key("Home"), 0),
        (lambda: page.get_by_role("slider", name="Step").fill("3"), 3),
    ):
        move()
        stands_at(page, step, steps)
    for name, at_end in (("replay_back", 0), ("replay_on", steps)):
        page.get_by_role("slider", name="Step").fill(str(at_end))
        expect(page.get_by_role("button", name=said(name))).to_be_disabled()
    third = replay(text).moves[2]
    page.get_by_role("slider", name="Step").fill("3")
    expect(spoken).to_have_text(re.compile(f"^Player {third.seat + 1} "))
    # It plays by itself from here, four times as fast, and stops at the end.
    page.get_by_label("Speed").select_option("4\u00d7")
    page.get_by_role("slider", name="Step").fill(str(steps - 2))
    key("Space")()
    expect(page.get_by_role("button", name=said("replay_pause"))).to_be_visible()
    stands_at(page, steps, steps)
    expect(page.get_by_role("button", name=said("replay_play"), exact=True)).to_be_visible()


def labels(page: Page) -> list[str]:
    """All that the board which is shown in full says of itself to a reader."""
    found: list[str] = page.locator("[data-mine] [aria-label]").evaluate_all("all => all.map((each) => each.ariaLabel)")
    assert len(found) > 25  # a puzzle at least
    return found


def test_a_shared_point_opens_there_for_somebody_else(visits: Visits) -> None:
    visit = visits(permissions=["clipboard-read", "clipboard-write"])
    game, _ = finish(visit)
    text = short_game()
    page = visit.page

    def shared() -> str:
        page.get_by_role("button", name=said("replay_share")).click()
        expect(page.get_by_role("status").filter(has_text=said("copied"))).to_be_visible()
        link: str = page.evaluate("navigator.clipboard.readText()")
        return link

    page.goto(f"/replay/{game}")
    page.get_by_role("slider", name="Step").fill("5")
    of_a_game = shared()
    steps = int(page.locator("footer .count").inner_text().split("/")[1])
    board = labels(page)
    page.goto("/replay")
    page.locator("summary", has_text=said("import_title")).click()  # the games that were played come first
    page.get_by_label("Record", exact=True).fill(text)
    page.get_by_role("button", name="Replay it").click()
    page.get_by_role("slider", name="Step").fill("4")
    of_a_text = shared()
    other = visits().page
    other.goto(of_a_game)
    stands_at(other, 5, steps)
    assert labels(other) == board
    other.goto("about:blank")
    other.goto(of_a_text)
    stands_at(other, 4, len(replay(text).moves))


def test_a_file_is_opened_or_dropped_and_junk_is_refused_in_words(visits: Visits) -> None:
    visit = visits()
    page = visit.page
    text = short_game()
    page.goto("/replay")
    record = page.get_by_label("Record", exact=True)
    junks = {
        "What a lovely evening!": (1, "What a lovely evening!", said("refused_line")),
        text + "1 take W9\n": (text.count("\n") + 1, "1 take W9", said("refused_slot", about="W9")),
        "players: 2\nedition: 1999\n": (2, "edition: 1999", said("refused_edition", about="1999")),
        "players: 2\nwhite: W01 W01 W02\n": (2, "white: W01 W01 W02", said("refused_card_twice", about="W01")),
    }
    for junk, (line, shown, why) in junks.items():
        record.fill(junk)
        page.get_by_role("button", name="Replay it").click()
        words = said("import_line", line=line, text=shown, said=why)
        expect(page.get_by_role("alert")).to_have_text(f"{words} {said('import_what')}")
    record.fill("")
    page.get_by_label(said("import_file")).set_input_files(
        {"name": "evening.pln", "mimeType": "text/plain", "buffer": text.encode()}
    )
    expect(record).to_have_value(text)
    record.fill("")
    expect(page.get_by_role("button", name="Replay it")).to_be_disabled()
    page.locator("body").evaluate(_DROP, text)
    expect(record).to_have_value(text)
    page.get_by_role("button", name="Replay it").click()
    stands_at(page, 0, len(replay(text).moves))
    # The browser notes answers that refuse, so there are as many notes, and nothing else is wrong.
    refused = [text for text in visit.wrong if "422" in text]
    assert len(refused) == len(junks)
    visit.wrong[:] = [text for text in visit.wrong if text not in refused]
    # Junk in a link is no reason to break either.
    page.goto("about:blank")
    page.goto("/replay#no-record")
    expect(page.get_by_role("alert")).to_have_text(said("refused_link"))
    # A record is played on from where it ends, too.
    record.fill(text)
    page.get_by_role("button", name=said("import_play")).click()
    expect(page.locator(".board")).to_be_visible()
    state = Mouse(page).state()
    assert (state["view"]["round"], state["seats"]) == (2, [1, 2])


def points(line: Locator) -> list[tuple[float, float]]:
    """Where a line of the graph goes."""
    path = line.get_attribute("d") or ""
    return [(float(x), float(y)) for x, y in re.findall(r"[ML]([\d.]+) ([\d.]+)", path)]


def marks(graph: Locator) -> list[float]:
    """The heights of 0, 50 and 100 per cent."""
    return [float((mark.get_attribute("d") or "").split()[1].split("H")[0]) for mark in graph.locator(".mark").all()]


def test_an_analysis_shows_the_graph_the_best_turn_and_the_swings(visits: Visits) -> None:
    visit = visits()
    page = visit.page
    text = until(header(2, seed="swings"), lambda _, state: state.round > 2)
    page.goto("/replay")
    page.get_by_label("Record", exact=True).fill(text)
    page.get_by_role("button", name="Replay it").click()
    steps = len(replay(text).moves)
    stands_at(page, 0, steps)
    page.get_by_role("button", name=said("analysis_title")).click()
    panel = page.get_by_role("complementary", name=said("analysis_title"))
    graph = panel.get_by_role("img", name=said("analysis_graph"))
    expect(graph).to_be_visible()
    expect(panel.get_by_role("status")).to_have_text(said("analysis_done", n=4), timeout=30_000)
    lines = [points(graph.locator("path.line").nth(seat)) for seat in range(2)]
    assert len(lines[0]) == len(lines[1]) == 4, "a point for every turn"
    none, _, all_of_it = marks(graph)
    for (_, one), (_, other) in zip(*lines, strict=True):
        assert one + other == pytest.approx(none + all_of_it), "what one has not, the other has"
    swing = panel.locator(".swing").first
    expect(swing).to_have_text(re.compile("Player \\d, round \\d\\s*\u2212\\d+ ?%"))
    page.get_by_role("slider", name="Step").fill(str(steps))
    swing.click()
    expect(page.locator("footer .count")).not_to_have_text(f"{steps}/{steps}")
    turn = panel.locator("section").first
    expect(turn.get_by_role("heading")).to_have_text(swing.locator("span").inner_text())
    expect(turn.get_by_text(said("analysis_best"))).to_be_visible()
    assert turn.get_by_role("list").last.get_by_role("listitem").count() > 0
    # A click on the graph jumps too.
    box = graph.bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + box["width"] - 10, box["y"] + box["height"] / 2)
    expect(turn.get_by_role("heading")).to_have_text(re.compile("round 2$"))


def test_a_replay_has_the_names_of_its_table_and_its_analysis_ends_at_the_result(visits: Visits) -> None:
    visit = visits(locale="de-DE")
    page = visit.page
    person = Mouse(page)
    seats = [{"kind": "me"}, {"kind": "me", "name": "Bo", "colour": "rose"}]
    made = sit_down(person, players=2, seats=seats, seed="names", options={"max_rounds": "1"})
    winners = play_on(person)["view"]["result"]["winners"]
    page.goto(f"/replay/{made['game']}")
    mine = page.locator("[data-mine]")
    expect(mine).to_have_accessible_name(re.compile("Spieler 1$"))
    expect(page.locator('[data-seat="1"]')).to_contain_text("Spieler 1")
    expect(page.locator(".players")).not_to_contain_text("Seat")
    expect(page.locator('[data-seat="2"]')).to_contain_text("Bo")
    page.get_by_role("button", name="Analyse").click()
    graph = page.locator("aside figure")
    expect(graph.locator("figcaption")).to_have_text(re.compile("Spieler 1\\s*Bo"))
    expect(graph.locator("svg[role=img] path.line").first).to_have_attribute(
        "d", re.compile(r"M[\d. ]+L[\d. ]+L[\d. ]+"), timeout=30_000
    )
    ends = [points(graph.locator("svg[role=img] path.line").nth(seat))[-1][1] for seat in range(2)]
    none, _, all_of_it = marks(graph)
    shares = [1 / len(winners) if seat in winners else 0 for seat in (1, 2)]
    assert ends == pytest.approx([none + (all_of_it - none) * share for share in shares])


def test_a_record_without_names_numbers_its_players_in_the_reader_s_language(visits: Visits) -> None:
    page = visits(locale="fr-FR").page
    page.goto("/replay")
    text = short_game().replace("players", "names: Seat 1 | Seat 2\nplayers", 1)
    page.locator("textarea").fill(text)
    page.get_by_role("button", name="Revoir").click()
    expect(page.locator('[data-seat="1"]')).to_contain_text("Joueur 1")
