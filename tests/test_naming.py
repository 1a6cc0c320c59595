"""A name that nobody knows is answered with the one that was probably meant."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import structlearn as sl
from structlearn.learners.catalog import CATALOG, METHODS
from structlearn.naming import has_no, listed, meant, no_such

NAMES = st.text(st.characters(categories=["Ll", "Lu", "Nd"]), min_size=4, max_size=12)


@given(NAMES, st.data())
def test_a_name_with_two_letters_changed_places_is_recognised(name, data):
    place = data.draw(st.integers(0, len(name) - 2))
    turned = name[:place] + name[place + 1] + name[place] + name[place + 2 :]
    assert meant(turned, [name, "quite another thing"]) == f" (did you mean {name!r}?)"


@pytest.mark.parametrize("strange", ["hill_climbing", "Hill Climbing", "HILLCLIMBING", "hillclimbing"])
def test_spelling_with_capitals_and_hyphens_is_one_name(strange):
    assert meant(strange, CATALOG) == " (did you mean 'hill-climbing'?)"


def test_nothing_is_proposed_for_a_name_like_no_other():
    assert meant("temperature", CATALOG) == ""
    assert no_such("column", "x", []) == "There is no column 'x'; there are no columns."


def test_of_many_names_eight_are_listed_and_the_rest_counted():
    assert listed("ab") == "'a', 'b'"
    assert listed("abcdefgh") == "'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'"
    assert listed(range(10)) == "0, 1, 2, 3, 4, 5, 6, 7 and 2 more"
    assert listed("abc", 2) == "'a', 'b' and 1 more"


def test_what_there_is_is_said_with_its_owner():
    assert no_such("state", "u", "xy", owner="PC") == "PC: there is no state 'u'; the states are 'x', 'y'."
    assert has_no("PC", "option", "x", []) == "PC has no option 'x'; it has none."
    assert has_no("PC", "option", "z", "abc", shown=2).endswith("its options are 'a', 'b' and 1 more.")


def test_names_of_marks_only_are_compared_as_they_are():
    assert meant("--", ["--", "++"]) == " (did you mean '--'?)"


@pytest.mark.parametrize(
    ("theirs", "ours"),
    [
        ("hc", "HillClimbing"),
        ("tabu", "HillClimbing"),
        ("ges", "GreedyEquivalence"),
        ("fges", "GreedyEquivalence"),
        ("gs", "GrowShrink"),
        ("glasso", "GraphicalLasso"),
        ("mmpc", "MMPC"),
    ],
)
def test_methods_answer_to_what_other_libraries_call_them(theirs, ours):
    assert sl.methods()[theirs].learner == ours


def test_every_name_means_one_method():
    assert len(METHODS) == sum(1 + len(method.aliases) for method in CATALOG.values())


def test_one_call_takes_an_alias_and_learns_the_same_graph():
    data = sl.example("earthquake").sample(500, random_state=0)
    assert sl.learn(data, method="hc") == sl.learn(data, method="hill-climbing")


def test_an_unknown_method_or_example_is_guessed():
    with pytest.raises(sl.OptionError, match=r"no method 'bos' \(did you mean 'boss'\?\)"):
        sl.learn({}, method="bos")
    for method in (sl.PC, sl.PC()):
        with pytest.raises(sl.OptionError, match=r"by its name, .* fit it: PC\(…\)\.fit\(data\)\.graph_"):
            sl.learn({}, method)
    with pytest.raises(sl.OptionError, match="A method is given by its name, such as 'boss', not None"):
        sl.learn({}, None)
    with pytest.raises(sl.OptionError, match=r"did you mean 'asia'"):
        sl.example("Asia")


@pytest.mark.parametrize("make", [sl.HillClimbing, lambda **options: sl.HillClimbing().set_params(**options)])
def test_an_unknown_option_is_guessed(make):
    with pytest.raises(
        (TypeError, sl.OptionError), match=r"no option 'max_parent' \(did you mean 'max_parents'"
    ):
        make(max_parent=3)


def test_a_word_that_an_option_does_not_know_is_guessed():
    data = sl.example("earthquake").sample(50, random_state=0)
    with pytest.raises(sl.OptionError, match=r"score='BDeu'\) \(did you mean 'bdeu'\?\)"):
        sl.HillClimbing(score="BDeu").fit(data)


def test_an_option_of_a_score_is_sent_there():
    with pytest.raises(TypeError, match=r"belongs to a score: score=sl\.scores\.BDeu\(ess=5\)"):
        sl.HillClimbing(ess=5)
    with pytest.raises(sl.OptionError, match=r"test=sl\.independence\.Permutation\(n_permutations=50"):
        sl.learn({}, method="pc", n_permutations=50)
    assert sl.HillClimbing(score=sl.scores.BDeu(ess=5)).score.ess == 5
    assert sl.independence.Permutation(n_permutations=50).n_permutations == 50


def test_an_option_of_a_score_is_plainly_unknown_where_no_score_is_taken():
    with pytest.raises(TypeError, match="PC has no option 'ess'; its options are"):
        sl.PC(ess=5)


def test_columns_nodes_and_states_are_guessed():
    model = sl.example("asia")
    with pytest.raises(sl.DataError, match=r"did you mean 'smoke'"):
        model.query("smoker")
    with pytest.raises(sl.DataError, match=r"'smoke' has no state 'Yes' \(did you mean 'yes'\?\)"):
        model.query("lung", {"smoke": "Yes"})
    with pytest.raises(sl.DataError, match=r"did you mean 'smoke'"):
        model.graph.parents("smokes")
    with pytest.raises(sl.DataError, match=r"did you mean 'smoke'"):
        model.sample(5, random_state=0).column("Smoke")
    with pytest.raises(sl.OptionError, match=r"did you mean 'smoke'"):
        sl.Knowledge(required=[("smok", "lung")]).check(model.nodes)


def test_an_option_of_tables_is_guessed_too():
    with pytest.raises(sl.OptionError, match=r"no option 'decimals' \(did you mean 'decimal'"):
        sl.learn({"a": [1, 2]}, decimals=",")


TEXTS = np.array(["a", "b", "c"])


@pytest.mark.parametrize(
    "refused",
    [
        lambda: sl.Graph(TEXTS).parents("q"),
        lambda: sl.Graph(TEXTS).parents(np.str_("q")),
        lambda: sl.Graph(TEXTS, directed=[("a", np.str_("q"))]),
        lambda: sl.Graph("abc", directed=[tuple(TEXTS[:2])] * 2),
        lambda: sl.Graph("abc", undirected=[sl.Edge(TEXTS[0], TEXTS[0])]),
        lambda: sl.Graph([*TEXTS, *TEXTS]),
        lambda: sl.Knowledge(required=[(TEXTS[0], TEXTS[0])]),
        lambda: sl.Knowledge(tiers=[TEXTS, TEXTS]),
        lambda: sl.Knowledge(forbidden=[TEXTS[:2].tolist()]).check(TEXTS[1:]),
        lambda: sl.Dataset({name: [1.0, 2.5] for name in TEXTS}, columns=[np.str_("q")]),
        lambda: sl.Dataset({name: [1.0, 2.5] for name in TEXTS}, kinds={np.str_("q"): "discrete"}),
    ],
)
def test_names_of_numpy_are_shown_as_others(refused):
    with pytest.raises((sl.DataError, sl.OptionError), match=r"'[abcq]'") as error:
        refused()
    assert "np.str_" not in str(error.value)


def test_names_of_numpy_are_plain_text_in_a_graph():
    graph = sl.Graph(TEXTS, directed=[tuple(TEXTS[:2])], edges=[sl.Edge(*TEXTS[1:])])
    assert repr((graph.nodes, graph.directed)) == "(('a', 'b', 'c'), (('a', 'b'), ('b', 'c')))"
