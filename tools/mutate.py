"""Try the tests of a module: change it here and there, and see whether they notice.

`python -m tools.mutate structlearn.graphs.compare --sample 20` draws twenty mutants of the module and runs
its close tests on each: those in the mirrored place of tests/, and those that import the module or
something it defines. A mutant that no test notices is shown as a difference. Look at each: either there is a
test to write, or it changes nothing that anybody could see; then its line in `tools/equivalent_mutants.txt`
says why, and it is drawn no more.

Mutants live in a copy of src/; the working tree stays as it is.
"""

import argparse
import ast
import random
import shutil
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import unified_diff
from pathlib import Path

from tools.mutants import Mutant, mutants_of
from tools.trial import Fate, Trial

ROOT = Path(__file__).parents[1]
EQUIVALENT = "equivalent_mutants.txt"  # module ¦ line ¦ before → after ¦ why
BETWEEN = " ¦ "


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

    def equivalent(self, module: str) -> set[str]:
        """The mutants of a module that are known to change nothing, as `judged` writes them."""
        path = self.root / "tools" / EQUIVALENT
        lines = path.read_text(encoding="utf-8").splitlines() if path.is_file() else []
        return {line.rpartition(BETWEEN)[0] for line in lines if line.startswith(module + BETWEEN)}

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


def tried(
    project: Project, module: str, tests: Sequence[Path], mutants: Sequence[Mutant]
) -> Iterator[tuple[Mutant, Fate]]:
    """What becomes of each mutant, one after the other."""
    if not mutants:
        return
    source = project.file_of(module).read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(project.root / "src", Path(folder) / "src")
        trial = Trial(project.root, Path(folder), Project(Path(folder)).file_of(module), tests)
        passages = trial.passages(source)
        for mutant in mutants:
            yield mutant, trial.fate(mutant, passages)


def main(arguments: Sequence[str] | None = None, project: Project | None = None) -> None:
    """Draw mutants, try them, and print those that no test notices."""
    options = _parser().parse_args(arguments)
    project = project or Project(ROOT)
    tests = options.tests or project.close_tests(options.module)
    if not tests:
        raise SystemExit(f"No test is close to {options.module}; name some with --tests.")
    if options.folder:
        tests = [*tests, project.folder_of_tests(options.module)]
    source = project.file_of(options.module).read_text(encoding="utf-8")
    mutants = [(judged(options.module, source, mutant), mutant) for mutant in mutants_of(source)]
    known = project.equivalent(options.module)
    for gone in sorted(known.difference(line for line, _ in mutants)):
        _say(f"no longer there, take it out of {EQUIVALENT}: {gone}")
    drawn = _drawn([mutant for line, mutant in mutants if line not in known], options)
    _say(
        f"{options.module}: {len(drawn)} of {len(mutants)} mutants; {len(known)} are known to change nothing"
    )
    n_noticed = 0
    for mutant, fate in tried(project, options.module, tests, drawn):
        is_noticed = fate in {"noticed", "endless"}
        n_noticed += is_noticed
        _say(f"{fate:9} line {mutant.line}: {mutant}")
        if not is_noticed:
            _say(_difference(source, mutant.source))
    _say(f"noticed {n_noticed} of {len(drawn)} ({n_noticed / max(len(drawn), 1):.0%})")


def judged(module: str, source: str, mutant: Mutant) -> str:
    """A mutant as it is listed once it is known to change nothing; the reason follows."""
    return BETWEEN.join([module, source.splitlines()[mutant.line - 1].strip(), str(mutant)])


def _drawn(mutants: Sequence[Mutant], options: argparse.Namespace) -> list[Mutant]:
    """A sample, or all of some lines."""
    if options.lines:
        return [mutant for mutant in mutants if mutant.line in options.lines]
    drawn = random.Random(options.seed).sample(mutants, min(options.sample, len(mutants)))  # noqa: S311, no secret
    return sorted(drawn, key=lambda mutant: mutant.line)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tools.mutate", description=__doc__.splitlines()[0])
    parser.add_argument("module", help="its dotted name, such as structlearn.graphs.compare")
    parser.add_argument("--sample", type=int, default=20, help="how many mutants to try (20)")
    parser.add_argument("--seed", type=int, default=0, help="which ones (0)")
    parser.add_argument("--lines", type=int, nargs="+", default=[], help="all mutants of these lines instead")
    parser.add_argument("--tests", type=Path, nargs="+", default=[], help="these tests, not the close ones")
    parser.add_argument("--folder", action="store_true", help="all tests of the same folder, too")
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
