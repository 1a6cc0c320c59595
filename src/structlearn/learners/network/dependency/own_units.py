"""Distributions of columns that were measured in other units, or counted from elsewhere, as the table is."""

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from structlearn.learners.network.dependency.local import Columns, Local

Scale = tuple[float, float]  # the unit of a column, and where it is counted from


def in_own_units(columns: Columns, child: int, local: Local) -> Local:
    """The same distribution of a column, of numbers as the table has them."""
    if (columns.units == 1.0).all() and not columns.origins.any():
        return local
    scales = {name: columns.scale(j) for j, name in enumerate(columns.names)}
    unit, origin = own = scales[columns.names[child]]
    known = local.conditional
    if known["form"] == "point":
        return replace(local, conditional={**known, "value": unit * known["value"] + origin})
    if "tree" in known:
        of_parents = {name: scales[name] for name, states in known["parents"].items() if not states}
        is_normal = known["form"] == "gaussian-tree"
        found = {**known, "tree": _tree(known["tree"], of_parents, own if is_normal else None)}
    elif known["form"] == "softmax":
        found = _softmax(known, scales)
    else:
        found = _regression(known, scales, own)
    return replace(local, conditional=found, score=local.score - columns.size * math.log(unit))


def _tree(tree: Any, of_parents: Mapping[str, Scale], own: Scale | None) -> Any:
    """Thresholds, and the mean and variance of each leaf of a tree of numbers."""
    if not isinstance(tree, Mapping):
        return list(tree) if own is None else [own[0] * tree[0] + own[1], own[0] * (own[0] * tree[1])]
    found = {**tree, "branches": [_tree(branch, of_parents, own) for branch in tree["branches"]]}
    if tree["parent"] in of_parents:
        unit, origin = of_parents[tree["parent"]]
        found["at"] = unit * tree["at"] + origin
    return found


def _softmax(known: Mapping[str, Any], scales: Mapping[str, Scale]) -> dict[str, Any]:
    intercepts, weights = list(known["intercepts"]), dict(known["weights"])
    for name, part in weights.items():
        if not isinstance(part[0], list):
            unit, origin = scales[name]
            weights[name] = [weight / unit for weight in part]
            intercepts = [
                start - weight * origin for start, weight in zip(intercepts, weights[name], strict=True)
            ]
    return {**known, "intercepts": intercepts, "weights": weights}


def _regression(known: Mapping[str, Any], scales: Mapping[str, Scale], own: Scale) -> dict[str, Any]:
    unit, origin = own
    slopes = {name: slope * unit / scales[name][0] for name, slope in known["coefficients"].items()}
    found = {
        **known,
        "intercept": unit * known["intercept"]
        + origin
        - sum(b * scales[name][1] for name, b in slopes.items()),
        "coefficients": slopes,
        "variance": unit * (unit * known["variance"]),
    }
    if "shifts" in known:
        found["shifts"] = {name: [unit * shift for shift in part] for name, part in known["shifts"].items()}
    return found
