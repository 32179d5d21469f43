// The application owns its thread's floating-point control word; Tessera's arithmetic is defined for the default one
// (round to nearest even, denormals kept, all exceptions masked). An entry point sets that and puts the caller's back.
#pragma once

#include "base/float_control.h"

namespace tessera::gles {

class FloatEnvironment {
public:
    FloatEnvironment() : saved_(floatControl()), changed_((saved_ & ~kFloatStatusFlags) != kDefaultFloatControl) {
        if (changed_) setFloatControl(kDefaultFloatControl);
    }
    ~FloatEnvironment() {
        if (changed_) setFloatControl(saved_);
    }
    FloatEnvironment(const FloatEnvironment&) = delete;
    FloatEnvironment& operator=(const FloatEnvironment&) = delete;

private:
    FloatControl saved_;
    bool changed_;
};

}  // namespace tessera::gles
