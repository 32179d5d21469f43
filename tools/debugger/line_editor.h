// Lines from a terminal, with editing, a history kept in a file, and completion: libedit's, where that is installed.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tessera::tools {

class LineEditor {
public:
    /// Words that could stand where the last word of a line is.
    using Completions = std::function<std::vector<std::string>(const std::string& line)>;

    /// `historyFile` is made with its folders when there is something to keep; empty: nothing is kept.
    LineEditor(std::string prompt, std::string historyFile, Completions completions);
    ~LineEditor();
    LineEditor(const LineEditor&) = delete;

    /// Without its line end; nothing at the end of the input. A signal that has a handler (Ctrl-C) drops the line, and
    /// another one begins.
    [[nodiscard]] std::optional<std::string> read();

private:
    struct State;
    std::unique_ptr<State> state_;
};

/// $XDG_STATE_HOME/tessera/history, or ~/.local/state/tessera/history; empty when neither is known.
[[nodiscard]] std::string defaultHistoryFile();

}  // namespace tessera::tools
