/* A C program outside the tree: a shader from text, run on pixels, and what is wrong with another. */
#include <stdio.h>
#include <string.h>
#include <tessera_tools.h>

static const char kShader[] = ".fragment\n    mov o0, frag_coord\n    ret\n";
static const char kWrong[] = ".fragment\n    move o0, frag_coord\n    ret\n";

int main(void) {
    float colors[4 * 4 * 2];
    TesseraDiagnostic what;
    TesseraProgram* program = tesseraAssemble(kShader, strlen(kShader), "place.tsa");
    TesseraJob* job = tesseraPixels(program, 4, 2);
    if (tesseraToolsAbi() != TESSERA_TOOLS_ABI || !tesseraRunJob(job, NULL, 1) || !tesseraJobOutput(job, 0, colors)) {
        puts(tesseraToolsError());
        return 1;
    }
    tesseraFreeJob(job);
    tesseraFreeProgram(program);
    if (tesseraAssemble(kWrong, strlen(kWrong), "wrong.tsa") != NULL || !tesseraGetDiagnostic(0, &what)) return 1;
    printf("%g %g %s:%d:%d\n", colors[0], colors[1], what.file, what.line, what.column);
    return 0;
}
