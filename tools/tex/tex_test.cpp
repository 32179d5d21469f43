// Runs `tessera tex` as a user does: output, files, diagnostics, exit status.
#include <doctest/doctest.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <set>
#include <string>

#include "tools/diff/image_diff.h"
#include "tools/testing/command.h"

namespace tessera::tools {
namespace {

const TestFolder work("tex_tool_test");

std::string write(const std::string& name, const std::string& text) { return work.write(name, text); }

const std::string kTextured =
    std::string(TESSERA_BINARY_DIR) + "/bin/textured --plain --frames 2 --time 1.5 --size 200x150 --out ";

}  // namespace

TEST_CASE("a frame is recorded, plotted and painted, and its pixels are those of any other run") {
    const std::string program = kTextured + work("frame.png");
    const Result first = run("tex cache --frame 2 --stream " + work("a.tstream") + " --svg " + work("a.svg") +
                             " --png " + work("a.png") + " -- " + program);
    CHECK(first.status == 0);
    CHECK(first.says("Size (lines of 4x4 texels, 4 ways)"));
    CHECK(first.says("8x2"));
    const std::string recordedFrame = read(work("frame.png"));
    // The stream alone says the same, and is the same on every run.
    const Result again = run("tex cache --stream " + work("a.tstream"));
    CHECK(again.status == 0);
    CHECK(first.says(again.output));
    CHECK(run("tex cache --frame 2 --stream " + work("b.tstream") + " -- " + program).status == 0);
    CHECK(read(work("a.tstream")) == read(work("b.tstream")));
    CHECK(read(work("a.svg")).starts_with("<svg "));

    std::string error;
    const auto picture = imagediff::readPng(work("a.png"), error);
    REQUIRE(picture);
    CHECK(picture->width == 200);
    CHECK(picture->height == 150);
    std::set<uint32_t> colors;
    for (int y = 0; y < 150; ++y)
        for (int x = 0; x < 200; ++x)
            colors.insert(picture->pixel(x, y)[0] << 16 | picture->pixel(x, y)[1] << 8 | picture->pixel(x, y)[2]);
    CHECK(colors.contains(0));         // around the cube
    CHECK(colors.contains(0x101646));  // hits
    CHECK(colors.size() >= 3);
    // What is drawn looks up, and of the rest the helpers that share a quad with it alone.
    const auto frame = imagediff::readPng(work("frame.png"), error);
    REQUIRE(frame);
    const auto differs = [](const imagediff::Image& image, int x, int y, std::array<uint8_t, 3> from) {
        return !std::equal(from.begin(), from.end(), image.pixel(x, y));
    };
    const uint8_t* const corner = frame->pixel(0, 0);
    const std::array<uint8_t, 3> around = {corner[0], corner[1], corner[2]};
    int wrong = 0;
    for (int y = 0; y < 150; y += 2)
        for (int x = 0; x < 200; x += 2) {
            bool isDrawn = false, looksUp = false;
            for (int i = 0; i < 4; ++i) {
                const bool own = differs(*frame, x + i % 2, y + i / 2, around);
                const bool looked = differs(*picture, x + i % 2, y + i / 2, {0, 0, 0});
                wrong += own && !looked;
                isDrawn |= own, looksUp |= looked;
            }
            wrong += looksUp && !isDrawn;
        }
    CHECK(wrong == 0);

    const std::string libraries = std::string(TESSERA_BINARY_DIR) + "/lib";
    REQUIRE(std::system(("LD_LIBRARY_PATH=" + libraries + " " + program + " > /dev/null 2>&1").c_str()) == 0);
    CHECK(read(work("frame.png")) == recordedFrame);
}

TEST_CASE("without a number the busiest target is painted, the first of equals") {
    const auto number = [](uint32_t value, int bytes) {
        std::string text;
        for (int i = 0; i < bytes; ++i) text.push_back(static_cast<char>(value >> 8 * i & 0xFF));
        return text;
    };
    // A lane of a block reads a texel.
    const auto block = [&](uint32_t target) {
        std::string text = number(2, 1) + number(0, 4) + number(0, 4) + number(target, 4) + number(1, 4);
        text += number(0, 2) + number(0, 2) + number(1, 2) + number(0, 1);
        for (int i = 0; i < 4; ++i) text += number(1, 1);  // entries of a texel, columns, rows, slices
        return text + number(0, 1) + number(0, 2) + number(0, 2) + number(0, 2);
    };
    const std::string targets = "TSTREAM2" + number(1, 1) + number(1, 4) + number(12, 2) + number(8, 2) + number(1, 1) +
                                number(2, 4) + number(20, 2) + number(8, 2);
    const std::string one = block(1), two = block(2);
    const auto widthOf = [&](const std::string& blocks, uint32_t count) {
        const std::string file = write("targets.tstream", targets + blocks + number(3, 1) + number(count, 4));
        const Result painted = run("tex cache --png " + work("targets.png") + " --stream " + file);
        REQUIRE_MESSAGE(painted.status == 0, painted.output);
        std::string error;
        const auto picture = imagediff::readPng(work("targets.png"), error);
        REQUIRE_MESSAGE(picture, error);
        return picture->width;
    };
    CHECK(widthOf(two + one, 2) == 12);
    CHECK(widthOf(two + one + two, 3) == 20);
}

TEST_CASE("a picture becomes a texture with levels, and back, to the byte") {
    const std::string picture = std::string(TESSERA_SOURCE_DIR) + "/demos/assets/bricks.png";
    std::string error;
    const auto original = imagediff::readPng(picture, error);
    REQUIRE(original);
    for (const char* ending : {"ktx", "dds"}) {
        const std::string texture = work(std::string("bricks.") + ending), back = work("back.png");
        CHECK(run("tex convert " + picture + " -o " + texture + " --mips").status == 0);
        const Result info = run("tex info " + texture);
        CHECK(info.status == 0);
        CHECK(info.says(std::to_string(original->width) + " x " + std::to_string(original->height)));
        CHECK(info.says("level 3"));
        CHECK(run("tex convert " + texture + " -o " + back).status == 0);
        const auto returned = imagediff::readPng(back, error);
        REQUIRE(returned);
        CHECK(imagediff::compare(*original, *returned, 0).equal());
        // The last level is the mean of all.
        CHECK(run("tex convert " + texture + " --level 1 -o " + back).status == 0);
        const auto half = imagediff::readPng(back, error);
        REQUIRE(half);
        CHECK(half->width == original->width / 2);
        const int sum =
            original->pixel(0, 0)[0] + original->pixel(1, 0)[0] + original->pixel(0, 1)[0] + original->pixel(1, 1)[0];
        CHECK(half->pixel(0, 0)[0] == (sum + 2) / 4);
    }
    CHECK(run("tex convert " + picture + " -o " + work("bricks.jpg")).status == 0);
    CHECK(run("tex info " + work("bricks.jpg")).says("JPEG, 3 channels"));
}

TEST_CASE("one slice of a volume is written, with its levels") {
    // 3 x 2 x 2 and 1 x 1 x 1 of one byte each, rows without padding.
    std::string volume = "DDS ";
    for (const uint32_t word :
         {124u, 0x821007u, 2u,  3u,       3u, 2u, 2u,    0u, 0u, 0u, 0u,        0u,        0u, 0u, 0u, 0u,
          0u,   0u,        32u, 0x20000u, 0u, 8u, 0xFFu, 0u, 0u, 0u, 0x401008u, 0x200000u, 0u, 0u, 0u})
        for (int byte = 0; byte < 4; ++byte) volume += static_cast<char>(word >> 8 * byte & 0xFF);
    volume += std::string(6, 40) + std::string(6, 90) + std::string(1, 65);
    const std::string file = write("volume.dds", volume);
    for (const int slice : {0, 1}) {
        CAPTURE(slice);
        const Result converted =
            run("tex convert " + file + " --slice " + std::to_string(slice) + " -o " + work("slice.ktx"));
        REQUIRE_MESSAGE(converted.status == 0, converted.output);
        for (const int level : {0, 1}) {
            REQUIRE(run("tex convert " + work("slice.ktx") + " --level " + std::to_string(level) + " -o " +
                        work("slice.png"))
                        .status == 0);
            std::string error;
            const auto image = imagediff::readPng(work("slice.png"), error);
            REQUIRE_MESSAGE(image, error);
            CHECK(image->width == (level == 0 ? 3 : 1));
            for (int y = 0; y < image->height; ++y)
                for (int x = 0; x < image->width; ++x)
                    CHECK(image->pixel(x, y)[0] == (level == 1 ? 65 : slice == 1 ? 90 : 40));
        }
    }
    CHECK(run("tex convert " + file + " --slice 2 -o " + work("slice.ktx")).says("there is no slice 2"));
}

TEST_CASE("textures are shown in the terminal and in a window") {
    imagediff::Image image{
        2, 3, {255, 0, 0, 255, 0, 255, 0, 255, 0, 0, 255, 255, 255, 255, 255, 255, 9, 8, 7, 255, 0, 0, 0, 0}};
    std::string error;
    REQUIRE(imagediff::writePng(work("small.png"), image, error));
    const Result shown = run("tex view " + work("small.png"));
    CHECK(shown.status == 0);
    CHECK(shown.output ==
          "\x1b[38;2;255;0;0m\x1b[48;2;0;0;255m\u2580\x1b[38;2;0;255;0m\x1b[48;2;255;255;255m\u2580\x1b[0m\n"
          "\x1b[38;2;9;8;7m\u2580\x1b[38;2;153;153;153m\u2580\x1b[0m\n");
    const Result narrow = run("tex view --columns 1 " + work("small.png"));
    CHECK(narrow.says("\x1b[38;2;"));
    setenv("SDL_VIDEODRIVER", "dummy", 1);
    CHECK(run("tex view --window --frames 2 " + work("small.png")).status == 0);
    CHECK(run("tex view --level 3 " + work("small.png")).status == 2);
}

TEST_CASE("a window is asked for from the Wayland session that there is, also where no variable names its socket") {
    sockaddr_un address{AF_UNIX, {}};
    // The names of sockets are short, those of build directories need not be.
    std::string folder = std::filesystem::temp_directory_path() / "tessera-session-XXXXXX";
    REQUIRE(mkdtemp(folder.data()) != nullptr);
    REQUIRE(std::snprintf(address.sun_path, sizeof address.sun_path, "%s/wayland-0", folder.c_str()) <
            static_cast<int>(sizeof address.sun_path));
    const int session = socket(AF_UNIX, SOCK_STREAM, 0);
    REQUIRE(bind(session, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0);
    REQUIRE(listen(session, 1) == 0);
    FILE* viewer = popen(("env -u DISPLAY -u WAYLAND_DISPLAY -u SDL_VIDEODRIVER XDG_RUNTIME_DIR=" + folder +
                          " " TESSERA_BINARY_DIR "/bin/tessera tex view --window --frames 1 " TESSERA_SOURCE_DIR
                          "/demos/assets/bricks.png >/dev/null 2>&1")
                             .c_str(),
                         "r");
    REQUIRE(viewer);
    pollfd asked{session, POLLIN, 0};
    CHECK(poll(&asked, 1, 60'000) == 1);
    // A session that answers nothing would be waited for.
    if (const int connection = asked.revents != 0 ? accept(session, nullptr, nullptr) : -1; connection >= 0) {
        ucred peer{};
        socklen_t size = sizeof peer;
        if (getsockopt(connection, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0) kill(peer.pid, SIGKILL);
        close(connection);
    }
    pclose(viewer);
    close(session);
    std::filesystem::remove_all(folder);
}

TEST_CASE("without SDL a window is refused, with what would bring it, and nothing else misses it") {
    const std::string picture = std::string(TESSERA_SOURCE_DIR) + "/demos/assets/bricks.png";
    const std::string folder = work("libraries");
    std::filesystem::create_directory(folder);
    (void)work.write("libraries/libSDL2-2.0.so.0", "");  // the loader takes it for SDL, and cannot load it
    setenv("LD_LIBRARY_PATH", folder.c_str(), 1);
    const Result window = run("tex view --window " + picture);
    const Result terminal = run("tex view " + picture);
    unsetenv("LD_LIBRARY_PATH");
    CHECK(window.status == 2);
    CHECK(window.says("tessera tex view: error: no window: "));
    CHECK(window.says("libSDL2-2.0.so.0: "));
    CHECK(window.says("Debian's package is libsdl2-2.0-0"));
    CHECK(terminal.status == 0);
}

TEST_CASE("what is no texture is said with its place") {
    const Result neither = run("tex info " + write("neither.dds", "nothing of the kind"));
    CHECK(neither.status == 1);
    CHECK(neither.says("neither.dds: error: at byte 0: this is neither a KTX 1 nor a DDS file"));
    const Result cut = run("tex info " + write("cut.png", "\x89PNG\r\n\x1a\n"));
    CHECK(cut.status == 1);
    CHECK(cut.says("cut.png: error: it starts as a PNG file, but: "));
    CHECK(run("tex info " + work("missing.ktx")).status == 2);
    CHECK(run("tex convert " + work("small.png") + " -o " + work("small.tga")).status == 2);
    CHECK(run("tex convert " + work("small.png") + " --mips -o " + work("mips.png")).status == 2);
    CHECK(run("tex convert " + work("small.png") + " --face 1 -o " + work("face.png")).says("there is no face 1"));
}

TEST_CASE("what cannot be shown is said") {
    CHECK(run("tex cache").status == 2);
    CHECK(run("tex cache --stream " + work("missing.tstream")).status == 2);
    const Result wrong = run("tex cache --stream " + write("wrong.tstream", "TSTREAM2\x04"));
    CHECK(wrong.status == 1);
    CHECK(wrong.says("wrong.tstream: error: at byte 8: no record is of kind 4"));
    CHECK(run("tex cache --stream " + write("empty.tstream", std::string("TSTREAM2\x03\0\0\0\0", 13)))
              .says("no texture lookups"));
    CHECK(run("tex cache -- /nonexistent").says("cannot be started"));
    const Result none = run("tex cache -- true");
    CHECK(none.status == 2);
    CHECK(none.says("true: error: it ended with status 0 and has drawn no frame 1 on Tessera"));
    const std::string whole = read(work("a.tstream"));
    const Result cut = run("tex cache --stream " + write("cut.tstream", whole.substr(0, whole.size() / 2)));
    CHECK(cut.status == 0);
    CHECK(cut.says("cut.tstream: warning: the frame is cut off: "));
    CHECK(cut.says(" whole blocks of lookups, "));
    CHECK(run("tex cache --target 99 --png " + work("x.png") + " --stream " + work("a.tstream")).status == 1);
}

}  // namespace tessera::tools
