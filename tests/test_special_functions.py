"""Functions of scipy.special are those of scipy.special, and come without the rest of it."""

import subprocess
import sys

TAIL_FIRST = """
import sys
from structlearn.later import special
special.chdtrc(2.0, 1.0)
print("scipy.special" in sys.modules)
import scipy.special
print(scipy.special.chdtrc is special.chdtrc, special.zeta is scipy.special.zeta)
"""
OTHER_THREAD = """
import sys, threading
from structlearn import special_functions
found = []
def ask():
    import scipy.special
    found.append(callable(scipy.special.logsumexp))
class Begun:
    def find_spec(self, name, path, target=None):
        if name == special_functions.IN_C and not thread.ident:
            thread.start()
            thread.join(0.2)
thread = threading.Thread(target=ask)
sys.meta_path.insert(0, Begun())
functions = special_functions.functions_in_c()
thread.join()
import scipy.special
print(found, functions.chdtrc is scipy.special.chdtrc)
"""
ANOTHER_SHAPE = """
from structlearn import special_functions
special_functions.IN_C = "scipy.special._elsewhere"
from structlearn.later import special
print(special_functions.functions_in_c(), special.chdtrc(2.0, 0.0))
"""


def said_by(code):
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout


def test_a_tail_loads_the_functions_in_c_only_and_the_package_is_whole_afterwards():
    assert said_by(TAIL_FIRST) == "False\nTrue True\n"


def test_another_thread_that_imports_the_package_meanwhile_has_all_of_it():
    assert said_by(OTHER_THREAD) == "[True] True\n"


def test_scipy_of_another_shape_is_loaded_as_a_whole():
    assert said_by(ANOTHER_SHAPE) == "None 1.0\n"
