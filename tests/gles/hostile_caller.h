// A caller that tries every entry point of the current context with arguments likely, odd and impossible. What it does
// next comes from numbers, a generator's or a fuzzer's. Whatever happens is allowed but a crash, a hang, an unknown
// error code or a context that no longer draws. Client pointers are what a program must get right itself: they always
// point into a large block of memory.
#pragma once

#include <GLES2/gl2.h>

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <vector>

namespace tessera::gles_test {

class HostileCaller {
public:
    /// `next` gives numbers of 32 bits. With client arrays indices have at most two bytes, so that they stay in the
    /// block.
    HostileCaller(std::function<uint32_t()> next, bool clientArrays);

    /// Programs to work with, because random calls alone hardly ever make one. Errors so far are taken.
    void makePrograms();
    /// One call, and the error that it left.
    GLenum call();

private:
    static constexpr unsigned kShaders = 8, kPrograms = 4;

    unsigned pick(unsigned n) { return next_() % n; }
    GLenum anEnum();
    GLenum among(std::initializer_list<GLenum> good);
    GLuint name();
    GLint small();
    GLint integer();
    GLsizei size();
    GLfloat real();
    GLint location();
    GLuint shader();
    GLuint program();
    GLsizei compressedBytes(GLenum format, GLsizei width, GLsizei height);
    template <class T>
    T* memory() {
        return pick(20) == 0 ? nullptr : reinterpret_cast<T*>(block_.data() + (pick(1 << 16) & ~7u));
    }

    void oneCall();
    void state(unsigned which);
    void textures(unsigned which);
    void compressedImage(GLenum image);
    void compressedPart(GLenum image);
    void framebuffers(unsigned which);
    void programs(unsigned which);
    void uniforms(unsigned which);
    void draws(unsigned which);
    void vertices(unsigned which);
    void queries(unsigned which);

    std::function<uint32_t()> next_;
    bool clientArrays_;
    std::vector<uint8_t> block_;
    GLuint shaders_[kShaders] = {}, programs_[kPrograms] = {};
};

}  // namespace tessera::gles_test
