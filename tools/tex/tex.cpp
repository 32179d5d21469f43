// tessera tex: textures and the texture cache.
#include "tools/tex/tex.h"

#include <CLI/CLI.hpp>

#include "tools/verbs.h"

namespace tessera::tools {

void addTex(CLI::App& app, int& status) {
    CLI::App* tex = app.add_subcommand("tex", "Look into textures and the texture cache");
    tex->require_subcommand(1);
    addTexInfo(*tex, status);
    addTexConvert(*tex, status);
    addTexView(*tex, status);
    addTexCache(*tex, status);
}

}  // namespace tessera::tools
