"""What was published, and how far recomputed figures agree with it."""

from collections.abc import Iterable, Sequence
from importlib.resources import files

import numpy as np
import pandas as pd

# Beyond this many standard errors a figure doesn't agree with the published one.
_LIMIT = 2.0


def read_published(name: str) -> pd.DataFrame:
    """Read a published table.

    Parameters
    ----------
    name : str
        The name of the file in ``hardy/studies/published``, without its ending.

    Returns
    -------
    DataFrame
        The table.

    Examples
    --------
    >>> read_published("o_zhang_blp_table3").head(2)
      method category  f1_percent
    0    mlp     earn       97.80
    1    mlp    crude       59.41
    """
    with files("hardy.studies").joinpath("published", f"{name}.csv").open() as file:
        return pd.read_csv(file)


def beside_published(
    results: pd.DataFrame,
    published: pd.DataFrame,
    *,
    by: Sequence[str],
    unit: str,
    measure: str,
) -> pd.DataFrame:
    """Put means and standard deviations beside what was published.

    Parameters
    ----------
    results : DataFrame
        The columns `by`, `unit` and `measure`.
    published : DataFrame
        The columns `by`, ``published``, and ``published_sd`` where one was printed.
    by : sequence of str
        The columns that name a figure.
    unit : str
        The column of draws or repetitions: the standard deviation is that over their means.
    measure : str
        The column of the figure.

    Returns
    -------
    DataFrame
        For each figure that was published or computed: ``published``, ``published_sd``, ``ours``,
        ``ours_sd`` (missing for a single one), ``n`` of draws or repetitions, ``standard_errors``
        (ours less published, in units of √(s_p² + s_o²), where s_o stands in for an s_p that was
        not printed; missing where nothing varies), and ``within`` (yes or no: whether that is at
        most 2; empty where it is missing).
    """
    means = results.groupby([*by, unit], sort=False)[measure].mean()
    grouped = means.groupby(list(by), sort=False)
    ours = pd.DataFrame({"ours": grouped.mean(), "ours_sd": grouped.std(), "n": grouped.count()})
    table = published.merge(ours.reset_index(), on=list(by), how="outer", sort=False)
    if "published_sd" not in table:
        table["published_sd"] = np.nan
    known = table["published_sd"].fillna(table["ours_sd"])
    error = (known**2 + table["ours_sd"] ** 2) ** 0.5
    # What doesn't vary, such as the size of a training fold, has no such unit.
    table["standard_errors"] = (table["ours"] - table["published"]) / error.where(error > 0)
    verdict = np.where(table["standard_errors"].abs() <= _LIMIT, "yes", "no")
    table["within"] = np.where(table["standard_errors"].isna(), "", verdict)
    order = _Order(published, results, by)
    table = table.sort_values(list(by), key=order.of, kind="stable", ignore_index=True)
    columns = ["published", "published_sd", "ours", "ours_sd", "n", "standard_errors", "within"]
    return table[[*by, *columns]]


class _Order:
    """The order in which values came first, in what was published and then in the results."""

    def __init__(self, published: pd.DataFrame, results: pd.DataFrame, by: Iterable[str]) -> None:
        self._places = {
            name: {
                value: place
                for place, value in enumerate(
                    pd.unique(pd.concat([published[name], results[name]], ignore_index=True))
                )
            }
            for name in by
        }

    def of(self, values: pd.Series) -> pd.Series:
        return values.map(self._places[str(values.name)])
