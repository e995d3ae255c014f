"""When Python looks for garbage: a look at everything takes long with thousands of sockets, so it is taken rarely."""

import asyncio
import gc
from typing import Final

SECONDS: Final = 600.0  # between looks at everything
_YOUNG: Final = 20_000  # objects, then the youngest are looked at
_NEVER: Final = 1_000_000_000


async def collect_rarely() -> None:
    """Run for as long as the server does."""
    before = gc.get_threshold()
    gc.collect()
    gc.freeze()  # what is there now stays
    gc.set_threshold(_YOUNG, 10, _NEVER)
    try:
        while True:
            await asyncio.sleep(SECONDS)
            gc.collect()
    finally:
        gc.set_threshold(*before)
        gc.unfreeze()
