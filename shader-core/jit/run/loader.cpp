#include "shader-core/jit/run/loader.h"

#include <cstring>

#include <llvm/ExecutionEngine/JITLink/JITLinkMemoryManager.h>
#include <llvm/ExecutionEngine/Orc/ExecutorProcessControl.h>
#include <llvm/ExecutionEngine/Orc/SymbolStringPool.h>
#include <llvm/ExecutionEngine/Orc/TaskDispatch.h>
#include <llvm/Object/ELFObjectFile.h>

#include "shader-core/jit/lower/lane_functions.h"

namespace tessera::jit {

namespace {

/// Failures are the caller's to handle; ORC's own report would go to standard error.
void ignoreError(llvm::Error error) { llvm::consumeError(std::move(error)); }

size_t functionSize(const llvm::MemoryBuffer& object) {
    llvm::Expected<std::unique_ptr<llvm::object::ObjectFile>> file =
        llvm::object::ObjectFile::createELFObjectFile(object.getMemBufferRef());
    if (!file) {
        llvm::consumeError(file.takeError());
        return 0;
    }
    for (const llvm::object::ELFSymbolRef symbol : (*file)->symbols()) {
        llvm::Expected<llvm::StringRef> name = symbol.getName();
        if (name && *name == kBlockFunctionName) return symbol.getSize();
        if (!name) llvm::consumeError(name.takeError());
    }
    return 0;
}

}  // namespace

std::shared_ptr<Loader> Loader::create(SimdLevel level) {
    std::shared_ptr<Loader> loader;
    const bool isDone = enterLlvm([&] {
        auto control = llvm::orc::SelfExecutorProcessControl::Create(
            nullptr, std::make_unique<llvm::orc::InPlaceTaskDispatcher>());
        if (control)
            loader = {new Loader(std::make_unique<llvm::orc::ExecutionSession>(std::move(*control)), level), Discard()};
        else
            llvm::consumeError(control.takeError());
    });
    return isDone ? std::move(loader) : nullptr;
}

Loader::Loader(std::unique_ptr<llvm::orc::ExecutionSession> session, SimdLevel level)
    : session_(std::move(session)), layer_(std::make_unique<llvm::orc::ObjectLinkingLayer>(*session_)) {
    session_->setErrorReporter(ignoreError);
    const auto add = [&](const std::string& name, const void* function) {
        callable_[session_->intern(name)] = {llvm::orc::ExecutorAddr::fromPtr(function),
                                             llvm::JITSymbolFlags::Exported | llvm::JITSymbolFlags::Callable};
    };
    add("memset", reinterpret_cast<const void*>(&std::memset));
    add("memcpy", reinterpret_cast<const void*>(&std::memcpy));
    for (const LaneFunction& f : laneFunctions())
        add(kCallPrefix + std::string(f.name), f.native[static_cast<size_t>(level)]);
}

void Loader::destroy() {
    llvm::consumeError(session_->endSession());
    delete this;
}

void Loader::Code::destroy() {
    llvm::consumeError(loader_->session_->removeJITDylib(*library_));
    delete this;
}

Loader::CodePointer Loader::load(std::unique_ptr<llvm::MemoryBuffer> object) {
    CodePointer code;
    if (object == nullptr || !enterLlvm([&] { code = link(std::move(object)); })) return nullptr;
    return code;
}

Loader::CodePointer Loader::link(std::unique_ptr<llvm::MemoryBuffer> object) {
    const size_t size = functionSize(*object);
    if (size == 0) return nullptr;
    CodePointer code(new Code);
    code->loader_ = shared_from_this();
    code->bytes = size;
    code->library_ = &session_->createBareJITDylib("routine" + std::to_string(libraries_++));
    llvm::Error defined = code->library_->define(llvm::orc::absoluteSymbols(callable_));
    if (defined) {
        llvm::consumeError(std::move(defined));
        return nullptr;
    }
    if (llvm::Error error = layer_->add(*code->library_, std::move(object))) {
        llvm::consumeError(std::move(error));
        return nullptr;
    }
    const auto find = [&](const char* name) -> llvm::orc::ExecutorAddr {
        auto symbol = session_->lookup({code->library_}, session_->intern(name));
        if (symbol) return symbol->getAddress();
        llvm::consumeError(symbol.takeError());
        return {};
    };
    const llvm::orc::ExecutorAddr function = find(kBlockFunctionName), inputs = find(kInputComponentsName);
    if (function.isNull() || inputs.isNull()) return nullptr;
    code->function = function.toPtr<BlockFunction>();
    std::memcpy(&code->inputComponents, inputs.toPtr<const void*>(), sizeof code->inputComponents);
    return code;
}

}  // namespace tessera::jit
