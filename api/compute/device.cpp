#include "api/compute/device.h"

#include <dlfcn.h>
#include <pthread.h>

#include <cstdio>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "base/env.h"
#include "base/own_folder.h"
#include "shader-core/interp/interpreter.h"

namespace tessera::compute {

namespace {

constexpr const char* kLibrary = "libtessera_jit.so.0";
constexpr const char* kEntrance = "tessera_jit_compute_executor";
using Entrance = void (*)(std::shared_ptr<isa::ComputeExecutor>*);

const std::string kFolder = folderWith(kLibrary, reinterpret_cast<const void*>(&openDevice));

std::shared_ptr<isa::ComputeExecutor> loadJit() {
    void* library = kFolder.empty() ? nullptr : dlopen((kFolder + kLibrary).c_str(), RTLD_LAZY | RTLD_LOCAL);
    const auto entrance = library != nullptr ? reinterpret_cast<Entrance>(dlsym(library, kEntrance)) : nullptr;
    if (entrance == nullptr) {
        const char* why = kFolder.empty() ? "libtessera_jit.so.0 is not installed beside this" : dlerror();
        if (logLevel() >= 2) std::fprintf(stderr, "tessera: kernels stay on the interpreter: %s\n", why);
        return nullptr;
    }
    std::shared_ptr<isa::ComputeExecutor> executor;
    entrance(&executor);
    return executor;
}

/// All devices, for those who fork.
class Devices {
public:
    /// Nobody forks while it is held.
    [[nodiscard]] std::unique_lock<std::mutex> lock() { return std::unique_lock(mutex_); }
    /// With the lock held.
    void add(Device* device) {
        devices_.push_back(device);
        if (!std::exchange(survivesForks_, true)) pthread_atfork(beforeFork, afterForkInParent, afterForkInChild);
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

/// Removes itself before it is destroyed.
struct KnownDevice final : Device {
    using Device::Device;
    ~KnownDevice() { devices.remove(this); }
};

}  // namespace

std::optional<Tier> tierByName(std::string_view name) {
    if (name == "interp") return Tier::Interp;
    if (name == "jit" || name == "tiered") return Tier::Jit;
    return std::nullopt;
}

Tier tierFromEnvironment() { return tierByName(envString("TESSERA_TIER", "jit")).value_or(Tier::Jit); }

std::shared_ptr<Device> openDevice(Tier tier, int threads) {
    const std::unique_lock lock = devices.lock();
    reportEnvProblems();
    const std::shared_ptr<isa::ComputeExecutor> reference = interp::makeComputeInterpreter(simdLevel());
    std::shared_ptr<isa::ComputeExecutor> executor = tier == Tier::Jit ? loadJit() : nullptr;
    if (executor == nullptr) executor = reference;
    auto device = std::make_shared<KnownDevice>(std::move(executor), reference, threads);
    devices.add(device.get());
    return device;
}

}  // namespace tessera::compute
