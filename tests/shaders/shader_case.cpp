// Reads the format line by line: section headers, program text as it stands, statements.
#include "tests/shaders/shader_case.h"

#include <charconv>
#include <cmath>
#include <limits>
#include <sstream>

#include <fmt/format.h>

namespace tessera::shadertest {

namespace {

std::string_view trim(std::string_view s) {
    const size_t first = s.find_first_not_of(" \t\r");
    if (first == std::string_view::npos) return {};
    return s.substr(first, s.find_last_not_of(" \t\r") - first + 1);
}

std::vector<std::string> words(std::string_view text) {
    std::istringstream in{std::string(text)};
    std::vector<std::string> result;
    for (std::string word; in >> word;) result.push_back(word);
    return result;
}

template <class T>
bool readWhole(std::string_view text, T& value, int base) {
    const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value, base);
    return status == std::errc{} && end == text.data() + text.size();
}

std::optional<Number> readNumber(std::string_view text) {
    Number n;
    if (text == "*") {
        n.any = true;
        return n;
    }
    if (text == "true" || text == "false") {
        n.value = text == "true";
        return n;
    }
    if (text == "nan") {
        n.value = std::numeric_limits<double>::quiet_NaN();
        return n;
    }
    if (text == "inf" || text == "-inf") {
        n.value = text == "inf" ? std::numeric_limits<double>::infinity() : -std::numeric_limits<double>::infinity();
        return n;
    }
    if (text.starts_with("0x")) {
        uint32_t bits = 0;
        if (!readWhole(text.substr(2), bits, 16)) return std::nullopt;
        n.bits = bits;
        n.value = static_cast<double>(__builtin_bit_cast(float, bits));
        return n;
    }
    if (text.ends_with('i') || text.ends_with('u')) {
        int64_t integer = 0;
        if (!readWhole(text.substr(0, text.size() - 1), integer, 10)) return std::nullopt;
        n.bits = static_cast<uint32_t>(integer);
        n.value = static_cast<double>(integer);
        return n;
    }
    const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), n.value);
    if (status != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    return n;
}

class Parser {
public:
    Parser(std::string_view text, const std::string& file) : text_(text), file_(file) {}

    ParseResult run() {
        while (!text_.empty()) {
            const size_t end = text_.find('\n');
            const std::string_view raw = text_.substr(0, end);
            text_ = end == std::string_view::npos ? std::string_view{} : text_.substr(end + 1);
            ++line_;
            if (!header(trim(raw))) content(raw);
        }
        for (const Case& c : result_.cases)
            if (!c.vertex.present && !c.fragment.present) failAt(c.line, "case " + c.name + " has no program");
        return std::move(result_);
    }

private:
    void failAt(int line, const std::string& what) {
        result_.errors.push_back(fmt::format("{}:{}: {}", file_, line, what));
    }
    void fail(const std::string& what) { failAt(line_, what); }

    Case& current() { return result_.cases.back(); }

    /// Section headers are recognised by their first word, so that program text may start with a bracket.
    bool header(std::string_view line) {
        if (line.size() < 2 || line.front() != '[' || line.back() != ']') return false;
        const std::vector<std::string> parts = words(line.substr(1, line.size() - 2));
        if (parts.empty()) return false;
        if (parts[0] == "case" && parts.size() == 2) {
            result_.cases.emplace_back();
            current().file = file_;
            current().name = parts[1];
            current().line = line_;
            source_ = nullptr;
            return true;
        }
        if (parts[0] == "run" && parts.size() == 1) {
            source_ = nullptr;
            return true;
        }
        if ((parts[0] != "vertex" && parts[0] != "fragment") || parts.size() != 2) return false;
        if (parts[1] != "glsl" && parts[1] != "tsa") return false;
        if (result_.cases.empty()) {
            fail("a program before the first [case name]");
            return true;
        }
        source_ = parts[0] == "vertex" ? &current().vertex : &current().fragment;
        if (source_->present) fail("the case has two programs of this stage");
        *source_ = {true, parts[1] == "glsl", line_ + 1, {}};
        return true;
    }

    void content(std::string_view raw) {
        if (source_ != nullptr) {
            source_->text.append(raw).push_back('\n');
            return;
        }
        const std::string_view line = trim(raw.substr(0, raw.find('#')));
        if (line.empty()) return;
        if (result_.cases.empty()) return fail("a statement before the first [case name]");
        const size_t colon = line.find(':');
        const std::vector<std::string> head = words(line.substr(0, colon));
        if (head.empty()) return fail("a statement starts with a word");
        const std::string_view rest = colon == std::string_view::npos ? std::string_view{} : line.substr(colon + 1);
        statement(head, rest, colon != std::string_view::npos);
    }

    void statement(const std::vector<std::string>& head, std::string_view rest, bool hasColon) {
        const std::string& word = head[0];
        if (word == "input" && head.size() == 2 && hasColon)
            current().inputs.push_back(values(head[1], rest));
        else if (word == "uniform" && head.size() == 2 && hasColon)
            current().uniforms.push_back(values(head[1], rest));
        else if (word == "expect" && head.size() >= 2)
            expectation(head, rest);
        else if (word == "texture" && head.size() == 2 && hasColon)
            texture(head[1], words(rest));
        else if (word == "stage" && head.size() == 2 && (head[1] == "vertex" || head[1] == "fragment"))
            current().stage = head[1] == "vertex" ? isa::Stage::Vertex : isa::Stage::Fragment;
        else if (word == "active" && head.size() == 2)
            current().active = mask(head[1]);
        else if (word == "helper" && head.size() == 2)
            current().helper = mask(head[1]);
        else if (word == "budget" && head.size() == 2) {
            if (!readWhole(std::string_view(head[1]), current().budget, 10)) fail("the budget is a number");
        } else
            fail(fmt::format("no such statement: {}", word));
    }

    uint32_t mask(const std::string& text) {
        uint32_t bits = 0;
        if (!text.starts_with("0x") || !readWhole(std::string_view(text).substr(2), bits, 16))
            fail("a lane mask is hexadecimal: 0x0000ffff");
        return bits;
    }

    Values values(const std::string& target, std::string_view text) {
        Values v;
        v.line = line_;
        v.name = target;
        // A selection follows the last point; struct members keep theirs because they are no component names.
        const size_t point = target.rfind('.');
        if (point != std::string::npos && point + 1 < target.size() && target.size() - point <= 5 &&
            target.find_first_not_of("xyzw", point + 1) == std::string::npos) {
            v.name = target.substr(0, point);
            v.components = target.substr(point + 1);
        }
        while (true) {
            const size_t bar = text.find('|');
            v.lanes.emplace_back();
            for (const std::string& word : words(text.substr(0, bar))) {
                const std::optional<Number> n = readNumber(word);
                if (!n) fail("not a number: " + word);
                v.lanes.back().push_back(n.value_or(Number{}));
            }
            if (v.lanes.back().empty()) fail("a lane without a value");
            if (v.lanes.back().size() != v.lanes.front().size()) fail("lanes differ in their number of components");
            if (bar == std::string_view::npos) break;
            text = text.substr(bar + 1);
        }
        if (v.lanes.size() > isa::kGroupSize) fail("more than 32 lanes");
        return v;
    }

    void expectation(const std::vector<std::string>& head, std::string_view rest) {
        if (head[1] == "budget") {
            current().expectBudget = true;
            return;
        }
        if (head[1] == "error") {
            current().expectedError = std::string(trim(rest));
            current().errorLine = line_;
            return;
        }
        Expectation e;
        for (size_t k = 2; k < head.size(); ++k) {
            if (head[k] == "exact") continue;
            if (head[k] == "bits") {
                e.tolerance.bits = true;
            } else if ((head[k] == "ulp" || head[k] == "abs") && k + 1 < head.size()) {
                const std::optional<Number> n = readNumber(head[k + 1]);
                if (!n || !(n->value >= 0)) fail("a tolerance is a positive number");
                (head[k] == "ulp" ? e.tolerance.ulp : e.tolerance.absolute) = n.value_or(Number{}).value;
                ++k;
            } else {
                fail("no such tolerance: " + head[k]);
            }
        }
        e.values = values(head[1], rest);
        current().expectations.push_back(std::move(e));
    }

    /// texture NAME: PATTERN WxH [cube] [clamp]
    void texture(const std::string& name, const std::vector<std::string>& parts) {
        Texture t;
        t.line = line_;
        t.name = name;
        const size_t by = parts.size() < 2 ? std::string::npos : parts[1].find('x');
        if (by == std::string::npos || !readWhole(std::string_view(parts[1]).substr(0, by), t.width, 10) ||
            !readWhole(std::string_view(parts[1]).substr(by + 1), t.height, 10) || t.width < 1 || t.height < 1 ||
            t.width > 4096 || t.height > 4096)
            return fail("a texture is written: texture NAME: PATTERN WxH");
        t.pattern = parts[0];
        if (t.pattern != "checker" && t.pattern != "gradient" && t.pattern != "index")
            fail("texture patterns are checker, gradient and index");
        for (size_t k = 2; k < parts.size(); ++k) {
            if (parts[k] == "cube")
                t.cube = true;
            else if (parts[k] == "clamp")
                t.clamp = true;
            else
                fail("no such texture option: " + parts[k]);
        }
        current().textures.push_back(t);
    }

    std::string_view text_;
    std::string file_;
    int line_ = 0;
    ParseResult result_;
    Source* source_ = nullptr;  ///< the program whose text is being read; lines of statements otherwise
};

}  // namespace

ParseResult parseCases(std::string_view text, const std::string& file) { return Parser(text, file).run(); }

}  // namespace tessera::shadertest
