"""The description of the HTTP part, with the types of its answers filled in."""

from typing import Any

import msgspec
from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi

from projectl.server.http.replies import REPLIES

_REFUSALS = ("400", "403", "404", "405", "409", "411", "413", "422", "429", "500")


def described(app: FastAPI) -> dict[str, Any]:
    """The OpenAPI description, made once."""
    if app.openapi_schema is None:
        found = get_openapi(title=app.title, version=app.version, routes=app.routes)
        _, parts = msgspec.json.schema_components(REPLIES, ref_template="#/components/schemas/{name}")
        found.setdefault("components", {}).setdefault("schemas", {}).update(parts)
        reference = {"application/json": {"schema": {"$ref": "#/components/schemas/RefusalReply"}}}
        for path in found["paths"].values():
            for operation in path.values():
                for status in _REFUSALS:
                    operation["responses"][status] = {"description": "refused", "content": reference}
        app.openapi_schema = found
    return app.openapi_schema
