" Syntax of GLSL ES 1.00 and 3.00. Made by editors/generate.py from the language server's tables.
if exists("b:current_syntax")
    finish
endif
syntax case match
syntax keyword glslBoolean true false
syntax keyword glslControl break continue do for while if else discard return switch case default
syntax keyword glslQualifier const attribute uniform varying in out inout lowp mediump highp precision invariant struct
syntax keyword glslQualifier layout centroid flat smooth
syntax keyword glslType void bool int float vec2 vec3 vec4 bvec2 bvec3 bvec4 ivec2 ivec3 ivec4 mat2 mat3 mat4
syntax keyword glslType sampler2D samplerCube uint uvec2 uvec3 uvec4 mat2x2 mat2x3 mat2x4 mat3x2 mat3x3 mat3x4
syntax keyword glslType mat4x2 mat4x3 mat4x4 sampler3D samplerCubeShadow sampler2DShadow sampler2DArray
syntax keyword glslType sampler2DArrayShadow isampler2D isampler3D isamplerCube isampler2DArray usampler2D
syntax keyword glslType usampler3D usamplerCube usampler2DArray
syntax keyword glslVariable gl_Position gl_PointSize gl_VertexID gl_InstanceID gl_FragCoord gl_FrontFacing
syntax keyword glslVariable gl_PointCoord gl_FragColor gl_FragData gl_FragDepth gl_DepthRange gl_MaxVertexAttribs
syntax keyword glslVariable gl_MaxVertexUniformVectors gl_MaxFragmentUniformVectors gl_MaxVaryingVectors
syntax keyword glslVariable gl_MaxVertexOutputVectors gl_MaxFragmentInputVectors gl_MaxVertexTextureImageUnits
syntax keyword glslVariable gl_MaxTextureImageUnits gl_MaxCombinedTextureImageUnits gl_MaxDrawBuffers
syntax keyword glslVariable gl_MinProgramTexelOffset gl_MaxProgramTexelOffset
syntax keyword glslFunction radians degrees sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh pow exp log
syntax keyword glslFunction exp2 log2 sqrt inversesqrt abs sign floor trunc round roundEven ceil fract mod modf min
syntax keyword glslFunction max clamp mix step smoothstep isnan isinf floatBitsToInt floatBitsToUint intBitsToFloat
syntax keyword glslFunction uintBitsToFloat packSnorm2x16 unpackSnorm2x16 packUnorm2x16 unpackUnorm2x16 packHalf2x16
syntax keyword glslFunction unpackHalf2x16 length distance dot cross normalize faceforward reflect refract
syntax keyword glslFunction matrixCompMult outerProduct transpose determinant inverse lessThan lessThanEqual
syntax keyword glslFunction greaterThan greaterThanEqual equal notEqual any all not texture2D texture2DProj
syntax keyword glslFunction textureCube texture2DLod texture2DProjLod textureCubeLod texture textureLod textureOffset
syntax keyword glslFunction textureLodOffset textureProj textureProjLod textureProjOffset textureGrad
syntax keyword glslFunction textureGradOffset textureProjLodOffset textureProjGrad textureProjGradOffset texelFetch
syntax keyword glslFunction texelFetchOffset textureSize dFdx dFdy fwidth
syntax match glslNumber "\<0[xX]\x\+[uU]\?\>"
syntax match glslNumber "\<\d\+\(\.\d*\)\?\([eE][+-]\?\d\+\)\?[uUfF]\?\>"
syntax match glslNumber "\.\d\+\([eE][+-]\?\d\+\)\?[fF]\?\>"
syntax match glslDirective "^\s*#\s*\l\+"
syntax match glslComment "//.*$"
syntax region glslComment start="/\*" end="\*/"

highlight default link glslBoolean Boolean
highlight default link glslControl Conditional
highlight default link glslQualifier StorageClass
highlight default link glslType Type
highlight default link glslVariable Identifier
highlight default link glslFunction Function
highlight default link glslNumber Number
highlight default link glslDirective PreProc
highlight default link glslComment Comment

let b:current_syntax = "glsl"
