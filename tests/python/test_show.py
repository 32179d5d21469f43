"""What objects show in a notebook, and as text."""

from xml.etree import ElementTree

import numpy
import pytest

import tessera

SHADER = """precision highp float;
varying vec2 v;
void main() {
    float far = length(v); // < & >
    gl_FragColor = vec4(far, v, 1.0);
}
"""


def well_formed(html):
    """Parses it; HTML as it is written here is XML too."""
    return ElementTree.fromstring(html)


def test_a_program_has_its_words_in_colours():
    shown = well_formed(tessera.compile_glsl(SHADER)._repr_html_())
    colours = {span.get("style") for span in shown.iter("span")}
    assert len(colours) >= 4
    text = "".join(shown.itertext())
    assert "length(v); // < & >" in text and "fragment program" in text
    assert ".fragment" in str(tessera.compile_glsl(SHADER))


def test_lanes_are_a_table():
    debugger = tessera.Debugger(SHADER, size=(5, 3), inputs={"v": (0.25, 0.5)})
    debugger.run_to(5)
    table = well_formed(debugger._repr_html_())
    rows = list(table.iter("tr"))
    assert len(rows) == 1 + 15
    assert [cell.text for cell in rows[1]][:3] == ["0", "pixel 0,2", "yes"]
    assert "r0.x" in [cell.text for cell in rows[0]]
    assert "Debugger of" in repr(debugger)


def test_costs_and_the_chip():
    cost = tessera.cost(SHADER, size=(8, 4), inputs={"v": (1, 2)})
    assert [cell.text for cell in next(well_formed(cost._repr_html_()).iter("tr"))][0] == "line"
    chip = tessera.model(SHADER, size=(8, 4), inputs={"v": (1, 2)})
    shown = well_formed(f"<div>{chip._repr_html_()}</div>")
    assert [one for one in shown.iter() if one.tag.endswith("svg")] and list(shown.iter("table"))
    for plot in ("use", "draws", "lines"):
        ElementTree.fromstring(chip.plot(plot))
    with pytest.raises(ValueError):
        chip.plot("pie")


def test_pictures():
    picture = tessera.Image.of(numpy.zeros((3, 4)))
    assert picture._repr_png_()[:4] == b"\x89PNG" and repr(picture) == "<tessera.Image: 4 x 3>"
    assert tessera.diff(picture, picture)._repr_png_()[:4] == b"\x89PNG"
    with tessera.Context(4, 3) as context:
        assert context._repr_png_()[:4] == b"\x89PNG" and repr(context) == "<tessera.Context: 4 x 3>"
    assert repr(context) == "<tessera.Context: 4 x 3, closed>"
