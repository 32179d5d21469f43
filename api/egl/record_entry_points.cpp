// EGL_TESSERA_record_commands: the command stream (docs/commands.md) from one call to another.
#include "api/egl/entry.h"
#include "pipeline/recording/encode.h"

using namespace tessera::egl;
namespace gles = tessera::gles;
namespace pipeline = tessera::pipeline;

namespace {

/// Whoever begins or ends a recording is alone with it while the GPU is waited for, the library not being locked.
class RecorderChange {
public:
    RecorderChange() {
        const Lock lock(Library::instance().mutex);
        isMine_ = !std::exchange(Library::instance().changesRecorder, true);
    }
    ~RecorderChange() {
        const Lock lock(Library::instance().mutex);
        if (isMine_) Library::instance().changesRecorder = false;
    }
    RecorderChange(const RecorderChange&) = delete;
    RecorderChange& operator=(const RecorderChange&) = delete;
    [[nodiscard]] bool isMine() const { return isMine_; }

private:
    bool isMine_ = false;
};

EGLBoolean beginRecording(const char* file) {
    pipeline::Gpu& gpu = gles::Driver::instance().gpu();
    std::shared_ptr<pipeline::CommandRecorder>& recorder = Library::instance().recorder;
    if (recorder != nullptr || gpu.hasCommandProbe()) return fail<EGLBoolean>(EGL_BAD_ACCESS, EGL_FALSE);
    auto made = std::make_shared<pipeline::CommandRecorder>(file, tessera::FrameRange{});
    if (!made->isOpen()) return fail<EGLBoolean>(EGL_BAD_PARAMETER, EGL_FALSE);
    gpu.setCommandProbe(made);
    recorder = std::move(made);
    return succeed<EGLBoolean>(EGL_TRUE);
}

EGLBoolean endRecording() {
    const std::shared_ptr<pipeline::CommandRecorder> recorder = std::move(Library::instance().recorder);
    if (recorder == nullptr) return fail<EGLBoolean>(EGL_BAD_ACCESS, EGL_FALSE);
    gles::Driver::instance().gpu().setCommandProbe(nullptr);
    const bool isWhole = recorder->isOpen();
    recorder->finish();
    return isWhole ? succeed<EGLBoolean>(EGL_TRUE) : fail<EGLBoolean>(EGL_BAD_ALLOC, EGL_FALSE);
}

}  // namespace

extern "C" EGLAPI EGLBoolean EGLAPIENTRY eglRecordCommandsTESSERA(EGLDisplay handle, const char* file) {
    finishCurrent();
    if (enter(handle, [](Display&) { return EGL_TRUE; }) == EGL_FALSE) return EGL_FALSE;
    return enterUnlocked([&] {
        const RecorderChange change;
        if (!change.isMine()) return fail<EGLBoolean>(EGL_BAD_ACCESS, EGL_FALSE);
        return file != nullptr ? beginRecording(file) : endRecording();
    });
}
