// Files of the JIT's disk cache (shader-core/jit/store/cache.h), changed, cut, put together wrongly or of any bytes:
// load() gives an object whose length, key and checksum the file states, or nothing and the file is gone.
#include "shader-core/jit/store/cache.h"

#include <unistd.h>

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

bool sameByte(uint8_t a, char b) { return a == static_cast<uint8_t>(b); }

constexpr jit::CacheKey kKey = {1, 2, 3}, kOther = {3, 2, 1};

std::vector<char> objectOf(size_t size) {
    std::vector<char> object(size);
    for (size_t i = 0; i < size; ++i) object[i] = static_cast<char>(i * 37 >> 2);
    return object;
}

/// Whether all that a file says of its object is true: magic, version, key, length, checksum (FNV-1a over words of 64
/// bits, then bytes), object. Fuzzers learn to write such files.
bool isWhole(std::span<const char> file) {
    constexpr size_t kHeader = 56;
    constexpr uint64_t kPrime = 0x100000001b3;
    if (file.size() < kHeader || std::memcmp(file.data(), "TSJC\1\0\0\0", 8) != 0) return false;
    uint64_t stated[2] = {}, hash = 0xcbf29ce484222325;
    std::memcpy(stated, file.data() + 40, sizeof stated);
    file = file.subspan(kHeader);
    if (stated[0] != file.size()) return false;
    for (; file.size() >= 8; file = file.subspan(8)) {
        uint64_t word = 0;
        std::memcpy(&word, file.data(), sizeof word);
        hash = (hash ^ word) * kPrime;
        hash ^= hash >> 32;
    }
    for (const char byte : file) hash = (hash ^ static_cast<uint8_t>(byte)) * kPrime;
    return hash == stated[1];
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
    const std::vector<char> object = objectOf(input.byte());
    cache.store(kKey, object);
    cache.store(kOther, objectOf(80));
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
    if (file == good) fuzz::demand(loaded == object, "what was stored comes back");
    fuzz::demand(!loaded || (isWhole(file) && std::equal(kKey.begin(), kKey.end(), file.begin() + 8, sameByte)),
                 "damage is refused");
    fuzz::demand(loaded.has_value() == fs::exists(path), "and removed");
    cache.store(kKey, object);
    fuzz::demand(cache.load(kKey) == object, "the cache goes on");
    return 0;
}
