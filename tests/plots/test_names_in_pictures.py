"""Names are written in pictures as they are: in one line, cut where they are long, and no mathematics."""

from io import BytesIO

import numpy as np
import pytest

import structlearn as sl
from structlearn.plots import plot_dendrogram, plot_learning, plot_module, plot_trajectories
from tests.plots.test_trajectories import TABLE

ODD = {"a": r"$\b$", "b": "$x_1$ of\n" + "GO:0006355 regulation of transcription, DNA-templated" * 3}
WRITTEN = [r"\$\b\$", r"\$x_1\$ of GO:0006355 regulation of trans…"]


def odd_table():
    return {ODD.get(name, name): column for name, column in TABLE.items()}


def measured():
    rng = np.random.default_rng(0)
    first = rng.normal(size=40)
    return {ODD["a"]: first, ODD["b"]: np.where(first > 0, 3.0, -3.0) + rng.normal(size=40)}


def modules():
    return sl.ModuleNetwork(n_modules=1, regulators=[ODD["a"]], assign_regulators=False).fit(measured())


PICTURES = {
    "trajectories": lambda: [
        panel.get_title()
        for panel in drawn(plot_trajectories(fitted().trajectories_)).axes
        if panel.get_title()
    ],
    "dendrogram": lambda: labels(drawn(plot_dendrogram(sl.SimilarityNetwork().fit(measured()))).axes[1]),
    "module": lambda: [
        name
        for panel in drawn(plot_module(modules(), measured(), "module 1")).axes[:2]
        for name in labels(panel)
    ],
}


def fitted():
    return sl.SystemIdentification(time="t", series="id").fit(odd_table())


def labels(panel):
    return [label.get_text() for label in panel.get_yticklabels()]


def drawn(figure):
    figure.savefig(BytesIO())
    return figure


@pytest.mark.parametrize("picture", PICTURES)
def test_odd_names_are_written_as_they_are(picture):
    assert sorted(PICTURES[picture]()) == sorted(WRITTEN)


def test_edges_between_odd_names_are_drawn():
    drawn(plot_learning(sl.SimilarityNetwork(threshold=0.1).fit(measured())))
