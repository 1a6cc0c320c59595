"""The options of networks by factors."""

from typing import Literal

from structlearn.options import (
    Above,
    Between,
    Configured,
    Either,
    Flag,
    Instance,
    ListOf,
    OrNone,
    Whole,
    one_of,
    option,
)

Factorization = Literal["svd", "nmf", "sparse-nmf", "mmmf"]
Reading = Literal["variables", "factors", "links"]
RankRule = Literal["chance", "thumb", "noise", "cophenetic", "held-out"]
Likeness = Literal["carried", "consensus", "cosine"]
Loss = Literal["euclidean", "kl", "hinge", "squared", "ordinal"]
Start = Literal["random", "nndsvd"]
Negative = Literal["error", "split"]
Centre = Literal["columns", "both", "none"]
Solver = Literal["hals", "multiplicative"]
SparsePart = Literal["variables", "samples", "both"]


class Factored(Configured):
    """How a table is factorised, and how edges are read from the factors."""

    reading: Reading = option(
        one_of(Reading),
        "Which edges are read. Between columns that share factors; from factors, as nodes of their own, to "
        'columns; or, with "mmmf", from the rows of an interaction table to its columns, where the fitted '
        "entry is positive.",
        default="variables",
    )
    rank: int | RankRule | None = option(
        OrNone(
            Either((Whole(1), one_of(RankRule))),
            "'chance' with 'svd', 'cophenetic' with 'nmf' and 'sparse-nmf', 10 with 'mmmf'",
        ),
        "How many factors, or how to find that. More than in permuted columns; more than 0.7 of an even "
        "share; above the optimal threshold for noise; or, of non-negative ones, as many as runs agree on, "
        "or as predict entries best that were held out.",
        default=None,
    )
    likeness: Likeness | None = option(
        OrNone(one_of(Likeness), "'consensus' with 'nmf' and 'sparse-nmf', otherwise 'carried'"),
        "What the strength of two columns is. The part of their correlation that factors carry; "
        "the share of runs in which both have the same largest factor; or the cosine of their factors, "
        'which with "svd" is their correlation in the reconstruction.',
        default=None,
    )
    threshold: float | None = option(
        OrNone(Above(-1), "by `alpha`, 0.5 for shares and cosines, 0 for links"),
        "What the strength of an edge must exceed.",
        default=None,
    )
    alpha: float = option(
        Between(0, 1),
        "The probability that chance joins columns of independent normal values, shared out among all pairs.",
        default=0.05,
    )
    center: Centre = option(
        one_of(Centre), 'What has mean 0 before "svd": columns, or rows as well.', default="columns"
    )
    scale: bool = option(Flag(), "Whether columns are divided by their size first.", default=True)
    without: int | list[int] = option(
        Either((Whole(0), ListOf(int))),
        'How many of the first components "svd" leaves out, such as what all columns share; or a list of '
        "those to leave out, the first of them 1.",
        default=0,
    )

    penalty: float = option(
        Between(0, 1),
        'What makes entries of factors 0. With "svd" the share of the largest loading of a component that is '
        'taken off all of them [6]_; with "nmf" the price of entries of both factors, per number of entries '
        "they fit.",
        default=0.0,
    )
    randomised: bool | None = option(
        OrNone(
            Flag(), "where both sides of the table exceed 500 and a rank is given that is a tenth of them"
        ),
        'Whether "svd" looks for the first components only, in random directions [7]_.',
        default=None,
    )


class NonNegative(Configured):
    """How non-negative factors are found."""

    start: Start = option(
        one_of(Start),
        "Where non-negative factors begin. At random, again and again, or once at the parts of singular "
        "vectors that have one sign [8]_.",
        default="random",
    )
    negative: Negative = option(
        one_of(Negative),
        "What becomes of negative numbers where factors may not be. They are refused, or each column is "
        "split into what is above and what is below 0; loadings and strengths then have signs.",
        default="error",
    )

    solver: Solver = option(
        one_of(Solver),
        'How "nmf" goes down: each factor to its optimum in turn, or by the updates of Lee and Seung [2]_.',
        default="hals",
    )
    sparseness: float = option(
        Between(0, 1), 'How sparse factors are with "sparse-nmf", from 0, all equal, to 1 [3]_.', default=0.5
    )
    sparse_part: SparsePart = option(
        one_of(SparsePart),
        'Which factors are sparse with "sparse-nmf": those of the columns, of the rows, or both.',
        default="variables",
    )
    restarts: int = option(
        Whole(1), "From how many random starts non-negative factors are found.", default=10
    )


class LowNormed(Configured):
    """How entries that are not known are completed."""

    loss: Loss | None = option(
        OrNone(one_of(Loss), "'euclidean'; with 'mmmf' 'hinge' for two values and 'squared' for others"),
        'What a misfit costs. Squares or a divergence with "nmf"; with "mmmf" the smooth hinge of signs, '
        "squares, or, for grades, a hinge at each threshold of a row [5]_.",
        default=None,
    )
    cost: float | None = option(
        OrNone(Above(0), "what predicts a tenth of the known entries best"),
        'How much misfits count against the norm with "mmmf".',
        default=None,
    )
    bias: bool = option(
        Flag(),
        'Whether rows and columns have a free number each beside the low norm of "mmmf".',
        default=False,
    )
    symmetric: bool = option(
        Flag(),
        'Whether a table of interactions within one set, with reading="links", is the same both ways.',
        default=False,
    )
    row_names: str | None = option(
        OrNone(Instance(str), "rows have no names"),
        'The column that names the rows, for reading="links". It becomes no node. Where the names are those '
        "of the columns, the table is one of interactions within one set.",
        default=None,
    )


class FactorOptions(Factored, NonNegative, LowNormed):
    """All of them, and the method."""

    method: Factorization = option(
        one_of(Factorization),
        "How the table is factorised. Singular values [1]_; non-negative factors [2]_, or sparse ones [3]_; "
        "or a matrix of low norm that fits the entries that are known [5]_, where missing ones are unknown.",
        default="svd",
    )
