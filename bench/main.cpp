// The benchmark's command line, its table and its JSON. A plain GLES program: it runs on whichever driver the
// loader finds (bench/peers.py runs it on several).
#include <GLES2/gl2.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <regex>

#include "bench/gl.h"
#include "bench/row.h"
#include "bench/runner.h"

namespace {

using namespace bench;

struct Options {
    Settings settings;
    std::string filter, probe;
    unsigned seed = 0;
    bool isList = false, isJson = false;
};

std::vector<RowInfo> allRows() {
    std::vector<RowInfo> rows;
    for (const auto& group : {fillRows(), programRows(), interfaceRows(), geometryRows(), callRows(), transferRows(),
                              es3Rows(), startRows(), sceneRows()})
        rows.insert(rows.end(), group.begin(), group.end());
    return rows;
}

std::optional<int> parse(int argc, char** argv, Options& options) {
    CLI::App app{"Benchmark of a driver of OpenGL ES 2.0 and 3.0", "bench"};
    std::string size = "1024x1024";
    app.add_flag("--list", options.isList, "name the rows and say what each draws");
    app.add_option("--filter", options.filter, "only rows whose name matches this regular expression");
    app.add_option("--seconds", options.settings.seconds, "time for each row")->check(CLI::Range(0.01, 60.0));
    app.add_option("--samples", options.settings.samples, "samples in that time")->check(CLI::Range(1, 100));
    app.add_option("--size", size, "pixels of the surface")->check([](const std::string& text) {
        return std::regex_match(text, std::regex("[1-9][0-9]{0,3}x[1-9][0-9]{0,3}")) ? "" : "not WIDTHxHEIGHT";
    });
    app.add_flag("--json", options.isJson, "print JSON instead of the table");
    app.add_option("--probe", options.probe)->group("");
    app.add_option("--seed", options.seed)->group("");
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == 0 ? 0 : 2;
    }
    std::sscanf(size.c_str(), "%dx%d", &options.settings.size.width, &options.settings.size.height);
    if (options.settings.size.height < 64 || options.settings.size.width < options.settings.size.height) {
        std::fprintf(stderr, "bench: a surface is at least 64 pixels high and no less wide\n");
        return 2;
    }
    return std::nullopt;
}

/// "Tessera (...), OpenGL ES 2.0 ..."
std::string driverName(Size size) {
    std::string error;
    std::unique_ptr<Context> context = Context::open(size, 0, &error);
    if (!context) return "no driver: " + error;
    return std::string(reinterpret_cast<const char*>(glGetString(GL_RENDERER))) + "; " +
           reinterpret_cast<const char*>(glGetString(GL_VERSION));
}

/// Quotes and control characters do not occur in what we print, but a driver's strings are not ours.
std::string jsonString(const std::string& text) {
    std::string result = "\"";
    for (char c : text) {
        if (c == '"' || c == '\\') result += '\\';
        result += static_cast<unsigned char>(c) < 32 ? ' ' : c;
    }
    return result + '"';
}

const char* statusName(Result::Status status) {
    return status == Result::Status::good ? "good" : status == Result::Status::skipped ? "skipped" : "wrong";
}

void printTableRow(const RowInfo& info, const Result& result) {
    if (result.status == Result::Status::good)
        std::printf("%-26s %12.5g %12.5g %12.5g  %s\n", info.name.c_str(), result.median(), result.min(), result.max(),
                    info.unit.c_str());
    else
        std::printf("%-26s %12s  %s\n", info.name.c_str(), statusName(result.status), result.reason.c_str());
    std::fflush(stdout);
}

void printNumbers(const std::vector<double>& numbers) {
    for (size_t i = 0; i < numbers.size(); ++i) std::printf("%s%.9g", i == 0 ? "" : ", ", numbers[i]);
}

void printJsonRow(const RowInfo& info, const Result& result, bool isFirst) {
    std::printf(
        "%s\n    {\"name\": %s, \"unit\": %s, \"better\": \"%s\", \"status\": \"%s\", \"reason\": %s,\n"
        "     \"median\": %.9g, \"min\": %.9g, \"max\": %.9g, \"samples\": [",
        isFirst ? "" : ",", jsonString(info.name).c_str(), jsonString(info.unit).c_str(),
        info.better == Better::higher ? "higher" : "lower", statusName(result.status),
        jsonString(result.reason).c_str(), result.median(), result.min(), result.max());
    printNumbers(result.samples);
    std::printf("], \"processor_samples\": [");
    printNumbers(result.processorSamples);
    std::printf("]}");
}

void printList(const std::vector<RowInfo>& rows, bool isJson) {
    if (isJson) std::printf("[");
    for (size_t i = 0; i < rows.size(); ++i) {
        const RowInfo& row = rows[i];
        if (isJson)
            std::printf("%s\n  {\"name\": %s, \"unit\": %s, \"better\": \"%s\", \"covered\": %s, \"meaning\": %s}",
                        i == 0 ? "" : ",", jsonString(row.name).c_str(), jsonString(row.unit).c_str(),
                        row.better == Better::higher ? "higher" : "lower", row.isCovered ? "true" : "false",
                        jsonString(row.meaning).c_str());
        else
            std::printf("%-26s %-12s %s\n", row.name.c_str(), row.unit.c_str(), row.meaning.c_str());
    }
    if (isJson) std::printf("\n]\n");
}

int runRows(const std::vector<RowInfo>& rows, const Options& options) {
    std::string driver = driverName(options.settings.size);
    if (options.isJson)
        std::printf("{\n  \"driver\": %s,\n  \"rows\": [", jsonString(driver).c_str());
    else
        std::printf("%s\n%-26s %12s %12s %12s\n", driver.c_str(), "row", "median", "min", "max");
    int wrong = 0;
    for (size_t i = 0; i < rows.size(); ++i) {
        Result result = runRow(rows[i], options.settings);
        wrong += result.status == Result::Status::wrong ? 1 : 0;
        if (options.isJson)
            printJsonRow(rows[i], result, i == 0);
        else
            printTableRow(rows[i], result);
    }
    if (options.isJson) std::printf("\n  ]\n}\n");
    return wrong == 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
    setenv("TESSERA_TIME_LIMIT", "0", 0);  // before the driver looks: rows take as long as they take
    Options options;
    if (auto status = parse(argc, argv, options)) return *status;
    if (!options.probe.empty()) return runProbe(options.probe, options.seed, options.settings.size);
    std::vector<RowInfo> rows = allRows();
    try {
        std::erase_if(rows, [pattern = std::regex(options.filter)](const RowInfo& row) {
            return !std::regex_search(row.name, pattern);
        });
    } catch (const std::regex_error& error) {
        std::fprintf(stderr, "bench: --filter %s: %s\n", options.filter.c_str(), error.what());
        return 2;
    }
    if (rows.empty()) {
        std::fprintf(stderr, "bench: no row matches '%s' (see --list)\n", options.filter.c_str());
        return 2;
    }
    if (options.isList) return printList(rows, options.isJson), 0;
    return runRows(rows, options);
}
