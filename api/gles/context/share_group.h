// What contexts made with a share context have in common, and the lock that every entry point holds.
#pragma once

#include <memory>
#include <mutex>
#include <shared_mutex>

#include "api/gles/context/call_lock.h"
#include "api/gles/context/names.h"
#include "api/gles/objects/buffer.h"
#include "api/gles/objects/framebuffer.h"
#include "api/gles/objects/program.h"
#include "api/gles/objects/sync_object.h"

namespace tessera::gles {

/// Shared by the parts of calls that do without a group's lock, as they take long. Who wants it alone has it before
/// those that come later, of which there may be more and more.
class CallsWithoutLock {
public:
    void lock_shared() {
        const std::lock_guard turn(entrance_);
        mutex_.lock_shared();
    }
    void unlock_shared() { mutex_.unlock_shared(); }
    void lock() {
        entrance_.lock();
        mutex_.lock();
    }
    void unlock() {
        mutex_.unlock();
        entrance_.unlock();
    }

private:
    std::mutex entrance_;  ///< of all but those that are in
    std::shared_mutex mutex_;
};

/// Framebuffer and vertex array objects are per context (appendix C of the specification).
struct ShareGroup : std::enable_shared_from_this<ShareGroup> {
    ShareGroup();
    ~ShareGroup();
    ShareGroup(const ShareGroup&) = delete;
    ShareGroup& operator=(const ShareGroup&) = delete;

    /// Around a fork(): no thread is in a call on a context from one to the other.
    static void lockAll();
    static void unlockAll();

    CallMutex mutex;
    static CallsWithoutLock& callsWithoutLock();
    /// Of all that its contexts submit; joined with those of others that it exchanges images with (orderWith()).
    const std::shared_ptr<pipeline::Stream> stream = pipeline::makeStream();
    uint64_t changes = 0;  ///< counts the calls that may have changed what draws share (Context::drawState)
    bool lost = false;     ///< a context with reset notification lost everything, and so did the others
    NameTable<Buffer> buffers;
    NameTable<Texture> textures;
    NameTable<Sampler> samplers;
    NameTable<Renderbuffer> renderbuffers;
    NameTable<Sync> syncs;
    NameTable<ShaderOrProgram> programs;

    [[nodiscard]] std::shared_ptr<Shader> shader(GLuint name) const {
        auto found = programs.find(name);
        return found ? found->shader : nullptr;
    }
    [[nodiscard]] std::shared_ptr<Program> program(GLuint name) const {
        auto found = programs.find(name);
        return found ? found->program : nullptr;
    }

    /// Null for a handle that is none.
    [[nodiscard]] std::shared_ptr<Sync> sync(const void* handle) const {
        const auto name = reinterpret_cast<uintptr_t>(handle);
        return name <= UINT32_MAX ? syncs.find(static_cast<GLuint>(name)) : nullptr;
    }

    /// A shader leaves a program: its name goes too when it was flagged for deletion and this was the last one.
    void detachShader(std::shared_ptr<Shader>& slot);
    /// A program stops being in use somewhere, or is deleted: both together free its name and detach its shaders.
    void releaseProgram(Program& program);
    /// Puts a program, or none, where one is in use.
    void useProgram(std::shared_ptr<Program>& slot, std::shared_ptr<Program> next);
};

}  // namespace tessera::gles
