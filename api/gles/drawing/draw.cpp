// Client-side arrays are copied when the draw is recorded, element by element into a packed array, so exactly the bytes
// that the draw's vertices name are read. For indexed draws those are the elements between the smallest and the
// largest index, the base vertex added. Buffer objects are shared, not copied.
//
// A draw call must not keep the GPU busy for minutes. Shaders without gl_VertexID cannot tell vertices apart but by
// what they fetch, so vertices beyond the end of every buffer are all equal: lines and triangles between them have no
// area, and the count is cut to where they begin. What is still larger than limits.h allows is refused as out of
// memory.
#include "api/gles/drawing/draw.h"

#include <algorithm>
#include <cstring>
#include <new>
#include <span>

#include "api/gles/framebuffers/views.h"
#include "base/check.h"
#include "pipeline/commands.h"
#include "pipeline/geometry/assembly.h"

namespace tessera::gles {

namespace {

/// Vertices that a draw may fetch.
struct VertexRange {
    uint64_t first = 0, count = 0;
};

/// More client memory than this in one draw is refused as out of memory.
constexpr uint64_t kMaxGatherBytes = uint64_t{1} << 31;

pipeline::VertexType vertexType(GLenum type) {
    using pipeline::VertexType;
    switch (type) {
        case GL_BYTE:
            return VertexType::I8;
        case GL_UNSIGNED_BYTE:
            return VertexType::U8;
        case GL_SHORT:
            return VertexType::I16;
        case GL_UNSIGNED_SHORT:
            return VertexType::U16;
        case GL_FIXED:
            return VertexType::Fixed16_16;
        case GL_FLOAT:
            return VertexType::F32;
        case GL_HALF_FLOAT_OES:
        case GL_HALF_FLOAT:
            return VertexType::F16;
        case GL_INT:
            return VertexType::I32;
        case GL_UNSIGNED_INT:
            return VertexType::U32;
        case GL_INT_2_10_10_10_REV:
            return VertexType::I2_10_10_10;
        case GL_UNSIGNED_INT_2_10_10_10_REV:
            return VertexType::U2_10_10_10;
    }
    UNREACHABLE("vertex attribute type");
}

uint32_t elementBytes(const AttribArray& array) {
    return static_cast<uint32_t>(pipeline::vertexElementBytes(vertexType(array.type), array.size));
}

/// OpenGL ES 3.0 has other normalised signed integers than 2.0.
pipeline::VertexConversion conversion(const Context& c, const AttribArray& array) {
    using pipeline::VertexConversion;
    if (array.isInteger) return VertexConversion::Integer;
    if (!array.normalized) return VertexConversion::Number;
    return c.isEs3() ? VertexConversion::NormalizedSymmetric : VertexConversion::Normalized;
}

/// A packed copy of the elements in the range.
pipeline::BufferPtr gather(const AttribArray& array, VertexRange range) {
    size_t element = elementBytes(array);
    if (!array.pointer) return std::make_shared<pipeline::Buffer>(0);  // reads zero
    if (range.count > kMaxGatherBytes / element) throw std::bad_alloc();
    size_t stride = array.stride == 0 ? element : static_cast<size_t>(array.stride);
    const auto* from = static_cast<const std::byte*>(array.pointer) + range.first * stride;
    if (stride == element) return std::make_shared<pipeline::Buffer>(std::span(from, range.count * element));
    auto packed = std::make_shared<pipeline::Buffer>(range.count * element, pipeline::Buffer::Contents::Any);
    std::byte* to = packed->data();
    for (uint64_t i = 0; i < range.count; ++i, from += stride, to += element) std::memcpy(to, from, element);
    return packed;
}

/// Everything of the attributes that the program reads but the data of client arrays.
void describeAttributes(const Context& c, pipeline::DrawState& state) {
    for (size_t i = 0; i < kMaxVertexAttribs; ++i) {
        if (!state.program->vertex().inputMask.has(i)) continue;
        const AttribArray& array = c.vertexArray->attribs[i];
        pipeline::VertexAttribute& out = state.attributes[i];
        if (!array.enabled) {
            std::copy_n(c.currentAttrib[i].begin(), 4, out.constant);
            continue;
        }
        out.type = vertexType(array.type);
        out.components = static_cast<uint8_t>(array.size);
        out.conversion = conversion(c, array);
        out.divisor = array.divisor;
        if (!array.buffer) continue;
        out.data = array.buffer->data;
        out.offset = static_cast<int64_t>(reinterpret_cast<intptr_t>(array.pointer));
        out.stride = array.stride == 0 ? elementBytes(array) : static_cast<uint32_t>(array.stride);
    }
}

/// Copies client arrays, where there are any, into the state, which then is one draw's own; returns the bytes copied.
size_t fetchClientArrays(Context& c, pipeline::DrawState& state, VertexRange range, uint32_t instances,
                         uint32_t baseInstance) {
    const MayBeLeft left(c.group().mutex);
    size_t copied = 0;
    for (size_t i = 0; i < kMaxVertexAttribs; ++i) {
        const AttribArray& array = c.vertexArray->attribs[i];
        if (!state.program->vertex().inputMask.has(i) || !array.enabled || array.buffer) continue;
        pipeline::VertexAttribute& out = state.attributes[i];
        VertexRange own = range;
        if (array.divisor != 0) own = {baseInstance, (uint64_t{instances} + array.divisor - 1) / array.divisor};
        out.data = gather(array, own);
        out.stride = elementBytes(array);
        out.offset = array.divisor != 0 ? 0 : -static_cast<int64_t>(own.first * out.stride);
        copied += out.data->size();
    }
    return copied;
}

/// True when a vertex shader input comes from client memory, so that the range of vertices must be known.
bool usesClientArrays(const Context& c, const isa::Program& program) {
    for (size_t i = 0; i < kMaxVertexAttribs; ++i) {
        const AttribArray& array = c.vertexArray->attribs[i];
        if (program.inputMask.has(i) && array.enabled && !array.buffer) return true;
    }
    return false;
}

void bindTextures(const Context& c, const SamplesResolved& resolved, const Executable& executable,
                  pipeline::DrawState& state) {
    for (const Uniform& uniform : executable.uniforms) {
        if (!uniform.isSampler()) continue;
        for (size_t i = 0; i < uniform.units.size(); ++i) {
            const TextureImageUnit& unit = c.textureImageUnits[static_cast<size_t>(uniform.units[i])];
            pipeline::TextureBinding binding;
            if (const std::shared_ptr<Texture>* texture = unit.sampled(uniform.variable.type))
                binding = (*texture)->binding(resolved, unit.sampler ? unit.sampler->parameters : (*texture)->sampling,
                                              c.isEs3());
            for (const isa::Stage stage : pipeline::kDrawStages) {
                const int first = uniform.places[stage].first;
                if (first < 0) continue;
                std::vector<pipeline::TextureBinding>& textures = state.textures[stage];
                const size_t at = static_cast<size_t>(first) + i;
                if (textures.size() <= at) textures.resize(at + 1);
                textures[at] = binding;
            }
        }
    }
}

/// The stages that a draw runs through. Without a program the results are undefined (section 2.10.3) and nothing is
/// drawn: then, and where there is nothing to draw, they are not complete.
ProgramStages beginDraw(Context& c, GLenum mode, GLsizei count, GLsizei instances) {
    if (count == 0 || instances == 0 || c.discardsRendering) return {};
    if (c.fixedFunction && !c.fixedFunction->prepareDraw(c, mode)) return {};
    return c.stages();
}

/// First vertex number from which on every fetch lies beyond its buffer; client arrays have no known end, nor have the
/// numbers of vertices themselves.
uint64_t firstEqualVertex(const Context& c, const Executable& vertex) {
    if (vertex.readsVertexId) return ~uint64_t{0};
    const isa::Program& program = vertex.program->vertex();
    uint64_t end = 0;
    for (size_t i = 0; i < kMaxVertexAttribs; ++i) {
        const AttribArray& array = c.vertexArray->attribs[i];
        if (!program.inputMask.has(i) || !array.enabled || array.divisor != 0) continue;
        if (!array.buffer || reinterpret_cast<intptr_t>(array.pointer) < 0) return ~uint64_t{0};
        const uint64_t stride = array.stride == 0 ? elementBytes(array) : static_cast<uint64_t>(array.stride);
        end = std::max(end, array.buffer->data->size() / stride + 1);
    }
    return end;
}

/// The count of a draw without the primitives at its end that have no area, because all their vertices are equal.
/// `equalFrom` counts from the draw's first vertex.
uint32_t usefulCount(GLenum mode, GLsizei count, uint64_t equalFrom) {
    if (mode == GL_POINTS) return static_cast<uint32_t>(count);  // equal points are drawn nevertheless
    // A multiple of both 2 and 3 keeps whole primitives; three more vertices end loops, strips and fans.
    uint64_t useful = (std::min<uint64_t>(equalFrom, INT32_MAX) + 5) / 6 * 6 + 3 * 2;
    return static_cast<uint32_t>(std::min<uint64_t>(static_cast<uint64_t>(count), useful));
}

/// Instances that have elements of their own in an instanced array.
uint64_t instancesWithData(const Context& c, const isa::Program& program) {
    uint64_t count = 1;
    for (size_t i = 0; i < kMaxVertexAttribs; ++i) {
        const AttribArray& array = c.vertexArray->attribs[i];
        if (!program.inputMask.has(i) || !array.enabled || array.divisor == 0 || !array.buffer) continue;
        const uint64_t stride = array.stride == 0 ? elementBytes(array) : static_cast<uint64_t>(array.stride);
        count = std::max(count, array.buffer->data->size() / stride * array.divisor);
    }
    return count;
}

/// What must be recorded before a draw with the context's stages, which are complete.
[[nodiscard]] SamplesResolved prepareDraw(Context& c, const ProgramStages& stages) {
    stages.forEach([&](Executable& executable) { executable.setDepthRange(c.state.depthRange); });
    const SamplesResolved resolved(c, stages);
    c.prepareSamples({});
    return resolved;
}

/// The state of a draw with the stages, when it is not the last one's; the next draw may take it, unless it has client
/// arrays.
std::shared_ptr<pipeline::DrawState> newDrawState(Context& c, const ProgramStages& stages,
                                                  const SamplesResolved& resolved) {
    std::shared_ptr<pipeline::DrawState> state = c.recorder.newDrawState();
    state->program = c.program ? c.program->executable->program : c.pipeline->joined();
    // In place of one that owns nothing yet: moving its ten images costs as much as finding them.
    ::new (static_cast<void*>(&state->target)) pipeline::RenderTarget(c.drawTarget());
    state->raster = rasterState(c.state);
    state->pixel = pixelState(c.state);
    stages.forEach([&](const Executable& executable) { bindTextures(c, resolved, executable, *state); });
    describeAttributes(c, *state);
    const isa::Program& vertex = state->program->vertex();
    c.lastDraw = {nullptr, c.group().changes, firstEqualVertex(c, *stages[isa::Stage::Vertex]),
                  instancesWithData(c, vertex)};
    if (!usesClientArrays(c, vertex) && !Recorder::isPlain()) c.lastDraw.state = state;
    return state;
}

/// Everything but state, vertices and indices.
void fillDraw(Context& c, const ProgramStages& stages, GLenum mode, pipeline::Draw& draw) {
    static_assert(static_cast<int>(pipeline::Primitive::TriangleFan) == GL_TRIANGLE_FAN &&
                  static_cast<int>(pipeline::Primitive::LineLoop) == GL_LINE_LOOP);
    for (const isa::Stage stage : pipeline::kDrawStages)
        draw.constants[stage] = stages[stage]->recordConstants(stage, c.recorder, c.uniformBuffers);
    draw.primitive = static_cast<pipeline::Primitive>(mode);
    if (c.occlusionQuery) draw.occlusion = {c.occlusionQuery->result, &c.occlusionQuery->result->samples};
}

/// Makes the draw, which there is room for, one that is captured.
void capture(Context& c, pipeline::Draw& draw) {
    TransformFeedback& feedback = *c.transformFeedback;
    draw.streamOut = feedback.streamOut(feedback.program->executable->captured.layout, c.writtenPrimitives());
    feedback.vertices += capturedVertices(draw.primitive, draw.count, draw.instances);
}

/// What captured draws write is known to the buffers from the end of the call on.
void submitCapture(Context& c) {
    const uint64_t serial = c.recorder.submit();
    const auto& strides = c.transformFeedback->program->executable->captured.layout.stride;
    for (size_t i = 0; i < strides.size(); ++i)
        if (strides[i] != 0) c.transformFeedback->buffers[i].buffer->written = serial;
}

/// `withData`: vertices (or indices) of an instance that the application gave.
void checkSize(const Context& c, uint32_t count, uint32_t instances, uint64_t withData) {
    const bool repeats = count > withData || instances > c.lastDraw.instancesWithData;
    if (count > (repeats ? kMaxRepeatedVertices : kMaxDrawVertices) / instances) throw std::bad_alloc();
}

/// Elements of instanced arrays in buffers are those from that one on; fetchClientArrays() has seen to the others.
void startAt(pipeline::DrawState& state, uint32_t baseInstance) {
    for (pipeline::VertexAttribute& attribute : state.attributes) {
        if (attribute.divisor == 0) continue;
        // Where the sum is beyond all numbers the elements are beyond their buffer.
        if (__builtin_add_overflow(attribute.offset, int64_t{attribute.stride} * baseInstance, &attribute.offset))
            attribute.offset = INT64_MAX;
    }
}

/// Calls record(state), which records a draw with the context's state. It reads the application's memory before, as
/// that may not be there, and its handler then leaves the call (context/call_lock.h).
template <class Record>
void recordDraw(Context& c, const ProgramStages& stages, uint32_t baseInstance, const Record& record) {
    forEachView(c, [&](int view) {
        stages.forEach([&](Executable& executable) { executable.setView(static_cast<GLuint>(view)); });
        const SamplesResolved resolved = prepareDraw(c, stages);
        if (baseInstance == 0 && c.takesLastDraw()) return record(c.lastDraw.state);
        const std::shared_ptr<pipeline::DrawState> state = newDrawState(c, stages, resolved);
        if (baseInstance == 0) return record(state);
        startAt(*state, baseInstance);
        record(state);
        c.lastDraw.state = nullptr;  // no other draw begins there
    });
}

struct IndexData {
    pipeline::IndexType type;
    size_t bytes;
};

IndexData indexData(GLenum type) {
    if (type == GL_UNSIGNED_BYTE) return {pipeline::IndexType::U8, 1};
    if (type == GL_UNSIGNED_SHORT) return {pipeline::IndexType::U16, 2};
    return {pipeline::IndexType::U32, 4};
}

/// Smallest and largest index; those outside the buffer read 0, as the pipeline reads them. With `restart` the index of
/// all ones names no vertex.
VertexRange indexRange(const pipeline::Buffer& bytes, uint64_t offset, uint64_t count, size_t indexBytes,
                       bool restart) {
    const auto none = static_cast<uint32_t>((uint64_t{1} << (8 * indexBytes)) - 1);
    uint64_t available = offset < bytes.size() ? (bytes.size() - offset) / indexBytes : 0;
    uint32_t low = ~0u, high = 0;
    if (available < count) low = 0;
    for (uint64_t i = 0; i < std::min(available, count); ++i) {
        uint32_t index = 0;  // little endian: the low bytes of a narrow index are the value
        std::memcpy(&index, bytes.data() + offset + i * indexBytes, indexBytes);
        if (restart && index == none) continue;
        low = std::min(low, index);
        high = std::max(high, index);
    }
    if (low > high) return {};
    return {low, uint64_t{high} - low + 1};
}

/// The elements that the indices of a range name with a base vertex. Those of negative sums are none of the array's.
VertexRange elementRange(VertexRange indices, GLint baseVertex) {
    constexpr int64_t kModulus = int64_t{1} << 32;
    const int64_t first = static_cast<int64_t>(indices.first) + baseVertex;
    const int64_t end = first + static_cast<int64_t>(indices.count);
    if (first >= kModulus) return {static_cast<uint64_t>(first - kModulus), indices.count};
    if (end > kModulus) return {0, kModulus};
    const int64_t inside = std::max<int64_t>(first, 0);
    return {static_cast<uint64_t>(inside), static_cast<uint64_t>(std::max(end, inside) - inside)};
}

}  // namespace

uint64_t capturedVertices(pipeline::Primitive primitive, uint32_t count, uint32_t instances) {
    return uint64_t{pipeline::primitiveCount(primitive, count)} *
           static_cast<uint64_t>(pipeline::cornerCount(primitive)) * instances;
}

void drawArrays(Context& c, GLenum mode, GLint first, GLsizei count, GLsizei instances, GLuint baseInstance) {
    const ProgramStages stages = beginDraw(c, mode, count, instances);
    if (!stages.complete()) return;
    recordDraw(c, stages, baseInstance, [&](const std::shared_ptr<pipeline::DrawState>& state) {
        const auto from = static_cast<uint32_t>(first), copies = static_cast<uint32_t>(instances);
        const uint64_t equal = c.lastDraw.equalVertex, withData = equal > from ? equal - from : 0;
        const bool isCaptured = c.transformFeedback->captures();
        const uint32_t used = isCaptured ? static_cast<uint32_t>(count) : usefulCount(mode, count, withData);
        checkSize(c, used, copies, withData);
        const size_t bytes = c.lastDraw.state ? 0 : fetchClientArrays(c, *state, {from, used}, copies, baseInstance);
        c.recorder.recordDraw(state, [&](pipeline::Draw& draw) {
            fillDraw(c, stages, mode, draw);
            draw.first = from;
            draw.count = used;
            draw.instances = copies;
            if (isCaptured) capture(c, draw);
            return bytes;
        });
        if (isCaptured) submitCapture(c);
    });
}

void drawElements(Context& c, GLenum mode, GLsizei count, GLenum type, const void* indices, GLsizei instances,
                  GLint baseVertex, GLuint baseInstance) {
    const ProgramStages stages = beginDraw(c, mode, count, instances);
    const std::shared_ptr<Buffer>& buffer = c.vertexArray->elementBuffer;
    if (!stages.complete() || (!buffer && !indices)) return;
    recordDraw(c, stages, baseInstance, [&](const std::shared_ptr<pipeline::DrawState>& state) {
        const IndexData data = indexData(type);
        const auto copies = static_cast<uint32_t>(instances);
        auto used = static_cast<uint32_t>(count);
        uint64_t offset = 0;
        size_t bytes = 0;
        pipeline::ConstBufferPtr copied;
        if (buffer) {
            offset = reinterpret_cast<uintptr_t>(indices);
            const uint64_t end = buffer->data->size();  // indices beyond it are all 0
            const uint64_t withData = offset < end ? (end - offset) / data.bytes : 0;
            used = usefulCount(mode, count, c.lastDraw.equalVertex == 0 ? 0 : offset < end ? withData + 1 : 0);
            checkSize(c, used, copies, withData);
        } else {
            checkSize(c, used, copies, used);
            const MayBeLeft left(c.group().mutex);
            const auto* from = static_cast<const std::byte*>(indices);
            bytes = static_cast<size_t>(count) * data.bytes;
            copied = std::make_shared<pipeline::Buffer>(std::span(from, bytes));
        }
        if (!c.lastDraw.state) {
            if (buffer) buffer->awaitContents();
            const VertexRange named =
                indexRange(buffer ? *buffer->data : *copied, offset, used, data.bytes, c.state.primitiveRestart);
            bytes += fetchClientArrays(c, *state, elementRange(named, baseVertex), copies, baseInstance);
        }
        c.recorder.recordDraw(state, [&](pipeline::Draw& draw) {
            fillDraw(c, stages, mode, draw);
            draw.count = used;
            draw.instances = copies;
            draw.indexType = data.type;
            draw.indexOffset = offset;
            draw.baseVertex = baseVertex;
            draw.restart = c.state.primitiveRestart;
            if (buffer)
                draw.indices = buffer->data;
            else
                draw.indices = std::move(copied);
            return bytes;
        });
    });
}

}  // namespace tessera::gles
