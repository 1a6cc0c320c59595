"""How information is estimated, as options."""

from structlearn.learners.option_groups import OnDevice
from structlearn.numerics.information.estimators import ESTIMATOR, EstimatorName
from structlearn.numerics.information.settings import RULES, Binning, Settings
from structlearn.options import OrNone, option


class EstimatesInformation(OnDevice):
    """Which estimator of mutual information to use, what it is told, and where it works."""

    estimator: EstimatorName | None = option(
        OrNone(ESTIMATOR, "by the kinds of the columns"),
        "How information is estimated; see `sl.mutual_information`. By default from rank correlations where "
        "all columns are continuous, otherwise from tables less their bias.",
        default=None,
    )
    binning: Binning = option(
        RULES["binning"],
        "How continuous columns are cut where they are counted: equal numbers of rows or equal width.",
        default="frequency",
    )
    n_bins: int | None = option(RULES["n_bins"], "How many bins.", default=None)
    bandwidth: float | None = option(
        RULES["bandwidth"], "How wide kernels are, on ranks from 0 to 1.", default=None
    )
    n_neighbors: int = option(
        RULES["n_neighbors"], "Which neighbour's distance counts with the estimator of Kraskov.", default=3
    )

    def _settings(self, seed: int) -> Settings:
        return Settings(self.binning, self.n_bins, self.bandwidth, self.n_neighbors, seed)
