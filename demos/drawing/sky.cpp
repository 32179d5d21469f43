#include "demos/drawing/sky.h"

#include <glm/gtc/type_ptr.hpp>

#include "demos/drawing/image_texture.h"
#include "demos/drawing/mesh.h"
#include "demos/drawing/shader_file.h"

namespace demos {

Sky::Sky(const HdrFrame& frame)
    : plain_(frame.isPlain()),
      program_(frame.loadProgram("sky.vert", "sky.frag", {"a_position"})),
      relief_(loadTexture("relief.png")) {}

Sky::~Sky() {
    glDeleteTextures(1, &relief_);
    glDeleteProgram(program_);
}

void Sky::drawToWorld(GLuint program, const glm::mat4& toWorld, glm::vec3 toSun) const {
    glUseProgram(program);
    glUniformMatrix4fv(glGetUniformLocation(program, "u_toWorld"), 1, GL_FALSE, glm::value_ptr(toWorld));
    glUniform3fv(glGetUniformLocation(program, "u_toSun"), 1, glm::value_ptr(toSun));
    glActiveTexture(GL_TEXTURE0);
    glBindTexture(GL_TEXTURE_2D, relief_);
    drawScreenQuad();
}

void Sky::draw(const glm::mat4& projection, const glm::mat4& view, glm::vec3 toSun) const {
    // The sky is as far away as a cleared depth buffer.
    if (plain_) glDisable(GL_DEPTH_TEST);
    glDepthFunc(GL_LEQUAL);
    drawToWorld(program_, glm::inverse(projection * glm::mat4(glm::mat3(view))), toSun);
    glDepthFunc(GL_LESS);
    glEnable(GL_DEPTH_TEST);
}

GLuint Sky::cubeMap(int size, glm::vec3 toSun) const {
    // Right, up and forward of each face, as OpenGL lays their images out.
    constexpr glm::vec3 kFaces[6][3] = {{{0, 0, -1}, {0, -1, 0}, {1, 0, 0}}, {{0, 0, 1}, {0, -1, 0}, {-1, 0, 0}},
                                        {{1, 0, 0}, {0, 0, 1}, {0, 1, 0}},   {{1, 0, 0}, {0, 0, -1}, {0, -1, 0}},
                                        {{1, 0, 0}, {0, -1, 0}, {0, 0, 1}},  {{-1, 0, 0}, {0, -1, 0}, {0, 0, -1}}};
    GLuint texture = 0, framebuffer = 0;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_CUBE_MAP, texture);
    for (GLenum face = 0; face < 6; ++face)
        glTexImage2D(GL_TEXTURE_CUBE_MAP_POSITIVE_X + face, 0, GL_RGBA, size, size, 0, GL_RGBA, linearLightType(),
                     nullptr);
    glGenFramebuffers(1, &framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glViewport(0, 0, size, size);
    glDisable(GL_DEPTH_TEST);
    const GLuint program = loadProgram("sky.vert", "sky.frag", {"a_position"});
    for (GLenum face = 0; face < 6; ++face) {
        glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_CUBE_MAP_POSITIVE_X + face, texture, 0);
        const auto& axes = kFaces[face];
        drawToWorld(program,
                    glm::mat4(glm::vec4(axes[0], 0), glm::vec4(axes[1], 0), glm::vec4(axes[2], 0), glm::vec4(0)),
                    toSun);
    }
    glDeleteProgram(program);
    glDeleteFramebuffers(1, &framebuffer);
    glGenerateMipmap(GL_TEXTURE_CUBE_MAP);
    glTexParameteri(GL_TEXTURE_CUBE_MAP, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR);
    glTexParameteri(GL_TEXTURE_CUBE_MAP, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_CUBE_MAP, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    return texture;
}

}  // namespace demos
