// Versions of buffer objects (docs/adr/0047-one-kind-of-buffer.md).
#include "api/gles/objects/buffer.h"

#include <atomic>
#include <cstring>
#include <utility>

#include "api/gles/driver.h"
#include "api/gles/sole_owner.h"
#include "pipeline/commands.h"

namespace tessera::gles {

uint64_t Buffer::nextContents() {
    static std::atomic<uint64_t> count{0};
    return ++count;
}

void Buffer::replace(Recorder& recorder, pipeline::BufferPtr version) {
    data = std::move(version);
    written = 0;
    contents = nextContents();
    recorder.allocated(data->size());
}

void Buffer::makeOwn(Recorder& recorder) {
    contents = nextContents();
    if (soleOwner(data)) return;
    awaitCommands();
    if (!soleOwner(data)) replace(recorder, std::make_shared<pipeline::Buffer>(std::as_const(*data).bytes()));
}

void Buffer::awaitContents() {
    isRead_ = true;
    awaitCommands();
}

void Buffer::awaitCommands() {
    if (written == 0) return;
    Driver::instance().gpu().wait(std::exchange(written, 0));
    contents = nextContents();
}

bool Buffer::isBeingWritten() const { return written != 0 && !Driver::instance().gpu().isDone(written); }

void Buffer::write(Recorder& recorder, size_t offset, std::span<const std::byte> bytes) {
    if (!soleOwner(data)) {
        if (bytes.size() == data->size()) return replace(recorder, std::make_shared<pipeline::Buffer>(bytes));
        // What a version of its own would hold beside these bytes may not be known yet. And who streams vertices writes
        // parts of one large buffer between draws.
        const bool isSmallPart = data->size() >= kLarge && bytes.size() <= data->size() / 4;
        if (isBeingWritten() || (isSmallPart && !isRead_)) {
            recorder.record(
                pipeline::CopyBuffer{std::make_shared<pipeline::Buffer>(bytes), data, 0, offset, bytes.size()},
                bytes.size());
            written = recorder.submit();
            return;
        }
        makeOwn(recorder);
    }
    std::memcpy(data->data() + offset, bytes.data(), bytes.size());
    contents = nextContents();
}

void Buffer::copy(Recorder& recorder, const Buffer& from, size_t fromOffset, size_t offset, size_t size) {
    const pipeline::BufferPtr source = from.data;  // kept where this is the same buffer
    if (!from.isBeingWritten()) {
        write(recorder, offset, std::as_const(*source).bytes().subspan(fromOffset, size));
        return;
    }
    recorder.record(pipeline::CopyBuffer{source, data, fromOffset, offset, size});
    written = recorder.submit();
}

}  // namespace tessera::gles
