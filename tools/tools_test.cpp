// Runs the `tessera` command as a user does: output, diagnostics, exit status.
#include <doctest/doctest.h>

#include <cstring>
#include <filesystem>
#include <sstream>
#include <string>

#include "tools/diff/image_diff.h"
#include "tools/testing/command.h"

namespace tessera::tools {
namespace {

const TestFolder work("tools_test");

std::string write(const std::string& name, const std::string& text) { return work.write(name, text); }

const std::string kExamples = std::string(TESSERA_SOURCE_DIR) + "/shader-core/asm/examples/";

TEST_CASE("every verb has a help text") {
    CHECK(run("--help").status == 0);
    for (const char* verb : {"as", "dis", "info", "glslc", "diff"}) {
        const Result help = run(std::string(verb) + " --help");
        CHECK(help.status == 0);
        CHECK(help.says("Usage"));
    }
    CHECK(run("").status == 2);
    CHECK(run("nonsense").status == 2);
    CHECK(run("asm x").says("there is no verb 'asm'; did you mean 'as'?"));
    CHECK(run("--verson").says("there is no option '--verson'; did you mean '--version'?"));
}

TEST_CASE("what cannot be printed or is wrong in the environment ends with status 2") {
    CHECK(run("--help > /dev/full").status == 2);
    CHECK(run("dis " + kExamples + "mandelbrot.tsa > /dev/full").status == 2);
    const Result wrong = run("exec env TESSERA_LOG=0 TESSERA_THREADS=0 " TESSERA_BINARY_DIR "/bin/tessera info");
    CHECK(wrong.status == 2);
    CHECK(wrong.output == "tessera: error: TESSERA_THREADS: '0' is no number from 1 to 64\n");
}

TEST_CASE("exec becomes the program, with the driver beside the command and with all that is the program's") {
    const std::string lib = std::string(TESSERA_BINARY_DIR) + "/lib/";
    const Result all =
        run("exec sh -c 'echo \"$LD_LIBRARY_PATH|$__EGL_VENDOR_LIBRARY_FILENAMES|$*\"; exit 7' sh -h --help x");
    CHECK(all.status == 7);
    CHECK(all.says(lib));
    CHECK(all.says(std::string("|") + TESSERA_BINARY_DIR + "/share/glvnd/egl_vendor.d/50_tessera.json|-h --help x\n"));
    // Libraries that would ask for another driver's context first.
    CHECK(run("exec sh -c 'echo $SDL_VIDEO_X11_FORCE_EGL $GST_GL_API $GST_GL_PLATFORM'").output == "1 gles2 egl\n");
    CHECK(run("exec -- echo -- hi").output == "-- hi\n");
    CHECK(run("exec").status == 2);
    CHECK(run("exec " + work("missing")).status == 127);
    CHECK(run("exec " + work.write("no_program", "")).status == 126);
}

TEST_CASE(
    "exec gives Chromium and its kin the switches by which they draw with the system's EGL, before the user's own") {
    const std::string browser = work.write("chromium", "#!/bin/sh\necho \"$*\"\n"), other = work("chromium-bsu");
    std::filesystem::permissions(browser, std::filesystem::perms::owner_all);
    std::filesystem::copy_file(browser, other, std::filesystem::copy_options::overwrite_existing);
    const std::string switches = "--use-gl=angle --use-angle=gles-egl --ignore-gpu-blocklist";
    CHECK(run("exec " + browser + " --use-angle=gl page").output == switches + " --use-angle=gl page\n");
    CHECK(run("exec " + other + " page").output == "page\n");
    CHECK(run("browser --print-flags chromium").output == switches + "\n");
}

TEST_CASE("what drives browsers is given launch options with switches and the driver's environment") {
    for (const char* what : {"playwright", "puppeteer"}) {
        const Result options = run(std::string("browser --print-flags ") + what);
        CHECK(options.status == 0);
        CHECK(options.says(
            R"({"args":["--use-gl=angle","--use-angle=gles-egl","--ignore-gpu-blocklist"],"env":{"LD_LIBRARY_PATH":")"));
        CHECK(options.says(std::string(R"("__EGL_VENDOR_LIBRARY_FILENAMES":")") + TESSERA_BINARY_DIR +
                           "/share/glvnd/egl_vendor.d/50_tessera.json\""));
    }
    CHECK(run("browser").status == 2);
    CHECK(run("browser --print-flags lynx").status == 2);
    const Result firefox = run("browser --print-flags firefox");
    CHECK(firefox.status == 1);
    CHECK(firefox.says("desktop OpenGL"));
}

TEST_CASE("manual pages and completions name every verb and option of the help") {
    REQUIRE(run("pages " + work("pages")).status == 0);
    const std::string page = read(work("pages/man1/tessera-diff.1"));
    CHECK(page.starts_with(".TH TESSERA\\-DIFF 1"));
    CHECK(page.find(".B \\-\\-tolerance INT") != std::string::npos);
    CHECK(read(work("pages/man1/tessera.1")).find("tessera\\-bisect\\-tiers (1)") != std::string::npos);
    CHECK(read(work("pages/man7/tessera-environment.7")).find(".B TESSERA_SIMD: v2, v3, v4, neon") !=
          std::string::npos);
    // Verbs of the Python package: what they take is in their notes.
    const std::string course = read(work("pages/man1/tessera-course.1"));
    CHECK(course.find(".SH NOTES") != std::string::npos);
    CHECK(course.find(".SH OPTIONS") == std::string::npos);
    CHECK(read(work("pages/tessera.bash")).find("\" tex view \"*) words='' options='--help --level") !=
          std::string::npos);
}

TEST_CASE("as, dis and as again give the same program") {
    REQUIRE(run("as --strip " + kExamples + "mandelbrot.tsa -o " + work("first.tsb")).status == 0);
    REQUIRE(run("dis " + work("first.tsb") + " -o " + work("text.tsa")).status == 0);
    REQUIRE(run("as --strip " + work("text.tsa") + " -o " + work("second.tsb")).status == 0);
    CHECK(!read(work("first.tsb")).empty());
    CHECK(read(work("first.tsb")) == read(work("second.tsb")));
    CHECK(run("dis --source " + kExamples + "lit.tsa").says("; 11: nrm r0, v0"));
}

TEST_CASE("errors are located and end with status 1; missing files with 2") {
    const std::string bad = write("bad.tsa", ".vertex\n  madd o0, v0\n");
    const Result result = run("as " + bad);
    CHECK(result.status == 1);
    CHECK(result.says(bad + ":2:3: error: unknown instruction 'madd'; did you mean 'mad'?"));
    CHECK(run("as " + work("missing.tsa")).status == 2);
    CHECK(run("dis " + write("damaged.tsb", "TSB1 and something else, no header")).status == 1);
    CHECK(run("dis " + write("noise.tsb", "noise")).says("noise.tsb: error: this is no .tsb program"));
}

TEST_CASE("no output replaces an input") {
    const std::string text = ".fragment\n    mov o0, 1.0\n    ret\n";
    const std::string file = write("own.tsa", text), binary = write("text.tsb", text);
    const std::string shader = write("own.frag", "void main() {}\n");
    for (const std::string& command :
         {"as " + file + " -o " + file, "as " + file + " --listing " + work("./own.tsa"), "as " + binary,
          "dis " + file + " -o " + file, "glslc " + shader + " -o " + shader}) {
        CAPTURE(command);
        const Result result = run(command);
        CHECK(result.status == 2);
        CHECK(result.says("error: it is an input"));
    }
    CHECK(read(file) == text);
    CHECK(read(binary) == text);
    CHECK(read(shader) == "void main() {}\n");
    CHECK(run("as - < " + file).says("standard input; name the program with -o"));
}

TEST_CASE("what is no file is refused with words, not read for ever") {
    const std::string program = write("own.tsa", ".fragment\n    mov o0, 1.0\n    ret\n");
    for (const std::string& arguments :
         {"as " + work("."), std::string("as /dev/zero"), "diff " + work(".") + " " + work("."),
          std::string("tex info /dev/zero"), "run " + program + " --preset " + work("."),
          "dbg " + program + " --script " + work(".")}) {
        CAPTURE(arguments);
        const Result result = run(arguments);
        CHECK(result.status >= 1);
        CHECK(result.status <= 2);
        CHECK(result.says("cannot be read: it is a "));
    }
}

TEST_CASE("as warns, lists, includes, and draws a caret") {
    write("part.tsa", "    mov r1, v0\n");
    const std::string text = write("warn.tsa", ".fragment\n.include \"part.tsa\"\n    mov o0, r2\n    ret\n");
    const Result warned = run("as " + text + " --listing -");
    CHECK(warned.status == 0);
    CHECK(warned.says("part.tsa:1:5: warning: nothing reads r1 after this"));
    CHECK(warned.says("warn.tsa:2:1: included here"));
    CHECK(warned.says("warn.tsa:3:5: warning: r2 is read here"));
    CHECK(warned.says("    mov o0, r2\n        ^\n"));
    CHECK(warned.says("    1  0000000000000000 "));
    CHECK(run("as -W none " + text).output.empty());
    CHECK(!run("as -W dead-write " + text).says("is read here"));
    const std::string includes = write("includes.tsa", ".fragment\n.include \"nowhere.tsa\"\n ret\n");
    CHECK(run("as " + includes)
              .says("includes.tsa:2:1: error: 'nowhere.tsa' cannot be read: No such file or directory; the "
                    "folder searched is that of this file, " +
                    std::filesystem::path(includes).parent_path().string()));
    const std::string compares = write("compares.tsa", ".fragment\n seq.i32 r0, v0, 3\n add.i32 o0, r0, 1\n ret\n");
    CHECK(run("as -W truth-value " + compares).says("compares.tsa:3:2: warning: r0 is 1.0 or 0.0"));
    CHECK(!run("as -W undeclared " + compares).says("1.0 or 0.0"));
    // Each kind by its name, and by no other's.
    const std::string all = write("all.tsa",
                                  ".fragment\n mov r1, v0\n seq r0, v0, 3.0\n add.i32 r2, r0, 1\n mov r3, v9\n mov o0, "
                                  "r4\n add o0, r2, r3\n ret\n");
    const std::pair<const char*, const char*> kinds[] = {{"dead-write", "nothing reads r1 after this"},
                                                         {"truth-value", "r0 is 1.0 or 0.0"},
                                                         {"undeclared", "v9"},
                                                         {"uninitialised", "r4 is read here"}};
    for (const auto& [asked, ownWords] : kinds) {
        CAPTURE(std::string(asked));
        const Result told = run(std::string("as -W ") + asked + " " + all);
        for (const auto& [other, words] : kinds) CHECK(told.says(words) == (words == ownWords));
    }
    CHECK(run("as --werror " + text + " -o " + work("never.tsb")).status == 1);
    CHECK(!std::filesystem::exists(work("never.tsb")));
    CHECK(run("info " + text).status == 0);
}

TEST_CASE("info describes the machine and programs") {
    CHECK(run("info").says("128 bits each"));
    const Result info = run("info " + kExamples + "textured.tsa");
    CHECK(info.status == 0);
    CHECK(info.says("fragment program, 8 instructions"));
    CHECK(info.says("discards: yes; derivatives: yes"));
    CHECK(info.says("u_sky (lowp sampler cube)"));
    CHECK_FALSE(info.says("shared memory"));
    const std::string shader = write(
        "block.frag",
        "#version 300 es\nprecision highp float;\nprecision highp int;\n"
        "uniform Lights { int count; vec3 color[2]; } lights;\nlayout(location = 1) out ivec2 cell;\n"
        "layout(location = 0) out vec4 o; void main() { o = vec4(lights.color[1], 1); cell = ivec2(lights.count); }\n");
    for (const char* line :
         {"  output     o1         cell (highp ivec2)\n", "  block      c0..c2     Lights (48 bytes)\n",
          "    member   byte 0     lights.count (highp int)\n",
          "    member   byte 16    lights.color (highp vec3[2])\n"})
        CHECK(run("info " + shader).says(line));
}

TEST_CASE("info describes a compute program: its block, memory and uniforms") {
    const std::string kernel =
        write("kernel.tsa",
              ".compute\n.group 48, 2\n.buffer b0 table constant\n.buffer b3 sums\n.shared 512\n"
              ".uniform c0 n int\n    ld.u32 r0.x, b0[thread.x]\n    st.u32 shared[0], r0.x\n    bar 0\n"
              "    add.i32 r0.x, r0.x, n\n    atadd.u32 r1.x, b3[0], r0.x\n    ret\n");
    const Result info = run("info " + kernel);
    CHECK(info.status == 0);
    CHECK(info.says("compute program, 6 instructions"));
    CHECK(info.says("  memory              3\n"));
    CHECK(info.says("  48 x 2 x 1 = 96 threads in 3 groups (--block changes it); barriers: yes\n"));
    CHECK(info.says("  shared memory 512 of 65536 bytes\n"));
    CHECK(info.says("  buffer     b0         table (loaded from only)\n"));
    CHECK(info.says("  buffer     b3         sums\n"));
    CHECK(info.says("  uniform    c0         n (int)\n"));
    CHECK(info.says("  temporaries 2 of "));
}

TEST_CASE("info compiles GLSL, and takes other files for what they contain") {
    const std::string fragment =
        "precision mediump float; uniform vec2 u_k; varying vec2 v_at;\nvoid main() { gl_FragColor = vec4(v_at * u_k, "
        "0.0, 1.0); }\n";
    const Result info = run("info " + write("x.frag", fragment));
    CHECK(info.status == 0);
    CHECK(info.says("fragment program, "));
    CHECK(info.says("  varying    v0         v_at (mediump vec2)\n"));
    CHECK(info.says("u_k (mediump vec2)\n"));
    CHECK(run("info " + write("x.glsl", fragment)).output == info.output);
    const std::string vertex = "attribute vec4 a;\nvoid main() { gl_Position = a; }\n";
    CHECK(run("info " + write("x.shader", vertex)).says("vertex program, "));
    const std::string library = "void main() { }\n";
    const Result unclear = run("info " + write("y.glsl", library));
    CHECK(unclear.status == 1);
    CHECK(unclear.says("give --stage vertex or fragment"));
    CHECK(run("info --stage vertex " + work("y.glsl")).says("vertex program, "));
    CHECK(run("info " + write("z.txt", "  .vertex\nmov o0, 1.0\nret\n")).says("vertex program, 2 instructions"));
    const Result wrong = run("info " + write("wrong.frag", "void main() { gl_FragColor = vec4(x); }\n"));
    CHECK(wrong.status == 1);
    CHECK(wrong.says("wrong.frag"));
    for (const std::string& none :
         {write("poem.txt", "a rose is a rose\n"), write("empty", ""), write("bytes", std::string("void main\0", 10)),
          write("spaces", std::string(1 << 20, ' '))}) {
        const Result refused = run("info " + none);
        CHECK(refused.status == 1);
        CHECK(refused.says("neither assembly"));
    }
    CHECK(run("info " + work("nowhere.frag")).status == 2);
    CHECK(run("info --stage vertex").status == 2);
}

TEST_CASE("glslc lists, writes and links") {
    const std::string vertex =
        write("plain.vert", "attribute vec4 a; varying vec4 v;\nvoid main() { v = a; gl_Position = a; }\n");
    const std::string fragment =
        write("plain.frag", "precision mediump float; varying vec4 v;\nvoid main() { gl_FragColor = v * 0.5; }\n");
    const Result listing = run("glslc " + vertex);
    CHECK(listing.status == 0);
    CHECK(listing.says(".vertex\n.input v0 a"));
    CHECK(listing.says("; 2: void main()"));
    CHECK(run("glslc " + vertex + " " + fragment + " -o " + work("linked")).status == 0);
    CHECK(run("info " + work("linked.vert.tsb")).says("vertex program"));
    CHECK(run("info " + work("linked.frag.tsb")).says("fragment program"));
    CHECK(run("dis " + work("linked.frag.tsb") + " -o " + work("linked.tsa")).status == 0);
    CHECK(run("as " + work("linked.tsa")).status == 0);

    const Result wrong = run("glslc " + write("wrong.frag", "void main() { nothing = 1.0; }\n"));
    CHECK(wrong.status == 1);
    CHECK(wrong.says("'nothing' : undeclared identifier"));
    CHECK(run("glslc " + work("shader.txt")).status == 2);
    CHECK(run("glslc " + vertex + " " + vertex).status == 2);

    // Each line of the link's log is told as it is.
    const Result unlinked = run("glslc " + vertex + " " +
                                write("unlinked.frag",
                                      "precision mediump float; varying vec4 none, other; uniform float u;\n"
                                      "void main() { gl_FragColor = none + other; }\n"));
    CHECK(unlinked.status == 1);
    std::istringstream lines(unlinked.output);
    int count = 0;
    for (std::string line; std::getline(lines, line); ++count) CHECK_MESSAGE(line.starts_with("link: error: 0:"), line);
    CHECK(count == 2);
}

TEST_CASE("run takes GLSL ES 3.00, which #version says") {
    const std::string shader = write("three.frag",
                                     "#version 300 es\nprecision highp float;\nflat in ivec2 v_n;\nout vec4 color;\n"
                                     "void main() { color = vec4(v_n.x << 1, uint(v_n.y), 0, 1); }\n");
    const Result ran = run("run " + shader + " --set v_n=3,4");
    CHECK(ran.status == 0);
    CHECK(ran.says("6.0 4.0 0.0 1.0"));
}

TEST_CASE("a loop counts once in the report and as often as it runs in a trace") {
    const std::string shader = write("loop.tsa",
                                     ".fragment\nmov.i32 r0.x, 0\nloop\nadd.i32 r0.x, r0.x, 1\n"
                                     "seq.i32 p1, r0.x, 10\n(p1) brk\nendloop\nmov o0, 1.0\nret\n");
    const Result ran = run("run " + shader + " --trace text");
    // mov, loop; ten times add, seq, brk and nine times endloop; mov, ret: four cycles each.
    CHECK(ran.says("group 0: 43 instructions executed, 172 cycles by the table"));

    const std::string glsl = write("loop.frag",
                                   "precision mediump float; uniform float u;\nvoid main() {\n float s = 0.0;\n"
                                   "for (int i = 0; i < 100; ++i) { s = s * u + 1.0; if (s > 9.0) break; }\n"
                                   " gl_FragColor = vec4(s);\n}\n");
    CHECK(run("glslc --report " + glsl).says("1 loop counted once; `tessera run` counts every iteration"));
}

TEST_CASE("the report tells helped from hurt") {
    const std::string shader =
        write("cost.frag", "precision mediump float; varying vec4 v;\nvoid main() { gl_FragColor = v * 0.5; }\n");
    const Result one = run("glslc --report " + shader);
    CHECK(one.status == 0);
    CHECK(one.says("cost.frag: 2 instructions"));
    CHECK(one.says("longest path    8 cycles\n"));
    CHECK(one.says("bound by        arithmetic"));
    const std::string baseline = work("report.txt");
    const std::string compare = "glslc --report " + shader + " " + kExamples + " --baseline " + baseline;
    CHECK(run(compare + " --update").status == 0);
    CHECK(run(compare).says("1 shaders cost what"));
    write("cost.frag", "precision mediump float; varying vec4 v;\nvoid main() { gl_FragColor = sqrt(v); }\n");
    const Result hurt = run(compare);
    CHECK(hurt.status == 1);
    CHECK(hurt.says("hurt     tools_test/cost.frag: arith 1 -> 0, transc 0 -> 1, shortest 8 -> 12"));
    CHECK(run(compare + " --update").status == 0);
    write("cost.frag", "precision mediump float; varying vec4 v;\nvoid main() { gl_FragColor = v; }\n");
    CHECK(run(compare).says("helped   tools_test/cost.frag"));
    CHECK(run("glslc --report " + shader + " --baseline " + work("no_report.txt")).status == 2);
    CHECK(run("glslc --update " + shader).status == 2);
    CHECK(run("glslc --report -o " + work("no.tsb") + " " + shader).says("--output excludes --report"));
    CHECK(run("glslc -g " + shader).says("-g requires --output"));
    std::filesystem::create_directories(work("none"));
    const Result none = run("glslc --report " + work("none"));
    CHECK(none.status == 1);
    CHECK(none.output == work("none") + ": error: there are no shaders (.vert, .frag) in it\n");
}

TEST_CASE("lanes of shuffles and addresses are integers on both tiers, also where the type is f32") {
    const std::string program = write("integers.tsa",
                                      ".compute\n.group 16\n.buffer b0 out\n"
                                      "    sge.i32 p1, lane.x, 2\n"
                                      "    i2f r0.x, lane.x\n"
                                      "    shx.f32 r1.x, r0.x, p1\n"
                                      "    shi.f32 r1.y, r0.x, 5\n"
                                      "    mul.i32 r2.x, lane.x, 8\n"
                                      "    st.f32 b0[r2.x], r1.x\n"
                                      "    st.f32 b0[r2.x + 4], r1.y\n"
                                      "    st.f32 b0[p1 + 127], r1.y\n"
                                      "    ret\n");
    for (const char* tier : {"interp", "jit"}) {
        CAPTURE(tier);
        const std::string file = work(std::string("integers.") + tier);
        const Result result =
            run("run " + program + " --tier " + tier + " --counters --buffer out=u8[136] --out out=" + file);
        CHECK(result.status == 0);
        CHECK(result.says("out of range 0"));
        const std::string bytes = read(file);
        REQUIRE(bytes.size() == 136);
        float values[32];
        std::memcpy(values, bytes.data(), sizeof values);
        for (int lane = 0; lane < 15; ++lane) {
            CHECK(values[2 * lane] == static_cast<float>(lane < 2 ? lane : lane ^ 1));
            CHECK(values[2 * lane + 1] == 5.0f);
        }
    }
}

TEST_CASE("diff tells equal, different and trouble apart") {
    imagediff::Image image{4, 4, std::vector<uint8_t>(64, 50)};
    std::string error;
    REQUIRE(imagediff::writePng(work("a.png"), image, error));
    image.rgba[20] = 53;
    REQUIRE(imagediff::writePng(work("b.png"), image, error));
    const std::string pair = work("a.png") + " " + work("b.png");
    CHECK(run("diff " + work("a.png") + " " + work("a.png")).status == 0);
    const Result different = run("diff " + pair + " -o " + work("difference.png"));
    CHECK(different.status == 1);
    CHECK(different.says("1 of 16 pixels"));
    CHECK(different.says("x 1 y 1, (50, 50, 50, 50) against (53, 50, 50, 50), by 3"));
    CHECK(imagediff::readPng(work("difference.png"), error).has_value());
    CHECK(run("diff --tolerance 3 " + pair).status == 0);
    CHECK(run("diff --tolerance 300 " + pair).status == 2);
    CHECK(run("diff " + work("a.png") + " " + work("missing.png")).status == 2);
    CHECK(run("diff " + pair + " -o /dev/full").status == 2);
    // The length of the second chunk; the image library fails without saying why.
    std::string damaged = read(work("a.png"));
    damaged[33] = '\x80';
    const std::string file = write("damaged.png", damaged);
    CHECK(run("diff " + file + " " + file).says("cannot be read as PNG"));
    CHECK(run("tex info " + file).status == 1);
}

}  // namespace
}  // namespace tessera::tools
