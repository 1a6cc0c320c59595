"""How columns are clustered and which edges go, as options."""

from structlearn.learners.network.clusters.elimination import StopRule
from structlearn.learners.network.clusters.profiles import Distance, ProfileName
from structlearn.options import Above, Between, Configured, OrNone, Whole, one_of, option


class ProfileOptions(Configured):
    """How many clusters there are, and what stands for each."""

    n_clusters: int | None = option(
        OrNone(Whole(1), "as many as `max_inflation` lets"),
        "How many clusters there are. Fewer than rows.",
        default=None,
    )
    max_inflation: float = option(
        Above(1),
        "What the variance inflation factors of all profiles stay below. The number of clusters is the "
        "largest for which they do.",
        default=10.0,
    )
    distance: Distance = option(
        one_of(Distance),
        "How far two columns are apart. As vectors of standardised values, or 1 less their correlation.",
        default="euclidean",
    )
    profile: ProfileName = option(
        one_of(ProfileName),
        "What stands for a cluster. The mean of its standardised columns, the one that correlates most with "
        "the others, or their first principal component.",
        default="mean",
    )


class EliminationOptions(Configured):
    """When edges stop going."""

    alpha: float = option(
        Between(0, 1),
        'The share of false edges among those that stay, with "fdr". Else the significance level of each '
        "removal.",
        default=0.05,
    )
    stop: StopRule = option(
        one_of(StopRule),
        "What ends the removal of edges. That one is so unlikely by chance that few of those left are false "
        "(by t-tests, after Benjamini and Hochberg), that the deviance rises significantly by one edge (by "
        "χ²), that all of it is significant, or that BIC would fall.",
        default="fdr",
    )
