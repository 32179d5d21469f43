// The kernels in OpenCL C (kernels.cl) on the processor: PoCL. A job's steps are launched with the same memories and
// uniforms; an item has one element of the result.
#define CL_TARGET_OPENCL_VERSION 120
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>

#include <cstdio>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>

#include "bench/kernels/contender.h"

namespace tessera::bench {

namespace {

using kernels::Job;
using kernels::Memory;
using kernels::Step;
using Size = std::array<size_t, 3>;

struct Range {
    Size global{1, 1, 1}, local{0, 0, 0};  ///< local 0: OpenCL's choice
};

/// Items of a step: what its result has elements.
std::optional<Range> rangeOf(const Step& step, const Job& job) {
    const std::string& name = step.kernel;
    const auto u = [&](size_t vector, size_t component) { return size_t{step.uniforms[vector][component]}; };
    const auto elements = [&](size_t buffer) {
        return job.memories[static_cast<size_t>(step.buffers[buffer])].bytes.size() / 4;
    };
    if (name == "vector_add" || name.starts_with("matrix_add")) return Range{{elements(2), 1, 1}};
    if (name == "matrix_multiply_float" || name == "matrix_multiply_int") return Range{{u(0, 1), u(0, 0), 1}};
    if (name == "matrix_multiply_tiled") return Range{{u(0, 0), u(0, 0), 1}, {16, 16, 1}};
    if (name == "matrix_multiply_2x2") return Range{{elements(2) / 2, 1, 1}};
    if (name.starts_with("convolution") || name.starts_with("pool")) return Range{{u(0, 0), u(0, 1), 1}};
    if (name == "transpose") return Range{{u(0, 1), u(0, 0), 1}, {16, 16, 1}};
    if (name.starts_with("mandelbrot")) return Range{{u(1, 0), elements(1) / u(1, 0), 1}};
    if (name == "fft") return Range{{elements(0) / 4, 1, 1}, {step.block[0], 1, 1}};
    if (name == "kmeans_assign") return Range{{u(0, 0), 1, 1}};
    if (name == "kmeans_update") return Range{{u(0, 1), u(0, 2), 1}};
    if (name == "gaussian_multipliers") return Range{{u(0, 0) - 1 - u(0, 2), 1, 1}};
    if (name == "gaussian_eliminate") return Range{{u(0, 1) - u(0, 2), u(0, 0) - 1 - u(0, 2), 1}};
    if (name.starts_with("cnn_layer")) return Range{{u(0, 0) / 2, u(0, 1) / 2, 16}};
    if (name.starts_with("nin_layer")) return Range{{u(0, 0), u(0, 1), 16}};
    if (name.starts_with("nin_mlp")) return Range{{u(0, 0), u(0, 1), 16}};
    if (name.starts_with("nin_average")) return Range{{16 * 256, 1, 1}, {256, 1, 1}};
    return std::nullopt;
}

template <class T, cl_int (*Release)(T)>
struct Handle {
    T value = nullptr;
    Handle() = default;
    explicit Handle(T v) : value(v) {}
    Handle(const Handle&) = delete;
    Handle& operator=(const Handle&) = delete;
    ~Handle() {
        if (value != nullptr) Release(value);
    }
};

/// The platform's processor with kernels.cl built for it; `queue` is null without one.
struct Machine {
    cl_device_id device = nullptr;
    Handle<cl_context, clReleaseContext> context;
    Handle<cl_command_queue, clReleaseCommandQueue> queue;
    Handle<cl_program, clReleaseProgram> program;

    Machine() {
        cl_platform_id platform = nullptr;
        if (clGetPlatformIDs(1, &platform, nullptr) != CL_SUCCESS) return;
        if (clGetDeviceIDs(platform, CL_DEVICE_TYPE_CPU, 1, &device, nullptr) != CL_SUCCESS) return;
        context.value = clCreateContext(nullptr, 1, &device, nullptr, nullptr, nullptr);
        std::ifstream file(TESSERA_OPENCL_FILE);
        const std::string text{std::istreambuf_iterator<char>(file), {}};
        const char* start = text.c_str();
        program.value = clCreateProgramWithSource(context.value, 1, &start, nullptr, nullptr);
        if (clBuildProgram(program.value, 1, &device, "", nullptr, nullptr) != CL_SUCCESS) {
            std::vector<char> log(1 << 16);
            clGetProgramBuildInfo(program.value, device, CL_PROGRAM_BUILD_LOG, log.size() - 1, log.data(), nullptr);
            std::fprintf(stderr, "kernels.cl: %s\n", log.data());
            return;
        }
        queue.value = clCreateCommandQueue(context.value, device, 0, nullptr);
    }
};

/// A job's memory on the device and its steps with their arguments.
class Replay {
public:
    Replay(const Machine& machine, const Job& job) : machine_(machine), job_(job) {
        for (const Memory& memory : job.memories) {
            auto bytes = memory.bytes;
            buffers_.push_back(std::make_unique<Buffer>(clCreateBuffer(
                machine.context.value, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, bytes.size(), bytes.data(), nullptr)));
        }
        for (const Step& step : job.steps) {
            const auto range = rangeOf(step, job);
            cl_int status = CL_SUCCESS;
            auto kernel = std::make_unique<Kernel>(clCreateKernel(machine.program.value, step.kernel.c_str(), &status));
            if (!range || status != CL_SUCCESS) return;
            cl_uint argument = 0;
            for (int buffer : step.buffers) {
                clSetKernelArg(kernel->value, argument++, sizeof(cl_mem),
                               &buffers_[static_cast<size_t>(buffer)]->value);
            }
            for (const auto& uniform : step.uniforms) {
                cl_int4 value{};
                std::copy(uniform.begin(), uniform.end(), value.s);
                clSetKernelArg(kernel->value, argument++, sizeof value, &value);
            }
            steps_.push_back({std::move(kernel), *range});
        }
        complete_ = true;
    }

    [[nodiscard]] bool complete() const { return complete_; }

    void run() const {
        for (const auto& [kernel, range] : steps_) {
            clEnqueueNDRangeKernel(machine_.queue.value, kernel->value, 3, nullptr, range.global.data(),
                                   range.local[0] != 0 ? range.local.data() : nullptr, 0, nullptr, nullptr);
        }
        clFinish(machine_.queue.value);
    }

    [[nodiscard]] std::vector<Memory> memories() const {
        std::vector<Memory> copies = job_.memories;
        for (size_t i = 0; i < copies.size(); ++i) {
            clEnqueueReadBuffer(machine_.queue.value, buffers_[i]->value, CL_TRUE, 0, copies[i].bytes.size(),
                                copies[i].bytes.data(), 0, nullptr, nullptr);
        }
        return copies;
    }

private:
    using Buffer = Handle<cl_mem, clReleaseMemObject>;
    using Kernel = Handle<cl_kernel, clReleaseKernel>;
    struct Ready {
        std::unique_ptr<Kernel> kernel;
        Range range;
    };
    const Machine& machine_;
    const Job& job_;
    std::vector<std::unique_ptr<Buffer>> buffers_;
    std::vector<Ready> steps_;
    bool complete_ = false;
};

}  // namespace

Contender openCl(std::string_view, const Job& job) {
    static const Machine machine;
    if (machine.queue.value == nullptr) return {};
    for (const Step& step : job.steps) {
        if (!rangeOf(step, job)) return {};
    }
    auto replay = std::make_shared<Replay>(machine, job);
    if (!replay->complete()) return {};
    return {"PoCL", [=] { replay->run(); }, [=] { return replay->memories(); }};
}

}  // namespace tessera::bench
