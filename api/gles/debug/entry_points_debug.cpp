// Entry points of KHR_debug, EXT_debug_label and EXT_debug_marker.
#include <algorithm>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "api/gles/context/entry.h"
#include "api/gles/debug/validation.h"
#include "api/gles/driver.h"
#include "pipeline/commands.h"
#include "pipeline/recording/marks.h"

using namespace tessera::gles;

namespace {

/// A string of the application; a negative length: up to the terminator.
std::string_view text(const GLchar* from, GLsizei length) {
    if (!from) return {};
    return length < 0 ? std::string_view(from) : std::string_view(from, static_cast<size_t>(length));
}

/// What a recorded stream shows of debug groups and markers.
class Mark final : public tessera::pipeline::Task {
public:
    explicit Mark(std::string words) : words_(std::move(words)) {}
    [[nodiscard]] const char* name() const override { return words_.c_str(); }
    void run() override {}

private:
    const std::string words_;
};

/// Only a stream that is recorded has marks, as a task waits for what is drawn before it.
void mark(Context& c, std::string_view kind, std::string_view words = {}) {
    if (!Driver::instance().gpu().hasCommandProbe()) return;
    c.recorder.record(tessera::pipeline::RunTask{std::make_shared<Mark>(std::string(kind).append(words))});
}

/// Copies with a terminator as far as it fits; `*length` without the terminator.
void copyLabel(std::string_view label, GLsizei bufSize, GLsizei* length, GLchar* out) {
    size_t n = label.size();
    if (out && bufSize > 0) {
        n = std::min(n, static_cast<size_t>(bufSize) - 1);
        std::memcpy(out, label.data(), n);
        out[n] = '\0';
    } else if (out) {
        n = 0;
    }
    if (length) *length = static_cast<GLsizei>(n);
}

template <class Table>
std::string* labelIn(Table& table, GLuint name) {
    auto object = table.find(name);
    return object ? &object->label : nullptr;
}

/// Where the label of an object lives; null when there is no such object. `identifier` is one of KHR_debug's, or that
/// of syncs.
std::string* labelOf(Context& c, GLenum identifier, GLuint name) {
    switch (identifier) {
        case GL_BUFFER_KHR:
            return labelIn(c.group().buffers, name);
        case GL_TEXTURE:
            return labelIn(c.group().textures, name);
        case GL_RENDERBUFFER:
            return labelIn(c.group().renderbuffers, name);
        case GL_FRAMEBUFFER:
            return labelIn(c.framebuffers, name);
        case GL_VERTEX_ARRAY_KHR:
            return labelIn(c.vertexArrays, name);
        case GL_QUERY_KHR:
            return labelIn(c.queries, name);
        case GL_PROGRAM_PIPELINE_KHR:
            return labelIn(c.pipelines, name);
        case GL_TRANSFORM_FEEDBACK:
            return labelIn(c.transformFeedbacks, name);
        case GL_SYNC_OBJECT_APPLE:
            return labelIn(c.group().syncs, name);
        case GL_SAMPLER_KHR:  // there from the first question on
            return name != 0 && c.group().samplers.contains(name) ? &c.group().samplers.findOrMake(name)->label
                                                                  : nullptr;
        case GL_SHADER_KHR: {
            std::shared_ptr<Shader> shader = c.group().shader(name);
            return shader ? &shader->label : nullptr;
        }
        case GL_PROGRAM_KHR: {
            std::shared_ptr<Program> program = c.group().program(name);
            return program ? &program->label : nullptr;
        }
    }
    return nullptr;
}

std::string* labelOfSync(Context& c, const void* handle) {
    const std::shared_ptr<Sync> sync = c.group().sync(handle);
    return sync ? &sync->label : nullptr;
}

/// KHR_debug's errors; a null slot: no such object.
void setLabel(Context& c, std::string* slot, std::string_view label) {
    if (!slot || label.size() >= kMaxLabelLength) return void(c.error(GL_INVALID_VALUE));
    *slot = label;
}
void getLabel(Context& c, const std::string* slot, GLsizei bufSize, GLsizei* length, GLchar* label) {
    if (!slot || bufSize < 0) return void(c.error(GL_INVALID_VALUE));
    copyLabel(*slot, bufSize, length, label);
}

/// KHR_debug's name for EXT_debug_label's type; the type itself where they agree, GL_NONE where there is none.
GLenum identifierOf(GLenum type) {
    switch (type) {
        case GL_BUFFER_OBJECT_EXT:
            return GL_BUFFER_KHR;
        case GL_SHADER_OBJECT_EXT:
            return GL_SHADER_KHR;
        case GL_PROGRAM_OBJECT_EXT:
            return GL_PROGRAM_KHR;
        case GL_PROGRAM_PIPELINE_OBJECT_EXT:
            return GL_PROGRAM_PIPELINE_KHR;
        case GL_VERTEX_ARRAY_OBJECT_EXT:
            return GL_VERTEX_ARRAY_KHR;
        case GL_QUERY_OBJECT_EXT:
            return GL_QUERY_KHR;
        case GL_TEXTURE:
        case GL_FRAMEBUFFER:
        case GL_RENDERBUFFER:
        case GL_SYNC_OBJECT_APPLE:
            return type;
    }
    return GL_NONE;
}

}  // namespace

extern "C" {

// Messages

void GL_APIENTRY glDebugMessageControlKHR(GLenum source, GLenum type, GLenum severity, GLsizei count, const GLuint* ids,
                                          GLboolean enabled) {
    enter([&](Context& c) {
        if (!validate::debugMessageControl(c, source, type, severity, count)) return;
        DebugRule rule{source, type, severity, {}, enabled != GL_FALSE};
        if (count > 0 && !ids) return;
        rule.ids.assign(ids, ids + count);
        c.debug.control(std::move(rule));
    });
}

void GL_APIENTRY glDebugMessageInsertKHR(GLenum source, GLenum type, GLuint id, GLenum severity, GLsizei length,
                                         const GLchar* buf) {
    enter([&](Context& c) {
        std::string_view message = text(buf, length);
        if (!validate::debugMessageInsert(c, source, type, severity, message.size())) return;
        c.debug.insert({source, type, id, severity, std::string(message)});
        if (type == GL_DEBUG_TYPE_MARKER_KHR) mark(c, tessera::pipeline::kMarkerMark, message);
    });
}

void GL_APIENTRY glDebugMessageCallbackKHR(GLDEBUGPROCKHR callback, const void* userParam) {
    enter([&](Context& c) {
        c.debug.callback = callback;
        c.debug.userParam = userParam;
    });
}

GLuint GL_APIENTRY glGetDebugMessageLogKHR(GLuint count, GLsizei bufSize, GLenum* sources, GLenum* types, GLuint* ids,
                                           GLenum* severities, GLsizei* lengths, GLchar* messageLog) {
    return enterFor(GLuint{0}, [&](Context& c) {
        if (messageLog && !validate::count(c, bufSize)) return GLuint{0};
        GLuint taken = 0;
        for (; taken < count && !c.debug.log().empty(); ++taken) {
            const DebugMessage& message = c.debug.log().front();
            const size_t size = message.text.size() + 1;
            if (messageLog) {
                if (size > static_cast<size_t>(bufSize)) break;
                std::memcpy(messageLog, message.text.c_str(), size);
                messageLog += size;
                bufSize -= static_cast<GLsizei>(size);
            }
            if (sources) sources[taken] = message.source;
            if (types) types[taken] = message.type;
            if (ids) ids[taken] = message.id;
            if (severities) severities[taken] = message.severity;
            if (lengths) lengths[taken] = static_cast<GLsizei>(size);
            c.debug.dropOldest();
        }
        return taken;
    });
}

void GL_APIENTRY glGetPointervKHR(GLenum pname, void** params) {
    enter([&](Context& c) {
        if (pname != GL_DEBUG_CALLBACK_FUNCTION_KHR && pname != GL_DEBUG_CALLBACK_USER_PARAM_KHR) {
            c.error(GL_INVALID_ENUM);
        } else if (params) {
            *params = pname == GL_DEBUG_CALLBACK_FUNCTION_KHR ? reinterpret_cast<void*>(c.debug.callback)
                                                              : const_cast<void*>(c.debug.userParam);
        }
    });
}

// Groups

void GL_APIENTRY glPushDebugGroupKHR(GLenum source, GLuint id, GLsizei length, const GLchar* message) {
    enter([&](Context& c) {
        std::string_view name = text(message, length);
        if (!validate::pushDebugGroup(c, source, name.size())) return;
        c.debug.pushGroup(
            {source, GL_DEBUG_TYPE_PUSH_GROUP_KHR, id, GL_DEBUG_SEVERITY_NOTIFICATION_KHR, std::string(name)});
        mark(c, tessera::pipeline::kGroupMark, name);
    });
}

void GL_APIENTRY glPopDebugGroupKHR() {
    enter([](Context& c) {
        if (c.debug.groupDepth() == 1) {
            c.error(GL_STACK_UNDERFLOW_KHR);
        } else {
            c.debug.popGroup();
            mark(c, tessera::pipeline::kGroupEndMark);
        }
    });
}

// Labels

void GL_APIENTRY glObjectLabelKHR(GLenum identifier, GLuint name, GLsizei length, const GLchar* label) {
    enter([&](Context& c) {
        if (validate::labelIdentifier(c, identifier)) setLabel(c, labelOf(c, identifier, name), text(label, length));
    });
}

void GL_APIENTRY glGetObjectLabelKHR(GLenum identifier, GLuint name, GLsizei bufSize, GLsizei* length, GLchar* label) {
    enter([&](Context& c) {
        if (validate::labelIdentifier(c, identifier)) getLabel(c, labelOf(c, identifier, name), bufSize, length, label);
    });
}

// Only sync objects have pointers.

void GL_APIENTRY glObjectPtrLabelKHR(const void* ptr, GLsizei length, const GLchar* label) {
    enter([&](Context& c) { setLabel(c, labelOfSync(c, ptr), text(label, length)); });
}

void GL_APIENTRY glGetObjectPtrLabelKHR(const void* ptr, GLsizei bufSize, GLsizei* length, GLchar* label) {
    enter([&](Context& c) { getLabel(c, labelOfSync(c, ptr), bufSize, length, label); });
}

void GL_APIENTRY glLabelObjectEXT(GLenum type, GLuint object, GLsizei length, const GLchar* label) {
    enter([&](Context& c) {
        if (identifierOf(type) == GL_NONE) return void(c.error(GL_INVALID_ENUM));
        if (!validate::count(c, length)) return;
        std::string* slot = labelOf(c, identifierOf(type), object);
        if (!slot) return void(c.error(GL_INVALID_OPERATION));
        *slot = text(label, length == 0 ? -1 : length);
    });
}

void GL_APIENTRY glGetObjectLabelEXT(GLenum type, GLuint object, GLsizei bufSize, GLsizei* length, GLchar* label) {
    enter([&](Context& c) {
        if (identifierOf(type) == GL_NONE) return void(c.error(GL_INVALID_ENUM));
        if (!validate::count(c, bufSize)) return;
        std::string* slot = labelOf(c, identifierOf(type), object);
        if (!slot) return void(c.error(GL_INVALID_OPERATION));
        copyLabel(*slot, bufSize, length, label);
    });
}

// Markers (EXT_debug_marker): into the debug output, as messages and groups of the application.

void GL_APIENTRY glInsertEventMarkerEXT(GLsizei length, const GLchar* marker) {
    enter([&](Context& c) {
        const std::string_view words = text(marker, length > 0 ? length : -1);
        c.debug.insert({GL_DEBUG_SOURCE_APPLICATION_KHR, GL_DEBUG_TYPE_MARKER_KHR, 0,
                        GL_DEBUG_SEVERITY_NOTIFICATION_KHR, std::string(words)});
        mark(c, tessera::pipeline::kMarkerMark, words);
    });
}

void GL_APIENTRY glPushGroupMarkerEXT(GLsizei length, const GLchar* marker) {
    enter([&](Context& c) {
        ++c.groupMarkers;
        const std::string_view words = text(marker, length > 0 ? length : -1);
        c.debug.insert({GL_DEBUG_SOURCE_APPLICATION_KHR, GL_DEBUG_TYPE_PUSH_GROUP_KHR, 0,
                        GL_DEBUG_SEVERITY_NOTIFICATION_KHR, std::string(words)});
        mark(c, tessera::pipeline::kGroupMark, words);
    });
}

void GL_APIENTRY glPopGroupMarkerEXT() {
    enter([](Context& c) {
        if (c.groupMarkers == 0) return;
        --c.groupMarkers;
        c.debug.insert(
            {GL_DEBUG_SOURCE_APPLICATION_KHR, GL_DEBUG_TYPE_POP_GROUP_KHR, 0, GL_DEBUG_SEVERITY_NOTIFICATION_KHR, {}});
        mark(c, tessera::pipeline::kGroupEndMark);
    });
}

}  // extern "C"
