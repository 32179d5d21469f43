#include "base/thread/thread.h"

#include <sys/resource.h>
#include <ucontext.h>
#include <unistd.h>

#include <cstring>
#include <stdexcept>
#include <thread>
#include <vector>

#include <doctest/doctest.h>

#include "base/testing/process.h"

using namespace tessera;

namespace {

/// Touches so much of the stack, and says on which thread.
std::thread::id touch(size_t bytes) {
    auto* memory = static_cast<volatile char*>(__builtin_alloca(bytes));
    for (size_t i = 0; i < bytes; i += 1024) memory[i] = 1;
    return std::this_thread::get_id();
}

std::thread::id threadWithStack(size_t needed, size_t touched) {
    std::thread::id id;
    runWithStack(needed, [&] { id = touch(touched); });
    return id;
}

}  // namespace

TEST_CASE("work runs on the caller's stack when that is large enough, else on one made for it") {
    CHECK(threadWithStack(size_t{1} << 20, size_t{1} << 19) == std::this_thread::get_id());
    CHECK(threadWithStack(size_t{64} << 20, size_t{63} << 20) != std::this_thread::get_id());
    Thread small;
    std::thread::id own, large, tiny;
    REQUIRE(small.start(
        [&] {
            own = std::this_thread::get_id();
            tiny = threadWithStack(16 << 10, 8 << 10);
            large = threadWithStack(size_t{4} << 20, size_t{3} << 20);
        },
        64 << 10));
    small.join();
    CHECK(tiny == own);
    CHECK(large != own);
}

TEST_CASE("a stack smaller than any may be is the smallest, not the default") {
    Thread smallest;
    std::thread::id own, large;
    REQUIRE(smallest.start(
        [&] {
            own = std::this_thread::get_id();
            large = threadWithStack(size_t{1} << 20, size_t{1} << 19);
        },
        1));
    smallest.join();
    CHECK(large != own);
}

#if !__has_feature(address_sanitizer) && !__has_feature(thread_sanitizer)  // which do not know other stacks
TEST_CASE("other stacks than the thread's are small, whatever the limit of that") {
    const auto moves = [] {
        const rlimit none{RLIM_INFINITY, RLIM_INFINITY};
        if (setrlimit(RLIMIT_STACK, &none) != 0) return true;  // not allowed here
        static ucontext_t first, other;
        static std::vector<char> stack(size_t{64} << 10);
        static std::thread::id ran;
        getcontext(&other);
        other.uc_stack.ss_sp = stack.data(), other.uc_stack.ss_size = stack.size(), other.uc_link = &first;
        makecontext(&other, +[] { runWithStack(size_t{1} << 20, [] { ran = std::this_thread::get_id(); }); }, 0);
        swapcontext(&first, &other);
        return ran != std::thread::id() && ran != std::this_thread::get_id();
    };
    CHECK(testing::inChild(moves, _exit));
}
#endif

TEST_CASE("exceptions come back from the other stack") {
    CHECK_THROWS_WITH(runWithStack(size_t{64} << 20, [] { throw std::runtime_error("from there"); }), "from there");
}

#if !__has_feature(address_sanitizer) && !__has_feature(thread_sanitizer)  // which need more room than that themselves
TEST_CASE("without threads there is an answer") {
    const auto areNone = [] {
        const rlimit none{16 << 20, 16 << 20};  // of address space: too little for another stack
        setrlimit(RLIMIT_AS, &none);
        Thread thread;
        const bool started = thread.start([] {}, size_t{64} << 20);
        bool thrown = false;
        try {
            runWithStack(size_t{64} << 20, [] {});
        } catch (const std::bad_alloc&) {
            thrown = true;
        }
        return !started && thrown;
    };
    CHECK(testing::inChild(areNone, _exit));
}
#endif
