"""How the documentation is built."""

import inspect
from functools import cached_property
from importlib import import_module, metadata

from docutils.nodes import SkipNode
from docutils.utils.math.latex2mathml import tex2mathml

import hardy

project = "Hardy"
author = "The Hardy developers"
copyright = author
release = version = metadata.version("hardy")

extensions = [
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "numpydoc",
    "myst_parser",
    "sphinx_gallery.gen_gallery",
]
default_role = "py:obj"
exclude_patterns = ["_build", "gallery"]
templates_path = ["_templates"]
myst_enable_extensions = ["dollarmath", "deflist"]
myst_heading_anchors = 3

html_theme = "pydata_sphinx_theme"
html_title = "Hardy"
html_static_path = ["_static"]
html_css_files = ["hardy.css"]
html_show_sourcelink = False
html_copy_source = False
html_sidebars = {"install": [], "index": []}
html_theme_options = {
    "logo": {"text": "Hardy"},
    "navbar_align": "left",
    "navbar_end": ["theme-switcher"],
    "header_links_before_dropdown": 6,
    "show_prev_next": False,
    "secondary_sidebar_items": ["page-toc"],
    "footer_start": ["copyright"],
    "footer_end": [],
}
html_math_renderer = "mathml"

sphinx_gallery_conf = {
    "examples_dirs": "gallery",
    "gallery_dirs": "auto_examples",
    "download_all_examples": False,
    "show_memory": False,
    "show_signature": False,
    "write_computation_times": False,
    "min_reported_time": 1e9,
    "remove_config_comments": True,
    "within_subsection_order": "FileNameSortKey",
}

autodoc_typehints = "none"
numpydoc_show_class_members = False
autosummary_generate = True


def _members(cls):
    """List the methods and properties that Hardy itself gives a class."""
    kinds = (property, cached_property, classmethod, staticmethod)
    owned = {}
    for ancestor in reversed(cls.__mro__):
        for name, member in vars(ancestor).items():
            is_ours = ancestor.__module__.startswith("hardy") and not name.startswith("_")
            owned[name] = is_ours and (inspect.isfunction(member) or isinstance(member, kinds))
    return sorted(name for name, is_ours in owned.items() if is_ours)


def _public_classes():
    modules = ["hardy", *(f"hardy.{name}" for name in sorted(hardy._SUBMODULES))]
    for module in map(import_module, modules):
        for name in getattr(module, "__all__", dir(module)):
            if inspect.isclass(found := getattr(module, name)):
                yield f"{module.__name__}.{name}", found


autosummary_context = {"own_members": {name: _members(cls) for name, cls in _public_classes()}}


def _write_math(translator, node):
    """Write equations as MathML, which browsers show without any script from elsewhere."""
    is_block = node.tagname == "math_block"
    if is_block:
        translator.body.append(translator.starttag(node, "div", CLASS="math"))
    for tex in node.astext().split("\n\n"):
        translator.body.append(tex2mathml(tex, as_block=is_block))
    if is_block:
        translator.body.append("</div>\n")
    raise SkipNode


def setup(app):
    app.add_html_math_renderer("mathml", (_write_math, None), (_write_math, None))
