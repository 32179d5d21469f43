// The extensions of OpenGL ES 1.1 contexts: those of textures, buffers and framebuffers are api/gles's.
#include <string>
#include <string_view>

#include "api/gles1/fixed_context.h"

namespace tessera::gles1 {

namespace {

constexpr std::string_view kExtensions[] = {
    "GL_OES_blend_equation_separate",
    "GL_OES_blend_func_separate",
    "GL_OES_blend_subtract",
    "GL_OES_byte_coordinates",
    "GL_OES_compressed_ETC1_RGB8_texture",
    "GL_OES_compressed_paletted_texture",
    "GL_OES_depth24",
    "GL_OES_draw_texture",
    "GL_OES_EGL_image",
    "GL_OES_EGL_image_external",
    "GL_OES_EGL_sync",
    "GL_OES_element_index_uint",
    "GL_OES_fbo_render_mipmap",
    "GL_OES_fixed_point",
    "GL_OES_framebuffer_object",
    "GL_OES_mapbuffer",
    "GL_OES_matrix_get",
    "GL_OES_packed_depth_stencil",
    "GL_OES_point_size_array",
    "GL_OES_point_sprite",
    "GL_OES_query_matrix",
    "GL_OES_read_format",
    "GL_OES_required_internalformat",
    "GL_OES_rgb8_rgba8",
    "GL_OES_single_precision",
    "GL_OES_stencil8",
    "GL_OES_stencil_wrap",
    "GL_OES_surfaceless_context",
    "GL_OES_texture_cube_map",
    "GL_OES_texture_env_crossbar",
    "GL_OES_texture_mirrored_repeat",
    "GL_OES_texture_npot",
    "GL_OES_vertex_array_object",
    "GL_EXT_blend_minmax",
    "GL_EXT_debug_label",
    "GL_EXT_debug_marker",
    "GL_EXT_discard_framebuffer",
    "GL_EXT_map_buffer_range",
    "GL_EXT_multisampled_render_to_texture",
    "GL_EXT_read_format_bgra",
    "GL_EXT_robustness",
    "GL_EXT_texture_compression_dxt1",
    "GL_EXT_texture_compression_s3tc",
    "GL_EXT_texture_filter_anisotropic",
    "GL_EXT_texture_format_BGRA8888",
    "GL_EXT_texture_storage",
    "GL_EXT_unpack_subimage",
    "GL_KHR_debug",
    "GL_APPLE_texture_max_level",
    "GL_TESSERA_counters",
    "GL_TESSERA_texture_cache",
};

}  // namespace

const char* FixedContext::extensionString() const {
    static const std::string kString = [] {
        std::string all;
        for (std::string_view name : kExtensions) all.append(all.empty() ? 0 : 1, ' ').append(name);
        return all;
    }();
    return kString.c_str();
}

}  // namespace tessera::gles1
