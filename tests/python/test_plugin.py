"""The pytest plugin, by runs of pytest of its own."""

import json
import re

import pytest

import tessera

pytest_plugins = "pytester"

SQUARE = '''
import pytest

COLOR = "vec4(1.0, 0.5, 0.0, 1.0)"

@pytest.mark.gl(48, 32)
def test_square(gl, assert_image):
    gl.shade("precision highp float; void main() { gl_FragColor = gl_FragCoord.x < 24.0 ? " + COLOR +
             " : vec4(0.0, 0.0, 0.0, 1.0); }")
    assert_image(gl, "square.png")
    assert_image(gl.read(), "folder/same.png")
'''


@pytest.fixture
def run(pytester):
    def run(*arguments):
        return pytester.runpytest_subprocess("-p", "tessera.pytest_plugin", "-p", "no:cacheprovider", *arguments)
    return run


def test_goldens_are_written_and_compared(pytester, run):
    pytester.makepyfile(test_picture=SQUARE)
    missing = run()
    missing.assert_outcomes(failed=1)
    missing.stdout.fnmatch_lines(["*square.png: there is no golden yet; the picture has 48 x 32 pixels*"])
    assert not (pytester.path / "goldens").exists()
    run("--update-goldens").stdout.fnmatch_lines(["golden written: *square.png", "golden written: *same.png"])
    run().assert_outcomes(passed=1)
    golden = tessera.Image.open(pytester.path / "goldens/square.png")
    assert golden.size == (48, 32) and golden.pixel(0, 0) == (255, 128, 0, 255)
    assert not list((pytester.path / "tessera-report").glob("*"))  # of runs that pass nothing stays


def test_the_fixture_may_be_of_opengl_es_3(pytester, run):
    third = '''
import pytest

@pytest.mark.gl(48, 32, version=3)
def test_squares(gl, assert_image):
    gl.shade("#version 300 es\\nprecision highp float; uniform uint u_bit; out vec4 color; void main() {"
             "color = vec4((uvec2(gl_FragCoord.xy) & u_bit) / u_bit, 0, 1); }", {"u_bit": 8})
    assert_image(gl, "squares.png")
'''
    pytester.makepyfile(test_picture=third)
    run("--update-goldens").assert_outcomes(passed=1)
    run().assert_outcomes(passed=1)
    golden = tessera.Image.open(pytester.path / "goldens/squares.png")
    assert golden.pixel(0, 31) == (0, 0, 0, 255) and golden.pixel(8, 23) == (255, 255, 0, 255)
    pytester.makepyfile(test_picture=third.replace('"u_bit": 8', '"u_bit": 4'))
    failed = run()
    failed.assert_outcomes(failed=1)
    failed.stdout.fnmatch_lines(["*squares.png: * pixels differ*", "pixel 4,0 of frame 0*", "*color 1 1 0 1*"])


def test_a_failure_leaves_pictures_and_says_what_drew_the_pixel(pytester, run):
    pytester.makepyfile(test_picture=SQUARE)
    run("--update-goldens").assert_outcomes(passed=1)
    pytester.makepyfile(test_picture=SQUARE.replace("< 24.0", "< 25.0").replace("gl_FragCoord.x <", "gl_FragCoord.x <"))
    failed = run()
    failed.assert_outcomes(failed=1)
    failed.stdout.fnmatch_lines([
        "*square.png: 32 of 1536 pixels differ*the first is 24,0: (255, 128, 0, 255) against (0, 0, 0, 255)",
        "report: *index.html", "pixel 24,0 of frame 0*", "*glDrawArrays(GL_TRIANGLES, 0, 3)*",
        "*--update-goldens makes what is drawn the golden*", "pictures that differ: *tessera-report/index.html"])
    assert "Traceback" not in failed.stdout.str()
    folder, = (path for path in (pytester.path / "tessera-report").iterdir() if path.is_dir())
    assert {path.name for path in folder.iterdir()} == {
        "actual.png", "expected.png", "difference.png", "index.html", "failure.json"}
    assert tessera.diff(folder / "actual.png", folder / "expected.png").differing == 32
    page = (folder / "index.html").read_text()
    for part in ("actual.png", "expected.png", "difference.png", "What drew pixel 24,0", "glDrawArrays", "255 128 0"):
        assert part in page
    assert json.loads((folder / "failure.json").read_text())["name"] == "square.png"
    assert "square.png" in (pytester.path / "tessera-report/index.html").read_text()
    pytester.makepyfile(test_picture=SQUARE)
    run().assert_outcomes(passed=1)
    assert not list((pytester.path / "tessera-report").glob("*"))


def test_other_sizes_tolerances_arrays_and_names(pytester, run):
    pytester.makepyfile(test_picture='''
        import numpy
        import pytest

        def test_array(assert_image):
            assert_image(numpy.full((4, 5, 3), 0.25), "array.png")

        def test_near(assert_image):
            assert_image(numpy.full((4, 5, 3), 0.26), "array.png", tolerance=3)

        def test_size(assert_image):
            assert_image(numpy.full((4, 6, 3), 0.25), "array.png")

        @pytest.mark.parametrize("name", ["../x.png", "/x.png", "x.jpg"])
        def test_name(assert_image, name):
            with pytest.raises(ValueError, match="no name of a golden"):
                assert_image(numpy.zeros((2, 2)), name)

        def test_other_contexts(assert_image):
            import tessera
            for record in (False, True):
                with tessera.Context(5, 4, record=record) as context:
                    context.gl.glClear(0x4000)
                    with pytest.raises(pytest.fail.Exception) as caught:
                        assert_image(context, "array.png")
                    assert ("glClear(GL_COLOR_BUFFER_BIT)" in str(caught.value)) is record

        def test_size_of_gl(gl):
            assert gl.read().size == (256, 256)
    ''')
    run("--update-goldens", "-k", "array")
    again = run("--tessera-report", "elsewhere")
    again.assert_outcomes(passed=7, failed=1)
    again.stdout.fnmatch_lines(["*array.png: the picture has 6 x 4 pixels, the golden 5 x 4*"])
    assert (pytester.path / "elsewhere/index.html").exists()


def test_the_same_goldens_with_any_threads_and_level(pytester, run, monkeypatch):
    pytester.makepyfile(test_picture=SQUARE)
    run("--update-goldens").assert_outcomes(passed=1)
    for threads, level in (("1", "v2"), ("3", "v3"), ("8", "v2")):
        monkeypatch.setenv("TESSERA_THREADS", threads)
        monkeypatch.setenv("TESSERA_SIMD", level)
        run().assert_outcomes(passed=1)


def test_page_is_well_formed(pytester, run):
    from html.parser import HTMLParser

    class Checker(HTMLParser):
        def __init__(self):
            super().__init__()
            self.open = []

        def handle_starttag(self, tag, attributes):
            if tag not in ("img", "meta"):
                self.open.append(tag)

        def handle_endtag(self, tag):
            assert self.open.pop() == tag
    pytester.makepyfile(test_picture=SQUARE)
    run()
    for page in (pytester.path / "tessera-report").rglob("*.html"):
        checker = Checker()
        checker.feed(page.read_text())
        assert not checker.open
        assert not re.search(r'(src|href)="(https?:|/)', page.read_text())
