// What the driver says on standard error.
#pragma once

namespace tessera {

/// The levels of TESSERA_LOG.
enum class Severity { Error = 1, Warning, Information, Debug };

/// Says "tessera: ", what printf() would, and the end of the line; nothing where TESSERA_LOG is lower. Raises no signal
/// where standard error is a pipe that nobody reads, or a file that may not grow.
[[gnu::format(printf, 2, 3)]] void report(Severity severity, const char* format, ...);

}  // namespace tessera
