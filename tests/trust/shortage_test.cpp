// Memory and threads run out at any moment: a program that draws is run once for each thread that it starts and for
// each place that it allocates memory from, and that one fails. The program goes on, with an error or the right
// picture, draws the right picture when there is memory again, and ends as programs do.
//
// The allocator of the process is the one defined here. Each run is a forked child in which nobody has called EGL yet.
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GLES2/gl2.h>
#include <GLES2/gl2ext.h>
#include <dlfcn.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include <unwind.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming): the C library has them
extern "C" {
void* __libc_malloc(size_t bytes);
void* __libc_calloc(size_t count, size_t bytes);
void* __libc_realloc(void* old, size_t bytes);
void* __libc_memalign(size_t alignment, size_t bytes);
}
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)

namespace {

enum class What : uint8_t { Nothing, Memory, Thread };

constexpr size_t kMaxPlaces = size_t{1} << 16;
constexpr int kFrames = 7;  ///< callers that tell one place of an allocation from another

/// Shared with the children.
struct Shared {
    std::atomic<uint64_t> count;    ///< requests of the run
    std::atomic<uint64_t> failed;   ///< of them
    uint64_t places;                ///< found
    uint64_t first[kMaxPlaces];     ///< number of the first request from each place
    bool isLoading[kMaxPlaces];     ///< made for a static object of the JIT's library, while that is opened
    uint64_t seen[kMaxPlaces * 2];  ///< hashes of callers, open addressing; 0: free
};
Shared* shared = nullptr;

std::atomic<What> watched{What::Nothing};
std::atomic<uint64_t> failing{0};  ///< number of the request, from 1; 0: none
std::atomic<bool> records{false};
thread_local bool inside = false;

struct Callers {
    uint64_t hash = 1469598103934665603u;
    int frames = 0;
    bool hasJit = false, isLoading = false;
};

_Unwind_Reason_Code addCaller(_Unwind_Context* context, void* given) {
    auto& callers = *static_cast<Callers*>(given);
    if (callers.frames++ < kFrames) callers.hash = (callers.hash ^ _Unwind_GetIP(context)) * 1099511628211u;
    Dl_info where{};
    if (dladdr(reinterpret_cast<void*>(_Unwind_GetIP(context)), &where) == 0) return _URC_NO_REASON;
    const std::string_view file = where.dli_fname;
    callers.hasJit |= file.find("libtessera_jit") != file.npos;
    // Above the linker is who opens a library.
    if (file.find("/ld-") == file.npos) return _URC_NO_REASON;
    callers.isLoading = callers.hasJit;
    return callers.frames < kFrames ? _URC_NO_REASON : _URC_NORMAL_STOP;
}

void record(uint64_t number) {
    static std::atomic_flag busy;
    inside = true;
    Callers callers;
    _Unwind_Backtrace(addCaller, &callers);
    while (busy.test_and_set()) {
    }
    size_t at = callers.hash % std::size(shared->seen);
    while (shared->seen[at] != 0 && shared->seen[at] != callers.hash) at = (at + 1) % std::size(shared->seen);
    if (shared->seen[at] == 0 && shared->places < kMaxPlaces) {
        shared->seen[at] = callers.hash;
        shared->isLoading[shared->places] = callers.isLoading;
        shared->first[shared->places++] = number;
    }
    busy.clear();
    inside = false;
}

struct Chain {
    void* caller[6] = {};
    size_t size = 0;
};

_Unwind_Reason_Code addToChain(_Unwind_Context* context, void* given) {
    auto& chain = *static_cast<Chain*>(given);
    chain.caller[chain.size++] = reinterpret_cast<void*>(_Unwind_GetIP(context));
    return chain.size < std::size(chain.caller) ? _URC_NO_REASON : _URC_NORMAL_STOP;
}

/// Requests of the C and C++ libraries for themselves do not fail: glibc ends the process when a destructor of a thread
/// cannot be registered or a library's variables of a thread have no place, and some of libstdc++'s containers and
/// strings do so to glslang, which cannot go on. Those of dlopen(), which is the C library's too, fail.
bool isOfSystem() {
    Chain chain;
    inside = true;
    _Unwind_Backtrace(addToChain, &chain);
    bool system = false, byLoader = false;
    for (size_t i = 0; i < chain.size; ++i) {
        Dl_info where{};
        if (dladdr(chain.caller[i], &where) == 0) break;
        const std::string_view file = where.dli_fname, function = where.dli_sname == nullptr ? "" : where.dli_sname;
        if (file.find("shortage_test") != file.npos) continue;                       // the allocator above
        if (function.starts_with("_Znw") || function.starts_with("_Zna")) continue;  // operator new
        byLoader |= file.find("/ld-") != file.npos;
        if (file.find("/ld-") != file.npos) continue;
        // The dynamic linker is called by the C library for dlopen(), by anybody for variables of a thread.
        system = file.find("libstdc++") != file.npos || (file.find("libc.so") != file.npos) != byLoader;
        break;
    }
    inside = false;
    return system;
}

/// Whether this request is the one that fails.
bool fails(What what) {
    if (watched.load(std::memory_order_relaxed) != what || inside) return false;
    const uint64_t number = ++shared->count;
    if (records) record(number);
    if (number != failing || (what == What::Memory && isOfSystem())) return false;
    ++shared->failed;
    return true;
}

template <class Result>
Result outOfMemory(Result nothing) {
    errno = ENOMEM;
    return nothing;
}

}  // namespace

#pragma GCC visibility push(default)
extern "C" {

void* malloc(size_t bytes) noexcept { return fails(What::Memory) ? outOfMemory<void*>(nullptr) : __libc_malloc(bytes); }
void* calloc(size_t count, size_t bytes) noexcept {
    return fails(What::Memory) ? outOfMemory<void*>(nullptr) : __libc_calloc(count, bytes);
}
void* realloc(void* old, size_t bytes) noexcept {
    return fails(What::Memory) ? outOfMemory<void*>(nullptr) : __libc_realloc(old, bytes);
}
void* memalign(size_t alignment, size_t bytes) noexcept {
    return fails(What::Memory) ? outOfMemory<void*>(nullptr) : __libc_memalign(alignment, bytes);
}
void* aligned_alloc(size_t alignment, size_t bytes) noexcept { return memalign(alignment, bytes); }
int posix_memalign(void** result, size_t alignment, size_t bytes) noexcept {
    *result = memalign(alignment, bytes);
    return *result == nullptr ? ENOMEM : 0;
}
void* mmap(void* address, size_t bytes, int protection, int flags, int file, off_t offset) noexcept {
    if (fails(What::Memory)) return outOfMemory(MAP_FAILED);
    return reinterpret_cast<void*>(syscall(SYS_mmap, address, bytes, protection, flags, file, offset));
}
int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*start)(void*),
                   void* argument) noexcept {
    using Function = int (*)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);
    static const auto next = reinterpret_cast<Function>(dlsym(RTLD_NEXT, "pthread_create"));
    return fails(What::Thread) ? EAGAIN : next(thread, attributes, start, argument);
}

}  // extern "C"
#pragma GCC visibility pop

namespace {

GLuint shader(GLenum type, const char* source) {
    const GLuint name = glCreateShader(type);
    glShaderSource(name, 1, &source, nullptr);
    glCompileShader(name);
    return name;
}

/// Until the thread that compiles is done, which asks for memory all the time but rests 20 ms before final code: 50 ms
/// without a request.
void waitForCompiler() {
    for (uint64_t before = ~uint64_t{0}; before != shared->count;) {
        before = shared->count;
        usleep(50'000);
    }
}

enum class Outcome : uint8_t { Right, Error, Wrong };

template <class Function>
bool find(Function& function, const char* name) {
    function = reinterpret_cast<Function>(eglGetProcAddress(name));
    return function != nullptr;
}

/// What a program does, from the first call to the last; an error wherever one is told ends it.
Outcome draw() {
    PFNEGLQUERYDEVICESEXTPROC queryDevices = nullptr;
    PFNEGLQUERYDEVICESTRINGEXTPROC queryDeviceString = nullptr;
    PFNGLGENQUERIESEXTPROC genQueries = nullptr;
    PFNGLBEGINQUERYEXTPROC beginQuery = nullptr;
    PFNGLENDQUERYEXTPROC endQuery = nullptr;
    PFNGLGETQUERYOBJECTUIVEXTPROC getQueryObject = nullptr;
    if (!find(queryDevices, "eglQueryDevicesEXT") || !find(queryDeviceString, "eglQueryDeviceStringEXT") ||
        !find(genQueries, "glGenQueriesEXT") || !find(beginQuery, "glBeginQueryEXT") ||
        !find(endQuery, "glEndQueryEXT") || !find(getQueryObject, "glGetQueryObjectuivEXT"))
        return Outcome::Error;
    (void)eglGetProcAddress("glOrthofOES");
    EGLDeviceEXT device = nullptr;
    EGLint devices = 0;
    if (queryDevices(1, &device, &devices) == EGL_TRUE) (void)queryDeviceString(device, EGL_RENDERER_EXT);
    EGLDisplay display = eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, nullptr, nullptr);
    if (display == EGL_NO_DISPLAY || eglInitialize(display, nullptr, nullptr) != EGL_TRUE) return Outcome::Error;
    const EGLint wanted[] = {
        EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE, EGL_OPENGL_ES2_BIT, EGL_RED_SIZE, 8, EGL_ALPHA_SIZE, 8,
        EGL_NONE};
    const EGLint size[] = {EGL_WIDTH, 150, EGL_HEIGHT, 150, EGL_NONE};
    const EGLint version[] = {EGL_CONTEXT_CLIENT_VERSION, 2, EGL_CONTEXT_OPENGL_DEBUG, EGL_TRUE, EGL_NONE};
    EGLConfig config = nullptr;
    EGLint configs = 0;
    if (eglChooseConfig(display, wanted, &config, 1, &configs) != EGL_TRUE) return Outcome::Error;
    EGLSurface surface = eglCreatePbufferSurface(display, config, size);
    EGLContext context = eglCreateContext(display, config, EGL_NO_CONTEXT, version);
    if (eglMakeCurrent(display, surface, surface, context) != EGL_TRUE) {
        eglTerminate(display);
        return Outcome::Error;
    }
    const GLuint program = glCreateProgram();
    glAttachShader(program, shader(GL_VERTEX_SHADER,
                                   "attribute vec2 position; varying vec2 at;"
                                   "void main() { at = position; gl_Position = vec4(position, 0.0, 1.0); }"));
    glAttachShader(program, shader(GL_FRAGMENT_SHADER,
                                   "precision mediump float; varying vec2 at; uniform sampler2D image;"
                                   "void main() { gl_FragColor = texture2D(image, at); }"));
    glBindAttribLocation(program, 0, "position");
    glLinkProgram(program);
    glUseProgram(program);
    GLuint texture = 0, buffer = 0;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    const GLubyte texels[16] = {9, 8, 7, 255, 9, 8, 7, 255, 9, 8, 7, 255, 9, 8, 7, 255};
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 2, 2, 0, GL_RGBA, GL_UNSIGNED_BYTE, texels);
    glGenerateMipmap(GL_TEXTURE_2D);
    const GLfloat corners[6] = {-1, -1, 3, -1, -1, 3};
    glGenBuffers(1, &buffer);
    glBindBuffer(GL_ARRAY_BUFFER, buffer);
    glBufferData(GL_ARRAY_BUFFER, sizeof corners, corners, GL_STATIC_DRAW);
    glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, nullptr);
    glEnableVertexAttribArray(0);
    GLuint query = 0, isSeen = 0;
    genQueries(1, &query);
    for (int i = 0; i < 3; ++i) {
        if (i == 1) beginQuery(GL_ANY_SAMPLES_PASSED_EXT, query);
        glClear(GL_COLOR_BUFFER_BIT);
        glDrawArrays(GL_TRIANGLES, 0, 3);
        if (i == 1) endQuery(GL_ANY_SAMPLES_PASSED_EXT);
        glFlush();
    }
    eglWaitClient();
    getQueryObject(query, GL_QUERY_RESULT_EXT, &isSeen);
    GLubyte pixel[4] = {};
    glReadPixels(100, 100, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, pixel);
    Outcome outcome = isSeen != 0 && memcmp(pixel, texels, sizeof pixel) == 0 ? Outcome::Right : Outcome::Wrong;
    while (glGetError() != GL_NO_ERROR) outcome = Outcome::Error;
    if (eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT) != EGL_TRUE) outcome = Outcome::Error;
    eglTerminate(display);
    eglReleaseThread();
    return outcome;
}

const bool compilesBehind =
    std::getenv("TESSERA_TIER") != nullptr && !std::strcmp(std::getenv("TESSERA_TIER"), "tiered");

enum Exit : uint8_t { kFine, kWrongPicture, kNotUsableAfterwards };

/// In a child: its exit code. `number`: the request that fails, 0: none.
int drawInChild(What what, uint64_t number, bool recording) {
    shared->count = shared->failed = 0;
    std::fflush(nullptr);
    const pid_t child = fork();
    if (child == 0) {
        alarm(10);
        records = recording;
        failing = number;
        watched = what;
        const Outcome outcome = draw();
        if (compilesBehind) waitForCompiler();
        watched = What::Nothing;
        if (outcome == Outcome::Wrong) std::exit(kWrongPicture);
        std::exit(draw() == Outcome::Right ? kFine : kNotUsableAfterwards);
    }
    int status = -1;
    waitpid(child, &status, 0);
    return status;
}

std::string described(int status) {
    if (WIFSIGNALED(status)) return std::string("killed by ") + strsignal(WTERMSIG(status));
    if (WEXITSTATUS(status) == kWrongPicture) return "a wrong picture and no error";
    if (WEXITSTATUS(status) == kNotUsableAfterwards) return "no right picture afterwards";
    return "exit code " + std::to_string(WEXITSTATUS(status));
}

}  // namespace

/// shortage_test [STRIDE [REQUEST]]: memory from each STRIDE-th place fails, and from all of the static objects of the
/// JIT's library, of which an exception would leave the linker locked; or that one request of it.
int main(int argc, char** argv) {
    const uint64_t stride = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 1;
    void* memory = mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    shared = static_cast<Shared*>(memory);
    if (memory == MAP_FAILED) return 1;
    if (const int status = drawInChild(What::Memory, 0, true); status != 0) {
        std::printf("the program does not draw at all: %s\n", described(status).c_str());
        return 1;
    }
    if (argc > 2) {
        const int status = drawInChild(What::Memory, std::strtoull(argv[2], nullptr, 10), false);
        std::puts(status == 0 ? "fine" : described(status).c_str());
        return status != 0;
    }
    const std::vector<uint64_t> places(shared->first, shared->first + shared->places);
    std::printf("%llu allocations from %zu places\n", static_cast<unsigned long long>(shared->count), places.size());
    int wrong = 0;
    const auto expect = [&](const char* kind, uint64_t number, int status) {
        if (status == 0) return;
        ++wrong;
        std::printf("%s %llu: %s\n", kind, static_cast<unsigned long long>(number), described(status).c_str());
    };
    uint64_t threads = 0;
    do {
        expect("thread", threads + 1, drawInChild(What::Thread, threads + 1, false));
        ++threads;
    } while (shared->failed != 0);
    size_t tried = 0;
    for (size_t i = 0; i < places.size(); ++i) {
        if (i % stride != 0 && !shared->isLoading[i]) continue;
        ++tried;
        expect("allocation", places[i], drawInChild(What::Memory, places[i], false));
    }
    std::printf("%llu threads and %zu allocations failed, %d of them wrongly\n",
                static_cast<unsigned long long>(threads - 1), tried, wrong);
    return wrong != 0;
}
