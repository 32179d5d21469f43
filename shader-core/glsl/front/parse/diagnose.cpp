#include "shader-core/glsl/front/parse/diagnose.h"

#include <algorithm>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "shader-core/glsl/front/parse/parse.h"
#include "shader-core/glsl/front/preprocess/wording.h"

namespace tessera::glsl::front {

namespace {

/// What all rounds together may parse; a shader of ordinary size has more rounds than errors are shown.
constexpr size_t kMaxTokensParsed = 200000;
constexpr size_t kMaxRounds = 40;

bool contains(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

class Diagnosis {
public:
    Diagnosis(isa::Stage stage, const Preprocessed& text, const Limits& limits)
        : stage_(stage), text_(text), limits_(limits), lines_(oneTokenALine(text)), tokens_(tokensOf(lines_)) {
        statements();
        touched_.resize(tokens_.size());
    }

    std::vector<Message> run() {
        const size_t rounds = std::min(kMaxRounds, kMaxTokensParsed / std::max<size_t>(tokens_.size(), 1) + 1);
        for (size_t round = 0; round < rounds && errors_ < kMaxErrors; ++round) {
            const ParsedShader parsed = parse(stage_, joined(), limits_, text_.extensions);
            if (parsed.root() || !takeMessages(parsed.log)) break;
        }
        std::ranges::stable_sort(messages_, {}, [](const Message& m) { return std::pair(m.sourceLine, m.column); });
        return std::move(messages_);
    }

private:
    [[nodiscard]] std::string joined() const {
        std::string text;
        for (const std::string_view token : tokens_) text.append(token).push_back('\n');
        return text;
    }

    /// For each token the statement it is part of: up to a ';' outside parentheses, or a brace, which stands alone.
    void statements() {
        size_t first = 0;
        int parentheses = 0;
        begins_.resize(tokens_.size());
        ends_.resize(tokens_.size());
        const auto close = [&](size_t end) {
            for (size_t i = first; i < end; ++i) begins_[i] = first, ends_[i] = end;
            first = end;
            parentheses = 0;
        };
        for (size_t at = 0; at < tokens_.size(); ++at) {
            const std::string_view t = tokens_[at];
            if (t == "(") ++parentheses;
            if (t == ")") --parentheses;
            const bool brace = t == "{" || t == "}";
            if (brace) close(at);
            if (brace || (t == ";" && parentheses <= 0)) close(at + 1);
        }
        close(tokens_.size());
    }

    /// Keeps what the log of a round says; false when no further round can say more.
    bool takeMessages(std::string_view log) {
        std::optional<size_t> wrong;
        bool syntax = false;
        while (!log.empty()) {
            const size_t end = std::min(log.find('\n'), log.size());
            LogLine line = splitLogLine(log.substr(0, end));
            log.remove_prefix(std::min(end + 1, log.size()));
            // One error in a round: those that follow it may be its consequences.
            if (line.text.empty() || !line.error || wrong) continue;
            if (line.line == 0) {
                if (said_.insert(line.text).second) keep({true, 0, 0, 0, 0, line.text});
                return false;
            }
            wrong = std::min(static_cast<size_t>(line.line - 1), tokens_.size());
            if (*wrong == tokens_.size() || contains(line.text, "unexpected end of file")) {
                keep(text_.message(true, text_.places.empty() ? Preprocessed::Place{} : text_.places.back(),
                                   "'' : syntax error, the shader ends before it is complete; is a '}' missing?"));
                return false;
            }
            syntax = contains(line.text, "syntax error");
            say(*wrong, line.text, syntax);
        }
        return wrong && takeOut(*wrong, syntax);
    }

    void say(size_t at, const std::string& text, bool syntax) {
        // What an earlier error took out is not declared, and nothing more is known of its statement.
        const bool consequence = touched_[at] ||
                                 (!syntax && (hidden_.contains(tokens_[at]) || hidden_.contains(inQuotes(text)))) ||
                                 (returnHidden_ && contains(text, "does not return a value"));
        if (contains(text, "undeclared identifier")) hidden_.insert(tokens_[at]);
        if (consequence) return;
        place(at, withAdvice(syntax ? syntaxError(at, text) : text, {stage_, text_.extensions.version, tokens_, at}));
    }

    void place(size_t at, const std::string& text) {
        const Preprocessed::Place where = placeOfToken(text_, tokens_, at, text);
        keep(text_.message(true, where, restoreNames(text)));
    }

    void keep(Message message) {
        ++errors_;
        messages_.push_back(std::move(message));
    }

    [[nodiscard]] std::string syntaxError(size_t at, std::string_view text) const {
        const std::string expected = expectedTokens(text);
        std::string message = fmt::format("'{}' : syntax error", tokens_[at]);
        if (at > 0 && isIdentifier(tokens_[at]) && isIdentifier(tokens_[at - 1]) && begins_[at - 1] == begins_[at] &&
            contains(text, "unexpected IDENTIFIER"))
            return fmt::format("{}, '{}' before it is no type of GLSL ES 1.00", message, tokens_[at - 1]);
        return expected.empty() ? message : fmt::format("{}, {} must stand before it", message, expected);
    }

    /// Takes out what is wrong around a token; false when that cannot be done without making more of it.
    bool takeOut(size_t at, bool syntax) {
        // An unexpected brace is the fault of what stands before it.
        if (isBrace(tokens_[at])) {
            if (at == 0 || ends_[at - 1] != at || isBrace(tokens_[at - 1]) || tokens_[at - 1] == ";") return false;
            --at;
        }
        const size_t begin = begins_[at], end = ends_[at];
        const bool again = touched_[at];
        for (size_t i = begin; i < end; ++i) touched_[i] = true;
        if (!again && !syntax && (emptyCondition(begin, end, at) || cutValue(begin, end))) return true;
        erase(begin, end);
        eraseBlocks(end);
        return true;
    }

    /// `if (...)`, `while (...)` and `for (...)` stay as statements when what is wrong is inside the parentheses.
    bool emptyCondition(size_t begin, size_t end, size_t at) {
        size_t open = begin;
        while (open < end && tokens_[open] != "if" && tokens_[open] != "while" && tokens_[open] != "for") ++open;
        if (open + 1 >= end || tokens_[++open] != "(") return false;
        size_t close = open;
        for (int depth = 0; close < end; ++close) {
            if (tokens_[close] == "(") ++depth;
            if (tokens_[close] == ")" && --depth == 0) break;
        }
        if (close >= end) return false;
        if (at > close) {
            if (tokens_[end - 1] != ";") return false;
            erase(close + 1, end - 1);
            return true;
        }
        const bool counts = tokens_[open - 1] == "for";
        for (size_t i = open + 1; i < close; ++i)
            if (!counts || tokens_[i] != ";") erase(i, i + 1);
        if (!counts) tokens_[open + 1] = "true";
        return true;
    }

    /// What a variable is set to goes, its declaration stays.
    bool cutValue(size_t begin, size_t end) {
        size_t equal = begin;
        while (equal < end && tokens_[equal] != "=") {
            if (tokens_[equal] == "const") return false;
            ++equal;
        }
        if (equal >= end || tokens_[end - 1] != ";") return false;
        erase(equal, end - 1);
        return true;
    }

    void erase(size_t begin, size_t end) {
        for (size_t i = begin; i < end; ++i) {
            if (isIdentifier(tokens_[i])) hidden_.insert(tokens_[i]);
            returnHidden_ |= tokens_[i] == "return";
            tokens_[i] = {};
        }
    }

    /// The block that an erased head leaves without one, and the else that belongs to it.
    void eraseBlocks(size_t at) {
        while (at < tokens_.size() && (tokens_[at] == "{" || tokens_[at] == "else")) {
            size_t end = at;
            if (tokens_[at] == "else") {
                end = ends_[at];
            } else {
                int depth = 0;
                for (; end < tokens_.size(); ++end) {
                    if (tokens_[end] == "{") ++depth;
                    if (tokens_[end] == "}" && --depth == 0) break;
                }
                end = std::min(end + 1, tokens_.size());
            }
            erase(at, end);
            at = end;
        }
    }

    static bool isBrace(std::string_view token) { return token == "{" || token == "}"; }

    isa::Stage stage_;
    const Preprocessed& text_;
    const Limits& limits_;
    std::string lines_;
    std::vector<std::string_view> tokens_;  ///< those taken out are empty
    std::vector<size_t> begins_, ends_;     ///< of each token's statement
    std::vector<bool> touched_;             ///< an error of its statement is known
    std::set<std::string_view> hidden_;     ///< names in what was taken out, or said to be undeclared
    std::set<std::string> said_;
    std::vector<Message> messages_;
    size_t errors_ = 0;
    bool returnHidden_ = false;
};

}  // namespace

std::string oneTokenALine(const Preprocessed& text) {
    std::string lines;
    for (std::string_view rest = text.text; !rest.empty();) {
        const size_t end = std::min(rest.find('\n'), rest.size());
        std::string_view line = rest.substr(0, end);
        rest.remove_prefix(std::min(end + 1, rest.size()));
        while (!line.empty()) {
            const size_t blank = std::min(line.find(' '), line.size());
            lines.append(line.substr(0, blank)).push_back('\n');
            line.remove_prefix(std::min(blank + 1, line.size()));
        }
    }
    return lines;
}

std::vector<std::string_view> tokensOf(std::string_view lines) {
    std::vector<std::string_view> tokens;
    while (!lines.empty()) {
        const size_t end = std::min(lines.find('\n'), lines.size());
        tokens.push_back(lines.substr(0, end));
        lines.remove_prefix(std::min(end + 1, lines.size()));
    }
    return tokens;
}

Preprocessed::Place placeOfToken(const Preprocessed& text, const std::vector<std::string_view>& tokens, size_t at,
                                 std::string_view message) {
    if (at >= text.places.size() || at >= tokens.size()) return {};
    const std::string_view named = inQuotes(message);
    size_t place = at;
    if (named == "=") {
        while (place < tokens.size() && tokens[place] != "=" && tokens[place] != ";") ++place;
    } else if (tokens[at] == ")") {
        int depth = 0;
        do {
            depth += tokens[place] == ")";
            depth -= tokens[place] == "(";
        } while (depth > 0 && place-- > 0);
        place = place > 0 && place < at ? place - 1 : at;
    }
    return text.places[place < tokens.size() && tokens[place] == named ? place : at];
}

std::vector<Message> diagnose(isa::Stage stage, const Preprocessed& text, const Limits& limits) {
    return Diagnosis(stage, text, limits).run();
}

}  // namespace tessera::glsl::front
