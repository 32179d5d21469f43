/* Compute kernels on Tessera, from C. The library is libtessera_compute.so.0.
 *
 * A device runs compute programs (docs/isa.md). A kernel is a loaded program with its uniforms and bound memory; a
 * launch runs a grid of blocks of it. Every function returns 1 when it did what it says and 0 when it did not; then
 * tesseraComputeError() says why. Objects belong to one thread at a time. Null objects are refused, not followed.
 *
 *   TesseraDevice* device = tesseraOpenDevice("jit", 0);
 *   TesseraKernel* kernel = tesseraLoadKernel(device, text, strlen(text));
 *   tesseraBindMemory(kernel, "data", floats, sizeof floats);
 *   uint32_t grid[3] = {64, 1, 1};
 *   if (!tesseraLaunch(kernel, grid, NULL) || !tesseraWait(device)) puts(tesseraComputeError());
 *   tesseraFreeKernel(kernel);
 *   tesseraCloseDevice(device);
 */
#ifndef TESSERA_COMPUTE_H
#define TESSERA_COMPUTE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct TesseraDevice TesseraDevice;
typedef struct TesseraKernel TesseraKernel;

/* Sums over all launches of a device. */
typedef struct TesseraCounters {
    uint64_t blocks, groups, instructions, barriers;
    uint64_t outOfRange; /* elements accessed outside their memory: read as zero, or not written */
} TesseraCounters;

/* Why a launch was stopped. What it had written until then stays written. */
typedef struct TesseraFault {
    uint32_t kind;        /* 0: it was not; 1: a group of it never ends; 2: a group came to a barrier without all its
                             lanes; 3: every group that is left waits at a barrier */
    uint32_t group;       /* of 32 lanes, in the block */
    uint32_t instruction; /* the barrier */
    uint32_t line;        /* of it in the program's source, from 1; 0: not known */
    uint64_t block;       /* in the grid, as one number */
    uint32_t missing; /* lanes of the group that are not at the barrier; of kind 3 of the first group that lacks any */
} TesseraFault;

/* tier: "interp", "jit", "tiered", or null for TESSERA_TIER, and "jit" when that is not set. threads: 1 to 64, or 0 for
 * TESSERA_THREADS. Null when refused. */
TesseraDevice* tesseraOpenDevice(const char* tier, int threads);
/* Kernels of the device must be freed before. */
void tesseraCloseDevice(TesseraDevice* device);

/* A program as assembly text or as the bytes of a .tsb file. Null when it is not valid. */
TesseraKernel* tesseraLoadKernel(TesseraDevice* device, const void* program, size_t bytes);
void tesseraFreeKernel(TesseraKernel* kernel);

/* Binds a declared buffer to memory of the caller, at most 4 GiB from a multiple of four bytes on. It must stay until
 * the launches that were made with it have been waited for. */
int tesseraBindMemory(TesseraKernel* kernel, const char* name, void* memory, size_t bytes);
/* Sets a uniform from the 32-bit words of its components, column by column and element by element. */
int tesseraSetUniform(TesseraKernel* kernel, const char* name, const void* words, size_t count);

/* Notes a launch with the kernel as it is now. block may be null: the size that the program says. */
int tesseraLaunch(TesseraKernel* kernel, const uint32_t grid[3], const uint32_t block[3]);
/* Runs what was noted and returns when all is done. 0 when a launch failed: the error is the first one's. */
int tesseraWait(TesseraDevice* device);
int tesseraGetCounters(TesseraDevice* device, TesseraCounters* counters);

/* Of the launch that the last tesseraWait() of the device failed for; kind 0 when it did not fail, or for another
 * reason.
 */
int tesseraGetFault(TesseraDevice* device, TesseraFault* fault);

/* Why the calling thread's last call failed; an empty text if none did. Good until its next call. */
const char* tesseraComputeError(void);

#ifdef __cplusplus
}
#endif

#endif
