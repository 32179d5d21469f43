#include "shader-core/jit/baseline/values.h"

#include "base/check.h"

namespace tessera::jit {

void Values::pin(Vector v) {
    ++held_[v].pins;
    held_[v].used = ++now_;
    pinned_.push_back(v);
}

bool Values::find(uint32_t name, Vector& at) {
    for (Vector v = 0; v < kVectors; ++v) {
        if (held_[v].name != name) continue;
        pin(v);
        at = v;
        return true;
    }
    return false;
}

Vector Values::take() {
    Vector best = kVectors;
    for (Vector v = 0; v < kVectors; ++v) {
        const Held& held = held_[v];
        if (held.pins != 0) continue;
        if (held.name == kUnnamed) {
            best = v;
            break;
        }
        if (best == kVectors || held.used < held_[best].used) best = v;
    }
    CHECK(best < kVectors);
    if (held_[best].name != kUnnamed && held_[best].isChanged) save_(best);
    held_[best] = {};
    pin(best);
    return best;
}

void Values::name(Vector v, uint32_t name, bool isChanged, bool isRaw) {
    for (Vector other = 0; other < kVectors; ++other)
        if (other != v && held_[other].name == name) forget(other);
    held_[v].name = name;
    held_[v].isChanged = isChanged;
    held_[v].isRaw = isRaw;
}

void Values::forgetAll() {
    for (Held& held : held_) held = {};
    pinned_.clear();
}

}  // namespace tessera::jit
