#include "demos/drawing/image_texture.h"

#include <stb/stb_image.h>

#include <cstdio>
#include <cstdlib>
#include <string>

#include "demos/host/harness.h"

namespace demos {

GLuint loadTexture(const char* name) {
    std::string path = assetPath(std::string("assets/") + name);
    int width = 0, height = 0, channels = 0;
    stbi_set_flip_vertically_on_load(1);
    unsigned char* pixels = stbi_load(path.c_str(), &width, &height, &channels, 4);
    if (pixels == nullptr) {
        std::fprintf(stderr, "cannot load %s: %s\n", path.c_str(), stbi_failure_reason());
        std::exit(1);
    }
    GLuint texture = 0;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, width, height, 0, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
    glGenerateMipmap(GL_TEXTURE_2D);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    stbi_image_free(pixels);
    return texture;
}

}  // namespace demos
