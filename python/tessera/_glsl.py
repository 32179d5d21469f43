"""What stands in a text of GLSL ES 1.00 or 3.00: names, what words mean, and what can be typed where."""

from __future__ import annotations

import re
from typing import Dict, List, NamedTuple, Optional, Set, Tuple

from ._names import Completion, Name, Place, word_at


class Function(NamedTuple):
    """A built-in function."""

    #: As the specification writes them: genType is a float or a vector of floats.
    signatures: Tuple[str, ...]
    meaning: str
    #: Versions of the language that have it.
    versions: Tuple[int, ...]
    #: The one stage that has it; empty: both.
    stage: str = ""


#: Of one stage alone.
_STAGES = {"dFdx": "fragment", "dFdy": "fragment", "fwidth": "fragment", "texture2DLod": "vertex", "texture2DProjLod": "vertex",
           "textureCubeLod": "vertex"}


def _functions() -> Dict[str, Function]:
    both, old, new = (100, 300), (100,), (300,)
    rows: List[Tuple[Tuple[int, ...], str, str]] = [
        (both, "genType radians(genType degrees)", "Degrees to radians."),
        (both, "genType degrees(genType radians)", "Radians to degrees."),
        (both, "genType sin(genType angle)", "The sine of an angle in radians."),
        (both, "genType cos(genType angle)", "The cosine of an angle in radians."),
        (both, "genType tan(genType angle)", "The tangent of an angle in radians."),
        (both, "genType asin(genType x)", "The angle in radians whose sine is x; x is from -1 to 1."),
        (both, "genType acos(genType x)", "The angle in radians whose cosine is x; x is from -1 to 1."),
        (both, "genType atan(genType y, genType x); genType atan(genType y_over_x)",
         "The angle whose tangent is y / x, in all four quadrants; with one argument from -pi/2 to pi/2."),
        (new, "genType sinh(genType x)", "The hyperbolic sine."),
        (new, "genType cosh(genType x)", "The hyperbolic cosine."),
        (new, "genType tanh(genType x)", "The hyperbolic tangent."),
        (new, "genType asinh(genType x)", "The inverse of sinh."),
        (new, "genType acosh(genType x)", "The inverse of cosh; x is 1 or more."),
        (new, "genType atanh(genType x)", "The inverse of tanh; x is between -1 and 1."),
        (both, "genType pow(genType x, genType y)", "x to the power y; undefined for x < 0."),
        (both, "genType exp(genType x)", "e to the power x."),
        (both, "genType log(genType x)", "The natural logarithm; undefined for x <= 0."),
        (both, "genType exp2(genType x)", "2 to the power x."),
        (both, "genType log2(genType x)", "The logarithm to base 2; undefined for x <= 0."),
        (both, "genType sqrt(genType x)", "The square root; undefined for x < 0."),
        (both, "genType inversesqrt(genType x)", "1 / sqrt(x); undefined for x <= 0."),
        (both, "genType abs(genType x)", "x without its sign; in GLSL ES 3.00 of integers, too."),
        (both, "genType sign(genType x)", "1, 0 or -1; in GLSL ES 3.00 of integers, too."),
        (both, "genType floor(genType x)", "The largest whole number that is not above x."),
        (new, "genType trunc(genType x)", "x without its fraction."),
        (new, "genType round(genType x)", "The nearest whole number; which one of two, the implementation chooses."),
        (new, "genType roundEven(genType x)", "The nearest whole number, of two the even one."),
        (both, "genType ceil(genType x)", "The smallest whole number that is not below x."),
        (both, "genType fract(genType x)", "x - floor(x)."),
        (both, "genType mod(genType x, genType y); genType mod(genType x, float y)", "x - y * floor(x / y)."),
        (new, "genType modf(genType x, out genType i)", "The fraction of x; its whole part goes to i."),
        (both, "genType min(genType x, genType y); genType min(genType x, float y)", "The smaller one; in GLSL ES 3.00 of integers, too."),
        (both, "genType max(genType x, genType y); genType max(genType x, float y)", "The larger one; in GLSL ES 3.00 of integers, too."),
        (both, "genType clamp(genType x, genType low, genType high); genType clamp(genType x, float low, float high)",
         "min(max(x, low), high); in GLSL ES 3.00 of integers, too."),
        (both, "genType mix(genType x, genType y, genType a); genType mix(genType x, genType y, float a)",
         "x * (1 - a) + y * a; in GLSL ES 3.00 also y where a bool is true, else x."),
        (both, "genType step(genType edge, genType x); genType step(float edge, genType x)",
         "0.0 where x < edge, else 1.0."),
        (both, "genType smoothstep(genType low, genType high, genType x); "
         "genType smoothstep(float low, float high, genType x)",
         "0 below low, 1 above high, and a smooth curve between: t * t * (3 - 2 * t)."),
        (new, "genBType isnan(genType x)", "Whether x is no number."),
        (new, "genBType isinf(genType x)", "Whether x is an infinity."),
        (new, "genIType floatBitsToInt(genType x)", "The bits of a float as an integer."),
        (new, "genUType floatBitsToUint(genType x)", "The bits of a float as an unsigned integer."),
        (new, "genType intBitsToFloat(genIType x)", "Bits as a float."),
        (new, "genType uintBitsToFloat(genUType x)", "Bits as a float."),
        (new, "highp uint packSnorm2x16(vec2 v)", "Two numbers from -1 to 1 as 16 bits each."),
        (new, "highp vec2 unpackSnorm2x16(highp uint bits)", "The inverse of packSnorm2x16."),
        (new, "highp uint packUnorm2x16(vec2 v)", "Two numbers from 0 to 1 as 16 bits each."),
        (new, "highp vec2 unpackUnorm2x16(highp uint bits)", "The inverse of packUnorm2x16."),
        (new, "highp uint packHalf2x16(mediump vec2 v)", "Two numbers as floats of 16 bits."),
        (new, "mediump vec2 unpackHalf2x16(highp uint bits)", "The inverse of packHalf2x16."),
        (both, "float length(genType x)", "The length of a vector."),
        (both, "float distance(genType a, genType b)", "length(a - b)."),
        (both, "float dot(genType x, genType y)", "The sum of the products of components."),
        (both, "vec3 cross(vec3 x, vec3 y)", "The vector product."),
        (both, "genType normalize(genType x)", "The vector of length 1 in the direction of x."),
        (both, "genType faceforward(genType n, genType i, genType reference)",
         "n where dot(reference, i) < 0, else -n."),
        (both, "genType reflect(genType i, genType n)", "i mirrored by a surface of normal n: i - 2 * dot(n, i) * n."),
        (both, "genType refract(genType i, genType n, float eta)",
         "i refracted at a surface of normal n; eta is the ratio of the indices of refraction."),
        (both, "mat matrixCompMult(mat x, mat y)", "The product component by component; x * y is that of matrices."),
        (new, "mat3 outerProduct(vec3 c, vec3 r)", "The matrix of all products of components."),
        (new, "mat3 transpose(mat3 m)", "Rows as columns."),
        (new, "float determinant(mat3 m)", "The determinant of a square matrix."),
        (new, "mat3 inverse(mat3 m)", "The inverse of a square matrix."),
        (both, "bvec lessThan(vec x, vec y)", "x < y component by component."),
        (both, "bvec lessThanEqual(vec x, vec y)", "x <= y component by component."),
        (both, "bvec greaterThan(vec x, vec y)", "x > y component by component."),
        (both, "bvec greaterThanEqual(vec x, vec y)", "x >= y component by component."),
        (both, "bvec equal(vec x, vec y)", "x == y component by component."),
        (both, "bvec notEqual(vec x, vec y)", "x != y component by component."),
        (both, "bool any(bvec x)", "Whether one component is true."),
        (both, "bool all(bvec x)", "Whether all components are true."),
        (both, "bvec not(bvec x)", "The opposite of each component."),
        (old, "vec4 texture2D(sampler2D s, vec2 place); vec4 texture2D(sampler2D s, vec2 place, float bias)",
         "What the texture holds at a place, 0 to 1 across it; `bias` is added to the level of detail."),
        (old, "vec4 texture2DProj(sampler2D s, vec3 place); vec4 texture2DProj(sampler2D s, vec4 place)",
         "texture2D at place divided by its last component."),
        (old, "vec4 textureCube(samplerCube s, vec3 direction)", "What the cube map holds in a direction."),
        (old, "vec4 texture2DLod(sampler2D s, vec2 place, float level)", "texture2D at a level of detail. Vertex shaders."),
        (old, "vec4 texture2DProjLod(sampler2D s, vec3 place, float level); "
         "vec4 texture2DProjLod(sampler2D s, vec4 place, float level)", "texture2DProj at a level of detail. Vertex shaders."),
        (old, "vec4 textureCubeLod(samplerCube s, vec3 direction, float level)",
         "textureCube at a level of detail. Vertex shaders."),
        (new, "vec4 texture(sampler2D s, vec2 place); vec4 texture(samplerCube s, vec3 direction); "
         "vec4 texture(sampler3D s, vec3 place); vec4 texture(sampler2DArray s, vec3 place); "
         "float texture(sampler2DShadow s, vec3 place); uvec4 texture(usampler2D s, vec2 place)",
         "What the texture holds at a place, 0 to 1 across it; of an array place.z is the layer; of a shadow sampler how much "
         "of it passes the comparison with place.z. One argument more is added to the level of detail."),
        (new, "vec4 textureLod(sampler2D s, vec2 place, float level)", "texture() at a level of detail."),
        (new, "vec4 textureOffset(sampler2D s, vec2 place, ivec2 offset)", "texture() so many texels away; a constant."),
        (new, "vec4 textureLodOffset(sampler2D s, vec2 place, float level, ivec2 offset)",
         "textureLod() so many texels away; a constant."),
        (new, "vec4 textureProj(sampler2D s, vec3 place)", "texture() at place divided by its last component."),
        (new, "vec4 textureProjLod(sampler2D s, vec3 place, float level)", "textureProj() at a level of detail."),
        (new, "vec4 textureProjOffset(sampler2D s, vec3 place, ivec2 offset)", "textureProj() so many texels away; a constant."),
        (new, "vec4 textureGrad(sampler2D s, vec2 place, vec2 x, vec2 y)", "texture() with derivatives of the place."),
        (new, "vec4 textureGradOffset(sampler2D s, vec2 place, vec2 x, vec2 y, ivec2 offset)",
         "textureGrad() so many texels away; a constant."),
        (new, "vec4 textureProjLodOffset(sampler2D s, vec3 place, float level, ivec2 offset)",
         "textureProjLod() so many texels away; a constant."),
        (new, "vec4 textureProjGrad(sampler2D s, vec3 place, vec2 x, vec2 y)",
         "textureProj() with derivatives of the place, divided as it is."),
        (new, "vec4 textureProjGradOffset(sampler2D s, vec3 place, vec2 x, vec2 y, ivec2 offset)",
         "textureProjGrad() so many texels away; a constant."),
        (new, "vec4 texelFetch(sampler2D s, ivec2 place, int level); vec4 texelFetch(sampler2DArray s, ivec3 place, int level)",
         "One texel of a level, by its number, without filter."),
        (new, "vec4 texelFetchOffset(sampler2D s, ivec2 place, int level, ivec2 offset)",
         "texelFetch() so many texels away; a constant."),
        (new, "ivec2 textureSize(sampler2D s, int level); ivec3 textureSize(sampler2DArray s, int level)",
         "Width and height of a level; of an array its layers, too."),
        (new, "genType dFdx(genType p)", "How much p changes from a pixel to the next one in x. Fragment shaders."),
        (new, "genType dFdy(genType p)", "How much p changes from a pixel to the next one in y. Fragment shaders."),
        (new, "genType fwidth(genType p)", "abs(dFdx(p)) + abs(dFdy(p)). Fragment shaders."),
    ]
    made = {}
    for versions, signatures, meaning in rows:
        split = tuple(signatures.split("; "))
        name = re.findall(r"(\w+)\(", split[0])[0]
        made[name] = Function(split, meaning, versions, _STAGES.get(name, ""))
    return made


FUNCTIONS = _functions()

#: Built-in variables: type, meaning, stage (empty: both), versions.
VARIABLES: Dict[str, Tuple[str, str, str, Tuple[int, ...]]] = {
    "gl_Position": ("highp vec4", "The position of the vertex in clip space; to be written.", "vertex", (100, 300)),
    "gl_PointSize": ("float", "The side of a point in pixels; to be written.", "vertex", (100, 300)),
    "gl_VertexID": ("highp int", "The number of the vertex.", "vertex", (300,)),
    "gl_InstanceID": ("highp int", "The number of the instance.", "vertex", (300,)),
    "gl_FragCoord": ("vec4", "x, y: the pixel's centre, counted from the lower left corner; z: depth, 0 to 1; w: 1 / w "
                     "of clip space.", "fragment", (100, 300)),
    "gl_FrontFacing": ("bool", "Whether the primitive shows its front.", "fragment", (100, 300)),
    "gl_PointCoord": ("vec2", "The place in a point, 0 to 1; y downwards.", "fragment", (100, 300)),
    "gl_FragColor": ("vec4", "The colour; to be written.", "fragment", (100,)),
    "gl_FragData": ("vec4[]", "The colours of all draw buffers; to be written.", "fragment", (100,)),
    "gl_FragDepth": ("highp float", "The depth; to be written, and else gl_FragCoord.z.", "fragment", (300,)),
    "gl_DepthRange": ("uniform gl_DepthRangeParameters", "What glDepthRangef said: near, far, and diff, which is far - near.", "",
                      (100, 300)),
    **{name: ("const mediump int", f"How many there are, at most: {what}.", "", versions) for name, what, versions in (
        ("gl_MaxVertexAttribs", "attributes", (100, 300)),
        ("gl_MaxVertexUniformVectors", "vectors of uniforms in a vertex shader", (100, 300)),
        ("gl_MaxFragmentUniformVectors", "vectors of uniforms in a fragment shader", (100, 300)),
        ("gl_MaxVaryingVectors", "vectors of varyings", (100,)),
        ("gl_MaxVertexOutputVectors", "vectors that leave a vertex shader", (300,)),
        ("gl_MaxFragmentInputVectors", "vectors that come to a fragment shader", (300,)),
        ("gl_MaxVertexTextureImageUnits", "texture units of a vertex shader", (100, 300)),
        ("gl_MaxTextureImageUnits", "texture units of a fragment shader", (100, 300)),
        ("gl_MaxCombinedTextureImageUnits", "texture units of both shaders", (100, 300)),
        ("gl_MaxDrawBuffers", "colour outputs", (100, 300)))},
    "gl_MinProgramTexelOffset": ("const mediump int", "The least offset of textureOffset() and its like.", "", (300,)),
    "gl_MaxProgramTexelOffset": ("const mediump int", "The greatest offset of textureOffset() and its like.", "", (300,)),
}

_OLD_TYPES = ("void bool int float vec2 vec3 vec4 bvec2 bvec3 bvec4 ivec2 ivec3 ivec4 mat2 mat3 mat4 sampler2D "
              "samplerCube").split()
_NEW_TYPES = ("uint uvec2 uvec3 uvec4 mat2x2 mat2x3 mat2x4 mat3x2 mat3x3 mat3x4 mat4x2 mat4x3 mat4x4 sampler3D "
              "samplerCubeShadow sampler2DShadow sampler2DArray sampler2DArrayShadow isampler2D isampler3D isamplerCube "
              "isampler2DArray usampler2D usampler3D usamplerCube usampler2DArray").split()
_OLD_WORDS = ("const attribute uniform varying break continue do for while if else in out inout true false lowp mediump "
              "highp precision invariant discard return struct").split()
_NEW_WORDS = "layout centroid flat smooth switch case default".split()
_CONTROL = "break continue do for while if else discard return switch case default".split()
#: For those who colour texts.
WORDS: Dict[str, List[str]] = {
    "control": _CONTROL, "type": [*_OLD_TYPES, *_NEW_TYPES],
    "qualifier": [word for word in (*_OLD_WORDS, *_NEW_WORDS) if word not in (*_CONTROL, "true", "false")]}
_QUALIFIERS = set("const attribute uniform varying in out inout lowp mediump highp invariant centroid flat smooth "
                  "precision".split())
_TOKEN = re.compile(r"[A-Za-z_]\w*|\d[\w.]*|\.\d\w*|\S")
_IDENTIFIER = re.compile(r"[A-Za-z_]\w*$")
_DEFINE = re.compile(r"\s*#\s*define\s+([A-Za-z_]\w*)")


def version_of(lines: List[str]) -> int:
    """100, or 300 where the first directive says so."""
    for line in lines:
        found = re.match(r"\s*#\s*version\s+(\d+)", line)
        if found:
            return 300 if found.group(1) == "300" else 100
    return 100


def stage_of(lines: List[str], path: str) -> str:
    """vertex or fragment: what the file's ending says, else whether the text writes a position."""
    for endings, stage in (((".vert", ".vs", ".vsh"), "vertex"), ((".frag", ".fs", ".fsh"), "fragment")):
        if path.endswith(endings):
            return stage
    text = "\n".join(lines)
    return "vertex" if re.search(r"\bgl_Position\b|\battribute\b", text) else "fragment"


def without_comments(text: str) -> str:
    """The text with blanks in place of comments, each character where it was."""
    return re.sub(r"//[^\n]*|/\*.*?(?:\*/|\Z)", lambda found: re.sub(r"[^\n]", " ", found.group()), text, flags=re.DOTALL)


class _Token(NamedTuple):
    text: str
    place: Place


def _tokens(lines: List[str]) -> List[_Token]:
    tokens = []
    for number, line in enumerate(lines):
        if not line.lstrip().startswith("#"):
            tokens += [_Token(found.group(), Place(number, found.start())) for found in _TOKEN.finditer(line)]
    return tokens


class _Scanner:
    """Finds declarations without understanding expressions: a type, or a structure's name, and a name behind it."""

    def __init__(self, lines: List[str]):
        self.lines, self.tokens = lines, _tokens(without_comments("\n".join(lines)).split("\n"))
        self.types: Set[str] = {*_OLD_TYPES, *_NEW_TYPES}
        self.names: List[Name] = []
        #: Names of each open brace, which end with it; the outermost is the text.
        self.open: List[List[Name]] = [[]]
        self.kind: List[str] = []
        self.parameters: List[Name] = []
        self.function: Optional[Name] = None

    def text(self, at: int) -> str:
        return self.tokens[at].text if at < len(self.tokens) else ""

    def add(self, at: int, kind: str, detail: str = "") -> Name:
        place = self.tokens[at].place
        is_global = len(self.open) == 1 and kind not in ("parameter", "member")
        name = Name(self.tokens[at].text, kind, place, self.lines[place.line].strip(), everywhere=False, detail=detail)
        self.names.append(name)
        if kind == "parameter":
            self.parameters.append(name)
        elif not is_global:
            self.open[-1].append(name)
        return name

    def close(self, names: List[Name], place: Place) -> None:
        for name in names:
            name.until = place

    def scan(self) -> List[Name]:
        at = 0
        while at < len(self.tokens):
            at = self.step(at)
        return self.names

    def step(self, at: int) -> int:
        word, place = self.tokens[at]
        if word == "{":
            self.open.append(self.parameters)
            self.kind.append("")
            self.parameters = []
        elif word == "}":
            if len(self.open) > 1:
                self.close(self.open.pop(), place)
                self.kind.pop()
            if len(self.open) == 1 and self.function is not None:
                self.function.last_line, self.function = place.line, None
        elif word == ";" and len(self.open) == 1:
            self.close(self.parameters, place)  # of a prototype
            self.parameters, self.function = [], None
        elif word == "struct" and _IDENTIFIER.match(self.text(at + 1)):
            self.types.add(self.text(at + 1))
            self.add(at + 1, "struct", "struct")
            return self.members(at + 2)
        elif word in ("uniform", "in", "out") and _IDENTIFIER.match(self.text(at + 1)) and self.text(at + 2) == "{":
            self.add(at + 1, "struct", f"{word} block")
            return self.members(at + 2)
        elif word in self.types and _IDENTIFIER.match(self.text(at + 1)) and \
                (at == 0 or self.text(at - 1) not in (".", "precision")):
            return self.declared(at)
        return at + 1

    def members(self, at: int) -> int:
        """Of a structure or block that opens here. A block without a name of its own gives its members to all."""
        if self.text(at) != "{":
            return at
        first = at
        while at < len(self.tokens) and self.text(at) != "}":
            at += 1
        is_block_of_all = self.text(at + 1) == ";" and self.text(first - 2) != "struct"
        for i in range(first + 1, at):
            if _IDENTIFIER.match(self.text(i)) and self.text(i + 1) in (";", ",", "["):
                if self.text(i - 1) != "[":
                    name = self.add(i, "variable" if is_block_of_all else "member", self.text(i - 1))
                    name.everywhere = not is_block_of_all
        if _IDENTIFIER.match(self.text(at + 1)):
            self.add(at + 1, "variable", self.text(first - 1))
            return at + 2
        return at + 1

    def declared(self, at: int) -> int:
        """The names behind the type at `at`."""
        kind_of_type = self.text(at)
        if self.text(at + 2) == "(" and len(self.open) == 1:
            name = self.add(at + 1, "function", kind_of_type)
            name.everywhere, name.last_line, self.function = False, name.place.line, name
            self.parameters = []
            at += 3
            while at < len(self.tokens) and self.text(at) not in (")", "{", ";"):
                if self.text(at) in self.types and _IDENTIFIER.match(self.text(at + 1)):
                    self.add(at + 1, "parameter", self.text(at))
                    at += 1
                at += 1
            return at
        before = at - 1
        while before >= 0 and self.text(before) in _QUALIFIERS:
            before -= 1
        words = [self.text(i) for i in range(before + 1, at + 1)]
        kind = "constant" if "const" in words else "variable"
        depth, at = 0, at + 1
        self.add(at, kind, " ".join(words))
        while at + 1 < len(self.tokens):
            at += 1
            word = self.text(at)
            if word in ("(", "["):
                depth += 1
            elif word in (")", "]"):
                depth -= 1
            if depth < 0 or word in (";", "{", "}"):
                return at
            if word == "," and depth == 0 and _IDENTIFIER.match(self.text(at + 1)):
                self.add(at + 1, kind, " ".join(words))
        return at + 1


def names(lines: List[str], path: Optional[str] = None) -> List[Name]:
    """All that a text declares. Overloads and prototypes are names of their own."""
    found = _Scanner(lines).scan()
    for number, line in enumerate(lines):
        macro = _DEFINE.match(line)
        if macro:
            found.append(Name(macro.group(1), "macro", Place(number, macro.start(1)), line.strip(), everywhere=False))
    return found


def meaning(lines: List[str], at: Place) -> Optional[str]:
    """What a built-in word at a place means, as Markdown."""
    found = word_at(lines[at.line], at.column)
    if found is None:
        return None
    word, start = found
    if start and lines[at.line][start - 1] == ".":
        return None
    if word in FUNCTIONS:
        one = FUNCTIONS[word]
        return "```glsl\n" + "\n".join(one.signatures) + f"\n```\n{one.meaning}{_only(one.versions)}"
    if word in VARIABLES:
        kind, text, stage, versions = VARIABLES[word]
        return f"```glsl\n{kind} {word}\n```\n{text}" + (f" *{stage.capitalize()} shaders.*" if stage else "") + _only(versions)
    return None


def _only(versions: Tuple[int, ...]) -> str:
    return "" if len(versions) > 1 else f"\n\n*GLSL ES {versions[0] / 100:.2f}*"


def completions(lines: List[str], at: Place, known: List[Name], stage: str) -> List[Completion]:
    """What can be typed at a place."""
    text = without_comments("\n".join(lines)).split("\n")
    before = text[at.line][:at.column]
    if len(before.rstrip()) < len(lines[at.line][:at.column].rstrip()):
        return []  # in a comment
    if re.search(r"\.\w*$", before):
        return [Completion(name.name, "member", name.detail) for name in known if name.kind == "member"]
    version = version_of(lines)
    later = version == 300
    made = [Completion(name.name, name.kind, name.declared) for name in known
            if name.kind != "member" and name.place <= at and (name.until is None or at <= name.until)]
    made += [Completion(word, "function", one.signatures[0], one.meaning) for word, one in FUNCTIONS.items()
             if version in one.versions and one.stage in ("", stage)]
    made += [Completion(word, "special", kind, text_of) for word, (kind, text_of, of, versions) in VARIABLES.items()
             if of in ("", stage) and version in versions]
    made += [Completion(word, "type") for word in (*_OLD_TYPES, *(_NEW_TYPES if later else ()))]
    gone = ("attribute", "varying") if later else ()
    made += [Completion(word, "keyword") for word in (*_OLD_WORDS, *(_NEW_WORDS if later else ())) if word not in gone]
    return made
