"""Settings: on the command line, in the environment, in one file; and what `serve --check` says of them."""

import json
import time
from pathlib import Path

import pytest

from projectl.cli.settings import server_settings
from tests.server.processes import Redis, Server, free_port
from tests.test_cli import Run, run

__all__ = ["run"]  # a fixture

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(autouse=True)
def own_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))


def file_of(folder: Path, text: str) -> str:
    """A file of settings."""
    path = folder / "projectl.toml"
    path.write_text(text)
    return str(path)


def rows(shown: str) -> dict[str, str]:
    """What `--check` shows of the settings, by name."""
    lines = shown.split("\n\n")[0].splitlines()
    return {line.split()[0]: " ".join(line.split()[1:]) for line in lines}


def test_an_option_goes_before_the_environment_and_that_before_the_file(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, two, three = free_port(), free_port(), free_port()
    file = file_of(tmp_path, f'port = {one}\nbot-pause = 2\norigin = ["https://a.example", "https://b.example"]\n')
    assert rows(run("serve", "--check").out)["port"] == "8765 (default)"
    monkeypatch.setenv("PROJECTL_CONFIG", file)
    found = rows(run("serve", "--check").out)
    assert found["port"] == f"{one} (file)"
    assert found["bot-pause"] == "2 (file)"
    assert found["origin"] == "https://a.example https://b.example (file)"
    monkeypatch.setenv("PROJECTL_PORT", str(two))
    monkeypatch.setenv("PROJECTL_ORIGIN", "https://c.example")
    found = rows(run("serve", "--check").out)
    assert (found["port"], found["origin"]) == (f"{two} (environment)", "https://c.example (environment)")
    assert rows(run("serve", "--check", "--port", str(three)).out)["port"] == f"{three} (option)"


def test_the_check_shows_every_setting(run: Run) -> None:
    assert list(rows(run("serve", "--check").out)) == list(server_settings())


def test_every_setting_is_in_the_operators_document() -> None:
    page = (ROOT / "docs" / "server.md").read_text(encoding="utf-8")
    for name in server_settings():
        assert f"| `{name}` |" in page, name


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("prot = 1", "there is no setting 'prot'; there are host, port, "),
        ("config = 'x'", "there is no setting 'config'"),
        ("port = '8765'", "port is a whole number, found '8765'"),
        ("port = true", "port is a whole number, found 'True'"),
        ("port = 1.5", "port is a whole number"),
        ("bot-pause = 'long'", "bot-pause is a number, found 'long'"),
        ("store = 5", "store is a text in quotes, found '5'"),
        ("origin = 'https://a.example'", "origin is a list of texts"),
        ("origin = [1]", "origin is a list of texts"),
        ("[store]\nurl = 'x'", "store is a text in quotes"),
        ("port = ", "this is not TOML: "),
        ("port = 99999", "invalid value for 'port in HERE/projectl.toml'"),
        ("log-level = 'loud'", "a log level is debug, info, warning or error"),
    ],
)
def test_a_wrong_file_is_one_sentence(run: Run, tmp_path: Path, text: str, part: str) -> None:
    ran = run("serve", "--config", file_of(tmp_path, text))
    assert (ran.status, ran.out, ran.err.count("\n")) == (2, "", 1)
    assert part.replace("HERE", str(tmp_path)) in ran.err


def test_a_wrong_variable_is_named(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PROJECTL_PORT", "many")
    assert "invalid value for 'PROJECTL_PORT'" in run("serve").err
    assert "invalid value for '--port'" in run("serve", "--port", "many").err
    monkeypatch.setenv("PROJECTL_EXPIRE_WAITING", "soon")
    assert "invalid value for 'PROJECTL_EXPIRE_WAITING'" in run("games", "expire").err
    assert "invalid value for '--expire-waiting'" in run("games", "expire", "--expire-waiting", "soon").err


def test_a_variable_that_is_no_setting_is_told(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PROJECTL_PROT", "80")
    told = "PROJECTL_PROT stands in the environment, but there is no such setting."
    assert told in run("serve", "--check", "--port", str(free_port())).out.splitlines()
    monkeypatch.setenv("PROJECTL_OPEN", "0")
    assert "PROJECTL_OPEN stands" not in run("serve", "--check", "--port", str(free_port())).out


def test_an_archive_that_cannot_be_written_is_told(run: Run, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    words = ["serve", "--check", "--port", str(free_port()), "--keep-finished", "5", "--archive"]
    assert f"{tmp_path}/file cannot be written to" in run(*words, str(tmp_path / "file" / "deep")).err
    told = f"Finished games would go to {tmp_path}/records after 5 days."
    assert told in run(*words, str(tmp_path / "records")).out.splitlines()


def test_other_commands_take_the_store_from_the_same_places(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = file_of(tmp_path, f"port = 1\nstore = '{tmp_path / 'elsewhere.db'}'\n")
    assert "elsewhere.db yet" in run("export", "--config", file).err
    monkeypatch.setenv("PROJECTL_STORE", str(tmp_path / "environment.db"))
    assert "environment.db yet" in run("export", "--config", file).err


def test_invitations_to_what_is_imported_lead_where_people_reach_the_server(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "game.pln").write_text("players: 2\nseed: a\n")
    words = ["import", str(tmp_path / "game.pln")]
    file = file_of(tmp_path, "public-url = 'https://games.example'\n")
    for shown in (run(*words, "--config", file).out, run(*words, "--public-url", "https://games.example/").out):
        assert shown.count(": https://games.example/join/") == 2
    assert run(*words).out.count(": /join/") == 2
    monkeypatch.setenv("PROJECTL_PUBLIC_URL", "games.example")
    ran = run(*words)
    assert (ran.status, ran.out) == (2, "")
    assert ran.err.startswith("unreadable: --public-url is as https://games.example.org")


def test_the_check_changes_nothing(run: Run, tmp_path: Path) -> None:
    ran = run("serve", "--check", "--store", str(tmp_path / "deep" / "games.db"), "--port", str(free_port()))
    assert (ran.status, ran.err) == (0, "")
    assert f"The store {tmp_path}/deep/games.db would be made." in ran.out
    assert "Nothing is in the way of a start." in ran.out
    assert list(tmp_path.iterdir()) == []


def test_the_check_names_everything_that_is_in_the_way(run: Run, tmp_path: Path) -> None:
    """Not only the first, and no password."""
    (tmp_path / "games.db").write_text("this is no database")
    bus = f"redis://:geheim@127.0.0.1:{free_port()}/0"
    with Server(tmp_path, f"sqlite:///{tmp_path / 'other.db'}").start() as server:
        ran = run("serve", "--check", "--store", str(tmp_path / "games.db"), "--bus", bus, "--port", str(server.port))
    assert ran.status == 2
    assert [line.split(":")[0] for line in ran.err.splitlines()] == ["address", "store", "bus"]
    assert "is in use" in ran.err
    assert "games.db cannot be used" in ran.err
    assert "the bus does not answer" in ran.err
    assert "geheim" not in ran.out + ran.err
    assert "Nothing is in the way" not in ran.out


def test_the_check_of_a_server_that_could_start(run: Run, tmp_path: Path) -> None:
    with Redis(tmp_path) as redis:
        store = str(tmp_path / "games.db")
        words = ["serve", "--check", "--bus", redis.url, "--workers", "3", "--port", str(free_port()), "--store", store]
        assert "The bus answers; 3 processes would serve." in run(*words).out
        assert "would be made" in run(*words).out
        assert run("export", "--store", f"{tmp_path / 'none.db'}").status == 2


def test_a_server_runs_by_a_file_and_the_environment_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class ByFile(Server):
        def options(self) -> list[str]:
            return ["serve", "--config", file_of(tmp_path, f"port = {self.port}\nbots = 1\n")]

    monkeypatch.setenv("PROJECTL_STORE", str(tmp_path / "own.db"))
    with ByFile(tmp_path).start() as server:
        assert server.ask("/health")["ok"]
        ready = next(json.loads(line) for line in server.said().splitlines() if '"ready"' in line)
        assert ready["store"].endswith("own.db")
    assert (tmp_path / "own.db").exists()


def test_every_line_is_json_also_where_the_bus_is_down_from_the_start(tmp_path: Path) -> None:
    with Server(tmp_path, bus=f"redis://127.0.0.1:{free_port()}/0").start() as server:
        time.sleep(2.5)  # in which it tries again and again
        lines = [json.loads(line) for line in server.said().splitlines()]
        assert [line["logger"] for line in lines if line["level"] == "warning"] == ["projectl.serve", "projectl.bus"]
        assert lines[0]["message"].startswith("the bus does not answer")
        server.stop()
