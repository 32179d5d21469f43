// A context's fixed function: its state, and the programs made for it so far.
#pragma once

#include <memory>
#include <unordered_map>
#include <vector>

#include "api/gles/context/entry.h"
#include "api/gles/state/state_queries.h"
#include "api/gles1/program_key.h"
#include "api/gles1/uniforms.h"

namespace tessera::gles1 {

/// The program of a key, and where its uniforms get their values.
struct FixedProgram {
    std::shared_ptr<gles::Program> program;
    struct Source {
        gles::Executable::Element element;
        UniformSource source;
    };
    std::vector<Source> sources;
    uint64_t loaded = 0;  ///< FixedContext::changes() when the uniforms were set
};

class FixedContext final : public gles::FixedFunction {
public:
    void initialize(gles::Context& c) override;
    [[nodiscard]] const char* versionString() const override;
    [[nodiscard]] const char* extensionString() const override;
    [[nodiscard]] int textureUnits() const override { return kMaxTextureUnits; }
    [[nodiscard]] bool* capability(gles::Context& c, GLenum cap) override;
    void capabilityChanged(gles::Context& c, GLenum cap) override;
    [[nodiscard]] const bool* clientArray(const gles::Context& c, GLenum array) override;
    [[nodiscard]] GLenum* hint(GLenum target) override;
    [[nodiscard]] bool queryState(gles::Context& c, GLenum pname, gles::StateValue& out) override;
    [[nodiscard]] bool prepareDraw(gles::Context& c, GLenum mode) override;

    /// While one lives, draws are glDrawTex's.
    class DrawTextureScope {
    public:
        explicit DrawTextureScope(FixedContext& fixed) : fixed_(fixed) { fixed_.drawsTexture_ = true; }
        ~DrawTextureScope() { fixed_.drawsTexture_ = false; }
        DrawTextureScope(const DrawTextureScope&) = delete;
        DrawTextureScope& operator=(const DrawTextureScope&) = delete;

    private:
        FixedContext& fixed_;
    };

    FixedState state;
    /// After a change of `state`: the next draw looks at it again.
    void changed() { ++changes_; }

private:
    [[nodiscard]] FixedProgram* find(const ProgramKey& key);

    /// Programs of states that no draw will come back to are not kept for ever.
    static constexpr size_t kMaxPrograms = 1024;

    std::unordered_map<ProgramKey, FixedProgram, ProgramKeyHash> programs_;
    uint64_t changes_ = 1;
    bool drawsTexture_ = false;
    /// What the last prepared draw depended on: changes here and in the share group, and the draw itself.
    struct Prepared {
        uint64_t changes = 0, groupChanges = 0;
        GLenum mode = 0;
        bool drawsTexture = false;
        bool operator==(const Prepared&) const = default;
    } prepared_;
};

/// Entry points that OpenGL ES 1.1 alone has: as gles::enter, with GL_INVALID_OPERATION in other contexts.
template <class Act>
void enterFixed(Act&& act, const char* call = __builtin_FUNCTION(),
                gles::DrawStateUse use = gles::DrawStateUse::MayChange) noexcept {
    gles::enter(
        [&](gles::Context& c) {
            if (!c.fixedFunction) {
                c.error(GL_INVALID_OPERATION);
                return;
            }
            auto& fixed = static_cast<FixedContext&>(*c.fixedFunction);
            act(c, fixed);
            fixed.changed();
        },
        call, use);
}

/// For what is in FixedState alone: draws share their pipeline state as long as the program is the same.
template <class Act>
void enterFixedState(Act&& act, const char* call = __builtin_FUNCTION()) noexcept {
    enterFixed([&](gles::Context& c, FixedContext& fixed) { act(c, fixed.state); }, call, gles::DrawStateUse::Keeps);
}

}  // namespace tessera::gles1
