// Whether storage that recorded commands share may be changed in place.
#pragma once

#include <memory>

namespace tessera::gles {

/// True when nothing but `pointer` refers to the storage, so that it may be changed in place. The command processor
/// drops its references on its own thread: releasing a second reference of ours orders its last read before our write.
template <class T>
[[nodiscard]] bool soleOwner(const std::shared_ptr<T>& pointer) {
    if (pointer.use_count() != 1) return false;
    std::shared_ptr<T> acquire = pointer;
    acquire.reset();
    return true;
}

}  // namespace tessera::gles
