// Where the values of a part of a block's lanes are while straight code is written: in vector registers as long as
// there are enough, else in their rows. Which register is given up is the one that was not used for longest.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

#include "shader-core/jit/baseline/macro_assembler.h"

namespace tessera::jit {

class Values {
public:
    static constexpr uint32_t kUnnamed = UINT32_MAX;

    struct Held {
        uint32_t name = kUnnamed;
        bool isChanged = false;  ///< the row has another value
        bool isRaw = false;      ///< a NaN in it counts as the canonical one
        unsigned pins = 0;
        uint64_t used = 0;
    };

    /// `save` writes a named, changed value to its row.
    explicit Values(std::function<void(Vector)> save) : save_(std::move(save)) {}

    [[nodiscard]] Held& operator[](Vector v) { return held_[v]; }
    /// A vector of no name, pinned.
    [[nodiscard]] Vector take();
    /// Where the named value is, pinned; false: nowhere.
    [[nodiscard]] bool find(uint32_t name, Vector& at);
    /// From now on the value has the name, and no other vector has.
    void name(Vector v, uint32_t name, bool isChanged, bool isRaw);
    void forget(Vector v) { held_[v].name = kUnnamed, held_[v].isChanged = false; }
    void forgetAll();

    void pin(Vector v);
    /// Keeps a vector beyond the scope that it was taken in, until release().
    void keep(Vector v) { ++held_[v].pins; }
    void release(Vector v) { --held_[v].pins; }

    /// Vectors that are pinned in it are free to be given up afterwards.
    class Scope {
    public:
        explicit Scope(Values& values) : values_(values), pinned_(values.pinned_.size()) {}
        ~Scope() {
            for (; values_.pinned_.size() > pinned_; values_.pinned_.pop_back())
                --values_.held_[values_.pinned_.back()].pins;
        }
        Scope(const Scope&) = delete;
        Scope& operator=(const Scope&) = delete;

    private:
        Values& values_;
        size_t pinned_;
    };

private:
    std::function<void(Vector)> save_;
    std::array<Held, kVectors> held_;
    std::vector<Vector> pinned_;
    uint64_t now_ = 0;
};

}  // namespace tessera::jit
