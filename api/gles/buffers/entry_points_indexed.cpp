// Entry points of indexed binding points: ranges of buffers for uniform blocks and for transform feedback.
#include "api/gles/buffers/validation.h"
#include "api/gles/context/entry.h"
#include "api/gles/context/object_names.h"

using namespace tessera::gles;

namespace {

/// Blocks are filled from the bindings when a draw is recorded, which then may share the state of the draw before.
void bind(GLenum target, GLuint index, GLuint buffer, GLintptr offset, GLsizeiptr size, bool isRange,
          const char* call = __builtin_FUNCTION()) {
    enterKeepingDrawState(
        [&](Context& c) {
            if (!c.isEs3()) return void(c.error(GL_INVALID_OPERATION));
            if (!validate::indexedBinding(c, target, index)) return;
            if (isRange && buffer != 0 && !validate::bufferRange(c, target, offset, size)) return;
            std::shared_ptr<Buffer> object = named(c.group().buffers, buffer);
            *c.bufferBinding(target) = object;
            *c.indexedBinding(target, index) =
                isRange && object ? IndexedBinding{std::move(object), offset, size} : IndexedBinding{std::move(object)};
        },
        call);
}

}  // namespace

extern "C" {

void GL_APIENTRY glBindBufferBase(GLenum target, GLuint index, GLuint buffer) {
    bind(target, index, buffer, 0, 0, false);
}

void GL_APIENTRY glBindBufferRange(GLenum target, GLuint index, GLuint buffer, GLintptr offset, GLsizeiptr size) {
    bind(target, index, buffer, offset, size, true);
}

}  // extern "C"
