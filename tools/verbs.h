// The verbs of the `tessera` command, one source file each. A verb adds its subcommand and, when the user chose it,
// leaves the exit status in `status`, as tools/README.md says them.
#pragma once

namespace CLI {
class App;
}

namespace tessera::tools {

void addAssemble(CLI::App& app, int& status);
void addDisassemble(CLI::App& app, int& status);
void addInfo(CLI::App& app, int& status);
void addGlslCompiler(CLI::App& app, int& status);
void addDiff(CLI::App& app, int& status);
void addRun(CLI::App& app, int& status);
void addTex(CLI::App& app, int& status);
void addDebug(CLI::App& app, int& status);
void addBisect(CLI::App& app, int& status);
void addExplain(CLI::App& app, int& status);
void addCommands(CLI::App& app, int& status);
void addInspect(CLI::App& app, int& status);
void addModel(CLI::App& app, int& status);
void addExec(CLI::App& app, int& status);
void addTrim(CLI::App& app, int& status);
void addBrowser(CLI::App& app, int& status);
/// Those that the Python package has: lsp, course, playground.
void addPackageVerbs(CLI::App& app, int& status);
void addPages(CLI::App& app, int& status);

}  // namespace tessera::tools
