"""Looking back at a game that goes on: every position as one's own seat saw it, and nothing that is hidden."""

from __future__ import annotations

from tests.server.harness import House
from tests.server.test_protocol import turn


async def test_the_steps_of_a_running_game_are_seen_from_ones_own_seat(house: House) -> None:
    visitor = house.visitor()
    made = await visitor.make(players=2, seats=[{"kind": "me"}, {"kind": "bot", "bot": "greedy"}])
    ana = await visitor.at(made["game"])
    await ana.play(*turn(1))
    await ana.turn(1)
    found = await visitor.get(f"/api/tables/{made['game']}/steps")
    texts = [step["text"] for step in found["steps"]]
    assert texts[:3] == list(turn(1))
    assert found["start"]["to_act"] == [1]
    for step in (found["start"], *(step["view"] for step in found["steps"])):
        mine, other = step["players"]
        assert mine["points"] is not None
        assert other["points"] is None
        assert other["completed"] is None
    # Somebody who only watches sees neither pile; somebody without a game is told so.
    watched = await house.visitor().get(f"/api/tables/{made['game']}/steps")
    assert {player["points"] for player in watched["steps"][-1]["view"]["players"]} == {None}
    assert (await house.visitor().http.get("/api/tables/none/steps")).status_code == 404
