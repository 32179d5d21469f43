// A sample is a number of frames and one pixel read back, which waits for all of them. The number of frames is chosen
// once, so that a sample takes its share of the row's time; everything a driver compiles or allocates on first use
// happens before the first sample. The expected pixels are looked at before the samples and after each of them,
// outside the measured time.
#include "bench/runner.h"

#include <algorithm>
#include <cmath>
#include <ctime>

#include "bench/gl.h"

namespace bench {

namespace {

/// Processor time of all threads of this process.
double processorNow() {
    timespec time{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

struct Elapsed {
    double wall = 0, processor = 0;
};

Elapsed timeFrames(Row& row, int frames) {
    double start = now(), processorStart = processorNow();
    for (int i = 0; i < frames; ++i) {
        row.frame();
        glFlush();
    }
    readPixel(0, 0);
    return {now() - start, processorNow() - processorStart};
}

/// Frames that take `seconds` together; also the warm-up. A tiered driver gets the time to swap its code in: frames
/// are drawn until the pace no longer rises, for as long as two samples take at most.
int calibrate(Row& row, double seconds) {
    int frames = 1;
    double deadline = now() + 2 * seconds, best = 0;
    int steady = 0;
    while (true) {
        double elapsed = timeFrames(row, frames).wall;
        double pace = frames / std::max(elapsed, 1e-7);
        steady = pace > best * 1.03 ? 0 : steady + 1;
        best = std::max(best, pace);
        bool isLong = elapsed > seconds / 4;
        if (now() > deadline || (isLong && steady >= 2)) break;
        if (!isLong) frames = std::min(frames * 2, 1 << 20);
    }
    return std::max(1, static_cast<int>(std::lround(best * seconds)));
}

bool hasExtension(const std::string& name) {
    const auto* all = reinterpret_cast<const char*>(glGetString(GL_EXTENSIONS));
    return all && (std::string(" ") + all + " ").find(" " + name + " ") != std::string::npos;
}

std::string checkRow(Row& row) {
    row.settle();
    return checkPixels(row.expected());
}

double quantile(std::vector<double> samples, double share) {
    if (samples.empty()) return 0;
    std::sort(samples.begin(), samples.end());
    double position = share * static_cast<double>(samples.size() - 1);
    auto below = static_cast<size_t>(position);
    size_t above = std::min(below + 1, samples.size() - 1);
    return std::lerp(samples[below], samples[above], position - static_cast<double>(below));
}

Result wrong(std::string reason) { return {.status = Result::Status::wrong, .reason = std::move(reason)}; }

Result runLoop(const RowInfo& info, const Settings& settings) {
    Result result;
    std::unique_ptr<Context> context = Context::open(settings.size, info.multisamples, &result.reason, info.version);
    if (!context) {
        result.status = info.multisamples > 0 || info.version > 2 ? Result::Status::skipped : Result::Status::wrong;
        return result;
    }
    if (!info.extension.empty() && !hasExtension(info.extension)) {
        result.status = Result::Status::skipped;
        result.reason = "no " + info.extension;
        return result;
    }
    std::unique_ptr<Row> row = info.make(settings.size);
    row->frame();
    if (std::string problem = checkRow(*row); !problem.empty()) return wrong(problem);
    int frames = calibrate(*row, settings.seconds / settings.samples);
    for (int sample = 0; sample < settings.samples; ++sample) {
        Elapsed elapsed = timeFrames(*row, frames);
        double work = frames * row->workPerFrame();
        result.samples.push_back(work / elapsed.wall);
        result.processorSamples.push_back(work / elapsed.processor);
        if (std::string problem = checkRow(*row); !problem.empty()) return wrong(problem);
    }
    return result;
}

}  // namespace

double Result::median() const { return quantile(samples, 0.5); }
double Result::min() const { return quantile(samples, 0); }
double Result::max() const { return quantile(samples, 1); }

Result runRow(const RowInfo& info, const Settings& settings) {
    if (info.make) return runLoop(info, settings);
    Result result;
    result.samples = info.measure({settings.size, settings.seconds, &result.reason});
    if (!result.reason.empty()) result.status = Result::Status::wrong;
    return result;
}

}  // namespace bench
