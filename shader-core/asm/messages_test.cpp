// What authors get wrong, and what they are told: the whole message, its place, and nothing else.
#include <doctest/doctest.h>

#include "shader-core/asm/assembler.h"
#include "shader-core/asm/disassembler.h"

namespace tessera::assembly {
namespace {

struct Mistake {
    const char *name, *text, *place, *message;
};

constexpr Mistake kMistakes[] = {
    {"a label misspelt", ".fragment\n call subb\n ret\nsub: mov r0, 1.0\n ret", "2:7",
     "there is no label 'subb'; did you mean 'sub'?"},
    {"a label that is missing", ".fragment\n call subroutine\n ret", "2:7",
     "there is no label 'subroutine'; write 'subroutine:' before the subroutine"},
    {"a register as an index", ".fragment\n mov r0, c[r0.x]\n ret", "2:12",
     "'r0' cannot be an index; move it to the address register, mov.i32 a0.x, r0.x, and write [a0.x]"},
    {"a second address register", ".fragment\n mov r0, c[a1.x]\n ret", "2:12",
     "a relative operand is written [a0.x + number]; only a0.x can address registers"},
    {"a name as an index", ".fragment\n.alias r1 index\n mov r0, c[index]\n ret", "3:12",
     "'index' cannot be an index; move it to the address register, mov.i32 a0.x, index.x, and write [a0.x]"},
    {"the address register without a component", ".fragment\n mov r0, c[a0]\n ret", "2:12",
     "a relative operand is written [a0.x + number]; only a0.x can address registers"},
    {"a number subtracted from the address register", ".fragment\n mov r0, c[a0.x - 1]\n ret", "2:17",
     "']', or '+' and a number, must follow a0.x"},
    {"the address register behind the number", ".fragment\n mov r0, c[4 + a0.x]\n ret", "2:16",
     "'a0' is a register; an expression is of numbers"},
    {"a register as the index of a texture unit", ".fragment\n tex r0, v0, t[r0.x], 2d\n ret", "2:16",
     "'r0' cannot be an index; move it to the address register, mov.i32 a0.x, r0.x, and write [a0.x]"},
    {"a guard that is no predicate", ".fragment\n (r0) if\n endif\n ret", "2:3",
     "'r0' is no predicate; a guard is (p1) or (!p1), p1 to p3, and a comparison writes one: sne p1, r0.x, 0.0"},
    {"predicate zero", ".fragment\n (p0) mov r0, v0\n ret", "2:3", "there is no register p0; use p1 to p3"},
    {"a condition behind if, as in C", ".fragment\n if (p1)\n endif\n ret", "2:5",
     "if takes no operand; its condition is a guard before it: (p1) if"},
    {"a predicate behind if", ".fragment\n if p1\n endif\n ret", "2:5",
     "if takes no operand; its condition is a guard before it: (p1) if"},
    {"a guard without parentheses", ".fragment\n p1 mov r0, v0\n ret", "2:2",
     "'p1' is a predicate; as a guard it stands in parentheses before the instruction: (p1) mov"},
    {"a negated guard without parentheses", ".fragment\n !p1 mov r0, v0\n ret", "2:2",
     "a guard stands in parentheses before the instruction: (p1) mov or (!p1) mov"},
    {"a guard as in PTX", ".fragment\n @p1 mov r0, v0\n ret", "2:2",
     "a guard stands in parentheses before the instruction: (p1) mov or (!p1) mov"},
    {"a number with the suffix of C", ".fragment\n mov o0, 1.0f\n ret", "2:10",
     "'1.0f' is no number; leave 'f' out, the type is the operand's"},
    {"an integer with a suffix", ".fragment\n add.u32 r0, r0, 3u\n ret", "2:18",
     "'3u' is no number; leave 'u' out, the type is the operand's"},
    {"a number with two points", ".fragment\n mov r0, 1.0.0\n ret", "2:10",
     "'1.0.0' is no number: '.0' does not belong to it"},
    {"a uniform of type unsigned", ".fragment\n.uniform c0 n unsigned\n ret", "2:15",
     "'unsigned' is no type of a uniform; write uint"},
    {"a sampler as a uniform", ".fragment\n.uniform c0 n sampler2D\n ret", "2:15",
     "'sampler2D' is a texture; declare it with .sampler t0 name 2d"},
    {"a type that is misspelt", ".fragment\n.uniform c0 n vec5\n ret", "2:15",
     "the type must stand here: float, vec2 to vec4, int, ivec2 to ivec4, uint, uvec2 to uvec4, bool, bvec2 to bvec4, "
     "mat2 to mat4, mat2x3 to mat4x3; did you "
     "mean 'vec2'?"},
    {"a uniform without a name", ".fragment\n.uniform c0 vec4\n ret", "2:13", "a name must stand before the type vec4"},
    {"a uniform without a register", ".fragment\n.uniform u_n vec4\n ret", "2:10",
     "a register such as c0 must stand here: .uniform c0 name vec4"},
    {"a sampler of integers as a uniform", ".fragment\n.uniform c0 n u2darray\n ret", "2:15",
     "'u2darray' is a texture; declare it with .sampler t0 name u2darray"},
    {"a sampler of integers with the type of GLSL", ".fragment\n.sampler t0 u_tex isampler3D\n ret", "2:19",
     "'isampler3D' is the type of GLSL; here it is written i3d"},
    {"a sampler without its kind", ".fragment\n.sampler t0 u_tex highp\n ret", "2:24",
     "the kind of texture must stand here: 2d, cube, 3d, external, 2dshadow, 2darray, cubeshadow or 2darrayshadow; of "
     "integers i2d to u2darray"},
    {"a sampler with the type of GLSL", ".fragment\n.sampler t0 u_tex sampler2D\n ret", "2:19",
     "'sampler2D' is the type of GLSL; here it is written 2d"},
    {"a sampler without a unit", ".fragment\n.sampler u_tex 2d\n ret", "2:10",
     "a register such as t0 must stand here: .sampler t0 name 2d"},
    {"an alias the wrong way round", ".fragment\n.alias normal r3\n ret", "2:8",
     "a register such as r0 or v0 or c0 or o0 or a0 or p1 or s0 must stand here: .alias r0 name"},
    {"a constant without its sign", ".fragment\n.const c0 1, 2, 3, 4\n ret", "2:11",
     "'=' must follow the register, or a name and '='"},
    {"a constant in a temporary", ".fragment\n.const r0 = 1, 2, 3, 4\n ret", "2:8",
     "a register such as c0 must stand here: .const c0 = 1, 0, 0, 1"},
    {"a directive of GLSL", ".fragment\n.attribute v0 a vec4\n ret", "2:2",
     "unknown directive '.attribute'; write .input"},
    {"a stage of another name", ".pixel\n ret", "1:2", "unknown directive '.pixel'; write .fragment"},
    {"an instruction in capitals", ".fragment\n MOV r0, v0\n ret", "2:2",
     "unknown instruction 'MOV'; instructions are written in lower case: mov"},
    {"a register in capitals", ".fragment\n mov R0, v0\n ret", "2:6",
     "there is no 'R0'; names are case sensitive: write r0"},
    {"a suffix behind an underscore", ".fragment\n mov_sat r0, v0\n ret", "2:2",
     "unknown instruction 'mov_sat'; a suffix follows a point: mov.sat"},
    {"subtraction", ".fragment\n sub r0, v0, v0\n ret", "2:2",
     "unknown instruction 'sub'; write add with a minus sign: add d, a, -b"},
    {"an instruction of another assembler", ".fragment\n fma r0, v0, v0, v0\n ret", "2:2",
     "unknown instruction 'fma'; write mad"},
    {"a jump", ".fragment\n jmp somewhere\n ret", "2:2",
     "unknown instruction 'jmp'; there are no jumps: write if, loop or call"},
    {"end", ".fragment\n end", "2:2",
     "unknown instruction 'end'; write ret; an if ends with endif, a loop with endloop"},
    {"an assignment", ".fragment\n r0 = v0\n ret", "2:2",
     "unknown instruction 'r0'; a statement begins with its instruction, then comes the destination: mov r0, ..."},
    {"a stage without its point", "vertex\n ret", "1:1", "unknown instruction 'vertex'; did you mean '.vertex'?"},
    {"a macro misspelt", ".fragment\n.macro twice x\n add \\x, \\x, \\x\n.endmacro\n twce r0\n ret", "5:2",
     "unknown instruction 'twce'; did you mean 'twice'?"},
    {"a comment of another language", ".fragment\n # comment\n ret", "2:2",
     "a comment begins with ';' or '//' and ends with its line"},
    {"four numbers as an operand", ".fragment\n mov r0, [1.0, 0.0, 0.0, 1.0]\n ret", "2:10",
     "four numbers at once are a constant: .const c0 = 1, 0, 0, 1"},
    {"a number with a hash", ".fragment\n mov r0, #1\n ret", "2:10", "a number stands alone, without '#'"},
    {"a number with a plus sign", ".fragment\n mov r0, +1.0\n ret", "2:10", "a number has no plus sign; leave it out"},
    {"a function of a register", ".fragment\n mov r0, abs(v0)\n ret", "2:14",
     "'v0' is a register; an expression is of numbers"},
    {"a texture unit as an operand", ".fragment\n mov r0, t0\n ret", "2:10",
     "'t0' is a texture unit, no register; it stands behind the operands of a lookup: tex r0, v0, t0, 2d"},
    {"one texture unit more than there are", ".fragment\n tex r0, v0, t32, 2d\n ret", "2:14",
     "there is no texture unit t32; use t0 to t31"},
    {"a texture unit beyond all numbers", ".fragment\n tex r0, v0, t99999999999, 2d\n ret", "2:14",
     "there is no texture unit t99999999999; use t0 to t31"},
    {"a texture without its target", ".fragment\n tex r0, v0, t3\n ret", "2:16",
     "',' and the texture target must follow the unit: 2d, cube, 3d, external, 2dshadow, 2darray, cubeshadow or "
     "2darrayshadow"},
    {"a texture that is not declared", ".fragment\n tex r0, v0, u_image\n ret", "2:14",
     "no texture has the name 'u_image'; declare it: .sampler t0 u_image 2d"},
    {"a sampler register of HLSL", ".fragment\n tex r0, v0, s0, 2d\n ret", "2:14",
     "a register such as t0 must stand here: tex r0, v0, t0, 2d"},
    {"an output the stage does not have", ".fragment\n mov o10, v0\n ret", "2:6",
     "fragment programs have no o10; use o0 to o9"},
    {"a special of another stage", ".vertex\n mov o0, frag_coord\n ret", "2:10", "vertex programs have no frag_coord"},
    {"an input of a compute program", ".compute\n mov r0, v0\n ret", "2:10",
     "compute programs have no inputs and outputs; they load from buffers and store to them"},
    {"a special misspelt", ".compute\n mov r0, thread_id\n ret", "2:10",
     "nothing is named 'thread_id'; registers are r0 v0 c0 o0 a0 p1 s0, specials frag_coord front_facing point_coord "
     "lane "
     "instance_id thread block block_size grid_size group"},
    {"a buffer that is not declared", ".compute\n ld r0.x, b0[r1.x]\n ret", "2:2",
     "buffer b0 is not declared; write .buffer b0 name"},
    {"shared memory that is not declared", ".compute\n st shared[0], r0.x\n ret", "2:2",
     "the program declares no shared memory; write .shared and its bytes"},
    {"a store to a constant buffer", ".compute\n.buffer b0 data constant\n st b0[0], r0.x\n ret", "3:2",
     "buffer b0 is constant; only ld may name it"},
    {"memory as an operand", ".compute\n.buffer b0 data\n mov r0.x, b0[r1.x]\n ret", "3:12",
     "'b0' is memory, no register; load from it first: ld r0.x, b0[0]"},
    {"the name of a buffer as an operand", ".compute\n.buffer b0 data\n mov r0.x, data[r1.x]\n ret", "3:12",
     "'data' is memory, no register; load from it first: ld r0.x, data[0]"},
    {"a store the wrong way round", ".compute\n.buffer b0 data\n st r0.x, b0[r1.x]\n ret", "3:5",
     "'r0' is a register; memory must stand here, as in ld r0.x, b0[r1.x] and st b0[r1.x], r0.x"},
    {"a buffer misspelt", ".compute\n.buffer b0 data\n ld r0.x, dta[r1.x]\n ret", "3:11",
     "memory must stand here: shared[...], b0[...] to b15[...] or the name of a .buffer; did you mean 'data'?"},
    {"memory without a name", ".compute\n.buffer b0 data\n ld r0.x, [r1.x]\n ret", "3:11",
     "memory must stand here: shared[...], b0[...] to b15[...] or the name of a .buffer; the program has buffers data"},
    {"a buffer without a slot", ".compute\n.buffer data\n ret", "2:9",
     "a buffer b0 to b15 must stand here: .buffer b0 name"},
    {"a wavefront without a subset of the block", ".compute\n add.d1 r0, &[5]r1, r2\n ret", "2:2",
     "add: reading other wavefronts of the block needs a subset of the block, as .d1.block"},
    {"a wavefront that no block has", ".compute\n add.d1.block r0, &[128]r1, r2\n ret", "2:21",
     "a number from 0 to 127 must stand here"},
    {"a wavefront's register to memory", ".compute\n.shared 4\n st.d1.block shared[0], &[5]r1.x\n ret", "3:2",
     "st: only arithmetic reads other wavefronts of the block"},
    {"a wavefront of the block and a row of the group", ".compute\n add.d1.block r0, &[5]r1, &r2\n ret", "2:2",
     "add: sources snoop in the group or in the block, not in both"},
    {"three wavefronts", ".compute\n mad.d1.block r0, &[1]r1, &[2]r2, &[3]r3\n ret", "2:2",
     "mad: at most two sources read other wavefronts of the block"},
    {"a wavefront's constant", ".compute\n add.d1.block r0, &[5]c1, r2\n ret", "2:19",
     "only r registers of another lane can be read with '&'"},
    {"a name misspelt", ".fragment\n.input v0 v_at vec4\n.uniform c0 u_tint vec4\n mul o0, v_at, u_tnt\n ret", "4:16",
     "nothing is named 'u_tnt'; did you mean 'u_tint'?"},
    {"a name that is nowhere",
     ".fragment\n.input v0 v_at vec4\n.uniform c0 u_tint vec4\n.define kN = 3\n.alias p1 done\n"
     " mul o0, v_at, brightness\n ret",
     "6:16",
     "nothing is named 'brightness'; the program has inputs v_at, uniforms and constants u_tint, aliases done, numbers "
     "kN; registers are r0 v0 c0 o0 a0 p1 s0, specials frag_coord front_facing point_coord lane instance_id thread "
     "block block_size grid_size group"},
    {"a number that is nowhere", ".fragment\n.define kCount = 3\n.define kTwice = 2 * kNumber\n mov o0, v0\n ret",
     "3:22", "nothing is named 'kNumber'; the program has numbers kCount"},
    {"a texture that is nowhere", ".fragment\n.sampler t0 u_sky cube\n tex r0, v0, ground\n ret", "3:14",
     "no texture has the name 'ground'; declare it: .sampler t0 ground 2d; the program has samplers u_sky"},
    {"a predicate that is nowhere", ".fragment\n.alias p1 done\n (high) mov o0, v0\n ret", "3:3",
     "'high' is no predicate; a guard is (p1) or (!p1), p1 to p3, and a comparison writes one: sne p1, r0.x, 0.0; the "
     "program has aliases done"},
    {"a label that is nowhere", ".fragment\n call subroutine\n ret\nlight: mov o0, v0\n ret", "2:7",
     "there is no label 'subroutine'; write 'subroutine:' before the subroutine; the program has light"},
    {"a name before its declaration", ".fragment\n mov o0, u_tint\n.uniform c0 u_tint vec4\n ret", "2:10",
     "'u_tint' is declared further down; a declaration stands before its use"},
    {"a macro before its definition", ".fragment\n twice r0\n.macro twice x\n add \\x, \\x, \\x\n.endmacro\n ret",
     "2:2", "unknown instruction 'twice'; the macro of this name is defined further down; it stands before its use"},
    {"a variable of GLSL", ".fragment\n mov gl_FragColor, v0\n ret", "2:6", "'gl_FragColor' is no operand; write o0"},
    {"a constructor of GLSL", ".fragment\n mov o0, vec4(1.0, 0.0, 0.0, 1.0)\n ret", "2:10",
     "'vec4' is no operand; numbers at once are a constant: .const c0 = 1, 0, 0, 1"},
    {"a member of a structure", ".fragment\n.uniform c3 u_light.color vec4\n mov o0, u_light.color\n ret", "3:10",
     "a name that begins with 'u_light.' is for the host only; write its register, c3, or name that with .alias"},
    {"letters of two sets in a swizzle", ".fragment\n mov o0, v0.xg\n ret", "2:13",
     "'xg' is no swizzle; take all letters from x y z w, or all from r g b a"},
    {"letters of two sets in a write mask", ".fragment\n mov o0.xg, v0\n ret", "2:9",
     "'xg' is no write mask; take all letters from x y z w, or all from r g b a"},
    {"letters of two sets in an alias", ".fragment\n.alias r0.xg pair\n mov o0, pair\n ret", "2:11",
     "'xg' names no components; take all letters from x y z w, or all from r g b a"},
    {"the letters of textures", ".fragment\n mov o0, v0.st\n ret", "2:13",
     "'st' is no swizzle; components of textures are x y z w as well, not s t p q"},
    {"an operand too few", ".fragment\n add o0, v0\n ret", "2:12", "an operand is missing; add is written add d, a, b"},
    {"an operand too many", ".fragment\n mov o0, v0, v1\n ret", "2:12",
     "', v1' is too much here; mov is written mov d, a"},
    {"no comma", ".fragment\n mov o0 v0\n ret", "2:9", "',' must follow this operand; mov is written mov d, a"},
    {"arithmetic between operands", ".fragment\n mov o0, v0 * 2.0\n ret", "2:13",
     "'* 2.0' is too much here; registers are computed by instructions of their own: mul d, a, b"},
    {"a lookup the wrong way round", ".fragment\n.sampler t0 u_sky 2d\n tex o0, u_sky, v0\n ret", "3:10",
     "'u_sky' is a texture unit, no register; it stands behind the operands of a lookup: tex r0, v0, u_sky"},
    {"an element too far", ".fragment\n.uniform c0 u_l vec4[4]\n mov o0, u_l[4]\n ret", "3:14",
     "a number from 0 to 3 must stand here: u_l has 4 elements"},
    {"a type of C as a suffix", ".fragment\n add.int r0, r0, 1\n ret", "2:6", "'.int' is no suffix; write .i32"},
    {"components behind the instruction", ".fragment\n mov.xy r0, v0\n ret", "2:6",
     "'.xy' is no suffix; components stand behind a register: r0.xy"},
    {"a declaration with commas", ".fragment\n.input v0, v_at, vec2\n ret", "2:10",
     "the words of a declaration stand without commas: .input v0 name vec4"},
    {"a type before its name", ".fragment\n.input v0 vec2 v_at\n ret", "2:11",
     "the name stands before its type: v_at vec2"},
    {"a buffer with a type", ".compute\n.buffer b0 data f32\n ret", "2:17",
     "only 'constant' may follow the name of a buffer; loads and stores give the type"},
    // What follows from an error is none of its own.
    {"a declaration that is wrong", ".fragment\n.uniform c0 u_tint vec5\n mov o0, u_tint\n add o0, o0, u_tint.x\n ret",
     "2:20",
     "the type must stand here: float, vec2 to vec4, int, ivec2 to ivec4, uint, uvec2 to uvec4, bool, bvec2 to bvec4, "
     "mat2 to mat4, mat2x3 to mat4x3; did you "
     "mean 'vec2'?"},
    {"a register that is taken", ".fragment\n.uniform c0 u_a vec4\n.uniform c0 u_b vec4\n add o0, u_a, u_b\n ret",
     "3:10", "c0 is taken by an earlier declaration; choose free registers"},
    {"a sampler that is wrong", ".fragment\n.sampler t0 u_sky sampler2D\n tex o0, v0, u_sky\n ret", "2:19",
     "'sampler2D' is the type of GLSL; here it is written 2d"},
    {"a buffer that is wrong", ".compute\n.buffer b16 data\n ld r0.x, data[0]\n st data[0], r0.x\n ret", "2:9",
     "a buffer b0 to b15 must stand here: .buffer b0 name"},
    {"an alias that is wrong", ".fragment\n.alias r0.q tint\n mov o0, tint\n ret", "2:11",
     "'q' names no components; components of textures are x y z w as well, not s t p q"},
    {"a number that is wrong", ".fragment\n.define kA = nothing\n.define kB = kA + 1\n mov o0, kB\n ret", "2:14",
     "nothing is named 'nothing'"},
    {"a directive misspelt", ".fragment\n.unifrom c0 u_tint vec4\n mov o0, u_tint\n ret", "2:2",
     "unknown directive '.unifrom'; did you mean '.uniform'?"},
    {"a directive without its point", ".fragment\nuniform c0 u_tint vec4\n mov o0, u_tint\n ret", "2:1",
     "unknown instruction 'uniform'; did you mean '.uniform'?"},
    {"a stage misspelt", ".fragmnt\n.input v0 v_at vec4\n.input v1 v_b vec4\n mov o0, v_at\n ret", "1:2",
     "unknown directive '.fragmnt'; did you mean '.fragment'?"},
    {"no stage", ".input v0 v_at vec4\n.input v1 v_b vec4\n mov o0, v_at\n ret", "1:8",
     "the stage must be known here; write .vertex, .fragment or .compute before"},
    {"sizes without a comma", ".compute\n.group 32 32\n ret", "2:11",
     "one to three sizes, with commas between them: .group 16, 16"},
};

TEST_CASE("each mistake has its message") {
    for (const Mistake& mistake : kMistakes) {
        CAPTURE(mistake.name);
        const AssembleResult result = assemble(mistake.text, "t.tsa");
        REQUIRE(result.errors.size() == 1);
        const Diagnostic& error = result.errors[0];
        CHECK(std::to_string(error.line) + ":" + std::to_string(error.column) == mistake.place);
        CHECK(error.message == mistake.message);
    }
}

TEST_CASE("an error and a caret below its column") {
    CHECK(assemble(".fragment\n\tmov r0, v0\n\tmov r0, c[r1.x]\n ret", "t.tsa").log() ==
          "t.tsa:3:12: error: 'r1' cannot be an index; move it to the address register, mov.i32 a0.x, r1.x, and write "
          "[a0.x]\n"
          "     mov r0, c[r1.x]\n"
          "               ^\n");
}

TEST_CASE("the name of a buffer stands for its memory") {
    const std::string head =
        ".compute\n.buffer b2 points constant\n.buffer b0 c\n.buffer b1 b7\n.buffer b7 shared\n"
        ".uniform c0 points int\n.alias r3.x x\n.shared 64\n";
    const auto words = [&](const std::string& code) {
        const AssembleResult result = assemble(head + code + "\nret", "t.tsa");
        REQUIRE_MESSAGE(result.program, result.log());
        return result.program->code;
    };
    CHECK(words("ld r0.x, points[r1.x + 16]") == words("ld r0.x, b2[r1.x + 16]"));
    CHECK(words("ld.u8 r0.x, points[64]") == words("ld.u8 r0.x, b2[64]"));
    CHECK(words("st c[r1.x], r2.xy") == words("st b0[r1.x], r2.xy"));
    CHECK(words("atadd.u32 r0.x, c[x], r2.x") == words("atadd.u32 r0.x, b0[r3.x], r2.x"));
    // Where memory stands, b7 and shared are the assembler's own; elsewhere a name is what it was.
    CHECK(isa::decode(words("ld r0.x, b7[0]")[0])->slot == 7);
    CHECK(isa::decode(words("ld r0.x, shared[0]")[0])->slot == isa::kSharedSlot);
    CHECK(words("mov r0, points") == words("mov r0, c0"));
    CHECK(words("mov r0, c[1 - 1]") == words("mov r0, c0"));
}

TEST_CASE("named buffers come back from the disassembler") {
    const AssembleResult first = assemble(
        ".compute\n.buffer b3 particles\n.buffer b0 c constant\nld r0, c[0]\nst particles[r0.x - 4], r0.xyz\nret", "t");
    REQUIRE_MESSAGE(first.program, first.log());
    const std::string text = disassemble(*first.program);
    CHECK(text.find(".buffer b3 particles\n") != std::string::npos);
    const AssembleResult second = assemble(text, "t");
    REQUIRE_MESSAGE(second.program, second.log());
    CHECK(second.program->code == first.program->code);
    CHECK(second.program->buffers == first.program->buffers);
}

}  // namespace
}  // namespace tessera::assembly
