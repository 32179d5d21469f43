// Tiering: programs run at once on one executor while a faster one is made ready, and are swapped when it is.
//
// The executors agree to the bit, so nobody can see the swap. The fast executor is loaded when the first program asks,
// so that processes that never draw never pay for it. What it has kept from an earlier process is taken then and there;
// for everything else one background thread of low priority serves it. Whatever fails (no fast executor, a program it
// refuses) leaves the program where it is.
#pragma once

#include <functional>
#include <memory>

#include "shader-core/isa/executor.h"

namespace tessera::tier {

/// Makes the fast executor, soon: somebody draws; null when there is none. Called once, by the thread that first needs
/// it.
using LoadFast = std::function<std::shared_ptr<isa::Executor>()>;

/// Groups that a program runs before it asks for the fast executor: less work than a hundredth of a compilation. So the
/// program of a draw's four vertices does not stand before that of its million pixels.
inline constexpr int kGroupsBeforeAsking = 64;

/// Refining a program saves a part of each block, and takes as long as it saves of a hundred thousand of them, more or
/// less. So what the fast executor made first runs for so many blocks, counted in the program's instructions, before it
/// is refined (docs/notes/programs.md, Code that is worth it). A screen of 1280 x 720 has 57,600.
inline constexpr uint64_t kRunsBeforeRefining = 65536;

/// prepare() and prepareKernel() return what runs on `reference`; the first run of a kernel, or the
/// kGroupsBeforeAsking-th group, asks for the fast one, and the next group, or run of blocks, finds it. The process's
/// exit waits for at most the compilation that is under way.
[[nodiscard]] std::shared_ptr<isa::Executor> makeTiered(std::shared_ptr<isa::Executor> reference, LoadFast loadFast);

/// They wait for the fast executor and return what it makes, or what `reference` makes where it refuses.
[[nodiscard]] std::shared_ptr<isa::Executor> makeEager(std::shared_ptr<isa::Executor> reference, LoadFast loadFast,
                                                       std::string name = "jit");

}  // namespace tessera::tier
