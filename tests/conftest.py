"""Settings for all tests: the same examples every time where CI asks, new ones every time elsewhere."""

import os

from hypothesis import settings

settings.register_profile("ci", derandomize=True)
if os.environ.get("CI"):
    settings.load_profile("ci")
