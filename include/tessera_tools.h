/* What the `tessera` command does, as functions for C: programs assembled, compiled and run on inputs, the debugger,
 * recorded command streams, the model of the paper's chip, and pictures compared. The library is libtessera_tools.so.0.
 * Python's package `tessera` is made of these functions, and of those of tessera_compute.h.
 *
 *   TesseraProgram* program = tesseraAssemble(text, strlen(text), "wave.tsa");
 *   if (!program) { fputs(tesseraToolsError(), stderr); return 1; }
 *   TesseraJob* job = tesseraPixels(program, 640, 480);
 *   if (!tesseraJobUniform(job, "u_time", &time, 1) || !tesseraRunJob(job, NULL, 0)) puts(tesseraToolsError());
 *   tesseraJobOutput(job, 0, colors);
 *   tesseraFreeJob(job);
 *   tesseraFreeProgram(program);
 *
 * Errors: functions give 1 or an object when they did what they say, and 0 or null when they did not. What went wrong
 * is then there as a text (tesseraToolsError) and, where it has a place, as diagnostics (tesseraGetDiagnostic). They
 * are the calling thread's, and last until its next call of a function that can fail; so do the warnings of one that
 * did not. Nothing here prints, exits, throws or ends the process, whatever it is given; null objects are refused.
 *
 * Threads: different objects may be used by different threads at a time; one object by one thread at a time, programs
 * by any number. Every function computes in its own floating-point environment and puts the caller's back.
 *
 * Numbers: registers are four words of 32 bits. A float is passed as its bits. Pixels are RGBA, rows from the top;
 * gl_FragCoord counts from the bottom row, as OpenGL does.
 */
#ifndef TESSERA_TOOLS_H
#define TESSERA_TOOLS_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Changes when a program that was compiled with an older header could no longer run. */
#define TESSERA_TOOLS_ABI 1
uint32_t tesseraToolsAbi(void);
/* "MAJOR.MINOR.PATCH" */
const char* tesseraToolsVersion(void);

/* --- What went wrong --- */

/* All errors of the calling thread's last call as one text, diagnostics with their snippets; empty if it did what it
 * says. Good until the thread's next call. */
const char* tesseraToolsError(void);

typedef struct TesseraDiagnostic {
    int32_t isError; /* 0: a warning */
    int32_t line;    /* from 1; 0: not known */
    int32_t column;  /* from 1; 0: not known */
    const char* file;
    const char* message;
    const char* snippet; /* the line and a caret below the column; empty: none */
} TesseraDiagnostic;

uint32_t tesseraDiagnosticCount(void);
/* Its texts are good until the thread's next call of another function. */
int tesseraGetDiagnostic(uint32_t number, TesseraDiagnostic* diagnostic);

/* --- Texts and bytes that functions give --- */

typedef struct TesseraText TesseraText;
/* A byte that is 0 follows the last one. */
const char* tesseraTextBytes(const TesseraText* text);
size_t tesseraTextSize(const TesseraText* text);
void tesseraFreeText(TesseraText* text);

/* --- Programs --- */

typedef struct TesseraProgram TesseraProgram;
typedef enum TesseraStage { TESSERA_VERTEX, TESSERA_FRAGMENT, TESSERA_COMPUTE } TesseraStage;

/* Assembly text (docs/isa.md). `name` is the file's in messages; `.include` reads files relative to it. */
TesseraProgram* tesseraAssemble(const char* text, size_t bytes, const char* name);
/* GLSL ES 1.00, or 3.00 where #version says so, of one stage: TESSERA_VERTEX or TESSERA_FRAGMENT. */
TesseraProgram* tesseraCompile(TesseraStage stage, const char* text, size_t bytes, const char* name);
/* A vertex and a fragment shader as glLinkProgram links them. */
int tesseraLink(const char* vertex, size_t vertexBytes, const char* vertexName, const char* fragment,
                size_t fragmentBytes, const char* fragmentName, TesseraProgram** vertexProgram,
                TesseraProgram** fragmentProgram);
/* The bytes of a .tsb file. */
TesseraProgram* tesseraReadProgram(const void* bytes, size_t size, const char* name);
void tesseraFreeProgram(TesseraProgram* program);

/* A .tsb file. */
TesseraText* tesseraProgramBytes(const TesseraProgram* program);
/* Text that assembles to the same program; with `withSource` each source line above its instructions. */
TesseraText* tesseraDisassemble(const TesseraProgram* program, int withSource);
/* JSON: stage, instructions, units, registers, inputs, outputs, uniforms, samplers, buffers, block. */
TesseraText* tesseraDescribe(const TesseraProgram* program);
/* JSON: what is read off the code: instructions, shortest and longest path in cycles, the unit that bounds it, lines.
 * `preset`: the machine, a name or a file; null: tessera. */
TesseraText* tesseraStaticCost(const TesseraProgram* program, const char* preset);

/* --- Jobs: a program and what it runs on --- */

typedef struct TesseraJob TesseraJob;

/* A fragment program for each pixel of a picture; at most 2^26 pixels. */
TesseraJob* tesseraPixels(const TesseraProgram* program, uint32_t width, uint32_t height);
/* A vertex program for each of `count` vertices; at most 2^26. */
TesseraJob* tesseraVertices(const TesseraProgram* program, uint32_t count);
/* A compute program on a grid of blocks; block null: the size that the program says. */
TesseraJob* tesseraBlocks(const TesseraProgram* program, const uint32_t grid[3], const uint32_t block[3]);
void tesseraFreeJob(TesseraJob* job);

/* An input of pixels or vertices: a varying or attribute by name, a register ("v3", "v3.xy") or gl_FragCoord,
 * gl_FrontFacing, gl_PointCoord. `words` has `components` for one lane that serves all, or for each lane (`lanes` is
 * the number of pixels, row by row from the top, or of vertices). What is not set is (0, 0, 0, 1). */
int tesseraJobInput(TesseraJob* job, const char* name, const void* words, size_t components, size_t lanes);
/* A uniform by name or constant register: its components, column by column and element by element. */
int tesseraJobUniform(TesseraJob* job, const char* name, const void* words, size_t count);
/* A picture for a sampler or a unit ("t0"), with its mipmaps; its first row is at t = 0. */
int tesseraJobTexture(TesseraJob* job, const char* name, const uint8_t* rgba, uint32_t width, uint32_t height,
                      int isLinear, int repeats);
/* Contents of a buffer of a compute program; they are copied. */
int tesseraJobBuffer(TesseraJob* job, const char* name, const void* bytes, size_t size);

/* Runs pixels or vertices. tier: "interp", "baseline", "jit", "tiered"; null: TESSERA_TIER, or the interpreter.
 * threads: 1 to 64; 0: TESSERA_THREADS. Kernels are run by tessera_compute.h. */
int tesseraRunJob(TesseraJob* job, const char* tier, int threads);
/* Of a job that has run: four floats of register o`output` for each lane; zeros where a pixel was discarded. */
int tesseraJobOutput(const TesseraJob* job, uint32_t output, float* values);
/* 1 where a pixel was discarded. */
int tesseraJobDiscarded(const TesseraJob* job, uint8_t* discarded);

/* Groups of 32 lanes that a job has; of a kernel its blocks. */
uint64_t tesseraJobGroups(const TesseraJob* job);
/* The group and the lane of pixel x, y (from the top), of vertex x, or of thread x of block y. */
int tesseraJobLane(const TesseraJob* job, uint64_t x, uint64_t y, uint64_t* group, uint32_t* lane);
/* Every instruction of a group or block, as "text", "json" (an object a line), "vcd" or "perfetto", at most `limit`
 * of them. */
TesseraText* tesseraJobTrace(const TesseraJob* job, uint64_t group, const char* form, uint64_t limit);
/* What each line costs: in the code, as it ran, and on the machine, where the job is alone; "json" or "text". */
TesseraText* tesseraJobCost(const TesseraJob* job, const char* preset, const char* form);

/* --- The debugger --- */

typedef struct TesseraDebugger TesseraDebugger;

/* At the first instruction of a group, or of the groups of a block. */
TesseraDebugger* tesseraDebugJob(const TesseraJob* job, uint64_t group);
/* The group of a capture (tesseraExplain). */
TesseraDebugger* tesseraDebugCapture(const void* bytes, size_t size);
void tesseraFreeDebugger(TesseraDebugger* debugger);

typedef enum TesseraMove {
    TESSERA_STEP,           /* `count` instructions */
    TESSERA_STEP_BACK,      /* likewise */
    TESSERA_NEXT_LINE,      /* to the next line, over calls */
    TESSERA_PREVIOUS_LINE,  /* likewise backwards */
    TESSERA_INTO_LINE,      /* to the next line, into calls */
    TESSERA_BACK_INTO_LINE, /* likewise backwards */
    TESSERA_FINISH,         /* to behind the innermost call */
    TESSERA_RUN,            /* to the next breakpoint, or the end */
    TESSERA_RUN_BACK,       /* to the one before, or the start */
    TESSERA_RUN_TO_LINE,    /* until line `count` is entered, or a breakpoint */
    TESSERA_RESTART,        /* to the start */
    TESSERA_GO_TO           /* to before instruction number `count` */
} TesseraMove;
typedef enum TesseraStop {
    TESSERA_MOVED,
    TESSERA_AT_BREAKPOINT,
    TESSERA_AT_START,
    TESSERA_AT_END,
    TESSERA_INTERRUPTED
} TesseraStop;

typedef struct TesseraPosition {
    uint64_t count; /* instructions that the group has executed */
    uint32_t group, lane;
    uint32_t groups;          /* that there are */
    uint32_t instruction;     /* the next one; at the end the last one */
    uint32_t line;            /* of it, from 1; 0: not known */
    uint32_t activeMask;      /* lanes that execute it */
    uint32_t guardedMask;     /* of those, lanes whose guard holds */
    uint32_t discardedMask;   /* lanes that were discarded */
    int32_t hasEnded;         /* the group has */
    int32_t stop, breakpoint; /* of the last move: a TesseraStop; the breakpoint's number or 0 */
} TesseraPosition;

/* `position` may be null. */
int tesseraDebugMove(TesseraDebugger* debugger, TesseraMove move, uint64_t count, TesseraPosition* position);
/* Looks at another group or lane. */
int tesseraDebugSelect(TesseraDebugger* debugger, uint32_t group, uint32_t lane);
int tesseraDebugPosition(const TesseraDebugger* debugger, TesseraPosition* position);
/* JSON: title, stage, the next instruction and its source line as texts, lane names, registers and variables. */
TesseraText* tesseraDebugLook(const TesseraDebugger* debugger);
/* A breakpoint at a line or before an instruction, where `condition` holds in a lane (null: always): its number, or 0.
 */
int tesseraDebugBreak(TesseraDebugger* debugger, int isInstruction, uint32_t where, const char* condition);
int tesseraDebugUnbreak(TesseraDebugger* debugger, int breakpoint);

typedef struct TesseraValues {
    uint32_t components; /* of a lane: of a matrix or array all of them */
    uint32_t rows, columns, elements;
    char format; /* f, i, u, b: how all are to be read */
} TesseraValues;
/* An expression (a register "r3.xy", a variable, "a + b") in all 32 lanes: `words` has room for `capacity` words, 32
 * times values->components are written, lane by lane; `known` (may be null) gets a 1 for each that has a value. With
 * `words` null only `values` is filled in. */
int tesseraDebugRead(const TesseraDebugger* debugger, const char* expression, uint32_t* words, uint8_t* known,
                     size_t capacity, TesseraValues* values);

/* --- Recorded command streams (docs/commands.md); frames count from 0 --- */

/* How many ends of frames there are. */
int tesseraFrames(const void* stream, size_t size, uint64_t* frames);
/* What every draw and clear did to pixel x, y (from the top) of a frame, as "text" or "json"; "capture": the group that
 * shaded it last, for tesseraDebugCapture. Frame UINT64_MAX is the last one in which something is drawn. */
TesseraText* tesseraExplain(const void* stream, size_t size, uint64_t frame, uint32_t x, uint32_t y, const char* form);
/* The commands: "text" or "json". */
TesseraText* tesseraListCommands(const void* stream, size_t size, const char* form);

/* --- The model of the chip (docs/model.md) --- */

typedef struct TesseraWorkload TesseraWorkload;
typedef struct TesseraModel TesseraModel;

/* Of frames first to last, from 0, of a command stream. */
TesseraWorkload* tesseraWorkOfStream(const void* stream, size_t size, const char* name, uint64_t first, uint64_t last);
/* Of a job, alone on the machine. */
TesseraWorkload* tesseraWorkOfJob(const TesseraJob* job, const char* name);
/* A .tsw file. */
TesseraWorkload* tesseraReadWork(const void* bytes, size_t size);
TesseraText* tesseraWorkBytes(const TesseraWorkload* work);
void tesseraFreeWork(TesseraWorkload* work);

/* Goes through the work cycle by cycle. preset: a name or a file, null: tessera; parameters: `count` texts
 * "block.processors=2". */
TesseraModel* tesseraModel(const TesseraWorkload* work, const char* preset, const char* const* parameters, size_t count,
                           int threads);
void tesseraFreeModel(TesseraModel* model);
/* "text", "json", "lines" (JSON), "use.svg", "draws.svg", "lines.svg", "perfetto", "vcd", or "why" with a question. */
TesseraText* tesseraReport(const TesseraModel* model, const char* form, const char* question);

/* --- Pictures: eight bits of red, green, blue, alpha; rows from the top --- */

typedef struct TesseraDifference {
    uint64_t pixels, differing; /* differing: with a channel that differs by more than the tolerance */
    uint32_t firstX, firstY;    /* of the first that differs */
    uint32_t worstX, worstY, worstBy;
    uint8_t worstA[4], worstB[4];
    double mean[4]; /* absolute difference of each channel, in 1/255 */
} TesseraDifference;

/* `picture`, unless null, gets one that shows where: as large as they are. */
int tesseraCompare(const uint8_t* a, const uint8_t* b, uint32_t width, uint32_t height, int tolerance,
                   TesseraDifference* difference, uint8_t* picture);
/* RGBA bytes of a PNG file; `size` gets width and height. */
TesseraText* tesseraReadPng(const char* path, uint32_t size[2]);
int tesseraWritePng(const char* path, const uint8_t* rgba, uint32_t width, uint32_t height);

#ifdef __cplusplus
}
#endif

#endif
