#include "api/compute/device.h"

#include <pthread.h>

#include <algorithm>
#include <bit>
#include <new>
#include <utility>

#include "base/process/env.h"
#include "base/thread/thread.h"
#include "pipeline/command/command_buffer.h"
#include "pipeline/recording/encode.h"

namespace tessera::compute {

namespace {

constexpr size_t kCompilerStack = size_t{4} << 20;

}  // namespace

// --- Kernels ---

Kernel::Kernel(std::shared_ptr<const isa::Program> program)
    : program_(std::move(program)), constants_(program_->constantCount), buffers_(isa::kMaxBuffers) {
    for (const isa::Literal& literal : program_->literals)
        constants_[literal.reg] = std::bit_cast<pipeline::ConstantRegister>(literal.bits);
}

bool Kernel::bind(std::string_view name, std::shared_ptr<Buffer> buffer) {
    for (const isa::Buffer& declared : program_->buffers) {
        if (declared.name != name) continue;
        buffers_[declared.slot] = std::move(buffer);
        return true;
    }
    return false;
}

bool Kernel::setUniform(std::string_view name, std::span<const uint32_t> bits) {
    for (const isa::Variable& v : program_->uniforms) {
        if (v.name != name) continue;
        const size_t width = static_cast<size_t>(isa::componentCount(v.type));
        if (bits.size() > width * static_cast<size_t>(isa::registerCount(v))) return false;
        for (size_t i = 0; i < bits.size(); ++i)
            constants_[v.reg + i / width][v.component + i % width] = std::bit_cast<float>(bits[i]);
        return true;
    }
    return false;
}

bool Kernel::setUniform(std::string_view name, int32_t value) { return setUniform(name, static_cast<uint32_t>(value)); }
bool Kernel::setUniform(std::string_view name, uint32_t value) { return setUniform(name, std::span(&value, 1)); }
bool Kernel::setUniform(std::string_view name, float value) { return setUniform(name, std::bit_cast<uint32_t>(value)); }

// --- Devices ---

Device::Device(std::shared_ptr<isa::Executor> executor, int threads)
    : gpu_(std::move(executor), threads), commands_(std::make_unique<pipeline::CommandBuffer>()) {
    gpu_.setTimeLimit({});  // who waits for a kernel may wait as long as its budget allows
    commands_->stream = pipeline::makeStream();
}

Device::~Device() = default;

std::shared_ptr<Kernel> Device::load(isa::Program program, std::string* why) {
    const auto fail = [&](std::string reason) {
        if (why != nullptr) *why = std::move(reason);
        return nullptr;
    };
    if (program.stage != isa::Stage::Compute) return fail("not a compute program; it begins with .compute");
    if (std::string reason = isa::verify(program); !reason.empty()) return fail(std::move(reason));
    return std::make_shared<Kernel>(std::make_shared<const isa::Program>(std::move(program)));
}

std::shared_ptr<const pipeline::Program> Device::prepare(Kernel& kernel, const std::array<uint32_t, 3>& block) {
    std::shared_ptr<const pipeline::Program>& prepared = kernel.prepared_[block];
    if (prepared == nullptr) {
        auto made = std::make_shared<pipeline::Program>();
        made->block = block;
        pipeline::ProgramStage& stage = made->stages[isa::Stage::Compute];
        stage.program = kernel.program_;
        runWithStack(kCompilerStack, [&] { stage.kernel = gpu_.executor().prepareKernel(kernel.program_, block); });
        prepared = std::move(made);
    }
    return prepared;
}

std::shared_ptr<Launch> Device::launch(Kernel& kernel, const LaunchSize& size) {
    const std::scoped_lock lock(inUse_);
    auto launch = std::make_shared<Launch>();
    LaunchSize actual = size;
    launch->message = resolveSize(*kernel.program_, actual);
    const bool isEmpty = std::ranges::find(actual.grid, 0u) != actual.grid.end();
    if (!launch->message.empty() || isEmpty) {
        launch->done = true;
        return launch;
    }
    pipeline::Dispatch dispatch;
    dispatch.program = prepare(kernel, actual.block);
    const size_t count = kernel.constants_.size();
    pipeline::CommandBuffer::ConstantBlock constants(count);
    std::ranges::copy(kernel.constants_, constants.registers.get());
    dispatch.constants = {constants.registers.get(), count};
    dispatch.buffers = kernel.buffers_;
    dispatch.grid = actual.grid;
    dispatch.budget = actual.budget;
    dispatch.result = std::make_shared<DispatchResult>();
    pending_.push_back({launch, kernel.program_, actual.grid, dispatch.result});
    commands_->constants.push_back(std::move(constants));
    commands_->commands.emplace_back(std::move(dispatch));
    return launch;
}

bool Device::copy(const std::shared_ptr<Buffer>& from, uint64_t fromOffset, const std::shared_ptr<Buffer>& to,
                  uint64_t toOffset, uint64_t size) {
    const auto contains = [size](const Buffer& buffer, uint64_t offset) {
        return size <= buffer.size() && offset <= buffer.size() - size;
    };
    if (!contains(*from, fromOffset) || !contains(*to, toOffset)) return false;
    const std::scoped_lock lock(inUse_);
    commands_->commands.emplace_back(pipeline::CopyBuffer{from, to, fromOffset, toOffset, size});
    return true;
}

void Device::wait() {
    const std::scoped_lock lock(inUse_);
    if (commands_->commands.empty()) return;
    pipeline::CommandBuffer recorded;
    recorded.stream = commands_->stream;
    std::swap(recorded, *commands_);
    try {
        gpu_.execute(std::move(recorded));
    } catch (const std::bad_alloc&) {
        // Launches that were not executed say so.
    }
    for (const Pending& pending : std::exchange(pending_, {})) finish(pending);
}

void Device::finish(const Pending& pending) {
    Launch& launch = *pending.launch;
    launch.done = true;
    launch.counters = pending.result->counters;
    launch.fault = pending.result->fault;
    counters_.add(launch.counters);
    if (pending.result->isDone) return;
    launch.message = "memory ran out";  // short enough to need none
    try {
        if (launch.fault.kind != isa::FaultKind::None)
            launch.message = faultMessage(*pending.program, launch.fault, pending.grid);
    } catch (const std::bad_alloc&) {
        // It has.
    }
}

void Device::beforeFork() {
    inUse_.lock();
    gpu_.beforeFork();
    gpu_.executor().beforeFork();
}

void Device::afterForkInParent() {
    gpu_.executor().afterForkInParent();
    gpu_.afterForkInParent();
    inUse_.unlock();
}

void Device::afterForkInChild() {
    gpu_.executor().afterForkInChild();
    gpu_.afterForkInChild();
    inUse_.unlock();
}

// --- Opening ---

namespace {

/// All devices, for those who fork.
class Devices {
public:
    /// Nobody forks while it is held.
    [[nodiscard]] std::unique_lock<std::mutex> lock() { return std::unique_lock(mutex_); }
    /// With the lock held. The number of devices that there have been.
    int add(Device* device) {
        devices_.push_back(device);
        if (!std::exchange(survivesForks_, true)) pthread_atfork(beforeFork, afterForkInParent, afterForkInChild);
        return ++opened_;
    }
    void remove(Device* device) {
        const std::scoped_lock lock(mutex_);
        std::erase(devices_, device);
    }

private:
    static void beforeFork();
    static void afterForkInParent();
    static void afterForkInChild();

    std::mutex mutex_;
    std::vector<Device*> devices_;
    bool survivesForks_ = false;
    int opened_ = 0;
};

constinit Devices devices;

void Devices::beforeFork() {
    devices.mutex_.lock();
    for (Device* device : devices.devices_) device->beforeFork();
}

void Devices::afterForkInParent() {
    for (Device* device : devices.devices_) device->afterForkInParent();
    devices.mutex_.unlock();
}

void Devices::afterForkInChild() {
    for (Device* device : devices.devices_) device->afterForkInChild();
    devices.mutex_.unlock();
}

/// Removes itself before it is destroyed. With TESSERA_COMMANDS=FILE what the process's n-th device executes is in
/// FILE.compute-n when it is closed.
class KnownDevice final : public Device {
public:
    /// With the lock of all devices held.
    KnownDevice(std::shared_ptr<isa::Executor> executor, int threads) : Device(std::move(executor), threads) {
        const int number = devices.add(this);
        const std::string file = envString("TESSERA_COMMANDS", "");
        if (file.empty()) return;
        recorder_ =
            std::make_shared<pipeline::CommandRecorder>(file + ".compute-" + std::to_string(number), std::nullopt);
        gpu().setCommandProbe(recorder_);
    }
    ~KnownDevice() {
        devices.remove(this);
        if (recorder_) recorder_->finish();
    }

private:
    std::shared_ptr<pipeline::CommandRecorder> recorder_;
};

}  // namespace

std::shared_ptr<Device> openDevice(tier::Tier tier, int threads) {
    const std::unique_lock lock = devices.lock();
    return std::make_shared<KnownDevice>(tier::makeExecutor(tier), threads);
}

}  // namespace tessera::compute
