#include "tools/diff/image_diff.h"

#include <doctest/doctest.h>

#include <cstdio>
#include <filesystem>
#include <fstream>

namespace tessera::imagediff {
namespace {

Image plain(int width, int height, uint8_t value) {
    return {width, height, std::vector<uint8_t>(size_t(width) * height * 4, value)};
}

void set(Image& image, int x, int y, std::array<uint8_t, 4> value) {
    for (int c = 0; c < 4; ++c) image.rgba[(size_t(y) * image.width + x) * 4 + c] = value[c];
}

TEST_CASE("equal images are equal") {
    const Difference d = compare(plain(5, 3, 100), plain(5, 3, 100), 0);
    CHECK(d.equal());
    CHECK(d.pixels == 15);
    CHECK(d.mean[0] == 0);
}

TEST_CASE("count, worst pixel and means") {
    Image a = plain(4, 2, 10), b = a;
    set(b, 1, 0, {13, 10, 10, 10});
    set(b, 3, 1, {10, 2, 11, 10});
    const Difference d = compare(a, b, 0);
    CHECK(!d.equal());
    CHECK(d.differing == 2);
    CHECK(d.worstX == 3);
    CHECK(d.worstY == 1);
    CHECK(d.worstBy == 8);
    CHECK(d.worstA == std::array<uint8_t, 4>{10, 10, 10, 10});
    CHECK(d.worstB == std::array<uint8_t, 4>{10, 2, 11, 10});
    CHECK(d.mean == std::array<double, 4>{3.0 / 8, 1, 1.0 / 8, 0});
    CHECK(compare(a, b, 3).differing == 1);
    CHECK(compare(a, b, 8).equal());
    CHECK(report(a, b, d, 0).find("2 of 8 pixels") != std::string::npos);
    CHECK(report(a, b, d, 0).find("x 3 y 1, (10, 10, 10, 10) against (10, 2, 11, 10), by 8") != std::string::npos);
}

TEST_CASE("sizes must match") {
    const Difference d = compare(plain(4, 2, 0), plain(2, 4, 0), 255);
    CHECK(!d.equal());
    CHECK(report(plain(4, 2, 0), plain(2, 4, 0), d, 0) == "sizes differ: 4 x 2 against 2 x 4\n");
}

TEST_CASE("the difference picture shows what differs") {
    Image a = plain(2, 1, 160), b = a;
    set(b, 1, 0, {160, 161, 160, 160});
    const Image picture = differencePicture(a, b, 0);
    CHECK(picture.pixel(0, 0)[1] == 40);  // dimmed to a quarter
    CHECK(picture.pixel(1, 0)[0] == 0);
    CHECK(picture.pixel(1, 0)[1] == 100);
    CHECK(picture.pixel(1, 0)[3] == 255);
}

TEST_CASE("PNG files keep every byte, and damaged ones give a reason") {
    const std::string path = (std::filesystem::path(TESSERA_BINARY_DIR) / "image_diff_test.png").string();
    Image image = plain(7, 5, 0);
    for (size_t i = 0; i < image.rgba.size(); ++i) image.rgba[i] = static_cast<uint8_t>(i * 37);
    std::string error;
    REQUIRE(writePng(path, image, error));
    const std::optional<Image> back = readPng(path, error);
    REQUIRE_MESSAGE(back, error);
    CHECK(back->width == 7);
    CHECK(back->rgba == image.rgba);
    std::ofstream(path, std::ios::binary) << "no picture";
    CHECK(!readPng(path, error));
    CHECK(error.find("cannot be read as PNG") != std::string::npos);
    std::remove(path.c_str());
    CHECK(!readPng(path, error));
    CHECK(!writePng("/nowhere/at/all.png", image, error));
}

}  // namespace
}  // namespace tessera::imagediff
