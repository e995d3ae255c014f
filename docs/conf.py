"""How the documentation becomes a site: `make docs`, or the build of a wheel, which takes it along.

The pages are plain Markdown, to be read on a git host as they are. What only the site has is added here: the order of
the pages, and the reference, which is made from the docstrings.
"""

import re
import sys
from inspect import isclass, isfunction, ismodule
from pathlib import Path

from pygments.lexers.special import TextLexer
from sphinx.application import Sphinx
from sphinx.ext.autodoc.mock import _MockObject

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "src"))
import projectl
import projectl.arena
import projectl.bots

project = "Project L"
version = release = projectl.__version__
html_title = f"Project L {version}"
html_short_title = "Project L"

extensions = ["myst_parser", "sphinx.ext.autodoc"]
exclude_patterns = ["deploy", "examples"]
templates_path = ["_templates"]
myst_heading_anchors = 4  # as a git host makes them
myst_links_external_new_tab = True

html_theme = "furo"
html_static_path = ["_static"]
html_css_files = ["projectl.css"]
html_favicon = "../web/public/icon.svg"
html_copy_source = False
html_use_index = False  # the reference is one page, and the search finds every name
html_domain_indices = False
html_show_sphinx = False
suppress_warnings = ["misc.highlighting_failure"]  # JSON that is cut short with …

autodoc_member_order = "bysource"
autodoc_typehints_format = "short"
autodoc_class_signature = "mixed"
python_maximum_signature_line_length = 90
add_module_names = False
default_role = "code"
# For the environments' docstrings alone: who builds the site need not have their libraries.
autodoc_mock_imports = ["gymnasium", "numpy", "pettingzoo", "typing_extensions"]
for union in ("__or__", "__ror__"):  # what stands in for their types has no `|`
    setattr(_MockObject, union, lambda self, other: self)

# The fenced blocks that the tests replay; none has a language.
BLOCKS = ("record", "then", "position", "puzzle", "legal", "illegal", "unreadable", "refused", "canonical", "shuffle")
TREE = {
    "Play": ["play", "rules", "cards", "terminal"],
    "Write a bot": ["first-bot", "api", "bots", "arena", "strength"],
    "Train an agent": ["training", "observations"],
    "Run a server": ["server", "protocol"],
    "Look it up": ["commands", "reference", "notation"],
    "How it is made": ["design", "page", "speed"],
}
CONSTANTS = {
    "EVERYTHING": "projectl.core.view",
    "Factory": "projectl.bots.registry",
    "ORDERED": "projectl.public",
    "SPECTATOR": "projectl.core.view",
}  # where the public ones stand with their words

ENVIRONMENTS = """
## `projectl.envs`

```{eval-rst}
.. automodule:: projectl.envs

.. autofunction:: projectl.envs.projectl_v0.env
.. autofunction:: projectl.envs.projectl_v0.raw_env
.. autofunction:: projectl.envs.projectl_v0.parallel_env
.. autoclass:: projectl.envs.table.TableEnv
   :members:
.. autoclass:: projectl.envs.solo.SoloEnv
   :members:
.. autoclass:: projectl.envs.solo.SoloVectorEnv
   :members:
.. autofunction:: projectl.envs.bridges.bot_of
.. autofunction:: projectl.envs.bridges.serve_policy
.. autoclass:: projectl.envs.bridges.Opponent
   :members:
```
"""


def lines(pages: list[str]) -> str:
    """One below the other."""
    return "\n".join(pages)


def tree() -> str:
    """The pages in their order, for the first page; one that has no place yet comes last."""
    placed = {page for pages in TREE.values() for page in pages}
    others = sorted(path.stem for path in Path(__file__).parent.glob("*.md") if path.stem not in placed | {"index"})
    groups = TREE | ({"More": others} if others else {})
    parts = (f"```{{toctree}}\n:hidden:\n:caption: {title}\n\n{lines(pages)}\n```\n" for title, pages in groups.items())
    return "\n" + "\n".join(parts)


def described(package: str, name: str, thing: object) -> str:
    """The directive that takes one public name's docstring over."""
    if ismodule(thing):
        return f".. automodule:: {thing.__name__}\n   :members:\n"
    if isclass(thing):
        return f".. autoclass:: {package}.{name}\n   :members:\n"
    if isfunction(thing):
        return f".. autofunction:: {package}.{name}\n"
    return f".. autodata:: {CONSTANTS[name]}.{name}\n   :no-value:\n"


def reference() -> str:
    """All that can be imported, package by package."""
    parts = []
    seen: list[object] = []
    for package in (projectl, projectl.bots, projectl.arena):
        names = [name for name in package.__all__ if not any(getattr(package, name) is other for other in seen)]
        seen += [getattr(package, name) for name in names]
        parts.append(f"\n## `{package.__name__}`\n\n```{{eval-rst}}\n")
        parts += (described(package.__name__, name, getattr(package, name)) + "\n" for name in names)
        parts.append("```\n")
    return "".join(parts) + ENVIRONMENTS


def prepare(app: Sphinx, page: str, content: list[str]) -> None:
    """What only the site has; pages that are not part of it come along as files."""
    content[0] = re.sub(r"\]\((\.\./[^)#]+\.md)(?:#[^)]*)?\)", r"](path:\1)", content[0])
    if page == "index":
        content[0] += tree()
    elif page == "reference":
        content[0] += reference()


def skip(app: Sphinx, what: str, name: str, thing: object, skipped: bool, options: object) -> bool:
    """The fields of tuples say nothing by themselves."""
    return skipped or (thing.__doc__ or "").startswith("Alias for field number")


def level(app: Sphinx, page: str, template: str, context: dict[str, object], doctree: object) -> None:
    """The captions beside a page are headings, and a screen reader wants to know of which level."""
    tree = str(context.get("furo_navigation_tree", ""))
    context["furo_navigation_tree"] = tree.replace('role="heading"', 'role="heading" aria-level="2"')


def tidy(app: Sphinx, failed: Exception | None) -> None:
    """Nobody who reads needs these."""
    for pattern in (".buildinfo", "objects.inv", "_static/**/*.map", "_static/skeleton.css", "_static/debug.css"):
        for path in Path(app.outdir).glob(pattern):
            path.unlink()


def setup(app: Sphinx) -> None:
    """Called by Sphinx."""
    app.connect("source-read", prepare)
    app.connect("autodoc-skip-member", skip)
    app.connect("html-page-context", level, priority=900)  # after the theme
    app.connect("build-finished", tidy)
    for kind in BLOCKS:
        app.add_lexer(kind, TextLexer)
