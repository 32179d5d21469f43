// Tessera for Node.js, by Node-API: contexts without a window, and every function of entry_points.inc under its own
// name with numbers, typed arrays and strings for arguments. webgl.js makes WebGL of them and sees that arrays are as
// long as the functions need them: a function gets an array's address, or a number as an offset into a buffer object.
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GLES3/gl3.h>
// With the tokens and types that OpenGL ES 3.0 has no more.
#include <GLES2/gl2ext.h>
#include <GLES2/gl2tessera.h>
#include <dlfcn.h>
#include <node_api.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace {

// --- The driver ---

using FindFunction = void (*(*)(const char*))();

/// eglGetProcAddress of the libtessera.so.0 beside this file: never another driver's, whichever the process has.
FindFunction findFunction() {
    static const FindFunction find = [] {
        Dl_info self{};
        if (dladdr(reinterpret_cast<const void*>(&findFunction), &self) == 0) return FindFunction{};
        std::string path = self.dli_fname;
        path = path.substr(0, path.rfind('/') + 1) + "libtessera.so.0";
        void* const library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
        if (library == nullptr) return FindFunction{};
        return reinterpret_cast<FindFunction>(dlsym(library, "tessera_eglGetProcAddress"));
    }();
    return find;
}

template <class Function>
Function find(const char* name) {
    return reinterpret_cast<Function>(findFunction()(name));
}

// --- Arguments and results ---

napi_value number(napi_env env, double value) {
    napi_value out = nullptr;
    napi_create_double(env, value, &out);
    return out;
}

napi_value boolean(napi_env env, bool value) {
    napi_value out = nullptr;
    napi_get_boolean(env, value, &out);
    return out;
}

napi_value undefined(napi_env env) {
    napi_value out = nullptr;
    napi_get_undefined(env, &out);
    return out;
}

std::string textOf(napi_env env, napi_value value) {
    size_t length = 0;
    napi_get_value_string_utf8(env, value, nullptr, 0, &length);
    std::string text(length, '\0');
    napi_get_value_string_utf8(env, value, text.data(), length + 1, &length);
    return text;
}

/// Where the bytes of an array begin; null when the value is none.
void* bytesOf(napi_env env, napi_value value) {
    void* data = nullptr;
    size_t length = 0, offset = 0;
    napi_value memory = nullptr;
    napi_typedarray_type type{};
    bool is = false;
    if (napi_is_typedarray(env, value, &is) == napi_ok && is) {
        napi_get_typedarray_info(env, value, &type, &length, &data, &memory, &offset);
    } else if (napi_is_dataview(env, value, &is) == napi_ok && is) {
        napi_get_dataview_info(env, value, &length, &data, &memory, &offset);
    } else if (napi_is_arraybuffer(env, value, &is) == napi_ok && is) {
        napi_get_arraybuffer_info(env, value, &data, &length);
    }
    return data;
}

double doubleOf(napi_env env, napi_value value) {
    double out = 0;
    if (napi_get_value_double(env, value, &out) == napi_ok) return out;
    bool truth = false;
    napi_get_value_bool(env, value, &truth);
    return truth ? 1 : 0;
}

int64_t integerOf(napi_env env, napi_value value) {
    int64_t out = 0;
    if (napi_get_value_int64(env, value, &out) == napi_ok) return out;
    return static_cast<int64_t>(doubleOf(env, value));
}

/// A JavaScript value as an argument of type T, for as long as this lives. Functions are no values that can be passed.
template <class T>
class Argument {
public:
    static constexpr bool kIsPassed = !std::is_function_v<std::remove_pointer_t<T>>;
    static constexpr bool kIsTexts = std::is_same_v<T, const GLchar* const*>;

    Argument(napi_env env, napi_value value) {
        if constexpr (std::is_floating_point_v<T>) {
            value_ = static_cast<T>(doubleOf(env, value));
        } else if constexpr (std::is_integral_v<T>) {
            value_ = static_cast<T>(integerOf(env, value));
        } else if constexpr (kIsPassed) {
            pointTo(env, value);
        }
    }
    [[nodiscard]] T get() const {
        if constexpr (std::is_same_v<T, const GLchar*>) {
            if (isText_) return text_.c_str();
        } else if constexpr (kIsTexts) {
            return pointers_.data();
        }
        return value_;
    }

private:
    void pointTo(napi_env env, napi_value value) {
        napi_valuetype type{};
        napi_typeof(env, value, &type);
        if constexpr (kIsTexts) {
            uint32_t count = 0;
            napi_get_array_length(env, value, &count);
            texts_.resize(count);
            for (uint32_t i = 0; i < count; ++i) {
                napi_value element = nullptr;
                if (napi_get_element(env, value, i, &element) == napi_ok) texts_[i] = textOf(env, element);
                pointers_.push_back(texts_[i].c_str());
            }
        } else if (type == napi_string) {
            isText_ = true;
            text_ = textOf(env, value);
        } else if (type == napi_number) {
            value_ = reinterpret_cast<T>(static_cast<intptr_t>(integerOf(env, value)));
        } else {
            value_ = reinterpret_cast<T>(bytesOf(env, value));
        }
    }

    T value_{};
    bool isText_ = false;
    std::string text_;
    std::vector<std::string> texts_;
    std::vector<const GLchar*> pointers_;
};

template <class T>
napi_value resultOf(napi_env env, T value) {
    if constexpr (std::is_same_v<T, const GLubyte*>) {
        napi_value out = nullptr;
        if (value == nullptr)
            napi_get_null(env, &out);
        else
            napi_create_string_utf8(env, reinterpret_cast<const char*>(value), NAPI_AUTO_LENGTH, &out);
        return out;
    } else if constexpr (std::is_pointer_v<T>) {
        return number(env, static_cast<double>(reinterpret_cast<uintptr_t>(value)));
    } else {
        return number(env, static_cast<double>(value));
    }
}

// --- The functions ---

template <class Function>
struct Call;

template <class Result, class... T>
struct Call<Result (*)(T...)> {
    using Function = Result (*)(T...);
    static constexpr bool kIsPassed = (Argument<T>::kIsPassed && ...);

    static napi_value run(napi_env env, napi_callback_info info) {
        return call(env, info, std::index_sequence_for<T...>());
    }

private:
    template <size_t... I>
    static napi_value call(napi_env env, napi_callback_info info, std::index_sequence<I...>) {
        size_t count = sizeof...(T);
        napi_value values[sizeof...(T) + 1] = {};
        void* function = nullptr;
        napi_get_cb_info(env, info, &count, values, nullptr, &function);  // what is missing is undefined
        const std::tuple<Argument<T>...> arguments{Argument<T>(env, values[I])...};
        const auto act = [&] { return reinterpret_cast<Function>(function)(std::get<I>(arguments).get()...); };
        if constexpr (std::is_void_v<Result>) {
            act();
            return undefined(env);
        } else {
            return resultOf(env, act());
        }
    }
};

void define(napi_env env, napi_value object, const char* name, napi_callback callback, void* data = nullptr) {
    napi_value function = nullptr;
    napi_create_function(env, name, NAPI_AUTO_LENGTH, callback, data, &function);
    napi_set_named_property(env, object, name, function);
}

template <class Function>
void defineCall(napi_env env, napi_value object, const char* name) {
    if constexpr (Call<Function>::kIsPassed)
        define(env, object, name, Call<Function>::run, reinterpret_cast<void*>(findFunction()(name)));
}

/// getBufferSubData(target, offset, array): the array's bytes become the buffer's. False: a GL error says why not.
napi_value getBufferSubData(napi_env env, napi_callback_info info) {
    size_t count = 4;
    napi_value values[4] = {};
    napi_get_cb_info(env, info, &count, values, nullptr, nullptr);
    const auto target = static_cast<GLenum>(integerOf(env, values[0]));
    const auto offset = static_cast<GLintptr>(integerOf(env, values[1]));
    const auto size = static_cast<GLsizeiptr>(integerOf(env, values[3]));
    void* const to = bytesOf(env, values[2]);
    if (size == 0 || to == nullptr) return boolean(env, true);
    static const auto map = find<void* (*)(GLenum, GLintptr, GLsizeiptr, GLbitfield)>("glMapBufferRange");
    static const auto unmap = find<GLboolean (*)(GLenum)>("glUnmapBuffer");
    const void* const from = map(target, offset, size, GL_MAP_READ_BIT);
    if (from == nullptr) return boolean(env, false);
    std::memcpy(to, from, static_cast<size_t>(size));
    unmap(target);
    return boolean(env, true);
}

// --- Contexts ---

struct Egl {
    EGLDisplay display = EGL_NO_DISPLAY;
    decltype(&eglChooseConfig) chooseConfig = find<decltype(&eglChooseConfig)>("eglChooseConfig");
    decltype(&eglCreateContext) createContext = find<decltype(&eglCreateContext)>("eglCreateContext");
    decltype(&eglCreatePbufferSurface) createPbuffer =
        find<decltype(&eglCreatePbufferSurface)>("eglCreatePbufferSurface");
    decltype(&eglMakeCurrent) makeCurrent = find<decltype(&eglMakeCurrent)>("eglMakeCurrent");
    decltype(&eglDestroyContext) destroyContext = find<decltype(&eglDestroyContext)>("eglDestroyContext");
    decltype(&eglDestroySurface) destroySurface = find<decltype(&eglDestroySurface)>("eglDestroySurface");

    Egl() {
        display = find<decltype(&eglGetPlatformDisplay)>("eglGetPlatformDisplay")(EGL_PLATFORM_SURFACELESS_MESA,
                                                                                  EGL_DEFAULT_DISPLAY, nullptr);
        if (find<decltype(&eglInitialize)>("eglInitialize")(display, nullptr, nullptr) == EGL_FALSE)
            display = EGL_NO_DISPLAY;
    }
};

const Egl& egl() {
    static const Egl kEgl;
    return kEgl;
}

struct Context {
    EGLConfig config = nullptr;
    EGLContext context = EGL_NO_CONTEXT;
    EGLSurface surface = EGL_NO_SURFACE;

    void close() {
        if (surface != EGL_NO_SURFACE) egl().destroySurface(egl().display, surface);
        if (context != EGL_NO_CONTEXT) egl().destroyContext(egl().display, context);
        surface = EGL_NO_SURFACE;
        context = EGL_NO_CONTEXT;
    }
};

EGLSurface makeSurface(EGLConfig config, int64_t width, int64_t height) {
    const EGLint size[] = {EGL_WIDTH, static_cast<EGLint>(width), EGL_HEIGHT, static_cast<EGLint>(height), EGL_NONE};
    return egl().createPbuffer(egl().display, config, size);
}

Context* contextOf(napi_env env, napi_value value) {
    void* context = nullptr;
    napi_get_value_external(env, value, &context);
    return static_cast<Context*>(context);
}

/// open(width, height, version, alpha, depth, stencil, samples): a context; null: there is none of that kind or size.
napi_value open(napi_env env, napi_callback_info info) {
    size_t count = 7;
    napi_value values[7] = {};
    napi_get_cb_info(env, info, &count, values, nullptr, nullptr);
    int64_t of[7] = {};
    for (size_t i = 0; i < 7; ++i) of[i] = integerOf(env, values[i]);
    const auto version = static_cast<EGLint>(of[2]);
    const auto bits = [&](size_t i, EGLint many) { return of[i] != 0 ? many : 0; };
    const EGLint samples = of[6] != 0 ? 4 : 0;
    const EGLint wanted[] = {EGL_SURFACE_TYPE,
                             EGL_PBUFFER_BIT,
                             EGL_RENDERABLE_TYPE,
                             version == 3 ? EGL_OPENGL_ES3_BIT : EGL_OPENGL_ES2_BIT,
                             EGL_RED_SIZE,
                             8,
                             EGL_GREEN_SIZE,
                             8,
                             EGL_BLUE_SIZE,
                             8,
                             EGL_ALPHA_SIZE,
                             bits(3, 8),
                             EGL_DEPTH_SIZE,
                             bits(4, 24),
                             EGL_STENCIL_SIZE,
                             bits(5, 8),
                             EGL_SAMPLES,
                             samples,
                             EGL_NONE};
    napi_value out = nullptr;
    napi_get_null(env, &out);
    Context made;
    EGLint found = 0;
    if (egl().display == EGL_NO_DISPLAY ||
        egl().chooseConfig(egl().display, wanted, &made.config, 1, &found) == EGL_FALSE || found == 0)
        return out;
    const EGLint kind[] = {EGL_CONTEXT_CLIENT_VERSION, version, EGL_NONE};
    made.context = egl().createContext(egl().display, made.config, EGL_NO_CONTEXT, kind);
    if (made.context == EGL_NO_CONTEXT) return out;
    made.surface = makeSurface(made.config, of[0], of[1]);
    if (made.surface == EGL_NO_SURFACE) {
        made.close();
        return out;
    }
    const auto finalize = [](napi_env, void* data, void*) {
        const std::unique_ptr<Context> context(static_cast<Context*>(data));
        context->close();
    };
    napi_create_external(env, std::make_unique<Context>(made).release(), finalize, nullptr, &out);
    return out;
}

/// makeCurrent(context): of this thread; false: the context is closed.
napi_value makeCurrent(napi_env env, napi_callback_info info) {
    size_t count = 1;
    napi_value value = nullptr;
    napi_get_cb_info(env, info, &count, &value, nullptr, nullptr);
    const Context* const context = contextOf(env, value);
    const bool is = context != nullptr && context->context != EGL_NO_CONTEXT &&
                    egl().makeCurrent(egl().display, context->surface, context->surface, context->context) == EGL_TRUE;
    return boolean(env, is);
}

/// resize(context, width, height): another surface, which is current, and cleared; false: there is none of that size.
napi_value resize(napi_env env, napi_callback_info info) {
    size_t count = 3;
    napi_value values[3] = {};
    napi_get_cb_info(env, info, &count, values, nullptr, nullptr);
    Context* const context = contextOf(env, values[0]);
    if (context == nullptr || context->context == EGL_NO_CONTEXT) return boolean(env, false);
    const EGLSurface surface = makeSurface(context->config, integerOf(env, values[1]), integerOf(env, values[2]));
    if (surface == EGL_NO_SURFACE) return boolean(env, false);
    egl().makeCurrent(egl().display, surface, surface, context->context);
    egl().destroySurface(egl().display, std::exchange(context->surface, surface));
    return boolean(env, true);
}

napi_value close(napi_env env, napi_callback_info info) {
    size_t count = 1;
    napi_value value = nullptr;
    napi_get_cb_info(env, info, &count, &value, nullptr, nullptr);
    if (Context* const context = contextOf(env, value)) {
        egl().makeCurrent(egl().display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
        context->close();
    }
    return undefined(env);
}

}  // namespace

NAPI_MODULE_INIT() {
    if (findFunction() == nullptr) {
        napi_throw_error(env, nullptr, "tessera-gl: libtessera.so.0 cannot be loaded from beside tessera_gl.node");
        return exports;
    }
    define(env, exports, "open", open);
    define(env, exports, "makeCurrent", makeCurrent);
    define(env, exports, "resize", resize);
    define(env, exports, "close", close);
    define(env, exports, "getBufferSubData", getBufferSubData);
#define ENTRY_POINT(result, name, arguments, since) defineCall<result(*) arguments>(env, exports, #name);
#include "api/gles/entry_points.inc"
#undef ENTRY_POINT
    return exports;
}
