"""What hardy.distributed costs on one and on two workers, and what that makes of 10⁹ rows.

Each work runs on a cluster of its own in processes of this machine, one thread each, after a small
one that compiles and imports everything. The rows are made by the workers: two classes, 10 % of the
labels wrong. A pass is what goes once over all rows: an epoch of the parallel perceptron, a round
of boosted stumps, a member of a bag, the whole of kDN or of an audit. Bytes are those that this
process, with client and scheduler, writes to its sockets, and those that the workers send; memory
is the largest peak of a worker. Then the same passes over hardly any rows tell what a trip and a
task cost without any work, and the neighbours in a sample are compared with those among all rows.

    python benchmarks/dask_cluster.py            measure all, write the results and what follows
    python benchmarks/dask_cluster.py --quick    30,000 rows, printed only
    python benchmarks/dask_cluster.py --follow   write what follows from the stored results again

On a machine with fewer processors than workers, or busy with other work, times mean little: the
load is in the results.
"""

import argparse
import os
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import dask
import dask.array as da
import numpy as np
import pandas as pd
from dask.distributed import Client, LocalCluster
from distributed.comm import tcp
from sklearn.metrics import average_precision_score
from sklearn.neighbors import NearestNeighbors

from hardy.distributed import (
    AdaBoostClassifier,
    HardnessBaggingClassifier,
    ParallelPerceptronClassifier,
    audit_labels,
    k_disagreeing_neighbors,
)

FOLDER = Path(__file__).parent / "results"
RESULTS, NEIGHBORS = FOLDER / "distributed.csv", FOLDER / "distributed_neighbors.csv"
FOLLOWS = FOLDER / "distributed_scale.md"
N_COLUMNS, N_BLOCKS = 50, 8
EPOCHS, ROUNDS, MEMBERS = 20, 10, 8


class Work(NamedTuple):
    """One fit: its name, how many passes it makes, and on which share of the rows, at least 12,000.

    More than 10,000 rows are audited by other members than fewer.
    """

    name: str
    n_passes: int
    run: Callable[[Any, Any], Any]
    share: float = 1.0

    def n_rows(self, n_rows: int) -> int:
        """Give the number of rows, where a whole measurement has so many."""
        return n_rows if self.share == 1 else max(int(n_rows * self.share), 12_000)


def train_perceptrons(X: Any, y: Any) -> Any:
    return ParallelPerceptronClassifier(max_iter=EPOCHS, random_state=0).fit(X, y)


def boost_stumps(X: Any, y: Any) -> Any:
    return AdaBoostClassifier(n_estimators=ROUNDS).fit(X, y)


def bag_perceptrons(X: Any, y: Any) -> Any:
    return HardnessBaggingClassifier(
        n_estimators=MEMBERS, hardness=None, max_samples=0.1, random_state=0
    ).fit(X, y)


def find_neighbors(X: Any, y: Any) -> Any:
    hardness = k_disagreeing_neighbors(X, y, max_index_rows=10_000, random_state=0)
    return hardness.sum().compute()


def audit(X: Any, y: Any) -> Any:
    found = audit_labels(X, y, n_rounds=2, max_sample_rows=20_000, random_state=0)
    return found.rows["is_suspect"].sum().compute()


WORKS = (
    Work("parallel perceptron, epoch", EPOCHS, train_perceptrons),
    Work("boosted stumps, round", ROUNDS, boost_stumps),
    Work("bagged perceptrons, member on a tenth", MEMBERS, bag_perceptrons),
    Work("kDN against 10,000 rows", 1, find_neighbors, share=0.1),
    Work("audit, 2 rounds", 1, audit, share=0.1),
)


def make_rows(n_rows: int, n_blocks: int) -> tuple[Any, Any]:
    """Let the workers make the rows, and keep them."""
    length = -(-n_rows // n_blocks)
    rng = da.random.default_rng(0)
    X = rng.standard_normal((n_rows, N_COLUMNS), chunks=(length, -1), dtype=np.float32)
    score = X[:, :10].sum(axis=1)
    flipped = rng.random(n_rows, chunks=length) < 0.1
    return dask.persist(X, (score > 0) ^ flipped)


@contextmanager
def cluster(n_workers: int) -> Iterator[Client]:
    with (
        LocalCluster(n_workers=n_workers, threads_per_worker=1, dashboard_address=None) as made,
        Client(made) as client,
    ):
        yield client


@contextmanager
def counting() -> Iterator[list[int]]:
    """Count the bytes that this process writes to the workers and to itself."""
    to_frames, sizes = tcp.to_frames, []

    async def count(*arguments: Any, **options: Any) -> Any:
        frames = await to_frames(*arguments, **options)
        sizes.append(sum(memoryview(frame).nbytes for frame in frames))
        return frames

    tcp.to_frames = count
    try:
        yield sizes
    finally:
        tcp.to_frames = to_frames


def bytes_sent(dask_worker: Any) -> int:
    return int(dask_worker.transfer_outgoing_bytes_total)


def peak_megabytes() -> float:
    """Give the most memory that a process ever had; getrusage tells that of its parent too."""
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return int(status.partition("VmHWM:")[2].split()[0]) / 1024


def measure(work: Work, n_workers: int, n_rows: int, n_blocks: int = N_BLOCKS) -> dict[str, Any]:
    n_rows = work.n_rows(n_rows)
    with cluster(n_workers) as client:
        work.run(*make_rows(2_000, max(2, n_workers)))
        base = max(client.run(peak_megabytes).values())
        X, y = make_rows(n_rows, n_blocks)
        dask.compute(X.sum(), y.sum())
        before = sum(client.run(bytes_sent).values())
        with counting() as sizes:
            started = time.perf_counter()
            work.run(X, y)
            seconds = time.perf_counter() - started
        fetched = sum(client.run(bytes_sent).values()) - before
        peak = max(client.run(peak_megabytes).values())
    return {
        "work": work.name,
        "workers": n_workers,
        "rows": n_rows,
        "columns": N_COLUMNS,
        "blocks": n_blocks,
        "passes": work.n_passes,
        "seconds per pass": round(seconds / work.n_passes, 4),
        "kB to workers per pass": round(sum(sizes) / work.n_passes / 1e3, 1),
        "kB from workers per pass": round(fetched / work.n_passes / 1e3, 1),
        "peak MB of a worker": round(peak),
        "of which before": round(base),
        "load": round(os.getloadavg()[0], 1),
    }


def measure_neighbors(n_rows: int, n_columns: int = 10, n_neighbors: int = 5) -> pd.DataFrame:
    """Compare kDN against samples of the rows with that against all of them."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, n_rows)
    X = rng.normal(size=(n_rows, n_columns)) + 0.8 * y[:, None]
    flipped = rng.random(n_rows) < 0.1
    given = np.where(flipped, 1 - y, y)
    blocks = da.from_array(X, chunks=(n_rows // 4, -1)), da.from_array(given, chunks=n_rows // 4)
    near = NearestNeighbors(n_neighbors=n_neighbors).fit(X).kneighbors(return_distance=False)
    rows = []
    for share in (1.0, 0.5, 0.2, 0.1, 0.05):
        size = int(share * n_rows)
        with dask.config.set(scheduler="synchronous"):
            measured = k_disagreeing_neighbors(
                *blocks, n_neighbors, max_index_rows=size, random_state=0
            ).compute()
        if share == 1:
            exact = measured
            chosen = np.ones(n_rows, dtype=bool)
        else:
            seed = int(np.random.RandomState(0).randint(np.iinfo(np.int32).max))
            chosen = np.random.Generator(np.random.PCG64(seed)).random(n_rows) < share
        rows.append(
            {
                "rows in the index": int(chosen.sum()),
                "share": share,
                "recall": round(float(chosen[near].mean()), 3),
                "mean error of kDN": round(float(np.abs(measured - exact).mean()), 3),
                "mean kDN": round(float(measured.mean()), 3),
                "average precision": round(float(average_precision_score(flipped, measured)), 3),
            }
        )
    return pd.DataFrame(rows)


def follow(results: pd.DataFrame) -> str:
    """Write down what the figures make of 10⁹ rows on 100 workers, with the arithmetic."""
    large = results[results["rows"] >= 1_000].set_index(["work", "workers"])
    idle = results[results["rows"] < 1_000].sort_values("blocks")
    few, many = idle.iloc[0], idle.iloc[-1]
    task = (many["seconds per pass"] - few["seconds per pass"]) / (many["blocks"] - few["blocks"])
    trip = max(few["seconds per pass"] - few["blocks"] * task, 0.0)
    perceptron, stumps = (large.loc[(work.name, 1)] for work in WORKS[:2])
    kdn, audited = (large.loc[(work.name, 1)] for work in WORKS[3:])
    n_rows, n_workers, block = 10**9, 100, 10**6
    n_blocks, own = n_rows // block, n_rows // n_workers
    work = perceptron["seconds per pass"] - trip - N_BLOCKS * task
    per_row = max(work, 0.0) / perceptron["rows"]
    sums = n_blocks // 16 + n_blocks // 256
    overhead = trip + (n_blocks + sums) * task
    epoch = per_row * own
    n_passes = 10 * 250
    stump_row = stumps["seconds per pass"] / stumps["rows"]
    n_trips = 12
    kilobytes = perceptron["kB to workers per pass"] / N_BLOCKS
    in_memory = (
        (perceptron["peak MB of a worker"] - perceptron["of which before"])
        * 1e6
        / (perceptron["rows"] * N_COLUMNS * 4)
    )
    sketch = 4096 * 16 * N_COLUMNS
    trips = n_trips * overhead
    stumps_work = stump_row * own
    kdn_row = kdn["seconds per pass"] / kdn["rows"]
    audit_row = audited["seconds per pass"] / audited["rows"]
    small_blocks = trip + 10 * (n_blocks + sums) * task
    lines = [
        f"10⁹ rows of {N_COLUMNS} columns in single precision are 200 GB: 1,000 blocks of 10⁶ "
        "rows, 10 on each of 100 workers of one thread.",
        "",
        f"- **Memory of a worker**: 10⁷ rows × {N_COLUMNS} × 4 bytes = 2 GB, times "
        f"{in_memory:.1f} as measured: {2 * in_memory:.1f} GB.",
        f"- **An epoch of the parallel perceptron**: {per_row * 1e9:.0f} ns a row × 10⁷ rows = "
        f"{epoch:.1f} s of work on each worker. The scheduler meanwhile handles 1,000 tasks and "
        f"{sums} that add up sums, {task * 1e3:.2f} ms each, and {trip * 1e3:.0f} ms for the trip: "
        f"{overhead:.1f} s. {'The work' if epoch > overhead else 'The scheduler'} is the longer.",
        f"- **NR boosting, 10 rounds × 250 epochs**: 2,500 × ({epoch:.1f} + {overhead:.1f}) s = "
        f"{n_passes * (epoch + overhead) / 3600:.1f} hours if nothing overlaps, "
        f"{n_passes * max(epoch, overhead) / 3600:.1f} if all does.",
        f"- **A round of boosted stumps**: {stump_row * 1e9:.0f} ns a row (with its share of the "
        f"binning) × 10⁷ rows = {stumps_work:.1f} s, and {n_trips} trips of {overhead:.1f} s, of "
        f"which 5 are not waited for: {stumps_work + trips:.0f} s at most.",
        f"- **Network**: {kilobytes:.1f} kB are sent for each block and epoch, "
        f"{kilobytes * n_blocks / 1e3:.1f} MB for all, through the scheduler: "
        f"{kilobytes * n_blocks / 1e3 / 100:.2f} s at 100 MB/s.",
        f"- **kDN against 10,000 rows**: {kdn_row * 1e6:.0f} µs a row × 10⁷ rows = "
        f"{kdn_row * own / 60:.0f} minutes.",
        f"- **An audit of 2 rounds**: {audit_row * 1e6:.0f} µs a row × 10⁷ rows = "
        f"{audit_row * own / 3600:.1f} hours at most: the trips, and the members that are trained "
        "on a sample, are counted as if they grew with the rows.",
        "",
        "What breaks first, in this order:",
        "",
        "1. **One worker's memory, by the bags.** Hardness bagging draws in one place, which "
        "holds some 50 bytes of each row: 50 GB. Beyond some 10⁸ rows, bag a sample.",
        "2. **This process's memory, by the bins of stumps.** Each block sends up to 4,096 values "
        f"and weights of each column, {sketch / 1e6:.1f} MB; those of 1,000 blocks are "
        f"{sketch * n_blocks / 1e9:.1f} GB here at once. Fewer and larger blocks help.",
        f"3. **The scheduler's time.** It and this process handle {1 / task:.0f} tasks a second. "
        f"With blocks of 10⁵ rows a trip would take {small_blocks:.0f} s, for {epoch:.1f} s of "
        "work: blocks should be as large as the workers' memory lets them.",
        "4. **Not the sums.** They are added up on the cluster in groups of 16: at most 16 terms "
        "reach this process whatever the number of blocks, each as large as one block's.",
    ]
    return "\n".join(lines) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--follow", action="store_true")
    options = parser.parse_args()
    if options.follow:
        FOLLOWS.write_text(follow(pd.read_csv(RESULTS)), encoding="utf-8")
        return
    warnings.simplefilter("ignore")
    n_rows = 30_000 if options.quick else 1_000_000
    rows = []
    for work in WORKS:
        for n_workers in (1, 2):
            rows.append(measure(work, n_workers, n_rows))
            print(rows[-1], flush=True)
    for n_blocks in (4, 64):
        rows.append(measure(WORKS[0], 2, 640, n_blocks))
        print(rows[-1], flush=True)
    results = pd.DataFrame(rows)
    neighbors = measure_neighbors(4_000 if options.quick else 40_000)
    print(neighbors.to_string(index=False))
    text = follow(results)
    print(text)
    if not options.quick:
        results.to_csv(RESULTS, index=False)
        neighbors.to_csv(NEIGHBORS, index=False)
        FOLLOWS.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
