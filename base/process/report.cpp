#include "base/process/report.h"

#include <cstdarg>
#include <cstdio>
#include <cstdlib>

#include "base/process/env.h"
#include "base/process/signals.h"

namespace tessera {

void report(Severity severity, const char* format, ...) {
    if (logLevel() < static_cast<int>(severity)) return;
    std::va_list values, again;
    va_start(values, format);
    va_copy(again, values);
    char room[512] = "";  // so that running out of memory can be told
    char* longer = nullptr;
    const int length = std::vsnprintf(room, sizeof room, format, values);
    if (length >= static_cast<int>(sizeof room) && vasprintf(&longer, format, again) < 0) longer = nullptr;
    va_end(values);
    va_end(again);
    const WriteSignalsBlocked noSignal;
    std::fprintf(stderr, "tessera: %s\n", longer != nullptr ? longer : room);  // one write
    std::free(longer);
}

}  // namespace tessera
