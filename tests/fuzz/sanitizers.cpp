// What the sanitizers of a fuzz target are told, wherever it was built and whoever starts it.

// glslang keeps its tables for the life of the process. What cannot be allocated is null, as without a sanitizer.
// NOLINTNEXTLINE(bugprone-reserved-identifier,readability-identifier-naming): the sanitizer looks for it
extern "C" const char* __asan_default_options() { return "detect_leaks=0:allocator_may_return_null=1"; }
