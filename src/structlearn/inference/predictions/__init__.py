"""Many rows at once: what is expected of a node given the rest of each row, and gaps filled in."""

from structlearn.inference.predictions.doors import imputed, predicted, predicted_shares

__all__ = ["imputed", "predicted", "predicted_shares"]
