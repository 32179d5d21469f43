/* A C program outside the tree: a kernel from text, run on memory of its own. */
#include <stdio.h>
#include <string.h>
#include <tessera_compute.h>

static const char kTimesTwo[] =
    ".compute\n.group 64\n.buffer b0 data\n"
    "    mad.u32 r0.x, block.x, block_size.x, thread.x\n    shl.u32 r0.x, r0.x, 2\n"
    "    ld r1.x, b0[r0.x]\n    add r1.x, r1.x, r1.x\n    st b0[r0.x], r1.x\n    ret\n";

int main(void) {
    float data[128];
    const uint32_t grid[3] = {2, 1, 1};
    for (int i = 0; i < 128; ++i) data[i] = (float)i;
    TesseraDevice* device = tesseraOpenDevice(NULL, 0);
    TesseraKernel* kernel = tesseraLoadKernel(device, kTimesTwo, strlen(kTimesTwo));
    if (!tesseraBindMemory(kernel, "data", data, sizeof data) || !tesseraLaunch(kernel, grid, NULL) ||
        !tesseraWait(device)) {
        puts(tesseraComputeError());
        return 1;
    }
    tesseraFreeKernel(kernel);
    tesseraCloseDevice(device);
    printf("%g %g %g\n", data[1], data[64], data[127]);
    return 0;
}
