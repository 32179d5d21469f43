// Files of the JIT's disk cache (shader-core/jit/store/cache.h), changed, cut, put together wrongly or of any bytes:
// load() gives an image whose length, key and checksum the file states, or nothing and the file is gone.
#define XXH_INLINE_ALL
#include "shader-core/jit/store/cache.h"

#include <unistd.h>
#include <xxhash.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "tests/fuzz/check.h"
#include "tests/fuzz/input.h"

namespace {

using namespace tessera;
namespace fs = std::filesystem;

/// A folder that goes with the process.
struct Folder {
    std::string path = (fs::temp_directory_path() / "tessera-fuzz-XXXXXX").string();
    Folder() { fuzz::demand(mkdtemp(path.data()) != nullptr, "a temporary folder"); }
    ~Folder() { fs::remove_all(path); }
};

const std::vector<char> kKey(80, 1), kOther(90, 1);

std::vector<char> imageOf(size_t size) {
    std::vector<char> image(size);
    for (size_t i = 0; i < size; ++i) image[i] = static_cast<char>(i * 37 >> 2);
    return image;
}

/// Whether all that a file says of what is in it is true: magic, version, lengths, checksum of key and image, the key.
bool isWhole(std::span<const char> file) {
    constexpr size_t kHeader = 32;
    if (file.size() < kHeader || std::memcmp(file.data(), "TSJC\2\0\0\0", 8) != 0) return false;
    uint64_t stated[3] = {};  // bytes of the key, bytes of the image, checksum
    std::memcpy(stated, file.data() + 8, sizeof stated);
    file = file.subspan(kHeader);
    return stated[0] == kKey.size() && file.size() >= kKey.size() && stated[1] == file.size() - kKey.size() &&
           std::equal(kKey.begin(), kKey.end(), file.begin()) && XXH3_64bits(file.data(), file.size()) == stated[2];
}

std::vector<char> contents(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

void change(std::vector<char>& file, fuzz::Input& input) {
    if (file.empty()) return;
    const size_t at = input.half() % file.size();
    const auto place = file.begin() + static_cast<std::ptrdiff_t>(at);
    switch (input.byte() % 5) {
        case 0:
            file[at] = static_cast<char>(file[at] ^ input.byte());
            break;
        case 1:
            file.resize(at);
            break;
        case 2:
            file.insert(place, input.byte() % 64, static_cast<char>(input.byte()));
            break;
        case 3:
            file.erase(place, file.begin() + static_cast<std::ptrdiff_t>(at + input.half() % (file.size() - at)));
            break;
        default:
            for (size_t k = at; k < std::min(at + 8, file.size()); ++k) file[k] = static_cast<char>(input.byte());
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    static const Folder kFolder;
    static jit::CodeCache cache(kFolder.path);
    if (size == 0) return 0;
    fuzz::Input input(data, size);
    const uint8_t kind = input.byte();
    const std::vector<char> image = imageOf(input.byte());
    cache.store(kKey, image);
    cache.store(kOther, imageOf(80));
    const std::string path = cache.pathOf(kKey);
    const std::vector<char> good = contents(path);
    std::vector<char> file(data + 1, data + size);
    if (kind >= 32) {
        file = kind < 48 ? contents(cache.pathOf(kOther)) : good;
        for (int changes = kind % 4; changes > 0; --changes) change(file, input);
    }
    std::ofstream(path, std::ios::binary | std::ios::trunc)
        .write(file.data(), static_cast<std::streamsize>(file.size()));
    const auto loaded = cache.load(kKey);
    if (file == good) fuzz::demand(loaded == image, "what was stored comes back");
    fuzz::demand(!loaded || isWhole(file), "damage is refused");
    fuzz::demand(loaded.has_value() == fs::exists(path), "and removed");
    cache.store(kKey, image);
    fuzz::demand(cache.load(kKey) == image, "the cache goes on");
    return 0;
}
