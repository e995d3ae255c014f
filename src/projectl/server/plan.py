"""How a table is run, beside its rules: stored with the game as JSON."""

from typing import Final

import msgspec
from msgspec import Struct

from projectl.server.messages import Clock


class Plan(Struct, frozen=True, omit_defaults=True):
    """What whoever made the table decided."""

    public: bool = False
    chat: bool = False
    undo: bool = True
    clock: Clock | None = None
    open_deck: bool = False  # the maker may know the hidden cards


encode_plan: Final = msgspec.json.Encoder().encode
decode_plan: Final = msgspec.json.Decoder(Plan).decode
