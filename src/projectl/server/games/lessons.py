"""Short lessons, as the page plays them: nothing is stored, what was tried travels with every request."""

from collections.abc import Sequence

from projectl.core.view import view
from projectl.lessons.lesson import Lesson, begun, ended, follow, lessons
from projectl.server.catalogue import setup_of
from projectl.server.errors import Refusal
from projectl.server.games.daily import steps_told
from projectl.server.games.preview import Preview, tried
from projectl.server.http.replies import LessonStep


def read_lesson(name: str) -> Lesson:
    """A lesson by its name."""
    found = lessons().get(name)
    if found is None:
        raise Refusal("no-lesson", f"there is no lesson {name[:30]!r}", 404, about=name[:30])
    return found


def shown(lesson: Lesson, actions: Sequence[str]) -> LessonStep:
    """A lesson after some actions, as its seat sees it."""
    start, game = begun(lesson.id), follow(lesson, actions)
    seat, state = lesson.seat - 1, game.state
    done = ended(lesson, state)
    return LessonStep(
        id=lesson.id,
        play=lesson.play,
        setup=setup_of(game.header.rules),
        seat=lesson.seat,
        start=view(start.state, seat),
        view=view(state, seat),
        legal=[] if done else game.legal_texts(seat),
        steps=steps_told(game.moves[len(start.moves) :]),
        done=done,
    )


def tried_on(lesson: Lesson, actions: Sequence[str], action: str) -> Preview:
    """Whether the lesson could go on with an action."""
    return tried(follow(lesson, actions).state, lesson.seat - 1, action)
