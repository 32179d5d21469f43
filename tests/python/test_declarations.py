"""What Python declares is what the headers say, and what the package says of itself."""

import ctypes
import inspect
import os
import pathlib
import re
import shutil
import subprocess
import sys

import pytest

import tessera
from tessera import _gles2, _library

SOURCE = pathlib.Path(os.environ["TESSERA_SOURCE"])
# C's type, without const, to those that ctypes may have for it.
TYPES = {"int": {"c_int"}, "int32_t": {"c_int"}, "uint32_t": {"c_uint"}, "uint64_t": {"c_ulong"}, "size_t": {"c_ulong"},
         "TesseraStage": {"c_int"}, "TesseraMove": {"c_int"}, "char": {"c_char"}, "double": {"c_double"},
         "uint8_t": {"c_ubyte"}}
POINTERS = {"char": {"c_char_p"}, "void": {"c_void_p", "c_char_p"}, "uint8_t": {"c_void_p"}, "float": {"c_void_p"},
            "uint32_t": {"LP_c_uint", "c_void_p"}, "uint64_t": {"LP_c_ulong"}}


def without_comments(header):
    return re.sub(r"/\*.*?\*/", "", (SOURCE / "include" / header).read_text(), flags=re.DOTALL)


def allowed(declaration):
    """Names of ctypes' types for a C declaration of an argument or a result."""
    words = declaration.replace("*", " * ").replace("[", " * [").replace("const", "").split()
    depth, base = words.count("*"), words[0]
    if depth == 0:
        return {"None"} if base == "void" else TYPES[base]
    if depth == 2:
        return {"LP_c_char_p"} if base == "char" else {"LP_c_void_p"}
    if base in POINTERS:
        return POINTERS[base] | ({"c_void_p"} if base == "char" else set())  # bytes with their size
    return {"c_void_p", f"LP_{base}"}  # an object, or a structure


@pytest.mark.parametrize("header, declared", [("tessera_tools.h", _library.TOOLS), ("tessera_compute.h", _library.COMPUTE)])
def test_functions_are_those_of_the_header(header, declared):
    found = re.findall(r"^([\w ]+?[ *]+)(tessera\w+)\((.*?)\);", without_comments(header), re.MULTILINE | re.DOTALL)
    assert {name for _, name, _ in found} == set(declared)
    for result, name, arguments in found:
        given = [] if arguments.strip() == "void" else arguments.split(",")
        types = declared[name][1]
        assert len(types) == len(given), name
        for one, argument in zip(types, given):
            assert one.__name__ in allowed(argument), (name, argument, one)
        kind = declared[name][0]
        assert getattr(kind, "__name__", "None") in allowed(result), (name, result, kind)


@pytest.mark.parametrize("header", ["tessera_tools.h", "tessera_compute.h"])
def test_structures_are_those_of_the_header(header):
    for body, name in re.findall(r"typedef struct \w+ \{(.*?)\} (\w+);", without_comments(header), re.DOTALL):
        fields = []
        for declaration in filter(None, map(str.strip, body.split(";"))):
            kind, rest = re.match(r"((?:const )?\w+)\s*(.*)", declaration, re.DOTALL).groups()
            for one in rest.split(","):
                size = re.search(r"\[(\d+)\]", one)
                fields.append((re.sub(r"[\s*]|\[.*", "", one), f"{kind}{'*' if '*' in one else ''}", size and int(size[1])))
        declared = getattr(_library, name)._fields_
        assert [field[0] for field in declared] == [field[0] for field in fields], name
        for (_, one), (field, kind, size) in zip(declared, fields):
            if size:
                assert one._length_ == size
                one = one._type_
            assert one.__name__ in allowed(kind), (name, field)


def test_the_library_is_of_this_version():
    assert _library.tools.tesseraToolsAbi() == _library.ABI
    assert _library.tools.tesseraToolsVersion().decode() == tessera.__version__


def test_everything_public_has_a_docstring_and_types():
    for name in tessera.__all__:
        thing = getattr(tessera, name)
        assert inspect.getdoc(thing), name
        members = [thing] if inspect.isfunction(thing) else [
            member for key, member in vars(thing).items() if not key.startswith("_") and inspect.isfunction(member)]
        for member in members:
            assert inspect.getdoc(member), (name, member)
            signature = inspect.signature(member)
            assert signature.return_annotation is not inspect.Signature.empty, (name, member)
            for argument in list(signature.parameters.values())[0 if member is thing else 1:]:
                assert argument.annotation is not inspect.Parameter.empty, (name, member, argument)


def test_the_reference_follows():
    said = subprocess.run([sys.executable, SOURCE / "python/api_page.py", "--check"], capture_output=True, text=True)
    assert said.returncode == 0, said.stdout + said.stderr


def test_types_are_what_mypy_reads():
    python = next((p for p in (sys.executable, "/usr/bin/python3")
                   if subprocess.run([p, "-c", "import mypy"], capture_output=True).returncode == 0), None)
    if python is None:
        pytest.skip("there is no mypy (Debian's python3-mypy)")
    packages = SOURCE / "python"
    said = subprocess.run([python, "-m", "mypy", "--strict", "--python-version", "3.9", "--cache-dir",
                           str(pathlib.Path(os.environ["TESSERA_BUILD"]) / "mypy"),
                           "--no-error-summary", str(packages / "tessera")], capture_output=True, text=True,
                          cwd=packages, env={**os.environ, "MYPYPATH": str(packages), "PYTHONPATH": ""})
    assert (said.returncode, said.stdout) == (0, ""), said.stdout + said.stderr
    assert (packages / "tessera/py.typed").exists()


def test_signatures_of_gl_are_khronos():
    header = pathlib.Path("/usr/include/GLES3/gl3.h")
    if not header.exists():
        pytest.skip("there are no headers of OpenGL ES (Debian's libgles-dev)")
    said = subprocess.run([sys.executable, SOURCE / "python/generate_gles2.py", "--check", header], capture_output=True,
                          text=True)
    assert said.returncode == 0, said.stdout
    assert len(_gles2.SIGNATURES) == 246 and ctypes.sizeof(ctypes.c_void_p) == 8


def test_python_3_9_reads_it():
    # Nothing newer is written: what the grammar of 3.9 cannot parse, and names that came later.
    import ast
    for file in (SOURCE / "python").rglob("*.py"):
        ast.parse(file.read_text(), feature_version=(3, 9))


def test_the_command_line():
    def run(*arguments):
        return subprocess.run([sys.executable, "-m", "tessera", *map(str, arguments)], capture_output=True, text=True)
    assert "python -m tessera" in run("--help").stdout and run("--help").returncode == 0
    assert run("--version").stdout == f"tessera {tessera.__version__}\n"
    assert re.match(rf"tessera {tessera.__version__}: Tessera \(.*\)\nlibraries in ", run().stdout)
    shader = SOURCE / "demos/shaders/phong.frag"
    assert "phong" in run("cost", shader).stdout or run("cost", shader).returncode == 0
    assert ".fragment" in run("dis", shader).stdout and "stage: fragment" in run("info", shader).stdout
    goldens = SOURCE / "tests/goldens"
    same = run("diff", goldens / "gears.png", goldens / "gears.png")
    assert (same.returncode, same.stdout) == (0, "480000 pixels, none differs\n")
    other = run("diff", goldens / "gears.png", goldens / "gears-plain.png")
    assert other.returncode == 1 and "pixels differ" in other.stdout
    missing = run("dis", "missing.tsa")
    assert missing.returncode == 2 and missing.stderr.startswith("error: ") and "Traceback" not in missing.stderr
    assert run("nonsense").returncode == 2 and shutil.which("python3")
