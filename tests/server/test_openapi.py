"""The HTTP part does what its OpenAPI description says: Schemathesis asks for anything."""

import json
from typing import Any

import pytest
import requests
import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis.checks import negative_data_rejection, positive_data_acceptance
from schemathesis.config import SchemathesisConfig

from projectl.server.http.app import Server
from projectl.server.http.openapi import described
from projectl.server.settings import Settings
from tests.server.harness import LONG, SITE, Stage, examples

DESCRIPTION = described(Server(Settings("sqlite://")).http)
CONFIG = SchemathesisConfig.from_dict(
    {
        "phases": {"coverage": {"enabled": LONG}},
        "checks": {"negative_data_rejection": {"expected-statuses": [400, 403, 404, 405, 409, 411, 413, 422, 429]}},
    }
)
SCHEMA = schemathesis.openapi.from_dict(json.loads(json.dumps(DESCRIPTION)), config=CONFIG)
PATHS = [
    "/api/about", "/api/cards", "/api/messages.json", "/api/keys", "/api/check", "/api/tables", "/api/import",
    "/api/mine",
    "/api/tables/{game}", "/api/tables/{game}/join", "/api/tables/{game}/invite", "/api/tables/{game}/rematch",
    "/api/tables/{game}/invites", "/api/tables/{game}/invites/{invite}",
    "/api/tables/{game}/state", "/api/tables/{game}/events",
    "/api/tables/{game}/steps",
    "/api/tables/{game}/known", "/api/tables/{game}/stream", "/api/tables/{game}/actions",
    "/api/tables/{game}/undo", "/api/tables/{game}/mix",
    "/api/tables/{game}/resign", "/api/tables/{game}/try", "/api/tables/{game}/hint", "/api/tables/{game}/record",
    "/api/replay", "/api/analyse", "/api/daily", "/api/daily/{day}", "/api/daily/{day}/try",
    "/api/daily/{day}/answer", "/api/lessons/{lesson}", "/api/lessons/{lesson}/try", "/api/solo", "/api/pair",
    "/api/qr", "/api/tables/{game}/arrange", "/api/tables/{game}/cancel", "/health", "/health/live", "/metrics",
]  # fmt: skip


async def ask(stage: Stage, case: Any, key: str | None) -> Any:
    """Send a case to the server and check the answer against the description."""
    prepared = requests.Request(**case.as_transport_kwargs(base_url=SITE)).prepare()
    visitor = stage.house.visitor(key)
    body = prepared.body.encode() if isinstance(prepared.body, str) else prepared.body
    assert body is None or isinstance(body, bytes)
    headers = {name: str(value) for name, value in prepared.headers.items() if name.lower() != "cookie"}
    try:
        return await visitor.http.request(prepared.method or "GET", prepared.url or "", headers=headers, content=body)
    finally:
        await visitor.http.aclose()


async def a_table(stage: Stage) -> tuple[str, str | None]:
    """A game of one person with an open deck, in which there is something to do."""
    visitor = stage.house.visitor()
    made = await visitor.make(players=1, seats=[{"kind": "me"}])
    return made["game"], visitor.key


# What has the right form may still be against the rules.
FORM_IS_NOT_ENOUGH = [positive_data_acceptance]


@SCHEMA.parametrize()
@settings(max_examples=examples(8, 300), deadline=None, suppress_health_check=list(HealthCheck))
def test_every_address_answers_as_described(case: Any, stage: Stage) -> None:
    """At tables that are not there, and at one that is; a stream of one that is would not end."""
    case.validate_response(stage.run(ask(stage, case, None)), excluded_checks=FORM_IS_NOT_ENOUGH)
    if "{game}" in case.path and not case.path.endswith("/stream"):
        game, key = stage.run(a_table(stage))
        case.path_parameters["game"] = game
        # What was wrong may have been the table; and what a query has too much is passed over.
        mended = [negative_data_rejection] if case.method == "GET" else []
        case.validate_response(stage.run(ask(stage, case, key)), excluded_checks=[*FORM_IS_NOT_ENOUGH, *mended])


def test_every_address_is_described() -> None:
    assert sorted(DESCRIPTION["paths"]) == sorted(PATHS)


@pytest.mark.parametrize("path", PATHS)
def test_every_refusal_is_described(path: str) -> None:
    for operation in DESCRIPTION["paths"][path].values():
        refusals = {status: answer for status, answer in operation["responses"].items() if status[0] in "45"}
        assert {"400", "404", "409", "422", "429"} <= set(refusals)
        for answer in refusals.values():
            assert answer["content"]["application/json"]["schema"] == {"$ref": "#/components/schemas/RefusalReply"}
