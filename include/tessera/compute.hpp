// Compute kernels on Tessera, from C++17 on: the C interface (tessera_compute.h) with owners, types and exceptions.
//
//   tessera::Device device;
//   tessera::Kernel kernel = device.load(text);
//   std::vector<float> data(4096, 1.0f);
//   kernel.bind("data", data);
//   kernel.set("factor", 3.0f);
//   kernel.launch({64});
//   device.wait();
//
// What the C interface refuses, and what goes wrong in a launch, is thrown as tessera::ComputeError with the reason. A
// device and its kernels belong to one thread at a time; a device stays open while there is a kernel of it.
#ifndef TESSERA_COMPUTE_HPP
#define TESSERA_COMPUTE_HPP

#include <tessera_compute.h>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <stdexcept>
#include <string_view>
#include <type_traits>
#include <utility>

namespace tessera {

class ComputeError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// Threads in a block, or blocks in a grid.
struct Size {
    std::uint32_t x = 1, y = 1, z = 1;
};

namespace detail {

inline void check(bool done) {
    if (!done) throw ComputeError(tesseraComputeError());
}

}  // namespace detail

/// A loaded program with its uniforms, zero until they are set, and the memory bound to its buffers.
class Kernel {
public:
    /// Binds a declared buffer to an array, vector or span of the caller's: at most 4 GiB, from a multiple of four
    /// bytes on, in place until the launches that were made with it have been waited for.
    template <class Range>
    void bind(const char* buffer, Range& memory) {
        using Element = std::remove_reference_t<decltype(*std::data(memory))>;
        static_assert(std::is_trivially_copyable_v<Element> && !std::is_const_v<Element>,
                      "kernels read and write plain, writable elements");
        detail::check(tesseraBindMemory(get(), buffer, std::data(memory), std::size(memory) * sizeof(Element)) != 0);
    }

    /// Sets a uniform's components, column by column and element by element: floats, or 32-bit integers.
    template <class Component>
    void set(const char* uniform, std::initializer_list<Component> components) {
        set(uniform, components.begin(), components.size());
    }
    template <class Component>
    void set(const char* uniform, Component component) {
        set(uniform, &component, 1);
    }
    template <class Component>
    void set(const char* uniform, const Component* components, std::size_t count) {
        static_assert(std::is_arithmetic_v<Component> && sizeof(Component) == 4,
                      "a component is a float, a std::int32_t or a std::uint32_t");
        detail::check(tesseraSetUniform(get(), uniform, components, count) != 0);
    }

    /// Notes a launch of `grid` blocks with the kernel as it is now, in blocks of the size that its program says.
    void launch(Size grid) { launch(grid, nullptr); }
    void launch(Size grid, Size block) {
        const std::uint32_t threads[3] = {block.x, block.y, block.z};
        launch(grid, threads);
    }

private:
    friend class Device;
    struct Free {
        void operator()(TesseraKernel* kernel) const { tesseraFreeKernel(kernel); }
    };
    Kernel(std::shared_ptr<TesseraDevice> device, TesseraKernel* kernel)
        : device_(std::move(device)), kernel_(kernel) {}
    TesseraKernel* get() const { return kernel_.get(); }
    void launch(Size grid, const std::uint32_t* block) {
        const std::uint32_t blocks[3] = {grid.x, grid.y, grid.z};
        detail::check(tesseraLaunch(get(), blocks, block) != 0);
    }

    std::shared_ptr<TesseraDevice> device_;  // closed after the kernel is freed
    std::unique_ptr<TesseraKernel, Free> kernel_;
};

class Device {
public:
    /// tier: "interp", "jit", or null for TESSERA_TIER. threads: 1 to 64, or 0 for TESSERA_THREADS.
    explicit Device(const char* tier = nullptr, int threads = 0)
        : device_(tesseraOpenDevice(tier, threads), tesseraCloseDevice) {
        detail::check(device_ != nullptr);
    }

    /// A kernel from assembly text, or from the bytes of a .tsb file.
    Kernel load(std::string_view program) {
        TesseraKernel* kernel = tesseraLoadKernel(device_.get(), program.data(), program.size());
        detail::check(kernel != nullptr);
        return Kernel(device_, kernel);
    }

    /// Runs what was noted and returns when all is done; throws the first failure of a launch.
    void wait() { detail::check(tesseraWait(device_.get()) != 0); }

    /// Sums over all launches so far.
    TesseraCounters counters() const {
        TesseraCounters counters;
        detail::check(tesseraGetCounters(device_.get(), &counters) != 0);
        return counters;
    }

private:
    std::shared_ptr<TesseraDevice> device_;
};

}  // namespace tessera

#endif
