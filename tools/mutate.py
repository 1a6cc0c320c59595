"""Try the tests of a module: change it here and there, and see whether they notice.

`python -m tools.mutate structlearn.graphs.compare --sample 20` draws twenty mutants of the module and runs
its close tests on each: those in the mirrored place of tests/, and those that import the module or
something it defines. A mutant that no test notices is shown as a difference. Look at each: either it changes
nothing that anybody could see, or there is a test to write.

Mutants live in a copy of src/; the working tree stays as it is.
"""

import argparse
import ast
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from difflib import unified_diff
from pathlib import Path
from typing import Literal

from tools.mutants import Mutant, mutants_of

ROOT = Path(__file__).parents[1]
PATIENCE = 4.0  # how many times as long as without a mutant the tests may take, before one counts as noticed
START_S = 20.0  # for imports and compiling on a busy machine

Fate = Literal["noticed", "survived", "endless"]


@dataclass(frozen=True)
class Project:
    """Where sources and tests are."""

    root: Path

    def file_of(self, module: str) -> Path:
        """The source of a module, by its dotted name."""
        path = self.root.joinpath("src", *module.split(".")).with_suffix(".py")
        if not path.is_file():
            raise SystemExit(f"There is no module {module!r}: no file {path}.")
        return path

    def folder_of_tests(self, module: str) -> Path:
        """The folder of tests that mirrors that of a module."""
        _, *folders, _ = module.split(".")
        return self.root.joinpath("tests", *folders)

    def close_tests(self, module: str) -> list[Path]:
        """The tests in the mirrored place, and those that import the module or what it defines."""
        package, _, name = module.rpartition(".")
        mirrored = self.folder_of_tests(module)
        defined = _defined(self.file_of(module).read_text(encoding="utf-8"))
        wanted = {module, *(f"{package}.{thing}" for thing in defined)}
        top = module.partition(".")[0]
        wanted |= {f"{top}.{thing}" for thing in defined}
        close = {mirrored / f"test_{name}.py"} | {
            path for path in self.root.joinpath("tests").rglob("test_*.py") if wanted & set(_used(path, top))
        }
        # The nearest first: most mutants are noticed there.
        return sorted(
            (path for path in close if path.is_file()), key=lambda path: (path.parent != mirrored, path)
        )


@dataclass(frozen=True)
class Trial:
    """A module in a copy of the sources, and the tests that are run on it."""

    project: Project
    copy: Path
    module: str
    tests: Sequence[Path]

    def run(self, source: str, limit_s: float | None = None) -> Fate:
        """Run the tests on this source of the module, until the first one fails."""
        path = Project(self.copy).file_of(self.module)
        path.write_text(source, encoding="utf-8")
        for stale in path.parent.glob(f"__pycache__/{path.stem}.*.pyc"):
            stale.unlink()  # two mutants of one second and one size would share it
        environment = {
            **os.environ,
            "PYTHONPATH": str(self.copy / "src"),
            "HYPOTHESIS_STORAGE_DIRECTORY": str(self.copy / "hypothesis"),
        }
        options = ["-q", "-x", "-p", "no:cacheprovider", "--no-header", "--tb=no"]
        try:
            ended = subprocess.run(  # noqa: S603, our own tests
                [sys.executable, "-m", "pytest", *options, *map(str, self.tests)],
                cwd=self.project.root,
                env=environment,
                timeout=limit_s,
                capture_output=True,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return "endless"
        return "survived" if ended.returncode == 0 else "noticed"


def tried(
    project: Project,
    module: str,
    tests: Sequence[Path],
    mutants: Sequence[Mutant],
    wider: Sequence[Path] = (),
) -> Iterator[tuple[Mutant, Fate]]:
    """What becomes of each mutant, one after the other; what survives meets the wider tests too."""
    source = project.file_of(module).read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(project.root / "src", Path(folder) / "src")
        trial = Trial(project, Path(folder), module, tests)
        began = time.monotonic()
        if trial.run(source) != "survived":
            raise SystemExit("The tests fail without any mutant. Mend them first.")
        limit_s = START_S + PATIENCE * (time.monotonic() - began)
        for mutant in mutants:
            fate = trial.run(mutant.source, limit_s)
            if fate == "survived" and wider:
                fate = replace(trial, tests=wider).run(mutant.source)
            yield mutant, fate


def main(arguments: Sequence[str] | None = None, project: Project | None = None) -> None:
    """Draw mutants, try them, and print those that no test notices."""
    options = _parser().parse_args(arguments)
    project = project or Project(ROOT)
    source = project.file_of(options.module).read_text(encoding="utf-8")
    tests = [*project.close_tests(options.module), *options.tests]
    if not tests:
        raise SystemExit(f"No test is close to {options.module}; name some with --tests.")
    mutants = mutants_of(source)
    drawn = random.Random(options.seed).sample(mutants, min(options.sample, len(mutants)))  # noqa: S311, no secret
    wider = [project.folder_of_tests(options.module)] if options.folder else []
    _say(f"{options.module}: {len(drawn)} of {len(mutants)} mutants, {len(tests)} files of tests")
    n_noticed = 0
    by_line = sorted(drawn, key=lambda mutant: mutant.line)
    for mutant, fate in tried(project, options.module, tests, by_line, wider):
        n_noticed += fate != "survived"
        _say(f"{fate:8}  line {mutant.line}: {mutant.before.splitlines()[0]} → {mutant.after}")
        if fate == "survived":
            _say(_difference(source, mutant.source))
    _say(f"noticed {n_noticed} of {len(drawn)} ({n_noticed / max(len(drawn), 1):.0%})")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tools.mutate", description=__doc__.splitlines()[0])
    parser.add_argument("module", help="its dotted name, such as structlearn.graphs.compare")
    parser.add_argument("--sample", type=int, default=20, help="how many mutants to try (20)")
    parser.add_argument("--seed", type=int, default=0, help="which ones (0)")
    parser.add_argument("--tests", type=Path, nargs="+", default=[], help="more tests, beside the close ones")
    parser.add_argument("--folder", action="store_true", help="try survivors on all tests of the same folder")
    return parser


def _defined(source: str) -> set[str]:
    """The public names at the top of a module."""
    found: set[str] = set()
    for node in ast.parse(source).body:
        if isinstance(node, ast.ClassDef | ast.FunctionDef):
            found.add(node.name)
        elif isinstance(node, ast.Assign):
            found |= {target.id for target in node.targets if isinstance(target, ast.Name)}
    return {name for name in found if not name.startswith("_")}


def _used(path: Path, top: str) -> Iterator[str]:
    """The modules and names of a package that a file of tests imports or, as `sl.name`, uses."""
    aliases = {top}
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        match node:
            case ast.Import(names):
                yield from (alias.name for alias in names)
                aliases |= {alias.asname for alias in names if alias.name == top and alias.asname}
            case ast.ImportFrom(str(module), names):
                yield module
                yield from (f"{module}.{alias.name}" for alias in names)
            case ast.Attribute(ast.Name(name), attribute) if name in aliases:
                yield f"{top}.{attribute}"


def _difference(before: str, after: str) -> str:
    lines = unified_diff(before.splitlines(), after.splitlines(), "as it is", "mutant", lineterm="", n=1)
    return "\n".join(f"    {line}" for line in lines)


def _say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
