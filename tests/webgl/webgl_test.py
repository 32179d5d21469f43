#!/usr/bin/env python3
"""What `./run webgl` makes of the suite's lists and of what pages say, with a stand-in for the browser."""

import contextlib
import http.client
import io
import json
import pathlib
import re
import sys
import tempfile
import unittest
from unittest import mock

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
sys.path.insert(0, str(HERE.parent))
import browsers  # noqa: E402
import npm_pages  # noqa: E402
import packages  # noqa: E402
import server  # noqa: E402
import shards  # noqa: E402
import webgl  # noqa: E402

LISTS = {
    "00_test_list.txt": "// a list of lists\n\nold/00_test_list.txt\n--min-version 2.0.0 new/00_test_list.txt\n",
    "old/00_test_list.txt": "a.html\n--min-version 1.0.3 --slow b.html\n--max-version 1.9.9 c.html\n# not d.html\n--min-version 2.0.1 e.html\n",
    "new/00_test_list.txt": "f.html\n--min-version 2.0.1 g.html\n--min-version 2.1.0 h.html\nless/00_test_list.txt\n",
    "new/less/00_test_list.txt": "i.html\n",
}


def result(version, page, how, **more):
    return {"version": version, "page": page, "result": how, "seconds": 1, "passed": 3, "failed": 0, "skipped": 0, "messages": [], **more}


class Pages(unittest.TestCase):
    def setUp(self):
        self.place = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        for name, text in LISTS.items():
            (self.place / "suite" / name).parent.mkdir(parents=True, exist_ok=True)
            (self.place / "suite" / name).write_text(text)

    def test_each_version_has_its_own_pages(self):
        self.assertEqual(webgl.pages_of(self.place / "suite", 1), ["old/a.html", "old/b.html", "old/c.html"])
        self.assertEqual(webgl.pages_of(self.place / "suite", 2),
                         ["old/e.html", "new/f.html", "new/g.html", "new/less/i.html"])

    def run_webgl(self, outcomes, *arguments, known=""):
        """Exit status and standard output; a page becomes what `outcomes` has for it and the driver, or passes."""
        shown = []

        def results(build, browser, driver, pages, *_):
            for page in pages:
                shown.append((driver, page["version"], page["page"]))
                yield result(page["version"], page["page"], outcomes.get((driver, page["page"]), "pass"))
            yield {"done": True}

        (self.place / "expectations.txt").write_text(known)
        out = io.StringIO()
        with mock.patch.object(sys, "argv", ["webgl.py", "--build", str(self.place), "--suite", str(self.place / "suite"), *arguments]), \
                mock.patch.object(browsers, "results", results), \
                mock.patch.object(webgl, "own_pages", lambda: []), mock.patch.dict(webgl.EXPECTATIONS, {name: self.place / "expectations.txt" for name in browsers.BROWSERS}), \
                contextlib.redirect_stdout(out), contextlib.redirect_stderr(io.StringIO()):
            status = webgl.main()
        return status, out.getvalue(), shown

    def test_what_fails_is_told_with_what_the_peer_made_of_it(self):
        status, said, shown = self.run_webgl({("tessera", "old/b.html"): "fail", ("tessera", "new/f.html"): "timeout", ("mesa", "old/b.html"): "fail"},
                                             "--peer", "mesa")
        self.assertEqual(status, 1)
        self.assertIn("WebGL 1: 3 pages, 66.67 % fine: 2 pass, 1 fail", said)
        self.assertIn("fail 1 old/b.html: 3 passed; on Mesa: fail", said)
        self.assertIn("timeout 2 new/f.html: 3 passed; on Mesa: pass", said)
        self.assertEqual([page for driver, _, page in shown if driver == "mesa"], ["old/b.html", "new/f.html"])
        self.assertEqual(len(json.loads((self.place / "webgl/results.json").read_text())), 7)

    def test_a_known_failure_is_no_failure_and_one_that_passes_is(self):
        known = "# version page reason\n1 old/b.html the page asks for what the specification forbids\n"
        status, said, _ = self.run_webgl({("tessera", "old/b.html"): "fail"}, known=known)
        self.assertEqual(status, 0)
        self.assertIn("known: the page asks for what the specification forbids", said)
        self.assertEqual(self.run_webgl({}, known=known)[0], 1)
        self.assertEqual(self.run_webgl({}, "--version", "2", known=known)[0], 0)

    def test_what_was_shown_is_not_shown_again(self):
        self.run_webgl({("tessera", "old/a.html"): "crash"}, "--only", "old/a")
        status, said, shown = self.run_webgl({}, "--resume", "--version", "1")
        self.assertEqual([page for _, _, page in shown], ["old/b.html", "old/c.html"])
        self.assertIn("crash 1 old/a.html", said)
        self.assertEqual(status, 1)

    def test_parts_tell_what_the_whole_tells(self):
        outcomes = {("tessera", "old/c.html"): "fail", ("tessera", "new/g.html"): "skip"}
        status, whole, _ = self.run_webgl(outcomes)
        files = [self.place / f"part-{k}.json" for k in (1, 2, 3)]
        for k, file in enumerate(files, 1):
            self.run_webgl(outcomes, "--shard", f"{k}/3", "--shard-out", str(file))
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            self.assertEqual(webgl.merged(shards.read_all(files), self.place), status)
        seconds = r"(?m)^\d+ s$"
        self.assertEqual(re.sub(seconds, "", out.getvalue()), re.sub(seconds, "", whole))

    def test_each_browser_keeps_its_own_results(self):
        outcomes = {("tessera", "old/a.html"): "fail"}
        self.assertEqual(self.run_webgl(outcomes, "--only", "old/a", "--browser", "webkit")[0], 1)
        self.assertEqual(self.run_webgl({}, "--only", "old/a")[0], 0)
        self.assertIn("fail 1 old/a.html", (self.place / "webgl/results-webkit.txt").read_text())
        self.assertNotIn("fail", (self.place / "webgl/results.txt").read_text())
        self.assertIn("fail 1 old/a.html", self.run_webgl({}, "--only", "old/a", "--resume", "--browser", "webkit")[1])


class Served(unittest.TestCase):
    """What browsers get of a folder's files."""

    def setUp(self):
        place = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        (place / "secret.txt").write_text("not below the root")
        (place / "root").mkdir()
        (place / "root" / "a.mjs").write_text("0123456789")
        (place / "root" / "empty.html").write_text("")
        self.address = self.enterContext(server.serving({"/it/": str(place / "root")}))

    def get(self, path, **headers):
        connection = http.client.HTTPConnection(self.address.removeprefix("http://"), timeout=30)
        self.addCleanup(connection.close)
        connection.request("GET", path, headers=headers)
        answer = connection.getresponse()
        return answer.status, answer.read(), answer.headers

    def test_a_file_has_its_kind_and_may_be_asked_for_in_parts(self):
        status, data, headers = self.get("/it/a.mjs?query")
        self.assertEqual((status, data, headers["Content-Type"]), (200, b"0123456789", "text/javascript"))
        for asked, got, part in (("bytes=0-3", b"0123", "0-3"), ("bytes=8-", b"89", "8-9"), ("bytes=4-99", b"456789", "4-9")):
            status, data, headers = self.get("/it/a.mjs", Range=asked)
            self.assertEqual((status, data, headers["Content-Range"]), (206, got, f"bytes {part}/10"))
        self.assertEqual(self.get("/it/a.mjs", Range="bytes=10-")[0], 416)
        self.assertEqual(self.get("/it/a.mjs", Range="rows=1")[:2], (200, b"0123456789"))
        self.assertEqual(self.get("/it/empty.html")[:2], (200, b""))

    def test_nothing_else_is_served(self):
        for path in ("/it/b.mjs", "/it/", "/a.mjs", "/it/../secret.txt", "/it/%2e%2e/secret.txt", "/it/%2e%2e%2fsecret.txt", "/it/%00"):
            self.assertEqual(self.get(path)[0], 404, path)


class Pictures(unittest.TestCase):
    """The table of the pages from npm."""

    def row(self, *rates):
        return packages.Row(npm_pages.Page("spheres", ("three",), note="edges"), True, "mean 0.1, 0 %", rates)

    def test_a_row_has_the_rates_that_were_measured(self):
        place = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        (place / "three").mkdir()
        (place / "three" / "package.json").write_text('{"version": "0.187.0"}')
        lines = packages.table([self.row(120.4, 60.6), self.row(None, None)], place).splitlines()
        self.assertEqual(lines[2], "| spheres | three 0.187.0 | yes | mean 0.1, 0 %; edges | 120 | 61 |")
        self.assertEqual(lines[3], "| spheres | three 0.187.0 | yes | mean 0.1, 0 %; edges |  |  |")

    def test_each_page_returns_what_draws_a_frame(self):
        for page in npm_pages.PAGES:
            text = (HERE / "content" / f"{page.name}.js").read_text()
            self.assertRegex(text, r"\n    return (async )?\(\) => ", page.name)


class Expectations(unittest.TestCase):
    def test_the_repositorys_have_a_reason_each_and_name_a_page_once(self):
        for browser, file in webgl.EXPECTATIONS.items():
            lines = [line for line in file.read_text().splitlines() if line.strip() and not line.startswith("#")]
            self.assertEqual(len(webgl.expectations(browser)), len(lines))
            for line in lines:
                self.assertRegex(line, r"^[12] \S+\.html \S.*\S$")


if __name__ == "__main__":
    unittest.main()
