"""Loaded by the process from which `WarmServer` forks its servers: all that a server loads, also what it loads late.

A look for garbage takes a server a fifth of a second at its start, most of it among what was loaded; here that is set
aside once for all of them.
"""

import gc
from importlib import import_module

for name in (
    "alembic.command",
    "anyio._backends._asyncio",
    "httptools",
    "projectl.cli",
    "projectl.server.http.app",
    "projectl.server.http.patience",
    "uvicorn.lifespan.on",
    "uvicorn.loops.uvloop",
    "uvicorn.protocols.http.httptools_impl",
    "uvicorn.protocols.websockets.websockets_sansio_impl",
    "websockets.server",
):
    import_module(name)
gc.collect()
gc.freeze()
