// Options to a launch: files and shapes to buffers, values to uniforms.
//
// Files that end in .npy are NumPy arrays (format 1.0, little endian, C order); all others are plain bytes. An array
// keeps its element type and shape from the file it was read from, or has those that --buffer gives.
#include "tools/run/kernel_input.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <map>
#include <optional>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "base/process/env.h"
#include "shader-core/interp/interpreter.h"
#include "tools/files.h"
#include "tools/options.h"
#include "tools/run/group_values.h"

namespace tessera::tools {

namespace {

constexpr std::string_view kMagic("\x93NUMPY\x01\x00", 8);
constexpr uint64_t kMaxBytes = uint64_t{1} << 32;

/// Element types by the names of --buffer and of NumPy.
struct Element {
    std::string_view name, descr;
    size_t bytes;
};
constexpr Element kElements[] = {{"f32", "<f4", 4}, {"i32", "<i4", 4}, {"u32", "<u4", 4}, {"i16", "<i2", 2},
                                 {"u16", "<u2", 2}, {"f16", "<f2", 2}, {"i8", "|i1", 1},  {"u8", "|u1", 1}};

int complain(int status, std::string_view what) {
    fmt::print(stderr, "error: {}\n", what);
    return status;
}

/// The text behind 'key': in the header's dictionary, up to its end.
std::string_view valueOf(std::string_view header, std::string_view key) {
    const size_t at = header.find(fmt::format("'{}':", key));
    if (at == std::string_view::npos) return {};
    std::string_view rest = header.substr(at + key.size() + 3);
    rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
    const char close = rest.starts_with('(') ? ')' : rest.starts_with('\'') ? '\'' : ',';
    const size_t end = rest.find(close, 1);
    return end == std::string_view::npos ? std::string_view{} : rest.substr(0, end + (close != ','));
}

std::optional<std::vector<size_t>> numbers(std::string_view text) {
    std::vector<size_t> list;
    uint64_t product = 1;
    while (!text.empty()) {
        const size_t end = std::min(text.find(','), text.size());
        std::string_view piece = text.substr(0, end);
        while (piece.starts_with(' ')) piece.remove_prefix(1);
        text.remove_prefix(std::min(end + 1, text.size()));
        if (piece.empty()) continue;
        size_t value = 0;
        const auto [stop, error] = std::from_chars(piece.data(), piece.data() + piece.size(), value);
        if (error != std::errc() || stop != piece.data() + piece.size()) return std::nullopt;
        if (__builtin_mul_overflow(product, uint64_t{value}, &product) || product > kMaxBytes) return std::nullopt;
        list.push_back(value);
    }
    return list;
}

size_t elementCount(const std::vector<size_t>& shape) {
    size_t count = 1;
    for (const size_t n : shape) count *= n;
    return count;
}

std::optional<KernelArray> readArray(const std::string& path, int& status) {
    const std::optional<std::string> text = readFile(path);
    status = kTrouble;
    if (!text) return std::nullopt;
    std::string_view bytes = *text;
    KernelArray array;
    if (path.ends_with(".npy")) {
        const auto fail = [&](std::string_view what) {
            status = complain(kWrongInput, fmt::format("{}: {}", path, what));
            return std::nullopt;
        };
        if (!bytes.starts_with(kMagic) || bytes.size() < 10) return fail("not a NumPy array of format 1.0");
        const size_t length = static_cast<uint8_t>(bytes[8]) | size_t{static_cast<uint8_t>(bytes[9])} << 8;
        const std::string_view header = bytes.substr(10, length);
        bytes.remove_prefix(std::min(10 + length, bytes.size()));
        const std::string_view descr = valueOf(header, "descr"), shape = valueOf(header, "shape");
        if (valueOf(header, "fortran_order") != "False" || descr.size() < 3 || shape.size() < 2)
            return fail("the array must be in C order and have one element type");
        array.descr = descr.substr(1, descr.size() - 2);
        const auto element = std::find_if(std::begin(kElements), std::end(kElements),
                                          [&](const Element& e) { return e.descr == array.descr; });
        if (element == std::end(kElements)) return fail(fmt::format("elements of type {} are not known", array.descr));
        const auto list = numbers(shape.substr(1, shape.size() - 2));
        if (!list || elementCount(*list) * element->bytes != bytes.size())
            return fail("the shape does not fit the size of the file");
        array.shape = *list;
    } else {
        array.shape = {bytes.size()};
    }
    array.buffer = std::make_shared<compute::Buffer>(bytes.size());
    std::memcpy(array.buffer->bytes().data(), bytes.data(), bytes.size());
    status = kDone;
    return array;
}

/// "f32[320,320]" or "u8[100]": zeros.
std::optional<KernelArray> makeArray(std::string_view text) {
    const size_t open = text.find('[');
    if (open == std::string_view::npos || !text.ends_with(']')) return std::nullopt;
    const auto element = std::find_if(std::begin(kElements), std::end(kElements),
                                      [&](const Element& e) { return e.name == text.substr(0, open); });
    const auto shape = numbers(text.substr(open + 1, text.size() - open - 2));
    if (element == std::end(kElements) || !shape || shape->empty()) return std::nullopt;
    const uint64_t bytes = uint64_t{elementCount(*shape)} * element->bytes;
    if (bytes > kMaxBytes) return std::nullopt;
    return KernelArray{std::string(element->descr), *shape, std::make_shared<compute::Buffer>(bytes)};
}

class Reader {
public:
    Reader(KernelInput& input, const KernelOptions& options) : input_(input), options_(options) {}

    int read(const std::vector<std::string>& uniforms) {
        input_.kernel = std::make_shared<compute::Kernel>(input_.program);
        for (const std::string& text : options_.in)
            split("--in", "FILE", text, [&](auto& n, auto& v) { return file(n, v); });
        for (const std::string& text : options_.buffers)
            split("--buffer", "TYPE[SHAPE]", text, [&](auto& n, auto& v) { return zeros(n, v); });
        for (const std::string& text : uniforms)
            split("--uniform", "VALUE", text, [&](auto& n, auto& v) { return uniform(n, v); });
        if (status_ != kDone) return status_;
        for (const auto& [name, array] : input_.arrays) (void)input_.kernel->bind(name, array.buffer);
        return size();
    }

private:
    int fail(std::string_view what) const { return complain(kWrongInput, fmt::format("{}: {}", input_.name, what)); }

    /// `value`: what the help says that stands behind NAME=.
    template <class Body>
    void split(const char* option, const char* value, const std::string& text, Body&& body) {
        if (status_ != kDone) return;
        const size_t equals = text.find('=');
        if (equals == std::string::npos) {
            fmt::print(stderr, "{} {}: error: write it as NAME={}\n", option, text, value);
            status_ = kWrongInput;
            return;
        }
        const std::string name = text.substr(0, equals), given = text.substr(equals + 1);
        status_ = body(name, given);
    }

    [[nodiscard]] bool declared(const std::string& name) const {
        const auto& list = input_.program->buffers;
        return std::any_of(list.begin(), list.end(), [&](const isa::Buffer& b) { return b.name == name; });
    }

    int file(const std::string& name, const std::string& path) {
        if (!declared(name)) return complainAboutBuffer(input_, name);
        int status = kDone;
        if (auto array = readArray(path, status)) input_.arrays[name] = std::move(*array);
        return status;
    }
    int zeros(const std::string& name, const std::string& text) {
        if (!declared(name)) return complainAboutBuffer(input_, name);
        auto array = makeArray(text);
        if (!array)
            return fail(
                fmt::format("--buffer {}={}: write a type and a shape of less than {} GiB, such as f32[320,320]", name,
                            text, kMaxBytes >> 30));
        input_.arrays[name] = std::move(*array);
        return kDone;
    }
    int uniform(const std::string& name, const std::string& text) {
        const auto& list = input_.program->uniforms;
        const auto v = std::find_if(list.begin(), list.end(), [&](const isa::Variable& u) { return u.name == name; });
        if (v == list.end()) return fail(fmt::format("there is no uniform '{}'", name));
        std::string problem;
        const bool integers = v->type >= isa::VarType::Int && v->type <= isa::VarType::IVec4;
        const auto lanes = parseLanes(text, 1, integers, problem);
        if (!lanes) return fail(fmt::format("--uniform {}: {}", name, problem));
        if (!input_.kernel->setUniform(name, lanes->front()))
            return fail(fmt::format("--uniform {}: more components than the uniform has", name));
        return kDone;
    }

    int size() {
        compute::LaunchSize& size = input_.size;
        size.budget = options_.budget;
        for (size_t i = 0; i < options_.grid.size(); ++i) size.grid[i] = options_.grid[i];
        if (!options_.block.empty()) size.block = {1, 1, 1};
        for (size_t i = 0; i < options_.block.size(); ++i) size.block[i] = options_.block[i];
        const std::string problem = compute::resolveSize(*input_.program, size);
        return problem.empty() ? kDone : fail(problem);
    }

    KernelInput& input_;
    const KernelOptions& options_;
    int status_ = kDone;
};

}  // namespace

bool writeArray(const std::string& path, const KernelArray& array) {
    const std::span<const std::byte> bytes = array.buffer->bytes();
    if (!path.ends_with(".npy")) return writeFile(path, bytes);
    std::string shape;
    for (const size_t n : array.shape) shape += fmt::format("{},", n);
    std::string header = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}), }}", array.descr, shape);
    header.append(63 - (kMagic.size() + 2 + header.size()) % 64, ' ');
    header += '\n';
    std::string file(kMagic);
    file += static_cast<char>(header.size() & 0xff);
    file += static_cast<char>(header.size() >> 8);
    file += header;
    file.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    return writeFile(path, file);
}

bool optionsSuit(const isa::Program& program, const std::string& name, const GroupOptions& group,
                 const KernelOptions& kernel) {
    const bool isCompute = program.stage == isa::Stage::Compute;
    const std::pair<const char*, bool> given[] = {
        {"--set", isCompute && !group.set.empty()},
        {"--texture", isCompute && !group.textures.empty()},
        {"--lanes", isCompute && group.lanes != GroupOptions().lanes},
        {"--grid", !isCompute && !kernel.grid.empty()},
        {"--block", !isCompute && !kernel.block.empty()},
        {"--at", !isCompute && !kernel.at.empty()},
        {"--in", !isCompute && !kernel.in.empty()},
        {"--buffer", !isCompute && !kernel.buffers.empty()},
        {"--budget", !isCompute && kernel.budget != KernelOptions().budget},
    };
    for (const auto& [option, isWrong] : given)
        if (isWrong) {
            fmt::print(stderr, "{}: error: {} {}\n", name, option,
                       isCompute ? "does nothing for a compute program" : "is for compute programs");
            return false;
        }
    return true;
}

int complainAboutBuffer(const KernelInput& input, const std::string& name) {
    std::string names;
    for (const isa::Buffer& b : input.program->buffers) names += " " + b.name;
    return complain(kWrongInput, fmt::format("{}: there is no buffer '{}'; there are:{}", input.name, name,
                                             names.empty() ? " none" : names));
}

void addKernelOptions(CLI::App& verb, KernelOptions& options, bool looksAtBlock) {
    const auto list = [&](const char* name, std::vector<std::string>& texts, const char* help) {
        verb.add_option(name, texts, help)->take_all()->allow_extra_args(false);
    };
    addSizeOption(verb, "--grid", options.grid, 1, "Compute: blocks in x,y,z; default 1");
    addSizeOption(verb, "--block", options.block, 1,
                  "Compute: threads of a block in x,y,z; default: what the program says");
    if (looksAtBlock) addSizeOption(verb, "--at", options.at, 0, "Compute: the block to look at, x,y,z; default 0,0,0");
    list("--in", options.in, "Compute: a buffer from a file: NAME=FILE, .npy or plain bytes (repeatable)");
    list("--buffer", options.buffers, "Compute: a buffer of zeros: NAME=TYPE[SHAPE], as in f32[320,320] (repeatable)");
    verb.add_option("--budget", options.budget, "Compute: instructions that a group may execute; default 2^28")
        ->check(CLI::Range(uint64_t{1}, uint64_t{1} << 40));
}

const char* kernelOptionsHelp() {
    return "Compute programs (.compute) take --grid, --block, --in, --buffer, --uniform and --budget.\n"
           "Types of --buffer: f32 i32 u32 f16 i16 u16 i8 u8. A buffer that is not given is empty.";
}

std::optional<KernelInput> makeKernelInput(std::shared_ptr<const isa::Program> program, const std::string& name,
                                           const std::vector<std::string>& uniforms, const KernelOptions& options,
                                           int& status) {
    KernelInput input;
    input.name = name;
    input.program = std::move(program);
    status = Reader(input, options).read(uniforms);
    if (status != kDone) return std::nullopt;
    return input;
}

std::shared_ptr<debug::Launch> launchOf(const KernelInput& input) {
    auto launch = std::make_shared<debug::Launch>();
    launch->program = input.program;
    launch->constants = input.kernel->constants();
    launch->grid = input.size.grid;
    launch->block = input.size.block;
    launch->budget = input.size.budget;
    for (const isa::Buffer& declared : input.program->buffers) {
        const auto array = input.arrays.find(declared.name);
        if (array == input.arrays.end()) continue;
        const std::span<const std::byte> bytes = array->second.buffer->bytes();
        launch->buffers[declared.slot].assign(bytes.begin(), bytes.end());
    }
    return launch;
}

std::optional<std::vector<debug::Group>> makeBlockGroups(const KernelInput& input, const KernelOptions& options,
                                                         int& status) {
    status = kWrongInput;
    const std::shared_ptr<debug::Launch> launch = launchOf(input);
    std::array<uint32_t, 3> at{};
    std::copy(options.at.begin(), options.at.end(), at.begin());
    for (size_t i = 0; i < at.size(); ++i)
        if (at[i] >= launch->grid[i]) {
            complain(kWrongInput, fmt::format("--at {}: the grid has {} blocks", fmt::join(at, ","),
                                              fmt::join(launch->grid, " x ")));
            return std::nullopt;
        }
    const uint64_t block = at[0] + uint64_t{launch->grid[0]} * (at[1] + uint64_t{launch->grid[1]} * at[2]);
    const auto kernel = interp::makeInterpreter()->prepareKernel(launch->program, launch->block);
    if (const isa::ComputeFault fault = debug::runBlocks(*launch, *kernel, 0, block);
        fault.kind != isa::FaultKind::None) {
        complain(kWrongInput, fmt::format("{}: a block before it fails: {}", input.name,
                                          compute::faultMessage(*launch->program, fault, launch->grid)));
        return std::nullopt;
    }
    status = kDone;
    return debug::groupsOf(launch, block);
}

}  // namespace tessera::tools
