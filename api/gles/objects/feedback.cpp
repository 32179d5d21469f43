#include "api/gles/objects/feedback.h"

#include <fmt/format.h>

#include <algorithm>

#include "api/gles/objects/executable.h"
#include "base/check.h"

namespace tessera::gles {

namespace {

/// An output of a vertex program, or an element of one.
struct Output {
    isa::Variable variable;  ///< with the name that was asked for
    int first = 0;           ///< o register
};

std::optional<Output> findOutput(const isa::Program& vertex, const std::string& name) {
    const auto builtIn = [&](isa::VarType type, int output) { return Output{{.name = name, .type = type}, output}; };
    if (name == "gl_Position") return builtIn(isa::VarType::Vec4, isa::kOutPosition);
    if (name == "gl_PointSize") return builtIn(isa::VarType::Float, isa::kOutPointSize);
    std::string_view base;
    int index = 0;
    const bool isIndexed = splitIndex(name, base, index);
    for (const isa::Variable& varying : vertex.varyings) {
        Output output{varying, isa::kOutVarying0 + varying.reg};
        if (varying.name == name) return output;
        if (!isIndexed || varying.name != base || index >= varying.arraySize) continue;
        output.variable.name = name;
        output.variable.arraySize = 0;
        output.first += index * isa::columnCount(varying.type);
        return output;
    }
    return std::nullopt;
}

/// Takes care of one varying after the other.
class Capture {
public:
    Capture(CapturedVaryings& made, bool isSeparate) : made_(made), isSeparate_(isSeparate) {}

    void add(const Output& output) {
        const isa::Variable& variable = output.variable;
        const int components = isa::componentCount(variable.type);
        for (int i = 0; i < isa::registerCount(variable); ++i) {
            uint32_t& stride = made_.layout.stride[buffer_];
            made_.layout.parts.push_back({.output = static_cast<uint8_t>(output.first + i),
                                          .component = variable.component,
                                          .components = static_cast<uint8_t>(components),
                                          .buffer = static_cast<uint8_t>(buffer_),
                                          .offset = stride});
            stride += static_cast<uint32_t>(components) * 4;
        }
        made_.varyings.push_back(variable);
        if (isSeparate_) ++buffer_;
    }

private:
    CapturedVaryings& made_;
    const bool isSeparate_;
    size_t buffer_ = 0;
};

int componentsOf(const isa::Variable& variable) {
    return isa::registerCount(variable) * isa::componentCount(variable.type);
}

}  // namespace

std::optional<CapturedVaryings> captureVaryings(const isa::Program* vertex, const FeedbackNames& wanted,
                                                std::string* error) {
    CapturedVaryings made;
    made.mode = wanted.mode;
    const bool isSeparate = wanted.mode == GL_SEPARATE_ATTRIBS;
    const int limit = isSeparate ? kMaxFeedbackSeparateComponents : kMaxFeedbackInterleavedComponents;
    if (isSeparate && wanted.names.size() > kMaxFeedbackBuffers) {
        *error = fmt::format("{} varyings are captured apart, limit {}", wanted.names.size(), kMaxFeedbackBuffers);
        return std::nullopt;
    }
    Capture capture(made, isSeparate);
    int components = 0;
    for (auto name = wanted.names.begin(); name != wanted.names.end(); ++name) {
        if (std::find(wanted.names.begin(), name, *name) != name) {
            *error = fmt::format("varying '{}' is captured twice", *name);
            return std::nullopt;
        }
        const std::optional<Output> output = vertex ? findOutput(*vertex, *name) : std::nullopt;
        if (!output) {
            *error = fmt::format("varying '{}' is captured and no output of the vertex shader", *name);
            return std::nullopt;
        }
        components = componentsOf(output->variable) + (isSeparate ? 0 : components);
        if (components > limit) {
            *error =
                fmt::format("{} components are captured in one buffer up to '{}', limit {}", components, *name, limit);
            return std::nullopt;
        }
        capture.add(*output);
    }
    return made;
}

uint64_t TransformFeedback::capacity(const pipeline::StreamOutLayout& layout) const {
    uint64_t most = ~uint64_t{0};
    for (size_t i = 0; i < buffers.size(); ++i)
        if (layout.stride[i] != 0) most = std::min<uint64_t>(most, buffers[i].bytes().size() / layout.stride[i]);
    return most;
}

std::shared_ptr<const pipeline::StreamOut> TransformFeedback::streamOut(
    const pipeline::StreamOutLayout& layout, std::shared_ptr<pipeline::PrimitiveCounter> counter) const {
    auto out = std::make_shared<pipeline::StreamOut>();
    out->layout = layout;
    out->place = place;
    out->written = std::move(counter);
    for (size_t i = 0; i < buffers.size(); ++i) {
        if (layout.stride[i] == 0) continue;
        CHECK(buffers[i].buffer);
        const pipeline::BufferPtr& data = buffers[i].buffer->data;
        out->ranges[i] = {data, std::min<uint64_t>(static_cast<uint64_t>(buffers[i].offset), data->size()),
                          buffers[i].bytes().size()};
    }
    return out;
}

}  // namespace tessera::gles
