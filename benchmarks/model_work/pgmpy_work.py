"""pgmpy's work."""

from pgmpy.inference import VariableElimination
from pgmpy.models import DiscreteBayesianNetwork
from pgmpy.readwrite import BIFReader

from benchmarks.model_work.work import Library


def _answer(engine, question):
    return engine.query([question.node], question.evidence, show_progress=False).values


WORK = Library(
    load=lambda path: BIFReader(str(path)).get_model(),
    prepare=lambda frame, _model: frame,
    fit=lambda frame, model: DiscreteBayesianNetwork(model.edges()).fit(frame),
    sample=lambda model, n: model.simulate(n, seed=0, show_progress=False),
    ready=VariableElimination,
    answer=_answer,
)
