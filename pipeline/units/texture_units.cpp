#include "pipeline/units/texture_units.h"

#include <algorithm>
#include <bit>

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

void writeIncomplete(const isa::TextureRequest& request, isa::GroupRegister& result) {
    const bool isSize = request.lodMode == isa::LodMode::Size;
    const float one = request.type == isa::Type::F32 ? 1.0f : std::bit_cast<float>(1);
    for (int component = 0; component < 4; ++component) {
        for (float& lane : result.lane[component]) lane = component == 3 && !isSize ? one : 0.0f;
    }
}

}  // namespace

DrawTextureUnits::DrawTextureUnits(const std::vector<TextureBinding>& bindings, DrawProbe* probe,
                                   const std::atomic<bool>* stop)
    : bindings_(&bindings), stop_(stop) {
    sampleGroup_ = TESSERA_SIMD_COPY(simdLevel(), sampleGroup);
    const auto choose = TESSERA_SIMD_COPY(simdLevel(), chooseFunctions);
    for (size_t i = 0; i < bindings.size() && i < units_.size(); ++i) {
        if (bindings[i].view == nullptr) continue;
        units_[i].bound = {bindings[i].view.get(), &bindings[i].state};
        // The general sampler, which says what it reads, answers every lookup where somebody listens.
        if (probe == nullptr) lookups_[i] = choose(units_[i]);
    }
    if (probe != nullptr) listen(*probe);
}

void DrawTextureUnits::listen(DrawProbe& probe) {
    listeners_.resize(units_.size());
    for (size_t i = 0; i < units_.size(); ++i) {
        listeners_[i] = {hear, &probe, units_[i].bound.view, static_cast<int>(i), 0};
        units_[i].listener = &listeners_[i];
    }
}

void DrawTextureUnits::sample(int unit, const isa::TextureRequest& request, isa::GroupRegister& result) const {
    const bool exists = unit >= 0 && static_cast<size_t>(unit) < std::min(bindings_->size(), units_.size());
    const bool isStopped = stop_ != nullptr && stop_->load(std::memory_order_relaxed);
    if (isStopped || !exists || !canSample((*bindings_)[unit].view.get(), request.target)) {
        writeIncomplete(request, result);
        return;
    }
    sampleGroup_(units_[unit], lookups_[unit], request, result);
}

}  // namespace tessera::pipeline
