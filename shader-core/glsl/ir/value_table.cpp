// Open addressing over the keys' FNV-1a hashes; the keys lie in one array.
#include "shader-core/glsl/ir/value_table.h"

#include <algorithm>
#include <array>

namespace tessera::glsl::ir {

namespace {

// First word of a key, so that different kinds never meet.
enum KeyKind : uint32_t { kLiteralKey = 0x10000, kRegisterKey, kModifiedKey };

uint64_t hashOf(std::span<const uint32_t> key) {
    uint64_t h = 0xCBF29CE484222325ull;
    for (uint32_t word : key) h = (h ^ word) * 0x100000001B3ull;
    return h ^ h >> 29;
}

}  // namespace

ValueTable::ValueTable() : slots_(1024, kNone) {}

ValueNumber ValueTable::fresh() {
    values_.emplace_back();
    return static_cast<ValueNumber>(values_.size() - 1);
}

void ValueTable::grow() {
    std::vector<ValueNumber> old = std::move(slots_);
    slots_.assign(old.size() * 2, kNone);
    for (ValueNumber v : old) {
        if (v == kNone) continue;
        size_t at = hashOf(key(values_[v])) & (slots_.size() - 1);
        while (slots_[at] != kNone) at = (at + 1) & (slots_.size() - 1);
        slots_[at] = v;
    }
}

ValueNumber ValueTable::find(std::span<const uint32_t> wanted, bool* isNew) {
    if (used_ * 2 >= slots_.size()) grow();
    size_t at = hashOf(wanted) & (slots_.size() - 1);
    for (; slots_[at] != kNone; at = (at + 1) & (slots_.size() - 1))
        if (std::ranges::equal(key(values_[slots_[at]]), wanted)) {
            *isNew = false;
            return slots_[at];
        }
    ValueNumber v = fresh();
    values_[v].keyBegin = static_cast<uint32_t>(keys_.size());
    values_[v].keyCount = static_cast<uint32_t>(wanted.size());
    keys_.insert(keys_.end(), wanted.begin(), wanted.end());
    slots_[at] = v;
    used_++;
    *isNew = true;
    return v;
}

ValueNumber ValueTable::literal(uint32_t bits) {
    bool isNew;
    ValueNumber v = find(std::array{uint32_t{kLiteralKey}, bits}, &isNew);
    if (isNew) {
        values_[v].tag = Value::Tag::Literal;
        values_[v].a = bits;
    }
    return v;
}

ValueNumber ValueTable::constantRegister(Kind kind, uint32_t index, uint32_t component) {
    bool isNew;
    ValueNumber v = find(std::array{uint32_t{kRegisterKey}, static_cast<uint32_t>(kind), index, component}, &isNew);
    if (isNew) {
        values_[v].tag = Value::Tag::Register;
        values_[v].a = static_cast<uint32_t>(kind);
        values_[v].b = index;
        values_[v].c = component;
    }
    return v;
}

ValueNumber ValueTable::modified(ValueNumber value, uint32_t modifiers) {
    if (modifiers == 0) return value;
    bool isNew;
    ValueNumber v = find(std::array{uint32_t{kModifiedKey}, value, modifiers}, &isNew);
    if (isNew) {
        values_[v].tag = Value::Tag::Modified;
        values_[v].a = value;
        values_[v].b = modifiers;
    }
    return v;
}

ValueNumber ValueTable::expression(std::span<const uint32_t> key, Value::Tag tag) {
    bool isNew;
    ValueNumber v = find(key, &isNew);
    if (isNew) values_[v].tag = tag;
    return v;
}

}  // namespace tessera::glsl::ir
