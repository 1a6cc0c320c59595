"""Kernels in tiers: when they are compiled, and that nothing else tells the tiers apart."""

import copy
import itertools
import math
import os
import pickle
import shutil
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest

from structlearn import compile as tiers
from structlearn import machine_code
from structlearn.compile import Kernel, count_bits, dot, kernel, log_gamma
from structlearn.scores import BIC
from structlearn.scores.kernels import discrete, trees
from structlearn.scores.tree_growth import growth_rule

pytestmark = pytest.mark.compiled


@kernel
def total(values):
    found = 0.0
    for value in values:
        found += value
    return found


@kernel
def totals(table):
    found = np.empty(table.shape[0])
    for row in range(table.shape[0]):
        found[row] = total(table[row])
    return found


@kernel
def hashed(word, times):
    for _ in range(times):
        word = word * np.uint64(6364136223846793005) + np.uint64(1442695040888963407)
    return word


@kernel
def floor_and_rest(value, by):
    return value // by, value % by


@kernel
def bits_of(word):
    return count_bits(word)


@kernel
def by_libraries(values):
    return log_gamma(values[0]), dot(values, values)


@kernel
def plus(number, more):
    return number + more


@kernel(inline=True)
def first_below(values, limit):
    for place in range(values.size):
        if values[place] < limit:
            return place
    return -1


@kernel
def places_below(values, limits, out):
    for place in range(limits.size):
        out[place] = first_below(values, limits[place])


def own_twice(number):
    return plus(number, 0) + plus(number, 1) + plus(2, number)


@pytest.fixture(autouse=True)
def interpreted_first(monkeypatch):
    """Kernels as they are at the start of a program; numba is there, so nothing is spent on that."""
    spending = tiers._Spending()
    spending.compiled = spending.expected = 1.0
    monkeypatch.setattr(tiers, "_spending", spending)


def fresh(function):
    return Kernel(function.py_func)


def test_a_kernel_is_interpreted_until_its_rent_reaches_the_price():
    one = fresh(total)
    one(np.ones(3))
    assert not one.is_compiled
    assert one.rent > 0.0

    one.rent = 1000.0

    assert one(np.ones(3)) == 3.0
    assert one.is_compiled
    assert one.func is one.dispatcher


def test_one_call_that_could_run_long_is_compiled_at_once():
    one = fresh(total)

    assert one(np.ones(tiers.MOST_STEPS + 1)) == tiers.MOST_STEPS + 1
    assert one.is_compiled


def test_one_call_that_is_shorter_than_compiling_is_interpreted(monkeypatch):
    one = fresh(total)
    one._seems_cached = False
    monkeypatch.setattr(Kernel, "_cost_of_compiling", lambda _: 1.0)
    n_steps = int(1.0 / tiers.SECONDS_PER_STEP)

    assert not one._could_run_long((np.empty(n_steps),))
    assert one._could_run_long((np.empty(n_steps + 1),))


def test_a_number_among_the_options_is_no_number_of_steps():
    one = fresh(total)

    assert not one._could_run_long(((10 * tiers.MOST_STEPS, np.ones(3)),))
    assert one._could_run_long((10 * tiers.MOST_STEPS,))


def test_work_that_is_foreseen_counts_from_where_it_begins_and_once(monkeypatch):
    monkeypatch.setattr(tiers, "_spending", tiers._Spending())
    one = fresh(total)
    one._seems_cached = False
    tiers._spending.interpreted = 0.25 * tiers.SECONDS_NOBODY_MINDS

    tiers.foresee(0.5 * tiers.SECONDS_NOBODY_MINDS)
    tiers._spending.interpreted = 0.75 * tiers.SECONDS_NOBODY_MINDS
    assert not one._is_due

    tiers.foresee(0.25 * tiers.SECONDS_NOBODY_MINDS)
    assert one._is_due


def test_a_kernel_without_a_loop_does_not_run_long():
    assert not fresh(bits_of)._could_run_long((np.empty(10 * tiers.MOST_STEPS),))


def test_machine_code_on_disk_is_loaded_before_any_would_be_compiled(monkeypatch, tmp_path):
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(tiers, "_spending", tiers._Spending())
    tiers._spending.interpreted = tiers.SECONDS_BEFORE_LOADING
    code = total.py_func.__code__
    folder = tmp_path / f"{Path(__file__).parent.name}_of_a_hash"
    folder.mkdir()
    assert not fresh(total)._is_due

    (folder / f"{Path(__file__).stem}.total-{code.co_firstlineno}.py311.nbi").touch()

    assert fresh(total)._is_due


def test_machine_code_on_disk_is_loaded_at_once_for_a_wide_table(monkeypatch):
    monkeypatch.setattr(tiers, "_spending", tiers._Spending())
    one = fresh(total)
    one._seems_cached = True

    tiers.foresee_columns(8)
    assert not one._is_due

    tiers.foresee_columns(37)
    tiers.foresee_columns(2)
    assert one._is_due

    one._seems_cached = False
    assert not one._is_due


def test_the_first_call_for_a_wide_table_loads_what_was_compiled_for_such_arguments(monkeypatch):
    monkeypatch.setattr(tiers, "_spending", tiers._Spending())
    fresh(total)._compile((np.ones(3),))
    narrow, wide, other = fresh(total), fresh(total), fresh(total)

    assert narrow(np.ones(3)) == 3.0
    tiers.foresee_columns(37)
    assert wide(np.ones(3)) == 3.0
    assert other(np.ones(3, dtype=np.complex64)) == 3.0

    assert [each.is_compiled for each in (narrow, wide, other)] == [False, True, False]


def test_loading_machine_code_imports_nothing_that_only_compiling_needs(tmp_path):
    code = """
import sys, numpy as np
from structlearn.scores.kernels.discrete import laplace_of_state
laplace_of_state(np.ones(3), 1.0, True, False)
print(sorted({"numba.np.arrayobj", "numba.np.arraymath", "scipy.linalg"} & set(sys.modules)))
print(sorted({"yaml", "scipy", "importlib.metadata", "numpy.ma"} & set(sys.modules)))
from numba.core import entrypoints, runtime
print(runtime.rtsys._init, entrypoints._already_initialized)
"""
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path), "STRUCTLEARN_COMPILE": "always"}
    command = [sys.executable, "-c", code]

    said = [subprocess.check_output(command, env=environment, text=True).strip() for _ in range(2)]

    assert said == [
        "['numba.np.arraymath', 'numba.np.arrayobj']\n['importlib.metadata']\nTrue True",
        "[]\n[]\nFalse False",
    ]


def test_a_kernel_that_is_compiled_links_with_one_from_disk(tmp_path):
    (tmp_path / "pair.py").write_text("""
import numpy as np
from structlearn.compile import compiled, kernel

@kernel
def more(x):
    return x + 1.0

@kernel
def all_more(xs):
    made = np.empty(xs.size)
    for i in range(xs.size):
        made[i] = more(xs[i])
    return made
""")
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path), "STRUCTLEARN_COMPILE": "always"}
    environment["PYTHONPATH"] = os.pathsep.join([str(tmp_path), *sys.path])
    first = "import pair; print(pair.more(1.0))"
    then = f"{first}; print(pair.all_more(pair.np.ones(3)), pair.compiled()['pair.more'])"

    said = [subprocess.check_output([sys.executable, "-c", code], env=environment) for code in (first, then)]

    assert said == [b"2.0\n", b"2.0\n[2. 2. 2.] None\n"]


def test_a_file_that_seems_to_be_machine_code_is_where_numba_keeps_it(monkeypatch, tmp_path):
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr("numba.core.config.CACHE_DIR", str(tmp_path))

    fresh(total)._compile((np.ones(3),))

    assert fresh(total)._seems_cached


def test_a_small_tree_is_interpreted_though_its_depth_has_no_limit():
    one, rule = fresh(trees.grow), growth_rule(BIC(), 4.0)

    one(np.array([[0.0, 1.0]]), np.array([[2.0, 0.0], [0.0, 2.0]]), np.array([2]), np.array([[0, 1]]), rule)

    assert not one.is_compiled


def test_a_kernel_pays_for_what_it_calls_as_its_price_is_that_of_all(monkeypatch):
    seconds, outer, inner = [0.0], fresh(totals), fresh(total)
    monkeypatch.setitem(outer.py_func.__globals__, "total", inner)
    monkeypatch.setattr(tiers, "thread_time", lambda: seconds[0])
    monkeypatch.setattr(tiers, "_spending", tiers._Spending())
    inner.price = math.inf
    inner.uncompiled = lambda _: seconds.__setitem__(0, seconds[0] + 2.0) or 1.0

    outer.interpret(np.ones((3, 5)))

    assert outer.rent == 3 * 2.0


def test_what_is_called_is_counted_once_in_what_all_have_cost():
    outer, before = fresh(totals), tiers._spending.interpreted

    outer.interpret(np.ones((50, 200)))

    assert tiers._spending.interpreted - before == pytest.approx(outer.rent, rel=1e-9)


def test_a_compiled_kernel_calls_those_that_are_interpreted():
    outer = fresh(totals)

    assert outer.dispatcher(np.array([[1.0, 2.0], [3.0, 4.0]])).tolist() == [3.0, 7.0]


def test_what_is_inlined_is_within_those_that_call_it_and_gives_the_same():
    values, limits = np.array([3.0, 1.0, 2.0]), np.array([4.0, 3.0, 2.0, 1.0])
    found, compiled = np.empty((2, 4), dtype=np.int64)
    outer = fresh(places_below)

    outer.interpret(values, limits, found)
    outer.dispatcher(values, limits, compiled)

    assert found.tolist() == compiled.tolist() == [0, 1, 1, -1]
    assert not first_below.is_compiled


@pytest.mark.parametrize("run", [Kernel.interpret, Kernel.__call__], ids=["function", "tiers"])
def test_whole_numbers_wrap_around_in_silence_and_come_back_as_python_has_them(run):
    word = (6364136223846793005 * 3 + 1442695040888963407) % 2**64

    found = run(fresh(hashed), np.uint64(3), 1)

    assert type(found) is int
    assert found == word
    assert fresh(hashed).dispatcher(np.uint64(3), 1) == word


@pytest.mark.parametrize(("value", "by"), [(-7, 2), (7, -2), (-7, -2), (-8, 2), (0, -3)])
def test_negative_numbers_divide_as_in_python(value, by):
    one = fresh(floor_and_rest)

    assert one(np.int64(value), by) == one.dispatcher(value, by) == (value // by, value % by)


@pytest.mark.parametrize("word", [0, 1, 2**63, 2**64 - 1, 0b1011])
def test_bits_are_counted_in_both_tiers(word):
    assert fresh(bits_of)(np.uint64(word)) == bits_of.dispatcher(np.uint64(word)) == word.bit_count()


def test_libraries_give_both_tiers_the_same_bits():
    rng = np.random.default_rng(0)
    for values in rng.gamma(1.0, 20.0, size=(200, 7)):
        found = fresh(by_libraries)(values)

        assert found == by_libraries.dispatcher(values)
        assert found == pytest.approx((math.lgamma(values[0]), (values * values).sum()))


def test_a_kernel_is_pickled_by_its_name_as_a_function_is():
    assert pickle.loads(pickle.dumps(discrete.log_likelihoods)) is discrete.log_likelihoods  # noqa: S301
    assert copy.deepcopy(discrete.log_likelihoods) is discrete.log_likelihoods


def test_threads_share_a_kernel_while_one_of_them_compiles_it():
    one = fresh(total)
    one.rent = 1000.0
    found = []
    threads = [threading.Thread(target=lambda: found.append(one(np.arange(100.0)))) for _ in range(8)]

    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert found == [4950.0] * 8
    assert one.func is one.dispatcher


def heard_of(name, silence, monkeypatch):
    """What a listener hears of a kernel that is compiled until it has heard, or not for a moment."""
    heard, has_heard = [], threading.Event()
    monkeypatch.setattr(tiers, "SECONDS_OF_SILENCE", silence)
    with tiers.telling(lambda what: (heard.append(what), has_heard.set())), tiers._told(name):
        assert has_heard.wait(10 if silence == 0.0 else 0.0) is (silence == 0.0)
    return heard


def test_whoever_listens_hears_of_a_kernel_that_takes_long_to_compile(monkeypatch):
    assert heard_of("settle", 0.0, monkeypatch) == ["settle", None]
    assert heard_of("settle", 60.0, monkeypatch) == [None]


def test_a_kernel_within_another_is_timed_now_and_then_and_counts_for_the_rest(monkeypatch):
    outer, inner = fresh(totals), fresh(total)
    monkeypatch.setitem(outer.py_func.__globals__, "total", inner)
    ticks = itertools.count()
    monkeypatch.setattr(tiers, "thread_time", lambda: float(next(ticks)))
    inner.price = outer.price = math.inf

    found = outer(np.ones((1 + 2 * (tiers.MOST_UNTIMED + 1), 3)))

    assert found.tolist() == [3.0] * found.size
    assert inner.rent == found.size  # one tick for each call, though three were timed
    assert outer.rent == 2 * 3 + 1


def test_a_constant_in_a_call_is_no_type_of_its_own(monkeypatch):
    monkeypatch.setattr(machine_code.MachineCode, "load_overload", lambda *_: None)  # compiled here and now
    twice = Kernel(own_twice)

    assert twice.dispatcher(3) == 3 + 4 + 5
    assert len(plus.dispatcher.overloads) == 1


def test_others_go_on_interpreted_while_a_thread_compiles():
    one = fresh(total)
    one.is_being_compiled, one.price = True, 0.0
    one.rent = 1.5 * tiers.SHARE * one._cost()

    assert one(np.ones(3)) == 3.0
    assert one.func is not one.dispatcher


def test_a_small_fit_does_not_load_numba():
    code = (
        "import sys, structlearn as sl; sl.PC().fit(sl.example('asia').sample(500, random_state=0));"
        "print('numba' in sys.modules)"
    )

    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout

    assert out.strip() == "False"


def test_without_the_compiler_kernels_are_plain_functions():
    code = "from structlearn.compile import kernel; f = lambda x: x; print(kernel(f) is f)"
    environment = {"NUMBA_DISABLE_JIT": "1", "PYTHONPATH": ":".join(sys.path)}

    out = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environment
    ).stdout

    assert out.strip() == "True"


KEPT_NOWHERE = """
import sys, warnings
sys.path.insert(0, sys.argv[1])
import numpy as np
with warnings.catch_warnings(record=True) as heard:
    warnings.simplefilter("always")
    import own_kernels
    print(own_kernels.twice(np.arange(3.0)), own_kernels.twice.is_compiled)
for each in heard:
    print(each.message)
"""
OWN_KERNELS = """
from structlearn.compile import kernel

@kernel
def once(x):
    return x[0] + x[1]

@kernel
def twice(x):
    return once(x) + once(x)
"""


def own_kernels(folder, *, before=(), **variables):
    """What a program with two kernels in a folder says, each compiled at once."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("NUMBA", "XDG"))}
    environment = {**kept, "STRUCTLEARN_COMPILE": "always", "PYTHONDONTWRITEBYTECODE": "1", **variables}
    (folder / "own_kernels.py").write_text(OWN_KERNELS)
    return lambda: subprocess.run(
        [*before, sys.executable, "-c", KEPT_NOWHERE, str(folder)],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    ).stdout.splitlines()


def check_warned_once(said):
    assert said[0] == "2.0 True"
    assert len(said) == 2
    assert said[1].startswith("Compiled code cannot be kept (")


def test_where_no_folder_can_keep_compiled_code_one_sentence_says_so(tmp_path):
    (tmp_path / "__pycache__").touch()  # a file in place of a folder stops an administrator too

    check_warned_once(own_kernels(tmp_path, HOME=os.devnull)())


def test_folders_that_may_only_be_read_end_nothing(tmp_path):
    obeying = ["setpriv", "--bounding-set=-dac_override", "--inh-caps=-dac_override"]
    before = obeying if os.geteuid() == 0 else []
    if before and (not shutil.which("setpriv") or subprocess.run([*before, "true"], check=False).returncode):
        pytest.skip("needs setpriv, since modes do not stop an administrator")
    (tmp_path / "home").mkdir(mode=0o555)
    program = own_kernels(tmp_path, before=before, HOME=str(tmp_path / "home"))
    tmp_path.chmod(0o555)

    said = program()
    tmp_path.chmod(0o755)

    check_warned_once(said)


def test_a_folder_that_is_named_keeps_compiled_code_and_nothing_is_said(tmp_path):
    (tmp_path / "__pycache__").touch()
    program = own_kernels(tmp_path, HOME=os.devnull, NUMBA_CACHE_DIR=str(tmp_path / "kept"))

    assert program() == ["2.0 True"]
    assert len(list((tmp_path / "kept").rglob("*.nbc"))) == 2


def test_damaged_machine_code_is_compiled_again(tmp_path):
    program = own_kernels(tmp_path)
    assert program() == ["2.0 True"]
    files = [*(tmp_path / "__pycache__").glob("*.nb?")]
    assert len(files) == 4
    whole = {file: file.read_bytes() for file in files}

    for file in files:
        file.write_bytes(whole[file][: len(whole[file]) // 2])

    assert program() == ["2.0 True"]
    assert all(len(file.read_bytes()) > len(whole[file]) // 2 for file in files)


def test_a_full_disk_under_the_machine_code_ends_nothing(monkeypatch):
    def fail(*_):
        raise OSError(28, "No space left on device")

    one = fresh(total)
    monkeypatch.setattr(machine_code, "_said", [])
    monkeypatch.setattr(machine_code.FunctionCache, "save_overload", fail)
    monkeypatch.setattr(machine_code.FunctionCache, "_load_overload", fail)

    with pytest.warns(RuntimeWarning, match=r"\(No space left on device\).*NUMBA_CACHE_DIR"):
        found = one._compile((np.ones(3),))(np.ones(3))

    assert found == 3.0
