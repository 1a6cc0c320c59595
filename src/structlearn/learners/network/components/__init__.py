"""The steps of network component analysis: the known pattern, the fit with its errors, new samples."""
