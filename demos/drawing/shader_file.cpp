#include "demos/drawing/shader_file.h"

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>

#include "demos/host/harness.h"

namespace demos {

std::string readShader(const char* file) {
    std::string path = assetPath(std::string("shaders/") + file);
    std::ifstream in(path);
    std::ostringstream text;
    if (!(text << in.rdbuf())) {
        std::fprintf(stderr, "cannot read %s\n", path.c_str());
        std::exit(1);
    }
    return text.str();
}

GLuint loadProgram(const char* vertexFile, const char* fragmentFile, std::initializer_list<const char*> attributes) {
    return buildProgram(readShader(vertexFile).c_str(), readShader(fragmentFile).c_str(), attributes);
}

}  // namespace demos
