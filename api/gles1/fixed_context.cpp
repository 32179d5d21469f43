#include "api/gles1/fixed_context.h"

#include <algorithm>

#include "api/gles/context/entry.h"
#include "api/gles1/gles1.h"
#include "api/gles1/program_text.h"
#include "base/check.h"
#include "base/thread/thread.h"

namespace tessera::gles1 {

namespace {

std::shared_ptr<gles::Shader> compiled(GLenum type, std::string source) {
    auto shader = std::make_shared<gles::Shader>(0, type);
    shader->source = std::move(source);
    gles::compile(shader);
    return shader;
}

/// Attribute numbers of the names that generated programs use.
std::map<std::string, int> attributeBindings() {
    std::map<std::string, int> bindings = {
        {"vertex", kVertex}, {"objectNormal", kNormal}, {"color", kColor}, {"pointSize", kPointSize}};
    for (int i = 0; i < kMaxTextureUnits; ++i)
        bindings["textureCoordinate" + std::to_string(i)] = static_cast<int>(kTextureCoord) + i;
    return bindings;
}

/// The same with the colours of a primitive's last vertex, glShadeModel(GL_FLAT): GLSL ES 1.00 has no word for it.
std::shared_ptr<const pipeline::Program> withFlatColors(const pipeline::Program& smooth) {
    auto flat = std::make_shared<pipeline::Program>(smooth);
    for (const isa::Variable& varying : smooth.fragment().varyings)
        if (std::ranges::find(kColorVaryings, varying.name) != std::end(kColorVaryings))
            flat->interpolation[varying.reg] = pipeline::Interpolation::Flat;
    return flat;
}

FixedProgram makeProgram(const ProgramKey& key, GLuint name) {
    FixedProgram made;
    made.program = std::make_shared<gles::Program>(name);
    gles::Program& program = *made.program;
    program.vertex = compiled(GL_VERTEX_SHADER, vertexText(key));
    program.fragment = compiled(GL_FRAGMENT_SHADER, fragmentText(key));
    program.attributeBindings = attributeBindings();
    gles::link(made.program, gles::Driver::instance().gpu().executor());
    if (!program.linked)
        checkFailed(__FILE__, __LINE__, "a generated program links",
                    program.vertex->infoLog + program.fragment->infoLog + program.infoLog + program.vertex->source +
                        program.fragment->source);
    gles::Executable& executable = *program.executable;
    for (gles::Uniform& uniform : executable.uniforms) {
        const gles::Executable::Element element{&uniform, 0};
        if (uniform.isSampler()) {
            const GLint unit = uniform.variable.name.back() - '0';
            executable.set(element, 1, &unit);
        } else if (const UniformSource source = uniformSource(uniform.variable.name); source.value) {
            made.sources.push_back({element, source});
        }
    }
    if (key.flatColors != 0) executable.program = withFlatColors(*executable.program);
    return made;
}

/// An array that the program reads lies in a mapped buffer.
bool readsMappedArray(const gles::Context& c, const gles::Executable& executable) {
    for (size_t i = 0; i < gles::kMaxVertexAttribs; ++i) {
        const gles::AttribArray& array = c.vertexArray->attribs[i];
        const bool read = executable.program->vertex().inputMask.has(i) && array.enabled;
        if (read && array.buffer && array.buffer->mapping) return true;
    }
    return false;
}

}  // namespace

std::unique_ptr<gles::FixedFunction> makeFixedFunction() { return std::make_unique<FixedContext>(); }

void FixedContext::initialize(gles::Context& c) {
    c.currentAttrib[kColor] = {1, 1, 1, 1};
    c.currentAttrib[kNormal] = {0, 0, 1, 1};
    c.currentAttrib[kPointSize] = {1, 0, 0, 1};
}

const char* FixedContext::versionString() const { return "OpenGL ES-CM 1.1 Tessera " TESSERA_VERSION; }

bool* FixedContext::capability(gles::Context& c, GLenum cap) {
    FixedTextureUnit& unit = state.unit[static_cast<size_t>(c.activeTexture)];
    if (cap >= GL_LIGHT0 && cap < GL_LIGHT0 + kMaxLights) return &state.light[cap - GL_LIGHT0].enabled;
    if (cap >= GL_CLIP_PLANE0 && cap < GL_CLIP_PLANE0 + kMaxClipPlanes)
        return &state.clipPlane[cap - GL_CLIP_PLANE0].enabled;
    switch (cap) {
        case GL_ALPHA_TEST:
            return &state.alphaTest;
        case GL_COLOR_LOGIC_OP:
            return &c.state.logicOperationEnabled;
        case GL_COLOR_MATERIAL:
            return &state.colorMaterial;
        case GL_FOG:
            return &state.fog;
        case GL_LIGHTING:
            return &state.lighting;
        case GL_LINE_SMOOTH:
            return &state.lineSmooth;
        case GL_MULTISAMPLE:
            return &c.state.multisample;
        case GL_NORMALIZE:
            return &state.normalize;
        case GL_POINT_SMOOTH:
            return &state.pointSmooth;
        case GL_POINT_SPRITE_OES:
            return &state.pointSprite;
        case GL_RESCALE_NORMAL:
            return &state.rescaleNormal;
        case GL_SAMPLE_ALPHA_TO_ONE:
            return &state.sampleAlphaToOne;
        case GL_TEXTURE_2D:
            return &unit.texture2D;
        case GL_TEXTURE_CUBE_MAP_OES:
            return &unit.textureCube;
        case GL_TEXTURE_EXTERNAL_OES:
            return &unit.textureExternal;
        case GL_TEXTURE_GEN_STR_OES:
            return &unit.generateCoords;
    }
    return nullptr;
}

void FixedContext::capabilityChanged(gles::Context& c, GLenum cap) {
    if (cap == GL_COLOR_MATERIAL && state.colorMaterial)
        state.material.ambient = state.material.diffuse = c.currentAttrib[kColor];
    changed();
}

const bool* FixedContext::clientArray(const gles::Context& c, GLenum array) {
    std::array<gles::AttribArray, gles::kMaxVertexAttribs>& arrays = c.vertexArray->attribs;
    switch (array) {
        case GL_VERTEX_ARRAY:
            return &arrays[kVertex].enabled;
        case GL_NORMAL_ARRAY:
            return &arrays[kNormal].enabled;
        case GL_COLOR_ARRAY:
            return &arrays[kColor].enabled;
        case GL_POINT_SIZE_ARRAY_OES:
            return &arrays[kPointSize].enabled;
        case GL_TEXTURE_COORD_ARRAY:
            return &arrays[kTextureCoord + static_cast<size_t>(state.clientActiveTexture)].enabled;
    }
    return nullptr;
}

GLenum* FixedContext::hint(GLenum target) {
    switch (target) {
        case GL_FOG_HINT:
            return &state.fogHint;
        case GL_LINE_SMOOTH_HINT:
            return &state.lineSmoothHint;
        case GL_PERSPECTIVE_CORRECTION_HINT:
            return &state.perspectiveCorrectionHint;
        case GL_POINT_SMOOTH_HINT:
            return &state.pointSmoothHint;
    }
    return nullptr;
}

FixedProgram* FixedContext::find(const ProgramKey& key) {
    if (auto known = programs_.find(key); known != programs_.end()) return &known->second;
    if (programs_.size() >= kMaxPrograms) programs_.clear();
    FixedProgram made;
    runWithStack(gles::kCompilerStack, [&] { made = makeProgram(key, static_cast<GLuint>(programs_.size() + 1)); });
    return &programs_.emplace(key, std::move(made)).first->second;
}

bool FixedContext::prepareDraw(gles::Context& c, GLenum mode) {
    if (prepared_ == Prepared{changes_, c.group().changes, mode, drawsTexture_}) return true;
    if (!drawsTexture_ && !c.vertexArray->attribs[kVertex].enabled) return false;
    FixedProgram& made = *find(programKey(c, state, mode, drawsTexture_));
    gles::Executable& executable = *made.program->executable;
    if (readsMappedArray(c, executable)) return c.error(GL_INVALID_OPERATION);

    if (c.program != made.program) {
        c.useProgram(made.program);
        c.changeDrawState();
    }
    prepared_ = {changes_, c.group().changes, mode, drawsTexture_};
    if (made.loaded == changes_) return true;
    made.loaded = changes_;
    const UniformInputs inputs(state);
    std::array<float, 16> value;
    for (const FixedProgram::Source& uniform : made.sources) {
        uniform.source.value(inputs, uniform.source.index, value.data());
        executable.set(uniform.element, 1, value.data());
    }
    return true;
}

}  // namespace tessera::gles1
