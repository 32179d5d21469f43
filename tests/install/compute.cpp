// A C++17 program outside the tree: a kernel from the bytes of a .tsb file that `tessera as` wrote.
#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>
#include <tessera/compute.hpp>
#include <vector>

int main(int, char** arguments) try {
    std::ifstream file(arguments[1], std::ios::binary);
    const std::string program{std::istreambuf_iterator<char>(file), {}};
    std::vector<float> data(128);
    for (std::size_t i = 0; i < data.size(); ++i) data[i] = static_cast<float>(i);
    tessera::Device device;
    tessera::Kernel kernel = device.load(program);
    kernel.bind("data", data);
    kernel.set("factor", 2.0f);
    kernel.launch({2});
    device.wait();
    std::printf("%g %g %g\n", data[1], data[64], data[127]);
} catch (const tessera::ComputeError& error) {
    std::puts(error.what());
    return 1;
}
