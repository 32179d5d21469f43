#include "inspect/frame/scrubber.h"

#include <algorithm>
#include <cstring>
#include <iterator>

#include "pipeline/recording/needed_steps.h"

namespace tessera::inspect {

std::span<std::byte> Scrubber::Memory::bytes() const {
    if (image) return {image->block(0, 0), image->byteCount()};
    if (buffer) return buffer->bytes();
    return std::as_writable_bytes(std::span(&place->vertices, 1));
}

size_t Scrubber::Memory::versionAt(size_t step) const {
    const auto after = std::ranges::lower_bound(writers, step);
    return after == writers.begin() ? 0 : *std::prev(after) + 1;
}

Scrubber::Scrubber(pipeline::CommandStream& stream, pipeline::Gpu& gpu, std::chrono::microseconds between,
                   size_t mostKept)
    : stream_(stream), replayer_(stream, gpu), mostKept_(mostKept), wait_(between) {
    std::unordered_map<const void*, size_t> numbers;
    const auto add = [&](const void* what, Memory memory) {
        numbers[what] = memories_.size();
        memories_.push_back(std::move(memory));
    };
    for (const texture::ImagePtr& image : stream.images)
        if (&image->whole() == image.get()) add(image.get(), {.image = image});
    for (size_t i = 0; i < stream.buffers.size(); ++i)
        add(stream.buffers[i].get(), {.buffer = stream.buffers[i], .first = stream.firstContents[i]});
    for (const auto& [place, first] : stream.places)
        add(place.get(), {.place = place.get(), .first = std::as_bytes(std::span(&first, 1))});
    for (size_t step = 0; step < stream.steps.size(); ++step)
        for (const void* what : pipeline::writtenBy(stream.steps[step]))
            if (const auto at = numbers.find(what); at != numbers.end()) {
                std::vector<size_t>& writers = memories_[at->second].writers;
                if (writers.empty() || writers.back() != step) writers.push_back(step);
            }
    // What is never written never has to be brought back.
    std::erase_if(memories_, [](const Memory& memory) { return memory.writers.empty(); });
    keep();
}

void Scrubber::seek(size_t goal, const std::function<bool()>& isCancelled) {
    goal = std::min(goal, stream_.steps.size());
    const auto nearest = std::prev(states_.upper_bound(goal));
    if (goal < step() || nearest->first > step()) restore(nearest->first, nearest->second);
    size_t stride = 1;
    while (step() < goal && !(isCancelled && isCancelled())) {
        const auto began = std::chrono::steady_clock::now();
        replayer_.runTo(std::min(goal, step() + stride));
        const auto took = std::chrono::steady_clock::now() - began;
        sinceKept_ += took;
        if (took > wait_ / 2)
            stride = std::max<size_t>(1, stride / 2);
        else if (took < wait_ / 8)
            stride *= 2;
        if (sinceKept_ >= wait_ && !states_.contains(step())) keep();
    }
}

void Scrubber::moved(size_t step) {
    replayer_.moveTo(step);
    sinceKept_ = {};
}

void Scrubber::keep() {
    State& state = states_[step()];
    for (Memory& memory : memories_) {
        const size_t version = memory.versionAt(step());
        std::shared_ptr<const Kept> kept = memory.kept[version].lock();
        if (version != 0 && !kept) {
            const std::span<const std::byte> bytes = memory.bytes();
            auto copy =
                std::make_shared<Kept>(Kept{std::make_unique_for_overwrite<std::byte[]>(bytes.size()), bytes.size()});
            std::memcpy(copy->bytes.get(), bytes.data(), bytes.size());
            bytes_ += bytes.size();
            memory.kept[version] = copy;
            kept = std::move(copy);
        }
        state.memories.push_back(std::move(kept));
    }
    for (const auto& program : stream_.programs) state.banned.push_back(program->isBanned);
    sinceKept_ = {};
    if (bytes_ > mostKept_) thin();
}

void Scrubber::restore(size_t to, const State& state) {
    for (size_t i = 0; i < memories_.size(); ++i) {
        const Memory& memory = memories_[i];
        if (memory.versionAt(step()) == memory.versionAt(to)) continue;
        const std::span<std::byte> bytes = memory.bytes();
        if (const auto& kept = state.memories[i])
            std::memcpy(bytes.data(), kept->bytes.get(), kept->size);
        else if (!memory.first.empty())
            std::memcpy(bytes.data(), memory.first.data(), bytes.size());
        else
            std::memset(bytes.data(), 0, bytes.size());
    }
    for (size_t i = 0; i < stream_.programs.size(); ++i) stream_.programs[i]->isBanned = state.banned[i];
    replayer_.moveTo(to);
    sinceKept_ = {};
}

void Scrubber::thin() {
    bool isGivenUp = true;
    for (auto at = std::next(states_.begin()); at != states_.end(); isGivenUp = !isGivenUp)
        at = isGivenUp ? states_.erase(at) : std::next(at);
    bytes_ = 0;
    for (Memory& memory : memories_) {
        std::erase_if(memory.kept, [](const auto& one) { return one.second.expired(); });
        for (const auto& [version, kept] : memory.kept)
            if (const auto alive = kept.lock()) bytes_ += alive->size;
    }
    wait_ *= 2;
}

}  // namespace tessera::inspect
