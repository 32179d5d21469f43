// Entry points that ask for the interface of a linked program: uniform blocks and their members, fragment outputs.
#include <algorithm>

#include "api/gles/context/entry.h"
#include "api/gles/context/parameter.h"
#include "api/gles/formats.h"
#include "api/gles/programs/validation.h"
#include "api/gles/state/state_queries.h"

using namespace tessera::gles;
namespace isa = tessera::isa;

namespace {

constexpr Parameter<Uniform> kUniformParameters[] = {
    {GL_UNIFORM_TYPE, [](const Uniform& uniform) -> int64_t { return uniformType(uniform.variable.type); }},
    {GL_UNIFORM_SIZE, [](const Uniform& uniform) -> int64_t { return uniform.elements(); }},
    {GL_UNIFORM_NAME_LENGTH,
     [](const Uniform& uniform) -> int64_t { return lengthWithTerminator(activeName(uniform.variable)); }},
    {GL_UNIFORM_BLOCK_INDEX, [](const Uniform& uniform) -> int64_t { return uniform.block; }},
    {GL_UNIFORM_OFFSET, [](const Uniform& uniform) -> int64_t { return uniform.offset; }},
    {GL_UNIFORM_ARRAY_STRIDE, [](const Uniform& uniform) -> int64_t { return uniform.arrayStride; }},
    {GL_UNIFORM_MATRIX_STRIDE, [](const Uniform& uniform) -> int64_t { return uniform.matrixStride; }},
    {GL_UNIFORM_IS_ROW_MAJOR, [](const Uniform& uniform) -> int64_t { return uniform.rowMajor; }},
};

constexpr Parameter<UniformBlock> kBlockParameters[] = {
    {GL_UNIFORM_BLOCK_BINDING, [](const UniformBlock& block) -> int64_t { return block.binding; }},
    {GL_UNIFORM_BLOCK_DATA_SIZE, [](const UniformBlock& block) -> int64_t { return block.byteSize; }},
    {GL_UNIFORM_BLOCK_NAME_LENGTH,
     [](const UniformBlock& block) -> int64_t { return lengthWithTerminator(block.name); }},
    {GL_UNIFORM_BLOCK_ACTIVE_UNIFORMS,
     [](const UniformBlock& block) { return static_cast<int64_t>(block.members.size()); }},
    {GL_UNIFORM_BLOCK_REFERENCED_BY_VERTEX_SHADER,
     [](const UniformBlock& block) -> int64_t { return block.places[isa::Stage::Vertex].isActive; }},
    {GL_UNIFORM_BLOCK_REFERENCED_BY_FRAGMENT_SHADER,
     [](const UniformBlock& block) -> int64_t { return block.places[isa::Stage::Fragment].isActive; }},
};

/// Whether an active variable or block goes by the name: that of an array also without "[0]".
bool isNamed(std::string_view active, std::string_view name) {
    constexpr std::string_view kFirst = "[0]";
    return active == name || (active.ends_with(kFirst) && active.substr(0, active.size() - kFirst.size()) == name);
}

/// Null, and GL_INVALID_VALUE, when the program has no active block of that number.
UniformBlock* findBlock(Context& c, GLuint program, GLuint index) {
    const std::shared_ptr<Program> object = validate::program(c, program);
    if (!object) return nullptr;
    if (object->linked && index < object->executable->blocks.size()) return &object->executable->blocks[index];
    c.error(GL_INVALID_VALUE);
    return nullptr;
}

/// The o register of an output or of an element of one; -1: there is none of that name.
int outputRegister(const Executable& executable, std::string_view name) {
    if (!executable.has(isa::Stage::Fragment)) return -1;
    for (const isa::Variable& output : executable.program->fragment().outputs) {
        if (output.name == name) return output.reg;
        for (int i = 0; i < output.arraySize; ++i)
            if (name == output.name + "[" + std::to_string(i) + "]") return output.reg + i;
    }
    return -1;
}

}  // namespace

extern "C" {

void GL_APIENTRY glGetUniformIndices(GLuint program, GLsizei uniformCount, const GLchar* const* uniformNames,
                                     GLuint* uniformIndices) {
    enterEs3([&](Context& c) {
        const std::shared_ptr<Program> object = validate::program(c, program);
        if (!object || !validate::count(c, uniformCount) || !uniformNames || !uniformIndices) return;
        for (GLsizei i = 0; i < uniformCount; ++i) {
            uniformIndices[i] = GL_INVALID_INDEX;
            if (!object->linked || !uniformNames[i]) continue;
            const std::vector<Uniform>& uniforms = object->executable->uniforms;
            const auto found = std::ranges::find_if(uniforms, [&](const Uniform& uniform) {
                return isNamed(activeName(uniform.variable), uniformNames[i]);
            });
            if (found != uniforms.end()) uniformIndices[i] = static_cast<GLuint>(found - uniforms.begin());
        }
    });
}

void GL_APIENTRY glGetActiveUniformsiv(GLuint program, GLsizei uniformCount, const GLuint* uniformIndices, GLenum pname,
                                       GLint* params) {
    enterEs3([&](Context& c) {
        const std::shared_ptr<Program> object = validate::program(c, program);
        if (!object || !validate::count(c, uniformCount)) return;
        const auto* parameter = findParameter(kUniformParameters, pname);
        if (!parameter) return void(c.error(GL_INVALID_ENUM));
        if (!uniformIndices) return;
        const size_t active = object->linked ? object->executable->uniforms.size() : 0;
        for (GLsizei i = 0; i < uniformCount; ++i)
            if (uniformIndices[i] >= active) return void(c.error(GL_INVALID_VALUE));
        for (GLsizei i = 0; i < uniformCount && params; ++i)
            params[i] = static_cast<GLint>(parameter->read(object->executable->uniforms[uniformIndices[i]]));
    });
}

GLuint GL_APIENTRY glGetUniformBlockIndex(GLuint program, const GLchar* uniformBlockName) {
    return enterEs3For(GLuint{GL_INVALID_INDEX}, [&](Context& c) {
        const std::shared_ptr<Program> object = validate::program(c, program);
        if (!object || !object->linked || !uniformBlockName) return GLuint{GL_INVALID_INDEX};
        const std::vector<UniformBlock>& blocks = object->executable->blocks;
        const auto found = std::ranges::find_if(
            blocks, [&](const UniformBlock& block) { return isNamed(block.name, uniformBlockName); });
        return found == blocks.end() ? GLuint{GL_INVALID_INDEX} : static_cast<GLuint>(found - blocks.begin());
    });
}

void GL_APIENTRY glGetActiveUniformBlockiv(GLuint program, GLuint uniformBlockIndex, GLenum pname, GLint* params) {
    enterEs3([&](Context& c) {
        const UniformBlock* block = findBlock(c, program, uniformBlockIndex);
        if (!block) return;
        if (pname == GL_UNIFORM_BLOCK_ACTIVE_UNIFORM_INDICES) {
            if (params) std::ranges::copy(block->members, params);
            return;
        }
        const auto* parameter = findParameter(kBlockParameters, pname);
        if (!parameter) return void(c.error(GL_INVALID_ENUM));
        if (params) *params = static_cast<GLint>(parameter->read(*block));
    });
}

void GL_APIENTRY glGetActiveUniformBlockName(GLuint program, GLuint uniformBlockIndex, GLsizei bufSize, GLsizei* length,
                                             GLchar* uniformBlockName) {
    enterEs3([&](Context& c) {
        if (!validate::count(c, bufSize)) return;
        if (const UniformBlock* block = findBlock(c, program, uniformBlockIndex))
            copyString(block->name, bufSize, length, uniformBlockName);
    });
}

void GL_APIENTRY glUniformBlockBinding(GLuint program, GLuint uniformBlockIndex, GLuint uniformBlockBinding) {
    enterEs3([&](Context& c) {
        UniformBlock* block = findBlock(c, program, uniformBlockIndex);
        if (!block) return;
        if (uniformBlockBinding >= kMaxUniformBufferBindings) return void(c.error(GL_INVALID_VALUE));
        block->binding = uniformBlockBinding;
    });
}

GLint GL_APIENTRY glGetFragDataLocation(GLuint program, const GLchar* name) {
    return enterEs3For(GLint{-1}, [&](Context& c) {
        const std::shared_ptr<Program> object = validate::linkedProgram(c, program);
        const int found = object && name ? outputRegister(*object->executable, name) : -1;
        return found >= isa::kOutSecondColor ? found - isa::kOutSecondColor : found;
    });
}

GLint GL_APIENTRY glGetFragDataIndexEXT(GLuint program, const GLchar* name) {
    return enterEs3For(GLint{-1}, [&](Context& c) {
        const std::shared_ptr<Program> object = validate::linkedProgram(c, program);
        const int found = object && name ? outputRegister(*object->executable, name) : -1;
        return found < 0 ? -1 : found >= isa::kOutSecondColor ? 1 : 0;
    });
}

void GL_APIENTRY glBindFragDataLocationIndexedEXT(GLuint program, GLuint colorNumber, GLuint index,
                                                  const GLchar* name) {
    enterEs3([&](Context& c) {
        const std::shared_ptr<Program> object = validate::program(c, program);
        if (object && validate::bindFragDataLocation(c, colorNumber, index, name))
            object->outputBindings[name] = {static_cast<int>(colorNumber), index == 1};
    });
}

void GL_APIENTRY glBindFragDataLocationEXT(GLuint program, GLuint color, const GLchar* name) {
    glBindFragDataLocationIndexedEXT(program, color, 0, name);
}

}  // extern "C"
