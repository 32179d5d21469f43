// `tessera run` for compute programs: buffers from files, one launch, buffers to files.
//
// Files that end in .npy are NumPy arrays (format 1.0, little endian, C order); all others are plain bytes. An array
// keeps its element type and shape from the file it was read from, or has those that --buffer gives.
#include "tools/kernel_input.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <map>
#include <optional>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "api/compute/device.h"
#include "base/env.h"
#include "tools/files.h"
#include "tools/group_values.h"

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

struct Array {
    std::string descr = "|u1";
    std::vector<size_t> shape;
    std::shared_ptr<compute::Buffer> buffer;
};

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

std::optional<Array> readArray(const std::string& path, int& status) {
    const std::optional<std::string> text = readFile(path);
    status = kTrouble;
    if (!text) return std::nullopt;
    std::string_view bytes = *text;
    Array array;
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
std::optional<Array> makeArray(std::string_view text) {
    const size_t open = text.find('[');
    if (open == std::string_view::npos || !text.ends_with(']')) return std::nullopt;
    const auto element = std::find_if(std::begin(kElements), std::end(kElements),
                                      [&](const Element& e) { return e.name == text.substr(0, open); });
    const auto shape = numbers(text.substr(open + 1, text.size() - open - 2));
    if (element == std::end(kElements) || !shape || shape->empty()) return std::nullopt;
    const uint64_t bytes = uint64_t{elementCount(*shape)} * element->bytes;
    if (bytes > kMaxBytes) return std::nullopt;
    return Array{std::string(element->descr), *shape, std::make_shared<compute::Buffer>(bytes)};
}

bool writeArray(const std::string& path, const Array& array) {
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

class Run {
public:
    Run(const isa::Program& program, std::string name, const KernelOptions& options)
        : name_(std::move(name)),
          options_(options),
          device_(compute::openDevice(*compute::tierByName(options.tier), threadCount())) {
        std::string why;
        kernel_ = device_->load(program, &why);
        if (kernel_ == nullptr) status_ = fail(why);
    }

    int run(const std::vector<std::string>& uniforms) {
        for (const std::string& text : options_.in) split(text, [&](auto& n, auto& v) { return input(n, v); });
        for (const std::string& text : options_.buffers) split(text, [&](auto& n, auto& v) { return zeros(n, v); });
        for (const std::string& text : uniforms) split(text, [&](auto& n, auto& v) { return uniform(n, v); });
        for (const std::string& text : options_.out) split(text, [&](auto& n, auto&) { return known(n); });
        if (status_ != kDone) return status_;
        for (const auto& [name, array] : arrays_) (void)kernel_->bind(name, array.buffer);
        launch();
        if (status_ != kDone) return status_;
        for (const std::string& text : options_.out)
            split(text, [&](auto& n, auto& path) { return writeArray(path, arrays_.at(n)) ? kDone : kTrouble; });
        return status_;
    }

private:
    int fail(std::string_view what) const { return complain(kWrongInput, fmt::format("{}: {}", name_, what)); }

    template <class Body>
    void split(const std::string& text, Body&& body) {
        if (status_ != kDone) return;
        const size_t equals = text.find('=');
        if (equals == std::string::npos) {
            status_ = complain(kWrongInput, fmt::format("'{}' must be NAME=VALUE", text));
            return;
        }
        const std::string name = text.substr(0, equals), value = text.substr(equals + 1);
        status_ = body(name, value);
    }

    bool declared(const std::string& name) const {
        const auto& list = kernel_->program().buffers;
        return std::any_of(list.begin(), list.end(), [&](const isa::Buffer& b) { return b.name == name; });
    }
    int noBuffer(const std::string& name) const {
        std::string names;
        for (const isa::Buffer& b : kernel_->program().buffers) names += " " + b.name;
        return fail(fmt::format("there is no buffer '{}'; there are:{}", name, names.empty() ? " none" : names));
    }

    int input(const std::string& name, const std::string& path) {
        if (!declared(name)) return noBuffer(name);
        int status = kDone;
        if (auto array = readArray(path, status)) arrays_[name] = std::move(*array);
        return status;
    }
    int zeros(const std::string& name, const std::string& text) {
        if (!declared(name)) return noBuffer(name);
        auto array = makeArray(text);
        if (!array)
            return fail(fmt::format("--buffer {}={}: write a type and a shape, such as f32[320,320]", name, text));
        arrays_[name] = std::move(*array);
        return kDone;
    }
    int known(const std::string& name) {
        if (!declared(name)) return noBuffer(name);
        if (arrays_.contains(name)) return kDone;
        return fail(fmt::format("buffer '{}' has no size; give it with --in or --buffer {}=f32[...]", name, name));
    }
    int uniform(const std::string& name, const std::string& text) {
        const auto& list = kernel_->program().uniforms;
        const auto v = std::find_if(list.begin(), list.end(), [&](const isa::Variable& u) { return u.name == name; });
        if (v == list.end()) return fail(fmt::format("there is no uniform '{}'", name));
        std::string problem;
        const bool integers = v->type >= isa::VarType::Int && v->type <= isa::VarType::IVec4;
        const auto lanes = parseLanes(text, 1, integers, problem);
        if (!lanes) return fail(fmt::format("--uniform {}: {}", name, problem));
        if (!kernel_->setUniform(name, lanes->front()))
            return fail(fmt::format("--uniform {}: more components than the uniform has", name));
        return kDone;
    }

    void launch() {
        compute::LaunchSize size;
        size.budget = options_.budget;
        for (size_t i = 0; i < options_.grid.size(); ++i) size.grid[i] = options_.grid[i];
        if (!options_.block.empty()) size.block = {1, 1, 1};
        for (size_t i = 0; i < options_.block.size(); ++i) size.block[i] = options_.block[i];
        const auto launch = device_->launch(*kernel_, size);
        device_->wait();
        if (options_.counters) {
            const isa::ComputeCounters& c = launch->counters;
            fmt::print("blocks {}\ngroups {}\ninstructions {}\nbarriers {}\nout of range {}\n", c.blocks, c.groups,
                       c.instructions, c.barriers, c.outOfRange);
        } else if (launch->counters.outOfRange != 0) {
            fmt::print(stderr, "{}: warning: {} accesses outside the buffers\n", name_, launch->counters.outOfRange);
        }
        if (!launch->ok()) status_ = fail("error: " + launch->message);
    }

    std::string name_;
    const KernelOptions& options_;
    std::shared_ptr<compute::Device> device_;
    std::shared_ptr<compute::Kernel> kernel_;
    std::map<std::string, Array> arrays_;
    int status_ = kDone;
};

}  // namespace

void addKernelOptions(CLI::App& verb, KernelOptions& options) {
    const auto list = [&](const char* name, std::vector<std::string>& texts, const char* help) {
        verb.add_option(name, texts, help)->take_all()->allow_extra_args(false);
    };
    const auto size = [&](const char* name, std::vector<uint32_t>& numbers, const char* help) {
        verb.add_option(name, numbers, help)->delimiter(',')->expected(1, 3)->allow_extra_args(false);
    };
    size("--grid", options.grid, "Compute: blocks in x,y,z; default 1");
    size("--block", options.block, "Compute: threads of a block in x,y,z; default: what the program says");
    list("--in", options.in, "Compute: a buffer from a file: NAME=FILE, .npy or plain bytes (repeatable)");
    list("--buffer", options.buffers, "Compute: a buffer of zeros: NAME=TYPE[SHAPE], as in f32[320,320] (repeatable)");
    list("--out", options.out, "Compute: a buffer to a file when it has run: NAME=FILE (repeatable)");
    verb.add_option("--tier", options.tier, "Compute: interp or jit (default)")
        ->check(CLI::IsMember({"interp", "jit"}));
    verb.add_option("--budget", options.budget, "Compute: instructions that a group may execute");
    verb.add_flag("--counters", options.counters, "Compute: print what was counted");
}

const char* kernelOptionsHelp() {
    return "Compute programs (.compute) take --grid, --block, --in, --buffer, --out, --uniform, --tier, --counters:\n"
           "  tessera run add.tsa --grid 64 --in a=a.npy --in b=b.npy --buffer c=f32[16384] --out c=c.npy\n"
           "Types of --buffer: f32 i32 u32 f16 i16 u16 i8 u8.";
}

int runKernel(const std::shared_ptr<const isa::Program>& program, const std::string& name,
              const std::vector<std::string>& uniforms, const KernelOptions& options) {
    return Run(*program, name, options).run(uniforms);
}

}  // namespace tessera::tools
