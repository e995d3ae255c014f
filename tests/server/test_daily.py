"""The daily puzzle over HTTP: asked for by its date, tried action by action, compared when it is whole."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from projectl.daily.puzzle import FIRST, of_day, shipped
from tests.server.harness import START, House, refusal

TODAY = datetime.fromtimestamp(START, UTC).date()


async def test_everybody_gets_the_same_puzzle_from_the_date_alone(house: House) -> None:
    ana, bo = house.visitor(), house.visitor()
    puzzle = of_day(TODAY)
    found = await ana.post(f"/api/daily/{TODAY}", {"actions": []})
    assert found == await bo.post(f"/api/daily/{TODAY}", {"actions": []})
    assert found["day"] == TODAY.isoformat()
    assert found["number"] == (TODAY - FIRST).days + 1
    assert found["seat"] == puzzle.seat
    assert not found["done"]
    assert found["view"]["to_act"] == [puzzle.seat]
    assert (await ana.get("/api/daily")) == {
        "first": FIRST.isoformat(),
        "today": TODAY.isoformat(),
        "puzzles": len(shipped()),
    }


async def test_hidden_cards_stay_hidden(house: House) -> None:
    found = await house.visitor().post(f"/api/daily/{TODAY}", {"actions": []})
    others = [player for player in found["view"]["players"] if player["seat"] != found["seat"]]
    assert all(player["points"] is None for player in others if player["completed_count"])
    assert all(isinstance(count, int) for count in found["view"]["decks"].values())


async def test_a_turn_is_tried_action_by_action_and_compared(house: House) -> None:
    ana, puzzle = house.visitor(), of_day(TODAY)
    done: list[str] = []
    for action in puzzle.best:
        tried = await ana.post(f"/api/daily/{TODAY}/try", {"actions": done, "action": action})
        assert tried["legal"]
        done.append(action)
        found = await ana.post(f"/api/daily/{TODAY}", {"actions": done})
        assert [step["text"] for step in found["steps"]] == done
    assert found["done"]
    assert found["legal"] == []
    graded = await ana.post(f"/api/daily/{TODAY}/answer", {"actions": puzzle.best})
    assert (graded["stars"], graded["chance"], graded["best"]) == (3, puzzle.chance, puzzle.best)
    assert len(graded["facts"]) == len(puzzle.best)


async def test_an_answer_that_was_tampered_with_is_refused(house: House) -> None:
    ana, puzzle = house.visitor(), of_day(TODAY)
    answer = f"/api/daily/{TODAY}/answer"
    assert (await ana.refused(answer, {"actions": puzzle.best[:1]})) == (409, "daily-unfinished")
    assert (await ana.refused(answer, {"actions": [*puzzle.best, "gain O1"]})) == (409, "daily-over")
    assert (await ana.refused(answer, {"actions": ["win the game"]}))[0] == 422
    assert (await ana.refused(answer, {"actions": puzzle.best, "stars": 3}))[0] == 400
    assert (await ana.refused(answer, {"actions": ["gain O1"] * 31}))[0] == 400
    tried = await ana.post(f"/api/daily/{TODAY}/try", {"actions": [], "action": "take W9"})
    assert not tried["legal"]


async def test_days_that_have_no_puzzle_yet(house: House) -> None:
    ana = house.visitor()
    later = TODAY + timedelta(days=3)
    response = await ana.http.post(f"/api/daily/{later}", json={"actions": []})
    assert refusal(response) == (404, "daily-later")
    assert response.json()["about"] == TODAY.isoformat()
    before = FIRST - timedelta(days=1)
    assert (await ana.refused(f"/api/daily/{before}")) == (404, "daily-before")
    assert (await ana.refused("/api/daily/yesterday")) == (422, "daily-date")
    assert (await ana.refused("/api/daily/2026-02-30")) == (422, "daily-date")
    house.clock.advance(3 * 86_400)
    assert (await ana.post(f"/api/daily/{later}"))["day"] == later.isoformat()


async def test_past_days_can_still_be_played(house: House) -> None:
    found = await house.visitor().post(f"/api/daily/{FIRST}")
    assert found["number"] == 1
