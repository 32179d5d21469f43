// Lines are taken one after the other. `.include` and the use of a macro go one level down and come back; depth, lines
// and bytes are bounded, so that any text ends soon.
#include "shader-core/asm/expander.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "shader-core/asm/spelling.h"
#include "shader-core/asm/symbols.h"
#include "shader-core/isa/isa.h"

namespace tessera::assembly {

namespace {

bool isSpace(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v'; }
bool isWord(char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && isSpace(text.front())) text.remove_prefix(1);
    while (!text.empty() && isSpace(text.back())) text.remove_suffix(1);
    return text;
}

/// The word at `at`, behind spaces; `at` moves behind it.
std::string_view wordAt(std::string_view text, size_t& at) {
    while (at < text.size() && isSpace(text[at])) ++at;
    const size_t first = at;
    while (at < text.size() && isWord(text[at])) ++at;
    return text.substr(first, at - first);
}

/// Splits at commas outside parentheses, brackets and quotes.
std::vector<std::string_view> splitArguments(std::string_view text) {
    std::vector<std::string_view> parts;
    if (trimmed(text).empty()) return parts;
    int depth = 0;
    bool quoted = false;
    size_t first = 0;
    for (size_t at = 0; at <= text.size(); ++at) {
        const char c = at < text.size() ? text[at] : ',';
        if (c == '"') quoted = !quoted;
        if (c == '(' || c == '[') ++depth;
        if (c == ')' || c == ']') --depth;
        if (at < text.size() && (c != ',' || depth > 0 || quoted)) continue;
        parts.push_back(trimmed(text.substr(first, at - first)));
        first = at + 1;
    }
    return parts;
}

bool isMnemonic(std::string_view name) {
    for (int op = 0; op < isa::kOpCount; ++op)
        if (isa::opInfo(static_cast<isa::Op>(op)).mnemonic == name) return true;
    return false;
}

struct Parameter {
    std::string name, byDefault;
    bool hasDefault = false;
};

struct Macro {
    std::vector<Parameter> parameters;
    std::vector<ExpandedLine> body;
    SourcePlace place;
};

class Expander {
public:
    explicit Expander(const IncludeReader& include) : include_(include) {}

    void text(std::string_view text, std::string fileName, int through, int rootLine) {
        const int file = static_cast<int>(out.files.size());
        out.files.push_back(std::move(fileName));
        SourcePlace place{file, 0, 1, through};
        for (size_t begin = 0; begin <= text.size() && !stopped_;) {
            const size_t end = std::min(text.find('\n', begin), text.size());
            ++place.line;
            line({std::string(text.substr(begin, end - begin)), place, rootLine ? rootLine : place.line});
            begin = end + 1;
        }
        if (defining_ && !stopped_) {
            error(defining_->place, definingText_, "the macro has no .endmacro");
            defining_.reset();
        }
    }

    Expansion out;

private:
    void error(const SourcePlace& place, const std::string& line, std::string message) {
        out.errors.push_back({place, std::move(message), line});
        stopped_ |= out.errors.size() >= kMaxExpansionErrors;
    }
    void errorAt(const ExpandedLine& line, size_t at, std::string message) {
        SourcePlace place = line.place;
        place.column = static_cast<int>(at) + 1;
        error(place, line.text, std::move(message));
    }

    void line(ExpandedLine line) {
        const std::string_view statement = line.statement();
        size_t at = 0;
        std::string_view word = wordAt(statement, at);
        const bool directive = word.empty() && at < statement.size() && statement[at] == '.';
        if (directive) {
            const size_t point = at++;
            word = wordAt(statement, at);
            if (word == "macro") return begin(line, point, at);
            if (word == "endmacro") return end(line, point, at);
            if (word == "include" && !defining_) return includeFile(line, point, at);
        }
        if (defining_) {
            defining_->body.push_back(std::move(line));
            return;
        }
        if (!directive && use(line)) return;
        emit(std::move(line));
    }

    void emit(ExpandedLine line) {
        bytes_ += line.text.size();
        if (out.lines.size() < kMaxExpandedLines && bytes_ <= kMaxExpandedBytes) {
            out.lines.push_back(std::move(line));
            return;
        }
        errorAt(line, 0,
                fmt::format("the text is too long: at most {} lines and {} MiB, macros expanded", kMaxExpandedLines,
                            kMaxExpandedBytes >> 20));
        stopped_ = true;
    }

    /// Counts a use or an include; false when there were too many.
    bool step(const ExpandedLine& line, size_t at) {
        if (out.steps.size() < kMaxExpandedLines) return true;
        errorAt(line, at, fmt::format("more than {} macros and files are expanded", kMaxExpandedLines));
        stopped_ = true;
        return false;
    }

    // --- Macros ---

    void begin(const ExpandedLine& line, size_t point, size_t at) {
        if (defining_) return errorAt(line, point, "a macro cannot define another; .endmacro is missing above");
        const std::string_view statement = line.statement();
        const std::string name(wordAt(statement, at));
        Macro macro;
        macro.place = line.place;
        macro.place.column = static_cast<int>(point) + 1;
        definingName_ = name;
        definingText_ = line.text;
        if (!isName(name))
            errorAt(line, point, "the name of the macro must follow .macro: letters, digits and underscores");
        else if (isMnemonic(name))
            errorAt(line, point, fmt::format("'{}' is an instruction; choose another name for the macro", name));
        else if (macros_.contains(name))
            errorAt(line, point, fmt::format("the macro '{}' is there already; choose another name", name));
        for (const std::string_view part : splitArguments(statement.substr(at))) {
            const size_t equals = part.find('=');
            Parameter parameter;
            parameter.name = std::string(trimmed(part.substr(0, equals)));
            parameter.hasDefault = equals != std::string_view::npos;
            if (parameter.hasDefault) parameter.byDefault = std::string(trimmed(part.substr(equals + 1)));
            if (!isName(parameter.name))
                errorAt(line, point, fmt::format("parameters of a macro are names: .macro {} a, b, c=0.5", name));
            macro.parameters.push_back(std::move(parameter));
        }
        defining_ = std::move(macro);
    }

    void end(const ExpandedLine& line, size_t point, size_t at) {
        if (!defining_) return errorAt(line, point, ".endmacro without .macro");
        if (!trimmed(line.statement().substr(at)).empty()) errorAt(line, at, "nothing may follow .endmacro");
        if (isName(definingName_) && macros_.emplace(definingName_, std::move(*defining_)).second)
            out.macros.push_back(definingName_);
        defining_.reset();
    }

    /// The use of a macro, behind labels or not; false when the line is none.
    bool use(const ExpandedLine& line) {
        const std::string_view statement = line.statement();
        size_t at = 0, first = 0;
        std::string_view word;
        for (;;) {
            word = wordAt(statement, at);
            first = at - word.size();
            size_t behind = at;
            while (behind < statement.size() && isSpace(statement[behind])) ++behind;
            if (word.empty() || behind >= statement.size() || statement[behind] != ':') break;
            at = behind + 1;
        }
        const auto found = macros_.find(word);
        if (found == macros_.end()) return false;
        if (first > 0 && !trimmed(statement.substr(0, first)).empty())
            emit({std::string(statement.substr(0, first)), line.place, line.rootLine});
        const Macro macro = found->second;  // a copy: the body may not change below us
        SourcePlace place = line.place;
        place.column = static_cast<int>(first) + 1;
        if (depth_ >= kMaxMacroDepth) {
            errorAt(line, first,
                    fmt::format("macros use each other more than {} deep, up to '{}'; does one use itself, directly or "
                                "through others?",
                                kMaxMacroDepth, word));
            stopped_ = true;
            return true;
        }
        std::vector<std::string_view> arguments = splitArguments(statement.substr(at));
        if (!complete(line, first, std::string(word), macro, arguments) || !step(line, first)) return true;
        out.steps.push_back({place, fmt::format("in the expansion of '{}'", word)});
        const int step = static_cast<int>(out.steps.size()) - 1;
        ++depth_;
        for (const ExpandedLine& body : macro.body) {
            if (stopped_) break;
            ExpandedLine expanded = body;
            expanded.place.through = step;
            expanded.rootLine = line.rootLine;
            if (substitute(expanded, macro, arguments, step)) this->line(std::move(expanded));
        }
        --depth_;
        return true;
    }

    bool complete(const ExpandedLine& line, size_t first, const std::string& name, const Macro& macro,
                  std::vector<std::string_view>& arguments) {
        std::string expected;
        size_t needed = 0;
        for (const Parameter& p : macro.parameters) {
            expected += (expected.empty() ? "" : ", ") + p.name + (p.hasDefault ? "=" + p.byDefault : "");
            if (!p.hasDefault) needed = static_cast<size_t>(&p - macro.parameters.data()) + 1;
        }
        if (arguments.size() < needed || arguments.size() > macro.parameters.size()) {
            errorAt(
                line, first,
                fmt::format("'{}' takes {} ({}), not {}", name,
                            macro.parameters.empty() ? "no arguments" : "the arguments", expected, arguments.size()));
            return false;
        }
        for (size_t k = arguments.size(); k < macro.parameters.size(); ++k)
            arguments.push_back(macro.parameters[k].byDefault);
        return true;
    }

    /// Puts arguments in the place of \name, and the number of the expansion in that of \@.
    bool substitute(ExpandedLine& line, const Macro& macro, const std::vector<std::string_view>& arguments, int step) {
        const std::string& text = line.text;
        if (text.find('\\') == std::string::npos) return true;
        const size_t end = withoutComment(text).size();
        std::string result;
        for (size_t at = 0; at < text.size();) {
            if (text[at] != '\\' || at >= end) {
                result += text[at++];
                continue;
            }
            const size_t start = at++;
            if (at < text.size() && text[at] == '@') {
                result += fmt::format("{}", step);
                ++at;
                continue;
            }
            const std::string_view name = at < text.size() && isWord(text[at]) ? wordAt(text, at) : std::string_view();
            const auto parameter = std::find_if(macro.parameters.begin(), macro.parameters.end(),
                                                [&](const Parameter& p) { return p.name == name; });
            if (parameter == macro.parameters.end()) {
                errorAt(line, start, fmt::format("the macro has no parameter '{}'", name.substr(0, 40)));
                return false;
            }
            result += arguments[static_cast<size_t>(parameter - macro.parameters.begin())];
            if (result.size() > kMaxExpandedBytes) break;
        }
        line.text = std::move(result);
        return true;
    }

    // --- Files ---

    void includeFile(const ExpandedLine& line, size_t point, size_t at) {
        const std::string_view rest = trimmed(line.statement().substr(at));
        if (rest.size() < 3 || rest.front() != '"' || rest.back() != '"' || rest.find('"', 1) != rest.size() - 1)
            return errorAt(line, point, "the name of a file must follow in quotes: .include \"lighting.tsa\"");
        const std::string path(rest.substr(1, rest.size() - 2));
        if (includeDepth_ >= kMaxIncludeDepth) {
            errorAt(line, point, fmt::format("files include each other more than {} deep", kMaxIncludeDepth));
            stopped_ = true;
            return;
        }
        const std::string from = out.files[static_cast<size_t>(line.place.file)];
        const IncludedFile file = include_ ? include_(path, from) : IncludedFile{};
        if (!file.text) {
            out.isComplete = false;
            if (!include_)
                return errorAt(line, point, "this program is read without files beside it; put the lines here");
            return errorAt(line, point,
                           fmt::format("'{}' cannot be read: {}; the folder searched is that of this file, {}",
                                       path.substr(0, 200), file.why, file.folder));
        }
        if (!step(line, point)) return;
        SourcePlace place = line.place;
        place.column = static_cast<int>(point) + 1;
        out.steps.push_back({place, "included here"});
        const size_t slash = from.rfind('/');
        const bool beside = slash != std::string::npos && !path.starts_with('/');
        ++includeDepth_;
        text(*file.text, (beside ? from.substr(0, slash + 1) : "") + path, static_cast<int>(out.steps.size()) - 1,
             line.rootLine);
        --includeDepth_;
    }

    const IncludeReader& include_;
    std::map<std::string, Macro, std::less<>> macros_;
    std::optional<Macro> defining_;
    std::string definingName_, definingText_;
    int depth_ = 0, includeDepth_ = 0;
    size_t bytes_ = 0;
    bool stopped_ = false;
};

}  // namespace

std::string_view withoutComment(std::string_view line) {
    bool quoted = false;
    for (size_t at = 0; at < line.size(); ++at) {
        if (line[at] == '"') quoted = !quoted;
        if (!quoted && (line[at] == ';' || line.substr(at).starts_with("//"))) return line.substr(0, at);
    }
    // A quote that stays open does not hide a comment.
    return quoted ? line.substr(0, std::min(line.find(';'), line.find("//"))) : line;
}

std::string_view ExpandedLine::statement() const { return withoutComment(text); }

Expansion expand(std::string_view text, std::string fileName, const IncludeReader& include) {
    Expander expander(include);
    expander.text(text, std::move(fileName), -1, 0);
    return std::move(expander.out);
}

}  // namespace tessera::assembly
