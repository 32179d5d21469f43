// Configurations: the list, attribute queries, and the selection and sorting rules of EGL 1.5 section 3.4.1.
#include <algorithm>
#include <array>
#include <tuple>

#include "api/egl/objects.h"
#include "pipeline/limits.h"

namespace tessera::egl {

namespace {

struct ColorLayout {
    EGLint red, green, blue, alpha;
    texture::PixelFormat format;
    bool isFloat = false;
};
constexpr std::array kColorLayouts = {
    ColorLayout{8, 8, 8, 8, texture::PixelFormat::Rgba8},
    ColorLayout{8, 8, 8, 0, texture::PixelFormat::Rgb8},
    ColorLayout{5, 6, 5, 0, texture::PixelFormat::Rgb565},
    ColorLayout{4, 4, 4, 4, texture::PixelFormat::Rgba4},
    ColorLayout{5, 5, 5, 1, texture::PixelFormat::Rgb5A1},
    ColorLayout{16, 16, 16, 16, texture::PixelFormat::Rgba16F, true},
};
struct DepthLayout {
    EGLint depth, stencil;
};
constexpr std::array kDepthLayouts = {DepthLayout{0, 0}, DepthLayout{0, 8}, DepthLayout{16, 0}, DepthLayout{24, 0},
                                      DepthLayout{24, 8}};

constexpr EGLint kSampleCounts[] = {0, texture::kMaxSamples};

/// How eglChooseConfig compares an attribute (table 3.4).
enum class Match { AtLeast, Exact, Mask, Ignored };

struct Criterion {
    EGLint name;
    Match match;
    EGLint fallback;  ///< value when the list does not name it
};
constexpr std::array kCriteria = {
    Criterion{EGL_BUFFER_SIZE, Match::AtLeast, 0},
    Criterion{EGL_RED_SIZE, Match::AtLeast, 0},
    Criterion{EGL_GREEN_SIZE, Match::AtLeast, 0},
    Criterion{EGL_BLUE_SIZE, Match::AtLeast, 0},
    Criterion{EGL_LUMINANCE_SIZE, Match::AtLeast, 0},
    Criterion{EGL_ALPHA_SIZE, Match::AtLeast, 0},
    Criterion{EGL_ALPHA_MASK_SIZE, Match::AtLeast, 0},
    Criterion{EGL_BIND_TO_TEXTURE_RGB, Match::Exact, EGL_DONT_CARE},
    Criterion{EGL_BIND_TO_TEXTURE_RGBA, Match::Exact, EGL_DONT_CARE},
    Criterion{EGL_COLOR_BUFFER_TYPE, Match::Exact, EGL_RGB_BUFFER},
    Criterion{EGL_COLOR_COMPONENT_TYPE_EXT, Match::Exact, EGL_COLOR_COMPONENT_TYPE_FIXED_EXT},
    Criterion{EGL_CONFIG_CAVEAT, Match::Exact, EGL_DONT_CARE},
    Criterion{EGL_CONFIG_ID, Match::Exact, EGL_DONT_CARE},
    Criterion{EGL_CONFORMANT, Match::Mask, 0},
    Criterion{EGL_DEPTH_SIZE, Match::AtLeast, 0},
    Criterion{EGL_LEVEL, Match::Exact, 0},
    Criterion{EGL_MATCH_NATIVE_PIXMAP, Match::Ignored, EGL_NONE},
    Criterion{EGL_MAX_PBUFFER_HEIGHT, Match::Ignored, 0},
    Criterion{EGL_MAX_PBUFFER_PIXELS, Match::Ignored, 0},
    Criterion{EGL_MAX_PBUFFER_WIDTH, Match::Ignored, 0},
    Criterion{EGL_MAX_SWAP_INTERVAL, Match::Exact, EGL_DONT_CARE},
    Criterion{EGL_MIN_SWAP_INTERVAL, Match::Exact, EGL_DONT_CARE},
    Criterion{EGL_NATIVE_RENDERABLE, Match::Exact, EGL_DONT_CARE},
    Criterion{EGL_NATIVE_VISUAL_ID, Match::Ignored, 0},
    Criterion{EGL_NATIVE_VISUAL_TYPE, Match::Exact, EGL_DONT_CARE},
    Criterion{EGL_RENDERABLE_TYPE, Match::Mask, EGL_OPENGL_ES_BIT},
    Criterion{EGL_SAMPLE_BUFFERS, Match::AtLeast, 0},
    Criterion{EGL_SAMPLES, Match::AtLeast, 0},
    Criterion{EGL_STENCIL_SIZE, Match::AtLeast, 0},
    Criterion{EGL_SURFACE_TYPE, Match::Mask, EGL_WINDOW_BIT},
    Criterion{EGL_TRANSPARENT_TYPE, Match::Exact, EGL_NONE},
    Criterion{EGL_TRANSPARENT_RED_VALUE, Match::Exact, EGL_DONT_CARE},
    Criterion{EGL_TRANSPARENT_GREEN_VALUE, Match::Exact, EGL_DONT_CARE},
    Criterion{EGL_TRANSPARENT_BLUE_VALUE, Match::Exact, EGL_DONT_CARE},
};

using Wanted = std::array<EGLint, kCriteria.size()>;

EGLint wantedValue(const Wanted& wanted, EGLint name) {
    for (size_t i = 0; i < kCriteria.size(); ++i)
        if (kCriteria[i].name == name) return wanted[i];
    return EGL_DONT_CARE;
}

/// All bits that EGL and its extensions give a meaning to.
constexpr EGLint kSurfaceBits = EGL_PBUFFER_BIT | EGL_PIXMAP_BIT | EGL_WINDOW_BIT | EGL_VG_COLORSPACE_LINEAR_BIT |
                                EGL_VG_ALPHA_FORMAT_PRE_BIT | EGL_LOCK_SURFACE_BIT_KHR | EGL_OPTIMAL_FORMAT_BIT_KHR |
                                EGL_MULTISAMPLE_RESOLVE_BOX_BIT | EGL_SWAP_BEHAVIOR_PRESERVED_BIT | EGL_STREAM_BIT_KHR |
                                EGL_MUTABLE_RENDER_BUFFER_BIT_KHR;
constexpr EGLint kClientApiBits =
    EGL_OPENGL_ES_BIT | EGL_OPENVG_BIT | EGL_OPENGL_ES2_BIT | EGL_OPENGL_BIT | EGL_OPENGL_ES3_BIT;

bool isValidValue(EGLint name, EGLint value) {
    if (value == EGL_DONT_CARE) return name != EGL_LEVEL && name != EGL_MATCH_NATIVE_PIXMAP;
    switch (name) {
        case EGL_BIND_TO_TEXTURE_RGB:
        case EGL_BIND_TO_TEXTURE_RGBA:
        case EGL_NATIVE_RENDERABLE:
            return value == EGL_TRUE || value == EGL_FALSE;
        case EGL_COLOR_BUFFER_TYPE:
            return value == EGL_RGB_BUFFER || value == EGL_LUMINANCE_BUFFER;
        case EGL_COLOR_COMPONENT_TYPE_EXT:
            return value == EGL_COLOR_COMPONENT_TYPE_FIXED_EXT || value == EGL_COLOR_COMPONENT_TYPE_FLOAT_EXT;
        case EGL_CONFIG_CAVEAT:
            return value == EGL_NONE || value == EGL_SLOW_CONFIG || value == EGL_NON_CONFORMANT_CONFIG;
        case EGL_TRANSPARENT_TYPE:
            return value == EGL_NONE || value == EGL_TRANSPARENT_RGB;
        case EGL_CONFIG_ID:
            return value > 0;
        case EGL_SURFACE_TYPE:
            return (value & ~kSurfaceBits) == 0;
        case EGL_RENDERABLE_TYPE:
        case EGL_CONFORMANT:
            return (value & ~kClientApiBits) == 0;
        case EGL_BUFFER_SIZE:
        case EGL_RED_SIZE:
        case EGL_GREEN_SIZE:
        case EGL_BLUE_SIZE:
        case EGL_ALPHA_SIZE:
        case EGL_LUMINANCE_SIZE:
        case EGL_ALPHA_MASK_SIZE:
        case EGL_DEPTH_SIZE:
        case EGL_STENCIL_SIZE:
        case EGL_SAMPLE_BUFFERS:
        case EGL_SAMPLES:
            return value >= 0;
        default:
            return true;
    }
}

bool matches(const Config& config, const Wanted& wanted) {
    for (size_t i = 0; i < kCriteria.size(); ++i) {
        EGLint want = wanted[i], have = 0;
        if (want == EGL_DONT_CARE || kCriteria[i].match == Match::Ignored) continue;
        if (!config.attribute(kCriteria[i].name, &have)) return false;
        switch (kCriteria[i].match) {
            case Match::AtLeast:
                if (have < want) return false;
                break;
            case Match::Exact:
                if (have != want) return false;
                break;
            case Match::Mask:
                if ((have & want) != want) return false;
                break;
            case Match::Ignored:
                break;
        }
    }
    return true;
}

/// Rule 3 of the sort: only components asked for with a size above zero count.
EGLint requestedColorBits(const Config& config, const Wanted& wanted) {
    EGLint bits = 0;
    const std::array<std::pair<EGLint, EGLint>, 4> channels = {{{EGL_RED_SIZE, config.red},
                                                                {EGL_GREEN_SIZE, config.green},
                                                                {EGL_BLUE_SIZE, config.blue},
                                                                {EGL_ALPHA_SIZE, config.alpha}}};
    for (auto [name, have] : channels) {
        EGLint want = wantedValue(wanted, name);
        if (want != EGL_DONT_CARE && want > 0) bits += have;
    }
    return bits;
}

Config makeConfig(const ColorLayout& color, const DepthLayout& depth, EGLint samples,
                  const present::WindowSystem* windowSystem) {
    Config config;
    config.red = color.red, config.green = color.green, config.blue = color.blue;
    config.alpha = color.alpha, config.colorFormat = color.format, config.isFloat = color.isFloat;
    config.depth = depth.depth, config.stencil = depth.stencil, config.samples = samples;
    config.surfaceType = EGL_PBUFFER_BIT | EGL_SWAP_BEHAVIOR_PRESERVED_BIT;
    if (windowSystem == nullptr) return config;
    auto visual = windowSystem->visual(config.windowBits());
    if (!visual) {
        // Shown in a window of 8 bits for each channel. Last in every choice, so only those get it who ask for it.
        config.isSlow = true;
        visual = windowSystem->visual(config.windowBits());
        config.isSlow = visual.has_value();
    }
    if (visual) {
        config.surfaceType |= EGL_WINDOW_BIT;
        // What is drawn with samples has no front buffer of its own.
        if (samples == 0) config.surfaceType |= EGL_MUTABLE_RENDER_BUFFER_BIT_KHR;
        config.nativeVisualId = static_cast<EGLint>(visual->id);
        if (visual->kind != 0) config.nativeVisualType = visual->kind;
        config.nativeRenderable = visual->kind != 0;
    }
    if (windowSystem->hasPixmaps(config.colorBits())) config.surfaceType |= EGL_PIXMAP_BIT;
    return config;
}

auto sortKey(const Config& config, const Wanted& wanted) {
    return std::make_tuple(config.isSlow, config.isFloat, -requestedColorBits(config, wanted), config.bufferSize(),
                           config.samples > 0, config.samples, config.depth, config.stencil, config.id);
}

}  // namespace

bool Config::attribute(EGLint name, EGLint* value) const {
    constexpr EGLint kMaxSize = pipeline::kMaxRenderSize;
    switch (name) {
        case EGL_BUFFER_SIZE:
            *value = bufferSize();
            return true;
        case EGL_RED_SIZE:
            *value = red;
            return true;
        case EGL_GREEN_SIZE:
            *value = green;
            return true;
        case EGL_BLUE_SIZE:
            *value = blue;
            return true;
        case EGL_ALPHA_SIZE:
            *value = alpha;
            return true;
        case EGL_DEPTH_SIZE:
            *value = depth;
            return true;
        case EGL_STENCIL_SIZE:
            *value = stencil;
            return true;
        case EGL_SAMPLES:
            *value = samples;
            return true;
        case EGL_SAMPLE_BUFFERS:
            *value = samples > 0 ? 1 : 0;
            return true;
        case EGL_CONFIG_ID:
            *value = id;
            return true;
        case EGL_SURFACE_TYPE:
            *value = surfaceType;
            return true;
        case EGL_RENDERABLE_TYPE:
        case EGL_CONFORMANT:
            *value = EGL_OPENGL_ES_BIT | EGL_OPENGL_ES2_BIT | EGL_OPENGL_ES3_BIT;
            return true;
        case EGL_COLOR_BUFFER_TYPE:
            *value = EGL_RGB_BUFFER;
            return true;
        case EGL_COLOR_COMPONENT_TYPE_EXT:
            *value = isFloat ? EGL_COLOR_COMPONENT_TYPE_FLOAT_EXT : EGL_COLOR_COMPONENT_TYPE_FIXED_EXT;
            return true;
        case EGL_CONFIG_CAVEAT:
            *value = isSlow ? EGL_SLOW_CONFIG : EGL_NONE;
            return true;
        case EGL_TRANSPARENT_TYPE:
            *value = EGL_NONE;
            return true;
        case EGL_NATIVE_VISUAL_ID:
            *value = nativeVisualId;
            return true;
        case EGL_NATIVE_VISUAL_TYPE:
            *value = nativeVisualType;
            return true;
        case EGL_NATIVE_RENDERABLE:
            *value = nativeRenderable ? EGL_TRUE : EGL_FALSE;
            return true;
        // An RGB texture of a buffer with alpha would have to hide it; so each layout has its own texture format.
        case EGL_BIND_TO_TEXTURE_RGB:
            *value = (surfaceType & EGL_PBUFFER_BIT) != 0 && alpha == 0 ? EGL_TRUE : EGL_FALSE;
            return true;
        case EGL_BIND_TO_TEXTURE_RGBA:
            *value = (surfaceType & EGL_PBUFFER_BIT) != 0 && alpha > 0 ? EGL_TRUE : EGL_FALSE;
            return true;
        case EGL_MAX_PBUFFER_WIDTH:
        case EGL_MAX_PBUFFER_HEIGHT:
            *value = kMaxSize;
            return true;
        case EGL_MAX_PBUFFER_PIXELS:
            *value = kMaxSize * kMaxSize;
            return true;
        case EGL_MAX_SWAP_INTERVAL:
            *value = 1;
            return true;
        case EGL_LUMINANCE_SIZE:
        case EGL_ALPHA_MASK_SIZE:
        case EGL_LEVEL:
        case EGL_MIN_SWAP_INTERVAL:
        case EGL_TRANSPARENT_RED_VALUE:
        case EGL_TRANSPARENT_GREEN_VALUE:
        case EGL_TRANSPARENT_BLUE_VALUE:
            *value = 0;
            return true;
        default:
            return false;
    }
}

texture::PixelFormat Config::encodedFormat() const {
    switch (colorFormat) {
        case texture::PixelFormat::Rgba8:
            return texture::PixelFormat::Srgb8Alpha8;
        case texture::PixelFormat::Rgb8:
            return texture::PixelFormat::Srgb8;
        default:
            return texture::PixelFormat::None;
    }
}

bool Config::isCompatible(const Config& other) const {
    return red == other.red && green == other.green && blue == other.blue && alpha == other.alpha &&
           depth == other.depth && stencil == other.stencil && samples == other.samples && isFloat == other.isFloat;
}

void makeConfigs(const present::WindowSystem* windowSystem, std::vector<Config>* configs) {
    std::vector<Config> made;
    for (EGLint samples : kSampleCounts) {
        for (const ColorLayout& color : kColorLayouts) {
            // Resolving would have to convert as well.
            if (samples > 0 && color.isFloat) continue;
            for (const DepthLayout& depth : kDepthLayouts)
                made.push_back(makeConfig(color, depth, samples, windowSystem));
        }
    }
    for (size_t i = 0; i < made.size(); ++i) made[i].id = static_cast<EGLint>(i) + 1;
    configs->resize(made.size());
    std::copy(made.begin(), made.end(), configs->begin());
}

EGLint chooseConfigs(const std::vector<Config>& all, present::WindowSystem* windowSystem, const EGLint* attributes,
                     std::vector<const Config*>* result) {
    Wanted wanted;
    std::transform(kCriteria.begin(), kCriteria.end(), wanted.begin(), [](const Criterion& c) { return c.fallback; });
    EGLint pixmapDepth = EGL_DONT_CARE;
    for (; attributes != nullptr && *attributes != EGL_NONE; attributes += 2) {
        auto criterion =
            std::find_if(kCriteria.begin(), kCriteria.end(), [&](const Criterion& c) { return c.name == *attributes; });
        if (criterion == kCriteria.end() || !isValidValue(attributes[0], attributes[1])) return EGL_BAD_ATTRIBUTE;
        wanted[static_cast<size_t>(criterion - kCriteria.begin())] = attributes[1];
        if (attributes[0] == EGL_MATCH_NATIVE_PIXMAP && attributes[1] != EGL_NONE) {
            std::unique_ptr<present::NativePixmap> pixmap;
            if (windowSystem != nullptr) pixmap = windowSystem->openPixmap(static_cast<uint32_t>(attributes[1]));
            if (!pixmap) return EGL_BAD_NATIVE_PIXMAP;
            pixmapDepth = pixmap->depth();
        }
    }
    // A given EGL_CONFIG_ID makes all other attributes count for nothing.
    EGLint wantedId = wantedValue(wanted, EGL_CONFIG_ID);
    result->clear();
    for (const Config& config : all) {
        bool fits = wantedId != EGL_DONT_CARE ? config.id == wantedId : matches(config, wanted);
        if (wantedId == EGL_DONT_CARE && pixmapDepth != EGL_DONT_CARE)
            fits = fits && (config.surfaceType & EGL_PIXMAP_BIT) != 0 && config.bufferSize() == pixmapDepth;
        if (fits) result->push_back(&config);
    }
    std::sort(result->begin(), result->end(),
              [&](const Config* a, const Config* b) { return sortKey(*a, wanted) < sortKey(*b, wanted); });
    return EGL_SUCCESS;
}

}  // namespace tessera::egl
