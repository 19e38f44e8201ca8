"""A classifier trained on a table in a file, in memory or within a limit of it."""

from hardy.fitting.files import FittedFile, fit_file

__all__ = ["FittedFile", "fit_file"]
