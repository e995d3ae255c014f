"""How a command can end, but for 0."""

import errno
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

UNWRITTEN: Final = 1  # nobody reads what it prints, or it has no room
REFUSED: Final = 2  # what was asked for cannot be done
INTERRUPTED: Final = 130  # by Ctrl-C
_NO_ROOM: Final = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)


@contextmanager
def written() -> Iterator[None]:
    """See that what is printed inside arrives; a file or an output that cannot be written is a sentence."""
    try:
        try:
            yield
        finally:
            if sys.stdout is not None:
                sys.stdout.flush()
    except BrokenPipeError:  # whoever reads has seen enough
        _print_no_more()
        sys.exit(UNWRITTEN)
    except OSError as error:
        if error.filename is None and error.errno not in _NO_ROOM:
            raise
        _print_no_more()
        print(f"file: {_trouble(error)}", file=sys.stderr)
        sys.exit(UNWRITTEN)


def _trouble(error: OSError) -> str:
    if error.filename is not None:
        return f"{os.fsdecode(error.filename)} cannot be used: {error.strerror}"
    return f"the output cannot be written ({error.strerror}): make room there, or send it elsewhere"


def _print_no_more() -> None:
    """What is still to be printed goes nowhere: Python would complain about it when it ends."""
    if sys.stdout is not None:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
