// A library that someone left where the driver might look for its own: says so when it is loaded.
#include <cstdio>

[[maybe_unused]] static const bool kLoaded = std::puts("planted library loaded") > 0;
