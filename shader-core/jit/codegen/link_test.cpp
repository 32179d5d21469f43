// Images: they run wherever they lie, and what cannot be one is refused, by the linker and by the loader.
#include "shader-core/jit/codegen/link.h"

#include <doctest/doctest.h>

#include <cstring>
#include <fstream>
#include <string>

#include "base/process/env.h"
#include "shader-core/jit/run/callees.h"
#include "shader-core/jit/run/image.h"
#include "shader-core/jit/run/loader.h"

using namespace tessera;
using namespace tessera::jit;

namespace {

std::vector<char> imageOf(const char* object) {
    std::ifstream file(object, std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(file), {}};
    REQUIRE(!bytes.empty());
    return link({bytes, object});
}

bool runs(const std::vector<char>& image) {
    const CodePointer code = MachineCode::load(image, simdLevel());
    if (code == nullptr || code->inputComponents() != isa::ComponentMasks{{1, 0, 1, 0}}) return false;
    uint8_t bytes[8] = {6, 0, 0, 0, 0, 0, 1, 2};
    reinterpret_cast<void (*)(uint8_t*)>(code->function())(bytes);
    const uint8_t expected[8] = {5, 5, 5, 5, 5, 5, 1, 2};
    return std::memcmp(bytes, expected, sizeof bytes) == 0;
}

ImageHeader headerOf(const std::vector<char>& image) {
    ImageHeader header{};
    std::memcpy(&header, image.data(), sizeof header);
    return header;
}

/// The image with another header.
template <class Change>
std::vector<char> changed(std::vector<char> image, const Change& change) {
    ImageHeader header = headerOf(image);
    change(header);
    std::memcpy(image.data(), &header, sizeof header);
    return image;
}

bool loads(const std::vector<char>& image) { return MachineCode::load(image, simdLevel()) != nullptr; }

}  // namespace

TEST_CASE("an image runs, reads its constants and calls what there is") {
    const std::vector<char> image = imageOf(TESSERA_OBJECT_GOOD);
    REQUIRE(!image.empty());
    CHECK(headerOf(image).calls == 1);
    CHECK(runs(image));
    // At two places at once.
    const CodePointer code = MachineCode::load(image, simdLevel());
    REQUIRE(code != nullptr);
    CHECK(runs(image));
}

TEST_CASE("what calls functions that are not there, holds an address or lacks inputs, or is no object is no image") {
    CHECK(imageOf(TESSERA_OBJECT_CALLS_NOBODY).empty());
    CHECK(imageOf(TESSERA_OBJECT_HAS_ADDRESS).empty());
    CHECK(imageOf(TESSERA_OBJECT_LACKS_INPUTS).empty());
    CHECK(link({"\177ELF and so on", "rubbish"}).empty());
}

TEST_CASE("images that contradict themselves are refused") {
    const std::vector<char> image = imageOf(TESSERA_OBJECT_GOOD);
    REQUIRE(loads(image));
    for (size_t size = 0; size < image.size(); size += size < 64 ? 1 : 13)
        CHECK(!loads({image.begin(), image.begin() + static_cast<std::ptrdiff_t>(size)}));
    using Header = ImageHeader&;
    CHECK(!loads(changed(image, [](Header h) { ++h.bytes; })));
    CHECK(!loads(changed(image, [](Header h) { h.bytes = UINT32_MAX; })));
    CHECK(!loads(changed(image, [](Header h) { ++h.calls; })));
    CHECK(!loads(changed(image, [](Header h) { h.calls = UINT32_MAX; })));
    CHECK(!loads(changed(image, [](Header h) { h.function = h.bytes; })));
    CHECK(!loads(changed(image, [](Header h) { h.functionBytes = 0; })));
    CHECK(!loads(changed(image, [](Header h) { h.functionBytes = UINT32_MAX; })));

    const auto withCall = [&](const ImageCall& call) {
        std::vector<char> other = image;
        std::memcpy(other.data() + sizeof(ImageHeader), &call, sizeof call);
        return other;
    };
    ImageCall call;
    std::memcpy(&call, image.data() + sizeof(ImageHeader), sizeof call);
    CHECK(loads(withCall(call)));
    CHECK(!loads(withCall({call.place, kCallees})));
    CHECK(!loads(withCall({call.place + 1, call.callee})));
    CHECK(!loads(withCall({headerOf(image).bytes / 8 * 8, call.callee})));
}

TEST_CASE("callees have numbers of their own") {
    std::vector<bool> seen(kCallees);
    const auto see = [&](const std::string& symbol) {
        const auto number = calleeNumber(symbol);
        REQUIRE(number.has_value());
        CHECK(!seen.at(*number));
        seen.at(*number) = true;
        CHECK(calleeAddress(*number, simdLevel()) != nullptr);
    };
    for (const LaneFunction& f : kLaneFunctions) see(std::string(kCallPrefix) + std::string(f.name));
    see("memset");
    see("memcpy");
    CHECK(!calleeNumber("memmove"));
    CHECK(!calleeNumber("rsq"));
    CHECK(calleeAddress(*calleeNumber("memset"), simdLevel()) == reinterpret_cast<const void*>(&std::memset));
}
