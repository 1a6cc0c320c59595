"""What was learned, as a terminal shows it."""

import numpy as np
from typer.testing import CliRunner

import structlearn as sl
from structlearn.cli import app

runner = CliRunner()


def test_names_with_line_breaks_stay_on_one_line(tmp_path):
    x, noise = np.random.default_rng(0).normal(size=(2, 60))
    texts = [
        f"{a:.3f},{a + 0.1 * b:.3f},{'yes' if i % 2 else 'no'}"
        for i, (a, b) in enumerate(zip(x, noise, strict=True))
    ]
    (tmp_path / "plain.csv").write_text("\n".join(["the age,y,the state", *texts]))
    (tmp_path / "broken.csv").write_text("\n".join(['"the\nage",y,"the\nstate"', *texts]))

    for arguments in (["describe"], ["learn", "--method", "pc"]):
        said = [
            runner.invoke(app, [*arguments, str(tmp_path / name)]).stdout.replace(name, "").splitlines()
            for name in ("plain.csv", "broken.csv")
        ]
        assert [line for line in said[0] if not line.endswith(" s.")] == [
            line for line in said[1] if not line.endswith(" s.")
        ]


def test_how_a_run_ended_is_said_in_flags(tmp_path):
    table = {f"x{j}": column for j, column in enumerate(np.random.default_rng(0).normal(size=(8, 30)))}
    sl.Dataset(table).save(tmp_path / "wide.csv")

    said = runner.invoke(app, ["learn", str(tmp_path / "wide.csv")]).stdout

    assert 'score="bic"' in sl.BOSS().fit(table).status_
    assert "such as --score bic, for its own price" in said


def test_the_kinds_that_are_said_are_those_of_the_nodes_as_they_were_learned(tmp_path):
    rng = np.random.default_rng(0)
    lines = [f"{i},{rng.integers(3)},{rng.normal():.3f}" for i in range(60)]
    (tmp_path / "t.csv").write_text("\n".join(["when,a,b", *lines]))

    for around in ([], ["--confidence", "2", "--seed", "0"]):
        words = ["learn", str(tmp_path / "t.csv"), "-m", "sparse-var", "--time", "when", *around]
        (said,) = [line for line in runner.invoke(app, words).stdout.splitlines() if "inferred" in line]
        assert said.endswith(": continuous a, b")
