"""Options of learners that have a flag of their own on the command line; `--set` takes the others."""

FLAGS = {
    "score": "--score",
    "test": "--test",
    "alpha": "--alpha",
    "regulators": "--regulators",
    "targets": "--targets",
    "time": "--time",
    "series": "--series",
    "lags": "--lags",
    "missing": "--missing",
    "max_parents": "--max-parents",
    "tabu": "--tabu",
    "restarts": "--restarts",
    "time_limit": "--time-limit",
    "random_state": "--seed",
    "n_jobs": "--jobs",
}
