// Programs from the shaders in demos/shaders.
#pragma once

#include <GLES2/gl2.h>

#include <initializer_list>
#include <string>

namespace demos {

/// The text of demos/shaders/NAME. Ends the process with status 1 when there is none.
[[nodiscard]] std::string readShader(const char* name);

/// The program of demos/shaders/NAME.vert and NAME.frag, with attribute i of the list at location i. Ends the process
/// with status 1 when a file is missing or wrong.
[[nodiscard]] GLuint loadProgram(const char* vertexFile, const char* fragmentFile,
                                 std::initializer_list<const char*> attributes);

}  // namespace demos
