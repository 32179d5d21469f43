// Commands that are not done until a test lets them.
#pragma once

#include <future>
#include <memory>
#include <utility>

#include "api/gles/context/context.h"
#include "api/gles/driver.h"
#include "pipeline/command/command_buffer.h"
#include "tests/gles/fixture.h"

namespace tessera::gles_test {

/// Holds up the GPU's work for the context until it is released.
class HeldUp {
public:
    explicit HeldUp(const TestContext& context) {
        gles::flush(*context.context());
        pipeline::CommandBuffer buffer;
        buffer.stream = gles::streamOf(*context.context());
        buffer.commands.emplace_back(pipeline::RunTask{std::make_shared<Wait>(promise_.get_future())});
        gles::Driver::instance().gpu().submit(std::move(buffer));
    }
    ~HeldUp() { release(); }
    void release() {
        if (!std::exchange(isReleased_, true)) promise_.set_value();
    }

private:
    class Wait : public pipeline::Task {
    public:
        explicit Wait(std::future<void> released) : released_(std::move(released)) {}
        [[nodiscard]] const char* name() const override { return "held up"; }
        void run() override { released_.wait(); }

    private:
        std::future<void> released_;
    };
    std::promise<void> promise_;
    bool isReleased_ = false;
};

}  // namespace tessera::gles_test
