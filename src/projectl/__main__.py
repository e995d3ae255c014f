"""`projectl`, and `python -m projectl`."""

import _thread
import os
import sys
import time
import warnings
from typing import Final

_INTERRUPTED: Final = 130  # the status; this module loads nothing that it could have it from
_SOON: Final = 0.01  # seconds
_COMPLETION: Final = "_PROJECTL_COMPLETE"  # is in the environment where a shell asks how a line can go on


def main() -> None:
    """Run the command. Loading it takes a moment, in which Ctrl-C ends it as quietly as later."""
    sys.unraisablehook = _dropped
    warnings.formatwarning = lambda message, *rest, **more: f"{message}\n"
    warnings.simplefilter("ignore" if _COMPLETION in os.environ else "once", UserWarning)
    try:
        from projectl.cli import main as command

        command()
    except KeyboardInterrupt:
        sys.exit(_INTERRUPTED)
    except Exception as error:
        if _by_ctrl_c(error):
            sys.exit(_INTERRUPTED)
        raise


def _by_ctrl_c(error: BaseException | None) -> bool:
    """Whether an error is what somebody else made of Ctrl-C: Python 3.11 does while it makes a class."""
    while error is not None and not isinstance(error, KeyboardInterrupt):
        error = error.__cause__ or error.__context__
    return error is not None


def _dropped(dropped: "sys.UnraisableHookArgs") -> None:
    """What is raised while Python itself tidies up is dropped, as after each import. Ctrl-C comes again then."""
    if not issubclass(dropped.exc_type, KeyboardInterrupt):
        sys.__unraisablehook__(dropped)
    elif not sys.is_finalizing():
        _thread.start_new_thread(_press_again, ())


def _press_again() -> None:
    time.sleep(_SOON)
    _thread.interrupt_main()


if __name__ == "__main__":
    main()
