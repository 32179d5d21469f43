// The subcommands of `tessera tex`, one source file each.
#pragma once

namespace CLI {
class App;
}

namespace tessera::tools {

void addTexCache(CLI::App& tex, int& status);
void addTexInfo(CLI::App& tex, int& status);
void addTexConvert(CLI::App& tex, int& status);
void addTexView(CLI::App& tex, int& status);

}  // namespace tessera::tools
