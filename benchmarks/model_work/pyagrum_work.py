"""pyAgrum's work."""

import pyagrum as gum

from benchmarks.model_work.work import Library


def _sample(model, n):
    generator = gum.BNDatabaseGenerator(model)
    generator.drawSamples(n)
    return generator


def _answer(engine, question):
    engine.setTargets({question.node})
    engine.setEvidence(question.evidence)
    return engine.posterior(question.node).toarray()


WORK = Library(
    load=lambda path: gum.loadBN(str(path)),
    prepare=gum.BNLearner,
    fit=lambda learner, model: learner.learnParameters(model.dag()),
    sample=_sample,
    ready=gum.LazyPropagation,
    answer=_answer,
)
