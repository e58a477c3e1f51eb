"""The documentation of the Python package: ``python -m sphinx -b html python/docs site``."""

import sys
from pathlib import Path

here = Path(__file__).parent
# The package beside this folder, if it was built in place; else the one that is installed.
if list((here.parent / "npt").glob("_npt*")):
    sys.path.insert(0, str(here.parent))

project = "npt"
extensions = [
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx.ext.mathjax",
    "numpydoc",
    "myst_parser",
    "sphinx_gallery.gen_gallery",
]
exclude_patterns = ["_templates", "gallery/*.ipynb", "gallery/*.py"]
html_theme = "alabaster"
html_theme_options = {"page_width": "1100px", "description": "Kernel methods for users of scikit-learn"}
html_sidebars = {"**": ["about.html", "navigation.html", "searchbox.html"]}

templates_path = ["_templates"]
autosummary_generate = True
# npt.Kernel and npt.kernel would be one file where names are alike in both cases.
autosummary_filename_map = {"npt.kernel": "npt.kernel_of_a_text"}
# The template of classes lists what they add; what scikit-learn's base classes bring is described there.
numpydoc_show_class_members = False

# Links of pages to files of the repository outside of this folder.
suppress_warnings = ["myst.xref_missing", "config.cache"]

sphinx_gallery_conf = {
    "examples_dirs": "../gallery",
    "gallery_dirs": "gallery",
    "filename_pattern": r"\.py$",
    "within_subsection_order": "FileNameSortKey",
    "doc_module": ("npt",),
    "backreferences_dir": "generated/backreferences",
    "remove_config_comments": True,
    "show_memory": False,
    "abort_on_example_error": True,
}
