#include "tools/debugger/line_editor.h"

#include <histedit.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <iostream>
#include <utility>

#include "base/process/env.h"
#include "base/process/shared_library.h"

namespace tessera::tools {

namespace {

constexpr int kKeptLines = 1000;

#define TESSERA_EDIT_FUNCTIONS(function)                                                                       \
    function(el_init) function(el_end) function(el_get) function(el_set) function(el_source) function(el_gets) \
        function(el_line) function(el_insertstr) function(history_init) function(history_end) function(history)

/// libedit, opened for a terminal. Members carry the names of the functions they hold.
struct EditFunctions {
#define TESSERA_MEMBER(name) decltype(&::name) name = nullptr;
    TESSERA_EDIT_FUNCTIONS(TESSERA_MEMBER)
#undef TESSERA_MEMBER
    void load(SharedLibrary& library) {
#define TESSERA_LOAD(name) library.get(name, #name);
        TESSERA_EDIT_FUNCTIONS(TESSERA_LOAD)
#undef TESSERA_LOAD
    }
};

/// Loaded once; null, which is told once, where it is not there.
const EditFunctions* editFunctions() {
    static const auto loaded = [] {
        SharedLibrary library("libedit.so.2");
        EditFunctions table;
        table.load(library);
        if (!library.complete())
            (void)std::fprintf(stderr,
                               "tessera dbg: lines have no editing, completion and history: %s; Debian's package is "
                               "libedit2\n",
                               library.trouble().c_str());
        return std::pair(table, library.complete());
    }();
    return loaded.second ? &loaded.first : nullptr;
}

struct EndEditor {
    void operator()(EditLine* editor) const { editFunctions()->el_end(editor); }
};
struct EndHistory {
    void operator()(History* lines) const { editFunctions()->history_end(lines); }
};

bool isWordCharacter(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-'; }

}  // namespace

struct LineEditor::State {
    const EditFunctions* edit = editFunctions();  ///< null: lines are read as the terminal gives them
    std::string prompt, historyFile;
    Completions completions;
    std::unique_ptr<History, EndHistory> lines;
    std::unique_ptr<EditLine, EndEditor> editor;  // ends before the history that it uses

    static State& of(EditLine* editor) {
        void* state = nullptr;
        editFunctions()->el_get(editor, EL_CLIENTDATA, &state);
        return *static_cast<State*>(state);
    }
    static char* promptOf(EditLine* editor) { return of(editor).prompt.data(); }

    /// Takes the word as far as all that could stand there agree; lists them when that is no further.
    static unsigned char complete(EditLine* editor, int) {
        const EditFunctions& edit = *editFunctions();
        const LineInfo* info = edit.el_line(editor);
        const std::string line(info->buffer, info->cursor);
        const std::vector<std::string> words = of(editor).completions(line);
        if (words.empty()) return CC_ERROR;
        std::string common = words[0];
        for (const std::string& word : words) {
            const auto differs = std::mismatch(common.begin(), common.end(), word.begin(), word.end());
            common.erase(differs.first, common.end());
        }
        size_t start = line.size();
        while (start > 0 && isWordCharacter(line[start - 1])) --start;
        std::string added = common.substr(std::min(line.size() - start, common.size()));
        if (words.size() == 1) added += ' ';
        if (!added.empty()) return edit.el_insertstr(editor, added.c_str()) == 0 ? CC_REFRESH : CC_ERROR;
        std::fputc('\n', stdout);
        for (const std::string& word : words) std::fprintf(stdout, "%s  ", word.c_str());
        std::fputc('\n', stdout);
        return CC_REDISPLAY;
    }
};

LineEditor::LineEditor(std::string prompt, std::string historyFile, Completions completions)
    : state_(std::make_unique<State>()) {
    State& s = *state_;
    s.prompt = std::move(prompt), s.historyFile = std::move(historyFile), s.completions = std::move(completions);
    if (s.edit == nullptr) return;
    const EditFunctions& edit = *s.edit;
    s.lines.reset(edit.history_init());
    s.editor.reset(edit.el_init("tessera", stdin, stdout, stderr));
    HistEvent event;
    edit.history(s.lines.get(), &event, H_SETSIZE, kKeptLines);
    edit.history(s.lines.get(), &event, H_SETUNIQUE, 1);
    if (!s.historyFile.empty()) edit.history(s.lines.get(), &event, H_LOAD, s.historyFile.c_str());
    EditLine* editor = s.editor.get();
    edit.el_set(editor, EL_CLIENTDATA, &s);
    edit.el_set(editor, EL_PROMPT, &State::promptOf);
    edit.el_set(editor, EL_EDITOR, "emacs");
    edit.el_set(editor, EL_SIGNAL, 1);
    edit.el_set(editor, EL_HIST, edit.history, s.lines.get());
    edit.el_set(editor, EL_ADDFN, "complete-name", "Complete the name", &State::complete);
    edit.el_set(editor, EL_BIND, "^I", "complete-name", nullptr);
    edit.el_set(editor, EL_BIND, "^R", "em-inc-search-prev", nullptr);
    edit.el_source(editor, nullptr);  // ~/.editrc
}

LineEditor::~LineEditor() {
    State& s = *state_;
    if (s.edit == nullptr || s.historyFile.empty()) return;
    std::error_code ignored;
    std::filesystem::create_directories(std::filesystem::path(s.historyFile).parent_path(), ignored);
    HistEvent event;
    s.edit->history(s.lines.get(), &event, H_SAVE, s.historyFile.c_str());
}

std::optional<std::string> LineEditor::read() {
    State& s = *state_;
    if (s.edit == nullptr) {
        std::cout << s.prompt << std::flush;
        std::string line;
        if (!std::getline(std::cin, line)) return std::nullopt;
        return line;
    }
    int count = 0;
    const char* text = s.edit->el_gets(s.editor.get(), &count);
    while (text == nullptr && count < 0 && errno == EINTR) {
        std::fputs("^C\n", stdout);
        text = s.edit->el_gets(s.editor.get(), &count);
    }
    if (text == nullptr || count <= 0) return std::nullopt;
    std::string line(text, static_cast<size_t>(count));
    HistEvent event;
    if (line.find_first_not_of(" \t\r\n") != std::string::npos)
        s.edit->history(s.lines.get(), &event, H_ENTER, line.c_str());
    while (line.ends_with('\n') || line.ends_with('\r')) line.pop_back();
    return line;
}

std::string defaultHistoryFile() {
    std::string folder = envString("XDG_STATE_HOME", "");
    if (folder.empty() || folder[0] != '/') {
        const std::string home = envString("HOME", "");
        if (home.empty()) return {};
        folder = home + "/.local/state";
    }
    return folder + "/tessera/history";
}

}  // namespace tessera::tools
