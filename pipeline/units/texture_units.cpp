#include "pipeline/units/texture_units.h"

#include <algorithm>
#include <memory>

#include "base/process/env.h"
#include "base/simd.h"

namespace tessera::pipeline {

// One copy of the functions for each SIMD level: pipeline/units/texture_units_simd.cpp.
TESSERA_SIMD_COPIES(void sampleGroup(const TextureUnit& unit, const isa::BlockLookup& lookup,
                                     const isa::TextureRequest& request, isa::GroupRegister& result);
                    isa::BlockLookup chooseFunctions(TextureUnit & unit);)

namespace {

bool canSample(const texture::TextureView* view, isa::TextureTarget target) {
    if (view == nullptr || view->levels <= 0) return false;
    switch (target) {
        case isa::TextureTarget::Tex2D:
        case isa::TextureTarget::External:
        case isa::TextureTarget::Shadow2D:
            return view->kind == texture::Kind::Tex2D;
        case isa::TextureTarget::Cube:
        case isa::TextureTarget::ShadowCube:
            return view->kind == texture::Kind::Cube;
        case isa::TextureTarget::Tex3D:
            return view->kind == texture::Kind::Tex3D;
        case isa::TextureTarget::Array2D:
        case isa::TextureTarget::ShadowArray2D:
            return view->kind == texture::Kind::Array2D;
    }
    return false;
}

/// Passes on what the sampler reads, with what the draw knows of it.
void hear(const texture::TexelListener& listener, const texture::TexelFetch& texels) {
    const auto& draw = *static_cast<const DrawProbe*>(listener.owner);
    TextureFetch fetch;
    fetch.draw = draw.draw;
    fetch.isVertex = draw.isVertex;
    fetch.target = draw.target;
    fetch.pixelX = draw.pixelX[listener.firstLane / kBlockLanes];
    fetch.pixelY = draw.pixelY[listener.firstLane / kBlockLanes];
    fetch.view = listener.view;
    fetch.texels = &texels;
    fetch.unit = listener.unit;
    fetch.firstLane = listener.firstLane;
    draw.probe->fetched(fetch);
}

}  // namespace

DrawTextureUnits::DrawTextureUnits(const std::vector<TextureBinding>& bindings, DrawProbe* probe,
                                   const std::atomic<bool>* stop)
    : bindings_(&bindings), stop_(stop) {
    sampleGroup_ = TESSERA_SIMD_COPY(simdLevel(), sampleGroup);
    if (bindings.empty()) return;
    for (isa::BlockLookup& lookup : lookups_.made) lookup.targets = 0;
    if (probe != nullptr) listeners_.resize(bindings.size());
    const auto choose = TESSERA_SIMD_COPY(simdLevel(), chooseFunctions);
    for (size_t i = 0; i < std::min(bindings.size(), units_.made.size()); ++i) {
        const texture::TextureView* const view = bindings[i].view.get();
        if (view == nullptr) continue;
        TextureUnit& unit = *std::construct_at(&units_.made[i], TextureUnit{.bound = {view, &bindings[i].state}});
        isa::BlockLookup& lookup = *std::construct_at(&lookups_.made[i]);
        if (probe == nullptr) {
            lookup = choose(unit);
        } else {  // the general sampler, which says what it reads, answers every lookup
            listeners_[i] = {hear, probe, view, static_cast<int>(i), 0};
            unit.listener = &listeners_[i];
        }
    }
}

void DrawTextureUnits::sample(int unit, const isa::TextureRequest& request, isa::GroupRegister& result) const {
    const bool exists = unit >= 0 && static_cast<size_t>(unit) < std::min(bindings_->size(), units_.made.size());
    const bool isStopped = stop_ != nullptr && stop_->load(std::memory_order_relaxed);
    if (isStopped || !exists || !canSample((*bindings_)[unit].view.get(), request.target)) {
        isa::answerIncomplete(request, result);
        return;
    }
    sampleGroup_(units_.made[unit], lookups_.made[unit], request, result);
}

}  // namespace tessera::pipeline
