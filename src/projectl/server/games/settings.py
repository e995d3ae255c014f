"""How a table is run, beside its rules: stored with the game as JSON."""

from typing import Final

import msgspec
from msgspec import Struct

from projectl.server.http.messages import Clock


class TableSettings(Struct, frozen=True, omit_defaults=True):
    """What whoever made the table decided."""

    public: bool = False
    chat: bool = False
    undo: bool = True
    clock: Clock | None = None
    open_deck: bool = False  # the maker may know the hidden cards
    dealt: bool = True  # from the start; else when the last seat is taken, and players may put into the shuffle
    mix: bool = False  # they are dealt when somebody has, and not before
    hints: bool = False  # between people too; alone, everybody may ask
    day: str = ""  # of a daily solo game: the same deck for everybody, so nobody is helped


encode_settings: Final = msgspec.json.Encoder().encode
decode_settings: Final = msgspec.json.Decoder(TableSettings).decode
