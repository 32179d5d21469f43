#define GL_GLEXT_PROTOTYPES 1
#include "tests/gles/state/state_rows.h"

#include <GLES2/gl2ext.h>
#include <GLES3/gl3.h>

#include <algorithm>

#include "tests/gles/fixture.h"

namespace tessera::gles_test {

namespace {

using Get = std::function<StateValue()>;
using Set = std::function<void(const StateValue&)>;
using Need = std::function<void()>;

GLenum word(double value) { return static_cast<GLenum>(value); }
GLint whole(double value) { return static_cast<GLint>(value); }
GLfloat real(double value) { return static_cast<GLfloat>(value); }
GLboolean truth(double value) { return value != 0 ? GL_TRUE : GL_FALSE; }

Get integers(GLenum name, size_t count = 1) {
    return [=] {
        GLint values[4] = {};
        glGetIntegerv(name, values);
        return StateValue(values, values + count);
    };
}
Get floats(GLenum name, size_t count = 1) {
    return [=] {
        GLfloat values[4] = {};
        glGetFloatv(name, values);
        return StateValue(values, values + count);
    };
}
Get mask(GLenum name) {
    return [=] {
        GLint value = 0;
        glGetIntegerv(name, &value);
        return StateValue{static_cast<double>(static_cast<uint32_t>(value))};
    };
}
/// What else a call sets stays as it is.
double now(GLenum name) { return mask(name)()[0]; }
GLenum nowWord(GLenum name) { return word(now(name)); }

/// In a unit of textures, whichever is active.
template <class Act>
auto inUnit(GLenum unit, Act&& act) {
    struct Active {
        GLenum before = nowWord(GL_ACTIVE_TEXTURE);
        ~Active() { glActiveTexture(before); }
    } active;
    glActiveTexture(unit);
    return act();
}

/// In the context's own framebuffer, whichever is bound.
template <class Act>
auto inDrawable(GLenum target, GLenum binding, Act&& act) {
    struct Bound {
        GLenum target;
        GLuint before;
        ~Bound() { glBindFramebuffer(target, before); }
    } bound{target, nowWord(binding)};
    glBindFramebuffer(target, 0);
    return act();
}

StateRow toggle(const char* name, GLenum cap, bool initially, int since, Shown shown, Need need = nullptr) {
    return {.name = name,
            .since = since,
            .get = [=] { return StateValue{glIsEnabled(cap) != GL_FALSE ? 1.0 : 0.0}; },
            .initial = {initially ? 1.0 : 0.0},
            .other = {initially ? 0.0 : 1.0},
            .set = [=](const StateValue& v) { v[0] != 0 ? glEnable(cap) : glDisable(cap); },
            .refused = {{[] { glEnable(GL_POINTS); }, GL_INVALID_ENUM}},
            .shown = shown,
            .need = std::move(need),
            .queried = cap};
}

StateRow enumeration(const char* name, GLenum queried, GLenum initial, GLenum other, Set set,
                     std::vector<Refused> refused, Shown shown, Need need = nullptr, int since = 2) {
    return {.name = name,
            .since = since,
            .get = integers(queried),
            .initial = {static_cast<double>(initial)},
            .other = {static_cast<double>(other)},
            .set = std::move(set),
            .refused = std::move(refused),
            .shown = shown,
            .need = std::move(need),
            .queried = queried};
}

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

// --- Vertex arrays ---

GLfloat attributeReal(GLuint index, GLenum name) {
    GLfloat values[4] = {};
    glGetVertexAttribfv(index, name, values);
    return values[0];
}

GLint attribute(GLuint index, GLenum name) { return static_cast<GLint>(attributeReal(index, name)); }

const void* pointerOf(GLuint index) {
    void* pointer = nullptr;
    glGetVertexAttribPointerv(index, GL_VERTEX_ATTRIB_ARRAY_POINTER, &pointer);
    return pointer;
}

/// Elements of every vertex of the scene, as shorts and as floats of some size.
const GLfloat* wildElements() {
    static const std::vector<GLfloat> elements = [] {
        std::vector<GLfloat> out(size_t{4} * 512);
        for (size_t i = 0; i < out.size(); ++i) out[i] = static_cast<GLfloat>((i * 7) % 11) / 11.0f;
        return out;
    }();
    return elements.data();
}

/// glVertexAttribPointer with what there is, but one.
void setWild(GLenum name, double value) {
    const auto of = [&](GLenum each) { return each == name ? whole(value) : attribute(kWildAttribute, each); };
    const void* pointer = name == GL_VERTEX_ATTRIB_ARRAY_POINTER
                              ? reinterpret_cast<const void*>(static_cast<uintptr_t>(value))
                              : pointerOf(kWildAttribute);
    const auto bound = static_cast<GLuint>(now(GL_ARRAY_BUFFER_BINDING));
    glBindBuffer(GL_ARRAY_BUFFER, static_cast<GLuint>(of(GL_VERTEX_ATTRIB_ARRAY_BUFFER_BINDING)));
    glVertexAttribPointer(kWildAttribute, of(GL_VERTEX_ATTRIB_ARRAY_SIZE),
                          static_cast<GLenum>(of(GL_VERTEX_ATTRIB_ARRAY_TYPE)),
                          truth(of(GL_VERTEX_ATTRIB_ARRAY_NORMALIZED)), of(GL_VERTEX_ATTRIB_ARRAY_STRIDE), pointer);
    glBindBuffer(GL_ARRAY_BUFFER, bound);
}

void addVertices(std::vector<StateRow>& rows) {
    const auto pointTo = [](const void* pointer) {
        glVertexAttribPointer(kWildAttribute, attribute(kWildAttribute, GL_VERTEX_ATTRIB_ARRAY_SIZE), GL_FLOAT,
                              GL_FALSE, 0, pointer);
    };
    const Need enabled = [=] {
        pointTo(wildElements());
        glEnableVertexAttribArray(kWildAttribute);
    };
    const auto array = [&](const char* name, GLenum queried, double initial, double other, Set set, Shown shown,
                           Need need, std::vector<Refused> refused) {
        rows.push_back({.name = name,
                        .owner = StateOwner::VertexArray,
                        .get = [=] { return StateValue{static_cast<double>(attribute(kWildAttribute, queried))}; },
                        .initial = {initial},
                        .other = {other},
                        .set = std::move(set),
                        .refused = std::move(refused),
                        .shown = shown,
                        .need = std::move(need)});
    };
    const std::vector<Refused> wrongPointer = {
        {[] { glVertexAttribPointer(kWildAttribute, 5, GL_FLOAT, GL_TRUE, 0, nullptr); }, GL_INVALID_VALUE},
        {[] { glVertexAttribPointer(kWildAttribute, 0, GL_FLOAT, GL_TRUE, 0, nullptr); }, GL_INVALID_VALUE},
        {[] { glVertexAttribPointer(kWildAttribute, 1, GL_FLOAT, GL_TRUE, -1, nullptr); }, GL_INVALID_VALUE},
        {[] { glVertexAttribPointer(kWildAttribute, 1, GL_LESS, GL_TRUE, 0, nullptr); }, GL_INVALID_ENUM},
        {[] { glVertexAttribPointer(16, 1, GL_FLOAT, GL_TRUE, 0, nullptr); }, GL_INVALID_VALUE}};
    const auto wild = [](GLenum name) -> Set { return [=](const StateValue& v) { setWild(name, v[0]); }; };
    // Disabled first, so that the pointer that is none is not read when all rows go back to what they were.
    array(
        "attribute enabled", GL_VERTEX_ATTRIB_ARRAY_ENABLED, 0, 1,
        [](const StateValue& v) {
            v[0] != 0 ? glEnableVertexAttribArray(kWildAttribute) : glDisableVertexAttribArray(kWildAttribute);
        },
        Shown::Draw, [=] { pointTo(wildElements()); },
        {{[] { glEnableVertexAttribArray(16); }, GL_INVALID_VALUE},
         {[] { glDisableVertexAttribArray(16); }, GL_INVALID_VALUE}});
    array("attribute size", GL_VERTEX_ATTRIB_ARRAY_SIZE, 4, 2, wild(GL_VERTEX_ATTRIB_ARRAY_SIZE), Shown::Draw, enabled,
          wrongPointer);
    array("attribute type", GL_VERTEX_ATTRIB_ARRAY_TYPE, GL_FLOAT, GL_UNSIGNED_BYTE, wild(GL_VERTEX_ATTRIB_ARRAY_TYPE),
          Shown::Draw, enabled, wrongPointer);
    array(
        "attribute normalized", GL_VERTEX_ATTRIB_ARRAY_NORMALIZED, 0, 1, wild(GL_VERTEX_ATTRIB_ARRAY_NORMALIZED),
        Shown::Draw,
        [=] {
            enabled();
            setWild(GL_VERTEX_ATTRIB_ARRAY_TYPE, GL_UNSIGNED_BYTE);
        },
        wrongPointer);
    array("attribute stride", GL_VERTEX_ATTRIB_ARRAY_STRIDE, 0, 20, wild(GL_VERTEX_ATTRIB_ARRAY_STRIDE), Shown::Draw,
          enabled, wrongPointer);
    array("attribute divisor", GL_VERTEX_ATTRIB_ARRAY_DIVISOR, 0, 1,
          [](const StateValue& v) { glVertexAttribDivisorEXT(kWildAttribute, static_cast<GLuint>(v[0])); }, Shown::Draw,
          enabled, {{[] { glVertexAttribDivisorEXT(16, 1); }, GL_INVALID_VALUE}});
    array("attribute buffer", GL_VERTEX_ATTRIB_ARRAY_BUFFER_BINDING, 0, stateObjects().buffer,
          wild(GL_VERTEX_ATTRIB_ARRAY_BUFFER_BINDING), Shown::NotAsked, nullptr, wrongPointer);
    rows.push_back(
        {.name = "attribute pointer",
         .owner = StateOwner::VertexArray,
         .get = [] { return StateValue{static_cast<double>(reinterpret_cast<uintptr_t>(pointerOf(kWildAttribute)))}; },
         .initial = {0},
         .other = {static_cast<double>(reinterpret_cast<uintptr_t>(wildElements() + 1))},
         .set = [](const StateValue& v) { setWild(GL_VERTEX_ATTRIB_ARRAY_POINTER, v[0]); },
         .refused = wrongPointer,
         .shown = Shown::NotAsked});
    const auto currentOf = [](GLuint index) -> Get {
        return [=] {
            GLfloat values[4] = {};
            glGetVertexAttribfv(index, GL_CURRENT_VERTEX_ATTRIB, values);
            return StateValue(values, values + 4);
        };
    };
    // Not of the vertex array, but of the context (OpenGL ES 3.0.6, table 6.6).
    rows.push_back({.name = "current attribute",
                    .get = currentOf(kWildAttribute),
                    .initial = {0, 0, 0, 1},
                    .other = {0.5, 1, 0.25, 0},
                    .set =
                        [](const StateValue& v) {
                            glVertexAttrib4f(kWildAttribute, real(v[0]), real(v[1]), real(v[2]), real(v[3]));
                        },
                    .refused = {{[] { glVertexAttrib4f(16, 0, 0, 0, 0); }, GL_INVALID_VALUE}},
                    .shown = Shown::Draw});
    rows.push_back({.name = "another current attribute",
                    .get = currentOf(kShiftAttribute),
                    .initial = {0, 0, 0, 1},
                    .other = {0.125, 0, 0, 1},
                    .set =
                        [](const StateValue& v) {
                            const GLfloat values[] = {real(v[0]), real(v[1]), real(v[2]), real(v[3])};
                            glVertexAttrib4fv(kShiftAttribute, values);
                        },
                    .shown = Shown::Draw});
}

// --- Bindings ---

void addBindings(std::vector<StateRow>& rows) {
    const StateObjects& objects = stateObjects();
    const auto binding = [&](const char* name, GLenum queried, GLuint other, const std::function<void(GLuint)>& bind,
                             int since, Shown shown, std::vector<Refused> refused = {}) {
        rows.push_back({.name = name,
                        .since = since,
                        .get = integers(queried),
                        .initial = {0},
                        .other = {static_cast<double>(other)},
                        .set = [=](const StateValue& v) { bind(static_cast<GLuint>(v[0])); },
                        .refused = std::move(refused),
                        .shown = shown,
                        .queried = queried});
    };
    const auto buffer = [&](const char* name, GLenum target, GLenum queried, int since, Shown shown) {
        binding(name, queried, objects.buffer, [=](GLuint id) { glBindBuffer(target, id); }, since, shown,
                {{[] { glBindBuffer(GL_TEXTURE_2D, 0); }, GL_INVALID_ENUM}});
    };
    buffer("array buffer", GL_ARRAY_BUFFER, GL_ARRAY_BUFFER_BINDING, 2, Shown::Nowhere);
    buffer("element array buffer", GL_ELEMENT_ARRAY_BUFFER, GL_ELEMENT_ARRAY_BUFFER_BINDING, 2, Shown::NotAsked);
    rows.back().owner = StateOwner::VertexArray;
    buffer("pack buffer", GL_PIXEL_PACK_BUFFER, GL_PIXEL_PACK_BUFFER_BINDING, 2, Shown::NotAsked);
    buffer("unpack buffer", GL_PIXEL_UNPACK_BUFFER, GL_PIXEL_UNPACK_BUFFER_BINDING, 2, Shown::NotAsked);
    buffer("copy read buffer", GL_COPY_READ_BUFFER, GL_COPY_READ_BUFFER_BINDING, 3, Shown::Nowhere);
    buffer("copy write buffer", GL_COPY_WRITE_BUFFER, GL_COPY_WRITE_BUFFER_BINDING, 3, Shown::Nowhere);
    buffer("transform feedback buffer", GL_TRANSFORM_FEEDBACK_BUFFER, GL_TRANSFORM_FEEDBACK_BUFFER_BINDING, 3,
           Shown::Nowhere);
    buffer("uniform buffer", GL_UNIFORM_BUFFER, GL_UNIFORM_BUFFER_BINDING, 3, Shown::Nowhere);
    binding("renderbuffer", GL_RENDERBUFFER_BINDING, objects.renderbuffer,
            [](GLuint id) { glBindRenderbuffer(GL_RENDERBUFFER, id); }, 2, Shown::Nowhere,
            {{[] { glBindRenderbuffer(GL_FRAMEBUFFER, 0); }, GL_INVALID_ENUM}});
    binding("read framebuffer", GL_READ_FRAMEBUFFER_BINDING, objects.framebuffer,
            [](GLuint id) { glBindFramebuffer(GL_READ_FRAMEBUFFER, id); }, 2, Shown::NotAsked,
            {{[] { glBindFramebuffer(GL_RENDERBUFFER, 0); }, GL_INVALID_ENUM}});
    binding("program", GL_CURRENT_PROGRAM, objects.program, [](GLuint id) { glUseProgram(id); }, 2, Shown::NotAsked,
            {{[] { glUseProgram(777); }, GL_INVALID_VALUE}});
    binding("program pipeline", GL_PROGRAM_PIPELINE_BINDING_EXT, objects.pipeline,
            [](GLuint id) { glBindProgramPipelineEXT(id); }, 2, Shown::Nowhere,
            {{[] { glBindProgramPipelineEXT(77); }, GL_INVALID_OPERATION}});
    rows.push_back({.name = "active texture",
                    .get = integers(GL_ACTIVE_TEXTURE),
                    .initial = {GL_TEXTURE0},
                    .other = {GL_TEXTURE3},
                    .set = [](const StateValue& v) { glActiveTexture(word(v[0])); },
                    .refused = {{[] { glActiveTexture(GL_TEXTURE0 + 32); }, GL_INVALID_ENUM},
                                {[] { glActiveTexture(GL_TEXTURE0 - 1); }, GL_INVALID_ENUM}},
                    .shown = Shown::NotAsked,
                    .queried = GL_ACTIVE_TEXTURE});
    // Of a unit that is not active and that the scene does not use.
    const auto texture = [&](const char* name, GLenum target, GLenum queried, GLuint other, int since) {
        rows.push_back(
            {.name = name,
             .since = since,
             .get = [=] { return inUnit(GL_TEXTURE5, integers(queried)); },
             .initial = {0},
             .other = {static_cast<double>(other)},
             .set =
                 [=](const StateValue& v) {
                     inUnit(GL_TEXTURE5, [&] { glBindTexture(target, static_cast<GLuint>(v[0])); });
                 },
             .refused = {{[] { glBindTexture(GL_TEXTURE0, 0); }, GL_INVALID_ENUM},
                         {[=] { glBindTexture(target == GL_TEXTURE_2D ? GL_TEXTURE_CUBE_MAP : GL_TEXTURE_2D, other); },
                          GL_INVALID_OPERATION}}});
    };
    texture("texture of unit 5", GL_TEXTURE_2D, GL_TEXTURE_BINDING_2D, objects.texture, 2);
    texture("cube map of unit 5", GL_TEXTURE_CUBE_MAP, GL_TEXTURE_BINDING_CUBE_MAP, objects.cube, 2);
    texture("volume of unit 5", GL_TEXTURE_3D, GL_TEXTURE_BINDING_3D, objects.volume, 2);
    texture("external image of unit 5", GL_TEXTURE_EXTERNAL_OES, GL_TEXTURE_BINDING_EXTERNAL_OES, objects.external, 2);
    texture("layers of unit 5", GL_TEXTURE_2D_ARRAY, GL_TEXTURE_BINDING_2D_ARRAY, objects.layers, 3);
    binding("transform feedback", GL_TRANSFORM_FEEDBACK_BINDING, objects.feedback,
            [](GLuint id) { glBindTransformFeedback(GL_TRANSFORM_FEEDBACK, id); }, 3, Shown::Nowhere,
            {{[] { glBindTransformFeedback(GL_FRAMEBUFFER, 0); }, GL_INVALID_ENUM},
             {[] { glBindTransformFeedback(GL_TRANSFORM_FEEDBACK, 77); }, GL_INVALID_OPERATION}});
}

/// Indexed bindings of uniform buffers, each with what the range is.
void addRanges(std::vector<StateRow>& rows) {
    rows.push_back(
        {.name = "uniform buffer 3",
         .since = 3,
         .get =
             [] {
                 GLint name = 0;
                 GLint64 start = 0, size = 0;
                 glGetIntegeri_v(GL_UNIFORM_BUFFER_BINDING, 3, &name);
                 glGetInteger64i_v(GL_UNIFORM_BUFFER_START, 3, &start);
                 glGetInteger64i_v(GL_UNIFORM_BUFFER_SIZE, 3, &size);
                 return StateValue{static_cast<double>(name), static_cast<double>(start), static_cast<double>(size)};
             },
         .initial = {0, 0, 0},
         .other = {static_cast<double>(stateObjects().buffer), 64, 32},
         .set =
             [](const StateValue& v) {
                 // The general binding is set too, and is a row of its own.
                 const auto bound = static_cast<GLuint>(now(GL_UNIFORM_BUFFER_BINDING));
                 if (v[0] != 0)
                     glBindBufferRange(GL_UNIFORM_BUFFER, 3, static_cast<GLuint>(v[0]), whole(v[1]), whole(v[2]));
                 else
                     glBindBufferBase(GL_UNIFORM_BUFFER, 3, 0);
                 glBindBuffer(GL_UNIFORM_BUFFER, bound);
             },
         .refused = {{[] { glBindBufferBase(GL_UNIFORM_BUFFER, 72, 0); }, GL_INVALID_VALUE},
                     {[] { glBindBufferBase(GL_ARRAY_BUFFER, 0, 0); }, GL_INVALID_ENUM},
                     {[] { glBindBufferRange(GL_UNIFORM_BUFFER, 3, stateObjects().buffer, 0, 0); }, GL_INVALID_VALUE},
                     {[] { glBindBufferRange(GL_UNIFORM_BUFFER, 3, stateObjects().buffer, 3, 16); },
                      GL_INVALID_VALUE}}});
}

// --- Textures and samplers ---

struct LookupState {
    const char* name;
    GLenum parameter;
    double initial, other, wrong;  ///< wrong: 0 where every value is allowed
    int since;
    bool isReal, ofSampler;
    Shown shown;
};
constexpr LookupState kLookups[] = {
    {"magnification filter", GL_TEXTURE_MAG_FILTER, GL_LINEAR, GL_NEAREST, GL_NEAREST_MIPMAP_LINEAR, 2, false, true,
     Shown::Draw},
    {"minification filter", GL_TEXTURE_MIN_FILTER, GL_NEAREST_MIPMAP_LINEAR, GL_NEAREST, GL_REPEAT, 2, false, true,
     Shown::Draw},
    {"wrap mode of s", GL_TEXTURE_WRAP_S, GL_REPEAT, GL_CLAMP_TO_EDGE, GL_LINEAR, 2, false, true, Shown::Draw},
    {"wrap mode of t", GL_TEXTURE_WRAP_T, GL_REPEAT, GL_MIRRORED_REPEAT, GL_LINEAR, 2, false, true, Shown::Draw},
    {"wrap mode of r", GL_TEXTURE_WRAP_R, GL_REPEAT, GL_CLAMP_TO_EDGE, GL_LINEAR, 3, false, true, Shown::Nowhere},
    {"least level of detail", GL_TEXTURE_MIN_LOD, -1000, 1.5, 0, 3, true, true, Shown::Draw},
    {"greatest level of detail", GL_TEXTURE_MAX_LOD, 1000, 0, 0, 3, true, true, Shown::Draw},
    {"comparison function", GL_TEXTURE_COMPARE_FUNC, GL_LEQUAL, GL_GREATER, GL_REPEAT, 3, false, true, Shown::Nowhere},
    {"comparison mode", GL_TEXTURE_COMPARE_MODE, GL_NONE, GL_COMPARE_REF_TO_TEXTURE, GL_REPEAT, 3, false, true,
     Shown::Nowhere},
    {"anisotropy", GL_TEXTURE_MAX_ANISOTROPY_EXT, 1, 4, -1, 2, true, true, Shown::NotAsked},
    {"base level", GL_TEXTURE_BASE_LEVEL, 0, 1, -1, 3, false, false, Shown::Draw},
    {"greatest level", GL_TEXTURE_MAX_LEVEL, 1000, 0, -1, 3, false, false, Shown::Draw},
    {"swizzle of red", GL_TEXTURE_SWIZZLE_R, GL_RED, GL_ONE, GL_RGBA, 3, false, false, Shown::Draw},
    {"swizzle of green", GL_TEXTURE_SWIZZLE_G, GL_GREEN, GL_BLUE, GL_RGBA, 3, false, false, Shown::Draw},
    {"swizzle of blue", GL_TEXTURE_SWIZZLE_B, GL_BLUE, GL_ZERO, GL_RGBA, 3, false, false, Shown::Draw},
    {"swizzle of alpha", GL_TEXTURE_SWIZZLE_A, GL_ALPHA, GL_RED, GL_RGBA, 3, false, false, Shown::Draw},
};
constexpr GLenum kLookupErrors[] = {GL_INVALID_ENUM, GL_INVALID_VALUE};

void addLookups(std::vector<StateRow>& rows) {
    for (const LookupState& of : kLookups) {
        const GLenum error = of.wrong < 0 ? kLookupErrors[1] : kLookupErrors[0];
        const auto set = [=](double value) {
            inUnit(GL_TEXTURE0, [&] {
                if (of.isReal)
                    glTexParameterf(GL_TEXTURE_2D, of.parameter, real(value));
                else
                    glTexParameteri(GL_TEXTURE_2D, of.parameter, whole(value));
            });
        };
        std::vector<Refused> refused;
        if (of.wrong != 0) refused.push_back({[=] { set(of.wrong); }, error});
        rows.push_back({.name = std::string("texture's ") + of.name,
                        .since = of.since,
                        .owner = StateOwner::Texture,
                        .get =
                            [=] {
                                GLfloat value = 0;
                                inUnit(GL_TEXTURE0, [&] { glGetTexParameterfv(GL_TEXTURE_2D, of.parameter, &value); });
                                return StateValue{static_cast<double>(value)};
                            },
                        .initial = {of.initial},
                        .other = {of.other},
                        .set = [=](const StateValue& v) { set(v[0]); },
                        .refused = std::move(refused),
                        .shown = of.shown});
        if (!of.ofSampler) continue;
        const auto setSampler = [=](double value) {
            if (of.isReal)
                glSamplerParameterf(stateObjects().sampler, of.parameter, real(value));
            else
                glSamplerParameteri(stateObjects().sampler, of.parameter, whole(value));
        };
        refused.clear();
        if (of.wrong != 0) refused.push_back({[=] { setSampler(of.wrong); }, error});
        rows.push_back({.name = std::string("sampler's ") + of.name,
                        .since = 3,
                        .owner = StateOwner::Sampler,
                        .get =
                            [=] {
                                GLfloat value = 0;
                                glGetSamplerParameterfv(stateObjects().sampler, of.parameter, &value);
                                return StateValue{static_cast<double>(value)};
                            },
                        .initial = {of.initial},
                        .other = {of.other},
                        .set = [=](const StateValue& v) { setSampler(v[0]); },
                        .refused = std::move(refused),
                        .shown = of.shown,
                        .need = [] { glBindSampler(0, stateObjects().sampler); }});
    }
    rows.push_back({.name = "sampler of unit 0",
                    .since = 3,
                    .get = [] { return inUnit(GL_TEXTURE0, integers(GL_SAMPLER_BINDING)); },
                    .initial = {0},
                    .other = {static_cast<double>(stateObjects().sampler)},
                    .set = [](const StateValue& v) { glBindSampler(0, static_cast<GLuint>(v[0])); },
                    .refused = {{[] { glBindSampler(32, 0); }, GL_INVALID_VALUE},
                                {[] { glBindSampler(0, 777); }, GL_INVALID_OPERATION}},
                    .shown = Shown::Draw,
                    .need =
                        [] {
                            // Another than the texture has.
                            glSamplerParameteri(stateObjects().sampler, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
                        }});
}

StateObjects& objects() {
    static StateObjects made;
    return made;
}

}  // namespace

const StateObjects& stateObjects() { return objects(); }

void makeStateObjects(int version) {
    StateObjects& o = objects();
    o = {};
    glGenBuffers(1, &o.buffer);
    glBindBuffer(GL_ARRAY_BUFFER, o.buffer);
    glBufferData(GL_ARRAY_BUFFER, 4096, nullptr, GL_STATIC_DRAW);
    glBindBuffer(GL_ARRAY_BUFFER, 0);
    const auto texture = [](GLenum target) {
        GLuint name = 0;
        glGenTextures(1, &name);
        glBindTexture(target, name);
        glBindTexture(target, 0);
        return name;
    };
    o.texture = texture(GL_TEXTURE_2D);
    o.cube = texture(GL_TEXTURE_CUBE_MAP);
    o.volume = texture(GL_TEXTURE_3D);
    o.external = texture(GL_TEXTURE_EXTERNAL_OES);
    o.program = makeProgram(kPassVertex, kColorFragment);
    glGenRenderbuffers(1, &o.renderbuffer);
    glGenFramebuffers(1, &o.framebuffer);
    glGenProgramPipelinesEXT(1, &o.pipeline);
    glGenVertexArraysOES(1, &o.vertexArray);
    if (version != 3) return;
    o.layers = texture(GL_TEXTURE_2D_ARRAY);
    glGenSamplers(1, &o.sampler);
    glGenTransformFeedbacks(1, &o.feedback);
}

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
