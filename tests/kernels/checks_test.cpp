// Each kernel agrees with its reference, and its check notices when it does not.
#include <doctest/doctest.h>

#include "demos/kernels/runner.h"

using namespace tessera;
using namespace tessera::kernels;

TEST_CASE("every kernel passes its check, and none of its outputs can change unnoticed") {
    Runner runner(tier::Tier::Interp, 1);
    for (const Row& row : suite()) {
        CAPTURE(row.name);
        const Job job = row.make(Scale::Small);
        const Outcome outcome = runner.run(job);
        REQUIRE_MESSAGE(outcome.failure.empty(), outcome.failure);
        const Check check = job.check(job, outcome.memories);
        CAPTURE(check.error);
        CHECK(check.ok());
        // Exact kernels notice one bit, the others a change of every exponent.
        std::vector<Memory> changed = outcome.memories;
        std::vector<Memory> untouched = job.memories;
        for (int output : job.outputs) {
            auto& bytes = changed[static_cast<size_t>(output)].bytes;
            if (check.bound == 0) {
                bytes.back() ^= std::byte{1};
            } else {
                for (size_t i = 3; i < bytes.size(); i += 4) bytes[i] ^= std::byte{1};
            }
        }
        CHECK_FALSE(job.check(job, changed).ok());
        CHECK_FALSE(job.check(job, untouched).ok());
    }
}

TEST_CASE("kernels about access patterns fail with another pattern") {
    Runner runner(tier::Tier::Interp, 1);
    int patterns = 0;
    for (const Row& row : suite()) {
        Job job = row.make(Scale::Small);
        const std::string& kernel = job.steps.front().kernel;
        if (kernel != "bank_conflicts" && kernel != "coalescing") continue;
        CAPTURE(row.name);
        ++patterns;
        job.steps.front().uniforms[0][0] += 2;  // the stride or the multiplier
        const Outcome outcome = runner.run(job);
        REQUIRE_MESSAGE(outcome.failure.empty(), outcome.failure);
        CHECK_FALSE(job.check(job, outcome.memories).ok());
    }
    CHECK(patterns == 7);
}

TEST_CASE("jobs fit their programs") {
    Runner runner(tier::Tier::Interp, 1);
    Job job = suite().front().make(Scale::Small);
    job.steps.front().buffers.pop_back();
    CHECK(runner.run(job).failure.find("not the program's") != std::string::npos);
    job.steps.front().kernel = "no_such_kernel";
    CHECK(runner.run(job).failure.find("no_such_kernel") != std::string::npos);
}
