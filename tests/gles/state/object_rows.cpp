// State that vertex arrays, textures and samplers keep, and what is bound.
#include "tests/gles/state/state_access.h"

#include <algorithm>

#include "tests/gles/fixture.h"

namespace tessera::gles_test {

namespace {

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

}  // namespace

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

namespace {

// --- Bindings ---

}  // namespace

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

namespace {

/// Indexed bindings of uniform buffers, each with what the range is.
}  // namespace

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

namespace {

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
    {"sRGB decoding", GL_TEXTURE_SRGB_DECODE_EXT, GL_DECODE_EXT, GL_SKIP_DECODE_EXT, GL_LINEAR, 2, false, true,
     Shown::Nowhere},
    {"base level", GL_TEXTURE_BASE_LEVEL, 0, 1, -1, 3, false, false, Shown::Draw},
    {"greatest level", GL_TEXTURE_MAX_LEVEL, 1000, 0, -1, 3, false, false, Shown::Draw},
    {"swizzle of red", GL_TEXTURE_SWIZZLE_R, GL_RED, GL_ONE, GL_RGBA, 3, false, false, Shown::Draw},
    {"swizzle of green", GL_TEXTURE_SWIZZLE_G, GL_GREEN, GL_BLUE, GL_RGBA, 3, false, false, Shown::Draw},
    {"swizzle of blue", GL_TEXTURE_SWIZZLE_B, GL_BLUE, GL_ZERO, GL_RGBA, 3, false, false, Shown::Draw},
    {"swizzle of alpha", GL_TEXTURE_SWIZZLE_A, GL_ALPHA, GL_RED, GL_RGBA, 3, false, false, Shown::Draw},
};
constexpr GLenum kLookupErrors[] = {GL_INVALID_ENUM, GL_INVALID_VALUE};

}  // namespace

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

namespace {

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

}  // namespace tessera::gles_test
