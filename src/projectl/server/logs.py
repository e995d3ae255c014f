"""One JSON object a line, of whatever is said; never a key, a token, a seed or a message's content."""

import json
import logging
import logging.config
import time
from typing import Any, Final

_PLAIN: Final = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "color_message", "taskName"}


class JsonLines(logging.Formatter):
    """A record as JSON."""

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, Any] = {
            "time": time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created)) + f".{int(record.msecs):03d}Z",
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        line |= {key: value for key, value in vars(record).items() if key not in _PLAIN}
        if record.exc_info:
            line["error"] = self.formatException(record.exc_info)
        return json.dumps(line, default=str)


def begin(level: str) -> None:
    """From now on all that is said is such a line, Python's own warnings too."""
    logging.config.dictConfig(config(level))
    logging.captureWarnings(True)


def config(level: str) -> dict[str, Any]:
    """For `logging.config.dictConfig`: everything to standard error."""
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"json": {"()": "projectl.server.logs.JsonLines"}},
        "handlers": {"lines": {"class": "logging.StreamHandler", "formatter": "json"}},
        "root": {"handlers": ["lines"], "level": level.upper()},
        "loggers": {
            "uvicorn": {"level": "WARNING"},
            "uvicorn.access": {"level": "WARNING"},
            "alembic": {"level": "WARNING"},
        },
    }
