#include "api/compute/device.h"

#include <pthread.h>

#include <mutex>
#include <utility>
#include <vector>

namespace tessera::compute {

namespace {

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

std::shared_ptr<Device> openDevice(tier::Tier tier, int threads) {
    const std::unique_lock lock = devices.lock();
    auto device = std::make_shared<KnownDevice>(tier::makeExecutor(tier), threads);
    devices.add(device.get());
    return device;
}

}  // namespace tessera::compute
