"""Options of regressions that each find a penalty of their own."""

from typing import Literal

from structlearn.options import Above, Configured, Either, Flag, one_of, option

PenaltyRule = Literal["theory", "ebic", "stars", "cv", "cv-1se"]
PENALTY = Either((one_of(PenaltyRule), Above(0)))
SEARCHED = (
    '"ebic" is the extended BIC of each refitted regression (Chen and Chen, 2008), "stars" the smallest '
    'penalty with stable graphs in subsamples (Liu, Roeder and Wasserman, 2010), "cv" the least loss in ten '
    'folds and "cv-1se" the largest penalty within one standard error of it.'
)


class SharesPenalty(Configured):
    """Whether nodes find penalties of their own."""

    one_penalty: bool = option(
        Flag(),
        'Whether all nodes share a penalty where the rule would find one for each ("ebic", "cv").',
        default=False,
    )
