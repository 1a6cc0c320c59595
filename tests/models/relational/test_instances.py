"""Networks, answers and samples for the objects of one database."""

import statistics
from functools import cache
from itertools import product

import duckdb
import numpy as np
import pytest

import structlearn as sl
from structlearn.models import TableCPD
from structlearn.models.relational import Dependency, ProbabilisticRelationalModel

KEYS = {"Registration.student": "Student.id", "Registration.course": "Course.id"}
UNIVERSITY = {
    "Student": {"id": ["s1", "s2", "s3", "s4"], "intel": ["hi", "hi", "lo", "lo"]},
    "Course": {"id": ["c1", "c2", "c3"], "diff": ["easy", "hard", "hard"]},
    "Registration": {
        "student": ["s1", "s1", "s2", "s2", "s3", "s3", "s4", "s4"],
        "course": ["c1", "c2", "c1", "c3", "c1", "c2", "c3", "c1"],
        "grade": list("AAABBCCA"),
    },
}
ORDERED = ("mode", "mean", "min", "max", "median", "exists")
VISITS = {"visit.patient": "patient.id"}
CLINIC = {
    "patient": {"id": [1, 2, 3], "health": ["good", "poor", "good"]},
    "visit": {"patient": [1, 1, 1, 2], "pain": [0, 2, 1, 2]},
}


def model_of(tables):
    """The model in which a grade depends on the student and the course, by maximum likelihood."""
    learner = sl.RelationalModel(keys=KEYS, max_chain=1, aggregates=("mean",), pairs=True, smoothing=0)
    return learner.fit(tables).model_


@pytest.fixture(scope="module")
def university():
    return model_of(UNIVERSITY)


@cache
def learnt(aggregate):
    needed = sl.Knowledge(required=[("visit.pain", "patient.health")])
    learner = sl.RelationalModel(keys=VISITS, aggregates=(aggregate,), knowledge=needed, max_parents=1)
    return learner.fit(CLINIC).model_


def clinic_model(aggregate, rng):
    """Health depends on an aggregate of pains, by chances drawn at random."""
    found = learnt(aggregate)
    changed = {}
    for node, each in found.dependencies.items():
        table = rng.dirichlet(np.ones(len(each.cpd.labels)), each.cpd.as_table().shape[:-1])
        cpd = TableCPD(table, labels=each.cpd.labels, parents=each.cpd.parents)
        changed[node] = Dependency(each.parents, cpd)
    return ProbabilisticRelationalModel(found.graph, found.schema, changed)


def seen_by(parent, pains):
    """The code of an aggregate, by the definitions of Python's own module."""
    if not pains:
        return len(parent.labels) - 1
    kind = parent.feature.aggregate
    if kind == "exists":
        return int(parent.feature.value in pains)
    if kind == "mean":
        return sum(statistics.fmean(pains) > cut for cut in parent.cuts)
    makers = {"mode": statistics.mode, "median": statistics.median_low, "min": min, "max": max}
    return makers[kind](sorted(pains))


def chances_of_clinic(model, visits):
    """The joint distribution of pains and of the health of a patient, by enumeration."""
    pain, health = model.dependencies["visit.pain"].cpd, model.dependencies["patient.health"]
    joint = {}
    for pains in product(range(3), repeat=visits):
        chance = np.prod([pain.probabilities[each] for each in pains])
        given = health.cpd.as_table()[seen_by(health.parents[0], list(pains))]
        joint |= {(pains, label): chance * p for label, p in zip(health.cpd.labels, given, strict=True)}
    return joint


def test_a_grade_has_the_chances_of_its_student_and_course(university):
    answer = university.query(UNIVERSITY, "Registration", {"student": "s1", "course": "c2"}, "grade")

    assert answer.to_dict() == pytest.approx({"A": 0.5, "B": 0.5, "C": 0})  # one A, one B of hi/hard


def test_another_grade_tells_of_a_student_who_is_not_known(university):
    answer = university.query(UNIVERSITY, "Registration", ("c2", "s1"), "grade", {"Student[s1].intel": None})

    # His A in the easy course has chance 1 if he is clever and 1/2 if not: clever with 2/3. Then 2/3 · 1/2
    # for A and for B, and 1/3 · 1 for C.
    assert answer.to_dict() == pytest.approx({"A": 1 / 3, "B": 1 / 3, "C": 1 / 3})


def test_without_what_is_stored_an_answer_is_that_of_the_network(university):
    network = university.ground(UNIVERSITY)
    grade = "Registration[c2, s1].grade"
    known = {"Registration[c1, s1].grade": "B", "Course[c1].diff": "easy"}

    answer = university.query(UNIVERSITY, "Registration", ("c2", "s1"), "grade", known, stored=False)

    assert answer.to_dict() == pytest.approx(network.query(grade, known).to_dict())
    assert network.query(grade).to_dict() == pytest.approx(
        # P(hi) = 1/2 and P(easy) = 1/3: the four rows of the table, with 1/6, 1/3, 1/6, 1/3.
        {"A": 1 / 6 + 1 / 3 * 0.5 + 1 / 6 * 0.5, "B": 1 / 3 * 0.5 + 1 / 6 * 0.5, "C": 1 / 3}
    )


def test_a_network_has_a_node_for_each_attribute_of_each_object(university):
    network = university.ground(UNIVERSITY)

    assert len(network.nodes) == 4 + 3 + 8
    parents = {"Student[s4].intel", "Course[c3].diff"}
    assert set(network.graph.parents("Registration[c3, s4].grade")) == parents


def test_chosen_objects_bring_what_they_depend_on(university):
    network = university.ground(UNIVERSITY, {"Registration": [("c3", "s4")]})

    assert set(network.nodes) == {"Registration[c3, s4].grade", "Student[s4].intel", "Course[c3].diff"}


def spelt(names):
    """The university with other names, a mapping, and a registration of nobody for the first course."""
    tables = {table: dict(columns) for table, columns in UNIVERSITY.items()}
    tables["Student"]["id"] = [names.get(name, name) for name in tables["Student"]["id"]]
    others = {
        "student": [None, *(names.get(name, name) for name in tables["Registration"]["student"])],
        "course": ["c1", *tables["Registration"]["course"]],
        "grade": ["B", *tables["Registration"]["grade"]],
    }
    return tables | {"Registration": others}


def test_no_reference_is_not_the_one_to_the_text_none():
    plain, odd = spelt({}), spelt({"s1": "None", "s2": "NULL"})
    model = model_of(plain)

    network = model.ground(odd)
    assert len(set(network.nodes)) == 4 + 3 + 9
    written = ("None", '"NULL"', "NULL", "s3")
    assert {f"Registration[c1, {name}].grade" for name in written} <= set(network.nodes)
    for student, other in ((None, None), ("s1", "None"), ("s2", "NULL"), ("s3", "s3")):
        asked = model.query(odd, "Registration", ("c1", other), "grade").probabilities
        expected = model.query(plain, "Registration", ("c1", student), "grade").probabilities
        assert asked == pytest.approx(expected)


def test_a_number_names_the_text_that_it_is_written_as():
    plain, odd = spelt({}), spelt({"s1": "17"})
    model = model_of(plain)
    expected = model.query(plain, "Registration", {"student": "s1", "course": "c2"}, "grade")

    for key in ({"student": "17", "course": "c2"}, {"student": 17, "course": "c2"}, ("c2", 17)):
        found = model.query(odd, "Registration", key, "grade", {("Student", 17, "intel"): "hi"})
        assert found.probabilities == pytest.approx(expected.probabilities)
    with pytest.raises(sl.OptionError, match="0 objects of Registration"):
        model.query(odd, "Registration", {"student": 18, "course": "c2"}, "grade")


@pytest.mark.parametrize("aggregate", ORDERED)
def test_aggregates_in_a_network_are_what_enumeration_says(aggregate):
    model = clinic_model(aggregate, np.random.default_rng(0))
    joint = chances_of_clinic(model, visits=3)
    network = model.ground(CLINIC)

    poor = sum(chance for (_, health), chance in joint.items() if health == "poor")
    assert network.query("patient[1].health")["poor"] == pytest.approx(poor)
    lonely = model.dependencies["patient.health"].cpd.as_table()[-1]
    assert network.query("patient[3].health").probabilities == pytest.approx(lonely)


@pytest.mark.parametrize("aggregate", ORDERED)
def test_one_visit_given_the_others_and_the_outcome_is_what_enumeration_says(aggregate):
    model = clinic_model(aggregate, np.random.default_rng(1))
    joint = chances_of_clinic(model, visits=3)
    visits = [f"visit[#{place}].pain" for place in (1, 2, 3)]  # in no other order than that of the table
    known = dict(zip(visits[1:], (2, None), strict=True))

    answer = model.query(CLINIC, "visit", "#1", "pain", known)

    chances = np.zeros(3)
    for (pains, health), chance in joint.items():
        if pains[1] == 2 and health == "good":
            chances[pains[0]] += chance
    assert answer.probabilities == pytest.approx(chances / chances.sum())


def test_a_count_depends_on_references_only():
    learner = sl.RelationalModel(keys=VISITS, aggregates=("count",), score="aic", smoothing=0)
    many = {
        "patient": {"id": [*range(40)], "health": ["poor", "good"] * 20},
        "visit": {"patient": [*range(0, 40, 2)] * 2, "pain": [0, 1] * 20},
    }
    model = learner.fit(many).model_

    assert [str(parent.name) for parent in model.dependencies["patient.health"].parents] == [
        "count(visit[patient])"
    ]
    assert model.query(many, "patient", 4, "health")["poor"] == 1
    assert model.query(many, "patient", 5, "health")["good"] == 1


def test_numbers_that_were_cut_count_in_a_mean_as_they_are_stored():
    rng = np.random.default_rng(3)
    shop = {
        "client": {"id": [*range(200)], "rich": ["no", "yes"] * 100},
        "order": {"client": [*range(200)] * 3, "price": (rng.exponential(1, 600) + [1, 9] * 300).tolist()},
    }
    needed = sl.Knowledge(required=[("order.price", "client.rich")])
    learner = sl.RelationalModel(keys={"order.client": "client.id"}, aggregates=("mean",), knowledge=needed)
    model = learner.fit(shop).model_
    [parent] = model.dependencies["client.rich"].parents
    prices = np.array(shop["order"]["price"]).reshape(3, 200).mean(axis=0)

    for client in (0, 1, 77):
        code = int((prices[client] > np.array(parent.cuts)).sum())
        assert model.query(shop, "client", client, "rich").probabilities == pytest.approx(
            model.dependencies["client.rich"].cpd.as_table()[code]
        )


def family(n, rng):
    """People whose mothers were born before them and often passed their blood on; the first have none."""
    mothers = [None if place < 5 else int(rng.integers(place)) for place in range(n)]
    blood = []
    for mother in mothers:
        inherits = mother is not None and rng.random() < 0.8
        blood.append(blood[mother] if inherits else str(rng.choice(["A", "B", "O"])))
    return {"person": {"id": [*range(n)], "mother": mothers, "blood": blood}}


FAMILY = {"keys": {"person.mother": "person.id"}, "acyclic": ["person.mother"], "max_chain": 1}


def test_a_drawn_family_has_the_chances_of_the_model():
    people = family(3000, np.random.default_rng(0))
    model = sl.RelationalModel(**FAMILY).fit(people).model_
    drawn = model.sample(people, random_state=1)["person"]
    table = model.dependencies["person.blood"].cpd.as_table()
    n = np.zeros(table.shape)
    for mother, blood in zip(drawn["mother"], drawn["blood"], strict=True):
        n["ABO".index(drawn["blood"][mother]) if mother is not None else 3, "ABO".index(blood)] += 1

    assert drawn["id"] == people["person"]["id"]
    assert drawn["mother"] == people["person"]["mother"]
    expected = n.sum(axis=1, keepdims=True) * table
    assert ((n - expected)[:3] ** 2 / expected[:3]).sum() < 22.46  # chi-square with 6 df: once in a thousand


def test_what_mothers_and_children_have_tells_of_a_person_between():
    people = family(300, np.random.default_rng(0))
    model = sl.RelationalModel(**FAMILY).fit(people).model_
    mothers, blood = people["person"]["mother"], people["person"]["blood"]
    person = next(each for each in mothers[10:] if each is not None and mothers[each] is not None)
    table = model.dependencies["person.blood"].cpd.as_table()
    chances = table["ABO".index(blood[mothers[person]])].copy()
    for child, mother in enumerate(mothers):
        if mother == person:
            chances *= table[:3, "ABO".index(blood[child])]

    answer = model.query(people, "person", person, "blood")

    assert answer.probabilities == pytest.approx(chances / chances.sum())


def test_references_in_a_circle_are_refused():
    model = sl.RelationalModel(**FAMILY).fit(family(300, np.random.default_rng(0))).model_
    circle = {"person": {"id": [1, 2], "mother": [2, 1], "blood": ["A", "B"]}}

    with pytest.raises(sl.DataError, match="lead from an object back to itself"):
        model.ground(circle)
    with pytest.raises(sl.DataError, match="lead from an object back to itself"):
        model.sample(circle)


@pytest.mark.parametrize("aggregate", ORDERED)
def test_a_drawn_database_has_the_chances_of_the_model(aggregate):
    rng = np.random.default_rng(0)
    n = 1500
    big = {
        "patient": {"id": [*range(n)], "health": rng.choice(["good", "poor"], n).tolist()},
        "visit": {
            "patient": rng.integers(n, size=3 * n).tolist(),
            "pain": rng.integers(3, size=3 * n).tolist(),
        },
    }
    model = clinic_model(aggregate, rng)
    drawn = model.sample(big, random_state=0)
    pains = [[] for _ in range(n)]
    for patient, pain in zip(drawn["visit"]["patient"], drawn["visit"]["pain"], strict=True):
        pains[patient].append(pain)
    health = model.dependencies["patient.health"]
    table = health.cpd.as_table()
    counts = np.zeros(table.shape)
    for seen, is_poor in zip(pains, np.array(drawn["patient"]["health"]) == "poor", strict=True):
        counts[seen_by(health.parents[0], seen), int(is_poor)] += 1
    expected = counts.sum(axis=1, keepdims=True) * table

    is_seen = expected.min(axis=1) > 5
    assert is_seen.sum() >= 2
    # The sum of a chi-square with 1 df for each row: less than 20 but once in two thousand for 4 rows.
    assert ((counts - expected)[is_seen] ** 2 / expected[is_seen]).sum() < 20


def test_drawn_numbers_come_from_the_interval_that_was_drawn():
    rng = np.random.default_rng(0)
    things = {"thing": {"id": [*range(400)], "size": rng.normal(5, 2, 400).tolist(), "n": [*range(50)] * 8}}
    model = sl.RelationalModel().fit(things).model_
    drawn = model.sample(things, random_state=0)["thing"]

    assert set(drawn["size"]) <= set(things["thing"]["size"])
    assert set(map(type, drawn["n"])) == {int}
    again = sl.RelationalModel().fit({"thing": drawn}).schema_.attribute("thing.size")
    assert again.cuts == pytest.approx(model.schema.attribute("thing.size").cuts, abs=0.5)


def test_a_sample_can_be_learnt_from_and_nothing_is_written(university, tmp_path):
    with duckdb.connect(tmp_path / "uni.duckdb") as connection:
        connection.execute("CREATE TABLE Student (id TEXT PRIMARY KEY, intel TEXT)")
        connection.execute("CREATE TABLE Course (id TEXT PRIMARY KEY, diff TEXT)")
        connection.execute(
            "CREATE TABLE Registration (student TEXT REFERENCES Student(id), "
            "course TEXT REFERENCES Course(id), grade TEXT)"
        )
    before = (tmp_path / "uni.duckdb").read_bytes()

    drawn = university.sample(UNIVERSITY, random_state=0)
    nobody = university.sample(tmp_path / "uni.duckdb", random_state=0)

    assert sl.RelationalModel(keys=KEYS).fit(drawn).schema_.nodes == university.schema.nodes
    assert nobody["Student"] == {"id": [], "intel": []}
    assert (tmp_path / "uni.duckdb").read_bytes() == before
    assert drawn == university.sample(UNIVERSITY, random_state=0)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ("Registration", ("c1", "s9"), "grade"),
            r"There is no Registration .'c1', 's9'.*course and student",
        ),
        (("Registration", {"student": "s1"}, "grade"), "2 objects of Registration"),
        (("Registration", {"teacher": "s1"}, "grade"), "no key or reference 'teacher'"),
        (("Registration", ("c1", "s1"), "mark"), "no attribute 'Registration.mark'"),
        (("Lecture", 1, "grade"), "no attribute 'Lecture.grade'"),
        (("Student", "s1", "intel", {"Student[s9].intel": "hi"}), r"no 'Student\[s9\].intel'"),
        (("Student", "s1", "intel", {"Student[s2].intel": "high"}), "one of 'hi', 'lo', not 'high'"),
    ],
)
def test_questions_about_nothing_are_refused(university, arguments, message):
    with pytest.raises(sl.OptionError, match=message):
        university.query(UNIVERSITY, *arguments)


def test_too_many_objects_for_a_network_are_refused(university):
    students = {"id": [f"s{place}" for place in range(6000)], "intel": ["hi"] * 6000}

    with pytest.raises(sl.DataError, match="more than 5,000 attributes of objects"):
        university.ground({**UNIVERSITY, "Student": students})


def test_values_that_a_model_has_no_state_for_are_refused(university):
    odd = {**UNIVERSITY, "Student": {"id": ["s1", "s2", "s3", "s4"], "intel": ["hi", "lo", "so-so", "lo"]}}

    with pytest.raises(sl.DataError, match=r"'Student.intel' has values .* does not know"):
        university.query(odd, "Student", "s1", "intel")


def test_an_aggregate_of_too_many_unknown_values_is_refused():
    model = clinic_model("mode", np.random.default_rng(0))
    often = {"patient": {"id": [1], "health": ["good"]}, "visit": {"patient": [1] * 60, "pain": [0] * 60}}

    with pytest.raises(sl.DataError, match="aggregate of 60 unknown values"):
        model.ground(often)
