"""What the server refuses, beside what the rules refuse."""

from projectl.core.errors import ProjectLError


class Refusal(ProjectLError):
    """A request that cannot be carried out; `status` is for HTTP."""

    kind = "refused"

    def __init__(self, code: str, sentence: str, status: int = 409, *, field: str = "") -> None:
        super().__init__(code, sentence, field=field)
        self.status = status

    def __reduce__(self) -> tuple[object, ...]:
        return _refusal, (self.code, self.sentence, self.status, self.field)


def _refusal(code: str, sentence: str, status: int, field: str) -> Refusal:
    return Refusal(code, sentence, status, field=field)


class StoreError(ProjectLError):
    """The store cannot be opened or used."""

    kind = "store"
