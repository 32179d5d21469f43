// Writes the table of parameters into docs/model.md, between its two marks.
//
//   model_doc ROOT --write    writes it
//   model_doc ROOT --check    exit status 1 when what is there is another one
#include <fmt/format.h>

#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>

#include "base/process/write_file.h"
#include "model/chip/preset.h"

int main(int argc, char** argv) {
    const std::string mode = argc == 3 ? argv[2] : "";
    if (mode != "--write" && mode != "--check") {
        fmt::print(stderr, "usage: model_doc ROOT --write | --check\n");
        return 2;
    }
    const std::string page = std::string(argv[1]) + "/docs/model.md";
    std::ifstream in(page, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    const std::string begin = "<!-- parameters -->\n", end = "<!-- end of parameters -->\n";
    const size_t from = text.find(begin), to = text.find(end);
    if (from == std::string::npos || to == std::string::npos || to < from) {
        fmt::print(stderr, "model_doc: {} has no place for the parameters\n", page);
        return 2;
    }
    const std::string made =
        text.substr(0, from + begin.size()) + '\n' + tessera::model::parameterTable() + '\n' + text.substr(to);
    if (mode == "--write") {
        std::string why;
        if (tessera::writeWholeFile(page, made, why)) return 0;
        std::fprintf(stderr, "%s: cannot be written: %s\n", page.c_str(), why.c_str());
        return 2;
    }
    if (made == text) return 0;
    fmt::print(stderr, "docs/model.md is out of date; run: ninja model_doc_update\n");
    return 1;
}
