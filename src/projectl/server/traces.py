"""Traces: what a request or a message set off, and how long each part took, sent to an OpenTelemetry collector.

Nothing of it is loaded, and nothing is done, until `begin` is called. FastAPI traces its requests by itself once there
is somewhere to send them.
"""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import TYPE_CHECKING, Final

import projectl
from projectl.core.errors import ProjectLError

if TYPE_CHECKING:
    from opentelemetry.trace import Tracer

NAME: Final = "projectl"
PATIENCE: Final = 2.0  # seconds for a collector to take what is sent
_OFF: Final = nullcontext()
_tracer: "Tracer | None" = None


def begin(collector: str) -> Callable[[], None]:
    """From now on spans are sent to a collector (OTLP over HTTP); what sends the last of them and ends it."""
    global _tracer
    from opentelemetry import trace
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
    from opentelemetry.sdk.resources import Resource
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import BatchSpanProcessor

    what = Resource.create({"service.name": NAME, "service.version": projectl.__version__})
    provider = TracerProvider(resource=what, shutdown_on_exit=False)
    exporter = OTLPSpanExporter(endpoint=f"{collector}/v1/traces", timeout=PATIENCE)
    provider.add_span_processor(BatchSpanProcessor(exporter))
    trace.set_tracer_provider(provider)
    _tracer = provider.get_tracer(NAME, projectl.__version__)
    return provider.shutdown


def span(name: str, **about: str | int) -> AbstractContextManager[None]:
    """What happens inside is a part of its own."""
    return _OFF if _tracer is None else _recorded(_tracer, name, about)


@contextmanager
def _recorded(tracer: "Tracer", name: str, about: dict[str, str | int]) -> Iterator[None]:
    """Neither keys nor seeds nor what a message says: of an error its kind, of a refusal its code."""
    from opentelemetry.trace import StatusCode

    attributes = {f"{NAME}.{key}": value for key, value in about.items()}
    with tracer.start_as_current_span(
        name, attributes=attributes, record_exception=False, set_status_on_exception=False
    ) as current:
        try:
            yield
        except ProjectLError as error:
            current.set_attribute(f"{NAME}.refused", error.code)
            raise
        except Exception as error:
            current.set_status(StatusCode.ERROR, type(error).__name__)
            raise
