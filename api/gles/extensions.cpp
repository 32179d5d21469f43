#include "api/gles/extensions.h"

#include <string_view>

namespace tessera::gles {

namespace {

enum class Version { Es2, Es3, Both };

// Not NV_ and ANGLE_framebuffer_blit, though their functions are there: WebKitGTK's ANGLE takes either name as leave to
// call a glBlitFramebuffer that it looks up in OpenGL ES 3.0 contexts only, and jumps to 0 at the first WebGL canvas.
//
// What is core in OpenGL ES 3.0 is left out there where other drivers do so too: programs take the name of an extension
// as a sign that they have to do without the core's functions. So are extensions that bring more to a context of 3.0
// than to one of 2.0, and have not that here.
struct Extension {
    std::string_view name;
    Version version = Version::Both;  ///< whose contexts list it
};
constexpr Extension kExtensions[] = {
    {"GL_OES_compressed_EAC_R11_signed_texture", Version::Es2},
    {"GL_OES_compressed_EAC_R11_unsigned_texture", Version::Es2},
    {"GL_OES_compressed_EAC_RG11_signed_texture", Version::Es2},
    {"GL_OES_compressed_EAC_RG11_unsigned_texture", Version::Es2},
    {"GL_OES_compressed_ETC1_RGB8_texture"},
    {"GL_OES_compressed_ETC2_RGB8_texture", Version::Es2},
    {"GL_OES_compressed_ETC2_RGBA8_texture", Version::Es2},
    {"GL_OES_compressed_ETC2_punchthroughA_RGBA8_texture", Version::Es2},
    {"GL_OES_compressed_ETC2_punchthroughA_sRGB8_alpha_texture", Version::Es2},
    {"GL_OES_compressed_ETC2_sRGB8_alpha8_texture", Version::Es2},
    {"GL_OES_compressed_ETC2_sRGB8_texture", Version::Es2},
    {"GL_OES_compressed_paletted_texture"},
    {"GL_OES_depth24"},
    {"GL_OES_depth_texture"},
    {"GL_OES_depth_texture_cube_map"},
    {"GL_OES_draw_buffers_indexed", Version::Es3},
    {"GL_OES_draw_elements_base_vertex"},
    {"GL_OES_EGL_image"},
    {"GL_OES_EGL_sync"},
    {"GL_OES_EGL_image_external"},
    {"GL_OES_EGL_image_external_essl3", Version::Es3},
    {"GL_OES_element_index_uint"},
    {"GL_OES_fbo_render_mipmap"},
    {"GL_OES_get_program_binary"},
    {"GL_OES_mapbuffer"},
    {"GL_OES_packed_depth_stencil"},
    {"GL_OES_required_internalformat"},
    {"GL_OES_rgb8_rgba8"},
    {"GL_OES_sample_shading", Version::Es3},
    {"GL_OES_sample_variables", Version::Es3},
    {"GL_OES_shader_multisample_interpolation", Version::Es3},
    {"GL_OES_standard_derivatives"},
    {"GL_OES_surfaceless_context"},
    {"GL_OES_texture_3D"},
    {"GL_OES_texture_border_clamp"},
    {"GL_OES_texture_float"},
    {"GL_OES_texture_float_linear"},
    {"GL_OES_texture_half_float"},
    {"GL_OES_texture_half_float_linear"},
    {"GL_OES_texture_npot"},
    {"GL_OES_vertex_array_object"},
    {"GL_OES_vertex_half_float"},
    {"GL_EXT_base_instance", Version::Es3},
    {"GL_EXT_blend_func_extended"},
    {"GL_EXT_blend_minmax"},
    {"GL_EXT_clip_control"},
    {"GL_EXT_clip_cull_distance", Version::Es3},
    {"GL_EXT_color_buffer_float", Version::Es3},
    {"GL_EXT_color_buffer_half_float"},
    {"GL_EXT_compressed_ETC1_RGB8_sub_texture"},
    {"GL_EXT_conservative_depth", Version::Es3},
    {"GL_EXT_debug_label"},
    {"GL_EXT_debug_marker"},
    {"GL_EXT_depth_clamp", Version::Es3},
    {"GL_EXT_discard_framebuffer"},
    {"GL_EXT_disjoint_timer_query"},
    {"GL_EXT_draw_buffers"},
    {"GL_EXT_draw_buffers_indexed", Version::Es3},
    {"GL_EXT_draw_elements_base_vertex"},
    {"GL_EXT_draw_instanced"},
    {"GL_EXT_float_blend", Version::Es3},
    {"GL_EXT_frag_depth"},
    {"GL_EXT_instanced_arrays", Version::Es2},
    {"GL_EXT_map_buffer_range"},
    {"GL_EXT_multi_draw_arrays"},
    {"GL_EXT_multisampled_render_to_texture"},
    {"GL_EXT_multisampled_render_to_texture2"},
    {"GL_EXT_occlusion_query_boolean"},
    {"GL_EXT_polygon_offset_clamp"},
    {"GL_EXT_read_format_bgra"},
    {"GL_EXT_render_snorm", Version::Es3},
    {"GL_EXT_robustness"},
    {"GL_EXT_sRGB", Version::Es2},
    {"GL_EXT_sRGB_write_control", Version::Es3},
    {"GL_EXT_separate_shader_objects", Version::Es2},
    {"GL_EXT_shader_framebuffer_fetch"},
    {"GL_EXT_shader_framebuffer_fetch_non_coherent"},
    {"GL_EXT_shader_texture_lod", Version::Es2},
    {"GL_EXT_shadow_samplers", Version::Es2},
    {"GL_EXT_texture_border_clamp"},
    {"GL_EXT_texture_compression_bptc"},
    {"GL_EXT_texture_compression_dxt1"},
    {"GL_EXT_texture_compression_rgtc"},
    {"GL_EXT_texture_compression_s3tc"},
    {"GL_EXT_texture_compression_s3tc_srgb"},
    {"GL_EXT_texture_filter_anisotropic"},
    {"GL_EXT_texture_format_BGRA8888"},
    {"GL_EXT_texture_mirror_clamp_to_edge"},
    {"GL_EXT_texture_norm16", Version::Es3},
    {"GL_EXT_texture_rg"},
    {"GL_EXT_texture_sRGB_R8", Version::Es3},
    {"GL_EXT_texture_sRGB_RG8", Version::Es3},
    {"GL_EXT_texture_sRGB_decode"},
    {"GL_EXT_texture_storage", Version::Es2},
    {"GL_EXT_unpack_subimage"},
    {"GL_KHR_blend_equation_advanced", Version::Es3},
    {"GL_KHR_blend_equation_advanced_coherent", Version::Es3},
    {"GL_KHR_context_flush_control"},
    {"GL_KHR_debug"},
    {"GL_KHR_parallel_shader_compile"},
    {"GL_KHR_robust_buffer_access_behavior"},
    {"GL_KHR_robustness"},
    {"GL_KHR_texture_compression_astc_ldr"},
    {"GL_ANGLE_instanced_arrays", Version::Es2},
    {"GL_ANGLE_pack_reverse_row_order"},
    {"GL_ANGLE_texture_compression_dxt3"},
    {"GL_ANGLE_texture_compression_dxt5"},
    {"GL_APPLE_rgb_422"},
    {"GL_APPLE_sync", Version::Es2},
    {"GL_APPLE_texture_format_BGRA8888"},
    {"GL_APPLE_texture_max_level"},
    {"GL_MESA_ycbcr_texture"},
    {"GL_NV_conditional_render"},
    {"GL_NV_draw_buffers"},
    {"GL_NV_fbo_color_attachments"},
    {"GL_NV_pack_subimage"},
    {"GL_NV_pixel_buffer_object"},
    {"GL_NV_read_buffer"},
    {"GL_NV_read_depth"},
    {"GL_NV_read_depth_stencil"},
    {"GL_NV_read_stencil"},
    {"GL_NV_texture_border_clamp"},
    {"GL_OVR_multiview", Version::Es3},
    {"GL_OVR_multiview2", Version::Es3},
    {"GL_OVR_multiview_multisampled_render_to_texture", Version::Es3},
    {"GL_TESSERA_counters"},
    {"GL_TESSERA_shader_binary"},
    {"GL_TESSERA_texture_cache"},
    {"GL_TESSERA_texture_packed_bgra"},
};

}  // namespace

const std::vector<std::string>& extensions(bool isEs3) {
    const auto listed = [](Version other) {
        std::vector<std::string> names;
        for (const Extension& extension : kExtensions)
            if (extension.version != other) names.emplace_back(extension.name);
        return names;
    };
    static const std::vector<std::string> kEs2 = listed(Version::Es3), kEs3 = listed(Version::Es2);
    return isEs3 ? kEs3 : kEs2;
}

const char* extensionString(bool isEs3) {
    const auto joined = [](const std::vector<std::string>& names) {
        std::string all;
        for (const std::string& name : names) all.append(all.empty() ? 0 : 1, ' ').append(name);
        return all;
    };
    static const std::string kEs2 = joined(extensions(false)), kEs3 = joined(extensions(true));
    return isEs3 ? kEs3.c_str() : kEs2.c_str();
}

}  // namespace tessera::gles
