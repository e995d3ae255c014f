"""What can be wrong with what somebody asked for: it cannot be read, or it cannot be done now.

Every error has a stable code for programs and a sentence for people.
"""


class ProjectLError(Exception):
    """Base of all errors that a caller's input can cause."""

    kind = "error"

    def __init__(
        self, code: str, sentence: str, *, line: int = 0, field: str = "", file: str = "", about: str = ""
    ) -> None:
        super().__init__(sentence)
        self.code = code
        self.sentence = sentence
        self.line = line  # of the file the text came from, from 1; 0 when there is none
        self.field = field  # the header key or option at fault, where there is one
        self.file = file  # set where the text is not the record itself: a card pack
        self.about = about  # the word or number that the sentence names, for those who say it in other words

    def __str__(self) -> str:
        return f"{self.kind}: {self.sentence}"

    def __reduce__(self) -> tuple[object, ...]:
        return _rebuild, (type(self), self.code, self.sentence, self.line, self.field, self.file, self.about)


def _rebuild(
    kind: type[ProjectLError], code: str, sentence: str, line: int, field: str, file: str, about: str
) -> ProjectLError:
    return kind(code, sentence, line=line, field=field, file=file, about=about)


class Unreadable(ProjectLError):
    """The text means nothing in any game."""

    kind = "unreadable"


class Illegal(ProjectLError):
    """The text can be read, but the rules do not allow it now."""

    kind = "illegal"
