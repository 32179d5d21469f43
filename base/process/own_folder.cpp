#include "base/process/own_folder.h"

#include <dlfcn.h>
#include <link.h>

#include <filesystem>
#include <new>

namespace tessera {

namespace fs = std::filesystem;

std::string folderOf(const void* symbol) {
    Dl_info info{};
    link_map* map = nullptr;
    if (dladdr1(symbol, &info, reinterpret_cast<void**>(&map), RTLD_DL_LINKMAP) == 0 || map == nullptr) return {};
    std::error_code error;
    // The program itself has no name there, and the one among its arguments is its caller's word. A library's folder is
    // the one of its name, wherever a link of that name leads.
    const fs::path path = *map->l_name != '\0' ? fs::path(map->l_name) : fs::read_symlink("/proc/self/exe", error);
    const fs::path folder = error ? fs::path() : fs::canonical(fs::absolute(path, error).parent_path(), error);
    return error ? std::string() : (folder / "").string();
}

std::string folderWith(const char* file, const void* symbol) {
    const std::string own = folderOf(symbol);
    if (own.empty()) return {};
    std::error_code error;
    for (const char* beside : {"", "../lib/", "../lib/" TESSERA_MULTIARCH "/"})
        if (fs::exists(own + beside + file, error)) return (fs::canonical(own + beside, error) / "").string();
    return {};
}

const std::string* keptFolderWith(const char* file, const void* symbol) noexcept try {
    return new std::string(folderWith(file, symbol));
} catch (const std::bad_alloc&) {
    return nullptr;
}

}  // namespace tessera
