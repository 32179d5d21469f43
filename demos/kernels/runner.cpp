#include "demos/kernels/runner.h"

#include <algorithm>
#include <cstring>

#include "base/process/read_file.h"

namespace tessera::kernels {

namespace {

/// The program's buffers in the order b0, b1, ...
std::vector<std::string> bufferNames(const isa::Program& program) {
    auto buffers = program.buffers;
    std::sort(buffers.begin(), buffers.end(), [](const auto& a, const auto& b) { return a.slot < b.slot; });
    std::vector<std::string> names;
    for (const auto& buffer : buffers) names.push_back(buffer.name);
    return names;
}

}  // namespace

std::optional<isa::Program> readKernel(const std::string& name, std::string* why, const std::string& folder) {
    const std::string path = folder + "/" + name + ".tsb";
    const std::optional<std::string> bytes = readWholeFile(path, *why);
    auto program = bytes ? isa::deserialize(std::as_bytes(std::span(*bytes)), why) : std::nullopt;
    if (!program) *why = path + ": " + *why;
    return program;
}

std::shared_ptr<compute::Kernel> Runner::load(const std::string& name, std::string* why) {
    auto& program = programs_[name];
    if (program == nullptr) {
        auto read = readKernel(name, why, folder_);
        if (!read) return nullptr;
        program = std::make_shared<isa::Program>(std::move(*read));
    }
    return device_->load(*program, why);
}

Runner::Prepared Runner::prepare(const Job& job) {
    Prepared prepared;
    prepared.job_ = &job;
    prepared.device_ = device_.get();
    for (const Memory& memory : job.memories) {
        prepared.buffers_.push_back(std::make_shared<compute::Buffer>(memory.bytes.size()));
    }
    prepared.reset();
    std::map<std::string, std::shared_ptr<compute::Kernel>> kernels;
    for (const Step& step : job.steps) {
        auto& kernel = kernels[step.kernel];
        if (kernel == nullptr) kernel = load(step.kernel, &prepared.failure_);
        if (kernel == nullptr) return prepared;
        prepared.ready_.push_back({kernel, {.grid = step.grid, .block = step.block}, &step});
    }
    return prepared;
}

void Runner::Prepared::reset() {
    for (size_t i = 0; i < buffers_.size(); ++i) {
        std::copy(job_->memories[i].bytes.begin(), job_->memories[i].bytes.end(), buffers_[i]->bytes().begin());
    }
}

bool Runner::Prepared::launch() {
    std::vector<std::shared_ptr<compute::Launch>> launches;
    for (auto& [kernel, size, step] : ready_) {
        const auto names = bufferNames(kernel->program());
        bool fits = names.size() == step->buffers.size() && kernel->program().uniforms.size() == step->uniforms.size();
        for (size_t i = 0; fits && i < names.size(); ++i) {
            fits = kernel->bind(names[i], buffers_[static_cast<size_t>(step->buffers[i])]);
        }
        for (size_t i = 0; fits && i < step->uniforms.size(); ++i) {
            fits = kernel->setUniform(kernel->program().uniforms[i].name, step->uniforms[i]);
        }
        if (!fits) {
            failure_ = step->kernel + ": the job's buffers and uniforms are not the program's";
            return false;
        }
        launches.push_back(device_->launch(*kernel, size));
    }
    device_->wait();
    counters_ = {};
    for (size_t i = 0; i < launches.size(); ++i) {
        counters_.add(launches[i]->counters);
        if (!launches[i]->ok() && failure_.empty()) failure_ = ready_[i].step->kernel + ": " + launches[i]->message;
    }
    return failure_.empty();
}

std::vector<Memory> Runner::Prepared::memories() const {
    std::vector<Memory> copies;
    for (const auto& buffer : buffers_) copies.push_back({{buffer->bytes().begin(), buffer->bytes().end()}});
    return copies;
}

std::map<std::string, const isa::Program*> Runner::Prepared::programs() const {
    std::map<std::string, const isa::Program*> programs;
    for (const Ready& ready : ready_) programs[ready.step->kernel] = &ready.kernel->program();
    return programs;
}

Outcome Runner::run(const Job& job) {
    Prepared prepared = prepare(job);
    if (prepared.failure().empty()) prepared.launch();
    return {prepared.memories(), prepared.counters(), prepared.failure()};
}

}  // namespace tessera::kernels
