// Object files to callable code, by ORC's linking layer (JITLink).
#pragma once

#include <memory>
#include <string>

#include <llvm/ExecutionEngine/Orc/Core.h>
#include <llvm/ExecutionEngine/Orc/ObjectLinkingLayer.h>

#include "base/env.h"
#include "shader-core/jit/frame.h"
#include "shader-core/jit/llvm_entry.h"

namespace tessera::jit {

class Loader final : public LlvmObject, public std::enable_shared_from_this<Loader> {
public:
    /// Null when the process cannot have executable memory.
    static std::shared_ptr<Loader> create(SimdLevel level);

    /// Code in memory; freed with the object.
    class Code final : public LlvmObject {
    public:
        BlockFunction function = nullptr;
        uint64_t inputComponents = 0;
        size_t bytes = 0;  ///< of the function

    private:
        friend class Loader;
        void destroy() override;
        std::shared_ptr<Loader> loader_;
        llvm::orc::JITDylib* library_ = nullptr;
    };
    using CodePointer = std::unique_ptr<Code, Discard>;

    /// Null when the object is not one that compile() makes. Thread safe.
    CodePointer load(std::unique_ptr<llvm::MemoryBuffer> object);

private:
    Loader(std::unique_ptr<llvm::orc::ExecutionSession> session, SimdLevel level);
    void destroy() override;
    CodePointer link(std::unique_ptr<llvm::MemoryBuffer> object);

    std::unique_ptr<llvm::orc::ExecutionSession> session_;
    std::unique_ptr<llvm::orc::ObjectLinkingLayer> layer_;
    llvm::orc::SymbolMap callable_;  ///< all that the code generator may call by name
    uint64_t libraries_ = 0;
};

}  // namespace tessera::jit
