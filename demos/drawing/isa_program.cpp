#include "demos/drawing/isa_program.h"

#include <GLES2/gl2tessera.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

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

/// The binary of a program in assembly, by the tool `tessera as`, which stands beside the demo and says what is wrong
/// where.
std::string assembled(const std::string& path) {
    std::error_code ignored;
    const std::string tool = std::filesystem::read_symlink("/proc/self/exe", ignored).parent_path() / "tessera";
    std::string binary = std::filesystem::temp_directory_path(ignored) / "demo-XXXXXX";
    const int file = mkstemp(binary.data());
    if (file < 0) stop(binary, "cannot be written");
    close(file);
    const char* const arguments[] = {tool.c_str(), "as", path.c_str(), "-o", binary.c_str(), nullptr};
    pid_t child = 0;
    int status = 1;
    if (posix_spawn(&child, tool.c_str(), nullptr, nullptr, const_cast<char**>(arguments), environ) != 0)
        std::fprintf(stderr, "%s: cannot be started to assemble %s\n", tool.c_str(), path.c_str());
    else
        waitpid(child, &status, 0);
    std::ifstream in(binary, std::ios::binary);
    std::string bytes{std::istreambuf_iterator<char>(in), {}};
    std::filesystem::remove(binary, ignored);
    if (status != 0) std::exit(1);
    return bytes;
}

GLuint loadShader(GLenum type, const std::string& name) {
    std::error_code ignored;
    // The demos' own programs are named without a folder.
    const std::string built = TESSERA_ISA_BINARY_DIR "/" + name;
    const bool isOurs = name.find('/') == std::string::npos && !std::filesystem::exists(name, ignored) &&
                        std::filesystem::exists(built, ignored);
    const std::string path = isOurs ? built : name;
    std::ifstream file(path, std::ios::binary);
    if (!file || std::filesystem::is_directory(path, ignored)) stop(path, "cannot be read");
    std::string binary{std::istreambuf_iterator<char>(file), {}};
    if (path.ends_with(".tsa")) binary = assembled(path);
    GLuint shader = glCreateShader(type);
    if (path.ends_with(".vert") || path.ends_with(".frag")) {
        compile(shader, path, binary);
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
    app.add_option("--vertex", vertex, "Vertex program (.tsb, .tsa, or GLSL in .vert) instead of the demo's own");
    app.add_option("--fragment", fragment, "Fragment program (.tsb, .tsa, or GLSL in .frag) instead of the demo's own");
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
