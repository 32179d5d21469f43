#include "base/process/memory_reserve.h"

#include <array>
#include <cstdlib>
#include <mutex>
#include <new>
#include <utility>

namespace tessera {
namespace {

struct Block {
    void* memory = nullptr;  ///< null: taken
    size_t bytes = 0;
};

/// Untouched, they cost address space.
class Reserve {
public:
    Reserve() {
        for (size_t i = 0; i < blocks_.size(); ++i) blocks_[i].bytes = size_t{1} << (i < kSmall ? 14 : 20);
    }

    void fill() {
        const std::lock_guard lock(mutex_);
        if (isFull_) return;
        for (Block& block : blocks_)
            if (block.memory == nullptr && (block.memory = std::malloc(block.bytes)) == nullptr) throw std::bad_alloc();
        isFull_ = true;
    }

    void* take(size_t bytes) {
        const std::lock_guard lock(mutex_);
        for (Block& block : blocks_) {
            if (block.memory == nullptr || block.bytes < bytes) continue;
            isFull_ = false;
            return std::exchange(block.memory, nullptr);
        }
        return nullptr;
    }

private:
    static constexpr size_t kSmall = 64, kLarge = 4;
    std::mutex mutex_;
    std::array<Block, kSmall + kLarge> blocks_;
    bool isFull_ = false;
};

Reserve& reserve() {
    static Reserve& reserve = *new Reserve;  // threads of the driver outlive static objects
    return reserve;
}

thread_local int depth = 0;

}  // namespace

UsesMemoryReserve::UsesMemoryReserve() {
    reserve().fill();
    ++depth;
}

UsesMemoryReserve::~UsesMemoryReserve() { --depth; }

void* takeFromReserve(size_t bytes) noexcept { return depth == 0 ? nullptr : reserve().take(bytes); }

}  // namespace tessera
