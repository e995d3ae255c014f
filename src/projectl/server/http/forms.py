"""What HTTP requests carry, as types: decoded once, here, or refused."""

from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints

from projectl.server.http.messages import NO_NUL, ONE_LINE
from projectl.server.visible import seen

MOST_RECORD = 128 * 1024  # signs; a long game has 20,000

Line = Annotated[str, StringConstraints(strip_whitespace=True, pattern=r"^[^\x00-\x1f\x7f]*$")]
Name = Annotated[Line, Field(max_length=30), AfterValidator(seen)]
Colour = Annotated[str, Field(max_length=20, pattern="^[a-z0-9-]*$")]
BotName = Annotated[str, Field(max_length=60, pattern="^[A-Za-z0-9_.:-]*$")]
MessageId = Annotated[str, Field(min_length=1, max_length=64, pattern=NO_NUL)]
Version = Annotated[int, Field(ge=0, le=2**31)]
Seat = Annotated[int, Field(ge=1, le=6)]
Action = Annotated[str, Field(min_length=1, max_length=200)]
Luck = Annotated[str, Field(max_length=60, pattern=r"^[^\x00-\x1f\x7f]*$")]  # into the shuffle


class Form(BaseModel):
    """Base of all requests: nothing unknown, nothing guessed."""

    model_config = ConfigDict(extra="forbid", strict=True)


class RulesForm(Form):
    """Which game."""

    players: Annotated[int, Field(ge=1, le=6)]
    edition: Annotated[str, Field(max_length=10)] = "2023"
    modules: Annotated[list[Annotated[str, Field(max_length=30)]], Field(max_length=10)] = []
    options: Annotated[
        dict[Annotated[str, Field(max_length=30)], Annotated[str, Field(max_length=30)]], Field(max_length=10)
    ] = {}
    cards: Annotated[list[Annotated[Line, Field(max_length=100)]], Field(max_length=200)] = []


class SeatForm(Form):
    """Who is to sit on a seat."""

    kind: Literal["me", "open", "bot"] = "open"
    name: Name = ""
    colour: Colour = ""
    bot: BotName = ""


class ClockForm(Form):
    """Time limits in seconds."""

    move: Annotated[float, Field(gt=0, le=90 * 86400)] | None = None
    game: Annotated[float, Field(gt=0, le=365 * 86400)] | None = None
    out: BotName = "resign"


class HouseForm(Form):
    """How a table is run."""

    seats: Annotated[list[SeatForm], Field(max_length=6)] = []
    public: bool = False
    chat: bool = False
    undo: bool = True
    hints: bool = False
    clock: ClockForm | None = None


class TableForm(HouseForm, RulesForm):
    """A table to be made."""

    seed: Annotated[Line, Field(max_length=100)] | None = None  # chosen: whoever chose it may know the cards
    mix: bool = False  # the cards are dealt when somebody put something into the shuffle, though every seat is taken


class ImportForm(HouseForm):
    """A table that goes on where a record ends."""

    record: Annotated[str, Field(max_length=MOST_RECORD)]


class RecordForm(Form):
    """A record to be looked at."""

    record: Annotated[str, Field(max_length=MOST_RECORD)]


class AnalyseForm(RecordForm):
    """A record to be analysed."""

    seconds: Annotated[float, Field(gt=0, le=2)] = 0.2


class JoinForm(Form):
    """Taking a seat."""

    invite: Annotated[str, Field(max_length=64)] | None = None
    seat: Seat | None = None
    name: Name = ""
    colour: Colour = ""
    luck: Luck = ""
    token: bool = False


class InviteForm(Form):
    """Asking for an invitation."""

    seat: Seat
    purpose: Literal["seat", "device"] | None = None  # by whose seat it is, if it is not said


class ArrangeForm(Form):
    """Changing a seat before the game begins: one's own name and colour, who is to sit there, or where it stands."""

    seat: Seat
    name: Name | None = None
    colour: Colour | None = None
    bot: BotName | None = None  # empty: the seat is open again
    to: Seat | None = None  # the seat that it changes places with


class PairForm(Form):
    """Playing anybody."""

    players: Annotated[int, Field(ge=2, le=4)] = 2
    clock: Literal["quick", "calm", "days"] = "quick"
    name: Name = ""
    colour: Colour = ""
    luck: Luck = ""  # where somebody waits: whoever waits has a promise to put it to first


class RematchForm(Form):
    """Playing again."""

    luck: Luck = ""  # likewise, where somebody has asked before


class SoloForm(Form):
    """Beginning the solo game of today."""

    name: Name = ""
    colour: Colour = ""


class QrForm(Form):
    """A link to be drawn as a QR code."""

    text: Annotated[str, Field(max_length=300, pattern="^https?://[!-~]+$")]


class ActionForm(Form):
    """Playing an action."""

    id: MessageId
    version: Version
    action: Action
    seat: Seat | None = None


class UndoForm(Form):
    """Taking back."""

    id: MessageId
    version: Version
    seat: Seat | None = None
    all: bool = False


class ResignForm(Form):
    """Giving up."""

    id: MessageId
    version: Version = 0
    seat: Seat | None = None


class MixForm(Form):
    """Putting something into the shuffle."""

    id: MessageId
    luck: Annotated[str, Field(min_length=1, max_length=60, pattern=ONE_LINE)]
    seat: Seat | None = None


class TryForm(Form):
    """An action to think about."""

    action: Action
    seat: Seat | None = None


class HintForm(Form):
    """Asking for advice."""

    seat: Seat | None = None


class TurnForm(Form):
    """A turn as far as it was tried on a puzzle."""

    actions: Annotated[list[Action], Field(max_length=30)] = []


class TurnTryForm(TurnForm):
    """The same, and an action to think about."""

    action: Action
