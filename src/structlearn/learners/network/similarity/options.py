"""How similar columns must be, as options."""

from structlearn.learners.network.similarity.dendrogram import Linkage
from structlearn.learners.network.similarity.thresholds import Rule
from structlearn.options import Above, Between, Configured, Either, ListOf, OrNone, Whole, one_of, option


class JoinsTheSimilar(Configured):
    """When two columns are similar enough."""

    threshold: Rule | float = option(
        Either((one_of(Rule), Between(0, 1e300))),
        "How similar columns must be to be joined. A number that the similarity must exceed, or a distance "
        'that must be less. Or a rule: "family-wise" beyond the strongest pair of permuted columns, "fdr" '
        'with the false discovery rate of permuted pairs, "fisher" by the theory of normal correlations, '
        '"density" for a share of all pairs, "mutual-neighbors" where each is among the nearest of the '
        'other, "soft" for all pairs, with weights that are powers of their similarity.',
        default="family-wise",
    )
    alpha: float = option(
        Between(0, 1),
        "The probability of any false edge, or their share with the false discovery rate.",
        default=0.05,
    )
    n_permutations: int = option(Whole(1), "How often columns are permuted to see chance.", default=200)
    density: float = option(
        Between(0, 1), 'The share of all pairs that are joined, with threshold="density".', default=0.1
    )
    n_nearest: int = option(
        Whole(1), 'How many columns count as near, with threshold="mutual-neighbors".', default=5
    )
    power: float = option(
        Above(0), 'The power of the similarity that an edge weighs, with threshold="soft".', default=6.0
    )


class Linked(Configured):
    """Which clusters are joined first."""

    linkage: Linkage = option(
        one_of(Linkage),
        "What the distance of two clusters is. The mean, least or largest of their columns', or what Ward's "
        "criterion adds.",
        default="average",
    )


class Clusters(Linked):
    """How columns are clustered, and at which scales."""

    scales: list[int] | None = option(
        OrNone(ListOf(int), "none"),
        "Into how many clusters to cut the tree, one number for each scale, for `modules_`.",
        default=None,
    )
