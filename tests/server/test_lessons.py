"""Short lessons over HTTP."""

from __future__ import annotations

from projectl.lessons.lesson import lessons
from tests.server.harness import House


async def test_a_lesson_is_played(house: House) -> None:
    ana = house.visitor()
    for name, lesson in lessons().items():
        first = await ana.post(f"/api/lessons/{name}")
        assert (first["id"], first["seat"], first["steps"]) == (name, lesson.seat, [])
        assert lesson.seat in first["view"]["to_act"]
        assert first["legal"]
        tried = await ana.post(f"/api/lessons/{name}/try", {"action": lesson.play[0]})
        assert tried["legal"]
        after = await ana.post(f"/api/lessons/{name}", {"actions": lesson.play})
        assert [step["text"] for step in after["steps"]] == lesson.play
        assert after["start"] == first["view"]


async def test_what_is_no_lesson(house: House) -> None:
    ana = house.visitor()
    assert await ana.refused("/api/lessons/juggling") == (404, "no-lesson")
    assert (await ana.refused("/api/lessons/deck", {"actions": ["take W9"]}))[0] in (409, 422)
    assert (await ana.refused("/api/lessons/deck", {"actions": ["take W"] * 31}))[0] == 400
