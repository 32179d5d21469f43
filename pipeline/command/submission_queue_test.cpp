// The order in which the queue hands out buffers, against a model: what was joined when is all that counts.
#include "pipeline/command/submission_queue.h"

#include <algorithm>
#include <random>
#include <vector>

#include <doctest/doctest.h>

#include "pipeline/command/gpu.h"

using namespace tessera::pipeline;

namespace {

CommandBuffer bufferOf(std::shared_ptr<Stream> stream) {
    CommandBuffer buffer;
    buffer.stream = std::move(stream);
    return buffer;
}

/// Streams as sets of numbers, and what each has handed over and not been told to be done, in order.
class Model {
public:
    explicit Model(size_t count) {
        for (size_t i = 0; i < count; ++i) set_.push_back(i);
    }
    void push(size_t stream, uint64_t serial) { waiting_.push_back({serial, stream, false}); }
    void join(size_t one, size_t other) {
        const size_t from = set_[one];
        for (size_t& set : set_)
            if (set == from) set = set_[other];
    }
    /// The first buffer of which no earlier one of its set is there; 0: none.
    [[nodiscard]] uint64_t next() const {
        for (const Buffer& buffer : waiting_)
            if (!buffer.isTaken && isFirst(buffer)) return buffer.serial;
        return 0;
    }
    [[nodiscard]] size_t ready() const {
        return std::ranges::count_if(waiting_, [&](const Buffer& one) { return !one.isTaken && isFirst(one); });
    }
    void take(uint64_t serial) { find(serial)->isTaken = true; }
    void done(uint64_t serial) { waiting_.erase(find(serial)); }
    [[nodiscard]] bool has(uint64_t serial) { return find(serial) != waiting_.end(); }

private:
    struct Buffer {
        uint64_t serial;
        size_t stream;
        bool isTaken;
    };
    [[nodiscard]] bool isFirst(const Buffer& buffer) const {
        return std::ranges::none_of(waiting_, [&](const Buffer& other) {
            return set_[other.stream] == set_[buffer.stream] && (other.serial < buffer.serial || other.isTaken);
        });
    }
    std::vector<Buffer>::iterator find(uint64_t serial) { return std::ranges::find(waiting_, serial, &Buffer::serial); }

    std::vector<size_t> set_;  ///< by stream
    std::vector<Buffer> waiting_;
};

}  // namespace

TEST_CASE("buffers of a stream are executed one by one in order, of joined streams too, others in between") {
    for (uint32_t seed = 0; seed < 300; ++seed) {
        CAPTURE(seed);
        std::mt19937 random(seed);
        constexpr size_t kStreams = 8;
        std::vector<std::shared_ptr<Stream>> streams(kStreams);
        for (auto& stream : streams) stream = makeStream();
        SubmissionQueue queue;
        Model model(kStreams);
        std::vector<SubmissionQueue::Taken> taken;
        for (int step = 0; step < 400; ++step) {
            const size_t one = random() % kStreams, other = random() % kStreams;
            const uint32_t what = random() % 100;
            if (what < 40) {
                const size_t before = queue.ready();
                const bool isReady = queue.push(bufferOf(streams[one]));
                REQUIRE(queue.ready() == before + (isReady ? 1 : 0));
                model.push(one, queue.submitted());
                REQUIRE(SubmissionQueue::last(streams[one]) == queue.submitted());
            } else if (what < 41) {
                queue.join(streams[one], streams[other]);
                model.join(one, other);
            } else if (what < 70 && queue.ready() != 0) {
                taken.push_back(queue.take());
                REQUIRE(taken.back()->serial == model.next());
                model.take(taken.back()->serial);
            } else if (!taken.empty()) {
                const size_t which = random() % taken.size();
                const uint64_t serial = taken[which]->serial;
                queue.done(taken[which]);
                taken.erase(taken.begin() + static_cast<int>(which));
                model.done(serial);
            }
            REQUIRE(queue.ready() == model.ready());
            bool isEqual = true, allDone = true;
            for (uint64_t serial = 1; serial <= queue.submitted(); ++serial) {
                isEqual &= queue.isDone(serial) == !model.has(serial);
                if (serial <= queue.allDone()) allDone &= queue.isDone(serial);
            }
            REQUIRE(isEqual);
            REQUIRE(allDone);
            REQUIRE_FALSE(queue.isDone(queue.submitted() + 1));
        }
    }
}

TEST_CASE("the rest of what a full buffer is part of is what follows in its stream, when nobody else is at it") {
    const auto one = makeStream(), other = makeStream();
    const auto full = [](const std::shared_ptr<Stream>& stream) {
        CommandBuffer buffer = bufferOf(stream);
        buffer.commands.resize(kFullBuffer, EndFrame{});
        return buffer;
    };
    SubmissionQueue queue;
    queue.push(full(one));      // 1
    queue.push(full(other));    // 2
    queue.push(full(one));      // 3
    queue.push(bufferOf(one));  // 4
    queue.push(full(one));      // 5
    const auto first = queue.take();
    const auto third = queue.takeRest(first, 1);
    REQUIRE(third);
    CHECK((*third)->serial == 3);
    CHECK(SubmissionQueue::queuedCost(one) == SubmissionQueue::costOf(bufferOf(one)) + 1);
    CHECK(queue.ready() == 1);  // the other stream
    const auto fourth = queue.takeRest(*third, 2);
    REQUIRE(fourth);
    CHECK((*fourth)->serial == 4);
    CHECK_FALSE(queue.takeRest(*fourth, 3));  // it is not full
    queue.done(first);
    CHECK(queue.ready() == 1);
    queue.done(*third);
    queue.done(*fourth);
    CHECK(queue.ready() == 2);
    // Two at work when their streams become one: neither goes on.
    const auto second = queue.take(2), fifth = queue.take(5);
    queue.push(full(one));  // 6
    queue.join(one, other);
    CHECK_FALSE(queue.takeRest(second, 1));
    CHECK_FALSE(queue.takeRest(fifth, 1));
    queue.done(second);
    CHECK(queue.takeRest(fifth, 1));
    CHECK_FALSE(queue.takeRest(fifth, 2));  // none is left
}

TEST_CASE("what waits in a stream costs it, in a joined one both") {
    const auto one = makeStream(), other = makeStream();
    SubmissionQueue queue;
    queue.push(bufferOf(one));
    queue.push(bufferOf(other));
    queue.push(bufferOf(other));
    const size_t cost = SubmissionQueue::costOf({});
    CHECK(SubmissionQueue::queuedCost(one) == cost);
    CHECK(SubmissionQueue::queuedCost(other) == 2 * cost);
    queue.join(one, other);
    CHECK(SubmissionQueue::queuedCost(one) == 3 * cost);
    queue.done(queue.take());
    CHECK(SubmissionQueue::queuedCost(other) == 2 * cost);
    CHECK(SubmissionQueue::last(one) == 3);
}
