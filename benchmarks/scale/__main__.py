"""`python -m benchmarks.scale FOLDER --millions 20`: what Dask takes with one worker and with two.

Each number of workers is a cluster of its own, of processes with one thread. "Look" is the first pass over
the files, "pack" codes and keeps them, "groups" asks for the different rows, "pairs" for all tables of two.
"""

import argparse
import os
import time
from pathlib import Path

import numpy as np

import structlearn as sl
from benchmarks.scale.data import files_of


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--millions", type=int, default=20)
    parser.add_argument("--workers", type=int, nargs="*", default=[1, 2])
    given = parser.parse_args()
    paths = files_of(given.folder, given.millions)
    print(
        f"{given.millions} million rows, load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores at the start"
    )
    print(
        "| workers | look, s | pack, s | groups, s | pairs, s | HillClimbing, s | all, s | MiB of a worker |"
    )
    print("| --- | --- | --- | --- | --- | --- | --- | --- |")
    totals = {n: _measured(paths, n) for n in given.workers}
    first = totals[given.workers[0]]
    print(", ".join(f"{n} workers: {first / took:.2f} times" for n, took in totals.items()))


def _measured(paths: list[Path], n_workers: int) -> float:
    import dask.dataframe as dd
    from dask.distributed import Client, LocalCluster, wait

    with (
        LocalCluster(n_workers=n_workers, threads_per_worker=1, dashboard_address=None) as cluster,
        Client(cluster) as client,
    ):
        warm = sl.source(dd.read_parquet(paths[:1]).partitions[0].head(1000, compute=False))
        sl.HillClimbing().fit(warm)  # machine code and imports, on each worker or most
        times = [time.perf_counter()]
        source = sl.source(dd.read_parquet(paths, split_row_groups=True, blocksize="8MiB"))
        times.append(time.perf_counter())
        wait(source.engine._parts._pieces)  # noqa: SLF001, packed in the background
        times.append(time.perf_counter())
        source.statistics(source.names, kinds=source.kinds)
        times.append(time.perf_counter())
        p = len(source.names)
        source.engine.tables([(i, j) for i in range(p) for j in range(i)], ())
        times.append(time.perf_counter())
        sl.HillClimbing().fit(source)
        times.append(time.perf_counter())
        memory = max(each["metrics"]["memory"] for each in client.scheduler_info()["workers"].values())
    took = np.diff(times)
    shown = " | ".join(f"{seconds:.1f}" for seconds in (*took, took.sum()))
    print(f"| {n_workers} | {shown} | {memory / 2**20:.0f} |", flush=True)
    return float(took.sum())


if __name__ == "__main__":
    main()
