// Walks the table of settable state (state_rows.h): what it is at first, that it is kept and read back, that refused
// values and other state leave it alone, that contexts and objects have their own, and that what is drawn follows it,
// at once and without a trace when it is set back.
#define GL_GLEXT_PROTOTYPES 1
#include <GLES2/gl2.h>
#include <GLES2/gl2ext.h>
#include <GLES2/gl2tessera.h>
#include <GLES3/gl3.h>

#include <cstdio>
#include <set>

#include "api/gles/state/state_queries.h"
#include "tests/gles/state/state_rows.h"
#include "tests/gles/state/state_scene.h"
#include "tests/gles/state/state_walk.h"

using namespace tessera::gles_test;

namespace {

/// A context of a version with the objects that rows name, and the rows that it has.
struct Stage {
    explicit Stage(int version) : context({.width = kSceneWidth, .height = kSceneHeight, .version = version}) {
        makeStateObjects(version);
        rows = stateRows(version);
        CHECK(glGetError() == GL_NO_ERROR);
    }

    TestContext context;
    std::vector<StateRow> rows;
};

}  // namespace

TEST_CASE("state: initial values, and values that were set come back") {
    for (const int version : {2, 3}) {
        CAPTURE(version);
        walkValues(Stage(version).rows);
    }
}

TEST_CASE("state: what is set leaves all other state alone, whether that is as at first or not") {
    for (const int version : {2, 3}) {
        CAPTURE(version);
        walkPairs(Stage(version).rows);
    }
}

TEST_CASE("state: a value that is refused changes nothing") {
    for (const int version : {2, 3}) {
        CAPTURE(version);
        walkRefused(Stage(version).rows);
    }
}

TEST_CASE("state: contexts, vertex arrays, textures and samplers have their own") {
    for (const int version : {2, 3}) {
        CAPTURE(version);
        const Stage stage(version);
        setAllOther(stage.rows);
        const auto expect = [&](StateOwner owner) {
            for (const StateRow& row : stage.rows)
                CHECK_MESSAGE(row.get() == (row.owner == owner ? row.initial : row.other),
                              row.name << textOf(row.get()));
        };
        // Table 6.4: element buffer and arrays are the vertex array's.
        glBindVertexArrayOES(stateObjects().vertexArray);
        expect(StateOwner::VertexArray);
        glBindVertexArrayOES(0);
        glActiveTexture(GL_TEXTURE0);
        glBindTexture(GL_TEXTURE_2D, stateObjects().texture);
        glActiveTexture(GL_TEXTURE3);
        expect(StateOwner::Texture);
        glActiveTexture(GL_TEXTURE0);
        glBindTexture(GL_TEXTURE_2D, 0);
        glActiveTexture(GL_TEXTURE3);
        for (const StateRow& row : stage.rows) CHECK_MESSAGE(row.get() == row.other, row.name << textOf(row.get()));

        {
            // Appendix C: names and their objects are shared, the state of a context is not; its vertex array 0 and
            // textures 0 neither.
            const TestContext sharing(
                {.width = kSceneWidth, .height = kSceneHeight, .version = version, .share = &stage.context});
            for (const StateRow& row : stage.rows)
                CHECK_MESSAGE(row.get() == (row.owner == StateOwner::Sampler ? row.other : row.initial),
                              row.name << textOf(row.get()));
            for (const StateRow& row : stage.rows)
                if (row.owner != StateOwner::Sampler) row.set(row.initial);
        }
        stage.context.makeCurrent();
        for (const StateRow& row : stage.rows) CHECK_MESSAGE(row.get() == row.other, row.name << textOf(row.get()));
        CHECK(glGetError() == GL_NO_ERROR);
    }
}

TEST_CASE("state: contexts do not know what later versions have") {
    const Stage stage(2);
    for (const StateRow& row : stateRows(3)) {
        if (row.since == 2 || row.queried == 0) continue;
        CAPTURE(row.name);
        GLint value[4] = {-7, -7, -7, -7};
        glGetIntegerv(row.queried, value);
        CHECK(glGetError() == GL_INVALID_ENUM);
        CHECK(value[0] == -7);
    }
}

TEST_CASE("state: draws, clears and reads follow what is set, at once and no longer than it is") {
    for (const int version : {2, 3}) {
        CAPTURE(version);
        const Stage stage(version);
        walkShown(stage.rows, StateScene(version));
    }
}

TEST_CASE("state: everything that glGet knows and that can be set has a row") {
    // Of the implementation, of what is bound, and of what has happened.
    static const std::set<GLenum> kToldAlone = {GL_ALIASED_LINE_WIDTH_RANGE,
                                                GL_ALIASED_POINT_SIZE_RANGE,
                                                GL_ALPHA_BITS,
                                                GL_BLUE_BITS,
                                                GL_COMPRESSED_TEXTURE_FORMATS,
                                                GL_CONTEXT_RELEASE_BEHAVIOR_KHR,
                                                GL_CONTEXT_ROBUST_ACCESS_KHR,
                                                GL_DEBUG_GROUP_STACK_DEPTH_KHR,
                                                GL_DEBUG_LOGGED_MESSAGES_KHR,
                                                GL_DEBUG_NEXT_LOGGED_MESSAGE_LENGTH_KHR,
                                                GL_DEPTH_BITS,
                                                GL_DRAWS_TESSERA,
                                                GL_DRAW_BUFFER1_EXT,
                                                GL_DRAW_BUFFER2_EXT,
                                                GL_DRAW_BUFFER3_EXT,
                                                GL_DRAW_BUFFER4,
                                                GL_DRAW_BUFFER5,
                                                GL_DRAW_BUFFER6,
                                                GL_DRAW_BUFFER7,
                                                GL_FRAGMENTS_TESSERA,
                                                GL_FRAGMENT_SHADER_DISCARDS_SAMPLES_EXT,
                                                GL_GPU_DISJOINT_EXT,
                                                GL_GREEN_BITS,
                                                GL_IMPLEMENTATION_COLOR_READ_FORMAT,
                                                GL_IMPLEMENTATION_COLOR_READ_TYPE,
                                                GL_MAJOR_VERSION,
                                                GL_MAX_3D_TEXTURE_SIZE_OES,
                                                GL_MAX_ARRAY_TEXTURE_LAYERS,
                                                GL_MAX_CLIP_DISTANCES_APPLE,
                                                GL_MAX_COMBINED_CLIP_AND_CULL_DISTANCES_EXT,
                                                GL_MAX_CULL_DISTANCES_EXT,
                                                GL_MAX_VIEWS_OVR,
                                                GL_MAX_COLOR_ATTACHMENTS_EXT,
                                                GL_MAX_COMBINED_FRAGMENT_UNIFORM_COMPONENTS,
                                                GL_MAX_COMBINED_TEXTURE_IMAGE_UNITS,
                                                GL_MAX_COMBINED_UNIFORM_BLOCKS,
                                                GL_MAX_COMBINED_VERTEX_UNIFORM_COMPONENTS,
                                                GL_MAX_CUBE_MAP_TEXTURE_SIZE,
                                                GL_MAX_DEBUG_GROUP_STACK_DEPTH_KHR,
                                                GL_MAX_DEBUG_LOGGED_MESSAGES_KHR,
                                                GL_MAX_DEBUG_MESSAGE_LENGTH_KHR,
                                                GL_MAX_DRAW_BUFFERS_EXT,
                                                GL_MAX_DUAL_SOURCE_DRAW_BUFFERS_EXT,
                                                GL_MAX_ELEMENTS_INDICES,
                                                GL_MAX_ELEMENTS_VERTICES,
                                                GL_MAX_ELEMENT_INDEX,
                                                GL_MAX_FRAGMENT_INPUT_COMPONENTS,
                                                GL_MAX_FRAGMENT_UNIFORM_BLOCKS,
                                                GL_MAX_FRAGMENT_UNIFORM_COMPONENTS,
                                                GL_MAX_FRAGMENT_UNIFORM_VECTORS,
                                                GL_MAX_LABEL_LENGTH_KHR,
                                                GL_MAX_PROGRAM_TEXEL_OFFSET,
                                                GL_MAX_RENDERBUFFER_SIZE,
                                                GL_MAX_SAMPLES_EXT,
                                                GL_MAX_SERVER_WAIT_TIMEOUT_APPLE,
                                                GL_MAX_TEXTURE_IMAGE_UNITS,
                                                GL_MAX_TEXTURE_LOD_BIAS,
                                                GL_MAX_TEXTURE_MAX_ANISOTROPY_EXT,
                                                GL_MAX_TEXTURE_SIZE,
                                                GL_MAX_TRANSFORM_FEEDBACK_INTERLEAVED_COMPONENTS,
                                                GL_MAX_TRANSFORM_FEEDBACK_SEPARATE_ATTRIBS,
                                                GL_MAX_TRANSFORM_FEEDBACK_SEPARATE_COMPONENTS,
                                                GL_MAX_UNIFORM_BLOCK_SIZE,
                                                GL_MAX_UNIFORM_BUFFER_BINDINGS,
                                                GL_MAX_VARYING_COMPONENTS,
                                                GL_MAX_VARYING_VECTORS,
                                                GL_MAX_VERTEX_ATTRIBS,
                                                GL_MAX_VERTEX_OUTPUT_COMPONENTS,
                                                GL_MAX_VERTEX_TEXTURE_IMAGE_UNITS,
                                                GL_MAX_VERTEX_UNIFORM_BLOCKS,
                                                GL_MAX_VERTEX_UNIFORM_COMPONENTS,
                                                GL_MAX_VERTEX_UNIFORM_VECTORS,
                                                GL_MAX_VIEWPORT_DIMS,
                                                GL_MINOR_VERSION,
                                                GL_MIN_PROGRAM_TEXEL_OFFSET,
                                                GL_NUM_COMPRESSED_TEXTURE_FORMATS,
                                                GL_FRAGMENT_INTERPOLATION_OFFSET_BITS_OES,
                                                GL_MAX_FRAGMENT_INTERPOLATION_OFFSET_OES,
                                                GL_MIN_FRAGMENT_INTERPOLATION_OFFSET_OES,
                                                GL_NUM_EXTENSIONS,
                                                GL_NUM_PROGRAM_BINARY_FORMATS_OES,
                                                GL_NUM_SHADER_BINARY_FORMATS,
                                                GL_PRIMITIVES_TESSERA,
                                                GL_PROGRAM_BINARY_FORMATS_OES,
                                                GL_READ_BUFFER_NV,
                                                GL_RED_BITS,
                                                GL_RESET_NOTIFICATION_STRATEGY_KHR,
                                                GL_SAMPLES,
                                                GL_SAMPLE_BUFFERS,
                                                GL_SHADER_BINARY_FORMATS,
                                                GL_SHADER_COMPILER,
                                                GL_STENCIL_BITS,
                                                GL_SUBPIXEL_BITS,
                                                GL_TEXTURE_CACHE_BYTES_TESSERA,
                                                GL_TEXTURE_CACHE_CONFLICTS_TESSERA,
                                                GL_TEXTURE_CACHE_HITS_TESSERA,
                                                GL_TEXTURE_CACHE_MISSES_TESSERA,
                                                GL_TIMESTAMP_EXT,
                                                GL_TRANSFORM_FEEDBACK_ACTIVE,
                                                GL_TRANSFORM_FEEDBACK_PAUSED,
                                                GL_UNIFORM_BUFFER_OFFSET_ALIGNMENT,
                                                GL_VERTICES_TESSERA};
    // Rows of units that need not be active, and of the framebuffer that is read from.
    static const std::set<GLenum> kReadOtherwise = {GL_TEXTURE_BINDING_2D,
                                                    GL_TEXTURE_BINDING_CUBE_MAP,
                                                    GL_TEXTURE_BINDING_3D,
                                                    GL_TEXTURE_BINDING_2D_ARRAY,
                                                    GL_TEXTURE_BINDING_EXTERNAL_OES,
                                                    GL_SAMPLER_BINDING,
                                                    GL_READ_BUFFER};
    // What other rows are of; objects_test.cpp, framebuffer_test.cpp.
    static const std::set<GLenum> kOwners = {GL_FRAMEBUFFER_BINDING, GL_VERTEX_ARRAY_BINDING};
    const Stage stage(3);
    std::set<GLenum> have;
    for (const StateRow& row : stage.rows) have.insert(row.queried);
    for (const tessera::gles::StateRow& row : tessera::gles::stateRows()) {
        if (have.contains(row.name) || kToldAlone.contains(row.name) || kReadOtherwise.contains(row.name) ||
            kOwners.contains(row.name))
            continue;
        char name[16];
        std::snprintf(name, sizeof name, "0x%04X", row.name);
        FAIL_CHECK("no row for " << name);
    }
}
