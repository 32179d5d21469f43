"""pytest-tessera: pictures in tests, compared to the byte with goldens.

    def test_square(gl, assert_image):
        gl.shade("void main() { gl_FragColor = vec4(1.0, 0.0, 0.0, 1.0); }")
        assert_image(gl, "square.png")

Goldens lie in the folder goldens beside the test; `pytest --update-goldens` writes them. A test that fails leaves
actual, expected and difference, and a page that explains the first pixel that differs (folder tessera-report).
"""

from __future__ import annotations

import html
import json
import pathlib
import re
import shutil
from typing import Any, Callable, Dict, Iterator, List, Optional

import pytest

from .context import Context, Recording
from .images import Difference, Image, diff

_REPORTS = "tessera-report"


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("tessera", "pictures")
    group.addoption("--update-goldens", action="store_true",
                    help="write the pictures that tests draw as goldens instead of comparing")
    group.addoption("--tessera-report", metavar="DIR", default=None,
                    help=f"where pictures and pages of tests that fail go (default: {_REPORTS} in the root folder)")
    parser.addini("tessera_goldens", "folder of the goldens, relative to the test's (default: goldens)",
                  default="goldens")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "gl(width, height, samples=0, version=2): the picture of the fixture gl (256, 256), and "
                            "which OpenGL ES")
    config.stash[_STATE] = _State(config)


class _State:
    """Of a run of pytest."""

    def __init__(self, config: pytest.Config):
        chosen: Optional[str] = config.getoption("--tessera-report")
        self.reports = pathlib.Path(chosen) if chosen else config.rootpath / _REPORTS
        self.updates = bool(config.getoption("--update-goldens"))
        self.goldens = str(config.getini("tessera_goldens"))
        self.written: List[str] = []
        self.failed = 0


_STATE = pytest.StashKey[_State]()


@pytest.fixture
def gl(request: pytest.FixtureRequest) -> Iterator[Context]:
    """A headless context of OpenGL ES 2.0 (tessera.Context), fresh for each test and recorded: 256 x 256, or what
    @pytest.mark.gl(width, height, samples=0, version=2) says. The same bytes on every machine."""
    marker = request.node.get_closest_marker("gl")
    arguments = dict(zip(("width", "height", "samples"), marker.args)) if marker else {}
    arguments.update(marker.kwargs if marker else {})
    context = Context(arguments.get("width", 256), arguments.get("height", 256),
                      samples=arguments.get("samples", 0), version=arguments.get("version", 2), record=True)
    try:
        yield context
    finally:
        context.close()


@pytest.fixture
def assert_image(request: pytest.FixtureRequest) -> Callable[..., None]:
    """assert_image(actual, "name.png", tolerance=0): fails unless the picture is the golden of that name.

    actual: the fixture gl (what it shows now), an Image, a PNG file's name, or an array as Image.of() takes them.
    """
    state: _State = request.config.stash[_STATE]
    folder = pathlib.Path(request.path).parent / state.goldens
    context: Optional[Context] = request.getfixturevalue("gl") if "gl" in request.fixturenames else None

    def check(actual: Any, name: str, tolerance: int = 0) -> None:
        __tracebackhide__ = True
        relative = pathlib.PurePath(name)
        if relative.is_absolute() or ".." in relative.parts or relative.suffix != ".png":
            raise ValueError(f"{name!r} is no name of a golden: it ends in .png and stays in {folder}")
        picture = actual.read() if isinstance(actual, Context) else Image.of(actual)
        golden = folder / relative
        if state.updates:
            if not golden.exists() or Image.open(golden) != picture:
                golden.parent.mkdir(parents=True, exist_ok=True)
                picture.save(golden)
                state.written.append(str(golden))
            return
        expected = Image.open(golden) if golden.exists() else None
        difference = None
        if expected is not None and expected.size == picture.size:
            difference = diff(picture, expected, tolerance)
            if not difference:
                return
        state.failed += 1
        failure = _Failure(request.node.nodeid, name, picture, expected, difference)
        drawn = actual if isinstance(actual, Context) else context
        if drawn is not None and drawn.records and failure.pixel and (drawn.width, drawn.height) == picture.size:
            failure.explain(drawn.recorded())
        page = failure.write(state.reports)
        pytest.fail(failure.message(golden, page), pytrace=False)
    return check


class _Failure:
    """A picture that is not its golden."""

    def __init__(self, test: str, name: str, actual: Image, expected: Optional[Image],
                 difference: Optional[Difference]):
        self.test, self.name = test, name
        self.actual, self.expected, self.difference = actual, expected, difference
        self.pixel = difference.first if difference is not None else None
        self.explanation = ""

    def explain(self, recording: Recording) -> None:
        assert self.pixel is not None
        self.explanation = recording.explain(*self.pixel)

    def summary(self) -> str:
        if self.expected is None:
            return f"there is no golden yet; the picture has {self.actual.width} x {self.actual.height} pixels"
        if self.difference is None:
            return (f"the picture has {self.actual.width} x {self.actual.height} pixels, the golden "
                    f"{self.expected.width} x {self.expected.height}")
        return str(self.difference)

    def message(self, golden: pathlib.Path, page: pathlib.Path) -> str:
        lines = [f"{self.name}: {self.summary()}", f"golden: {golden}", f"report: {page}"]
        if self.explanation:
            shown = self.explanation.rstrip().split("\n")
            lines += shown[:16] + ["  ... (the rest is in the report)"] * (len(shown) > 16)
        lines.append("pytest --update-goldens makes what is drawn the golden")
        return "\n".join(lines)

    def write(self, reports: pathlib.Path) -> pathlib.Path:
        """The folder of the failure: its page."""
        name = re.sub(r"[^\w.-]+", "-", f"{self.test}-{pathlib.PurePath(self.name).stem}").strip("-")
        folder = reports / name
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        pictures = {"actual": self.actual, "expected": self.expected,
                    "difference": self.difference.picture if self.difference is not None else None}
        shown = []
        for title, picture in pictures.items():
            if picture is not None:
                picture.save(folder / f"{title}.png")
                shown.append(_figure(title, picture, self.pixel))
        body = [f"<h1>{html.escape(self.name)}</h1>", f"<p><code>{html.escape(self.test)}</code></p>",
                f"<p>{html.escape(self.summary())}</p>", f'<div class="pictures">{"".join(shown)}</div>']
        if self.pixel and self.expected is not None:
            body.append(_closeup(self.pixel, self.actual, self.expected))
        if self.explanation:
            x, y = self.pixel or (0, 0)
            body.append(f"<h2>What drew pixel {x},{y}</h2><pre>{html.escape(self.explanation)}</pre>")
        page = folder / "index.html"
        page.write_text(_page(self.name, "".join(body)), encoding="utf-8")
        about = {"test": self.test, "name": self.name, "summary": self.summary()}
        (folder / "failure.json").write_text(json.dumps(about), encoding="utf-8")
        return page


_STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; margin: 2em; color: #24292e; background: #fff }
h1 { font-size: 1.4em } h2 { font-size: 1.1em; margin-top: 2em }
.pictures { display: flex; flex-wrap: wrap; gap: 1.5em } figure { margin: 0 } figcaption { color: #57606a }
.frame { position: relative; border: 1px solid #d0d7de; line-height: 0;
  background: repeating-conic-gradient(#eee 0% 25%, #fff 0% 50%) 0 0 / 16px 16px }
.frame img { image-rendering: pixelated; display: block }
.mark { position: absolute; width: 17px; height: 17px; margin: -9px 0 0 -9px; border: 2px solid #d1242f; border-radius: 50% }
pre { background: #f6f8fa; padding: 1em; overflow: auto } table { border-collapse: collapse } td, th { padding: 2px 10px;
  text-align: left } .swatch { display: inline-block; width: 1.1em; height: 1.1em; border: 1px solid #d0d7de;
  vertical-align: -0.2em; margin-right: .5em }
.close { display: inline-grid; gap: 1px; background: #d0d7de; border: 1px solid #d0d7de }
.close div { width: 22px; height: 22px } .close .here { outline: 2px solid #d1242f; z-index: 1 }
"""


def _page(title: str, body: str) -> str:
    return (f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{html.escape(title)}</title>'
            f"<style>{_STYLE}</style></head><body>{body}</body></html>\n")


def _figure(title: str, picture: Image, pixel: Any) -> str:
    scale = max(1, min(8, 320 // max(picture.width, picture.height)))
    mark = ""
    if pixel:
        x, y = ((at + 0.5) * scale for at in pixel)
        mark = f'<div class="mark" style="left:{x:g}px;top:{y:g}px"></div>'
    return (f'<figure><div class="frame"><img src="{title}.png" width="{picture.width * scale}" '
            f'height="{picture.height * scale}" alt="{title}">{mark}</div><figcaption>{title}</figcaption></figure>')


def _closeup(pixel: Any, actual: Image, expected: Image) -> str:
    """The pixels around the first that differs, and its values."""
    x, y = pixel
    grids, rows = [], []
    for title, picture in (("actual", actual), ("expected", expected)):
        red, green, blue, alpha = picture.pixel(x, y)
        rows.append(f'<tr><td>{title}</td><td><span class="swatch" style="background:rgb({red},{green},{blue})"></span>'
                    f"{red} {green} {blue} {alpha}</td></tr>")
        cells = []
        for py in range(y - 3, y + 4):
            for px in range(x - 3, x + 4):
                inside = 0 <= px < picture.width and 0 <= py < picture.height
                color = "rgb({},{},{})".format(*picture.pixel(px, py)[:3]) if inside else "#fff"
                here = ' class="here"' if (px, py) == (x, y) else ""
                cells.append(f'<div{here} style="background:{color}"></div>')
        grids.append(f'<figure><div class="close" style="grid-template-columns:repeat(7,22px)">{"".join(cells)}</div>'
                     f"<figcaption>{title}</figcaption></figure>")
    return (f'<h2>The first pixel that differs: {x},{y}</h2><div class="pictures">{"".join(grids)}</div>'
            f"<table><tr><th></th><th>red green blue alpha</th></tr>{''.join(rows)}</table>")


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    state: _State = config.stash[_STATE]
    for golden in state.written:
        terminalreporter.write_line(f"golden written: {golden}")
    if state.reports.is_dir() and not hasattr(config, "workerinput"):
        index = _write_index(state.reports)
        if index and (state.failed or terminalreporter.stats.get("failed")):
            terminalreporter.write_line(f"pictures that differ: {index}")


def _write_index(reports: pathlib.Path) -> Optional[pathlib.Path]:
    """A page of all failures that are there."""
    rows = []
    for file in sorted(reports.glob("*/failure.json")):
        about: Dict[str, str] = json.loads(file.read_text(encoding="utf-8"))
        rows.append(f'<tr><td><a href="{html.escape(file.parent.name)}/index.html">{html.escape(about["name"])}</a></td>'
                    f'<td>{html.escape(about["test"])}</td><td>{html.escape(about["summary"])}</td></tr>')
    if not rows:
        return None
    index = reports / "index.html"
    index.write_text(_page("Pictures that differ", f"<h1>Pictures that differ</h1><table>{''.join(rows)}</table>"),
                     encoding="utf-8")
    return index


def pytest_sessionstart(session: pytest.Session) -> None:
    """What an earlier run left is not this one's."""
    state: _State = session.config.stash[_STATE]
    if hasattr(session.config, "workerinput") or not state.reports.is_dir():
        return
    for file in state.reports.glob("*/failure.json"):
        shutil.rmtree(file.parent, ignore_errors=True)
    (state.reports / "index.html").unlink(missing_ok=True)
