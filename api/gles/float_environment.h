// The application owns its thread's floating-point control word; Tessera's arithmetic is defined for the default one
// (round to nearest even, denormals kept, all exceptions masked). An entry point sets that and puts the caller's back.
#pragma once

#include <immintrin.h>

namespace tessera::gles {

class FloatEnvironment {
public:
    FloatEnvironment() : saved_(_mm_getcsr()), changed_((saved_ & ~kStatusFlags) != kDefault) {
        if (changed_) _mm_setcsr(kDefault);
    }
    ~FloatEnvironment() {
        if (changed_) _mm_setcsr(saved_);
    }
    FloatEnvironment(const FloatEnvironment&) = delete;
    FloatEnvironment& operator=(const FloatEnvironment&) = delete;

private:
    static constexpr unsigned kDefault = 0x1F80, kStatusFlags = 0x3F;
    unsigned saved_;
    bool changed_;
};

}  // namespace tessera::gles
