// Programs to code in memory: from the disk cache, or compiled and then kept there.
#pragma once

#include <memory>

#include "shader-core/jit/codegen/compiler.h"
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
        return get(program, {.level = options_.level, .block = block, .atMost = options_.atMost});
    }
    /// isa::BlockCode::pair of a routine. Null: it has none.
    [[nodiscard]] Loader::CodePointer pairOf(const isa::Program& program) {
        return get(program, {.level = options_.level, .pair = true, .atMost = options_.atMost});
    }
    /// A routine as soon as there can be one: codeOf() from the cache, or compiled with Effort::Quick.
    struct First {
        Loader::CodePointer code;  ///< null when the program is refused
        bool isFinal = true;       ///< codeOf() would give nothing better
    };
    [[nodiscard]] First firstCodeOf(const isa::Program& program);

private:
    [[nodiscard]] Loader::CodePointer get(const isa::Program& program, const Target& target);
    [[nodiscard]] Loader::CodePointer cached(const CacheKey& key, const isa::Program& program, const Target& target);
    [[nodiscard]] CacheKey keyFor(const isa::Program& program, const Target& target) const;
    [[nodiscard]] Loader::CodePointer load(std::unique_ptr<llvm::MemoryBuffer> object, const isa::Program& program,
                                           const Target& target);

    Options options_;
    std::shared_ptr<Loader> loader_;
    CodeCache cache_;
};

}  // namespace tessera::jit
