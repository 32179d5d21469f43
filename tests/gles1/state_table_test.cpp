// The settable state that OpenGL ES 1.1 has beyond what it shares with later versions, as a table (tests/gles/state has
// theirs): tables 6.3 to 6.22 of OpenGL ES 1.1.12, walked by the same walks, with a lit, fogged, textured scene.
//
// GL_COLOR_MATERIAL is not in it: enabling it sets the material, as lighting_test.cpp says.
#include "tests/gles/state/state_walk.h"
#include "tests/gles1/fixture.h"

using namespace tessera::gles1_test;
using namespace tessera::gles_test;

namespace {

using Get = std::function<StateValue()>;
using Set = std::function<void(const StateValue&)>;
using Need = std::function<void()>;

GLenum word(double value) { return static_cast<GLenum>(value); }

std::array<GLfloat, 16> reals(const StateValue& value) {
    std::array<GLfloat, 16> out{};
    for (size_t i = 0; i < value.size(); ++i) out[i] = static_cast<GLfloat>(value[i]);
    return out;
}

/// A query of floats as a value of `count` numbers.
template <class Query>
Get getter(size_t count, Query query) {
    return [=] {
        GLfloat values[16] = {};
        query(values);
        return StateValue(values, values + count);
    };
}
Get floatsOf(GLenum name, size_t count = 1) {
    return getter(count, [=](GLfloat* out) { glGetFloatv(name, out); });
}

/// Positions, directions and planes are taken to eye coordinates by the matrix that there is.
template <class Act>
void inEyeCoordinates(Act&& act) {
    GLint mode = 0;
    glGetIntegerv(GL_MATRIX_MODE, &mode);
    glMatrixMode(GL_MODELVIEW);
    glPushMatrix();
    glLoadIdentity();
    act();
    glPopMatrix();
    glMatrixMode(static_cast<GLenum>(mode));
}

StateRow toggle(const char* name, GLenum cap, bool initially, Shown shown, Need need = nullptr) {
    return {.name = name,
            .get = [=] { return StateValue{glIsEnabled(cap) != GL_FALSE ? 1.0 : 0.0}; },
            .initial = {initially ? 1.0 : 0.0},
            .other = {initially ? 0.0 : 1.0},
            .set = [=](const StateValue& v) { v[0] != 0 ? glEnable(cap) : glDisable(cap); },
            .refused = {{[] { glEnable(GL_POINTS); }, GL_INVALID_ENUM}},
            .shown = shown,
            .need = std::move(need)};
}

StateRow row(std::string name, Get get, StateValue initial, StateValue other, Set set, std::vector<Refused> refused,
             Shown shown, Need need = nullptr) {
    return {.name = std::move(name),
            .get = std::move(get),
            .initial = std::move(initial),
            .other = std::move(other),
            .set = std::move(set),
            .refused = std::move(refused),
            .shown = shown,
            .need = std::move(need)};
}

const StateValue kIdentity = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
const StateValue kSmaller = {0.5, 0, 0, 0, 0, 0.75, 0, 0, 0, 0, 1, 0, 0, 0.125, 0, 1};

void light() {
    glEnable(GL_LIGHTING);
    glEnable(GL_LIGHT0);
    const GLfloat color[] = {0.03f, 0.06f, 0.03f, 1};  // so that sums stay below one
    glMaterialfv(GL_FRONT_AND_BACK, GL_SPECULAR, color);
}

/// The light stands before the scene and shines at it, so that distance and direction matter.
void lightFromNear() {
    light();
    const GLfloat place[] = {0.1f, 0.1f, 1, 1};
    inEyeCoordinates([&] { glLightfv(GL_LIGHT0, GL_POSITION, place); });
}

void addTransformation(std::vector<StateRow>& rows) {
    rows.push_back(row(
        "matrix mode", floatsOf(GL_MATRIX_MODE), {GL_MODELVIEW}, {GL_TEXTURE},
        [](const StateValue& v) { glMatrixMode(word(v[0])); }, {{[] { glMatrixMode(GL_LIGHTING); }, GL_INVALID_ENUM}},
        Shown::Nowhere));
    const auto matrix = [&](const char* name, GLenum mode, GLenum queried, Need need) {
        rows.push_back(row(
            name, floatsOf(queried, 16), kIdentity, kSmaller,
            [=](const StateValue& v) {
                GLint before = 0;
                glGetIntegerv(GL_MATRIX_MODE, &before);
                glMatrixMode(mode);
                glLoadMatrixf(reals(v).data());
                glMatrixMode(static_cast<GLenum>(before));
            },
            {}, Shown::Draw, std::move(need)));
    };
    matrix("modelview matrix", GL_MODELVIEW, GL_MODELVIEW_MATRIX, nullptr);
    matrix("projection matrix", GL_PROJECTION, GL_PROJECTION_MATRIX, nullptr);
    matrix("texture matrix", GL_TEXTURE, GL_TEXTURE_MATRIX, [] { glEnable(GL_TEXTURE_2D); });
    rows.push_back(toggle("normalisation", GL_NORMALIZE, false, Shown::Draw, [] {
        light();
        glNormal3f(0, 0, 0.5f);
    }));
    rows.push_back(toggle("rescaled normals", GL_RESCALE_NORMAL, false, Shown::NotAsked));
    rows.push_back(toggle("clip plane 0", GL_CLIP_PLANE0, false, Shown::Draw, [] {
        const GLfloat plane[] = {0, 1, 0, 0.2f};
        inEyeCoordinates([&] { glClipPlanef(GL_CLIP_PLANE0, plane); });
    }));
    rows.push_back(row(
        "equation of clip plane 0", getter(4, [](GLfloat* out) { glGetClipPlanef(GL_CLIP_PLANE0, out); }), {0, 0, 0, 0},
        {0, 1, 0, -0.25},
        [](const StateValue& v) { inEyeCoordinates([&] { glClipPlanef(GL_CLIP_PLANE0, reals(v).data()); }); },
        {{[] {
              const GLfloat plane[4] = {};
              glClipPlanef(GL_LIGHT0, plane);
          },
          GL_INVALID_ENUM}},
        Shown::Draw, [] { glEnable(GL_CLIP_PLANE0); }));
}

void addColouring(std::vector<StateRow>& rows) {
    rows.push_back(row(
        "current colour", floatsOf(GL_CURRENT_COLOR, 4), {1, 1, 1, 1}, {0.25, 0.5, 0.75, 0.5},
        [](const StateValue& v) {
            const auto c = reals(v);
            glColor4f(c[0], c[1], c[2], c[3]);
        },
        {}, Shown::Draw));
    rows.push_back(row(
        "current normal", floatsOf(GL_CURRENT_NORMAL, 3), {0, 0, 1}, {0.5, 0.5, 0.25},
        [](const StateValue& v) { glNormal3f(reals(v)[0], reals(v)[1], reals(v)[2]); }, {}, Shown::Draw, light));
    rows.push_back(row(
        "shade model", floatsOf(GL_SHADE_MODEL), {GL_SMOOTH}, {GL_FLAT},
        [](const StateValue& v) { glShadeModel(word(v[0])); }, {{[] { glShadeModel(GL_FOG); }, GL_INVALID_ENUM}},
        Shown::Draw, [] { glEnableClientState(GL_COLOR_ARRAY); }));
    const Need fog = [] { glEnable(GL_FOG); };
    rows.push_back(toggle("fog", GL_FOG, false, Shown::Draw));
    const auto fogNumber = [&](const char* name, GLenum pname, double initial, double other, Need need,
                               std::vector<Refused> refused) {
        rows.push_back(row(
            name, floatsOf(pname), {initial}, {other}, [=](const StateValue& v) { glFogf(pname, reals(v)[0]); },
            std::move(refused), Shown::Draw, std::move(need)));
    };
    const Refused wrongFog = {[] { glFogf(GL_LIGHTING, 1); }, GL_INVALID_ENUM};
    fogNumber("fog mode", GL_FOG_MODE, GL_EXP, GL_EXP2, fog,
              {{[] { glFogf(GL_FOG_MODE, GL_FLAT); }, GL_INVALID_ENUM}, wrongFog});
    fogNumber("fog density", GL_FOG_DENSITY, 1, 4, fog,
              {{[] { glFogf(GL_FOG_DENSITY, -1); }, GL_INVALID_VALUE}, wrongFog});
    const Need linear = [=] {
        fog();
        glFogf(GL_FOG_MODE, GL_LINEAR);
    };
    fogNumber("fog start", GL_FOG_START, 0, -2, linear, {wrongFog});
    fogNumber("fog end", GL_FOG_END, 1, 3, linear, {wrongFog});
    rows.push_back(row(
        "fog colour", floatsOf(GL_FOG_COLOR, 4), {0, 0, 0, 0}, {1, 0.5, 0.25, 1},
        [](const StateValue& v) { glFogfv(GL_FOG_COLOR, reals(v).data()); }, {}, Shown::Draw, fog));
}

void addLighting(std::vector<StateRow>& rows) {
    rows.push_back(toggle("lighting", GL_LIGHTING, false, Shown::Draw));
    rows.push_back(toggle("light 0", GL_LIGHT0, false, Shown::Draw, [] { glEnable(GL_LIGHTING); }));
    rows.push_back(toggle("light 7", GL_LIGHT7, false, Shown::Draw, [] {
        glEnable(GL_LIGHTING);
        const GLfloat color[] = {0.25f, 0.75f, 0.5f, 1};
        glLightfv(GL_LIGHT7, GL_AMBIENT, color);
    }));
    rows.push_back(row(
        "ambient light", floatsOf(GL_LIGHT_MODEL_AMBIENT, 4), {0.2f, 0.2f, 0.2f, 1}, {0.75, 0.5, 0.25, 1},
        [](const StateValue& v) { glLightModelfv(GL_LIGHT_MODEL_AMBIENT, reals(v).data()); },
        {{[] { glLightModelf(GL_AMBIENT, 1); }, GL_INVALID_ENUM}}, Shown::Draw, [] { glEnable(GL_LIGHTING); }));
    rows.push_back(row(
        "lighting of backs", floatsOf(GL_LIGHT_MODEL_TWO_SIDE), {0}, {1},
        [](const StateValue& v) { glLightModelf(GL_LIGHT_MODEL_TWO_SIDE, reals(v)[0]); }, {}, Shown::Draw, light));
    const auto lightRow = [&](const char* name, GLenum pname, StateValue initial, StateValue other, Need need,
                              std::vector<Refused> refused = {}) {
        const size_t count = initial.size();
        refused.push_back({[=] {
                               const GLfloat values[4] = {};
                               glLightfv(GL_CLIP_PLANE0, pname, values);
                           },
                           GL_INVALID_ENUM});
        rows.push_back(row(
            name, getter(count, [=](GLfloat* out) { glGetLightfv(GL_LIGHT0, pname, out); }), std::move(initial),
            std::move(other),
            [=](const StateValue& v) { inEyeCoordinates([&] { glLightfv(GL_LIGHT0, pname, reals(v).data()); }); },
            std::move(refused), Shown::Draw, std::move(need)));
    };
    const auto wrong = [](GLenum pname, GLfloat value) -> Refused {
        return {[=] { glLightf(GL_LIGHT0, pname, value); }, GL_INVALID_VALUE};
    };
    lightRow("light's ambient colour", GL_AMBIENT, {0, 0, 0, 1}, {0.5, 0.25, 0.75, 1}, light);
    lightRow("light's diffuse colour", GL_DIFFUSE, {1, 1, 1, 1}, {0.5, 0.25, 0.75, 1}, light);
    lightRow("light's specular colour", GL_SPECULAR, {1, 1, 1, 1}, {0, 0.5, 0, 1}, light);
    lightRow("light's position", GL_POSITION, {0, 0, 1, 0}, {1, 1, 1, 0}, light);
    lightRow("light's spot direction", GL_SPOT_DIRECTION, {0, 0, -1}, {0.25, 0, -0.5}, [] {
        lightFromNear();
        glLightf(GL_LIGHT0, GL_SPOT_CUTOFF, 60);
        glLightf(GL_LIGHT0, GL_SPOT_EXPONENT, 8);
    });
    lightRow("light's spot exponent", GL_SPOT_EXPONENT, {0}, {16},
             [] {
                 lightFromNear();
                 glLightf(GL_LIGHT0, GL_SPOT_CUTOFF, 80);
             },
             {wrong(GL_SPOT_EXPONENT, -1), wrong(GL_SPOT_EXPONENT, 129)});
    lightRow("light's spot cutoff", GL_SPOT_CUTOFF, {180}, {20}, lightFromNear,
             {wrong(GL_SPOT_CUTOFF, -1), wrong(GL_SPOT_CUTOFF, 91)});
    lightRow("light's constant attenuation", GL_CONSTANT_ATTENUATION, {1}, {3}, lightFromNear,
             {wrong(GL_CONSTANT_ATTENUATION, -1)});
    lightRow("light's linear attenuation", GL_LINEAR_ATTENUATION, {0}, {2}, lightFromNear,
             {wrong(GL_LINEAR_ATTENUATION, -1)});
    lightRow("light's quadratic attenuation", GL_QUADRATIC_ATTENUATION, {0}, {2}, lightFromNear,
             {wrong(GL_QUADRATIC_ATTENUATION, -1)});
    const auto material = [&](const char* name, GLenum pname, StateValue initial, StateValue other, Need need) {
        const size_t count = initial.size();
        rows.push_back(row(
            name, getter(count, [=](GLfloat* out) { glGetMaterialfv(GL_FRONT, pname, out); }), std::move(initial),
            std::move(other), [=](const StateValue& v) { glMaterialfv(GL_FRONT_AND_BACK, pname, reals(v).data()); },
            {{[=] {
                  const GLfloat values[4] = {};
                  glMaterialfv(GL_FRONT, pname, values);
              },
              GL_INVALID_ENUM}},
            Shown::Draw, std::move(need)));
    };
    material("material's ambient colour", GL_AMBIENT, {0.2f, 0.2f, 0.2f, 1}, {0.75, 0.5, 0.25, 1}, light);
    material("material's diffuse colour", GL_DIFFUSE, {0.8f, 0.8f, 0.8f, 1}, {0.25, 0.5, 0.75, 0.5}, light);
    material("material's specular colour", GL_SPECULAR, {0, 0, 0, 1}, {0.25, 0.5, 0, 1}, [] {
        glEnable(GL_LIGHTING);
        glEnable(GL_LIGHT0);
    });
    material("material's emission", GL_EMISSION, {0, 0, 0, 1}, {0.25, 0, 0.125, 1}, light);
    material("material's shininess", GL_SHININESS, {0}, {32}, [] {
        lightFromNear();
        glNormal3f(0.25f, 0.25f, 0.9f);
    });
}

void addPoints(std::vector<StateRow>& rows) {
    rows.push_back(row(
        "point size", floatsOf(GL_POINT_SIZE), {1}, {5}, [](const StateValue& v) { glPointSize(reals(v)[0]); },
        {{[] { glPointSize(0); }, GL_INVALID_VALUE}}, Shown::Draw));
    // Section 3.3: sizes are not negative; of the attenuation nothing is said.
    const auto wrong = [](GLenum pname) -> Refused {
        return {[=] { glPointParameterf(pname, -1); }, GL_INVALID_VALUE};
    };
    const auto parameter = [&](const char* name, GLenum pname, StateValue initial, StateValue other,
                               std::vector<Refused> refused, Shown shown, Need need = nullptr) {
        const size_t count = initial.size();
        rows.push_back(row(
            name, floatsOf(pname, count), std::move(initial), std::move(other),
            [=](const StateValue& v) { glPointParameterfv(pname, reals(v).data()); }, std::move(refused), shown,
            std::move(need)));
    };
    parameter("least point size", GL_POINT_SIZE_MIN, {0}, {4},
              {wrong(GL_POINT_SIZE_MIN), {[] { glPointParameterf(GL_POINTS, 1); }, GL_INVALID_ENUM}}, Shown::Draw);
    // Only with several samples.
    parameter("fade threshold of points", GL_POINT_FADE_THRESHOLD_SIZE, {1}, {3}, {wrong(GL_POINT_FADE_THRESHOLD_SIZE)},
              Shown::Nowhere);
    parameter("attenuation of points", GL_POINT_DISTANCE_ATTENUATION, {1, 0, 0}, {4, 0, 0}, {}, Shown::Draw,
              [] { glPointSize(6); });
    rows.push_back(toggle("smooth points", GL_POINT_SMOOTH, false, Shown::NotAsked));
    rows.push_back(toggle("smooth lines", GL_LINE_SMOOTH, false, Shown::NotAsked));
    rows.push_back(toggle("multisampling", GL_MULTISAMPLE, true, Shown::NotAsked));
    rows.push_back(toggle("alpha to one", GL_SAMPLE_ALPHA_TO_ONE, false, Shown::Nowhere));
    rows.push_back(toggle("point sprites", GL_POINT_SPRITE_OES, false, Shown::Draw, [] {
        glEnable(GL_TEXTURE_2D);
        glPointSize(6);
        glTexEnvi(GL_POINT_SPRITE_OES, GL_COORD_REPLACE_OES, GL_TRUE);
    }));
    rows.push_back(row(
        "replaced coordinates",
        getter(1, [](GLfloat* out) { glGetTexEnvfv(GL_POINT_SPRITE_OES, GL_COORD_REPLACE_OES, out); }), {0}, {1},
        [](const StateValue& v) { glTexEnvf(GL_POINT_SPRITE_OES, GL_COORD_REPLACE_OES, reals(v)[0]); }, {}, Shown::Draw,
        [] {
            glEnable(GL_TEXTURE_2D);
            glPointSize(6);
            glEnable(GL_POINT_SPRITE_OES);
        }));
}

void addEnvironment(std::vector<StateRow>& rows) {
    rows.push_back(toggle("texture", GL_TEXTURE_2D, false, Shown::Draw));
    const auto environment = [&](const char* name, GLenum pname, StateValue initial, StateValue other, GLenum mode,
                                 const Need& more = nullptr) {
        const size_t count = initial.size();
        rows.push_back(row(
            name, getter(count, [=](GLfloat* out) { glGetTexEnvfv(GL_TEXTURE_ENV, pname, out); }), std::move(initial),
            std::move(other), [=](const StateValue& v) { glTexEnvfv(GL_TEXTURE_ENV, pname, reals(v).data()); },
            {{[=] {
                  const GLfloat values[4] = {};
                  glTexEnvfv(GL_TEXTURE_2D, pname, values);
              },
              GL_INVALID_ENUM}},
            Shown::Draw,
            [=] {
                glEnable(GL_TEXTURE_2D);
                if (mode != GL_MODULATE) glTexEnvf(GL_TEXTURE_ENV, GL_TEXTURE_ENV_MODE, static_cast<GLfloat>(mode));
                glColor4f(0.5f, 0.75f, 0.25f, 0.75f);
                if (more) more();
            }));
    };
    environment("environment mode", GL_TEXTURE_ENV_MODE, {GL_MODULATE}, {GL_ADD}, GL_MODULATE);
    environment("environment colour", GL_TEXTURE_ENV_COLOR, {0, 0, 0, 0}, {0.5, 0.25, 1, 0.5}, GL_BLEND);
    environment("combination of colours", GL_COMBINE_RGB, {GL_MODULATE}, {GL_ADD}, GL_COMBINE);
    environment("combination of alphas", GL_COMBINE_ALPHA, {GL_MODULATE}, {GL_SUBTRACT}, GL_COMBINE);
    environment("scale of colours", GL_RGB_SCALE, {1}, {2}, GL_COMBINE);
    environment("scale of alphas", GL_ALPHA_SCALE, {1}, {4}, GL_COMBINE);
    environment("source 0 of colours", GL_SRC0_RGB, {GL_TEXTURE}, {GL_PRIMARY_COLOR}, GL_COMBINE);
    environment("source 1 of colours", GL_SRC1_RGB, {GL_PREVIOUS}, {GL_TEXTURE}, GL_COMBINE);
    environment("source 0 of alphas", GL_SRC0_ALPHA, {GL_TEXTURE}, {GL_CONSTANT}, GL_COMBINE);
    environment("source 1 of alphas", GL_SRC1_ALPHA, {GL_PREVIOUS}, {GL_CONSTANT}, GL_COMBINE);
    environment("operand 0 of colours", GL_OPERAND0_RGB, {GL_SRC_COLOR}, {GL_ONE_MINUS_SRC_COLOR}, GL_COMBINE);
    environment("operand 1 of colours", GL_OPERAND1_RGB, {GL_SRC_COLOR}, {GL_ONE_MINUS_SRC_COLOR}, GL_COMBINE);
    environment("operand 0 of alphas", GL_OPERAND0_ALPHA, {GL_SRC_ALPHA}, {GL_ONE_MINUS_SRC_ALPHA}, GL_COMBINE);
    environment("operand 1 of alphas", GL_OPERAND1_ALPHA, {GL_SRC_ALPHA}, {GL_ONE_MINUS_SRC_ALPHA}, GL_COMBINE);
    // The third is read by interpolation alone.
    const Need interpolate = [] {
        glTexEnvf(GL_TEXTURE_ENV, GL_COMBINE_RGB, GL_INTERPOLATE);
        glTexEnvf(GL_TEXTURE_ENV, GL_COMBINE_ALPHA, GL_INTERPOLATE);
        const GLfloat color[] = {0.25f, 0.5f, 0.75f, 0.25f};
        glTexEnvfv(GL_TEXTURE_ENV, GL_TEXTURE_ENV_COLOR, color);
    };
    environment("source 2 of colours", GL_SRC2_RGB, {GL_CONSTANT}, {GL_PRIMARY_COLOR}, GL_COMBINE, interpolate);
    environment("source 2 of alphas", GL_SRC2_ALPHA, {GL_CONSTANT}, {GL_PRIMARY_COLOR}, GL_COMBINE, interpolate);
    environment("operand 2 of colours", GL_OPERAND2_RGB, {GL_SRC_ALPHA}, {GL_SRC_COLOR}, GL_COMBINE, interpolate);
    environment("operand 2 of alphas", GL_OPERAND2_ALPHA, {GL_SRC_ALPHA}, {GL_ONE_MINUS_SRC_ALPHA}, GL_COMBINE,
                interpolate);
    rows.push_back(row(
        "client active texture", floatsOf(GL_CLIENT_ACTIVE_TEXTURE), {GL_TEXTURE0}, {GL_TEXTURE2},
        [](const StateValue& v) { glClientActiveTexture(word(v[0])); },
        {{[] { glClientActiveTexture(GL_TEXTURE0 + 8); }, GL_INVALID_ENUM}}, Shown::Nowhere));
}

void addPixels(std::vector<StateRow>& rows) {
    rows.push_back(toggle("alpha test", GL_ALPHA_TEST, false, Shown::Draw, [] { glAlphaFunc(GL_LESS, 0.5f); }));
    const auto alpha = [](GLenum name) { return floatsOf(name)()[0]; };
    const Refused wrongAlpha = {[] { glAlphaFunc(GL_KEEP, 0.25f); }, GL_INVALID_ENUM};
    rows.push_back(row(
        "alpha function", floatsOf(GL_ALPHA_TEST_FUNC), {GL_ALWAYS}, {GL_LEQUAL},
        [=](const StateValue& v) { glAlphaFunc(word(v[0]), static_cast<GLfloat>(alpha(GL_ALPHA_TEST_REF))); },
        {wrongAlpha}, Shown::Draw, [] { glEnable(GL_ALPHA_TEST); }));
    rows.push_back(row(
        "alpha reference", floatsOf(GL_ALPHA_TEST_REF), {0}, {0.75},
        [=](const StateValue& v) { glAlphaFunc(word(alpha(GL_ALPHA_TEST_FUNC)), reals(v)[0]); }, {wrongAlpha},
        Shown::Draw,
        [] {
            glEnable(GL_ALPHA_TEST);
            glAlphaFunc(GL_GREATER, 0);
            glEnableClientState(GL_COLOR_ARRAY);
        }));
    rows.push_back(
        toggle("logical operation", GL_COLOR_LOGIC_OP, false, Shown::Draw, [] { glLogicOp(GL_COPY_INVERTED); }));
    rows.push_back(row(
        "logical operation's mode", floatsOf(GL_LOGIC_OP_MODE), {GL_COPY}, {GL_COPY_INVERTED},
        [](const StateValue& v) { glLogicOp(word(v[0])); }, {{[] { glLogicOp(GL_FOG); }, GL_INVALID_ENUM}}, Shown::Draw,
        [] { glEnable(GL_COLOR_LOGIC_OP); }));
    for (const GLenum target : {GL_PERSPECTIVE_CORRECTION_HINT, GL_POINT_SMOOTH_HINT, GL_LINE_SMOOTH_HINT, GL_FOG_HINT,
                                GL_GENERATE_MIPMAP_HINT})
        rows.push_back(row(
            "hint " + std::to_string(target), floatsOf(target), {GL_DONT_CARE}, {GL_FASTEST},
            [=](const StateValue& v) { glHint(target, word(v[0])); },
            {{[=] { glHint(target, GL_FOG); }, GL_INVALID_ENUM}}, Shown::Nowhere));
    const auto clientState = [&](const char* name, GLenum array, Shown shown, Need need = nullptr) {
        rows.push_back(row(
            name, [=] { return StateValue{glIsEnabled(array) != GL_FALSE ? 1.0 : 0.0}; }, {0}, {1},
            [=](const StateValue& v) { v[0] != 0 ? glEnableClientState(array) : glDisableClientState(array); },
            {{[] { glEnableClientState(GL_FOG); }, GL_INVALID_ENUM}}, shown, std::move(need)));
    };
    clientState("colour array", GL_COLOR_ARRAY, Shown::Draw);
    clientState("normal array", GL_NORMAL_ARRAY, Shown::Draw, light);
    clientState("point size array", GL_POINT_SIZE_ARRAY_OES, Shown::Draw);
}

std::vector<StateRow> fixedRows() {
    std::vector<StateRow> rows;
    addTransformation(rows);
    addColouring(rows);
    addLighting(rows);
    addPoints(rows);
    addEnvironment(rows);
    addPixels(rows);
    return rows;
}

/// Fronts and a back at depths that fog tells apart, textured and coloured corner by corner, a line and a point.
class FixedView final : public StateView {
public:
    FixedView() {
        const GLubyte texels[16] = {200, 100, 50, 255, 50, 200, 100, 128, 100, 50, 200, 64, 220, 220, 120, 200};
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
        glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 2, 2, 0, GL_RGBA, GL_UNSIGNED_BYTE, texels);
        for (size_t half = 0; half < 2; ++half)
            for (size_t i = 0; i < kCorners.size(); ++i) {
                Corner corner = kCorners[i];
                corner.x = corner.x * 0.5f + (half == 0 ? -0.5f : 0.5f);
                corners_[half][i] = corner;
            }
        for (size_t i = 0; i < kCorners.size(); ++i) {
            const auto at = static_cast<GLfloat>(i);
            const GLfloat color[] = {0.25f + 0.05f * at, 0.9f - 0.04f * at, 0.5f, i % 3 == 0 ? 0.5f : 1.0f};
            const GLfloat normal[] = {0.1f * at - 0.5f, 0.3f, 0.8f};
            std::copy_n(color, 4, colors_[i].begin());
            std::copy_n(normal, 3, normals_[i].begin());
            sizes_[i] = 7;
        }
        glColorPointer(4, GL_FLOAT, 0, colors_.data());
        glNormalPointer(GL_FLOAT, 0, normals_.data());
        glPointSizePointerOES(GL_FLOAT, 0, sizes_.data());
        glEnableClientState(GL_VERTEX_ARRAY);
        glEnableClientState(GL_TEXTURE_COORD_ARRAY);
        use();
    }

    void use() const override { glTexCoordPointer(2, GL_FLOAT, sizeof(Corner), &corners_[0][0].s); }
    void clear() const override { glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT); }
    void draw(Half half) const override {
        glVertexPointer(3, GL_FLOAT, sizeof(Corner), &corners_[half == Half::Left ? 0 : 1][0].x);
        glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
        glDrawArrays(GL_TRIANGLE_STRIP, 4, 4);
        glDrawArrays(GL_LINES, 8, 2);
        glDrawArrays(GL_POINTS, 10, 1);
    }
    [[nodiscard]] Picture read() const override {
        Picture bytes(size_t{4} * 64 * 64);
        glReadPixels(0, 0, kSceneWidth - 1, kSceneHeight, GL_RGBA, GL_UNSIGNED_BYTE, bytes.data());
        return bytes;
    }

private:
    struct Corner {
        GLfloat x, y, z, s, t;
    };
    static constexpr std::array<Corner, 11> kCorners = {{
        {-0.8f, 0.1f, 0.2f, 0, 0},
        {0.7f, 0.1f, 0.6f, 1, 0},
        {-0.8f, 0.9f, 0.2f, 0, 1},
        {0.7f, 0.9f, 0.6f, 1, 1},  // front
        {0.7f, -0.7f, 0.4f, 0, 0},
        {-0.8f, -0.7f, 0.1f, 1, 0},
        {0.7f, 0, 0.4f, 0, 1},
        {-0.8f, 0, 0.1f, 1, 1},  // back
        {-0.7f, -0.85f, 0.5f, 0, 0},
        {0.4f, -0.8f, 0.5f, 1, 1},
        {0.65f, -0.85f, 0.3f, 0.25f, 0.25f},
    }};
    std::array<std::array<Corner, kCorners.size()>, 2> corners_;
    std::array<std::array<GLfloat, 4>, kCorners.size()> colors_;
    std::array<std::array<GLfloat, 3>, kCorners.size()> normals_;
    std::array<GLfloat, kCorners.size()> sizes_;
};

struct Context1Wide : TestContext {
    Context1Wide() : TestContext({.width = kSceneWidth, .height = kSceneHeight, .version = 1}) {}
};

}  // namespace

TEST_CASE("fixed state: initial values, and values that were set come back") {
    const Context1Wide context;
    walkValues(fixedRows());
}

TEST_CASE("fixed state: what is set leaves all other state alone, whether that is as at first or not") {
    const Context1Wide context;
    walkPairs(fixedRows());
}

TEST_CASE("fixed state: a value that is refused changes nothing") {
    const Context1Wide context;
    walkRefused(fixedRows());
}

TEST_CASE("fixed state: contexts have their own") {
    const Context1Wide first;
    const std::vector<StateRow> rows = fixedRows();
    setAllOther(rows);
    {
        const Context1Wide second;
        for (const StateRow& row : rows) CHECK_MESSAGE(row.get() == row.initial, row.name << textOf(row.get()));
    }
    first.makeCurrent();
    for (const StateRow& row : rows) CHECK_MESSAGE(row.get() == row.other, row.name << textOf(row.get()));
}

TEST_CASE("fixed state: draws follow what is set, at once and no longer than it is") {
    // Nearly every row is a program of its own, which LLVM would compile for a minute; the other tiers show the same.
    if (tierName() == "jit") return;
    const Context1Wide context;
    walkShown(fixedRows(), FixedView());
    CHECK(glGetError() == GL_NO_ERROR);
}
