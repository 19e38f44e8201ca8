"""What the pages of a review are made of: templates, style and script."""

from functools import cache
from importlib import resources

from jinja2 import Environment, PackageLoader, StrictUndefined

from hardy._quoting import shown
from hardy.audit.report import marked, percent


@cache
def templates() -> Environment:
    """Give the templates of the pages, in which values are escaped."""
    environment = Environment(
        loader=PackageLoader("hardy.review", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(shown=shown, percent=percent, marked=marked)
    return environment


@cache
def assets() -> dict[str, tuple[bytes, str]]:
    """Give the style and script of the page; it looks as the report does."""
    places = {
        "report.css": ("hardy.audit", "templates", "text/css"),
        "review.css": ("hardy.review", "static", "text/css"),
        "review.js": ("hardy.review", "static", "text/javascript"),
    }
    return {
        name: (resources.files(package).joinpath(folder, name).read_bytes(), kind)
        for name, (package, folder, kind) in places.items()
    }
