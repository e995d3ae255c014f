"""The bot of the documentation joins with a link and plays a whole game over plain HTTP."""

import json
import subprocess
import sys
from pathlib import Path

from tests.server.processes import OPEN, PATIENCE, Server, wait_for

BOT = Path(__file__).parents[2] / "docs" / "examples" / "stream_bot.py"


def test_the_bot_of_the_documentation_plays_a_game_to_its_end(tmp_path: Path) -> None:
    """Once the server restarts in between; the bot does not mind."""
    with Server(tmp_path).start() as server:
        made = server.table(server.new_key(), OPEN, {"kind": "bot", "bot": "greedy"}, seed="stream bot")
        game = f"/api/tables/{made['game']}"
        link = f"{server.url}/join/{made['game']}#{made['invites']['1']}"
        pipe = subprocess.PIPE
        with subprocess.Popen([sys.executable, str(BOT), link], stdout=pipe, stderr=pipe, text=True) as bot:
            try:
                wait_for("some actions", lambda: server.ask(f"{game}/state")["version"] >= 8)
                server.stop()
                server.start()
                said, complained = bot.communicate(timeout=2 * PATIENCE)
            finally:
                bot.kill()
        assert bot.returncode == 0, complained
        late = [json.loads(line)["code"] for line in complained.splitlines()]
        assert set(late) <= {"stale", "over"}, "it plays what it is offered, if nobody is quicker"
        table = server.ask(game)
        assert (table["status"], table["seats"][0]["name"]) == ("over", "Stream bot")
        state = server.ask(f"{game}/state")
        assert state["view"]["result"] == json.loads(said)
        assert {one["event"]["seat"] for one in state["events"] if one["event"]["type"] == "played"} == {1, 2}
        server.stop()
        assert server.complaints() == []
