#include "shader-core/isa/executor.h"

#include <bit>

namespace tessera::isa {

void answerIncomplete(const TextureRequest& request, GroupRegister& result) {
    const float one = request.type == Type::F32 ? 1.0f : std::bit_cast<float>(1);
    for (int component = 0; component < 4; ++component)
        for (float& lane : result.lane[component])
            lane = component == 3 && request.lodMode != LodMode::Size ? one : 0.0f;
}

}  // namespace tessera::isa
