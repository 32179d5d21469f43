#pragma once

// CLI11 for the precompiled header of commands (precompiled.cmake). All of it is code of every source that includes it,
// and reads a line of words: not optimising it saves a fifth of the time that such a source takes.
#pragma clang optimize off
#include <CLI/CLI.hpp>
#pragma clang optimize on
