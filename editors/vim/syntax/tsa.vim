" Syntax of Tessera assembly. Made by editors/generate.py from the assembler's tables.
if exists("b:current_syntax")
    finish
endif
syntax case match
syntax keyword tsaControl if else endif loop endloop brk cont call ret kil bar gbar
syntax keyword tsaInstruction mov add mul mad min max slt sge seq sne sel flr frc dp3 dp4 rcp rsq sqt ex2 lg2 sin cos
syntax keyword tsaInstruction pow lit nrm tex txb txl ddx ddy div mod f2i i2f trc rne and or xor not shl shr txd txf txs
syntax keyword tsaInstruction mulh popc clz brev madx f2h h2f ld st atadd atmin atmax atand ator atxor atxch atcas vall
syntax keyword tsaInstruction vany vbal shi shu shd shx sum dot
syntax keyword tsaSpecial frag_coord front_facing point_coord lane instance_id thread block block_size grid_size
syntax keyword tsaSpecial group
syntax keyword tsaFunction pi abs floor max min sqrt
syntax keyword tsaType float vec2 vec3 vec4 int ivec2 ivec3 ivec4 bool bvec2 bvec3 bvec4 mat2 mat3 mat4 cube
syntax keyword tsaType external uint uvec2 uvec3 uvec4 mat2x3 mat2x4 mat3x2 mat3x4 mat4x2 mat4x3 cubeshadow i2d
syntax keyword tsaType icube i3d i2darray u2d ucube u3d u2darray centroid flat lowp mediump highp
syntax match tsaType "\<\(2d\|3d\|2dshadow\|2darray\|2darrayshadow\)\>"
syntax match tsaRegister "\<\([rvcost]\d\+\|a0\|p[1-3]\)\>"
syntax match tsaNumber "\<\(0[xX]\x\+\|\d\+\(\.\d*\)\?\([eE][+-]\?\d\+\)\?\)\>"
syntax match tsaDirective "\.\(vertex\|fragment\|compute\|input\|output\|varying\|uniform\|sampler\|block\|member\|const\|temps\|word\|broadcast\|define\|alias\|macro\|endmacro\|include\|buffer\|shared\|group\)\>"
syntax match tsaSuffix "\.\(sat\|block\|f32\|i32\|u32\|w2\|w4\|w1\|d2\|d4\|d1\|i16\|u16\|i8\|u8\|row1\|row2\|row3\)\>"
syntax match tsaLabel "\<\h\w*\ze\s*:"
syntax match tsaParameter "\\\(@\|\w\+\)"
syntax region tsaString start=+"+ end=+"+ oneline
syntax match tsaComment "\(;\|//\).*$"

highlight default link tsaControl Conditional
highlight default link tsaInstruction Statement
highlight default link tsaSpecial Identifier
highlight default link tsaFunction Function
highlight default link tsaType Type
highlight default link tsaRegister Identifier
highlight default link tsaNumber Number
highlight default link tsaDirective PreProc
highlight default link tsaSuffix Special
highlight default link tsaLabel Label
highlight default link tsaParameter Macro
highlight default link tsaString String
highlight default link tsaComment Comment

let b:current_syntax = "tsa"
