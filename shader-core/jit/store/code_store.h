// Programs to code in memory: from the disk cache, or compiled and then kept there.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "shader-core/jit/baseline/baseline.h"
#include "shader-core/jit/run/loader.h"
#include "shader-core/jit/store/cache.h"
#include "shader-core/jit/store/options.h"

namespace tessera::jit {

class CodeStore {
public:
    CodeStore(const Options& options, LoadCompiler loadCompiler)
        : options_(options), loadCompiler_(std::move(loadCompiler)), cache_(options.cacheDirectory) {}

    /// A routine, or with a block size a kernel. Null when the program is refused. Thread safe.
    [[nodiscard]] CodePointer codeOf(const isa::Program& program, const ThreadBlockSize* block = nullptr) {
        return get(program, {.level = options_.level, .block = block, .atMost = options_.atMost});
    }
    /// isa::BlockCode::pair of a routine whose final code is `single`. Null: it has none.
    [[nodiscard]] CodePointer pairOf(const isa::Program& program, const MachineCode& single) {
        Target target = pairTarget();
        target.singleBytes = single.functionBytes();
        return get(program, target);
    }
    /// A routine as soon as there can be one: codeOf() from the cache, or with Effort::Quick. Where there is code
    /// without a compiler, codeOf(): what that is not made for is so long that it takes no longer.
    struct First {
        CodePointer code;     ///< null when the program is refused
        bool isFinal = true;  ///< codeOf() would give nothing better
    };
    [[nodiscard]] First firstCodeOf(const isa::Program& program);
    /// What firstCodeOf() and pairOf() would give, as far as that takes no compiler.
    struct Kept {
        First first;
        CodePointer pair;
        bool isWhole = false;  ///< codeOf() and pairOf() would give nothing better
    };
    [[nodiscard]] Kept keptCodeOf(const isa::Program& program);
    [[nodiscard]] std::optional<CodePointer> keptCodeOf(const isa::Program& program, const ThreadBlockSize& block);

    /// A routine at once, not kept: codeOf() gives a better one. Null where there is none (baseline/baseline.h).
    [[nodiscard]] CodePointer baselineCodeOf(const isa::Program& program);

    /// The compiler, loaded; null: there is none.
    Compiler compiler() {
        std::call_once(isAsked_, [this] { compiler_ = loadCompiler_(); });
        return compiler_;
    }

private:
    [[nodiscard]] bool makesQuickCode() const {
        return options_.atMost == Effort::Full && (options_.baseline == Baseline::Never || !kHasBaseline);
    }
    [[nodiscard]] Target finalTarget() const { return {.level = options_.level, .atMost = options_.atMost}; }
    [[nodiscard]] Target quickTarget() const { return {.level = options_.level, .atMost = Effort::Quick}; }
    [[nodiscard]] Target pairTarget() const {
        return {.level = options_.level, .pair = true, .atMost = options_.atMost};
    }
    /// Empty where there is no cache.
    [[nodiscard]] std::vector<char> keyOf(const isa::Program& program, const Target& target) const;
    [[nodiscard]] CodePointer get(const isa::Program& program, const Target& target);
    /// Nothing: not there. Null: the compiler refuses the program.
    [[nodiscard]] std::optional<CodePointer> cached(std::span<const char> key, const isa::Program& program,
                                                    const Target& target);
    [[nodiscard]] std::optional<CodePointer> cached(const isa::Program& program, const Target& target) {
        return cached(keyOf(program, target), program, target);
    }
    [[nodiscard]] std::optional<First> cachedFirst(const isa::Program& program);
    [[nodiscard]] CompileResult compile(const isa::Program& program, const Target& target);
    void keep(std::span<const char> key, const CompileResult& result);
    [[nodiscard]] CodePointer load(std::span<const char> image, const isa::Program& program, const Target& target);

    const Options options_;
    const LoadCompiler loadCompiler_;
    CodeCache cache_;
    std::once_flag isAsked_;
    Compiler compiler_ = nullptr;
};

}  // namespace tessera::jit
