// What the child of a fork() has to put right. It has one thread, the one that forked, and a copy of all memory as it
// was at that moment: what other threads held or waited for stays so for ever, unless they were asked to be done before
// (pthread_atfork). Who is told in which order: api/gles/context/driver.cpp.
#pragma once

#include <memory>

namespace tessera {

/// Makes a condition, or a lock that knows its owner's thread, a fresh one. The old one is not destroyed: that would
/// wait for threads that are not there.
template <class Primitive>
void forgetWaiters(Primitive& primitive) {
    std::construct_at(&primitive);
}

}  // namespace tessera
