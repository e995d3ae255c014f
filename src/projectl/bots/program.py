"""Bots that are programs in any language: one JSON object a line over standard input and output.

The messages are the types below; `docs/bots.md` shows each of them. What a program prints is
decoded at once, and whatever is wrong with it ends the program and is a BotError that quotes it.
"""

import math
import os
import re
import selectors
import shlex
import signal
import subprocess
import time
import weakref
from contextlib import suppress
from typing import IO, Annotated, Final, Literal, NoReturn, NotRequired, TypedDict, TypeVar

import msgspec
from msgspec import Meta, Struct

from projectl.bots.protocol import BotError, Look
from projectl.core.actions import decision_text
from projectl.core.cards import all_tiles, parse_card, parse_tile, shipped_cards, tile_text
from projectl.core.dice import Dice
from projectl.core.knowledge import Known, Parts
from projectl.core.rules import OPTIONS, SOLO, Rules, rules_with
from projectl.core.setup import cards_in_play, tiles_in_play
from projectl.core.state import State
from projectl.core.view import View, completed

PROTOCOL: Final = 1
HELLO_SECONDS: Final = 20.0  # from the hello to its answer; some languages start slowly
GRACE: Final = 0.25  # seconds added to the time of a decision before the program is ended
EXIT_SECONDS: Final = 1.0  # from the end of its output to the end of the program
GOODBYE_SECONDS: Final = 0.5  # from the goodbye until the program is ended
MOST_SECONDS: Final = 3600.0  # for one decision, where the host sets no limit
MOST_UNREAD: Final = 65536  # bytes of one line, and of everything printed before it was asked for
_CHUNK: Final = 65536
_TAIL: Final = 4096  # bytes kept of what a program wrote to standard error
_QUOTED: Final = 80  # characters
_LAST_WORDS: Final = re.compile(r"(?im)^\S.*(?:error|exception|panic)")  # what comes after is often a stack


class RulesData(TypedDict):
    """Which game is played. Cards and tiles are texts, as in a record and in the data files.

    A hello has every option beside these too, as the arguments of `Rules`.
    """

    players: int
    edition: str
    modules: list[str]
    options: dict[str, str]  # those that differ from the edition's own, as a record writes them
    own: list[str]
    replaced: list[str]  # only those cards that are not as shipped
    replaced_tiles: list[str]


class ProgramHello(TypedDict):
    """The first message to a program."""

    type: Literal["hello"]
    protocol: int
    seat: int  # from 1
    rules: dict[str, object]  # RulesData and more
    cards: list[str]  # every card that may come up, as in a record
    tiles: list[str]  # every Finesse tile that may come up, as in the data files


class KnownData(TypedDict):
    """`Known`, the engine's numbers: seats count from 0."""

    seat: int
    parts: Parts
    white_left: int
    black_left: int
    hidden: list[int]
    watched: bool


def known_data(what: Known) -> KnownData:
    """What a seat knows, as messages carry it."""
    return KnownData(
        seat=what.seat,
        parts=what.parts,
        white_left=what.white_left,
        black_left=what.black_left,
        hidden=what.hidden,
        watched=what.watched,
    )


class Witnessed(TypedDict):
    """What whoever watched the game knows beyond the view, piles and decks that lie face down."""

    completed: list[list[str]]  # by seat: the pile, in the order completed
    points: list[int]  # by seat: of the pile
    under: dict[str, list[str]]  # by deck: the recycled cards at its bottom, the uppermost first


class Request(TypedDict):
    """The question for one decision."""

    type: Literal["decide"]
    id: int
    seat: int  # from 1
    seconds: float
    view: View
    legal: list[tuple[int, str]]
    known: KnownData
    seen: NotRequired[Witnessed]  # where the seat has watched from the first action on


class Goodbye(TypedDict):
    """The last message to a program."""

    type: Literal["goodbye"]


def _rules_data(rules: Rules) -> dict[str, object]:
    cards, tiles = set(shipped_cards()), set(all_tiles())
    data: RulesData = {
        "players": int(rules.players),
        "edition": rules.edition,
        "modules": list(rules.modules),
        "options": rules.options(),
        "own": [card.text() for card in rules.own],
        "replaced": [card.text() for card in rules.replaced if card not in cards],
        "replaced_tiles": [tile_text(tile) for tile in rules.replaced_tiles if tile not in tiles],
    }
    return {**data, **{option.name: option.typed(rules.settled[option.name]) for option in OPTIONS}}


def _rules_from(data: RulesData) -> Rules:
    cards = {card.id: card for card in map(parse_card, data["replaced"])}
    tiles = {tile.id: tile for tile in map(parse_tile, data["replaced_tiles"])}
    return rules_with(
        data["players"],
        data["edition"],
        tuple(data["modules"]),
        data["options"],
        tuple(map(parse_card, data["own"])),
        tuple(cards.get(card.id, card) for card in shipped_cards()) if cards else (),
        tuple(tiles.get(tile.id, tile) for tile in all_tiles()) if tiles else (),
    )


def _hello(look: Look) -> ProgramHello:
    rules = look.rules
    cards = [*cards_in_play(rules, True), *cards_in_play(rules, False)]
    tiles = [tile for tile_set in "ABC" for tile in tiles_in_play(rules, tile_set)] if rules.finesse else []
    return {
        "type": "hello",
        "protocol": PROTOCOL,
        "seat": look.seat + 1,
        "rules": _rules_data(rules),
        "cards": [rules.cards.cards[card].text() for card in cards],
        "tiles": [tile_text(rules.tiles.tiles[tile]) for tile in tiles],
    }


def _request(look: Look, number: int, seconds: float) -> Request:
    found: Request = {
        "type": "decide",
        "id": number,
        "seat": look.seat + 1,
        "seconds": seconds,
        "view": look.view(),
        "legal": [(decision, decision_text(decision)) for decision in look.legal],
        "known": known_data(look.known),
    }
    if look.known.watched:
        found["seen"] = _seen(look.imagine(Dice(0)))
    return found


def _seen(state: State) -> Witnessed:
    """What a game that is imagined by whoever watched has in common with the real one."""
    bottoms = {} if state.rules.kind == SOLO else {"W": state.white_bottom(), "B": state.black_bottom()}
    return {
        "completed": [completed(state, seat) for seat in range(len(state.players))],
        "points": [int(player.points) for player in state.players],
        "under": {deck: [state.cards.cards[card].id for card in cards] for deck, cards in bottoms.items()},
    }


def look_from(hello: ProgramHello, request: Request) -> Look:
    """The look that two messages carry, for programs that use this package."""
    what = request["known"]
    known = Known(**what)
    rules = _rules_from(msgspec.convert(hello["rules"], RulesData))
    return Look(rules, known, [number for number, _ in request["legal"]], request["seconds"])


def _quoted(text: bytes | str) -> str:
    """Something printable and short, for a sentence."""
    if isinstance(text, bytes):
        text = text.decode("utf-8", "backslashreplace")
    return repr(text if len(text) <= _QUOTED else text[: _QUOTED - 1] + "…")


def _last_words(errors: bytes) -> str:
    """The part of what a program wrote to standard error that tells most, as one short line."""
    text = errors.decode("utf-8", "backslashreplace")
    starts = [found.start() for found in _LAST_WORDS.finditer(text)]
    if starts:
        return " ".join(text[starts[-1] :].split())[: 2 * _QUOTED]
    return " ".join(text.split())[-2 * _QUOTED :]


class _Wrong(Exception):
    """An answer that is none: code, and what the program did."""


class _Greeting(Struct):
    """A program's answer to the hello."""

    protocol: int
    name: Annotated[str, Meta(pattern=r"\S")]


class _Answer(Struct):
    """A program's answer to a question."""

    id: int
    decision: int


Told = TypeVar("Told", _Greeting, _Answer)


def _told(line: bytes, kind: type[Told], expected: str) -> Told:
    try:
        return msgspec.json.decode(line, type=kind)
    except msgspec.ValidationError as error:
        what = str(error)[:_QUOTED].lower()
        raise _Wrong("program-junk", f"printed {_quoted(line)} ({what}), expected {expected}") from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):  # not JSON, not text, nesting beyond reason
        sentence = f"printed {_quoted(line)}, expected one line of JSON as {expected}"
        raise _Wrong("program-junk", sentence) from None


def _read_hello(line: bytes) -> str:
    """The name of a program."""
    greeting = _told(line, _Greeting, f'{{"type": "hello", "protocol": {PROTOCOL}, "name": "NAME"}}')
    if greeting.protocol != PROTOCOL:
        raise _Wrong("program-protocol", f"printed {_quoted(line)}, but the protocol spoken here is {PROTOCOL}")
    return "".join(letter if letter.isprintable() else "?" for letter in greeting.name.strip()[:40])


def _read_answer(line: bytes, number: int, legal: list[int]) -> int:
    """The decision of a program."""
    answer = _told(line, _Answer, f'{{"id": {number}, "decision": NUMBER}}')
    if answer.id != number:
        raise _Wrong("program-id", f"printed {_quoted(line)} when it was asked for id {number}")
    if answer.decision not in legal:
        raise _Wrong("program-illegal", f"printed {_quoted(line)}, which is none of the {len(legal)} legal decisions")
    return answer.decision


def _start(command: str) -> subprocess.Popen[bytes]:
    """Run a command, without a shell, as the head of its own process group."""
    try:
        words = shlex.split(command)
    except ValueError as error:
        sentence = f"the command {_quoted(command)} cannot be split into words: {str(error).lower()}"
        raise BotError("program-command", sentence) from None
    if not words:
        raise BotError("program-command", "expected a command after `program:`, as program:python3 bot.py")
    pipe = subprocess.PIPE
    try:
        return subprocess.Popen(words, stdin=pipe, stdout=pipe, stderr=pipe, bufsize=0, start_new_session=True)
    except (OSError, ValueError) as error:  # a ValueError is a letter that no command may have
        reason = error.strerror if isinstance(error, OSError) else error
        raise BotError("program-start", f"the program {_quoted(words[0])} cannot be started: {reason}") from None


def _end(process: subprocess.Popen[bytes], owner: int) -> None:
    """Kill a program and everything it started, unless this is a fork of the process it belongs to."""
    if os.getpid() != owner:
        return
    with suppress(ProcessLookupError, PermissionError):  # all of them are gone
        os.killpg(process.pid, signal.SIGKILL)
    for pipe in (process.stdin, process.stdout, process.stderr):
        if pipe:
            pipe.close()
    with suppress(subprocess.TimeoutExpired):
        process.wait(5)


def _pipe(found: IO[bytes] | None) -> int:
    assert found is not None
    os.set_blocking(found.fileno(), False)
    return found.fileno()


class _Talk:
    """The pipes of a program: never waited on without a limit, never read without bound."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self.process = process
        self.input, self.output, self.errors = _pipe(process.stdin), _pipe(process.stdout), _pipe(process.stderr)
        self.unread = b""
        self.tail = b""  # of standard error

    def ask(self, message: ProgramHello | Request, seconds: float) -> bytes:
        """Send a message and give the line that comes back."""
        unsent = msgspec.json.encode(message) + b"\n"
        deadline = time.monotonic() + seconds
        with selectors.DefaultSelector() as ready:
            ready.register(self.input, selectors.EVENT_WRITE)
            ready.register(self.output, selectors.EVENT_READ)
            ready.register(self.errors, selectors.EVENT_READ)
            while unsent or b"\n" not in self.unread:
                left = deadline - time.monotonic()
                if left < 0:
                    self._late(seconds)
                for key, _ in ready.select(left):
                    if key.fd == self.input:
                        unsent = unsent[self._write(unsent) :]
                    elif key.fd == self.output:
                        self._read()
                    elif not self._read_errors():
                        ready.unregister(self.errors)
                if not unsent and self.input in ready.get_map():
                    ready.unregister(self.input)
        line, _, self.unread = self.unread.partition(b"\n")
        return line.rstrip(b"\r")

    def _write(self, unsent: bytes) -> int:
        try:
            return os.write(self.input, unsent[:_CHUNK])
        except BlockingIOError:
            return 0
        except BrokenPipeError:
            return len(unsent)  # nobody reads it; why, the output will tell

    def _read(self) -> None:
        chunk = os.read(self.output, _CHUNK)
        if not chunk:
            self._dead()
        self.unread += chunk
        if len(self.unread) > MOST_UNREAD:
            sentence = f"flooded its output, more than {MOST_UNREAD} bytes beginning {_quoted(self.unread)}"
            raise _Wrong("program-flood", sentence)

    def _read_errors(self) -> bool:
        """Whether there was something, and may be more."""
        try:
            chunk = os.read(self.errors, _CHUNK)
        except BlockingIOError:
            return False
        self.tail = (self.tail + chunk)[-_TAIL:]
        return bool(chunk)

    def _late(self, seconds: float) -> NoReturn:
        printed = f", only {_quoted(self.unread)}" if self.unread else ""
        raise _Wrong("program-late", f"gave no answer within {seconds:g} s{printed}")

    def _dead(self) -> NoReturn:
        try:
            status = self.process.wait(EXIT_SECONDS)
        except subprocess.TimeoutExpired:
            how = "closed its output"
        else:
            how = f"was ended by signal {-status}" if status < 0 else f"ended with status {status}"
        for _ in range(_TAIL):
            if not self._read_errors():
                break
        printed = f", having printed {_quoted(self.unread)}" if self.unread else ""
        words = _last_words(self.tail)
        said = f"; its standard error says {words!r}" if words else ""
        raise _Wrong("program-dead", f"{how} instead of answering{printed}{said}")

    def goodbye(self) -> None:
        """Let the program end by itself, if it is quick about it."""
        message: Goodbye = {"type": "goodbye"}
        self._write(msgspec.json.encode(message) + b"\n")
        if self.process.stdin:
            self.process.stdin.close()
        with suppress(subprocess.TimeoutExpired):
            self.process.wait(GOODBYE_SECONDS)


class ProgramBot:
    """A program that plays one seat of one game. It ends with the game, and at the latest with this object."""

    def __init__(self, command: str) -> None:
        self.command = command
        self.name = ""  # what the program calls itself, once it has said so
        self.asked = 0
        process = _start(command)
        self._finalizer = weakref.finalize(self, _end, process, os.getpid())
        self._talk = _Talk(process)
        self._ended: BotError | None = None  # why there are no more answers

    def decide(self, look: Look) -> int:
        """The program's decision, or BotError with what it did instead; then it is ended."""
        if self._ended:
            raise BotError(self._ended.code, self._ended.sentence)
        try:
            if not self.name:
                self.name = _read_hello(self._talk.ask(_hello(look), HELLO_SECONDS))
            self.asked += 1
            seconds = look.seconds if math.isfinite(look.seconds) else MOST_SECONDS
            line = self._talk.ask(_request(look, self.asked, seconds), seconds + GRACE)
            return _read_answer(line, self.asked, look.legal)
        except _Wrong as wrong:
            code, what = wrong.args
            self._ended = BotError(code, f"the program {_quoted(self.command)} {what}")
            self._finalizer()
            raise self._ended from None

    def close(self) -> None:
        """End the program."""
        if self._finalizer.alive:
            self._talk.goodbye()
            self._finalizer()
            self._ended = BotError("program-closed", f"the program {_quoted(self.command)} was ended before")
