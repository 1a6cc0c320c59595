"""The options that each method is recorded with, beside its defaults on small tables."""

from typing import Any

import structlearn as sl

Settings = tuple[tuple[str, dict[str, Any]], ...]

NETWORKS = "alarm insurance hailfinder"
SMALL = "asia gaussian mixed"
ASIA_KNOWN = sl.Knowledge(
    required=[("smoke", "lung")], forbidden=[("tub", "asia"), ("xray", "dysp"), ("dysp", "xray")]
)
TIERS = sl.Knowledge(
    tiers=[["asia", "smoke"], ["tub", "lung", "bronc"], ["either", "xray", "dysp"]],
    required=[("smoke", "bronc")],
)
APART = sl.Knowledge(forbidden=[("x0", "x1"), ("x1", "x0")])
CANDIDATES = {
    "lung": ["smoke"],
    "tub": ["asia"],
    "dysp": ["bronc", "either", "smoke"],
    "xray": ["either", "lung"],
}
CHAIN = sl.Graph(
    ["asia", "tub", "smoke", "lung", "bronc", "either", "xray", "dysp"],
    directed=[("asia", "tub"), ("tub", "smoke"), ("smoke", "lung"), ("lung", "bronc")],
)
REGULATORS = {"one": ["x0", "x1", "x2"], "two": ["x2", "x3", "x4"], "x7": ["x5", "x6"]}
ORDER = ["smoke", "asia", "lung", "tub", "bronc", "either", "dysp", "xray"]

# Options of a search for the best DAG that most such methods have.
SEARCHED: Settings = (
    ("asia", {"knowledge": ASIA_KNOWN}),
    ("asia", {"knowledge": TIERS, "score": "bdeu"}),
    ("asia", {"max_parents": 1, "score": "k2"}),
    ("asia random-network", {"score": "mdl"}),
    ("gaussian", {"score": "bge", "n_jobs": 2}),
    ("mixed", {"score": "aic", "max_parents": 2}),
    ("weighted text", {}),
)
STARTED: Settings = (("asia", {"initial": CHAIN}), ("asia", {"candidates": CANDIDATES}))
TESTED: Settings = (
    ("asia", {"knowledge": ASIA_KNOWN, "alpha": 0.01}),
    ("asia", {"test": "chi2", "alpha": 0.001}),
    ("asia earthquake", {"test": "mutual-information"}),
    ("gaussian", {"test": "t", "n_jobs": 2}),
    ("text weighted", {}),
)
COUNTED: Settings = (("asia", {"statistics": "adtree"}),)
WITH_GAPS: Settings = (("gaps", {"missing": "testwise"}), ("gaps", {"missing": "drop"}))
CHOSEN: Settings = tuple(
    ("markov", {"penalty": choice, "n_penalties": 8}) for choice in ("ebic", "stars", "cv", "cv-1se")
)

SETTINGS: dict[str, Settings] = {
    "sgs": (
        *TESTED,
        *WITH_GAPS,
        ("asia gaussian", {"max_conditioning": 2}),
        ("asia", {"undirected": True, "separators": "rest"}),
    ),
    "pc": (
        *TESTED,
        *WITH_GAPS,
        *COUNTED,
        (f"{NETWORKS} andes wide-gaussian hubs", {"alpha": 0.01}),
        *((f"{SMALL} alarm", {"collider_rule": rule}) for rule in ("conservative", "majority", "max-p")),
        ("asia alarm", {"stable": False}),
        ("alarm", {"max_conditioning": 1}),
        ("earthquake", {"test": "permutation"}),
    ),
    "grow-shrink": (
        *TESTED,
        *WITH_GAPS,
        *COUNTED,
        ("alarm wide-gaussian", {"alpha": 0.01}),
        ("asia", {"symmetry": "or", "undirected": True}),
        ("asia", {"randomized": True}),
        ("asia insurance", {"propagation": "original"}),
    ),
    "low-order-graph": (
        *TESTED,
        *WITH_GAPS,
        ("alarm hubs", {}),
        ("gaussian", {"order": 0}),
        ("gaussian asia", {"order": 2, "correction": "holm"}),
    ),
    "shrinkage-partial-correlation": (
        ("hubs markov", {}),
        ("markov", {"null": "mixture"}),
        ("markov", {"shrinkage": 0.2, "max_q_value": 0.1}),
        ("markov", {"n_edges": 12, "knowledge": APART}),
    ),
    "hill-climbing": (
        *SEARCHED,
        *STARTED,
        *COUNTED,
        (f"{NETWORKS} andes wide-gaussian", {}),
        ("alarm mixed", {"tabu": 0}),
        ("asia alarm", {"restarts": 3, "perturb": 4}),
        ("asia insurance", {"cpd": "tree"}),
        ("random-network", {"check_parity": 4}),
    ),
    "simulated-annealing": (
        *SEARCHED,
        *STARTED,
        *COUNTED,
        ("insurance", {"coolings": 30}),
        ("asia", {"chains": 2, "polish": False}),
        ("gaussian", {"temperature": "auto"}),
    ),
    "best-first": (
        *SEARCHED,
        *STARTED,
        *COUNTED,
        ("insurance", {"patience": 20}),
        ("asia", {"max_open": 20}),
    ),
    "genetic-search": (
        *SEARCHED,
        *STARTED,
        ("insurance", {"generations": 10}),
        ("asia", {"order": ORDER}),
        ("gaussian", {"elitist": False, "local_steps": 0, "polish": False}),
    ),
    "optimal-reinsertion": (
        *SEARCHED,
        *STARTED,
        *COUNTED,
        ("alarm", {"restarts": 2}),
        ("asia", {"set_size": 2}),
    ),
    "sparse-candidate": (
        *SEARCHED,
        ("asia", {"initial": CHAIN}),
        *COUNTED,
        ("alarm wide-gaussian", {"candidates": 5}),
        *(("asia", {"measure": m}) for m in ("discrepancy", "shield", "mutual-information")),
        ("asia", {"stop": "candidates", "idle_rounds": 2}),
    ),
    "greedy-equivalence": (
        *(setting for setting in SEARCHED if "mixed" not in setting[0]),
        *STARTED,
        *COUNTED,
        (f"{NETWORKS} wide-gaussian", {}),
        ("asia alarm", {"schedule": "phases"}),
    ),
    "chow-liu": (
        (f"{NETWORKS} andes wide-gaussian text weighted", {}),
        ("asia alarm", {"score": "bic"}),
        ("asia", {"root": "lung"}),
        ("asia", {"knowledge": ASIA_KNOWN}),
    ),
    "polytree": (("alarm insurance wide-gaussian", {"alpha": 0.01}), ("asia", {"test": "chi2"})),
    "bounded-treewidth": (
        ("alarm wide-gaussian", {"starts": 1}),
        ("asia gaussian", {"width": 3, "score": "aic"}),
        ("earthquake", {"method": "exact"}),
    ),
    "lookahead-search": (
        ("random-network", {"max_clique": 4}),
        ("asia gaussian", {"threshold": "chi2", "alpha": 0.01}),
        ("asia", {"max_links": 2}),
    ),
    "k2": (
        *SEARCHED,
        ("asia", {"candidates": CANDIDATES}),
        ("alarm insurance wide-gaussian", {}),
        ("asia", {"order": ORDER, "parents": "exhaustive"}),
        ("asia", {"order": "random", "tries": 5}),
        ("asia", {"cpd": "tree"}),
    ),
    "order-search": (
        *SEARCHED,
        *STARTED,
        ("insurance wide-gaussian", {"restarts": 3}),
        ("asia", {"moves": "insertion"}),
        ("asia", {"cpd": "tree", "restarts": 3}),
    ),
    "genetic-order-search": (
        *SEARCHED,
        *STARTED,
        ("insurance", {"evaluations": 200}),
        ("asia", {"parents": "exhaustive"}),
        *(("asia", {"crossover": c}) for c in ("cycle", "partially-mapped", "position-based")),
        *(("asia", {"mutation": m}) for m in ("exchange", "inversion", "scramble")),
    ),
    "boss": (
        *SEARCHED,
        *STARTED,
        *COUNTED,
        (f"{NETWORKS} andes wide-gaussian", {}),
        ("asia insurance", {"cpd": "tree", "patience": 5}),
    ),
    "exact-search": (
        *SEARCHED,
        *STARTED,
        ("random-network", {}),
        ("asia gaussian", {"solver": "ilp"}),
        ("insurance", {"max_parents": 2}),
    ),
    "exact-posterior": (
        ("asia", {"knowledge": ASIA_KNOWN}),
        ("random-network", {"max_parents": 3}),
        ("asia", {"score": "bdeu", "prior": "sizes", "n_jobs": 2}),
        ("gaussian", {"score": "bge", "threshold": 0.9}),
    ),
    "order-mcmc": (
        ("asia", {"knowledge": ASIA_KNOWN, "steps": 2_000}),
        ("asia gaussian", {"steps": 2_000, "uniform_over": "graphs"}),
        ("insurance", {"steps": 500, "max_parents": 2, "chains": 2}),
        ("asia", {"steps": 1_000, "n_jobs": 2, "thin": 5, "burn_in": 0.5}),
    ),
    "neighborhood-selection": (
        *CHOSEN,
        ("hubs markov", {}),
        ("markov", {"penalty": 0.1, "rule": "or", "knowledge": APART}),
        ("markov", {"penalty": 0.1, "adaptive": True, "l1_share": 0.5}),
    ),
    "ising-neighborhoods": (
        *(("spins", options | {"n_penalties": 8}) for _, options in CHOSEN),
        ("spins", {"penalty": 0.1, "rule": "or"}),
        ("asia spins", {"coding": "zero-one", "field": False, "penalty": 0.05}),
        ("spins", {"adaptive": True, "knowledge": APART}),
    ),
    "graphical-lasso": (
        *CHOSEN,
        ("hubs", {"penalty": 0.2}),
        ("markov", {"penalty": "theory", "knowledge": APART}),
        *(("markov", {"penalty": 0.15, "solver": solver}) for solver in ("newton", "block", "nesterov")),
        ("markov", {"penalty": 0.15, "penalise_diagonal": True, "standardise": False}),
        ("gaussian", {"penalty": 0.1, "weights": {("x0", "x1"): 2.0}}),
    ),
    "log-linear-mrf": (
        ("spins", {}),
        *(("spins", {"objective": o, "penalty": 0.02}) for o in ("exact", "pseudo")),
        ("earthquake", {"objective": "loopy", "penalty": 0.02}),
        *(("asia", {"induction": i}) for i in ("gain", "none")),
        ("asia", {"candidates": "grown", "max_order": 3}),
        ("earthquake", {"penalty": "cv", "n_penalties": 2, "adaptive": False}),
    ),
    "feature-vector-machine": (
        ("hubs", {}),
        *(("gaussian", {"kernel": kernel}) for kernel in ("polynomial", "rbf", "hsic")),
        ("gaussian", {"penalty": "stars", "n_penalties": 5}),
        ("markov", {"adaptive": True, "rule": "or", "knowledge": APART}),
    ),
    "regression-dag-gaussian": (
        ("markov", {}),
        ("gaussian", {"order": "random", "n_orders": 3}),
        ("gaussian", {"mode": "jeffreys"}),
        ("gaussian", {"mode": "gibbs", "n_samples": 100, "burn_in": 20}),
        ("gaussian", {"penalty": 0.1, "refit": True}),
    ),
    "mmpc": (
        *TESTED,
        *WITH_GAPS,
        *COUNTED,
        ("alarm insurance wide-gaussian", {"alpha": 0.01}),
        ("asia insurance", {"symmetry": "or", "reliability": "independent"}),
        ("asia", {"reliability": "none", "max_conditioning": 2}),
    ),
    "mmhc": (
        *TESTED,
        *COUNTED,
        (f"{NETWORKS} andes wide-gaussian", {"alpha": 0.01}),
        ("asia", {"initial": CHAIN, "score": "bic"}),
        ("asia insurance", {"max_parents": 2, "tabu": 0}),
    ),
    "l1mb": (
        *SEARCHED,
        ("asia", {"initial": CHAIN}),
        (f"{NETWORKS} wide-gaussian", {}),
        ("asia gaussian", {"search": "order"}),
        ("asia gaussian", {"search": None, "rule": "and", "criterion": "aic"}),
    ),
    "factorization-network": (
        ("gaussian", {"rank": 2, "reading": "factors"}),
        ("gaussian", {"method": "mmmf"}),
    ),
    "network-component-analysis": (
        ("gaussian", {"regulators": REGULATORS}),
        ("gaussian", {"regulators": REGULATORS, "penalty": 0.1, "reading": "genes", "n_resamples": 0}),
    ),
}
