// Programs to code in memory: from the disk cache, or compiled and then kept there.
#pragma once

#include <memory>

#include "shader-core/jit/analysis/facts.h"
#include "shader-core/jit/jit.h"
#include "shader-core/jit/run/loader.h"
#include "shader-core/jit/store/cache.h"

namespace tessera::jit {

class CodeStore {
public:
    explicit CodeStore(const Options& options)
        : options_(options), loader_(Loader::create(options.level)), cache_(options.cacheDirectory) {}

    /// A routine, or with a block size a kernel. Null when the program is refused. Thread safe.
    [[nodiscard]] Loader::CodePointer codeOf(const isa::Program& program, const ThreadBlockSize* block = nullptr) {
        return get(program, block, false);
    }
    /// isa::BlockCode::pair of a routine. Null: it has none.
    [[nodiscard]] Loader::CodePointer pairOf(const isa::Program& program) { return get(program, nullptr, true); }

private:
    Loader::CodePointer get(const isa::Program& program, const ThreadBlockSize* block, bool pair);

    Options options_;
    std::shared_ptr<Loader> loader_;
    CodeCache cache_;
};

}  // namespace tessera::jit
