"""Kernels for graphics cards give what their twins give, under numba's simulator of CUDA."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import structlearn as sl
from structlearn.gpu import card, families

# A process for the checks of each module, as the simulator takes long to load; a traceback names the check.
MODULES = sorted(path.stem for path in Path(__file__).parent.glob("simulated*.py"))


@pytest.mark.parametrize("module", MODULES)
def test_a_simulated_card_gives_the_same(module):
    command = [sys.executable, "-W", "ignore", "-m", "tests.gpu.simulated", f"tests.gpu.{module}"]
    ended = subprocess.run(
        command, env=os.environ | {"NUMBA_ENABLE_CUDASIM": "1"}, capture_output=True, text=True, check=False
    )

    assert ended.returncode == 0, ended.stderr


def no_card():
    raise sl.OptionError("device='cuda': there is no graphics card that CUDA can use.")


@pytest.fixture
def data():
    return sl.example("cancer").sample(200, random_state=0)


def test_without_a_card_cuda_is_refused_and_auto_says_who_did_the_work(monkeypatch, data):
    monkeypatch.setattr(card, "free_bytes", no_card)
    with pytest.raises(sl.OptionError, match="no graphics card"):
        sl.ExactSearch(device="cuda").fit(data)
    found = sl.ExactSearch(device="auto").fit(data)
    assert "the processor did the work" in found.status_
    assert found.graph_ == sl.ExactSearch().fit(data).graph_


def test_a_card_that_is_too_small_is_refused_with_the_bytes(monkeypatch, data):
    monkeypatch.setattr(card, "free_bytes", lambda: 1000)
    with pytest.raises(sl.OptionError, match=r"264 bytes of the card's memory, and 1,000 are free"):
        sl.ExactSearch(device="cuda").fit(data)
    assert "The processor did the work" in sl.ExactSearch(device="auto").fit(data).status_


def test_families_that_do_not_fit_are_refused_or_left_to_the_processor(monkeypatch, data):
    monkeypatch.setattr(families, "FEWEST_SETS", 0)
    monkeypatch.setattr(card, "free_bytes", lambda: 1000)
    # Values of 31 sets; 10 pairs of 4 cells and 10 triples of 8, 4 bytes each; 5 · 2 masks of 4 words.
    n_bytes = 31 * 8 + 480 + 320 + 16 * families.MOST_KEPT
    with pytest.raises(sl.OptionError, match=f"4 of 5 columns need {n_bytes:,} bytes"):
        sl.OrderSearch(device="cuda", candidates=None).fit(data)
    found = sl.OrderSearch(device="auto", candidates=None).fit(data)
    assert "The processor did the work" in found.status_
    assert found.graph_ == sl.OrderSearch(candidates=None).fit(data).graph_


@pytest.mark.parametrize(
    "options", [{"max_parents": 4}, {"knowledge": sl.Knowledge(required=[("Cancer", "Xray")])}]
)
def test_families_that_are_not_for_cards_are_scored_by_the_processor(monkeypatch, data, options):
    monkeypatch.setattr(families, "FEWEST_SETS", 0)
    monkeypatch.setattr(card, "free_bytes", no_card)
    found = sl.OrderSearch(device="cuda", candidates=None, **options).fit(data)
    assert found.graph_ == sl.OrderSearch(candidates=None, **options).fit(data).graph_


def test_sums_over_orders_that_do_not_fit_are_refused_or_left_to_the_processor(monkeypatch, data):
    monkeypatch.setattr(card, "free_bytes", lambda: 1000)
    with pytest.raises(sl.OptionError, match=r"subsets of 5 columns need 640 bytes .* draw orders"):
        sl.ExactPosterior(device="cuda").fit(data)
    found = sl.ExactPosterior(device="auto").fit(data)
    assert "The processor did the work" in found.status_
    assert found.probabilities_ == sl.ExactPosterior().fit(data).probabilities_


def test_integer_programming_is_not_for_cards(data):
    with pytest.raises(sl.OptionError, match="solver='ilp'"):
        sl.ExactSearch(device="cuda", solver="ilp").fit(data)


def test_nothing_of_cuda_is_loaded_unless_asked_for():
    fit = "sl.ExactSearch().fit(sl.example('cancer').sample(50, random_state=0))"
    code = f"import sys, structlearn as sl; {fit}; print([name for name in sys.modules if 'cuda' in name])"
    command = [sys.executable, "-W", "ignore", "-c", code]
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip() == "[]"
