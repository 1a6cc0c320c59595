"""Probability formulas by their definition: one world at a time, in plain Python."""

import itertools
import math

from hypothesis import strategies as st

from structlearn.models.formulas import (
    Atom,
    Choice,
    Combination,
    Constant,
    Different,
    Max,
    Mean,
    Min,
    NoisyAnd,
    NoisyOr,
    Parameter,
    Same,
)


def value(formula, world, *, domain=(), binding=None, parameters=None):
    """The value of a formula; `world` maps each atom's name to 0 or 1, and `binding` variables to objects."""
    binding, parameters = binding or {}, parameters or {}

    def inside(part, more=None):
        return value(part, world, domain=domain, binding={**binding, **(more or {})}, parameters=parameters)

    match formula:
        case Constant():
            return formula.value
        case Parameter():
            return parameters.get(formula.name, formula.value)
        case Atom():
            return world[Atom(formula.relation, *(binding.get(a, a) for a in formula.arguments)).name]
        case Choice():
            f, g, h = (inside(part) for part in formula.parts)
            return f * g + (1 - f) * h
        case Combination():
            bindings = [
                dict(zip(formula.over, objects, strict=True))
                for objects in itertools.product(domain, repeat=len(formula.over))
            ]
            values = [
                inside(term, more)
                for more in bindings
                if all(holds(condition, {**binding, **more}) for condition in formula.where)
                for term in formula.terms
            ]
            return combined(formula, values)


def holds(condition, binding):
    one, other = (binding.get(name, name) for name in (condition.one, condition.other))
    return (one == other) == isinstance(condition, Same)


def combined(formula, values):
    """The combination functions, as the paper has them."""
    match formula:
        case NoisyOr():
            return 1 - math.prod(1 - p for p in values)
        case NoisyAnd():
            return math.prod(values)
        case Max():
            return max(values, default=0)
        case Min():
            return min(values, default=1)
        case Mean():
            weights = list(formula.weights or [1] * len(formula.terms))
            repeated = weights * (len(values) // max(len(weights), 1))
            total = sum(w * p for w, p in zip(repeated, values, strict=True))
            return total / sum(repeated) if values else 0


SHARES = st.floats(0, 1)
PARAMETERS = {"p": 0.3, "q": 0.8}


def formulas(atoms, *, variables=(), combinations=(NoisyOr, NoisyAnd, Max, Min, Mean)):
    """Small formulas of these atoms, of the parameters p and q, and of any numbers."""
    leaves = st.one_of(
        SHARES.map(Constant),
        st.sampled_from([Parameter(name, share) for name, share in PARAMETERS.items()]),
        st.sampled_from(atoms),
    )

    def larger(parts):
        terms = st.lists(parts, max_size=3)
        conditions = st.sampled_from([[], [Different("v", "w")], [Same("v", "w")]] if variables else [[]])
        over = st.sampled_from([(), *((name,) for name in variables)])
        return st.one_of(
            st.builds(Choice, parts, parts, parts),
            st.builds(
                lambda kind, terms, over, where: kind(*terms, over=over, where=where),
                st.sampled_from(combinations),
                terms,
                over,
                conditions,
            ),
            st.builds(lambda terms: Mean(*terms, weights=range(1, len(terms) + 1)), terms.filter(bool)),
        )

    return st.recursive(leaves, larger, max_leaves=6)
