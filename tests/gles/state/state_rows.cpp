#include "tests/gles/state/state_rows.h"

#include <algorithm>

#include "tests/gles/state/state_access.h"

namespace tessera::gles_test {

namespace {

void addRasterization(std::vector<StateRow>& rows) {
    const double width = kSceneWidth, height = kSceneHeight;
    rows.push_back({.name = "viewport",
                    .get = integers(GL_VIEWPORT, 4),
                    .initial = {0, 0, width, height},
                    .other = {0, 3, width, height - 5},
                    .set = [](const StateValue& v) { glViewport(whole(v[0]), whole(v[1]), whole(v[2]), whole(v[3])); },
                    .refused = {{[] { glViewport(1, 1, -1, 1); }, GL_INVALID_VALUE},
                                {[] { glViewport(1, 1, 1, -1); }, GL_INVALID_VALUE}},
                    .shown = Shown::Draw,
                    .queried = GL_VIEWPORT});
    rows.push_back({.name = "depth range",
                    .get = floats(GL_DEPTH_RANGE, 2),
                    .initial = {0, 1},
                    .other = {1, 0.25},
                    .set = [](const StateValue& v) { glDepthRangef(real(v[0]), real(v[1])); },
                    .shown = Shown::Draw,
                    .need = [] { glEnable(GL_DEPTH_TEST); },
                    .queried = GL_DEPTH_RANGE});
    const Refused wrongClip = {[] { glClipControlEXT(GL_LOWER_LEFT_EXT, GL_LOWER_LEFT_EXT); }, GL_INVALID_ENUM};
    rows.push_back(enumeration(
        "clip origin", GL_CLIP_ORIGIN_EXT, GL_LOWER_LEFT_EXT, GL_UPPER_LEFT_EXT,
        [](const StateValue& v) { glClipControlEXT(word(v[0]), nowWord(GL_CLIP_DEPTH_MODE_EXT)); }, {wrongClip},
        Shown::Draw));
    rows.push_back(enumeration(
        "clip depth mode", GL_CLIP_DEPTH_MODE_EXT, GL_NEGATIVE_ONE_TO_ONE_EXT, GL_ZERO_TO_ONE_EXT,
        [](const StateValue& v) { glClipControlEXT(nowWord(GL_CLIP_ORIGIN_EXT), word(v[0])); }, {wrongClip},
        Shown::Draw));
    rows.push_back(
        {.name = "line width",
         .get = floats(GL_LINE_WIDTH),
         .initial = {1},
         .other = {3},
         .set = [](const StateValue& v) { glLineWidth(real(v[0])); },
         .refused = {{[] { glLineWidth(0); }, GL_INVALID_VALUE}, {[] { glLineWidth(-1); }, GL_INVALID_VALUE}},
         .shown = Shown::Draw,
         .queried = GL_LINE_WIDTH});
    rows.push_back(toggle("culling", GL_CULL_FACE, false, 2, Shown::Draw));
    const Need cull = [] { glEnable(GL_CULL_FACE); };
    rows.push_back(enumeration(
        "cull face", GL_CULL_FACE_MODE, GL_BACK, GL_FRONT, [](const StateValue& v) { glCullFace(word(v[0])); },
        {{[] { glCullFace(GL_CW); }, GL_INVALID_ENUM}}, Shown::Draw, cull));
    rows.push_back(enumeration(
        "front face", GL_FRONT_FACE, GL_CCW, GL_CW, [](const StateValue& v) { glFrontFace(word(v[0])); },
        {{[] { glFrontFace(GL_FRONT); }, GL_INVALID_ENUM}}, Shown::Draw, cull));
    rows.push_back(toggle("polygon offset", GL_POLYGON_OFFSET_FILL, false, 2, Shown::Draw, [] {
        glEnable(GL_DEPTH_TEST);
        glPolygonOffset(0, -4194304);
    }));
    const Need offset = [] {
        glEnable(GL_DEPTH_TEST);
        glEnable(GL_POLYGON_OFFSET_FILL);
    };
    const auto setOffset = [](double factor, double units, double clamp) {
        glPolygonOffsetClampEXT(real(factor), real(units), real(clamp));
    };
    const auto real1 = [](GLenum name) { return floats(name)()[0]; };
    rows.push_back({.name = "polygon offset factor",
                    .get = floats(GL_POLYGON_OFFSET_FACTOR),
                    .initial = {0},
                    .other = {-4},
                    .set =
                        [=](const StateValue& v) {
                            setOffset(v[0], real1(GL_POLYGON_OFFSET_UNITS), real1(GL_POLYGON_OFFSET_CLAMP_EXT));
                        },
                    .shown = Shown::Draw,
                    .need = offset,
                    .queried = GL_POLYGON_OFFSET_FACTOR});
    rows.push_back({.name = "polygon offset units",
                    .get = floats(GL_POLYGON_OFFSET_UNITS),
                    .initial = {0},
                    .other = {-4194304},
                    .set =
                        [=](const StateValue& v) {
                            setOffset(real1(GL_POLYGON_OFFSET_FACTOR), v[0], real1(GL_POLYGON_OFFSET_CLAMP_EXT));
                        },
                    .shown = Shown::Draw,
                    .need = offset,
                    .queried = GL_POLYGON_OFFSET_UNITS});
    rows.push_back({.name = "polygon offset clamp",
                    .get = floats(GL_POLYGON_OFFSET_CLAMP_EXT),
                    .initial = {0},
                    .other = {-0.0009765625},
                    .set =
                        [=](const StateValue& v) {
                            setOffset(real1(GL_POLYGON_OFFSET_FACTOR), real1(GL_POLYGON_OFFSET_UNITS), v[0]);
                        },
                    .shown = Shown::Draw,
                    .need =
                        [=] {
                            offset();
                            glPolygonOffset(0, -4194304);
                        },
                    .queried = GL_POLYGON_OFFSET_CLAMP_EXT});
    rows.push_back(toggle("depth clamp", GL_DEPTH_CLAMP_EXT, false, 3, Shown::NotAsked));
    for (GLenum i = 0; i < 8; ++i)
        rows.push_back(toggle(("clip distance " + std::to_string(i)).c_str(), GL_CLIP_DISTANCE0_EXT + i, false, 3,
                              Shown::Nowhere));
    rows.push_back(toggle("coherent blending", GL_BLEND_ADVANCED_COHERENT_KHR, true, 3, Shown::Nowhere));
    rows.push_back(toggle("sRGB writes", GL_FRAMEBUFFER_SRGB_EXT, true, 3, Shown::Nowhere));
    rows.push_back(toggle("rasterizer discard", GL_RASTERIZER_DISCARD, false, 3, Shown::Draw));
    rows.push_back(toggle("primitive restart", GL_PRIMITIVE_RESTART_FIXED_INDEX, false, 3, Shown::Draw));
    // Section 4.1.3: without multisampling neither does anything.
    rows.push_back(toggle("alpha to coverage", GL_SAMPLE_ALPHA_TO_COVERAGE, false, 2, Shown::Nowhere));
    rows.push_back(toggle("sample coverage", GL_SAMPLE_COVERAGE, false, 2, Shown::Nowhere));
    rows.push_back(
        {.name = "sample coverage value",
         .get = floats(GL_SAMPLE_COVERAGE_VALUE),
         .initial = {1},
         .other = {0.25},
         .set = [](const StateValue& v) { glSampleCoverage(real(v[0]), truth(now(GL_SAMPLE_COVERAGE_INVERT))); },
         .queried = GL_SAMPLE_COVERAGE_VALUE});
    rows.push_back(
        {.name = "sample coverage invert",
         .get = integers(GL_SAMPLE_COVERAGE_INVERT),
         .initial = {0},
         .other = {1},
         .set = [=](const StateValue& v) { glSampleCoverage(real(real1(GL_SAMPLE_COVERAGE_VALUE)), truth(v[0])); },
         .queried = GL_SAMPLE_COVERAGE_INVERT});
    rows.push_back(toggle("sample shading", GL_SAMPLE_SHADING_OES, false, 3, Shown::Nowhere));
    rows.push_back({.name = "least sample shading",
                    .since = 3,
                    .get = floats(GL_MIN_SAMPLE_SHADING_VALUE_OES),
                    .initial = {0},
                    .other = {0.75},
                    .set = [](const StateValue& v) { glMinSampleShadingOES(real(v[0])); },
                    .queried = GL_MIN_SAMPLE_SHADING_VALUE_OES});
}

struct FaceNames {
    const char* name;
    GLenum face, func, ref, valueMask, fail, depthFail, depthPass, writeMask;
};
constexpr FaceNames kFaces[] = {
    {"front", GL_FRONT, GL_STENCIL_FUNC, GL_STENCIL_REF, GL_STENCIL_VALUE_MASK, GL_STENCIL_FAIL,
     GL_STENCIL_PASS_DEPTH_FAIL, GL_STENCIL_PASS_DEPTH_PASS, GL_STENCIL_WRITEMASK},
    {"back", GL_BACK, GL_STENCIL_BACK_FUNC, GL_STENCIL_BACK_REF, GL_STENCIL_BACK_VALUE_MASK, GL_STENCIL_BACK_FAIL,
     GL_STENCIL_BACK_PASS_DEPTH_FAIL, GL_STENCIL_BACK_PASS_DEPTH_PASS, GL_STENCIL_BACK_WRITEMASK},
};

void addStencil(std::vector<StateRow>& rows, const FaceNames& of) {
    const std::string face = std::string(" of ") + of.name;
    const auto func = [=](GLenum func, double ref, double mask) {
        glStencilFuncSeparate(of.face, func, whole(ref), static_cast<GLuint>(mask));
    };
    const auto op = [=](GLenum fail, GLenum depthFail, GLenum depthPass) {
        glStencilOpSeparate(of.face, fail, depthFail, depthPass);
    };
    const Need test = [] { glEnable(GL_STENCIL_TEST); };
    const auto tested = [=](GLenum compare, double ref) -> Need {
        return [=] {
            glEnable(GL_STENCIL_TEST);
            glEnable(GL_DEPTH_TEST);
            func(compare, ref, 255);
        };
    };
    const std::vector<Refused> wrongFunc = {{[=] { glStencilFuncSeparate(of.face, GL_KEEP, 0, 0); }, GL_INVALID_ENUM},
                                            {[] { glStencilFuncSeparate(GL_CW, GL_LESS, 0, 0); }, GL_INVALID_ENUM}};
    const std::vector<Refused> wrongOp = {
        {[=] { glStencilOpSeparate(of.face, GL_KEEP, GL_KEEP, GL_LESS); }, GL_INVALID_ENUM},
        {[=] { glStencilOpSeparate(of.face, GL_KEEP, GL_LESS, GL_ZERO); }, GL_INVALID_ENUM},
        {[=] { glStencilOpSeparate(of.face, GL_LESS, GL_ZERO, GL_ZERO); }, GL_INVALID_ENUM},
        {[] { glStencilOpSeparate(GL_CCW, GL_ZERO, GL_ZERO, GL_ZERO); }, GL_INVALID_ENUM}};
    const auto add = [&](const char* name, GLenum queried, double initial, double other, Set set,
                         std::vector<Refused> refused, Need need) {
        rows.push_back({.name = name + face,
                        .get = mask(queried),
                        .initial = {initial},
                        .other = {other},
                        .set = std::move(set),
                        .refused = std::move(refused),
                        .shown = Shown::Draw,
                        .need = std::move(need),
                        .queried = queried});
    };
    add(
        "stencil function", of.func, GL_ALWAYS, GL_NOTEQUAL,
        [=](const StateValue& v) { func(word(v[0]), now(of.ref), now(of.valueMask)); }, wrongFunc, test);
    add(
        "stencil reference", of.ref, 0, 1,
        [=](const StateValue& v) { func(nowWord(of.func), v[0], now(of.valueMask)); }, wrongFunc, tested(GL_EQUAL, 0));
    add(
        "stencil value mask", of.valueMask, 0xFFFFFFFF, 0xF0,
        [=](const StateValue& v) { func(nowWord(of.func), now(of.ref), v[0]); }, wrongFunc,
        [=] {
            glEnable(GL_STENCIL_TEST);
            func(GL_EQUAL, 1, 0xFFFFFFFF);
        });
    add(
        "stencil fail", of.fail, GL_KEEP, GL_REPLACE,
        [=](const StateValue& v) { op(word(v[0]), nowWord(of.depthFail), nowWord(of.depthPass)); }, wrongOp,
        tested(GL_EQUAL, 1));
    add(
        "stencil depth fail", of.depthFail, GL_KEEP, GL_INVERT,
        [=](const StateValue& v) { op(nowWord(of.fail), word(v[0]), nowWord(of.depthPass)); }, wrongOp,
        tested(GL_EQUAL, 0));
    add(
        "stencil pass", of.depthPass, GL_KEEP, GL_INCR,
        [=](const StateValue& v) { op(nowWord(of.fail), nowWord(of.depthFail), word(v[0])); }, wrongOp,
        tested(GL_EQUAL, 0));
    add(
        "stencil write mask", of.writeMask, 0xFFFFFFFF, 0xFE,
        [=](const StateValue& v) { glStencilMaskSeparate(of.face, static_cast<GLuint>(v[0])); },
        {{[] { glStencilMaskSeparate(GL_CW, 0); }, GL_INVALID_ENUM}},
        [=] {
            tested(GL_EQUAL, 0)();
            op(GL_KEEP, GL_KEEP, GL_INCR);
        });
}

void addBlending(std::vector<StateRow>& rows) {
    const auto blend = [](GLenum source, GLenum destination) -> Need {
        return [=] {
            glEnable(GL_BLEND);
            glBlendFunc(source, destination);
        };
    };
    rows.push_back(toggle("blending", GL_BLEND, false, 2, Shown::Draw, [] { glBlendFunc(GL_ONE, GL_ONE); }));
    const auto func = [](GLenum name, GLenum value) {
        const auto of = [&](GLenum each) { return each == name ? value : nowWord(each); };
        glBlendFuncSeparate(of(GL_BLEND_SRC_RGB), of(GL_BLEND_DST_RGB), of(GL_BLEND_SRC_ALPHA), of(GL_BLEND_DST_ALPHA));
    };
    const std::vector<Refused> wrongFunc = {
        {[] { glBlendFuncSeparate(GL_FUNC_ADD, GL_ONE, GL_ONE, GL_ONE); }, GL_INVALID_ENUM},
        {[] { glBlendFuncSeparate(GL_ONE, GL_FUNC_ADD, GL_ZERO, GL_ONE); }, GL_INVALID_ENUM},
        {[] { glBlendFuncSeparate(GL_ONE, GL_ONE, GL_FUNC_ADD, GL_ONE); }, GL_INVALID_ENUM},
        {[] { glBlendFuncSeparate(GL_ZERO, GL_ONE, GL_ONE, GL_FUNC_ADD); }, GL_INVALID_ENUM}};
    const struct {
        const char* name;
        GLenum queried, initial, other;
    } factors[] = {{"source factor of colour", GL_BLEND_SRC_RGB, GL_ONE, GL_SRC_ALPHA},
                   {"destination factor of colour", GL_BLEND_DST_RGB, GL_ZERO, GL_ONE},
                   {"source factor of alpha", GL_BLEND_SRC_ALPHA, GL_ONE, GL_ZERO},
                   {"destination factor of alpha", GL_BLEND_DST_ALPHA, GL_ZERO, GL_ONE}};
    for (const auto& factor : factors)
        rows.push_back(enumeration(
            factor.name, factor.queried, factor.initial, factor.other,
            [=](const StateValue& v) { func(factor.queried, word(v[0])); }, wrongFunc, Shown::Draw,
            [] { glEnable(GL_BLEND); }));
    const std::vector<Refused> wrongEquation = {
        {[] { glBlendEquationSeparate(GL_ONE, GL_FUNC_SUBTRACT); }, GL_INVALID_ENUM},
        {[] { glBlendEquationSeparate(GL_FUNC_SUBTRACT, GL_ONE); }, GL_INVALID_ENUM}};
    rows.push_back(enumeration(
        "blend equation of colour", GL_BLEND_EQUATION_RGB, GL_FUNC_ADD, GL_FUNC_REVERSE_SUBTRACT,
        [](const StateValue& v) { glBlendEquationSeparate(word(v[0]), nowWord(GL_BLEND_EQUATION_ALPHA)); },
        wrongEquation, Shown::Draw, blend(GL_ONE, GL_ONE)));
    rows.push_back(enumeration(
        "blend equation of alpha", GL_BLEND_EQUATION_ALPHA, GL_FUNC_ADD, GL_FUNC_SUBTRACT,
        [](const StateValue& v) { glBlendEquationSeparate(nowWord(GL_BLEND_EQUATION_RGB), word(v[0])); }, wrongEquation,
        Shown::Draw, blend(GL_ONE, GL_ONE)));
    rows.push_back({.name = "blend colour",
                    .get = floats(GL_BLEND_COLOR, 4),
                    .initial = {0, 0, 0, 0},
                    .other = {0.25, 0.5, 0.75, 1},
                    .set = [](const StateValue& v) { glBlendColor(real(v[0]), real(v[1]), real(v[2]), real(v[3])); },
                    .shown = Shown::Draw,
                    .need = blend(GL_CONSTANT_COLOR, GL_ZERO),
                    .queried = GL_BLEND_COLOR});
}

/// State of draw buffer 1 (OES_draw_buffers_indexed), which the drawable does not have: what its state is does not
/// matter.
void addIndexed(std::vector<StateRow>& rows) {
    const auto indexed = [](GLenum name, size_t count = 1) -> Get {
        return [=] {
            GLint values[4] = {};
            glGetIntegeri_v(name, 1, values);
            return StateValue(values, values + count);
        };
    };
    const auto wordOf = [=](GLenum name) { return word(indexed(name)()[0]); };
    const auto func = [=](GLenum name, GLenum value) {
        const auto of = [&](GLenum each) { return each == name ? value : wordOf(each); };
        glBlendFuncSeparateiOES(1, of(GL_BLEND_SRC_RGB), of(GL_BLEND_DST_RGB), of(GL_BLEND_SRC_ALPHA),
                                of(GL_BLEND_DST_ALPHA));
    };
    const std::vector<Refused> wrongFunc = {
        {[] { glBlendFuncSeparateiOES(8, GL_ONE, GL_ONE, GL_ONE, GL_ONE); }, GL_INVALID_VALUE},
        {[] { glBlendFuncSeparateiOES(1, GL_ONE, GL_ONE, GL_ONE, GL_LESS); }, GL_INVALID_ENUM}};
    const struct {
        const char* name;
        GLenum queried, initial, other;
    } factors[] = {{"source factor of colour 1", GL_BLEND_SRC_RGB, GL_ONE, GL_SRC_ALPHA},
                   {"destination factor of colour 1", GL_BLEND_DST_RGB, GL_ZERO, GL_ONE},
                   {"source factor of alpha 1", GL_BLEND_SRC_ALPHA, GL_ONE, GL_ZERO},
                   {"destination factor of alpha 1", GL_BLEND_DST_ALPHA, GL_ZERO, GL_ONE}};
    const auto add = [&](const char* name, GLenum queried, GLenum initial, GLenum other, Set set,
                         std::vector<Refused> refused) {
        StateRow row =
            enumeration(name, queried, initial, other, std::move(set), std::move(refused), Shown::Nowhere, nullptr, 3);
        row.get = indexed(queried);
        row.queried = 0;
        rows.push_back(std::move(row));
    };
    for (const auto& factor : factors)
        add(
            factor.name, factor.queried, factor.initial, factor.other,
            [=](const StateValue& v) { func(factor.queried, word(v[0])); }, wrongFunc);
    const std::vector<Refused> wrongEquation = {
        {[] { glBlendEquationSeparateiOES(8, GL_FUNC_ADD, GL_FUNC_ADD); }, GL_INVALID_VALUE},
        {[] { glBlendEquationSeparateiOES(1, GL_FUNC_SUBTRACT, GL_ONE); }, GL_INVALID_ENUM}};
    add(
        "blend equation of colour 1", GL_BLEND_EQUATION_RGB, GL_FUNC_ADD, GL_FUNC_REVERSE_SUBTRACT,
        [=](const StateValue& v) { glBlendEquationSeparateiOES(1, word(v[0]), wordOf(GL_BLEND_EQUATION_ALPHA)); },
        wrongEquation);
    add(
        "blend equation of alpha 1", GL_BLEND_EQUATION_ALPHA, GL_FUNC_ADD, GL_FUNC_SUBTRACT,
        [=](const StateValue& v) { glBlendEquationSeparateiOES(1, wordOf(GL_BLEND_EQUATION_RGB), word(v[0])); },
        wrongEquation);
    rows.push_back(
        {.name = "colour mask 1",
         .since = 3,
         .get = indexed(GL_COLOR_WRITEMASK, 4),
         .initial = {1, 1, 1, 1},
         .other = {1, 0, 1, 0},
         .set = [](const StateValue& v) { glColorMaskiOES(1, truth(v[0]), truth(v[1]), truth(v[2]), truth(v[3])); },
         .refused = {{[] { glColorMaskiOES(8, 0, 0, 0, 0); }, GL_INVALID_VALUE}}});
    rows.push_back(
        {.name = "blending 1",
         .since = 3,
         .get = [] { return StateValue{glIsEnablediOES(GL_BLEND, 1) != GL_FALSE ? 1.0 : 0.0}; },
         .initial = {0},
         .other = {1},
         .set = [](const StateValue& v) { v[0] != 0 ? glEnableiOES(GL_BLEND, 1) : glDisableiOES(GL_BLEND, 1); },
         .refused = {{[] { glEnableiOES(GL_DITHER, 1); }, GL_INVALID_ENUM},
                     {[] { glEnableiOES(GL_BLEND, 8); }, GL_INVALID_VALUE}}});
}

void addPixels(std::vector<StateRow>& rows) {
    rows.push_back(toggle("scissor test", GL_SCISSOR_TEST, false, 2, Shown::Draw, [] { glScissor(0, 9, 47, 9); }));
    rows.push_back({.name = "scissor box",
                    .get = integers(GL_SCISSOR_BOX, 4),
                    .initial = {0, 0, kSceneWidth, kSceneHeight},
                    .other = {0, 5, kSceneWidth, 12},
                    .set = [](const StateValue& v) { glScissor(whole(v[0]), whole(v[1]), whole(v[2]), whole(v[3])); },
                    .refused = {{[] { glScissor(1, 1, -1, 1); }, GL_INVALID_VALUE},
                                {[] { glScissor(1, 1, 1, -1); }, GL_INVALID_VALUE}},
                    .shown = Shown::Draw,
                    .need = [] { glEnable(GL_SCISSOR_TEST); },
                    .queried = GL_SCISSOR_BOX});
    rows.push_back(
        toggle("stencil test", GL_STENCIL_TEST, false, 2, Shown::Draw, [] { glStencilFunc(GL_LESS, 0, 255); }));
    for (const FaceNames& face : kFaces) addStencil(rows, face);
    rows.push_back(toggle("depth test", GL_DEPTH_TEST, false, 2, Shown::Draw));
    const Need depth = [] { glEnable(GL_DEPTH_TEST); };
    rows.push_back(enumeration(
        "depth function", GL_DEPTH_FUNC, GL_LESS, GL_NOTEQUAL, [](const StateValue& v) { glDepthFunc(word(v[0])); },
        {{[] { glDepthFunc(GL_ZERO); }, GL_INVALID_ENUM}}, Shown::Draw, depth));
    addBlending(rows);
    // Of eight bits each, which dithering leaves alone.
    rows.push_back(toggle("dithering", GL_DITHER, true, 2, Shown::Nowhere));

    // Framebuffer control
    rows.push_back({.name = "colour mask",
                    .get = integers(GL_COLOR_WRITEMASK, 4),
                    .initial = {1, 1, 1, 1},
                    .other = {1, 0, 1, 0},
                    .set = [](const StateValue& v) { glColorMask(truth(v[0]), truth(v[1]), truth(v[2]), truth(v[3])); },
                    .shown = Shown::Draw,
                    .queried = GL_COLOR_WRITEMASK});
    rows.push_back({.name = "depth mask",
                    .get = integers(GL_DEPTH_WRITEMASK),
                    .initial = {1},
                    .other = {0},
                    .set = [](const StateValue& v) { glDepthMask(truth(v[0])); },
                    .shown = Shown::Draw,
                    .need = depth,
                    .queried = GL_DEPTH_WRITEMASK});
    rows.push_back({.name = "clear colour",
                    .get = floats(GL_COLOR_CLEAR_VALUE, 4),
                    .initial = {0, 0, 0, 0},
                    .other = {0.5, 0.25, 1, 0.75},
                    .set = [](const StateValue& v) { glClearColor(real(v[0]), real(v[1]), real(v[2]), real(v[3])); },
                    .shown = Shown::Clear,
                    .queried = GL_COLOR_CLEAR_VALUE});
    rows.push_back({.name = "clear depth",
                    .get = floats(GL_DEPTH_CLEAR_VALUE),
                    .initial = {1},
                    .other = {0.5},
                    .set = [](const StateValue& v) { glClearDepthf(real(v[0])); },
                    .shown = Shown::Clear,
                    .need = depth,
                    .queried = GL_DEPTH_CLEAR_VALUE});
    rows.push_back({.name = "clear stencil",
                    .get = integers(GL_STENCIL_CLEAR_VALUE),
                    .initial = {0},
                    .other = {5},
                    .set = [](const StateValue& v) { glClearStencil(whole(v[0])); },
                    .shown = Shown::Clear,
                    .need =
                        [] {
                            glEnable(GL_STENCIL_TEST);
                            glStencilFunc(GL_EQUAL, 0, 255);
                        },
                    .queried = GL_STENCIL_CLEAR_VALUE});

    const auto store = [&](const char* name, GLenum queried, int since, double initial, double other, Shown shown,
                           Need need = nullptr) {
        rows.push_back({.name = name,
                        .since = since,
                        .get = integers(queried),
                        .initial = {initial},
                        .other = {other},
                        .set = [=](const StateValue& v) { glPixelStorei(queried, whole(v[0])); },
                        .refused = {{[=] { glPixelStorei(queried, -1); }, GL_INVALID_VALUE},
                                    {[] { glPixelStorei(GL_PACK_ALIGNMENT, 3); }, GL_INVALID_VALUE},
                                    {[] { glPixelStorei(GL_ALPHA, 1); }, GL_INVALID_ENUM}},
                        .shown = shown,
                        .need = std::move(need),
                        .queried = queried});
    };
    store("unpack alignment", GL_UNPACK_ALIGNMENT, 2, 4, 1, Shown::Draw);
    store("unpack row length", GL_UNPACK_ROW_LENGTH, 2, 0, 7, Shown::Draw);
    store("unpack skipped rows", GL_UNPACK_SKIP_ROWS, 2, 0, 2, Shown::Draw);
    store("unpack skipped pixels", GL_UNPACK_SKIP_PIXELS, 2, 0, 3, Shown::Draw);
    store("unpack image height", GL_UNPACK_IMAGE_HEIGHT, 3, 0, 5, Shown::Draw);
    store("unpack skipped images", GL_UNPACK_SKIP_IMAGES, 3, 0, 1, Shown::Draw);
    store("pack alignment", GL_PACK_ALIGNMENT, 2, 4, 8, Shown::Read);
    store("pack row length", GL_PACK_ROW_LENGTH, 2, 0, 50, Shown::Read);
    store("pack skipped rows", GL_PACK_SKIP_ROWS, 2, 0, 3, Shown::Read);
    store("pack skipped pixels", GL_PACK_SKIP_PIXELS, 2, 0, 2, Shown::Read);

    const auto hint = [&](const char* name, GLenum target) {
        rows.push_back(enumeration(
            name, target, GL_DONT_CARE, GL_NICEST, [=](const StateValue& v) { glHint(target, word(v[0])); },
            {{[=] { glHint(target, GL_LESS); }, GL_INVALID_ENUM},
             {[] { glHint(GL_NICEST, GL_NICEST); }, GL_INVALID_ENUM}},
            Shown::Nowhere));
    };
    hint("mipmap hint", GL_GENERATE_MIPMAP_HINT);
    hint("derivative hint", GL_FRAGMENT_SHADER_DERIVATIVE_HINT_OES);
    rows.push_back(
        {.name = "first draw buffer",
         .get = [] { return inDrawable(GL_DRAW_FRAMEBUFFER, GL_FRAMEBUFFER_BINDING, integers(GL_DRAW_BUFFER0_EXT)); },
         .initial = {GL_BACK},
         .other = {GL_NONE},
         .set =
             [](const StateValue& v) {
                 const GLenum buffer = word(v[0]);
                 glDrawBuffersEXT(1, &buffer);
             },
         .refused = {{[] {
                          const GLenum wrong = GL_COLOR_ATTACHMENT0;
                          glDrawBuffersEXT(1, &wrong);
                      },
                      GL_INVALID_OPERATION},
                     {[] {
                          const GLenum two[] = {GL_BACK, GL_NONE};
                          glDrawBuffersEXT(2, two);
                      },
                      GL_INVALID_OPERATION}},
         .shown = Shown::Draw,
         .queried = GL_DRAW_BUFFER0_EXT});
    rows.push_back(
        {.name = "read buffer",
         .since = 3,
         .get = [] { return inDrawable(GL_READ_FRAMEBUFFER, GL_READ_FRAMEBUFFER_BINDING, integers(GL_READ_BUFFER)); },
         .initial = {GL_BACK},
         .other = {GL_NONE},
         .set =
             [](const StateValue& v) {
                 inDrawable(GL_READ_FRAMEBUFFER, GL_READ_FRAMEBUFFER_BINDING, [&] { glReadBuffer(word(v[0])); });
             },
         .refused = {{[] {
                          inDrawable(GL_READ_FRAMEBUFFER, GL_READ_FRAMEBUFFER_BINDING,
                                     [] { glReadBuffer(GL_COLOR_ATTACHMENT0); });
                      },
                      GL_INVALID_OPERATION},
                     {[] { glReadBuffer(GL_RGBA); }, GL_INVALID_ENUM}},
         .shown = Shown::NotAsked});
    rows.push_back(toggle("debug output", GL_DEBUG_OUTPUT_KHR, false, 2, Shown::Nowhere));
    rows.push_back(toggle("synchronous debug output", GL_DEBUG_OUTPUT_SYNCHRONOUS_KHR, false, 2, Shown::Nowhere));
    rows.push_back({.name = "compiler threads",
                    .get = mask(GL_MAX_SHADER_COMPILER_THREADS_KHR),
                    .initial = {0xFFFFFFFF},
                    .other = {2},
                    .set = [](const StateValue& v) { glMaxShaderCompilerThreadsKHR(static_cast<GLuint>(v[0])); },
                    .queried = GL_MAX_SHADER_COMPILER_THREADS_KHR});
}

}  // namespace

std::vector<StateRow> stateRows(int version) {
    std::vector<StateRow> rows;
    addRasterization(rows);
    addPixels(rows);
    addIndexed(rows);
    addVertices(rows);
    addBindings(rows);
    addRanges(rows);
    addLookups(rows);
    // Calls without an index are for all draw buffers (OES_draw_buffers_indexed).
    for (StateRow& row : rows)
        if (std::ranges::any_of(rows, [&](const StateRow& other) { return other.name == row.name + " 1"; }))
            row.also = row.name + " 1";
    std::erase_if(rows, [&](const StateRow& row) { return row.since > version; });
    return rows;
}

}  // namespace tessera::gles_test
