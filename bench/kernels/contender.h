// Who runs a job of demos/kernels besides Tessera: plain C++, libraries, OpenCL. Each works on memories in the job's
// own layout, so the job's check judges all alike.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/thread/thread_pool.h"
#include "demos/kernels/suite.h"

namespace tessera::bench {

struct Contender {
    std::string name;
    std::function<void()> run;                                 ///< once; what is measured
    std::function<std::vector<kernels::Memory>()> memories{};  ///< what it left; after run()
};

using Memories = std::shared_ptr<std::vector<kernels::Memory>>;

/// The same memory for writing.
template <class T>
std::span<T> write(kernels::Memory& memory) {
    return {reinterpret_cast<T*>(memory.bytes.data()), memory.bytes.size() / sizeof(T)};
}

/// Plain C++ for the row, or nothing to run when there is none.
[[nodiscard]] Contender plain(std::string_view row, const kernels::Job& job, int threads);

/// The best ordinary library for the row, where there is one.
[[nodiscard]] Contender library(std::string_view row, const kernels::Job& job, int threads);

/// OpenCL on the processor (PoCL), where kernels.cl has the row and a platform is installed.
[[nodiscard]] Contender openCl(std::string_view row, const kernels::Job& job);

/// FMAs of all lanes of the widest registers: flop/s of `threads` threads.
[[nodiscard]] double peakFlops(int threads);
/// Bytes read and written per second by copying arrays far larger than the caches, on `threads` threads.
[[nodiscard]] double copyBandwidth(int threads);

}  // namespace tessera::bench
