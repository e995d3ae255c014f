"""The description of the HTTP part, with the message types of the socket filled in."""

from typing import Any

import msgspec
from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from msgspec import Struct

from projectl.server.messages import Done, Hinted, State, Table, Tried


class Made(Struct):
    """A table that was just made."""

    game: str
    seats: list[int]
    invites: dict[str, str]
    table: Table


class Joined(Struct, omit_defaults=True):
    """A seat that was just taken."""

    game: str
    seat: int
    token: str = ""


class Invited(Struct):
    """A fresh invitation."""

    game: str
    seat: int
    invite: str


class Tables(Struct):
    """Several tables."""

    tables: list[Table]


class Refusal(Struct, omit_defaults=True):
    """Why something was not done."""

    code: str
    sentence: str
    field: str = ""


_TYPES = (Made, Joined, Invited, Tables, Refusal, State, Done, Tried, Hinted)
_REFUSALS = ("400", "403", "404", "405", "409", "411", "413", "422", "429", "500")


def described(app: FastAPI) -> dict[str, Any]:
    """The OpenAPI description, made once."""
    if app.openapi_schema is None:
        found = get_openapi(title=app.title, version=app.version, routes=app.routes)
        _, parts = msgspec.json.schema_components(_TYPES, ref_template="#/components/schemas/{name}")
        found.setdefault("components", {}).setdefault("schemas", {}).update(parts)
        reference = {"application/json": {"schema": {"$ref": "#/components/schemas/Refusal"}}}
        for path in found["paths"].values():
            for operation in path.values():
                for status in _REFUSALS:
                    operation["responses"][status] = {"description": "refused", "content": reference}
        app.openapi_schema = found
    return app.openapi_schema
