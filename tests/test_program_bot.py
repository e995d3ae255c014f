"""Bots that are programs: whole games, every way to misbehave, and the documentation of it all."""

import doctest
import gc
import json
import re
import shlex
import shutil
import subprocess
import sys
from importlib.metadata import EntryPoint, EntryPoints
from pathlib import Path

import pytest

from projectl import Rules, new_game, play, result, to_act
from projectl.bots import BotError, Look, look_at, make, names, register, registry
from projectl.bots.program import Goodbye, ProgramBot, ProgramHello, Request, look_from
from projectl.bots.simple import RandomBot
from projectl.core.cards import parse_card, shipped_cards
from projectl.core.dice import Dice
from projectl.core.knowledge import known
from tests.configurations import own_cards
from tests.table import table

ROOT = Path(__file__).resolve().parent.parent
PAGE = (ROOT / "docs" / "bots.md").read_text(encoding="utf-8")
EXAMPLES = ROOT / "docs" / "examples"
PATIENT = 60.0  # seconds for programs that answer at once

PYTHON_EXAMPLE = shlex.join([sys.executable, str(EXAMPLES / "bot.py")])
NODE_EXAMPLE = shlex.join(["node", str(EXAMPLES / "bot.js")])
needs_node = pytest.mark.skipif(shutil.which("node") is None, reason="there is no node here")

# What programs below begin with: say(...) prints a message, hear() reads one.
PRELUDE = """
import json, os, subprocess, sys, time
def hear():
    return json.loads(sys.stdin.readline())
def say(**message):
    print(json.dumps(message), flush=True)
def greet():
    hear()
    say(type="hello", protocol=1, name="test")
"""


@pytest.fixture(autouse=True)
def _apart(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bots registered here stay here; however busy the machine is, programs get to read the goodbye."""
    monkeypatch.setattr(registry, "_FACTORIES", dict(registry._FACTORIES))
    monkeypatch.setattr("projectl.bots.program.GOODBYE_SECONDS", PATIENT)


def command(code: str, *arguments: Path) -> str:
    """A command that runs Python code."""
    return shlex.join([sys.executable, "-c", PRELUDE + code, *map(str, arguments)])


def opening(seconds: float = PATIENT, rules: Rules | None = None) -> Look:
    """What seat 1 sees first."""
    return look_at(new_game(rules or Rules(players=2), seed="tuesday"), 0, seconds)


def failure(code: str, seconds: float = PATIENT, rules: Rules | None = None) -> BotError:
    """How a program fails at its first decision; it fails the same way when asked again."""
    bot = ProgramBot(command(code))
    with pytest.raises(BotError) as first:
        bot.decide(opening(seconds, rules))
    with pytest.raises(BotError) as again:
        bot.decide(opening(seconds, rules))
    assert again.value.sentence == first.value.sentence
    assert len(first.value.sentence) < 400
    assert first.value.sentence.isprintable()
    return first.value


EVERYTHING = ("ghost", "ambassador", "phoenix", "finesse", "finesse_ambassador")
GAMES = [
    Rules(players=2, max_rounds=40),
    Rules(players=1, edition="2019", difficulty="hard"),
    Rules(players=3, modules=EVERYTHING, own=own_cards(EVERYTHING)),
    Rules(players=5, modules=("line_clear", "ghost"), max_rounds=6, own=own_cards(("ghost",))),
]


@pytest.mark.parametrize("rules", GAMES, ids=repr)
@pytest.mark.parametrize("example", [PYTHON_EXAMPLE, pytest.param(NODE_EXAMPLE, marks=needs_node)], ids=["py", "js"])
def test_examples_play_whole_games(example: str, rules: Rules) -> None:
    program = make(f"program:{example}")
    assert isinstance(program, ProgramBot)
    bots = [program, ProgramBot(PYTHON_EXAMPLE), *(make("random", seed) for seed in range(2, int(rules.players)))]
    state = new_game(rules, seed="whole game")
    while not (end := result(state)):
        seat = to_act(state)[0]
        play(state, bots[seat].decide(look_at(state, seat, PATIENT)), seat)
    assert len(end.scores) == max(2, int(rules.players))
    assert program.asked > 10
    assert program.name.startswith("simple (")


def test_a_look_survives_the_wire() -> None:
    """The documented program for users of the package decides as the bot in the host does."""
    code = next(block for block in re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL) if "look_from" in block)
    bot, twin = ProgramBot(shlex.join([sys.executable, "-c", code])), RandomBot(1)
    state = new_game(Rules(players=2, modules=("finesse",), own=own_cards(()), max_rounds=5), seed="wire")
    while not result(state):
        seat = to_act(state)[0]
        look = look_at(state, seat, PATIENT)
        decision = bot.decide(look) if seat == 0 else look.legal[0]
        assert seat != 0 or decision == twin.decide(look)
        play(state, decision, seat)
    bot.close()


LOGGING = """
log = open(sys.argv[1], "w")
for line in sys.stdin:
    log.write(line)
    log.flush()
    m = json.loads(line)
    if m["type"] == "hello": say(protocol=1, name="log")
    if m["type"] == "decide": say(id=m["id"], decision=m["legal"][0][0])
"""


def traffic(look: Look, path: Path) -> tuple[ProgramHello, Request, Goodbye]:
    """What a program gets to hear in a game of one decision."""
    bot = ProgramBot(command(LOGGING, path))
    assert bot.decide(look) == look.legal[0]
    bot.close()
    hello, request, goodbye = map(json.loads, path.read_text(encoding="ascii").splitlines())
    return hello, request, goodbye


def shows(example: object, real: object) -> bool:
    """Whether an example is the real thing, but for lists that are cut short."""
    if isinstance(example, dict) and isinstance(real, dict):
        return list(example) == list(real) and all(shows(example[key], real[key]) for key in example)
    if isinstance(example, list) and isinstance(real, list):
        cut = real[: len(example)] if example else real
        return len(cut) == len(example) and all(map(shows, example, cut))
    return type(example) is type(real) and example == real


def documented() -> list[dict[str, object]]:
    """The messages of the page: hello, its answer, decide, its answer, goodbye."""
    return [json.loads(block) for block in re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL)]


def test_the_documented_messages_are_what_is_sent(tmp_path: Path) -> None:
    hello, _, decide, _, goodbye = documented()
    for example, real in zip((hello, decide, goodbye), traffic(opening(seconds=1.0), tmp_path / "heard"), strict=True):
        assert shows(example, real), f"sent was {real}"


def test_the_documented_answers_are_what_the_example_gives() -> None:
    hello, greeting, decide, answer, goodbye = documented()
    lines = "".join(json.dumps(message) + "\n" for message in (hello, decide, goodbye))
    words = [sys.executable, str(EXAMPLES / "bot.py")]
    run = subprocess.run(words, input=lines, capture_output=True, text=True, timeout=PATIENT, check=True)
    first, second = map(json.loads, run.stdout.splitlines())
    assert first == greeting
    assert list(second) == list(answer)
    assert second["id"] == answer["id"] == decide["id"]
    assert {second["decision"], answer["decision"]} <= {2380, 2381, 2382, 2383}


OTHER = parse_card("GW01 W 0 P5 ##### ##..# #..## ##.## #####")
REPLACED = tuple(OTHER if card.id == OTHER.id else card for card in shipped_cards())


@pytest.mark.parametrize("rules", [*GAMES, Rules(players=2, modules=("ghost",), replaced=REPLACED)], ids=repr)
def test_messages_carry_the_rules_and_every_card(rules: Rules, tmp_path: Path) -> None:
    look = opening(rules=rules)
    hello, request, _ = traffic(look, tmp_path / "heard")
    got = look_from(hello, request)
    assert (got.known, got.legal, got.seconds) == (look.known, look.legal, look.seconds)
    assert [card.text() for card in got.rules.cards.cards] == [card.text() for card in rules.cards.cards]
    assert repr(got.rules) == repr(rules)
    assert got.imagine(Dice(1)).key() == look.imagine(Dice(1)).key()
    assert (len(hello["tiles"]) > 0) == rules.finesse
    assert [card.text() for card in rules.own] == hello["rules"]["own"]
    assert set(hello["rules"]["own"]) <= set(hello["cards"])


def test_messages_have_nothing_that_the_seat_may_not_know(tmp_path: Path) -> None:
    state = new_game(Rules(players=2), seed="tuesday")
    other = look_at(state, 0, PATIENT).imagine(Dice(5))
    assert other.key() != state.key()
    heard = [traffic(look_at(game, 0, PATIENT), tmp_path / "heard") for game in (state, other)]
    assert heard[0] == heard[1]


def test_messages_tell_what_everybody_saw(tmp_path: Path) -> None:
    """A puzzle that was finished lies face down on its pile, a row that was recycled under its deck."""
    game = table("players: 2\nwhite: W10 W22 W24 W30 W01 W02 W03 W04")
    for action in ("1 take W1", "1 place 1:c2c3", "1 place 1:c4", "2 recycle W 4 3 2 1", "2 gain O1", "2 gain O1"):
        game.play_line(action)
    for seat in (0, 1):
        _, request, _ = traffic(look_at(game.state, seat, PATIENT)._replace(legal=[1]), tmp_path / "heard")
        assert request["seen"] == {
            "completed": [["W10"], []],
            "points": [1, 0],
            "under": {"W": ["W30", "W24", "W22", "W01"], "B": []},
        }
        assert [player["completed"] for player in request["view"]["players"]] == [[["W10"], None], [None, []]][seat]


def test_who_comes_to_a_position_has_seen_nothing(tmp_path: Path) -> None:
    state = new_game(Rules(players=2), seed="tuesday")
    look = Look(state.rules, known(state, 0, watched=False), [1], PATIENT)
    _, request, _ = traffic(look, tmp_path / "heard")
    assert "seen" not in request
    assert not request["known"]["watched"]


WRONG = [
    ("hear()\nprint('What is this?', flush=True)", "program-junk", "printed 'What is this?'"),
    ("hear()\nprint(flush=True)", "program-junk", "printed ''"),
    ("hear()\nprint('[' * 60000, flush=True)", "program-junk", "printed '[[[["),
    ("hear()\nprint('9' * 60000, flush=True)", "program-junk", "printed '9999"),
    ("hear()\nos.write(1, b'\\xff\\x1b[31m\\n')", "program-junk", r"\\xff\x1b[31m"),
    ("hear()\nsay(protocol=1)", "program-junk", "missing required field `name`"),
    ("hear()\nsay(protocol='1', name='x')", "program-junk", "expected `int`, got `str` - at `$.protocol`"),
    ("hear()\nsay(protocol=2, name='x')", "program-protocol", "the protocol spoken here is 1"),
    ("greet()\nhear()\nprint('{\"id\": 1', flush=True)", "program-junk", "printed '{\"id\": 1'"),
    ("greet()\nhear()\nsay(id=1)", "program-junk", "missing required field `decision`"),
    ("greet()\nhear()\nsay(id=1, decision=True)", "program-junk", "got `bool` - at `$.decision`"),
    ("greet()\nhear()\nsay(id=1, decision=2380.0)", "program-junk", "got `float` - at `$.decision`"),
    ("greet()\nhear()\nsay(id=2, decision=2380)", "program-id", "asked for id 1"),
    ("greet()\nhear()\nsay(id=1, decision=0)", "program-illegal", "none of the 17 legal decisions"),
    ("greet()\nhear()\nsay(id=1, decision=-10**40)", "program-illegal", "-1000000000"),
    ("while True: os.write(1, b'x' * 65536)", "program-flood", "beginning 'xxxx"),
    ("greet()\nhear()\nwhile True: os.write(1, b' ' * 1000)", "program-flood", "65536 bytes"),
    ("sys.exit(3)", "program-dead", "ended with status 3"),
    ("greet()\nsys.exit(0)", "program-dead", "ended with status 0"),
    ("greet()\nhear()\nos.kill(os.getpid(), 9)", "program-dead", "was ended by signal 9"),
    ("greet()\nhear()\nraise RuntimeError('out of\\n ideas')", "program-dead", "says 'RuntimeError: out of ideas'"),
    ("greet()\nhear()\nos.write(1, b'half')\nos._exit(4)", "program-dead", "status 4 instead of answering, having "),
    ("greet()\nhear()\nos.close(1)\ntime.sleep(60)", "program-dead", "closed its output"),
]


@pytest.mark.parametrize(("code", "error", "part"), WRONG, ids=[part for _, _, part in WRONG])
def test_misbehaviour_is_named_and_quoted(code: str, error: str, part: str) -> None:
    found = failure(code)
    assert found.code == error
    assert part in found.sentence


def test_every_kind_of_misbehaviour_is_documented() -> None:
    source = (ROOT / "src" / "projectl" / "bots" / "program.py").read_text(encoding="utf-8")
    codes = set(re.findall(r'"(program-\w+)"', source))
    assert codes == set(re.findall(r"`(program-\w+)`", PAGE))
    assert {error for _, error, _ in WRONG} < codes


@pytest.mark.parametrize("code", ["os.write(1, b'well')\ntime.sleep(60)", "while True: os.write(2, b'hm ' * 9999)"])
def test_a_program_that_does_not_answer_is_late(code: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("projectl.bots.program.GRACE", 0.1)
    found = failure(f"greet()\nhear()\n{code}", seconds=0.4)
    assert found.code == "program-late"
    assert "gave no answer within 0.5 s" in found.sentence


def test_a_program_that_never_greets_is_late(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("projectl.bots.program.HELLO_SECONDS", 0.2)
    assert failure("time.sleep(60)").code == "program-late"


MANY_CARDS = tuple(parse_card(f"Q{n:04} W 1 O1 .#### ##### ##### ##### #####") for n in range(2000))


@pytest.mark.parametrize(
    ("code", "error"),
    [("while True: print('y')", "program-flood"), ("time.sleep(60)", "program-late"), ("sys.exit(2)", "program-dead")],
)
def test_a_program_that_does_not_listen(code: str, error: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The hello of a game with 2,000 own cards is more than a pipe holds, so it waits for a reader."""
    if error == "program-late":
        monkeypatch.setattr("projectl.bots.program.HELLO_SECONDS", 0.2)
    assert failure(code, rules=Rules(players=2, own=MANY_CARDS)).code == error


def test_long_messages_arrive_whole() -> None:
    bot = ProgramBot(PYTHON_EXAMPLE)
    look = opening(rules=Rules(players=2, own=MANY_CARDS))
    assert bot.decide(look) in look.legal
    bot.close()


def test_much_standard_error_and_windows_lines_are_no_mistake() -> None:
    code = "greet()\nhear()\nos.write(2, b'x' * 10**6)\nos.write(1, b'{\"id\": 1, \"decision\": 2380}\\r\\n')\nhear()"
    bot = ProgramBot(command(code))
    assert bot.decide(opening()) == 2380
    bot.close()


def test_an_answer_nobody_asked_for_is_a_mistake() -> None:
    bot = ProgramBot(command("greet()\nfor n in (1, 1): say(id=n, decision=2380)\nhear()\nhear()"))
    assert bot.decide(opening()) == 2380
    with pytest.raises(BotError, match="asked for id 2") as caught:
        bot.decide(opening())
    assert caught.value.code == "program-id"


@pytest.mark.parametrize(
    ("text", "error", "part"),
    [
        ("", "program-command", "expected a command"),
        ("bot 'unclosed", "program-command", "no closing quotation"),
        ("no-such-program-here --fast", "program-start", "'no-such-program-here' cannot be started: No such file"),
        (shlex.quote(str(ROOT)), "program-start", "Permission denied"),
        ("bot\0", "program-start", "null byte"),
        ("echo $HOME; true", "program-junk", "'$HOME; true'"),
    ],
)
def test_commands_that_do_not_run(text: str, error: str, part: str) -> None:
    with pytest.raises(BotError) as caught:
        make(f"program:{text}").decide(opening())
    assert caught.value.code == error
    assert part in caught.value.sentence


# A child that holds a pipe open while it lives, and says so if it is let live on.
CHILD = "import sys, time; f = open(sys.argv[1], 'w'); time.sleep(30); f.write('survived')"
PARENT = f"subprocess.Popen([sys.executable, '-c', {CHILD!r}, sys.argv[1]])\n"


@pytest.fixture
def life(tmp_path: Path) -> Path:
    """A pipe that ends when the last program that writes to it ends."""
    path = tmp_path / "life"
    subprocess.run(["mkfifo", str(path)], check=True)
    return path


def test_close_ends_the_program_and_all_it_started(life: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("projectl.bots.program.GOODBYE_SECONDS", 0.1)
    code = PARENT + "greet()\nhear()\nsay(id=1, decision=2380)\ntime.sleep(30)"
    bot = ProgramBot(command(code, life))
    assert bot.decide(opening()) == 2380
    with life.open() as pipe:
        bot.close()
        assert pipe.read() == ""
    bot.close()
    with pytest.raises(BotError) as caught:
        bot.decide(opening())
    assert caught.value.code == "program-closed"


def test_a_mistake_ends_all_that_the_program_started(life: Path) -> None:
    code = PARENT + "hear()\nprint(7, flush=True)"
    bot = ProgramBot(command(code, life))
    with life.open() as pipe:
        with pytest.raises(BotError, match="printed '7'"):
            bot.decide(opening())
        assert pipe.read() == ""


def test_a_forgotten_program_ends(life: Path) -> None:
    bot = ProgramBot(command(PARENT + "time.sleep(30)", life))
    with life.open() as pipe:
        del bot
        gc.collect()
        assert pipe.read() == ""


def test_a_program_ends_with_its_host(life: Path) -> None:
    spec = "program:" + command(PARENT + "time.sleep(30)", life)
    code = f"from projectl.bots import make; bot = make({spec!r}); input()"
    with subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE) as host, life.open() as pipe:
        host.communicate(b"\n", PATIENT)
        assert pipe.read() == ""
        assert host.returncode == 0


class First:
    """Takes the first decision."""

    def __init__(self, seconds: float | None, seed: int) -> None:
        self.asked_for = (seconds, seed)

    def decide(self, look: Look) -> int:
        return look.legal[0]


def test_an_entry_point_adds_a_bot(monkeypatch: pytest.MonkeyPatch) -> None:
    points = EntryPoints([EntryPoint("first", f"{__name__}:First", "projectl.bots")])
    monkeypatch.setattr("importlib.metadata.entry_points", lambda group: points.select(group=group))
    assert '[project.entry-points."projectl.bots"]' in PAGE
    assert "first" in names()
    bot = make("first:50ms", seed=9)
    assert isinstance(bot, First)
    assert bot.asked_for == (0.05, 9)
    assert bot.decide(opening()) == opening().legal[0]


def test_an_unknown_bot_is_refused_with_the_known_ones() -> None:
    register("first", First)
    with pytest.raises(BotError) as caught:
        make("deep-purple")
    assert caught.value.code == "bot-unknown"
    assert all(name in caught.value.sentence for name in ("'deep-purple'", "random", "first"))


@pytest.mark.parametrize("time", ["soon", "4", "0s", "0.000s", "-1s", "1m", "4 s", "1e3s", "infs", "9999999s"])
def test_times_that_are_none_are_refused(time: str) -> None:
    with pytest.raises(BotError, match="as 50ms or 4s") as caught:
        make(f"random:{time}")
    assert caught.value.code == "bot-time"


def test_the_page_is_true() -> None:
    found = doctest.testfile(str(ROOT / "docs" / "bots.md"), module_relative=False)
    assert (found.attempted > 10, found.failed) == (True, 0)


def test_the_page_names_every_bot() -> None:
    code = "from projectl.bots import names; print(*names())"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "random" in run.stdout.split()
    assert [name for name in run.stdout.split() if f"| `{name}` |" not in PAGE] == []
