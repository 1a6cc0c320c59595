"""Files of relational models that were damaged are refused with the name of the file."""

import json
import re

import pytest

import structlearn as sl
from tests.relational.databases import UNIVERSITY, in_duckdb


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    folder = tmp_path_factory.mktemp("model")
    learner = sl.RelationalModel(max_chain=1, pairs=True, aggregates=["mode"])
    learner.fit(in_duckdb(UNIVERSITY, folder)).model_.save(folder / "model.json")
    return (folder / "model.json").read_text(encoding="utf-8")


def test_a_file_that_ends_early_is_refused_by_name(written, tmp_path):
    path = tmp_path / "half.json"
    path.write_text(written[: len(written) // 2], encoding="utf-8")

    with pytest.raises(sl.DataError, match=r"half\.json"):
        sl.load(path)


def test_names_that_do_not_belong_together_are_refused(written, tmp_path):
    path = tmp_path / "changed.json"
    path.write_text(written.replace("registration.grade", "registration.mark", 1), encoding="utf-8")
    assert json.loads(path.read_text(encoding="utf-8")) != json.loads(written)

    with pytest.raises(ValueError, match=r"changed\.json"):
        sl.load(path)


def test_a_class_that_is_renamed_in_one_place_only_is_refused_wherever_that_is(written, tmp_path):
    places = [found.start() for found in re.finditer("student", written)]
    path = tmp_path / "renamed.json"

    for place in places:
        path.write_text(f"{written[:place]}pupil{written[place + 7 :]}", encoding="utf-8")
        with pytest.raises(sl.DataError, match=r"renamed\.json"):
            sl.load(path)


def test_a_class_that_is_renamed_everywhere_is_as_good(written, tmp_path):
    path = tmp_path / "renamed.json"
    path.write_text(written.replace("student", "pupil"), encoding="utf-8")

    assert "pupil.intel" in sl.load(path).dependencies
