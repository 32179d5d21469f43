#include "pipeline/scene/binned_scene.h"

#include <algorithm>
#include <utility>

#include "pipeline/commands.h"

namespace tessera::pipeline {
namespace {

/// Memory of a scene before it is flushed: no more than the target's own, so that many small triangles are still in a
/// cache when the tiles read them, and no less, so that visiting the target's tiles again does not cost more than that.
constexpr size_t kLeastSceneBytes = 2u << 20, kMostSceneBytes = 64u << 20;
constexpr size_t kTargetPixelBytes = 8;  ///< colour and depth

size_t sceneBytes(const RenderTarget& target) {
    const size_t bytes = static_cast<size_t>(target.width) * target.height * target.samples() * kTargetPixelBytes;
    return std::clamp(bytes, kLeastSceneBytes, kMostSceneBytes);
}

}  // namespace

BinnedScene::BinnedScene(const std::atomic<bool>& stop, TextureProbe* textures, MachineProbe* machine, bool isPlain)
    : isPlain_(isPlain) {
    scene_.probe = textures;
    scene_.machineProbe = machine;
    scene_.stop = &stop;
}

void BinnedScene::begin(const RenderTarget& target, PixelProbe* pixels) {
    scene_.target = target;
    scene_.pixelProbe = pixels;
    maxBytes_ = sceneBytes(target);
    scene_.tilesWide = (target.width + kTileSize - 1) / kTileSize;
    scene_.tilesHigh = (target.height + kTileSize - 1) / kTileSize;
    const size_t tiles = static_cast<size_t>(scene_.tilesWide) * scene_.tilesHigh;
    if (scene_.tiles.size() < tiles) scene_.tiles.resize(tiles);  // never shrinks: the lists keep their memory
}

void BinnedScene::append(std::unique_ptr<RasterDraw> draw, bool countsSamples) {
    draw->mayBeUndone |= partOf_ == draw->draw;
    if (draw->mayBeUndone) scene_.undo = &undo_;
    scene_.draws.push_back(std::move(draw));
    countsSamples_ |= countsSamples;
}

void BinnedScene::addDraw(QueuedChunk& chunk) {
    if (scene_.draws.empty() || scene_.draws.back()->draw != chunk.draw) {
        std::unique_ptr<RasterDraw> draw = spare_.draw();
        chunk.beginDraw(*draw);
        return append(std::move(draw), chunk.countsSamples);
    }
    chunk.moveTo(scene_.draws.back()->chunks.emplace_back(spare_.chunk()));
}

void BinnedScene::add(QueuedChunk& chunk) {
    if (chunk.geometry == nullptr)
        append(std::move(chunk.raster), chunk.countsSamples);
    else
        addDraw(chunk);
    TileCommand command;
    command.item = static_cast<uint32_t>(scene_.draws.size() - 1);
    command.chunk = static_cast<uint32_t>(scene_.draws.back()->chunks.size() - 1);
    for (const TileSegment& segment : chunk.result.segments) {
        command.first = segment.first;
        command.count = segment.count;
        scene_.tiles[segment.tile].push_back(command);
    }
    bytes_ += chunk.bytes;
}

void BinnedScene::add(const Clear& clear, const PixelBounds& bounds) {
    scene_.clears.push_back(&clear);
    TileCommand command;
    command.kind = TileCommand::Kind::Clear;
    command.item = static_cast<uint32_t>(scene_.clears.size() - 1);
    for (int y = bounds.minY / kTileSize; y <= bounds.maxY / kTileSize; ++y)
        for (int x = bounds.minX / kTileSize; x <= bounds.maxX / kTileSize; ++x) {
            scene_.tiles[static_cast<size_t>(y) * scene_.tilesWide + x].push_back(command);
            bytes_ += sizeof(TileCommand);
        }
}

void BinnedScene::drop() {
    for (std::vector<TileCommand>& tile : scene_.tiles) tile.clear();
    if (!isPlain_)
        for (std::unique_ptr<RasterDraw>& draw : scene_.draws) spare_.keep(std::move(draw));
    scene_.draws.clear();
    scene_.clears.clear();
    scene_.undo = nullptr;
    countsSamples_ = false;
    bytes_ = 0;
}

void BinnedScene::leaveOut(size_t firstDraw, const Program& program) {
    for (size_t i = firstDraw; i < scene_.draws.size(); ++i)
        if (scene_.draws[i]->draw->state->program.get() == &program) scene_.draws[i]->isLeftOut = true;
}

BinnedScene::Part BinnedScene::takeLastDraw() {
    const auto number = static_cast<uint32_t>(scene_.draws.size() - 1);
    Part part;
    part.commands.resize(scene_.tiles.size());
    for (size_t i = 0; i < part.commands.size(); ++i) {
        std::vector<TileCommand>& commands = scene_.tiles[i];
        const auto first = std::ranges::find_if(commands, [&](const TileCommand& command) {
            return command.kind == TileCommand::Kind::Draw && command.item == number;
        });
        part.commands[i].assign(first, commands.end());
        commands.erase(first, commands.end());
        for (TileCommand& command : part.commands[i]) command.item = 0;
    }
    part.draw = std::move(scene_.draws.back());
    scene_.draws.pop_back();
    return part;
}

void BinnedScene::beginPart(Part part) {
    partOf_ = part.draw->draw;
    part.draw->mayBeUndone = true;
    scene_.undo = &undo_;
    scene_.draws.push_back(std::move(part.draw));
    for (size_t i = 0; i < part.commands.size(); ++i)
        scene_.tiles[i].insert(scene_.tiles[i].end(), part.commands[i].begin(), part.commands[i].end());
}

}  // namespace tessera::pipeline
