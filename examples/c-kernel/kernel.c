/* A compute kernel from a file on arrays of the program's own (tessera_compute.h), and what a wrong kernel says
 * (tessera_tools.h). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tessera_compute.h>
#include <tessera_tools.h>

enum { kElements = 6400 };

static char* contents(const char* path) {
    FILE* file = fopen(path, "rb");
    char* text = calloc(1, 1 << 16);
    if (file == NULL || text == NULL || fread(text, 1, (1 << 16) - 1, file) == 0) {
        fprintf(stderr, "%s: cannot be read\n", path);
        exit(1);
    }
    fclose(file);
    return text;
}

int main(int argc, char** argv) {
    const char* path = argc == 2 ? argv[1] : "saxpy.tsa";
    char* text = contents(path);

    /* Assembled here, so that an error has its place; the device is handed the program. */
    TesseraProgram* program = tesseraAssemble(text, strlen(text), path);
    if (program == NULL) {
        fputs(tesseraToolsError(), stderr);
        return 1;
    }
    TesseraText* bytes = tesseraProgramBytes(program);

    static float x[kElements], y[kElements];
    for (int i = 0; i < kElements; ++i) x[i] = (float)i, y[i] = 1;
    const float scale = 2;
    const uint32_t grid[3] = {kElements / 64, 1, 1};
    TesseraDevice* device = tesseraOpenDevice(NULL, 0);
    TesseraKernel* kernel = tesseraLoadKernel(device, tesseraTextBytes(bytes), tesseraTextSize(bytes));
    if (!tesseraBindMemory(kernel, "x", x, sizeof x) || !tesseraBindMemory(kernel, "y", y, sizeof y) ||
        !tesseraSetUniform(kernel, "scale", &scale, 1) || !tesseraLaunch(kernel, grid, NULL) || !tesseraWait(device)) {
        fprintf(stderr, "%s: %s\n", path, tesseraComputeError());
        return 1;
    }
    printf("%g %g %g\n", y[0], y[1], y[kElements - 1]);

    TesseraText* cost = tesseraStaticCost(program, NULL);
    printf("%zu bytes of a report say what each line costs\n", tesseraTextSize(cost));
    tesseraFreeText(cost);
    tesseraFreeKernel(kernel);
    tesseraCloseDevice(device);
    tesseraFreeText(bytes);
    tesseraFreeProgram(program);
    free(text);
    return 0;
}
