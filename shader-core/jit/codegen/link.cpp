// JITLink reads the object, makes a jump and a pointer for each function that is called, and fixes what the sections
// have of each other's places. Sections get places that begin at zero, code first, as where the image will lie is not
// known; so the pointers to functions are all that stays open.
#include "shader-core/jit/codegen/link.h"

#include <algorithm>
#include <cstring>

#include <llvm/ExecutionEngine/JITLink/JITLink.h>
#if defined(__x86_64__)
#include <llvm/ExecutionEngine/JITLink/x86_64.h>
#elif defined(__aarch64__)
#include <llvm/ExecutionEngine/JITLink/aarch64.h>
#endif

#include "shader-core/jit/run/callees.h"
#include "shader-core/jit/run/frame.h"
#include "shader-core/jit/run/image.h"

namespace tessera::jit {

namespace {

using llvm::jitlink::Block;
using llvm::jitlink::Edge;
using llvm::jitlink::LinkGraph;
using llvm::jitlink::Symbol;

#if defined(__x86_64__)
namespace host = llvm::jitlink::x86_64;
llvm::Error fix(LinkGraph& graph, Block& block, const Edge& edge) {
    return host::applyFixup(graph, block, edge, nullptr);
}
#elif defined(__aarch64__)
namespace host = llvm::jitlink::aarch64;
llvm::Error fix(LinkGraph& graph, Block& block, const Edge& edge) { return host::applyFixup(graph, block, edge); }
#endif

class Linker {
public:
    explicit Linker(LinkGraph& graph) : graph_(graph) {}

    bool run() {
        host::GOTTableManager pointers;
        host::PLTTableManager jumps(pointers);
        llvm::jitlink::visitExistingEdges(graph_, pointers, jumps);
        for (const bool executable : {true, false})
            for (Block* block : graph_.blocks())
                if (isKept(*block) && isExecutable(*block) == executable) place(*block);
        return findSymbols() && std::ranges::all_of(blocks_, [this](Block* block) { return fixAll(*block); });
    }

    [[nodiscard]] std::vector<char> image() {
        header_.bytes = static_cast<uint32_t>(bytes_);
        header_.calls = static_cast<uint32_t>(calls_.size());
        std::vector<char> image(sizeof header_ + calls_.size() * sizeof(ImageCall) + bytes_);
        char* to = image.data();
        std::memcpy(to, &header_, sizeof header_);
        to += sizeof header_;
        for (const ImageCall& call : calls_) {
            std::memcpy(to, &call, sizeof call);
            to += sizeof call;
        }
        for (const Block* block : blocks_)
            if (!block->isZeroFill()) llvm::copy(block->getContent(), to + block->getAddress().getValue());
        return image;
    }

private:
    /// Whether a block is in memory when the code runs. What unwinding needs is left out, as nobody unwinds through
    /// this code.
    static bool isKept(const Block& block) {
        const llvm::jitlink::Section& section = block.getSection();
        return section.getMemLifetime() != llvm::orc::MemLifetime::NoAlloc && section.getName() != ".eh_frame";
    }
    static bool isExecutable(const Block& block) {
        using llvm::BitmaskEnumDetail::operator&;
        return (block.getSection().getMemProt() & llvm::orc::MemProt::Exec) != llvm::orc::MemProt::None;
    }

    void place(Block& block) {
        const uint64_t at = llvm::jitlink::alignToBlock(bytes_, block);
        block.setAddress(llvm::orc::ExecutorAddr(at));
        bytes_ = at + block.getSize();
        blocks_.push_back(&block);
    }

    bool findSymbols() {
        if (bytes_ > kMaxImageBytes) return false;
        bool hasInputs = false;
        for (const Symbol* symbol : graph_.defined_symbols()) {
            if (!symbol->hasName()) continue;
            if (symbol->getName() == kBlockFunctionName) {
                header_.function = static_cast<uint32_t>(symbol->getAddress().getValue());
                // With functions of its own behind it (codegen/parts.h).
                header_.functionBytes = static_cast<uint32_t>(symbol->getBlock().getSize() - symbol->getOffset());
            } else if (symbol->getName() == kInputComponentsName &&
                       symbol->getSize() == sizeof header_.inputComponents && !symbol->isSymbolZeroFill()) {
                std::memcpy(&header_.inputComponents, symbol->getSymbolContent().data(),
                            sizeof header_.inputComponents);
                hasInputs = true;
            }
        }
        return header_.functionBytes != 0 && hasInputs;
    }

    bool fixAll(Block& block) {
        if (block.getAlignment() > kImageAlignment) return false;
        if (!block.isZeroFill()) (void)block.getMutableContent(graph_);
        return llvm::all_of(block.edges(), [&](const Edge& edge) {
            if (!edge.isRelocation()) return true;
            return edge.getTarget().isExternal() ? addCall(block, edge) : fixOne(block, edge);
        });
    }

    bool addCall(const Block& block, const Edge& edge) {
        const std::optional<uint32_t> callee = calleeNumber(edge.getTarget().getName());
        const uint64_t at = block.getAddress().getValue() + edge.getOffset();
        if (edge.getKind() != host::Pointer64 || edge.getAddend() != 0 || !callee || at % 8 != 0) return false;
        calls_.push_back({static_cast<uint32_t>(at), *callee});
        return true;
    }

    bool fixOne(Block& block, const Edge& edge) {
        // An address that is written out would be that of code at zero.
        if (!edge.getTarget().isDefined() || !isKept(edge.getTarget().getBlock()) || edge.getKind() == host::Pointer64)
            return false;
        llvm::Error error = fix(graph_, block, edge);
        const bool isFixed = !error;
        llvm::consumeError(std::move(error));
        return isFixed;
    }

    LinkGraph& graph_;
    std::vector<Block*> blocks_;  ///< in the order of their places
    uint64_t bytes_ = 0;
    ImageHeader header_{};
    std::vector<ImageCall> calls_;
};

}  // namespace

std::vector<char> link(llvm::MemoryBufferRef object) {
    llvm::Expected<std::unique_ptr<LinkGraph>> graph = llvm::jitlink::createLinkGraphFromObject(object);
    if (!graph) {
        llvm::consumeError(graph.takeError());
        return {};
    }
    Linker linker(**graph);
    return linker.run() ? linker.image() : std::vector<char>();
}

}  // namespace tessera::jit
