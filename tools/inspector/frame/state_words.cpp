#include "tools/inspector/frame/state_words.h"

namespace tessera::tools {

namespace {

/// The first row whose words a name begins and ends with.
struct Row {
    std::string_view begin, end, meaning;
};
constexpr Row kRows[] = {
    {"program", "", "glUseProgram: the program object whose shaders run; it is called as in the file"},
    {"target width", "", "Width of the framebuffer that is drawn to: of the smallest of its images"},
    {"target height", "", "Height of the framebuffer that is drawn to: of the smallest of its images"},
    {"target color", "", "glFramebufferTexture2D, glDrawBuffers: the image that this color of the shader goes to"},
    {"target depth", "", "The image of depths: without one the depth test always passes"},
    {"target stencil", "", "The image of stencil values: without one the stencil test always passes"},
    {"viewport", "", "glViewport: where -1..1 of normalized device coordinates lies in the window"},
    {"depth near", "", "glDepthRangef: the depth that -1 of normalized device coordinates becomes"},
    {"depth far", "", "glDepthRangef: the depth that 1 of normalized device coordinates becomes"},
    {"clip origin", "", "glClipControlEXT: whether y = -1 is the upper border of the window"},
    {"clip depth", "", "glClipControlEXT: whether the view volume begins at z = 0 in the place of -w"},
    {"clip distances", "", "glEnable(GL_CLIP_DISTANCEn_EXT): which of gl_ClipDistance clip primitives, as bits"},
    {"depth clamp", "", "glEnable(GL_DEPTH_CLAMP_EXT): near and far do not clip, depths are clamped instead"},
    {"scissor test", "", "glEnable(GL_SCISSOR_TEST): pixels outside of the scissor rectangle are not drawn"},
    {"scissor", "", "glScissor: the rectangle that the scissor test leaves, from the lower left corner"},
    {"cull", "", "glEnable(GL_CULL_FACE), glCullFace: triangles with that side to the eye are not drawn"},
    {"front is clockwise", "", "glFrontFace: corners that follow each other clockwise show the front"},
    {"polygon offset", "", "glEnable(GL_POLYGON_OFFSET_FILL): depths of triangles are moved"},
    {"offset factor", "", "glPolygonOffset: how far the slope of a triangle moves its depths"},
    {"offset units", "", "glPolygonOffset: how many of the least steps of depth a triangle is moved by"},
    {"offset clamp", "", "glPolygonOffsetClampEXT: by how much depths are moved at most"},
    {"line width", "", "glLineWidth: width of lines in pixels"},
    {"discard", "", "glEnable(GL_RASTERIZER_DISCARD): nothing of the draw is rasterized"},
    {"target ", " blend", "glEnable(GL_BLEND): the shader's color is combined with what the pixel has"},
    {"blend equation", "", "glBlendEquationSeparate: how source and destination are combined"},
    {"blend source", "", "glBlendFuncSeparate: what the shader's color is multiplied with"},
    {"blend destination", "", "glBlendFuncSeparate: what the pixel's color is multiplied with"},
    {"blend constant", "", "glBlendColor: red, green, blue, alpha of GL_CONSTANT_COLOR and its like"},
    {"blend", "", "glEnable(GL_BLEND): the shader's color is combined with what the pixel has"},
    {"color mask", "", "glColorMask: which channels are written, red in bit 0"},
    {"target ", "equation color", "glBlendEquationSeparate: how source and destination are combined"},
    {"target ", "equation alpha", "glBlendEquationSeparate: how source and destination are combined"},
    {"target ", "source color", "glBlendFuncSeparate: what the shader's color is multiplied with"},
    {"target ", "source alpha", "glBlendFuncSeparate: what the shader's alpha is multiplied with"},
    {"target ", "destination color", "glBlendFuncSeparate: what the pixel's color is multiplied with"},
    {"target ", "destination alpha", "glBlendFuncSeparate: what the pixel's alpha is multiplied with"},
    {"target ", "color mask", "glColorMask: which channels are written, red in bit 0"},
    {"depth test", "", "glEnable(GL_DEPTH_TEST): a pixel is drawn where its depth compares well with the stored one"},
    {"depth write", "", "glDepthMask: whether pixels that pass store their depth"},
    {"depth compare", "", "glDepthFunc: how a pixel's depth has to compare with the stored one"},
    {"depth low", "", "The least depth that a pixel may have: of glDepthRangef, where depths are clamped"},
    {"depth high", "", "The greatest depth that a pixel may have: of glDepthRangef, where depths are clamped"},
    {"stencil test", "", "glEnable(GL_STENCIL_TEST): a pixel is drawn where the stencil value compares well"},
    {"stencil ", "compare mask", "glStencilFuncSeparate: bits of reference and stencil value that are compared"},
    {"stencil ", "compare", "glStencilFuncSeparate: how the reference has to compare with the stencil value"},
    {"stencil ", "reference", "glStencilFuncSeparate: what the stencil value is compared with"},
    {"stencil ", "write mask", "glStencilMaskSeparate: bits of the stencil value that may change"},
    {"stencil ", "stencil fail", "glStencilOpSeparate: what becomes of the stencil value where its test fails"},
    {"stencil ", "depth fail", "glStencilOpSeparate: what becomes of the stencil value where the depth test fails"},
    {"stencil ", "depth pass", "glStencilOpSeparate: what becomes of the stencil value where both tests pass"},
    {"logic operation", "", "A bitwise operation of the shader's color and the pixel's, of OpenGL ES 1.1"},
    {"dither", "", "glEnable(GL_DITHER): colors may be rounded by the pixel's place; here they are not changed"},
    {"encodes sRGB", "", "glEnable(GL_FRAMEBUFFER_SRGB_EXT): linear colors become those of sRGB images"},
    {"each sample", "", "The shader runs for each sample of a pixel"},
    {"alpha to coverage", "", "glEnable(GL_SAMPLE_ALPHA_TO_COVERAGE): alpha says how many samples are covered"},
    {"sample coverage", "", "glEnable(GL_SAMPLE_COVERAGE), glSampleCoverage: that part of the samples is covered"},
    {"attribute ", "data", "glVertexAttribPointer: the buffer that the attribute comes from; none: it is constant"},
    {"attribute ", "offset", "glVertexAttribPointer: where the first vertex begins, in bytes"},
    {"attribute ", "stride", "glVertexAttribPointer: bytes from one vertex to the next"},
    {"attribute ", "type", "glVertexAttribPointer: what a component is in the buffer"},
    {"attribute ", "components", "glVertexAttribPointer: how many there are; the others are 0 0 0 1"},
    {"attribute ", "conversion", "glVertexAttribPointer, glVertexAttribIPointer: how components become numbers"},
    {"attribute ", "divisor", "glVertexAttribDivisor: instances that have the same value; 0: each vertex has its own"},
    {"attribute ", "", "glVertexAttrib4f: what an attribute without a buffer is"},
    {"vertex texture ", "view", "glBindTexture: the texture of that unit, with the levels that are read"},
    {"fragment texture ", "view", "glBindTexture: the texture of that unit, with the levels that are read"},
    {"", "magnification", "GL_TEXTURE_MAG_FILTER: how texels that are larger than pixels are looked up"},
    {"", "minification", "GL_TEXTURE_MIN_FILTER: how texels that are smaller than pixels are looked up"},
    {"", "mip filter", "GL_TEXTURE_MIN_FILTER: which levels are looked up"},
    {"", "wrap s", "GL_TEXTURE_WRAP_S: what lies outside of 0..1 to the left and right"},
    {"", "wrap t", "GL_TEXTURE_WRAP_T: what lies outside of 0..1 below and above"},
    {"", "wrap r", "GL_TEXTURE_WRAP_R: what lies outside of 0..1 in front and behind"},
    {"", "anisotropy", "GL_TEXTURE_MAX_ANISOTROPY_EXT: lookups along the longer side of a slanted pixel, at most"},
    {"", "least level of detail", "GL_TEXTURE_MIN_LOD: a lower level of detail is not looked up"},
    {"", "greatest level of detail", "GL_TEXTURE_MAX_LOD: a higher level of detail is not looked up"},
    {"", "filters of ES 3", "Which version's rules say what a filter of integers and a level outside of the range are"},
    {"vertex texture ", "compare", "GL_TEXTURE_COMPARE_FUNC: how the reference has to compare with the depth"},
    {"fragment texture ", "compare", "GL_TEXTURE_COMPARE_FUNC: how the reference has to compare with the depth"},
    {"vertex texture ", "", "GL_TEXTURE_BORDER_COLOR_EXT: red, green, blue, alpha of what lies outside"},
    {"fragment texture ", "", "GL_TEXTURE_BORDER_COLOR_EXT: red, green, blue, alpha of what lies outside"},
};

}  // namespace

std::string_view meaningOf(std::string_view field) {
    for (const Row& row : kRows)
        if (field.starts_with(row.begin) && field.ends_with(row.end)) return row.meaning;
    return {};
}

}  // namespace tessera::tools
