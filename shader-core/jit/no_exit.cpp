// Static objects of this library are never destroyed.
//
// The thread that compiles may be anywhere in LLVM when the application returns from main, and it neither can be
// stopped nor is worth waiting for. So the destructors that LLVM's static objects register, which would pull the ground
// from under it, are dropped: the library's own definition, invisible outside, takes the place of the C library's.
extern "C" [[gnu::visibility("hidden")]] int __cxa_atexit(void (*)(void*), void*, void*) { return 0; }
