"""The page in a real browser: it draws, reacts, and asks for nothing else."""

import json
import shutil
import tempfile
import warnings

import pytest

import structlearn as sl
from structlearn.graphs.generators import random_dag
from structlearn.report import write_report

CHROMIUM, DRIVER = shutil.which("chromium"), shutil.which("chromedriver")
FLAGS = (
    "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync --window-size=1400,900"
)

pytestmark = [
    pytest.mark.skipif(not CHROMIUM or not DRIVER, reason="chromium and chromedriver are not both installed"),
    # Sockets of the driver close when they are collected.
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]


@pytest.fixture(scope="module")
def browser():
    webdriver = pytest.importorskip("selenium.webdriver", reason="selenium is not installed")
    options = webdriver.ChromeOptions()
    options.binary_location = CHROMIUM
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        for flag in [*FLAGS.split(), f"--user-data-dir={profile}"]:
            options.add_argument(flag)
        driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(DRIVER))
        # A window that has lost the focus, to whatever, tells its elements nothing of theirs.
        driver.execute_cdp_cmd("Emulation.setFocusEmulationEnabled", {"enabled": True})
        yield driver
        driver.quit()


@pytest.fixture(scope="module")
def learner():
    return sl.HillClimbing().fit(sl.example("asia").sample(5000, random_state=0))


@pytest.fixture
def opened(browser, learner, tmp_path):
    """The page of a learned graph, opened afresh; nothing may be left in the console when a test ends."""
    browser.get_log("browser")
    browser.get(write_report(tmp_path / "page.html", learner).as_uri())
    yield browser
    assert browser.get_log("browser") == []


def find(browser, selector):
    return browser.find_element("css selector", selector)


def find_all(browser, selector):
    return browser.find_elements("css selector", selector)


def point_at(browser, element):
    from selenium.webdriver import ActionChains

    ActionChains(browser).move_to_element(element).perform()


def press(browser, *keys):
    from selenium.webdriver import ActionChains

    ActionChains(browser).send_keys(*keys).perform()


def transform(browser):
    return find(browser, "#view").get_attribute("transform")


def test_every_edge_and_node_is_drawn_once(opened, learner):
    assert len(find_all(opened, "svg g.edge")) == len(learner.graph_.edges)
    assert len(find_all(opened, "svg g.node")) == len(learner.graph_.nodes)


def test_the_page_asks_for_nothing_but_itself(browser, learner, tmp_path):
    path = write_report(tmp_path / "page.html", learner)
    browser.get_log("performance")

    browser.get(path.as_uri())

    messages = [json.loads(entry["message"])["message"] for entry in browser.get_log("performance")]
    asked = {m["params"]["request"]["url"] for m in messages if m["method"] == "Network.requestWillBeSent"}
    assert path.as_uri() in asked
    assert all(url.startswith(("file://", "data:")) for url in asked)


def test_pointing_at_a_row_shows_its_evidence_and_lights_its_edge(opened):
    row = find_all(opened, "tr[data-edge]")[1]

    point_at(opened, row)

    said = find(opened, ".readout").text
    assert said == f"{row.get_attribute('data-name')}: {row.get_attribute('data-evidence')}"
    (lit,) = find_all(opened, "g.edge.lit")
    assert lit.get_attribute("id") == f"edge-{row.get_attribute('data-edge')}"
    assert len(find_all(opened, "g.node.lit")) == 2


def test_focus_on_an_edge_of_the_picture_lights_its_row(opened, learner):
    opened.execute_script("document.getElementById('edge-0').focus()")

    (row,) = find_all(opened, "tr.lit")
    assert row.get_attribute("data-edge") == "0"
    assert str(learner.graph_.edges[0]) in find(opened, ".readout").text

    opened.execute_script("document.activeElement.blur()")
    assert find_all(opened, ".lit") == []


def test_pointing_at_an_edge_of_the_picture_lights_its_row(opened):
    wide = find(opened, "#edge-0 .target")
    box = opened.execute_script(
        "const path = arguments[0], middle = path.getPointAtLength(path.getTotalLength() / 2);"
        "const point = middle.matrixTransform(path.getScreenCTM());"
        "return [Math.round(point.x), Math.round(point.y)]",
        wide,
    )
    from selenium.webdriver.common.actions.action_builder import ActionBuilder

    actions = ActionBuilder(opened)
    actions.pointer_action.move_to_location(*box)
    actions.perform()

    assert [row.get_attribute("data-edge") for row in find_all(opened, "tr.lit")] == ["0"]


def test_a_click_on_a_node_shows_its_markov_blanket_and_escape_clears_it(opened, learner):
    names = learner.graph_.nodes

    find(opened, f"#node-{names.index('bronc')}").click()

    near = {
        names[int(node.get_attribute("id").removeprefix("node-"))] for node in find_all(opened, "g.node.near")
    }
    assert near == {"bronc", *learner.graph_.markov_blanket("bronc")}
    assert find(opened, ".readout").text.startswith("bronc: ")
    press(opened, "\ue00c")
    assert find_all(opened, "g.node.near") == []


def test_zoom_by_wheel_buttons_and_keys_and_reset(opened):
    from selenium.webdriver import ActionChains
    from selenium.webdriver.common.actions.wheel_input import ScrollOrigin

    frame = find(opened, ".frame")
    ActionChains(opened).scroll_from_origin(ScrollOrigin.from_element(frame), 0, -200).perform()
    after_wheel = transform(opened)
    find(opened, "[data-zoom=in]").click()
    after_button = transform(opened)
    opened.execute_script("arguments[0].focus()", frame)
    press(opened, "-")
    after_key = transform(opened)
    find(opened, "[data-zoom=reset]").click()

    assert after_wheel is not None
    assert "scale(1)" not in after_wheel
    assert len({after_wheel, after_button, after_key}) >= 2
    assert transform(opened) == "translate(0 0) scale(1)"


def test_dragging_moves_the_picture(opened):
    from selenium.webdriver import ActionChains

    frame = find(opened, ".frame")
    corner = ActionChains(opened).move_to_element_with_offset(frame, -frame.size["width"] // 2 + 10, 0)
    corner.click_and_hold().move_by_offset(30, 12).release().perform()

    assert transform(opened).endswith("scale(1)")
    assert not transform(opened).startswith("translate(0 0)")


def test_the_filter_keeps_the_edges_with_that_name(opened, learner):
    find(opened, "[data-filter]").send_keys("DYSP")

    shown = [row for row in find_all(opened, "tr[data-edge]") if row.is_displayed()]
    wanted = [edge for edge in learner.graph_.edges if "dysp" in (edge.source, edge.target)]
    assert len(shown) == len(wanted)
    assert find(opened, "[data-count]").text == f"{len(wanted)} of {len(learner.graph_.edges)} edges"


def test_a_click_on_a_heading_sorts(opened):
    heads = {head.text: head for head in find_all(opened, ".edges th button")}
    heads["score gain"].click()
    gains = [float(cell.get_attribute("data-value")) for cell in find_all(opened, ".edges td.number")]
    heads["source"].click()
    sources = [cell.text for cell in find_all(opened, ".edges tbody td:first-child")]

    assert gains == sorted(gains)
    assert sources == sorted(sources)


def test_hostile_names_run_nothing(browser, tmp_path):
    names = [
        "<script>alert(1)</script>",
        "<img src=x onerror=alert(2)>",
        "a&b",
        "</script><script>alert(3)</script>",
    ]
    rows = {name: [str(i >> (j // 2) & 1) for i in range(64)] for j, name in enumerate(names)}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # columns say the same in pairs, so that there are edges
        hostile = sl.HillClimbing().fit(rows)
    path = write_report(tmp_path / "hostile.html", hostile, sl.Dataset(rows), title=names[0])
    browser.get_log("browser")

    browser.get(path.as_uri())

    from selenium.common.exceptions import NoAlertPresentException

    with pytest.raises(NoAlertPresentException):
        _ = browser.switch_to.alert.text
    assert browser.get_log("browser") == []
    assert find(browser, "h1").text == names[0]
    labels = {node.get_attribute("aria-label") for node in find_all(browser, "svg g.node")}
    assert labels == set(names)
    assert find_all(browser, "main img, main script") == []


@pytest.mark.parametrize("n_nodes", [1, 3])
def test_a_graph_without_edges_opens_without_a_complaint(browser, tmp_path, n_nodes):
    rows = {f"v{j}": [str(i >> j & 1) for i in range(8)] for j in range(n_nodes)}
    path = write_report(tmp_path / "empty.html", sl.HillClimbing().fit(rows), sl.Dataset(rows))
    browser.get_log("browser")

    browser.get(path.as_uri())

    assert browser.get_log("browser") == []
    assert len(find_all(browser, "svg g.node")) == n_nodes


def test_a_node_of_a_large_graph_is_found_by_name(browser, tmp_path):
    learner = sl.HillClimbing().fit({"a": [0, 1] * 10, "b": [0, 0, 1, 1] * 5})
    names = [f"x{i}" for i in range(200)]
    learner.graph_ = sl.Graph(names, directed=[(names[i // 3], names[i]) for i in range(1, 200)])
    browser.get(write_report(tmp_path / "large.html", learner).as_uri())

    find(browser, "[data-find]").send_keys("x150")

    box = find(browser, "#node-150").rect
    frame = find(browser, ".frame").rect
    assert find(browser, "g.node.picked").get_attribute("id") == "node-150"
    assert abs(box["x"] + box["width"] / 2 - frame["x"] - frame["width"] / 2) < 3
    assert abs(box["y"] + box["height"] / 2 - frame["y"] - frame["height"] / 2) < 3
    assert browser.get_log("browser") == []


def random_page(folder, n_nodes):
    """A page whose graph is a sparse random one."""
    learner = sl.HillClimbing().fit({"a": [0, 1] * 10, "b": [0, 0, 1, 1] * 5})
    learner.graph_ = random_dag(n_nodes, random_state=n_nodes)
    return write_report(folder / f"{n_nodes}.html", learner), learner


OVERLAPS = """
const boxes = [...document.querySelectorAll("svg g.node")].map((node) => node.getBoundingClientRect());
const meet = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
return boxes.flatMap((a, i) => boxes.slice(0, i).filter((b) => meet(a, b))).length;
"""


@pytest.mark.parametrize(
    "n_nodes", [8, 109, *(pytest.param(n, marks=pytest.mark.slow) for n in (56, 441, 800))]
)
def test_nodes_stand_apart_and_inside_the_frame_and_the_console_is_empty(browser, tmp_path, n_nodes):
    path, _ = random_page(tmp_path, n_nodes)
    browser.get_log("browser")

    browser.get(path.as_uri())

    assert browser.get_log("browser") == []
    frame, picture = find(browser, ".frame").rect, find(browser, "#view").rect
    assert len(find_all(browser, "svg g.node")) == n_nodes
    assert browser.execute_script(OVERLAPS) == 0
    assert frame["x"] <= picture["x"]
    assert picture["x"] + picture["width"] <= frame["x"] + frame["width"]
    assert picture["y"] + picture["height"] <= frame["y"] + frame["height"] + 1
    assert picture["width"] > 0.5 * frame["width"] or picture["height"] > 0.8 * frame["height"]


def test_what_is_said_of_a_node_covers_no_node(opened):
    find(opened, "#node-0").click()

    said, frame = find(opened, ".readout"), find(opened, ".frame").rect
    assert said.text
    assert said.rect["y"] >= frame["y"] + frame["height"]


def test_names_of_options_stay_on_one_line(browser, learner, tmp_path):
    browser.get(write_report(tmp_path / "page.html", learner).as_uri())
    browser.set_window_size(500, 900)
    try:
        heights = {code.rect["height"] for code in find_all(browser, ".options td:first-child code")}
    finally:
        browser.set_window_size(1400, 900)

    assert len(heights) == 1


def test_a_part_of_a_name_finds_the_nodes_that_have_it_and_enter_goes_through_them(opened, learner):
    names = learner.graph_.nodes
    box = find(opened, "[data-find]")
    picked = [name for name in names if "s" in name]

    box.send_keys("S")
    found = {names[int(node.get_attribute("id")[5:])] for node in find_all(opened, "g.node.found")}
    said = find(opened, ".readout").text
    seen = []
    for _ in [*picked, None]:
        box.send_keys("\ue007")
        seen.append(names[int(find(opened, "g.node.picked").get_attribute("id")[5:])])

    assert found == set(picked)
    assert said.startswith(f"{len(picked)} nodes: {', '.join(picked)}.")
    assert seen == [*picked, picked[0]]
    box.send_keys("zz")
    assert find(opened, ".readout").text == "No node has these letters in its name."


@pytest.fixture(scope="module")
def network():
    return sl.DependencyNetwork().fit(sl.example("asia").sample(2000, random_state=0))


def weak(browser, what):
    return {part.get_attribute("id") for part in find_all(browser, f"{what}.weak")}


def test_a_slider_fades_all_edges_but_the_strongest(browser, network, tmp_path):
    browser.get_log("browser")
    browser.get(write_report(tmp_path / "page.html", network).as_uri())
    gains = [edge.weight for edge in network.graph_.edges]
    slider, said = find(browser, "[data-strength] input"), find(browser, "[data-strength] output")
    assert slider.is_displayed()
    assert said.text == f"all {len(gains)}"
    assert weak(browser, "g.edge") == set()

    press_at(browser, slider, "\ue011")  # Home: one edge
    strongest = max(range(len(gains)), key=gains.__getitem__)
    assert weak(browser, "g.edge") == {f"edge-{i}" for i in range(len(gains))} - {f"edge-{strongest}"}
    assert said.text.startswith(f"1 of {len(gains)}, from {gains[strongest]:.3g}"[:10])
    assert len(find_all(browser, "tr.weak")) == len(gains) - 1
    ends = {network.graph_.edges[strongest].source, network.graph_.edges[strongest].target}
    names = network.graph_.nodes
    assert weak(browser, "g.node") == {f"node-{i}" for i, name in enumerate(names) if name not in ends}

    press_at(browser, slider, "\ue014")  # to the right: the next strongest too
    assert len(weak(browser, "g.edge")) == len(gains) - 2
    press_at(browser, slider, "\ue010")  # End: all
    assert weak(browser, "g.edge") == weak(browser, "g.node") == set()
    assert browser.get_log("browser") == []


def press_at(browser, element, key):
    browser.execute_script("arguments[0].focus()", element)
    press(browser, key)


def test_a_graph_that_runs_one_way_has_no_slider(opened):
    assert find_all(opened, "[data-strength]") == []


def test_a_click_on_a_state_shows_what_is_then_believed(browser, learner, tmp_path):
    model = sl.example("asia")
    browser.get_log("browser")
    browser.get(write_report(tmp_path / "page.html", learner, model=model).as_uri())

    def share(node, state):
        place = f"{model.nodes.index(node)}-{model.labels[node].index(state)}"
        return find(browser, f"[id='a_share-{place}'] text").text

    def press(node, state):
        place = f"{model.nodes.index(node)}-{model.labels[node].index(state)}"
        label = find(browser, f"[id='a_state-{place}']")
        browser.execute_script("arguments[0].scrollIntoView({block: 'center', behavior: 'instant'})", label)
        label.click()

    assert share("lung", "yes") == "5.5%"
    press("smoke", "yes")
    assert (share("smoke", "yes"), share("lung", "yes")) == ("100.0%", "10.0%")
    assert find(browser, ".beliefs output").text == "Known: smoke = yes."
    press("smoke", "yes")
    assert share("lung", "yes") == "5.5%"
    press("lung", "yes")
    find(browser, "[data-forget]").click()
    assert find(browser, ".beliefs output").text == "Nothing is known."
    assert browser.get_log("browser") == []
