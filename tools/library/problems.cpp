// What went wrong in the calling thread's last call, and texts.
#include <charconv>

#include <fmt/format.h>

#include "tools/library/library.h"

namespace tessera::tools::library {

namespace {

struct Problems {
    std::vector<Diagnostic> list;
    std::string all;  ///< as one text
    bool memoryRanOut = false;
};
thread_local Problems problems;

std::string placeText(const Diagnostic& d) {
    std::string place = d.file;
    if (d.line > 0) place += fmt::format("{}{}", place.empty() ? "" : ":", d.line);
    if (d.line > 0 && d.column > 0) place += fmt::format(":{}", d.column);
    return place.empty() ? "" : place + ": ";
}

/// ":12" at the front of `text`, taken off; 0 when there is none.
int takeNumber(std::string_view& text) {
    if (!text.starts_with(':')) return 0;
    int number = 0;
    const auto [end, error] = std::from_chars(text.data() + 1, text.data() + text.size(), number);
    if (error != std::errc() || number <= 0) return 0;
    text.remove_prefix(static_cast<size_t>(end - text.data()));
    return number;
}

}  // namespace

void clearProblems() noexcept {
    problems.list.clear();
    problems.all.clear();
    problems.memoryRanOut = false;
}

void addProblem(Diagnostic problem) {
    problems.all += fmt::format("{}{}: {}\n{}", placeText(problem), problem.isError ? "error" : "warning",
                                problem.message, problem.snippet);
    problems.list.push_back(std::move(problem));
}

void addLocated(std::string_view problem, std::string_view file) {
    Diagnostic d{.file = std::string(file)};
    // "name:12:5: what": the first colon that a number and, behind it, a colon or another number follow.
    for (size_t at = problem.find(':'); at != std::string_view::npos; at = problem.find(':', at + 1)) {
        std::string_view rest = problem.substr(at);
        const int line = takeNumber(rest);
        if (line == 0) continue;
        const int column = takeNumber(rest);
        if (!rest.starts_with(": ")) continue;
        d.file = problem.substr(0, at);
        d.line = line, d.column = column;
        problem = rest.substr(2);
        break;
    }
    const size_t end = problem.find('\n');
    d.message = problem.substr(0, end);
    if (end != std::string_view::npos) d.snippet = problem.substr(end + 1);
    addProblem(std::move(d));
}

void setMemoryRanOut() noexcept {
    clearProblems();
    problems.memoryRanOut = true;
}

}  // namespace tessera::tools::library

using namespace tessera::tools::library;

TESSERA_EXPORT uint32_t tesseraToolsAbi() { return TESSERA_TOOLS_ABI; }
TESSERA_EXPORT const char* tesseraToolsVersion() { return TESSERA_VERSION; }

TESSERA_EXPORT const char* tesseraToolsError() {
    return problems.memoryRanOut ? "error: memory ran out\n" : problems.all.c_str();
}

TESSERA_EXPORT uint32_t tesseraDiagnosticCount() { return static_cast<uint32_t>(problems.list.size()); }

TESSERA_EXPORT int tesseraGetDiagnostic(uint32_t number, TesseraDiagnostic* diagnostic) {
    if (diagnostic == nullptr || number >= problems.list.size()) return 0;
    const Diagnostic& d = problems.list[number];
    *diagnostic = {d.isError, d.line, d.column, d.file.c_str(), d.message.c_str(), d.snippet.c_str()};
    return 1;
}

TESSERA_EXPORT const char* tesseraTextBytes(const TesseraText* text) {
    return text != nullptr ? text->bytes.c_str() : nullptr;
}
TESSERA_EXPORT size_t tesseraTextSize(const TesseraText* text) { return text != nullptr ? text->bytes.size() : 0; }
TESSERA_EXPORT void tesseraFreeText(TesseraText* text) { delete text; }
