#include "demos/common/isa_program.h"

#include <GLES2/gl2tessera.h>
#include <CLI/CLI.hpp>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

namespace demos {

namespace {

[[noreturn]] void stop(const std::string& file, const char* why) {
    std::fprintf(stderr, "%s: %s\n", file.c_str(), why);
    std::exit(1);
}

void compile(GLuint shader, const std::string& path, const std::string& source) {
    const char* text = source.c_str();
    glShaderSource(shader, 1, &text, nullptr);
    glCompileShader(shader);
    GLint compiled = 0;
    glGetShaderiv(shader, GL_COMPILE_STATUS, &compiled);
    if (compiled != 0) return;
    char log[1024] = "";
    glGetShaderInfoLog(shader, sizeof log, nullptr, log);
    stop(path, log);
}

GLuint loadShader(GLenum type, const std::string& name) {
    const bool ours = name.find('/') == std::string::npos && !std::ifstream(name);
    const std::string path = ours ? TESSERA_ISA_BINARY_DIR "/" + name : name;
    std::ifstream file(path, std::ios::binary);
    std::error_code ignored;
    if (!file || std::filesystem::is_directory(path, ignored)) stop(path, "cannot be read");
    const std::vector<char> binary{std::istreambuf_iterator<char>(file), {}};
    GLuint shader = glCreateShader(type);
    if (path.ends_with(".vert") || path.ends_with(".frag")) {
        compile(shader, path, {binary.begin(), binary.end()});
        return shader;
    }
    glShaderBinary(1, &shader, GL_SHADER_BINARY_TESSERA, binary.data(), static_cast<GLsizei>(binary.size()));
    const GLenum error = glGetError();
    if (error == GL_INVALID_ENUM) stop(path, "this driver does not load Tessera's ISA programs");
    if (error != GL_NO_ERROR) stop(path, "is no valid ISA program of this stage; tessera info says more");
    return shader;
}

}  // namespace

void IsaProgram::addOptions(CLI::App& app) {
    app.add_option("--vertex", vertex, "Vertex program (.tsb, or GLSL in .vert) instead of the demo's own");
    app.add_option("--fragment", fragment, "Fragment program (.tsb, or GLSL in .frag) instead of the demo's own");
}

GLuint IsaProgram::link() const {
    GLuint program = glCreateProgram();
    for (const GLenum type : {GL_VERTEX_SHADER, GL_FRAGMENT_SHADER}) {
        GLuint shader = loadShader(type, type == GL_VERTEX_SHADER ? vertex : fragment);
        glAttachShader(program, shader);
        glDeleteShader(shader);
    }
    glLinkProgram(program);
    GLint linked = 0;
    glGetProgramiv(program, GL_LINK_STATUS, &linked);
    if (linked == 0) {
        char log[1024] = "";
        glGetProgramInfoLog(program, sizeof log, nullptr, log);
        stop(fragment, log);
    }
    return program;
}

}  // namespace demos
