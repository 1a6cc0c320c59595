"""structlearn's work."""

import structlearn as sl
from benchmarks.model_work.work import Library

WORK = Library(
    load=sl.load,
    prepare=lambda frame, model: sl.Dataset(frame).align(model.labels),
    fit=lambda data, model: sl.BayesianNetwork(model.graph).fit(data),
    sample=lambda model, n: model.sample(n, random_state=0),
    ready=lambda model: model,
    answer=lambda model, question: model.query([question.node], question.evidence).probabilities,
    predict=lambda model, data, node: model.predict(data, node)[node],
)
