"""Pictures of models show what is believed of each node, whatever the names."""

from xml.etree import ElementTree as ET

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import structlearn as sl
from structlearn.errors import DataError, OptionError
from structlearn.inference.beliefs import beliefs_of, single_findings
from structlearn.models import LinearGaussianCPD, TableCPD
from tests.contracts.test_every_model import UNDIRECTED
from tests.oracles.inference import random_network
from tests.oracles.models import asia, network

SVG = "{http://www.w3.org/2000/svg}"
NASTY = st.text(min_size=1, max_size=30) | st.sampled_from(
    ["<b>", "a & b", '">', "]]>", "&amp;", "\\N", "x\ny"]
)


def page_of(picture):
    return ET.fromstring(picture.svg())  # noqa: S314, our own


def texts(page, part):
    """The text of each cell of a kind, by node and state."""
    return {
        group.get("id").removeprefix(f"a_{part}-"): "".join(group.itertext()).strip()
        for group in page.iter(f"{SVG}g")
        if (group.get("id") or "").startswith(f"a_{part}-")
    }


def widths(page, which):
    """How wide the bar of a state is, and the track behind it."""
    (group,) = (g for g in page.iter(f"{SVG}g") if g.get("id") == f"a_bar-{which}")
    found = []
    for shape in group.iter(f"{SVG}polygon"):
        xs = [float(point.split(",")[0]) for point in shape.get("points").split()]
        found.append(max(xs) - min(xs))
    return found


def test_every_state_has_its_share_and_a_bar_as_long():
    model, evidence = asia(), {"xray": "yes"}

    page = page_of(model.plot(evidence=evidence))

    shares = texts(page, "share")
    for i, node in enumerate(model.nodes):
        for j, (label, p) in enumerate(model.query(node, evidence).to_dict().items()):
            assert texts(page, "state")[f"{i}-{j}"] == label
            assert shares[f"{i}-{j}"] == f"{p:.1%}"
            bar, track = widths(page, f"{i}-{j}")
            assert bar + track == pytest.approx(60, abs=0.1)
            assert bar == pytest.approx(60 * p, abs=1.1)


def test_what_is_known_has_another_colour():
    page = page_of(asia().plot(evidence={"xray": "yes"}))

    fills = {
        g.find(f"{SVG}title").text: g.find(f"{SVG}path").get("fill")
        for g in page.iter(f"{SVG}g")
        if g.get("class") == "node"
    }
    assert len(fills) == 8
    assert [name for name, fill in fills.items() if fill != fills["asia"]] == ["xray"]


def test_numbers_have_mean_and_deviation():
    model = network(
        {"a": LinearGaussianCPD(1.0, {}, variance=4.0), "b": LinearGaussianCPD(0.5, {"a": 2.0}, variance=9.0)}
    )

    assert "1 ± 2" in "".join(page_of(model.plot()).itertext())
    assert "2.5 ± 5" in "".join(page_of(model.plot()).itertext())
    assert "4.5 ± 3" in "".join(page_of(model.plot(evidence={"a": 2.0})).itertext())


@pytest.mark.parametrize("model", UNDIRECTED.values(), ids=UNDIRECTED.keys())
def test_models_of_lines_are_drawn_too(model):
    page = page_of(model.plot())

    assert sum(group.get("class") == "node" for group in page.iter(f"{SVG}g")) == 4
    assert sum(group.get("class") == "edge" for group in page.iter(f"{SVG}g")) == 4


def test_a_gaussian_field_and_a_dependency_network_are_drawn_too():
    field = sl.GaussianGraphicalModel(sl.Graph("ab", undirected=["ab"]), [[1.0, 0.5], [0.5, 1.0]])
    dependencies = sl.DependencyNetwork().fit({"a": [0, 0, 1, 1] * 50, "b": [0, 1] * 100}).model_

    assert "-0.5 ± 1" in "".join(page_of(field.plot(evidence={"b": 1.0})).itertext())
    assert len(texts(page_of(dependencies.plot()), "share")) == 4


@settings(max_examples=25)
@given(names=st.lists(NASTY, min_size=4, max_size=4, unique=True))
def test_any_name_can_be_drawn(names):
    graph = sl.Graph(names[:2], directed=[tuple(names[:2])])
    tables = {
        names[0]: TableCPD([0.25, 0.75], labels=names[2:]),
        names[1]: TableCPD([[0.5, 0.5], [0.1, 0.9]], labels=names[2:], parents=names[:1]),
    }

    page = page_of(sl.BayesianNetwork(graph, tables).plot())

    tags = {element.tag.removeprefix(SVG) for element in page.iter()}
    assert tags <= {"svg", "g", "title", "path", "polygon", "text", "a"}
    assert len(texts(page, "share")) == 4


def test_of_many_states_the_first_are_drawn_and_the_others_summed():
    model = network({"a": TableCPD([0.05] * 20, labels=range(20))})

    page = page_of(model.plot())

    assert len(texts(page, "share")) == 7
    assert "… 13 more: 65.0%" in "".join(page.itertext())


@pytest.mark.parametrize("ending", ["svg", "png", "pdf"])
def test_a_picture_is_saved_by_its_ending(tmp_path, ending):
    path = tmp_path / f"asia.{ending}"

    asia().plot(path)

    assert path.read_bytes()[:4] in {b"<svg", b"\x89PNG", b"%PDF"}


def test_what_cannot_be_drawn_is_refused_in_words(tmp_path):
    large = network({f"n{k}": TableCPD([0.5, 0.5], labels=[0, 1]) for k in range(121)})

    with pytest.raises(OptionError, match=r"at most 120 nodes.*model\.graph\.plot"):
        large.plot()
    with pytest.raises(OptionError, match="must end in"):
        asia().plot(tmp_path / "asia.gif")
    with pytest.raises(DataError, match="no node 'xrya'"):
        asia().plot(evidence={"xrya": "yes"})


@pytest.mark.parametrize("seed", range(6))
def test_single_findings_are_answers(seed):
    model = random_network(seed, most_nodes=5, most_levels=3)

    found = single_findings(model)

    findings = [(node, label) for node in model.nodes for label in model.labels[node]]
    assert {node: belief.shares for node, belief in beliefs_of(model).items()} == {
        node: pytest.approx(tuple(shares[0])) for node, shares in found.items()
    }
    for row, (node, label) in enumerate(findings, start=1):
        possible = model.query(node)[label] > 0
        for other, shares in found.items():
            expected = model.query(other, {node: label}).probabilities if possible else 0.0
            assert shares[row] == pytest.approx(expected)


def test_numbers_have_no_single_findings():
    assert single_findings(network({"a": LinearGaussianCPD(1.0, {}, variance=4.0)})) is None
