#include "pipeline/command/submission_queue.h"

#include <algorithm>
#include <utility>

#include "base/check.h"

namespace tessera::pipeline {

std::shared_ptr<Stream> makeStream() { return std::make_shared<Stream>(); }

const std::shared_ptr<Stream>& SubmissionQueue::whole(const std::shared_ptr<Stream>& stream) {
    if (!stream->joined) return stream;  // NOLINT(bugprone-return-const-ref-from-parameter): all callers keep theirs
    while (stream->joined->joined) stream->joined = stream->joined->joined;
    return stream->joined;
}

namespace {

bool isFull(const CommandBuffer& buffer) { return buffer.commands.size() >= kFullBuffer; }

}  // namespace

size_t SubmissionQueue::costOf(const CommandBuffer& buffer) {
    constexpr size_t kBytesOfCost = size_t{4} << 20;
    return (isFull(buffer) ? 1 : 4) + buffer.bytes / kBytesOfCost;
}

bool SubmissionQueue::push(CommandBuffer&& buffer) {
    const std::shared_ptr<Stream> stream = whole(buffer.stream);
    const size_t cost = costOf(buffer);
    entries_.push_back({submitted_ + 1, stream, std::move(buffer)});
    stream->last = ++submitted_;
    stream->cost += cost;
    if (++stream->queued != 1 || !isReady(*stream)) return false;
    ++ready_;
    return true;
}

void SubmissionQueue::join(const std::shared_ptr<Stream>& one, const std::shared_ptr<Stream>& other) {
    const std::shared_ptr<Stream> from = whole(one), into = whole(other);
    if (from == into) return;
    ready_ -= static_cast<size_t>(isReady(*from)) + static_cast<size_t>(isReady(*into));
    into->queued += from->queued;
    into->taken += from->taken;
    into->cost += from->cost;
    into->last = std::max(into->last, from->last);
    ready_ += static_cast<size_t>(isReady(*into));
    from->joined = into;
}

SubmissionQueue::Taken SubmissionQueue::take() {
    const auto taken = std::ranges::find_if(
        entries_, [](const Entry& entry) { return !entry.isTaken && isReady(*whole(entry.stream)); });
    CHECK(taken != entries_.end());
    return take(taken);
}

SubmissionQueue::Taken SubmissionQueue::take(uint64_t serial) {
    const auto taken = std::ranges::find(entries_, serial, &Entry::serial);
    CHECK(taken != entries_.end() && !taken->isTaken && isReady(*whole(taken->stream)));
    return take(taken);
}

SubmissionQueue::Taken SubmissionQueue::take(Taken entry) {
    --ready_;
    return leaveQueue(entry);
}

SubmissionQueue::Taken SubmissionQueue::leaveQueue(Taken entry) {
    entry->isTaken = true;
    Stream& stream = *whole(entry->stream);
    --stream.queued;
    ++stream.taken;
    stream.cost -= costOf(entry->buffer);
    return entry;
}

std::optional<SubmissionQueue::Taken> SubmissionQueue::takeRest(Taken taken, size_t own) {
    const std::shared_ptr<Stream> stream = whole(taken->stream);
    if (!isFull(taken->buffer) || stream->taken != own || stream->queued == 0) return {};
    const auto next = std::find_if(taken, entries_.end(),
                                   [&](const Entry& entry) { return !entry.isTaken && whole(entry.stream) == stream; });
    if (next == entries_.end() || next->buffer.faults != taken->buffer.faults) return {};
    return leaveQueue(next);
}

void SubmissionQueue::done(Taken taken) {
    Stream& stream = *whole(taken->stream);
    --stream.taken;
    if (isReady(stream)) ++ready_;
    entries_.erase(taken);
}

bool SubmissionQueue::isDone(uint64_t serial) const {
    const auto entry = std::ranges::find_if(entries_, [&](const Entry& one) { return one.serial >= serial; });
    return serial <= submitted_ && (entry == entries_.end() || entry->serial != serial);
}

}  // namespace tessera::pipeline
