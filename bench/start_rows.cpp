// Start rows: what a program waits for before it sees anything. Each sample is a process of its own, this program
// started again with --probe, with a disk cache directory that only this row uses: empty for the cold rows, filled by
// an earlier process for the warm ones. The child prints a time of the monotonic clock, which all processes share.
#include <GLES2/gl2.h>
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <random>
#include <string_view>

#include "bench/gl.h"
#include "bench/row.h"

extern char** environ;

namespace bench {

namespace {

constexpr std::string_view kWorst = "worst-", kMedian = "median-";

/// Set in the environment of a process that is there to fill the disk cache.
constexpr const char* kLinger = "TESSERA_BENCH_LINGER";

constexpr const char* kVertexShader = R"(
attribute vec2 a_position;
uniform mat4 u_matrix;
varying vec3 v_normal;
varying vec2 v_texCoord;
void main() {
    v_normal = vec3(a_position * 0.4, SEED);
    v_texCoord = a_position * 0.5 + 0.5;
    gl_Position = u_matrix * vec4(a_position, 0.0, 1.0);
}
)";

// What an ordinary program draws with: a texture under a light with a highlight.
constexpr const char* kFragmentShader = R"(
precision mediump float;
uniform sampler2D u_image;
uniform vec3 u_light;
varying vec3 v_normal;
varying vec2 v_texCoord;
void main() {
    vec3 normal = normalize(v_normal);
    float diffuse = max(dot(normal, u_light), 0.0);
    float specular = pow(max(reflect(-u_light, normal).z, 0.0), 16.0) * 0.25;
    vec3 base = texture2D(u_image, v_texCoord).rgb;
    gl_FragColor = vec4(base * (0.25 + 0.75 * diffuse) + specular * SEED, 1.0);
}
)";

// What programs draw that are mostly shader: distances marched along a ray, a shadow, occlusion, noise, fog. The middle
// of the surface is a dot of known colour.
constexpr const char* kHeavyFragmentShader = R"(
precision highp float;
uniform sampler2D u_image;
uniform vec3 u_light;
varying vec3 v_normal;
varying vec2 v_texCoord;

float hash(vec2 p) {
    vec3 q = fract(vec3(p.xyx) * 0.1031);
    q += dot(q, q.yzx + 33.33);
    return fract((q.x + q.y) * q.z);
}

float noise(vec2 p) {
    vec2 cell = floor(p), f = fract(p);
    f = f * f * (3.0 - 2.0 * f);
    float low = mix(hash(cell), hash(cell + vec2(1.0, 0.0)), f.x);
    float high = mix(hash(cell + vec2(0.0, 1.0)), hash(cell + vec2(1.0, 1.0)), f.x);
    return mix(low, high, f.y);
}

float layers(vec2 p) {
    float sum = 0.0, weight = 0.5;
    for (int i = 0; i < 4; ++i) {
        sum += weight * noise(p);
        p = mat2(1.6, 1.2, -1.2, 1.6) * p;
        weight *= 0.5;
    }
    return sum;
}

float sphere(vec3 p, float radius) { return length(p) - radius; }

float box(vec3 p, vec3 size, float rounding) {
    vec3 d = abs(p) - size;
    return length(max(d, 0.0)) + min(max(d.x, max(d.y, d.z)), 0.0) - rounding;
}

float ring(vec3 p, vec2 radii) { return length(vec2(length(p.xz) - radii.x, p.y)) - radii.y; }

float smoothUnion(float a, float b, float k) {
    float h = clamp(0.5 + 0.5 * (b - a) / k, 0.0, 1.0);
    return mix(b, a, h) - k * h * (1.0 - h);
}

float scene(vec3 p) {
    float ground = p.y + 1.0;
    vec3 q = vec3(mod(p.x + 2.0, 4.0) - 2.0, p.y, mod(p.z + 2.0, 4.0) - 2.0);
    float shapes = smoothUnion(sphere(q - vec3(0.0, 0.2, 0.0), 0.7), box(q + vec3(0.0, 0.6, 0.0), vec3(0.6, 0.3, 0.6), 0.05), 0.3);
    shapes = min(shapes, ring(q - vec3(0.0, 0.2, 0.0), vec2(1.1, 0.1 * SEED)));
    return smoothUnion(ground, shapes, 0.1);
}

vec3 normalAt(vec3 p) {
    const vec2 e = vec2(0.002, 0.0);
    return normalize(vec3(scene(p + e.xyy) - scene(p - e.xyy), scene(p + e.yxy) - scene(p - e.yxy),
                          scene(p + e.yyx) - scene(p - e.yyx)));
}

float march(vec3 from, vec3 along) {
    float t = 0.05;
    for (int i = 0; i < 32; ++i) {
        float d = scene(from + along * t);
        if (d < 0.002 * t || t > 30.0) break;
        t += d;
    }
    return t;
}

float shadow(vec3 from, vec3 along) {
    float lit = 1.0, t = 0.05;
    for (int i = 0; i < 12; ++i) {
        float d = scene(from + along * t);
        lit = min(lit, 8.0 * d / t);
        t += clamp(d, 0.05, 0.6);
        if (lit < 0.01 || t > 6.0) break;
    }
    return clamp(lit, 0.0, 1.0);
}

float openness(vec3 p, vec3 normal) {
    float closed = 0.0, weight = 1.0;
    for (int i = 1; i < 5; ++i) {
        float d = 0.08 * float(i);
        closed += weight * (d - scene(p + normal * d));
        weight *= 0.7;
    }
    return clamp(1.0 - 1.5 * closed, 0.0, 1.0);
}

void main() {
    vec2 at = v_texCoord * 2.0 - 1.0;
    vec3 eye = vec3(1.0, 1.4, -5.0), along = normalize(vec3(at, 1.6));
    vec3 sky = mix(vec3(0.7, 0.8, 0.9), vec3(0.2, 0.4, 0.8), clamp(along.y + 0.3, 0.0, 1.0));
    float t = march(eye, along);
    vec3 color = sky;
    if (t < 30.0) {
        vec3 p = eye + along * t, normal = normalAt(p);
        normal = normalize(normal + 0.2 * (layers(p.xz * 4.0) - 0.5));
        vec3 base = texture2D(u_image, p.xz * 0.2).rgb * (0.6 + 0.4 * layers(p.xy * 3.0));
        float diffuse = max(dot(normal, u_light), 0.0) * shadow(p, u_light);
        float highlight = pow(max(dot(reflect(along, normal), u_light), 0.0), 24.0) * diffuse;
        color = base * (0.2 + 0.8 * diffuse) * openness(p, normal) + 0.4 * highlight;
        color = mix(color, sky, 1.0 - exp(-0.002 * t * t));
    }
    color = sqrt(clamp(color, 0.0, 1.0));
    if (dot(at, at) < 0.0004) color = vec3(0.25, 0.5, 0.5) * SEED;
    gl_FragColor = vec4(color, 1.0);
}
)";

/// Each seed makes texts that no driver has seen. 0.5 to 1.5.
double seedValue(unsigned seed) { return 0.5 + seed % 1'000'003 / 1'000'003.0; }

std::string withSeed(std::string text, unsigned seed) {
    char number[32];
    std::snprintf(number, sizeof number, "%.9f", seedValue(seed));
    for (size_t at = text.find("SEED"); at != std::string::npos; at = text.find("SEED")) text.replace(at, 4, number);
    return text;
}

/// The colour in the middle of the surface, where a_position is nearly 0.
ExpectedPixel middlePixel(unsigned seed, Size size, bool isHeavy) {
    if (isHeavy) {
        const double s = seedValue(seed);
        return {size.width / 2, size.height / 2, {0.25 * s, 0.5 * s, 0.5 * s}, 6};
    }
    Color base = waves(0.5, 0.5), color{};
    double diffuse = 0.8, reflected = 2 * 0.8 - 0.8;  // the normal is +z, the light's z is 0.8
    for (size_t i = 0; i < 3; ++i)
        color[i] =
            std::min(base[i] * (0.25 + 0.75 * diffuse) + std::pow(reflected, 16.0) * 0.25 * seedValue(seed), 1.0);
    return {size.width / 2, size.height / 2, color, 6};
}

/// Compiles the program of this seed and draws a quad with it that spans `extent` of the surface.
void drawUnseen(unsigned seed, const char* fragmentShader, float extent) {
    GLuint program = makeProgram(withSeed(kVertexShader, seed), withSeed(fragmentShader, seed), {"a_position"});
    const float matrix[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    glUniformMatrix4fv(uniform(program, "u_matrix"), 1, GL_FALSE, matrix);
    glUniform3f(uniform(program, "u_light"), 0.36f, 0.48f, 0.8f);
    makeBuffer(GL_ARRAY_BUFFER, std::vector<float>{-extent, -extent, extent, -extent, -extent, extent, extent, extent});
    floatAttribute(0, 2, 2 * sizeof(float), 0);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
}

/// A driver that has drawn before, with another program.
void warmUp() {
    (void)makeTexture(256, GL_LINEAR, GL_LINEAR);
    GLuint program = makeProgram("attribute vec2 a_position; void main() { gl_Position = vec4(a_position, 0.0, 1.0); }",
                                 "void main() { gl_FragColor = vec4(1.0); }", {"a_position"});
    makeBuffer(GL_ARRAY_BUFFER, std::vector<float>{-1, -1, 1, -1, -1, 1});
    floatAttribute(0, 2, 2 * sizeof(float), 0);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    glDeleteProgram(program);
    readPixel(0, 0);
}

/// A directory that is removed with all that is in it.
class CacheDirectory {
public:
    CacheDirectory() {
        std::string pattern = (std::filesystem::temp_directory_path() / "tessera-bench-XXXXXX").string();
        if (mkdtemp(pattern.data()) != nullptr) path_ = pattern;
    }
    ~CacheDirectory() {
        std::error_code ignored;
        if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
    }
    CacheDirectory(const CacheDirectory&) = delete;
    CacheDirectory& operator=(const CacheDirectory&) = delete;
    [[nodiscard]] const std::string& path() const { return path_; }

private:
    std::string path_;
};

/// Our environment with every driver's disk cache in `cache`.
std::vector<std::string> probeEnvironment(const std::string& cache) {
    std::vector<std::string> result;
    for (const char* name : {"TESSERA_CACHE_DIR", "MESA_SHADER_CACHE_DIR", "XDG_CACHE_HOME"})
        result.push_back(std::string(name) + "=" + cache);
    for (char** entry = environ; *entry != nullptr; ++entry) {
        std::string name(*entry, std::strcspn(*entry, "="));
        if (name != "TESSERA_CACHE_DIR" && name != "MESA_SHADER_CACHE_DIR" && name != "XDG_CACHE_HOME")
            result.emplace_back(*entry);
    }
    return result;
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
    std::vector<char*> result;
    for (std::string& text : texts) result.push_back(text.data());
    result.push_back(nullptr);
    return result;
}

/// How this program was started, up to its name: with another system's libraries it is that system's loader that runs,
/// and the loader that has to be told of this program.
std::vector<std::string> ownCommand() {
    std::ifstream file("/proc/self/cmdline");
    std::vector<std::string> result;
    for (std::string argument; std::getline(file, argument, '\0');) {
        result.push_back(argument);
        if (argument == program_invocation_name) return result;
    }
    return {program_invocation_name};
}

/// Starts this program with --probe; what it printed, and when it was started. Negative when it failed.
double spawnProbe(const std::string& probe, unsigned seed, Size size, const std::string& cache, bool isFiller,
                  double* started) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return -1;
    std::vector<std::string> arguments = ownCommand();
    arguments.insert(arguments.end(), {"--probe", probe, "--seed", std::to_string(seed), "--size",
                                       std::to_string(size.width) + "x" + std::to_string(size.height)});
    std::vector<std::string> environment = probeEnvironment(cache);
    if (isFiller) environment.push_back(std::string(kLinger) + "=1");
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    pid_t child = 0;
    *started = now();
    int failure = posix_spawn(&child, "/proc/self/exe", &actions, nullptr, pointers(arguments).data(),
                              pointers(environment).data());
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    char text[64] = "";
    size_t length = 0;
    for (ssize_t got = 1; failure == 0 && got > 0 && length < sizeof text - 1; length += static_cast<size_t>(got))
        if (got = read(ends[0], text + length, sizeof text - 1 - length); got <= 0) break;
    close(ends[0]);
    int status = 1;
    if (failure == 0) waitpid(child, &status, 0);
    return failure == 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0 ? std::strtod(text, nullptr) : -1;
}

struct StartSpec {
    const char* probe;
    bool isWarm = false;     ///< an earlier process filled the disk cache
    bool fromStart = false;  ///< measured from the start of the process; otherwise the child's own figure
};

std::vector<double> measureStart(const StartSpec& spec, const ProcessContext& context) {
    constexpr size_t kMostSamples = 15, kLeastSamples = 3;
    std::vector<double> samples;
    std::random_device random;
    for (double deadline = now() + context.seconds;
         samples.size() < kLeastSamples || (samples.size() < kMostSamples && now() < deadline);) {
        CacheDirectory cache;
        unsigned seed = random();
        double started = 0;
        if (spec.isWarm) (void)spawnProbe(spec.probe, seed, context.size, cache.path(), true, &started);
        double figure = spawnProbe(spec.probe, seed, context.size, cache.path(), false, &started);
        if (figure < 0) {
            *context.error = std::string("the process for ") + spec.probe + " failed";
            return {};
        }
        samples.push_back((spec.fromStart ? figure - started : figure) * 1000);
    }
    return samples;
}

RowInfo start(const char* name, const char* meaning, const StartSpec& spec) {
    return {.name = name,
            .unit = "ms",
            .meaning = meaning,
            .better = Better::lower,
            .measure = [spec](const ProcessContext& context) { return measureStart(spec, context); }};
}

}  // namespace

namespace {

/// The figure of a probe; `problem` says when the picture is wrong.
double probeFigure(const std::string& probe, unsigned seed, Size size, std::string* problem) {
    const bool worst = probe.starts_with(kWorst);
    if (worst || probe.starts_with(kMedian)) {
        std::vector<double> times = firstSceneFrames(probe.substr((worst ? kWorst : kMedian).size()), size, problem);
        if (times.empty()) return 0;
        std::ranges::sort(times);
        return worst ? times.back() : times[times.size() / 2];
    }
    bool fromStart = probe == "start";
    if (fromStart)
        (void)makeTexture(64, GL_LINEAR, GL_LINEAR);
    else
        warmUp();
    const bool isHeavy = probe == "heavy-frame";
    double begin = now();
    drawUnseen(seed, isHeavy ? kHeavyFragmentShader : kFragmentShader,
               isHeavy || probe == "first-frame" ? 1.0f : 0.03f);
    readPixel(size.width / 2, size.height / 2);
    double end = now();
    const ExpectedPixel expected[] = {middlePixel(seed, size, isHeavy)};
    *problem = checkPixels(expected);
    return fromStart ? end : end - begin;
}

}  // namespace

int runProbe(const std::string& probe, unsigned seed, Size size) {
    std::string problem;
    std::unique_ptr<Context> context = Context::open(size, 0, &problem);
    double figure = context ? probeFigure(probe, seed, size, &problem) : 0;
    if (!problem.empty()) {
        std::fprintf(stderr, "bench: %s: %s\n", probe.c_str(), problem.c_str());
        return 1;
    }
    std::printf("%.9f\n", figure);
    std::fflush(stdout);
    // A driver that compiles in the background or writes its cache late gets the time to do so.
    if (std::getenv(kLinger) != nullptr) usleep(300'000);
    return 0;
}

std::vector<RowInfo> startRows() {
    return {
        start("first_pixel", "compile, link, small draw, one pixel read: a program never seen before", {"first-pixel"}),
        start("first_frame", "the same with a draw over the whole surface", {"first-frame"}),
        start("first_frame_heavy", "first_frame of a program of a hundred lines: marched distances, shadow, noise",
              {"heavy-frame"}),
        start("first_pixel_warm", "first_pixel of a program that an earlier process left in the disk cache",
              {"first-pixel", true}),
        start("first_frame_warm", "first_frame with a warm disk cache", {"first-frame", true}),
        start("start", "process start to the first pixel read, cold disk cache", {"start", false, true}),
        start("start_warm", "the same with a warm disk cache", {"start", true, true}),
        start("cube_worst", "longest of the first 100 frames of the demo cube, cold disk cache", {"worst-cube"}),
        start("cube_median", "the median of the first 100 frames of the demo cube, cold disk cache", {"median-cube"}),
        start("gears_worst", "longest of the first 100 frames of the demo gears, cold disk cache", {"worst-gears"}),
        start("gears_median", "the median of the first 100 frames of the demo gears, cold disk cache",
              {"median-gears"}),
        start("textured_worst", "longest of the first 100 frames of the demo textured, cold disk cache",
              {"worst-textured"}),
        start("textured_median", "the median of the first 100 frames of the demo textured, cold disk cache",
              {"median-textured"}),
    };
}

}  // namespace bench
