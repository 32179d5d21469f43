#include "pipeline/texture_units.h"

#include "base/env.h"

namespace tessera::pipeline {

// One copy of the kernel for each SIMD level: pipeline/texture_units_simd.cpp.
#define TESSERA_DECLARE_KERNEL(level)                                                      \
    namespace level {                                                                      \
    void sampleGroup(const texture::TextureView& view, const texture::SamplerState& state, \
                     const isa::TextureRequest& request, isa::GroupRegister& result);      \
    }
TESSERA_DECLARE_KERNEL(v2)
TESSERA_DECLARE_KERNEL(v3)
TESSERA_DECLARE_KERNEL(v4)
#undef TESSERA_DECLARE_KERNEL

namespace {

bool canSample(const texture::TextureView* view, isa::TextureTarget target) {
    if (view == nullptr || view->levels <= 0) return false;
    switch (target) {
        case isa::TextureTarget::Tex2D:
        case isa::TextureTarget::External:
            return view->kind == texture::Kind::Tex2D;
        case isa::TextureTarget::Cube:
            return view->kind == texture::Kind::Cube;
        case isa::TextureTarget::Tex3D:
            return false;
    }
    return false;
}

void writeIncomplete(isa::GroupRegister& result) {
    for (int component = 0; component < 4; ++component) {
        for (float& lane : result.lane[component]) lane = component == 3 ? 1.0f : 0.0f;
    }
}

}  // namespace

DrawTextureUnits::DrawTextureUnits(const std::vector<TextureBinding>& bindings) : bindings_(&bindings) {
    switch (simdLevel()) {
        case SimdLevel::v2:
            kernel_ = v2::sampleGroup;
            break;
        case SimdLevel::v3:
            kernel_ = v3::sampleGroup;
            break;
        case SimdLevel::v4:
            kernel_ = v4::sampleGroup;
            break;
    }
}

void DrawTextureUnits::sample(int unit, const isa::TextureRequest& request, isa::GroupRegister& result) const {
    const bool exists = unit >= 0 && static_cast<size_t>(unit) < bindings_->size();
    if (!exists || !canSample((*bindings_)[unit].view.get(), request.target)) {
        writeIncomplete(result);
        return;
    }
    const TextureBinding& binding = (*bindings_)[unit];
    kernel_(*binding.view, binding.state, request, result);
}

}  // namespace tessera::pipeline
