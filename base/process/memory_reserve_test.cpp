#include "base/process/memory_reserve.h"

#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <set>
#include <thread>
#include <vector>

#include <doctest/doctest.h>

using namespace tessera;

namespace {

struct Freed {
    void operator()(void* memory) const { std::free(memory); }
};
using Block = std::unique_ptr<void, Freed>;

/// All that there is of blocks that hold so many bytes, each written to its end.
std::vector<Block> takeAll(size_t bytes) {
    std::vector<Block> blocks;
    while (void* memory = takeFromReserve(bytes)) {
        std::memset(memory, static_cast<int>(blocks.size()), bytes);
        blocks.emplace_back(memory);
        REQUIRE(blocks.size() < 1000);
    }
    std::set<void*> places;
    for (const Block& block : blocks) places.insert(block.get());
    CHECK(places.size() == blocks.size());
    return blocks;
}

constexpr size_t kSmall = size_t{1} << 14, kLarge = size_t{1} << 20;

}  // namespace

TEST_CASE("the reserve has small and large blocks, for threads that need it, until it is empty") {
    CHECK(takeFromReserve(1) == nullptr);
    {
        const UsesMemoryReserve use;
        CHECK(takeFromReserve(kLarge + 1) == nullptr);
        int anything = 0;
        void* others = &anything;
        std::thread([&] { others = takeFromReserve(1); }).join();
        CHECK(others == nullptr);  // that thread is not in such code
        const std::vector<Block> large = takeAll(kSmall + 1);
        CHECK(large.size() == 4);
        CHECK(takeFromReserve(kLarge) == nullptr);
        const std::vector<Block> small = takeAll(kSmall);
        CHECK(small.size() == 64);
        CHECK(takeFromReserve(1) == nullptr);
        const size_t all = large.size() + small.size();
        {
            const UsesMemoryReserve inner;  // it is filled before it is needed again
            CHECK(takeAll(1).size() == all);
        }
        CHECK(takeFromReserve(1) == nullptr);
    }
    const UsesMemoryReserve again;
    CHECK(takeAll(kLarge).size() >= 2);
    {
        const UsesMemoryReserve inner;
    }
    Block block(takeFromReserve(1));  // the outer code is not left yet
    CHECK(block != nullptr);
}

TEST_CASE("outside of the code that needs it nothing is taken, though it is full") {
    {
        const UsesMemoryReserve use;
    }
    CHECK(takeFromReserve(1) == nullptr);
}
