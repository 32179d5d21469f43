// tessera pages: the manual pages and bash's completions, from the same table of verbs and options as --help and from
// the table of environment variables; so they are true without anybody's care. Called by the build.
#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "base/process/env.h"
#include "tools/files.h"
#include "tools/verbs.h"

namespace tessera::tools {

namespace {

/// Text as roff takes it: its own characters escaped, the ones that it would make typographic kept as they are typed.
std::string roff(std::string_view text) {
    std::string out;
    for (size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        const bool lineStart = i == 0 || text[i - 1] == '\n';
        if (lineStart && (c == '.' || c == '\'')) out += "\\&";
        switch (c) {
            case '\\':
                out += "\\e";
                break;
            case '-':
                out += "\\-";
                break;
            case '\'':
                out += "\\(aq";
                break;
            case '`':
                out += "\\(ga";
                break;
            case '^':
                out += "\\(ha";
                break;
            case '~':
                out += "\\(ti";
                break;
            default:
                out += c;
        }
    }
    return out;
}

std::string heading(const std::string& page, int section, const std::string& what) {
    std::string title = page;
    std::ranges::transform(title, title.begin(), [](char c) { return c >= 'a' && c <= 'z' ? char(c - 'a' + 'A') : c; });
    return fmt::format(".TH {} {} \"\" \"Tessera {}\" \"Tessera\"\n.SH NAME\n{} \\- {}\n", roff(title), section,
                       TESSERA_VERSION, roff(page), roff(what));
}

/// A term and what it means. Between the alternatives of a list are spaces, so that it may be broken into lines.
std::string item(const std::string& term, const std::string& meaning) {
    std::string spaced;
    bool isList = false;
    for (const char c : term) {
        if (c == '{' || c == '}') isList = c == '{';
        spaced += c;
        if (isList && c == ',') spaced += ' ';
    }
    return fmt::format(".TP\n.B {}\n{}\n", roff(spaced), roff(meaning));
}

/// Lines as they are typed.
std::string verbatim(const std::string& text) { return ".nf\n" + roff(text) + "\n.fi\n"; }

std::vector<const CLI::App*> verbsOf(const CLI::App& app) {
    return app.get_subcommands([](const CLI::App* verb) { return !verb->get_group().empty(); });
}

std::vector<const CLI::Option*> optionsOf(const CLI::App& app, bool positional) {
    return app.get_options([positional](const CLI::Option* option) {
        return !option->get_group().empty() && option->get_positional() == positional;
    });
}

/// What stands behind an option's name: "INT in [0 - 14]"; CLI11 puts the type before a check's text once more.
std::string valueOf(const CLI::Option& option) {
    if (option.get_type_size() == 0) return "";
    const std::string type = option.get_type_name();
    const size_t colon = type.find(':');
    return (colon == std::string::npos ? type : type.substr(colon + 1)) + (option.get_expected_max() > 1 ? " ..." : "");
}

std::string optionItems(const CLI::App& app) {
    std::string text;
    for (const bool positional : {true, false})
        for (const CLI::Option* option : optionsOf(app, positional)) {
            const std::string value = valueOf(*option);
            text += item(option->get_name(positional, true) + (value.empty() || positional ? "" : " " + value),
                         option->get_description());
        }
    return text;
}

std::string synopsis(const CLI::App& app, const std::string& command) {
    std::string behind = verbsOf(app).empty() ? "[OPTIONS]" : "VERB [OPTIONS] ...";
    for (const CLI::Option* option : optionsOf(app, true)) {
        const std::string name = option->get_name(true, false) + (option->get_expected_max() > 1 ? "..." : "");
        behind += option->get_required() ? " " + name : " [" + name + "]";
    }
    return fmt::format(".B {}\n{}\n", roff(command), roff(behind));
}

/// What stands at the end of a verb's help, if that is its own; a verb without one shows the command's.
std::string notes(const CLI::App& verb, const CLI::App& app, const std::string& opening) {
    const bool own = !verb.get_footer().empty() && verb.get_footer() != app.get_footer();
    return own ? opening + verbatim(verb.get_footer()) : std::string();
}

/// The page of a verb; verbs below it are sections of it.
std::string verbPage(const CLI::App& verb, const CLI::App& app) {
    const std::string command = "tessera " + verb.get_name();
    std::string text = heading("tessera-" + verb.get_name(), 1, verb.get_description());
    text += ".SH SYNOPSIS\n" + synopsis(verb, command);
    // Verbs of the Python package have their options there, and in their notes.
    if (const std::string options = optionItems(verb); !options.empty()) text += ".SH OPTIONS\n" + options;
    for (const CLI::App* below : verbsOf(verb)) {
        text += fmt::format(".SH {}\n", roff(command + " " + below->get_name())) + roff(below->get_description()) +
                ".\n.PP\n" + synopsis(*below, command + " " + below->get_name()) + optionItems(*below);
        text += notes(*below, app, ".PP\n");
    }
    return text + notes(verb, app, ".SH NOTES\n") + ".SH SEE ALSO\n.BR tessera (1),\n.BR tessera\\-environment (7)\n";
}

std::string commandPage(const CLI::App& app) {
    std::string text = heading("tessera", 1, "a GPU in software: tools for its shader programs and pictures");
    text += ".SH SYNOPSIS\n" + synopsis(app, "tessera") + ".SH VERBS\n";
    for (const CLI::App* verb : verbsOf(app))
        text += fmt::format(".TP\n.BR tessera\\-{} (1)\n{}\n", roff(verb->get_name()), roff(verb->get_description()));
    text += ".SH OPTIONS\n" + optionItems(app) + ".SH NOTES\n" + verbatim(app.get_footer());
    return text + ".SH SEE ALSO\n.BR tessera\\-environment (7)\n";
}

std::string environmentPage() {
    std::string text = heading("tessera-environment", 7, "environment variables of Tessera's driver and tools");
    text +=
        ".SH DESCRIPTION\nPrivileged processes (set\\-user\\-id, set\\-group\\-id, file capabilities) read none of "
        "these. What is wrong with one is reported on standard error.\n.SH ENVIRONMENT\n";
    for (const EnvVariable& variable : envVariables())
        text += item(fmt::format("{}: {}", variable.name, variable.accepted),
                     fmt::format("{} (default: {})", variable.meaning, variable.byDefault));
    text += ".SH VARIABLES OF THE SYSTEM\n";
    text += item("__EGL_VENDOR_LIBRARY_FILENAMES",
                 "files that describe EGL drivers, with colons between them: libglvnd takes these instead of those in "
                 "/usr/share/glvnd/egl_vendor.d. tessera exec sets it to Tessera's");
    text += item("LD_LIBRARY_PATH",
                 "with Tessera's folder of libraries in front programs load its own libEGL.so.1 and "
                 "libGLESv2.so.2, without libglvnd");
    return text + ".SH SEE ALSO\n.BR tessera (1),\n.BR tessera\\-exec (1)\n";
}

/// A case of the verbs typed so far: the options, and the verbs below. Deeper ones come first, as the first match
/// holds.
std::string completionCases(const CLI::App& app, const std::string& typed) {
    std::string cases, words;
    for (const CLI::App* verb : verbsOf(app)) {
        cases += completionCases(*verb, typed + " " + verb->get_name());
        words += (words.empty() ? "" : " ") + verb->get_name();
    }
    std::string options;
    for (const CLI::Option* option : optionsOf(app, false))
        for (const std::string& name : option->get_lnames()) options += (options.empty() ? "--" : " --") + name;
    return cases + fmt::format("        \"{} \"*) words='{}' options='{}' ;;\n", typed, words, options);
}

std::string completions(const CLI::App& app) {
    return "# bash completion for tessera(1), from the command's own table of options.\n"
           "_tessera()\n"
           "{\n"
           "    local word=${COMP_WORDS[COMP_CWORD]} typed='' words='' options='' at\n"
           "    for ((at = 1; at < COMP_CWORD; ++at)); do\n"
           "        [[ ${COMP_WORDS[at]} = -* ]] || typed+=\" ${COMP_WORDS[at]}\"\n"
           "    done\n"
           "    if [[ $typed = ' exec'* ]] && declare -F _command_offset >/dev/null; then\n"
           "        _command_offset 2\n"
           "        return\n"
           "    fi\n"
           "    case \"$typed \" in\n" +
           completionCases(app, "") +
           "    esac\n"
           "    [[ $word = -* ]] && words=$options\n"
           "    mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$word\")\n"
           "} &&\n"
           "    complete -o bashdefault -o default -F _tessera tessera\n";
}

int writePages(const CLI::App& app, const std::filesystem::path& folder) {
    std::error_code error;
    for (const char* part : {"man1", "man7"}) std::filesystem::create_directories(folder / part, error);
    bool written = writeFile(folder / "man1/tessera.1", commandPage(app)) &&
                   writeFile(folder / "man7/tessera-environment.7", environmentPage()) &&
                   writeFile(folder / "tessera.bash", completions(app));
    for (const CLI::App* verb : verbsOf(app))
        written = written && writeFile(folder / "man1" / ("tessera-" + verb->get_name() + ".1"), verbPage(*verb, app));
    return written ? kDone : kTrouble;
}

}  // namespace

void addPages(CLI::App& app, int& status) {
    CLI::App* verb = app.add_subcommand("pages", "Write the manual pages and bash's completions")->group("");
    const auto folder = std::make_shared<std::string>();
    verb->add_option("folder", *folder, "Where to")->required();
    verb->callback([&app, folder, &status] { status = writePages(app, *folder); });
}

}  // namespace tessera::tools
