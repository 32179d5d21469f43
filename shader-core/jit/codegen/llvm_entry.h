// The way into LLVM, and out of it when LLVM cannot go on.
//
// LLVM is built without exceptions: where memory runs out, and where it meets what it cannot do, it would end the
// process. Here a longjmp() leaves it instead, or an exception of the C++ library's own. LLVM's code, and ours between
// it and this door (CMakeLists.txt), knows of neither, so nothing on the way is destroyed or unlocked: everything of
// LLVM's stays as it was at that moment, and nobody enters any more. Programs that are compiled go on, others stay on
// the interpreter.
//
// One thread at a time is inside, so none ever waits for a lock of one that is gone; nor does the child of a fork()
// that happens meanwhile, which has LLVM no more.
#pragma once

#include <llvm/ADT/STLFunctionalExtras.h>

namespace tessera::jit {

/// Does `work`, after whoever is inside. False when it did not come to its end, or LLVM is lost already.
[[nodiscard]] bool enterLlvm(llvm::function_ref<void()> work);

/// Called somewhere in LLVM, by the thread that is inside: `work` ends here. Others get std::bad_alloc.
[[noreturn]] void leaveLlvm(const char* why);

}  // namespace tessera::jit
