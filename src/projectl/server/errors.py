"""What the server refuses, beside what the rules refuse."""

from projectl.core.errors import ProjectLError


class Refusal(ProjectLError):
    """A request that cannot be carried out; `status` is for HTTP."""

    kind = "refused"

    def __init__(self, code: str, sentence: str, status: int = 409, *, field: str = "", about: str = "") -> None:
        super().__init__(code, sentence, field=field, about=about)
        self.status = status

    def __reduce__(self) -> tuple[object, ...]:
        return _refusal, (self.code, self.sentence, self.status, self.field, self.about)


def _refusal(code: str, sentence: str, status: int, field: str, about: str) -> Refusal:
    return Refusal(code, sentence, status, field=field, about=about)


def told(error: ProjectLError) -> dict[str, str | int]:
    """What a client hears of an error: the parts that say something."""
    parts: dict[str, str | int] = {"field": error.field, "line": error.line, "about": error.about}
    return {"code": error.code, "sentence": error.sentence} | {key: part for key, part in parts.items() if part}


class Busy(Refusal):
    """Not now: `about` says in how many seconds to try again."""

    @property
    def seconds(self) -> float:
        """How long to wait."""
        return float(self.about)


class Overtaken(Refusal):
    """Somebody else was first with an event, at this process or another."""


class StoreError(ProjectLError):
    """The store cannot be opened or used."""

    kind = "store"


class BusError(ProjectLError):
    """The bus cannot be used."""

    kind = "bus"
