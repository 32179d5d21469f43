/* The C interface from C: a kernel on both tiers, and calls that have to be refused. */
#include <tessera_compute.h>

#include <stdio.h>
#include <string.h>

static int failures = 0;

static void check(int holds, const char* what) {
    if (holds) return;
    printf("failed: %s (%s)\n", what, tesseraComputeError());
    ++failures;
}

static const char kText[] =
    ".compute\n.group 64\n.buffer b0 data\n.uniform c0 factor float\n"
    "    mad.u32 r0.x, block.x, block_size.x, thread.x\n    shl.u32 r0.x, r0.x, 2\n"
    "    ld r1.x, b0[r0.x]\n    mul r1.x, r1.x, c0.x\n    st b0[r0.x], r1.x\n    ret\n";

static void run(const char* tier) {
    float data[200];
    const float factor = 3.0f;
    const uint32_t grid[3] = {4, 1, 1}, none[3] = {0, 0, 0}, huge[3] = {4096, 1, 1};
    TesseraCounters counters;
    TesseraFault fault;
    TesseraDevice* device = tesseraOpenDevice(tier, 2);
    TesseraKernel* kernel = tesseraLoadKernel(device, kText, strlen(kText));
    check(device != NULL && kernel != NULL, "open and load");
    for (int i = 0; i < 200; ++i) data[i] = (float)i;
    check(tesseraBindMemory(kernel, "data", data, sizeof data), "bind");
    check(tesseraSetUniform(kernel, "factor", &factor, 1), "uniform");
    check(tesseraLaunch(kernel, grid, NULL) && tesseraWait(device), "launch");
    for (int i = 0; i < 200; ++i) check(data[i] == 3.0f * (float)i, "result");
    check(tesseraGetCounters(device, &counters) && counters.blocks == 4 && counters.groups == 8, "counters");
    check(counters.outOfRange == 2 * 56, "accesses outside");

    check(!tesseraBindMemory(kernel, "other", data, sizeof data), "no such buffer");
    check(!tesseraBindMemory(kernel, "data", (char*)data + 1, 4), "misaligned memory");
    check(!tesseraSetUniform(kernel, "factor", data, 2), "too many components");
    check(!tesseraLaunch(kernel, grid, none) && !tesseraLaunch(kernel, grid, huge), "bad blocks");
    check(!tesseraLaunch(NULL, grid, NULL) && !tesseraWait(NULL), "no objects");
    check(tesseraLoadKernel(device, "nonsense", 8) == NULL && tesseraComputeError()[0] != '\0', "bad text");
    check(tesseraLoadKernel(device, "TSB1", 4) == NULL, "bad file");
    tesseraFreeKernel(kernel);

    const char endless[] = ".compute\n    loop\n    endloop\n    ret\n";
    kernel = tesseraLoadKernel(device, endless, strlen(endless));
    check(tesseraLaunch(kernel, grid, NULL) && !tesseraWait(device), "a kernel without end");
    check(strstr(tesseraComputeError(), "budget") != NULL, "says why");
    check(tesseraGetFault(device, &fault) && fault.kind == 1 && fault.block == 0 && fault.missing == 0, "its fault");
    tesseraFreeKernel(kernel);

    /* Lanes 0 to 2 come to the barrier, the others do not. */
    const char divergent[] =
".compute\n.group 32\n    sge.u32 p1, thread.x, 3\n    (p1) ret\n    bar 2\n    ret\n";
    kernel = tesseraLoadKernel(device, divergent, strlen(divergent));
    check(kernel != NULL, "loads a divergent kernel");
    check(tesseraLaunch(kernel, grid, NULL) && !tesseraWait(device), "a barrier in divergent code");
    check(tesseraGetFault(device, &fault) && fault.kind == 2 && fault.line == 5 && fault.missing == 0xFFFFFFF8u,
          "the fault has line and lanes");
    tesseraFreeKernel(kernel);
    kernel = tesseraLoadKernel(device, kText, strlen(kText));
    check(tesseraLaunch(kernel, grid, NULL) && tesseraWait(device), "a good launch after it");
    check(tesseraGetFault(device, &fault) && fault.kind == 0, "has no fault");
    check(!tesseraGetFault(NULL, &fault) && !tesseraGetFault(device, NULL), "faults of nothing");
    tesseraFreeKernel(kernel);
    tesseraCloseDevice(device);
}

int main(void) {
    check(tesseraOpenDevice("fast", 1) == NULL && tesseraOpenDevice("jit", 65) == NULL, "bad devices");
    run("interp");
    run("jit");
    printf("%d failures\n", failures);
    return failures != 0;
}
