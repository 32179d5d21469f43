#!/usr/bin/env python3
"""The errors of every entry point, beside Mesa's: the same calls on Tessera and on llvmpipe in an OpenGL ES 2.0
context, and glGetError of both compared. With --version 3 those that OpenGL ES 3.0 adds or changes, in one of 3.0.

    errors_beside_mesa.py --build DIR [--version 3]  compare; 77 when Mesa is not there
    errors_beside_mesa.py --calls DONE               make the calls, but for the first DONE, on the loader's libEGL

Each entry point is called in several scenes (kinds of bound objects) with values that are right, with one argument
wrong, and with two. With one wrong the errors are equal, but for KNOWN, which says why they are not. With two wrong
both refuse the call; which error comes first the specification leaves open."""

import argparse
import ctypes
import itertools
import os
import pathlib
import random
import re
import subprocess
import sys

MESA_VENDOR = pathlib.Path("/usr/share/glvnd/egl_vendor.d/50_mesa.json")

ERRORS = {0: "none", 0x500: "enum", 0x501: "value", 0x502: "operation", 0x503: "overflow", 0x504: "underflow",
          0x505: "memory", 0x506: "framebuffer", 0x507: "lost"}


def enumerants():
    """The names of the installed headers."""
    values = {}
    for header in ("GLES2/gl2.h", "GLES2/gl2ext.h", "GLES3/gl3.h"):
        for line in pathlib.Path("/usr/include", header).read_text().splitlines():
            found = re.match(r"#define GL_(\w+)\s+(0x[0-9A-Fa-f]+|\d+)\b", line)
            if found:
                values[found[1]] = int(found[2], 0)
    return values


E = enumerants()
BAD = 0x12345      # no enumerant of anything
INT_MAX, INT_MIN = 2**31 - 1, -(2**31)

# ---------------------------------------------------------------------------------------------------------------------
# What the entry points take: a letter for the type (i: 32-bit integers and enumerants, p: pointers and pointer-sized
# integers, f: floats), then the values, the right one first. Texts that are no enumerant name an object of the scene.

FACE = "TEXTURE_CUBE_MAP_POSITIVE_X"
COUNT = ("i", 1, 0, -1, INT_MIN)
NAMES = ("p", "names")
OUT = ("p", "out")
CULL = ("i", "FRONT", "BACK", "FRONT_AND_BACK", "NONE", BAD)
COMPARE = ("i", "LESS", "NEVER", "ALWAYS", "NONE", BAD)
STENCIL_OP = ("i", "KEEP", "ZERO", "INVERT", "DECR_WRAP", "ONE", BAD)
SOURCE_FACTOR = ("i", "ONE", "SRC_ALPHA_SATURATE", "CONSTANT_ALPHA", "ONE_MINUS_DST_COLOR", "FUNC_ADD", BAD)
TARGET_FACTOR = ("i", "ONE", "CONSTANT_ALPHA", "FUNC_ADD", BAD)
EQUATION = ("i", "FUNC_ADD", "FUNC_REVERSE_SUBTRACT", "MAX_EXT", "ONE", BAD)
SIGNED = ("i", 0, 1, -1, INT_MAX, INT_MIN)
SIZE = ("i", 4, 0, -1, INT_MIN)
LONG = 1 << 20
PLACE = ("i", 0, 1, -1, LONG, -LONG)
ANY = ("f", 0.5, -1.0, 2.0)
BUFFER = ("i", "ARRAY_BUFFER", "ELEMENT_ARRAY_BUFFER", "TEXTURE_2D", BAD)
TEXTURE = ("i", "TEXTURE_2D", "TEXTURE_CUBE_MAP", "TEXTURE_3D_OES", FACE, "FRAMEBUFFER", BAD)
IMAGE = ("i", "TEXTURE_2D", FACE, "TEXTURE_CUBE_MAP_NEGATIVE_Z", "TEXTURE_CUBE_MAP", "TEXTURE_3D_OES", BAD)
VOLUME = ("i", "TEXTURE_3D_OES", "TEXTURE_2D", FACE, "TEXTURE_CUBE_MAP", BAD)
LEVEL = ("i", 0, 1, 31, -1, INT_MAX)
EXTENT = ("i", 4, 0, 1, -1, 1 << 20, INT_MIN)
OFFSET = ("i", 0, 1, 7, -1, 1 << 20, INT_MIN)  # llvmpipe crashes at larger ones, where offset + size overflows
BORDER = ("i", 0, 1, -1)
FORMAT = ("i", "RGBA", "RGB", "ALPHA", "LUMINANCE", "LUMINANCE_ALPHA", "BGRA_EXT", "RED_EXT", "DEPTH_COMPONENT",
          "DEPTH_STENCIL_OES", "RGBA8_OES", 0x8D99, 0, BAD)
TYPE = ("i", "UNSIGNED_BYTE", "UNSIGNED_SHORT_5_6_5", "UNSIGNED_SHORT_4_4_4_4", "UNSIGNED_SHORT_5_5_5_1",
        "UNSIGNED_SHORT", "UNSIGNED_INT_24_8_OES", "FLOAT", "HALF_FLOAT_OES", "INT", "UNSIGNED_INT_2_10_10_10_REV_EXT",
        "RGBA", 0, BAD)
READ_FORMAT = (*FORMAT, "STENCIL_INDEX_OES")
INTERNAL = ("i", "RGBA", "RGB", "ALPHA", "LUMINANCE", "LUMINANCE_ALPHA", "RGB5_A1", "RGBA8_OES", "BGRA_EXT",
            "DEPTH_COMPONENT", "ETC1_RGB8_OES", "STENCIL_INDEX8", 4, 0, BAD)
ATTACHMENT = ("i", "COLOR_ATTACHMENT0", "DEPTH_ATTACHMENT", "STENCIL_ATTACHMENT", "COLOR_BUFFER_BIT", BAD)
FRAMEBUFFER = ("i", "FRAMEBUFFER", "RENDERBUFFER", "TEXTURE_2D", BAD)
RENDERBUFFER = ("i", "RENDERBUFFER", "FRAMEBUFFER", "TEXTURE_2D", BAD)
STORAGE = ("i", "RGBA4", "RGB565", "RGBA8_OES", "DEPTH_COMPONENT16", "DEPTH24_STENCIL8_OES", "STENCIL_INDEX8",
           "RGBA", "DEPTH_COMPONENT", BAD)
INDEX = ("i", 0, 15, 16, -1, INT_MIN)
SHADER = ("i", "vertex", "uncompiled", 0, "program", 4711)
PROGRAM = ("i", "program", "unlinked", 0, "vertex", 4711)
MODE = ("i", "TRIANGLES", "POINTS", "TRIANGLE_FAN", 7, BAD)
SHADER_TYPE = ("i", "VERTEX_SHADER", "FRAGMENT_SHADER", 0, BAD)
MIN_FILTER = ("TEXTURE_MIN_FILTER", "LINEAR")
TEXTURE_NAME = ("i", "TEXTURE_MIN_FILTER", "TEXTURE_MAG_FILTER", "TEXTURE_WRAP_S", "TEXTURE_WRAP_T",
                "TEXTURE_BINDING_2D",
                "TEXTURE_WRAP_R_OES", BAD)
TEXTURE_VALUE = ("i", "NEAREST", "LINEAR", "LINEAR_MIPMAP_LINEAR", "REPEAT", "CLAMP_TO_EDGE", -1, BAD)
LOCATION = ("i", "at_float", "at_vec4", "at_int", "at_sampler", "at_mat4", "at_array", -1, -2, 9999)
UNIFORM_COUNT = ("i", 1, 0, 2, 100, -1, INT_MIN)
TEXT_SIZE = ("i", 16, 0, -1, INT_MIN)

CALLS = {
    "glActiveTexture": [("i", "TEXTURE0", "TEXTURE1", 0, BAD, "TEXTURE_2D")],
    "glAttachShader": [("i", "unlinked", "program", 0, "vertex", 4711), SHADER],
    "glBindAttribLocation": [PROGRAM, INDEX, ("p", "text:position", "text:gl_position", "text:")],
    "glBindBuffer": [BUFFER, ("i", "buffer", 0, 4711)],
    "glBindFramebuffer": [FRAMEBUFFER, ("i", "framebuffer", 0, 4711)],
    "glBindRenderbuffer": [RENDERBUFFER, ("i", "renderbuffer", 0, 4711)],
    "glBindTexture": [TEXTURE, ("i", "flat", "cube", "volume", "empty", 0, 4711)],
    "glBlendColor": [ANY] * 4,
    "glBlendEquation": [EQUATION],
    "glBlendEquationSeparate": [EQUATION, EQUATION],
    "glBlendFunc": [SOURCE_FACTOR, TARGET_FACTOR],
    "glBlendFuncSeparate": [SOURCE_FACTOR, TARGET_FACTOR, SOURCE_FACTOR, TARGET_FACTOR],
    "glBufferData": [BUFFER, ("p", 16, 0, -1, -2**62), ("p", 0), ("i", "STATIC_DRAW", "STREAM_DRAW", "DYNAMIC_DRAW",
                     0, BAD)],
    "glBufferSubData": [BUFFER, ("p", 0, 60, 64, -1, 2**62), ("p", 4, 0, 64, 65, -1, 2**62), ("p", "data")],
    "glCheckFramebufferStatus": [FRAMEBUFFER],
    "glClear": [("i", "COLOR_BUFFER_BIT", 0, 0x4500, 1, -1)],
    "glClearColor": [ANY] * 4,
    "glClearDepthf": [ANY],
    "glClearStencil": [SIGNED],
    "glColorMask": [("i", 1, 0)] * 4,
    "glCompileShader": [SHADER],
    "glCompressedTexImage2D": [IMAGE, LEVEL, ("i", "ETC1_RGB8_OES", "RGBA", "RGB", 0, BAD), EXTENT, EXTENT, BORDER,
                               ("i", 8, 7, 0, -1, INT_MAX), ("p", "data")],
    "glCompressedTexSubImage2D": [IMAGE, LEVEL, OFFSET, OFFSET, EXTENT, EXTENT,
                                  ("i", "COMPRESSED_RGBA_S3TC_DXT5_EXT", "RGBA", 0, BAD), ("i", 16, 8, 0, -1), ("p",
                                  "data")],
    "glCopyTexImage2D": [IMAGE, LEVEL, ("i", "RGBA", "RGB", "ALPHA", "LUMINANCE", 0, 4, BAD, "ETC1_RGB8_OES"), PLACE,
                         PLACE,
                         EXTENT, EXTENT, BORDER],
    "glCopyTexSubImage2D": [IMAGE, LEVEL, OFFSET, OFFSET, PLACE, PLACE, EXTENT, EXTENT],
    "glCreateShader": [SHADER_TYPE],
    "glCullFace": [CULL],
    "glDeleteBuffers": [COUNT, NAMES],
    "glDeleteFramebuffers": [COUNT, NAMES],
    "glDeleteProgram": [PROGRAM],
    "glDeleteRenderbuffers": [COUNT, NAMES],
    "glDeleteShader": [SHADER],
    "glDeleteTextures": [COUNT, NAMES],
    "glDepthFunc": [COMPARE],
    "glDepthMask": [("i", 0, 1)],
    "glDepthRangef": [ANY, ANY],
    "glDetachShader": [PROGRAM, SHADER],
    "glDisable": [("i", "BLEND", "DITHER", "TEXTURE_2D", 0, BAD)],
    "glDisableVertexAttribArray": [INDEX],
    "glDrawArrays": [MODE, ("i", 0, -1, INT_MIN), ("i", 3, 0, -1, INT_MIN)],
    "glDrawElements": [MODE, ("i", 3, 0, -1, INT_MIN), ("i", "UNSIGNED_BYTE", "UNSIGNED_SHORT", "FLOAT", "BYTE", BAD),
                       ("p", "offset")],
    "glEnable": [("i", "BLEND", "SCISSOR_TEST", "SAMPLE_COVERAGE", "TEXTURE_2D", 0, BAD)],
    "glEnableVertexAttribArray": [INDEX],
    "glFramebufferRenderbuffer": [FRAMEBUFFER, ATTACHMENT, RENDERBUFFER, ("i", "renderbuffer", 0, 4711, "flat")],
    "glFramebufferTexture2D": [FRAMEBUFFER, ATTACHMENT, IMAGE, ("i", "flat", "cube", "volume", "empty", 0, 4711),
                               LEVEL],
    "glFrontFace": [("i", "CW", "CCW", "FRONT", BAD)],
    "glGenBuffers": [COUNT, OUT],
    "glGenFramebuffers": [COUNT, OUT],
    "glGenRenderbuffers": [COUNT, OUT],
    "glGenTextures": [COUNT, OUT],
    "glGenerateMipmap": [TEXTURE],
    "glGetActiveAttrib": [PROGRAM, ("i", 0, 99, -1), TEXT_SIZE, OUT, OUT, OUT, OUT],
    "glGetActiveUniform": [PROGRAM, ("i", 0, 99, -1), TEXT_SIZE, OUT, OUT, OUT, OUT],
    "glGetAttachedShaders": [PROGRAM, TEXT_SIZE, OUT, OUT],
    "glGetAttribLocation": [PROGRAM, ("p", "text:position", "text:gl_Position", "text:nothing")],
    "glGetBooleanv": [("i", "VIEWPORT", "MAX_TEXTURE_SIZE", 0, BAD, "RGBA"), OUT],
    "glGetBufferParameteriv": [BUFFER, ("i", "BUFFER_SIZE", "BUFFER_USAGE", "ARRAY_BUFFER_BINDING", 0, BAD), OUT],
    "glGetFloatv": [("i", "VIEWPORT", "MAX_TEXTURE_SIZE", 0, BAD, "RGBA"), OUT],
    "glGetFramebufferAttachmentParameteriv": [
        FRAMEBUFFER, ATTACHMENT,
        ("i", "FRAMEBUFFER_ATTACHMENT_OBJECT_TYPE", "FRAMEBUFFER_ATTACHMENT_OBJECT_NAME",
         "FRAMEBUFFER_ATTACHMENT_TEXTURE_LEVEL", "FRAMEBUFFER_ATTACHMENT_TEXTURE_CUBE_MAP_FACE", 0, BAD), OUT],
    "glGetIntegerv": [("i", "VIEWPORT", "MAX_TEXTURE_SIZE", 0, BAD, "RGBA"), OUT],
    "glGetProgramInfoLog": [PROGRAM, TEXT_SIZE, OUT, OUT],
    "glGetProgramiv": [PROGRAM, ("i", "LINK_STATUS", "DELETE_STATUS", "INFO_LOG_LENGTH", "ATTACHED_SHADERS",
                                 "ACTIVE_UNIFORM_MAX_LENGTH", "COMPILE_STATUS", "SHADER_TYPE", 0, BAD), OUT],
    "glGetRenderbufferParameteriv": [RENDERBUFFER, ("i", "RENDERBUFFER_WIDTH", "RENDERBUFFER_STENCIL_SIZE",
                                                    "RENDERBUFFER_BINDING", 0, BAD), OUT],
    "glGetShaderInfoLog": [SHADER, TEXT_SIZE, OUT, OUT],
    "glGetShaderPrecisionFormat": [("i", "VERTEX_SHADER", "FRAGMENT_SHADER", 0, BAD),
                                   ("i", "LOW_FLOAT", "HIGH_INT", "FLOAT", 0, BAD), OUT, OUT],
    "glGetShaderSource": [SHADER, TEXT_SIZE, OUT, OUT],
    "glGetShaderiv": [SHADER, ("i", "COMPILE_STATUS", "SHADER_TYPE", "SHADER_SOURCE_LENGTH", "LINK_STATUS", 0, BAD),
                      OUT],
    "glGetString": [("i", "VENDOR", "EXTENSIONS", 0, BAD)],
    "glGetTexParameterfv": [TEXTURE, TEXTURE_NAME, OUT],
    "glGetTexParameteriv": [TEXTURE, TEXTURE_NAME, OUT],
    "glGetUniformLocation": [PROGRAM, ("p", "text:at_float", "text:nothing", "text:gl_x")],
    "glGetUniformfv": [PROGRAM, LOCATION, OUT],
    "glGetUniformiv": [PROGRAM, LOCATION, OUT],
    "glGetVertexAttribPointerv": [INDEX, ("i", "VERTEX_ATTRIB_ARRAY_POINTER", "VERTEX_ATTRIB_ARRAY_SIZE", 0, BAD), OUT],
    "glGetVertexAttribfv": [INDEX, ("i", "VERTEX_ATTRIB_ARRAY_SIZE", "CURRENT_VERTEX_ATTRIB",
                            "VERTEX_ATTRIB_ARRAY_POINTER",
                                    0, BAD), OUT],
    "glGetVertexAttribiv": [INDEX, ("i", "VERTEX_ATTRIB_ARRAY_SIZE", "CURRENT_VERTEX_ATTRIB",
                            "VERTEX_ATTRIB_ARRAY_POINTER",
                                    0, BAD), OUT],
    "glHint": [("i", "GENERATE_MIPMAP_HINT", "FASTEST", 0, BAD), ("i", "NICEST", "DONT_CARE", "GENERATE_MIPMAP_HINT",
               0, BAD)],
    "glIsBuffer": [("i", "buffer", 0, -1)],
    "glIsEnabled": [("i", "BLEND", "TEXTURE_2D", 0, BAD)],
    "glIsFramebuffer": [("i", "framebuffer", 0, -1)],
    "glIsProgram": [PROGRAM],
    "glIsRenderbuffer": [("i", "renderbuffer", 0, -1)],
    "glIsShader": [SHADER],
    "glIsTexture": [("i", "flat", 0, -1)],
    "glLineWidth": [("f", 1.0, 3.5, 0.0, -1.0)],
    "glLinkProgram": [PROGRAM],
    "glPixelStorei": [("i", "UNPACK_ALIGNMENT", "PACK_ALIGNMENT", 0, BAD), ("i", 4, 8, 0, 3, 16, -1)],
    "glPolygonOffset": [ANY, ANY],
    "glPolygonOffsetClampEXT": [ANY, ANY, ANY],
    "glReadPixels": [PLACE, PLACE, SIZE, SIZE, READ_FORMAT, TYPE, OUT],
    "glReleaseShaderCompiler": [],
    "glRenderbufferStorage": [RENDERBUFFER, STORAGE, EXTENT, EXTENT],
    "glSampleCoverage": [ANY, ("i", 0, 1)],
    "glScissor": [SIGNED, SIGNED, SIZE, SIZE],
    "glShaderBinary": [("i", 1, 0, -1), ("p", "shaders", "names"), ("i", BAD, 0, "RGBA"), ("p", "data"), ("i", 16, 0,
                       -1)],
    "glShaderSource": [SHADER, ("i", 1, 0, -1, INT_MIN), ("p", "texts"), ("p", 0)],
    "glStencilFunc": [COMPARE, SIGNED, SIGNED],
    "glStencilFuncSeparate": [CULL, COMPARE, SIGNED, SIGNED],
    "glStencilMask": [SIGNED],
    "glStencilMaskSeparate": [CULL, SIGNED],
    "glStencilOp": [STENCIL_OP] * 3,
    "glStencilOpSeparate": [CULL] + [STENCIL_OP] * 3,
    "glTexImage2D": [IMAGE, LEVEL, INTERNAL, EXTENT, EXTENT, BORDER, FORMAT, TYPE, ("p", 0)],
    "glTexParameterf": [TEXTURE, TEXTURE_NAME, ("f", 9728.0, 9729.0, 10497.0, -1.0, 1.5)],
    "glTexParameterfv": [TEXTURE, TEXTURE_NAME, ("p", "nearest_float", "data")],
    "glTexParameteri": [TEXTURE, TEXTURE_NAME, TEXTURE_VALUE],
    "glTexParameteriv": [TEXTURE, TEXTURE_NAME, ("p", "nearest_int", "data")],
    "glTexSubImage2D": [IMAGE, LEVEL, OFFSET, OFFSET, EXTENT, EXTENT, FORMAT, TYPE, ("p", "data")],
    "glUseProgram": [PROGRAM],
    "glValidateProgram": [PROGRAM],
    "glVertexAttribPointer": [INDEX, ("i", 4, 1, 0, 5, -1), ("i", "FLOAT", "BYTE", "FIXED", "INT", 0, BAD), ("i", 0, 1),
                              ("i", 0, 16, -1, INT_MIN), ("p", "offset")],
    "glViewport": [SIGNED, SIGNED, SIZE, SIZE],
    # Extensions, of those that Mesa 22.3 has too
    "glBindVertexArrayOES": [("i", 0, 4711)],
    "glDeleteVertexArraysOES": [COUNT, NAMES],
    "glGenVertexArraysOES": [COUNT, OUT],
    "glIsVertexArrayOES": [("i", 0, 4711)],
    "glMapBufferOES": [BUFFER, ("i", "WRITE_ONLY_OES", "STATIC_DRAW", 0, BAD)],
    "glMapBufferRangeEXT": [BUFFER, ("p", 0, 4, 64, 65, -1), ("p", 16, 0, 61, 64, 65, -1, 2**62),
                            ("i", 2, 1, 0, 3, 6, 0x10, 0x12, 0x11, 0x21, 0x100, -1)],
    "glFlushMappedBufferRangeEXT": [BUFFER, ("p", 0, 4, 65, -1), ("p", 16, 0, 64, 65, -1)],
    "glUnmapBufferOES": [BUFFER],
    "glGetBufferPointervOES": [BUFFER, ("i", "BUFFER_MAP_POINTER_OES", "BUFFER_SIZE", 0, BAD), OUT],
    "glTexImage3DOES": [VOLUME, LEVEL, INTERNAL, EXTENT, EXTENT, EXTENT, BORDER, FORMAT, TYPE, ("p", 0)],
    "glTexSubImage3DOES": [VOLUME, LEVEL, OFFSET, OFFSET, OFFSET, EXTENT, EXTENT, EXTENT, FORMAT, TYPE, ("p", "data")],
    "glCopyTexSubImage3DOES": [VOLUME, LEVEL, OFFSET, OFFSET, OFFSET, PLACE, PLACE, EXTENT, EXTENT],
    "glCompressedTexImage3DOES": [VOLUME, LEVEL, ("i", "ETC1_RGB8_OES", "RGBA", 0, BAD), EXTENT, EXTENT, EXTENT, BORDER,
                                  ("i", 32, 8, -1), ("p", "data")],
    "glCompressedTexSubImage3DOES": [VOLUME, LEVEL, OFFSET, OFFSET, OFFSET, EXTENT, EXTENT, EXTENT,
                                     ("i", "ETC1_RGB8_OES", "RGBA", 0, BAD), ("i", 32, 8, -1), ("p", "data")],
    "glFramebufferTexture3DOES": [FRAMEBUFFER, ATTACHMENT, ("i", "TEXTURE_3D_OES", "TEXTURE_2D", FACE, 0x9100, BAD),
                                  ("i", "volume", "flat", "cube", "empty", 0, 4711), LEVEL, OFFSET],
    "glDiscardFramebufferEXT": [FRAMEBUFFER, ("i", 1, 0, -1), ("p", "attachments", "buffers", "data")],
    "glDrawBuffersEXT": [("i", 1, 0, 99, -1), ("p", "attachments", "back", "data", "names")],
    "glReadBufferNV": [("i", "BACK", "NONE", "COLOR_ATTACHMENT0", "COLOR_EXT", BAD)],
    "glDrawArraysInstancedEXT": [MODE, ("i", 0, -1), ("i", 3, 0, -1), ("i", 1, 0, -1)],
    "glDrawElementsInstancedEXT": [MODE, ("i", 3, 0, -1), ("i", "UNSIGNED_BYTE", "FLOAT", BAD), ("p", "offset"),
                                   ("i", 1, 0, -1)],
    "glGenQueriesEXT": [COUNT, OUT],
    "glDeleteQueriesEXT": [COUNT, NAMES],
    "glIsQueryEXT": [("i", "query", 0, 4711)],
    "glBeginQueryEXT": [("i", "ANY_SAMPLES_PASSED_EXT", "ANY_SAMPLES_PASSED_CONSERVATIVE_EXT", "TIME_ELAPSED_EXT",
                        "TIMESTAMP_EXT",
                         BAD), ("i", "query", 0, 4711)],
    "glEndQueryEXT": [("i", "ANY_SAMPLES_PASSED_EXT", "TIME_ELAPSED_EXT", "TIMESTAMP_EXT", BAD)],
    "glGetQueryivEXT": [("i", "ANY_SAMPLES_PASSED_EXT", "TIME_ELAPSED_EXT", BAD), ("i", "CURRENT_QUERY_EXT",
                        "QUERY_RESULT_EXT", BAD), OUT],
    "glGetQueryObjectuivEXT": [("i", "query", "done", 0, 4711), ("i", "QUERY_RESULT_EXT", "QUERY_RESULT_AVAILABLE_EXT",
                                                                 "CURRENT_QUERY_EXT", BAD), OUT],
    "glGetInteger64vEXT": [("i", "VIEWPORT", 0, BAD), OUT],
    "glEGLImageTargetTexture2DOES": [TEXTURE, ("p", "data", 0)],
    "glEGLImageTargetRenderbufferStorageOES": [RENDERBUFFER, ("p", "data", 0)],
    "glQueryCounterEXT": [("i", "query", "done", 0, 4711), ("i", "TIMESTAMP_EXT", "TIME_ELAPSED_EXT", BAD)],
    "glReadnPixelsEXT": [PLACE, PLACE, SIZE, SIZE, READ_FORMAT, TYPE, ("i", 1 << 16, 63, 0, -1), OUT],
    "glGetnUniformfvEXT": [PROGRAM, LOCATION, ("i", 64, 3, 0, -1), OUT],
    "glGetnUniformivEXT": [PROGRAM, LOCATION, ("i", 64, 3, 0, -1), OUT],
    "glGetProgramBinaryOES": [PROGRAM, ("i", 1 << 16, 0, -1), OUT, OUT, OUT],
    "glProgramBinaryOES": [PROGRAM, ("i", BAD, 0), ("p", "data"), ("i", 16, 0, -1)],
    "glDebugMessageControlKHR": [("i", "DONT_CARE", "DEBUG_SOURCE_API_KHR", "RGBA", BAD), ("i", "DONT_CARE",
                                 "DEBUG_TYPE_ERROR_KHR", BAD),
                                 ("i", "DONT_CARE", "DEBUG_SEVERITY_LOW_KHR", BAD), ("i", 0, 1, -1), NAMES, ("i", 1)],
    "glDebugMessageInsertKHR": [("i", "DEBUG_SOURCE_APPLICATION_KHR", "DEBUG_SOURCE_API_KHR", BAD),
                                ("i", "DEBUG_TYPE_MARKER_KHR", "DEBUG_TYPE_PUSH_GROUP_KHR", BAD), ("i", 1),
                                ("i", "DEBUG_SEVERITY_LOW_KHR", BAD), ("i", 3, -1, LONG), ("p", "text:text")],
    "glGetDebugMessageLogKHR": [("i", 1, 0), TEXT_SIZE, OUT, OUT, OUT, OUT, OUT, ("p", "out")],
    "glPushDebugGroupKHR": [("i", "DEBUG_SOURCE_APPLICATION_KHR", "DEBUG_SOURCE_API_KHR", BAD), ("i", 1), ("i", 3,
                            -1, LONG),
                            ("p", "text:text")],
    "glPopDebugGroupKHR": [],
    "glObjectLabelKHR": [("i", "BUFFER_KHR", "TEXTURE", "FRAMEBUFFER", "PROGRAM_KHR", "SHADER_KHR", "QUERY_KHR",
                         "RGBA", BAD),
                         ("i", "buffer", 0, 4711, "program", "vertex"), ("i", 3, -1, LONG), ("p", "text:name", 0)],
    "glGetObjectLabelKHR": [("i", "BUFFER_KHR", "TEXTURE", "PROGRAM_KHR", "RGBA", BAD),
                            ("i", "buffer", 0, 4711, "program", "vertex"),
                            TEXT_SIZE, OUT, OUT],
    "glGetPointervKHR": [("i", "DEBUG_CALLBACK_FUNCTION_KHR", "RGBA", BAD), OUT],
    "glLabelObjectEXT": [("i", "BUFFER_OBJECT_EXT", "TEXTURE", "RGBA", BAD), ("i", "buffer", 0, 4711), ("i", 3, 0, -1),
                         ("p", "text:name")],
}
for _kind in ("i", "i64", "ui64"):
    CALLS[f"glGetQueryObject{_kind}vEXT"] = CALLS["glGetQueryObjectuivEXT"]
for _core in ("glReadnPixels", "glGetnUniformfv", "glGetnUniformiv"):
    CALLS[f"{_core}KHR"] = CALLS[f"{_core}EXT"]
CALLS["glObjectPtrLabelKHR"] = [("p", "data", 0), ("i", 3, -1, LONG), ("p", "text:name", 0)]
CALLS["glGetObjectPtrLabelKHR"] = [("p", "data", 0), TEXT_SIZE, OUT, OUT]
CALLS["glGetObjectLabelEXT"] = [("i", "BUFFER_OBJECT_EXT", "TEXTURE", "RGBA", BAD), ("i", "buffer", 0, 4711),
                                TEXT_SIZE, OUT, OUT]
for _n in (1, 2, 3, 4):
    CALLS[f"glUniform{_n}f"] = [LOCATION] + [("f", 0.5)] * _n
    CALLS[f"glUniform{_n}i"] = [LOCATION] + [("i", 0, -1, 9999)] + [("i", 0)] * (_n - 1)
    CALLS[f"glUniform{_n}fv"] = [LOCATION, UNIFORM_COUNT, ("p", "data")]
    CALLS[f"glUniform{_n}iv"] = [LOCATION, UNIFORM_COUNT, ("p", "data")]
    CALLS[f"glVertexAttrib{_n}f"] = [INDEX] + [ANY] * _n
    CALLS[f"glVertexAttrib{_n}fv"] = [INDEX, ("p", "data")]
for _n in (2, 3, 4):
    CALLS[f"glUniformMatrix{_n}fv"] = [LOCATION, UNIFORM_COUNT, ("i", 0, 1), ("p", "data")]

# In a context of OpenGL ES 3.0: what it adds, and what it changes of OpenGL ES 2.0.
BUFFER_3 = ("i", "ARRAY_BUFFER", "ELEMENT_ARRAY_BUFFER", "COPY_READ_BUFFER", "COPY_WRITE_BUFFER", "UNIFORM_BUFFER",
            "PIXEL_PACK_BUFFER", "TEXTURE_2D", BAD)
INDEXED = ("i", "UNIFORM_BUFFER", "ARRAY_BUFFER", BAD)
BINDING = ("i", 0, 23, 4711, -1)
PLACE_IN_BUFFER = ("p", 0, 32, 64, -1)
DRAW_BUFFER = ("i", 0, 7, 8, -1)
VERTEX_TYPE = ("i", "FLOAT", "BYTE", "FIXED", "INT", "UNSIGNED_INT", "HALF_FLOAT", "INT_2_10_10_10_REV",
               "UNSIGNED_INT_2_10_10_10_REV", 0, BAD)
INTEGER_TYPE = ("i", "INT", "BYTE", "UNSIGNED_INT", "FLOAT", "INT_2_10_10_10_REV", 0, BAD)
STRIDE = ("i", 0, 16, -1, INT_MIN)
ELEMENT_TYPE = ("i", "UNSIGNED_BYTE", "UNSIGNED_INT", "FLOAT", BAD)
QUERY = ("i", "ANY_SAMPLES_PASSED", "ANY_SAMPLES_PASSED_CONSERVATIVE", "TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN", BAD)
ATTRIBUTE_NAME = ("i", "VERTEX_ATTRIB_ARRAY_SIZE", "CURRENT_VERTEX_ATTRIB", "VERTEX_ATTRIB_ARRAY_INTEGER",
                  "VERTEX_ATTRIB_ARRAY_DIVISOR", "VERTEX_ATTRIB_ARRAY_POINTER", 0, BAD)
BUFFER_NAME = ("i", "BUFFER_SIZE", "BUFFER_USAGE", "BUFFER_MAP_OFFSET", "BUFFER_MAP_LENGTH", "BUFFER_ACCESS_FLAGS",
               "ARRAY_BUFFER_BINDING", 0, BAD)
FRAMEBUFFER_3 = ("i", "FRAMEBUFFER", "DRAW_FRAMEBUFFER", "READ_FRAMEBUFFER", "RENDERBUFFER", BAD)
ATTACHMENT_3 = ("i", "COLOR_ATTACHMENT0", "COLOR_ATTACHMENT7", "COLOR_ATTACHMENT31", "DEPTH_ATTACHMENT",
                "DEPTH_STENCIL_ATTACHMENT", "BACK", BAD)
TEXTURE_3 = ("i", "TEXTURE_2D", "TEXTURE_CUBE_MAP", "TEXTURE_3D", "TEXTURE_2D_ARRAY", FACE, "FRAMEBUFFER", BAD)
IMAGE_3 = ("i", "TEXTURE_2D", FACE, "TEXTURE_CUBE_MAP", "TEXTURE_3D", "TEXTURE_2D_ARRAY", BAD)
LAYERS = ("i", "TEXTURE_2D_ARRAY", "TEXTURE_3D", "TEXTURE_2D", FACE, "TEXTURE_CUBE_MAP", BAD)
LAYER = ("i", 0, 1, 7, -1, 1 << 20, INT_MIN)
INTERNAL_3 = ("i", "RGBA", "RGBA8", "RGB", "RGBA8UI", "RGBA16F", "RGB10_A2", "R11F_G11F_B10F", "SRGB8_ALPHA8", "R8",
              "DEPTH_COMPONENT16", "DEPTH24_STENCIL8", "COMPRESSED_RGB8_ETC2", "ALPHA", "RED", 4, 0, BAD)
FORMAT_3 = ("i", "RGBA", "RGB", "RG", "RED", "RGBA_INTEGER", "DEPTH_COMPONENT", "DEPTH_STENCIL", "LUMINANCE", "RGBA8",
            0, BAD)
READ_FORMAT_3 = (*FORMAT_3, "STENCIL_INDEX_OES")
TYPE_3 = ("i", "UNSIGNED_BYTE", "BYTE", "UNSIGNED_SHORT", "INT", "UNSIGNED_INT", "FLOAT", "HALF_FLOAT",
          "UNSIGNED_SHORT_5_6_5", "UNSIGNED_INT_2_10_10_10_REV", "UNSIGNED_INT_10F_11F_11F_REV", "UNSIGNED_INT_24_8",
          "FLOAT_32_UNSIGNED_INT_24_8_REV", "RGBA", 0, BAD)
SIZED = ("i", "RGBA8", "RGBA16F", "RGBA8UI", "RGB9_E5", "RGBA8_SNORM", "DEPTH_COMPONENT16", "DEPTH32F_STENCIL8",
         "COMPRESSED_RGB8_ETC2", "RGBA", "DEPTH_COMPONENT", 0, BAD)
BLOCKS = ("i", "COMPRESSED_RGB8_ETC2", "COMPRESSED_SRGB8_ETC2", "COMPRESSED_R11_EAC", "RGBA", "RGBA8", 0, BAD)
SAMPLER = ("i", "sampler", 0, 4711)
SAMPLER_NAME = ("i", "TEXTURE_MIN_FILTER", "TEXTURE_MAG_FILTER", "TEXTURE_WRAP_S", "TEXTURE_WRAP_R", "TEXTURE_MIN_LOD",
                "TEXTURE_COMPARE_MODE", "TEXTURE_COMPARE_FUNC", "TEXTURE_SRGB_DECODE_EXT", "TEXTURE_BASE_LEVEL",
                "TEXTURE_SWIZZLE_R", 0, BAD)
TEXTURE_NAME_3 = ("i", "TEXTURE_MIN_FILTER", "TEXTURE_MAG_FILTER", "TEXTURE_WRAP_R", "TEXTURE_MIN_LOD",
                  "TEXTURE_COMPARE_MODE", "TEXTURE_COMPARE_FUNC", "TEXTURE_SRGB_DECODE_EXT", "TEXTURE_BASE_LEVEL",
                  "TEXTURE_MAX_LEVEL", "TEXTURE_SWIZZLE_R", "TEXTURE_IMMUTABLE_FORMAT", "TEXTURE_IMMUTABLE_LEVELS", 0, BAD)
TEXTURE_VALUE_3 = ("i", "NEAREST", "LINEAR", "LINEAR_MIPMAP_LINEAR", "REPEAT", "CLAMP_TO_EDGE", "RED", "ONE",
                   "COMPARE_REF_TO_TEXTURE", "LEQUAL", "DECODE_EXT", "SKIP_DECODE_EXT", 0, -1, BAD)
LOCATION_3 = ("i", "at_float", "at_vec4", "at_int", "at_uint", "at_uvec4", "at_sampler", "at_mat4", "at_mat2x3",
              "at_array", -1, -2, 9999)
SYNC = ("p", "sync", 0, 4711)
CALLS_3 = {
    "glBeginQuery": [QUERY, ("i", "query", "done", 0, 4711)],
    "glBindBuffer": [BUFFER_3, ("i", "buffer", 0, 4711)],
    "glBindBufferBase": [INDEXED, BINDING, ("i", "buffer", 0, 4711)],
    "glBindBufferRange": [INDEXED, BINDING, ("i", "buffer", 0, 4711), ("p", 0, 16, 1, -16), ("p", 16, 4, 1, 0, -1)],
    "glBindFragDataLocationEXT": [PROGRAM, ("i", 0, 7, 8, -1), ("p", "text:color", "text:gl_color")],
    "glBindFragDataLocationIndexedEXT": [PROGRAM, ("i", 0, 1, 8, -1), ("i", 1, 2, -1),
                                         ("p", "text:color", "text:gl_color")],
    "glBindVertexArray": [("i", 0, 4711)],
    "glBlendEquationiEXT": [DRAW_BUFFER, EQUATION],
    "glBlendFunciEXT": [DRAW_BUFFER, SOURCE_FACTOR, TARGET_FACTOR],
    "glBufferData": [BUFFER_3, ("p", 16, 0, -1, -2**62), ("p", 0),
                     ("i", "STATIC_DRAW", "STREAM_READ", "DYNAMIC_COPY", 0, BAD)],
    "glColorMaskiEXT": [DRAW_BUFFER] + [("i", 1)] * 4,
    "glCopyBufferSubData": [("i", "ARRAY_BUFFER", "ELEMENT_ARRAY_BUFFER", "COPY_READ_BUFFER", "TEXTURE_2D"),
                            ("i", "ELEMENT_ARRAY_BUFFER", "ARRAY_BUFFER", "COPY_WRITE_BUFFER", BAD),
                            PLACE_IN_BUFFER, PLACE_IN_BUFFER, ("p", 16, 0, 64, 65, -1)],
    "glDeleteSync": [("p", 0, 4711)],
    "glDeleteVertexArrays": [COUNT, NAMES],
    "glDrawArraysInstanced": [MODE, ("i", 0, -1), ("i", 3, 0, -1), ("i", 1, 0, -1)],
    "glDrawArraysInstancedBaseInstanceEXT": [MODE, ("i", 0, -1), ("i", 3, 0, -1), ("i", 1, 0, -1), ("i", 0, 2)],
    "glDrawElementsInstanced": [MODE, ("i", 3, 0, -1), ELEMENT_TYPE, ("p", "offset"), ("i", 1, 0, -1)],
    "glDrawElementsInstancedBaseInstanceEXT": [MODE, ("i", 3, 0, -1), ELEMENT_TYPE, ("p", "offset"), ("i", 1, 0, -1),
                                               ("i", 0, 2)],
    "glDrawElementsInstancedBaseVertexBaseInstanceEXT": [MODE, ("i", 3, 0, -1), ELEMENT_TYPE, ("p", "offset"),
                                                         ("i", 1, 0, -1), ("i", 0, -1, 1), ("i", 0, 2)],
    "glDrawRangeElements": [MODE, ("i", 0, 5, -1), ("i", 9, 3, 0, -1), ("i", 3, 0, -1, INT_MIN), ELEMENT_TYPE,
                            ("p", "offset")],
    "glEnable": [("i", "BLEND", "PRIMITIVE_RESTART_FIXED_INDEX", "RASTERIZER_DISCARD", "TEXTURE_2D", 0, BAD)],
    "glEnableiEXT": [("i", "BLEND", "DITHER", BAD), DRAW_BUFFER],
    "glEndQuery": [QUERY],
    "glFenceSync": [("i", "SYNC_GPU_COMMANDS_COMPLETE", 0, BAD), ("i", 0, 1)],
    "glFlushMappedBufferRange": CALLS["glFlushMappedBufferRangeEXT"],
    "glGenVertexArrays": [COUNT, OUT],
    "glGetBufferParameteri64v": [BUFFER_3, BUFFER_NAME, OUT],
    "glGetBufferParameteriv": [BUFFER_3, BUFFER_NAME, OUT],
    "glGetBufferPointerv": CALLS["glGetBufferPointervOES"],
    "glGetInteger64i_v": [("i", "UNIFORM_BUFFER_SIZE", 0, BAD), ("i", 0, 3, 4711, -1), OUT],
    "glGetInteger64v": [("i", "VIEWPORT", "MAX_ELEMENT_INDEX", 0, BAD), OUT],
    "glGetIntegeri_v": [("i", "UNIFORM_BUFFER_BINDING", "UNIFORM_BUFFER_START", "BLEND_SRC_RGB", 0, BAD),
                        ("i", 0, 3, 4711, -1), OUT],
    "glGetInternalformativ": [RENDERBUFFER, ("i", "RGBA8", "RGBA8UI", "DEPTH_COMPONENT16", "RGBA", "RGB8_SNORM",
                                             "COMPRESSED_RGB8_ETC2", 0, BAD),
                              ("i", "SAMPLES", "NUM_SAMPLE_COUNTS", 0, BAD), ("i", 1, 0, -1), OUT],
    "glGetQueryObjectuiv": [("i", "query", "done", 0, 4711), ("i", "QUERY_RESULT", "QUERY_RESULT_AVAILABLE",
                                                              "CURRENT_QUERY", BAD), OUT],
    "glGetQueryiv": [QUERY, ("i", "CURRENT_QUERY", "QUERY_RESULT", BAD), OUT],
    "glGetFragDataIndexEXT": [PROGRAM, ("p", "text:color", "text:nothing")],
    "glGetStringi": [("i", "EXTENSIONS", "VERSION", 0, BAD), ("i", 0, 9999, -1)],
    "glGetVertexAttribIiv": [INDEX, ATTRIBUTE_NAME, OUT],
    "glIsSync": [("p", 0, 4711)],
    "glMapBufferRange": CALLS["glMapBufferRangeEXT"],
    "glMinSampleShadingOES": [ANY],
    "glUnmapBuffer": CALLS["glUnmapBufferOES"],
    # Textures and their samplers
    "glBindSampler": [("i", 0, 15, 4711, -1), SAMPLER],
    "glBindTexture": [TEXTURE_3, ("i", "flat", "cube", "volume", "array", "empty", 0, 4711)],
    "glCompressedTexImage2D": [IMAGE_3, LEVEL, BLOCKS, EXTENT, EXTENT, BORDER, ("i", 8, 7, 0, -1, INT_MAX),
                               ("p", "data")],
    "glCompressedTexImage3D": [LAYERS, LEVEL, BLOCKS, EXTENT, EXTENT, EXTENT, BORDER, ("i", 32, 31, 0, -1, INT_MAX),
                               ("p", "data")],
    "glCompressedTexSubImage2D": [IMAGE_3, LEVEL, OFFSET, OFFSET, EXTENT, EXTENT, BLOCKS, ("i", 8, 7, 0, -1),
                                  ("p", "data")],
    "glCompressedTexSubImage3D": [LAYERS, LEVEL, OFFSET, OFFSET, OFFSET, EXTENT, EXTENT, EXTENT, BLOCKS,
                                  ("i", 32, 31, 0, -1), ("p", "data")],
    "glCopyTexImage2D": [IMAGE_3, LEVEL, INTERNAL_3, PLACE, PLACE, EXTENT, EXTENT, BORDER],
    "glCopyTexSubImage2D": [IMAGE_3, LEVEL, OFFSET, OFFSET, PLACE, PLACE, EXTENT, EXTENT],
    "glCopyTexSubImage3D": [LAYERS, LEVEL, OFFSET, OFFSET, OFFSET, PLACE, PLACE, EXTENT, EXTENT],
    "glDeleteSamplers": [COUNT, NAMES],
    "glGenSamplers": [COUNT, OUT],
    "glGenerateMipmap": [TEXTURE_3],
    "glGetSamplerParameterfv": [SAMPLER, SAMPLER_NAME, OUT],
    "glGetSamplerParameteriv": [SAMPLER, SAMPLER_NAME, OUT],
    "glGetTexParameterfv": [TEXTURE_3, TEXTURE_NAME_3, OUT],
    "glGetTexParameteriv": [TEXTURE_3, TEXTURE_NAME_3, OUT],
    "glIsSampler": [SAMPLER],
    "glPixelStorei": [("i", "UNPACK_ALIGNMENT", "PACK_ROW_LENGTH", "UNPACK_SKIP_IMAGES", "UNPACK_IMAGE_HEIGHT",
                       "PACK_SKIP_ROWS", "UNPACK_SKIP_PIXELS", 0, BAD), ("i", 4, 0, 3, 16, -1)],
    "glSamplerParameterf": [SAMPLER, SAMPLER_NAME, ("f", 9728.0, 9729.0, 10497.0, -1.0, 1.5)],
    "glSamplerParameterfv": [SAMPLER, SAMPLER_NAME, ("p", "nearest_float", "data")],
    "glSamplerParameteri": [SAMPLER, SAMPLER_NAME, TEXTURE_VALUE_3],
    "glSamplerParameteriv": [SAMPLER, SAMPLER_NAME, ("p", "nearest_int", "data")],
    "glTexImage2D": [IMAGE_3, LEVEL, INTERNAL_3, EXTENT, EXTENT, BORDER, FORMAT_3, TYPE_3, ("p", "pixels")],
    "glTexImage3D": [LAYERS, LEVEL, INTERNAL_3, EXTENT, EXTENT, EXTENT, BORDER, FORMAT_3, TYPE_3, ("p", "pixels")],
    "glTexParameterf": [TEXTURE_3, TEXTURE_NAME_3, ("f", 9728.0, 9729.0, 10497.0, -1.0, 1.5)],
    "glTexParameterfv": [TEXTURE_3, TEXTURE_NAME_3, ("p", "nearest_float", "data")],
    "glTexParameteri": [TEXTURE_3, TEXTURE_NAME_3, TEXTURE_VALUE_3],
    "glTexParameteriv": [TEXTURE_3, TEXTURE_NAME_3, ("p", "nearest_int", "data")],
    "glTexStorage2D": [("i", "TEXTURE_2D", "TEXTURE_CUBE_MAP", FACE, "TEXTURE_3D", BAD), ("i", 1, 3, 4, 0, -1), SIZED,
                       EXTENT, EXTENT],
    "glTexStorage3D": [LAYERS, ("i", 1, 3, 4, 0, -1), SIZED, EXTENT, EXTENT, EXTENT],
    "glTexSubImage2D": [IMAGE_3, LEVEL, OFFSET, OFFSET, EXTENT, EXTENT, FORMAT_3, TYPE_3, ("p", "pixels")],
    "glTexSubImage3D": [LAYERS, LEVEL, OFFSET, OFFSET, OFFSET, EXTENT, EXTENT, EXTENT, FORMAT_3, TYPE_3,
                        ("p", "pixels")],
    # Framebuffers
    "glBindFramebuffer": [FRAMEBUFFER_3, ("i", "framebuffer", 0, 4711)],
    "glBlitFramebuffer": [("i", 0, 1)] + [("i", 0)] + [("i", 4, -4)] * 2 + [("i", 0, 1)] + [("i", 0)] +
                         [("i", 4, 9)] * 2 + [("i", "COLOR_BUFFER_BIT", 0, "DEPTH_BUFFER_BIT", "STENCIL_BUFFER_BIT",
                                               0x4100, 1, -1), ("i", "NEAREST", "LINEAR", "REPEAT", BAD)],
    "glCheckFramebufferStatus": [FRAMEBUFFER_3],
    "glClear": [("i", "COLOR_BUFFER_BIT", 0, 0x4500, 1, -1)],
    "glClearBufferfi": [("i", "DEPTH_STENCIL", "DEPTH", "COLOR", BAD), ("i", 0, 1, -1), ANY, SIGNED],
    "glClearBufferfv": [("i", "COLOR", "DEPTH", "STENCIL", "DEPTH_STENCIL", BAD), ("i", 0, 1, 8, -1), ("p", "data")],
    "glClearBufferiv": [("i", "COLOR", "DEPTH", "STENCIL", "DEPTH_STENCIL", BAD), ("i", 0, 1, 8, -1), ("p", "data")],
    "glClearBufferuiv": [("i", "COLOR", "DEPTH", "STENCIL", "DEPTH_STENCIL", BAD), ("i", 0, 1, 8, -1), ("p", "data")],
    "glDrawBuffers": [("i", 1, 0, 8, 99, -1), ("p", "back", "attachments", "data", "names")],
    "glFramebufferRenderbuffer": [FRAMEBUFFER_3, ATTACHMENT_3, RENDERBUFFER, ("i", "renderbuffer", 0, 4711, "flat")],
    "glFramebufferTexture2D": [FRAMEBUFFER_3, ATTACHMENT_3, IMAGE_3, ("i", "flat", "cube", "volume", "array", "empty",
                                                                     0, 4711), LEVEL],
    "glFramebufferTextureLayer": [FRAMEBUFFER_3, ATTACHMENT_3, ("i", "array", "volume", "flat", "cube", "empty", 0,
                                                                4711), LEVEL, LAYER],
    "glGetFramebufferAttachmentParameteriv": [
        FRAMEBUFFER_3, ("i", *ATTACHMENT_3[1:], "DEPTH", "STENCIL"),
        ("i", *("FRAMEBUFFER_ATTACHMENT_" + name for name in (
            "OBJECT_TYPE", "OBJECT_NAME", "TEXTURE_LEVEL", "TEXTURE_LAYER", "RED_SIZE", "COMPONENT_TYPE",
            "COLOR_ENCODING")), 0, BAD), OUT],
    "glGetRenderbufferParameteriv": [RENDERBUFFER, ("i", "RENDERBUFFER_WIDTH", "RENDERBUFFER_SAMPLES",
                                                    "RENDERBUFFER_BINDING", 0, BAD), OUT],
    "glInvalidateFramebuffer": [FRAMEBUFFER_3, ("i", 1, 0, -1), ("p", "attachments", "buffers", "beyond", "data")],
    "glInvalidateSubFramebuffer": [FRAMEBUFFER_3, ("i", 1, 0, -1), ("p", "attachments", "buffers", "beyond", "data"),
                                   SIGNED, SIGNED, SIZE, SIZE],
    "glReadBuffer": [("i", "BACK", "NONE", "COLOR_ATTACHMENT0", "COLOR_ATTACHMENT7", "COLOR_ATTACHMENT31", "COLOR",
                      BAD)],
    "glReadPixels": [PLACE, PLACE, SIZE, SIZE, READ_FORMAT_3, TYPE_3, OUT],
    "glRenderbufferStorage": [RENDERBUFFER, SIZED, EXTENT, EXTENT],
    "glRenderbufferStorageMultisample": [RENDERBUFFER, ("i", 4, 0, 1, 99, -1), SIZED, EXTENT, EXTENT],
    # Programs and transform feedback
    "glBeginTransformFeedback": [("i", "POINTS", "LINES", "TRIANGLES", "LINE_STRIP", BAD)],
    "glBindTransformFeedback": [("i", "TRANSFORM_FEEDBACK", "TRANSFORM_FEEDBACK_BUFFER", BAD),
                                ("i", "feedback", 0, 4711)],
    "glDeleteTransformFeedbacks": [COUNT, NAMES],
    "glDrawArrays": [MODE, ("i", 0, -1, INT_MIN), ("i", 3, 0, -1, INT_MIN)],
    "glDrawElements": [MODE, ("i", 3, 0, -1, INT_MIN), ELEMENT_TYPE, ("p", "offset")],
    "glEndTransformFeedback": [],
    "glGenTransformFeedbacks": [COUNT, OUT],
    "glGetActiveUniformBlockName": [PROGRAM, ("i", 0, 99, -1), TEXT_SIZE, OUT, OUT],
    "glGetActiveUniformBlockiv": [PROGRAM, ("i", 0, 99, -1),
                                  ("i", "UNIFORM_BLOCK_BINDING", "UNIFORM_BLOCK_ACTIVE_UNIFORM_INDICES",
                                   "UNIFORM_BLOCK_REFERENCED_BY_FRAGMENT_SHADER", "UNIFORM_TYPE", 0, BAD), OUT],
    "glGetActiveUniformsiv": [PROGRAM, ("i", 1, 0, -1), ("p", "data", "names"),
                              ("i", "UNIFORM_TYPE", "UNIFORM_IS_ROW_MAJOR", "UNIFORM_BLOCK_BINDING", 0, BAD), OUT],
    "glGetFragDataLocation": [PROGRAM, ("p", "text:color", "text:gl_color", "text:nothing")],
    "glGetProgramBinary": [PROGRAM, ("i", 1 << 16, 0, -1), OUT, OUT, OUT],
    "glGetProgramiv": [PROGRAM, ("i", "LINK_STATUS", "ACTIVE_UNIFORM_BLOCKS", "TRANSFORM_FEEDBACK_VARYINGS",
                                 "TRANSFORM_FEEDBACK_BUFFER_MODE", "PROGRAM_BINARY_LENGTH",
                                 "PROGRAM_BINARY_RETRIEVABLE_HINT", "COMPILE_STATUS", 0, BAD), OUT],
    "glGetTransformFeedbackVarying": [PROGRAM, ("i", 0, 99, -1), TEXT_SIZE, OUT, OUT, OUT, OUT],
    "glGetUniformBlockIndex": [PROGRAM, ("p", "text:Block", "text:nothing")],
    "glGetUniformIndices": [PROGRAM, ("i", 1, 0, -1), ("p", "texts"), OUT],
    "glGetUniformuiv": [PROGRAM, LOCATION_3, OUT],
    "glIsTransformFeedback": [("i", "feedback", 0, 4711)],
    "glLinkProgram": [PROGRAM],
    "glPauseTransformFeedback": [],
    "glProgramBinary": [PROGRAM, ("i", BAD, 0), ("p", "data"), ("i", 16, 0, -1)],
    "glProgramParameteri": [PROGRAM, ("i", "PROGRAM_BINARY_RETRIEVABLE_HINT", "LINK_STATUS", 0, BAD),
                            ("i", 0, 1, 2, -1)],
    "glResumeTransformFeedback": [],
    "glTransformFeedbackVaryings": [PROGRAM, ("i", 1, 0, 4, 999, -1), ("p", "texts"),
                                    ("i", "INTERLEAVED_ATTRIBS", "SEPARATE_ATTRIBS", 0, BAD)],
    "glUniformBlockBinding": [PROGRAM, ("i", 0, 99, -1), ("i", 0, 4711, -1)],
    "glUseProgram": [PROGRAM],
    # Fences
    "glClientWaitSync": [SYNC, ("i", 1, 0, 2, -1), ("p", 0)],
    "glGetSynciv": [SYNC, ("i", "SYNC_STATUS", "OBJECT_TYPE", "SYNC_FENCE", 0, BAD), TEXT_SIZE, OUT, OUT],
    "glWaitSync": [SYNC, ("i", 0, 1, -1), ("p", -1, 0, 1)],
    # Vertices
    "glVertexAttribDivisor": [INDEX, ("i", 0, 1, -1)],
    "glVertexAttribI4i": [INDEX] + [("i", 1)] * 4,
    "glVertexAttribI4uiv": [INDEX, ("p", "data")],
    "glVertexAttribIPointer": [INDEX, ("i", 4, 1, 0, 5, -1), INTEGER_TYPE, STRIDE, ("p", "offset")],
    "glVertexAttribPointer": [INDEX, ("i", 4, 1, 0, 5, -1), VERTEX_TYPE, ("i", 0, 1), STRIDE, ("p", "offset")],
}
for _n in (1, 2, 3, 4):
    CALLS_3[f"glUniform{_n}f"] = [LOCATION_3] + [("f", 0.5)] * _n
    CALLS_3[f"glUniform{_n}i"] = [LOCATION_3] + [("i", 0, -1, 9999)] + [("i", 0)] * (_n - 1)
    CALLS_3[f"glUniform{_n}ui"] = [LOCATION_3] + [("i", 0, -1)] + [("i", 0)] * (_n - 1)
    for _type in ("f", "i", "ui"):
        CALLS_3[f"glUniform{_n}{_type}v"] = [LOCATION_3, UNIFORM_COUNT, ("p", "data")]
for _shape in ("2", "3", "4", "2x3", "3x2", "2x4", "4x2", "3x4", "4x3"):
    CALLS_3[f"glUniformMatrix{_shape}fv"] = [LOCATION_3, UNIFORM_COUNT, ("i", 0, 1), ("p", "data")]


def calls_of(version):
    return CALLS if version == 2 else CALLS_3


# ---------------------------------------------------------------------------------------------------------------------
# The scenes: what is bound when a call is made.

VERTEX = b"attribute vec4 position; uniform mat4 at_mat4; void main() { gl_Position = at_mat4 * position; }"
FRAGMENT = b"""precision mediump float; uniform float at_float; uniform vec4 at_vec4; uniform int at_int;
uniform sampler2D at_sampler; uniform float at_array[3];
void main() { gl_FragColor = texture2D(at_sampler, at_vec4.xy) * at_float + at_vec4 + float(at_int)
    + at_array[0] + at_array[1] + at_array[2]; }"""
VERTEX_3 = b"""#version 300 es
in vec4 position; uniform mat4 at_mat4; uniform mat2x3 at_mat2x3; uniform Block { vec4 inside; }; out vec4 kept;
void main() { kept = inside + vec4(at_mat2x3[0], 0.0); gl_Position = at_mat4 * position; }"""
FRAGMENT_3 = b"""#version 300 es
precision mediump float; uniform float at_float; uniform vec4 at_vec4; uniform int at_int; uniform uint at_uint;
uniform uvec4 at_uvec4; uniform sampler2D at_sampler; uniform float at_array[3]; in vec4 kept; out vec4 color;
void main() { color = texture(at_sampler, at_vec4.xy) * at_float + at_vec4 + float(at_int) + vec4(at_uvec4)
    + float(at_uint) + at_array[0] + at_array[1] + at_array[2] + kept; }"""
ARRAY, ELEMENTS = 0x8892, 0x8893
FLAT, CUBE, VOLUME_3D, LAYERED, BYTES, RGBA_ = 0x0DE1, 0x8513, 0x806F, 0x8C1A, 0x1401, 0x1908


class Library:
    """The functions of the libEGL that the loader finds, and a display."""

    def __init__(self, version):
        self.version = version
        self.egl = egl = ctypes.CDLL("libEGL.so.1")
        for name in ("eglGetPlatformDisplay", "eglCreateContext", "eglCreatePbufferSurface", "eglGetProcAddress"):
            getattr(egl, name).restype = ctypes.c_void_p
        self.display = ctypes.c_void_p(egl.eglGetPlatformDisplay(0x31DD, None, None))
        if not egl.eglInitialize(self.display, None, None):
            sys.exit("eglInitialize failed")
        self.config, count = ctypes.c_void_p(), ctypes.c_int32()
        wanted = (ctypes.c_int32 * 13)(0x3040, 4, 0x3033, 1, 0x3024, 8, 0x3021, 8, 0x3025, 24, 0x3026, 8, 0x3038)
        egl.eglChooseConfig(self.display, wanted, ctypes.byref(self.config), 1, ctypes.byref(count))
        sizes = (ctypes.c_int32 * 5)(0x3057, 16, 0x3056, 16, 0x3038)
        self.surface = ctypes.c_void_p(egl.eglCreatePbufferSurface(self.display, self.config, sizes))
        self.functions = {}

    def function(self, name, types, result=None):
        if name not in self.functions:
            address = self.egl.eglGetProcAddress(name.encode())
            if not address:
                return None
            kinds = {"i": ctypes.c_int32, "p": ctypes.c_ssize_t, "f": ctypes.c_float}
            self.functions[name] = ctypes.CFUNCTYPE(result, *[kinds[t] for t in types])(address)
        return self.functions[name]

    def call(self, name, types, *arguments, result=ctypes.c_ssize_t):
        return self.function(name, types, result)(*arguments)

    def get_error(self):
        return self.call("glGetError", "", result=ctypes.c_uint32)


class Scene:
    """A context of its own with one object of each kind; `kind` says which of them are bound."""

    def __init__(self, library, kind):
        self.gl, self.kept, self.values = library, [], {}
        version = (ctypes.c_int32 * 3)(0x3098, library.version, 0x3038)
        self.context = ctypes.c_void_p(library.egl.eglCreateContext(library.display, library.config, None, version))
        library.egl.eglMakeCurrent(library.display, library.surface, library.surface, self.context)
        self.memory()
        self.objects()
        self.programs()
        getattr(self, kind)()
        self.debris = library.get_error()

    def close(self):
        egl, display = self.gl.egl, self.gl.display
        egl.eglMakeCurrent(display, None, None, None)
        egl.eglDestroyContext(display, self.context)

    def do(self, name, types="", *arguments):
        return self.gl.call(name, types, *arguments)

    def keep(self, buffer):
        self.kept.append(buffer)
        return ctypes.addressof(buffer)

    def memory(self):
        v = self.values
        v["data"] = self.keep(ctypes.create_string_buffer(1 << 20))
        v["out"] = self.keep(ctypes.create_string_buffer(1 << 20))
        v["offset"] = 0
        v["names"] = self.keep((ctypes.c_uint32 * 8)(*range(4711, 4719)))
        v["nearest_int"] = self.keep((ctypes.c_int32 * 4)(0x2600))
        v["nearest_float"] = self.keep((ctypes.c_float * 4)(0x2600))
        v["attachments"] = self.keep((ctypes.c_uint32 * 8)(E["COLOR_ATTACHMENT0"]))
        v["buffers"] = self.keep((ctypes.c_uint32 * 4)(E["COLOR_EXT"]))
        v["back"] = self.keep((ctypes.c_uint32 * 8)(E["BACK"]))
        v["beyond"] = self.keep((ctypes.c_uint32 * 4)(E["COLOR_ATTACHMENT31"]))
        v["pixels"] = v["data"]
        text = self.keep(ctypes.create_string_buffer(b"void main() {}"))
        v["texts"] = self.keep((ctypes.c_void_p * 1000)(*[text] * 1000))

    def generate(self, what):
        name = ctypes.c_uint32()
        self.do(f"glGen{what}", "ip", 1, ctypes.addressof(name))
        return name.value

    def objects(self):
        v, do = self.values, self.do
        for name, target in (("flat", FLAT), ("cube", CUBE), ("volume", VOLUME_3D), ("empty", FLAT)):
            v[name] = self.generate("Textures")
            do("glBindTexture", "ii", target, v[name])
        do("glBindTexture", "ii", FLAT, v["flat"])
        do("glTexImage2D", "iiiiiiiip", FLAT, 0, RGBA_, 8, 8, 0, RGBA_, BYTES, 0)
        for face in range(6):
            do("glTexImage2D", "iiiiiiiip", E[FACE] + face, 0, RGBA_, 8, 8, 0, RGBA_, BYTES, 0)
        do("glTexImage3DOES", "iiiiiiiiip", VOLUME_3D, 0, RGBA_, 8, 8, 8, 0, RGBA_, BYTES, 0)
        v["buffer"] = self.generate("Buffers")
        for target in (ARRAY, ELEMENTS):
            do("glBindBuffer", "ii", target, v["buffer"] if target == ARRAY else self.generate("Buffers"))
            do("glBufferData", "ippi", target, 64, v["data"], E["STATIC_DRAW"])
        v["renderbuffer"] = self.generate("Renderbuffers")
        do("glBindRenderbuffer", "ii", E["RENDERBUFFER"], v["renderbuffer"])
        do("glRenderbufferStorage", "iiii", E["RENDERBUFFER"], E["RGBA4"], 8, 8)
        v["framebuffer"] = self.generate("Framebuffers")
        v["query"], v["done"] = self.generate("QueriesEXT"), self.generate("QueriesEXT")
        do("glBeginQueryEXT", "ii", E["ANY_SAMPLES_PASSED_EXT"], v["done"])
        do("glEndQueryEXT", "i", E["ANY_SAMPLES_PASSED_EXT"])
        if self.gl.version == 3:
            self.objects_3()

    def objects_3(self):
        v, do = self.values, self.do
        v["array"] = self.generate("Textures")
        do("glBindTexture", "ii", LAYERED, v["array"])
        do("glTexImage3D", "iiiiiiiiip", LAYERED, 0, RGBA_, 8, 8, 8, 0, RGBA_, BYTES, 0)
        v["sampler"], v["feedback"] = self.generate("Samplers"), self.generate("TransformFeedbacks")
        do("glBindSampler", "ii", 1, v["sampler"])
        v["sync"] = do("glFenceSync", "ii", E["SYNC_GPU_COMMANDS_COMPLETE"], 0)
        stream = self.generate("Buffers")
        do("glBindBufferBase", "iii", E["TRANSFORM_FEEDBACK_BUFFER"], 0, stream)
        do("glBufferData", "ippi", E["TRANSFORM_FEEDBACK_BUFFER"], 4096, 0, E["STATIC_DRAW"])

    def shader(self, kind, source):
        name = self.do("glCreateShader", "i", E[kind])
        text = (ctypes.c_char_p * 1)(source)
        self.do("glShaderSource", "iipp", name, 1, self.keep(text), 0)
        return name

    def programs(self):
        v, do = self.values, self.do
        vertex, fragment = (VERTEX, FRAGMENT) if self.gl.version == 2 else (VERTEX_3, FRAGMENT_3)
        v["uncompiled"] = self.shader("FRAGMENT_SHADER", fragment)
        v["vertex"], fragment = self.shader("VERTEX_SHADER", vertex), self.shader("FRAGMENT_SHADER", fragment)
        v["program"], v["unlinked"] = do("glCreateProgram"), do("glCreateProgram")
        for shader in (v["vertex"], fragment):
            do("glCompileShader", "i", shader)
            do("glAttachShader", "ii", v["program"], shader)
        if self.gl.version == 3:
            kept = (ctypes.c_char_p * 1)(b"kept")
            do("glTransformFeedbackVaryings", "iipi", v["program"], 1, self.keep(kept), E["INTERLEAVED_ATTRIBS"])
        do("glLinkProgram", "i", v["program"])
        for name in ("at_float", "at_vec4", "at_int", "at_uint", "at_uvec4", "at_sampler", "at_mat4", "at_mat2x3",
                     "at_array"):
            text = ctypes.create_string_buffer(name.encode())
            v[name] = ctypes.c_int32(do("glGetUniformLocation", "ip", v["program"], self.keep(text))).value
        do("glUseProgram", "i", v["program"])
        v["shaders"] = self.keep((ctypes.c_uint32 * 1)(v["uncompiled"]))

    # Kinds

    def bound(self):
        """All of them; the framebuffer is the surface."""

    def unbound(self):
        do = self.do
        for target in (FLAT, CUBE, VOLUME_3D):
            do("glBindTexture", "ii", target, 0)
        for target in (ARRAY, ELEMENTS):
            do("glBindBuffer", "ii", target, 0)
        self.values["offset"] = self.values["data"]
        do("glBindRenderbuffer", "ii", E["RENDERBUFFER"], 0)
        do("glUseProgram", "i", 0)

    def empty(self):
        """Objects without contents."""
        self.unbound()
        do = self.do
        for target in (FLAT, CUBE, VOLUME_3D):
            do("glBindTexture", "ii", target, self.generate("Textures"))
        for target in (ARRAY, ELEMENTS):
            do("glBindBuffer", "ii", target, self.generate("Buffers"))
        do("glBindRenderbuffer", "ii", E["RENDERBUFFER"], self.generate("Renderbuffers"))
        do("glUseProgram", "i", self.values["program"])

    def incomplete(self):
        self.do("glBindFramebuffer", "ii", E["FRAMEBUFFER"], self.values["framebuffer"])

    def offscreen(self):
        self.incomplete()
        self.do("glFramebufferRenderbuffer", "iiii", E["FRAMEBUFFER"], E["COLOR_ATTACHMENT0"], E["RENDERBUFFER"],
                self.values["renderbuffer"])

    def opaque(self):
        """A framebuffer without alpha."""
        self.do("glRenderbufferStorage", "iiii", E["RENDERBUFFER"], E["RGB565"], 8, 8)
        self.offscreen()

    def textured(self):
        """The framebuffer is a texture."""
        self.incomplete()
        self.do("glFramebufferTexture2D", "iiiii", E["FRAMEBUFFER"], E["COLOR_ATTACHMENT0"], FLAT,
                self.values["flat"], 0)

    def mapped(self):
        for target in (ARRAY, ELEMENTS):
            self.do("glMapBufferRangeEXT", "ippi", target, 16, 32, 2)
        self.do("glVertexAttribPointer", "iiiiip", 0, 4, E["FLOAT"], 0, 0, 0)
        self.do("glEnableVertexAttribArray", "i", 0)

    def flushed(self):
        """Mapped to be flushed piece by piece."""
        self.do("glMapBufferRangeEXT", "ippi", ARRAY, 16, 32, 2 | 0x10)

    def counting(self):
        """A query runs."""
        self.do("glBeginQueryEXT", "ii", E["ANY_SAMPLES_PASSED_EXT"], self.values["query"])

    def compressed(self):
        """Images of 8 x 8 compressed texels."""
        for target in (FLAT, *range(E[FACE], E[FACE] + 6)):
            self.do("glCompressedTexImage2D", "iiiiiiip", target, 0, E["COMPRESSED_RGBA_S3TC_DXT5_EXT"], 8, 8, 0, 64,
                    self.values["data"])

    # Kinds of OpenGL ES 3.0

    def blocks(self):
        """Images of 8 x 8 texels of ETC2, and of four layers."""
        for target in (FLAT, *range(E[FACE], E[FACE] + 6)):
            self.do("glCompressedTexImage2D", "iiiiiiip", target, 0, E["COMPRESSED_RGB8_ETC2"], 8, 8, 0, 32,
                    self.values["data"])
        self.do("glCompressedTexImage3D", "iiiiiiiip", LAYERED, 0, E["COMPRESSED_RGB8_ETC2"], 8, 8, 4, 0, 128,
                self.values["data"])

    def immutable(self):
        for target in (FLAT, CUBE):
            self.do("glBindTexture", "ii", target, self.generate("Textures"))
            self.do("glTexStorage2D", "iiiii", target, 2, E["RGBA8"], 8, 8)
        for target in (VOLUME_3D, LAYERED):
            self.do("glBindTexture", "ii", target, self.generate("Textures"))
            self.do("glTexStorage3D", "iiiiii", target, 2, E["RGBA8"], 8, 8, 8)

    def unpacking(self):
        """Pixels come from a buffer that has 4 x 4 of them."""
        self.values["pixels"] = self.values["data"] = 0
        self.do("glBindBuffer", "ii", E["PIXEL_UNPACK_BUFFER"], self.values["buffer"])

    def unpacking_mapped(self):
        self.unpacking()
        self.do("glMapBufferRange", "ippi", E["PIXEL_UNPACK_BUFFER"], 0, 64, 2)

    def packing(self):
        """They go to one."""
        self.values["out"] = 0
        self.do("glBindBuffer", "ii", E["PIXEL_PACK_BUFFER"], self.values["buffer"])

    def packing_mapped(self):
        self.packing()
        self.do("glMapBufferRange", "ippi", E["PIXEL_PACK_BUFFER"], 0, 64, 1)

    def blitting(self):
        """One framebuffer is read from, the surface is drawn to."""
        self.offscreen()
        self.do("glRenderbufferStorage", "iiii", E["RENDERBUFFER"], E["RGBA8"], 8, 8)
        self.do("glBindFramebuffer", "ii", E["DRAW_FRAMEBUFFER"], 0)

    def unsigned(self):
        """The framebuffer has unsigned numbers."""
        self.offscreen()
        self.do("glRenderbufferStorage", "iiii", E["RENDERBUFFER"], E["RGBA8UI"], 8, 8)

    def reading_unsigned(self):
        self.unsigned()
        self.do("glBindFramebuffer", "ii", E["DRAW_FRAMEBUFFER"], 0)

    def sampled(self):
        """The framebuffer has four samples."""
        self.offscreen()
        self.do("glRenderbufferStorageMultisample", "iiiii", E["RENDERBUFFER"], 4, E["RGBA8"], 8, 8)

    def reading_sampled(self):
        self.sampled()
        self.do("glBindFramebuffer", "ii", E["DRAW_FRAMEBUFFER"], 0)

    def layered(self):
        """The framebuffer is a layer."""
        self.incomplete()
        self.do("glFramebufferTextureLayer", "iiiii", E["FRAMEBUFFER"], E["COLOR_ATTACHMENT0"], self.values["array"],
                0, 1)

    def unread(self):
        """Nothing is read from."""
        self.do("glReadBuffer", "i", 0)

    def feeding(self):
        """Points are captured."""
        self.do("glBeginTransformFeedback", "i", 0)

    def paused(self):
        self.feeding()
        self.do("glPauseTransformFeedback")


# The entry points whose errors depend on what is bound, by scene.
KINDS = {
    "bound": r".",
    "unbound": r"Tex|Mipmap|Buffer|Map|Uniform|Program|Draw|VertexAttribPointer",
    "empty": r"Tex(ture[23]D|Image|Sub)|Mipmap|Buffer|Map|Draw",
    "incomplete": r"Framebuffer|Draw|Read|glClear$|Copy",
    "offscreen": r"Framebuffer|Draw|Read|glClear$|Renderbuffer",
    "opaque": r"Copy|Read",
    "textured": r"Framebuffer",
    "mapped": r"Buffer(Data|Sub|Param|Pointer)|Map|Draw(Arr|Elem)",
    "flushed": r"Map",
    "counting": r"Quer",
    "compressed": r"Tex(ture[23]D|Image|Sub)|Mipmap",
}
KINDS_3 = {
    **KINDS,
    "blocks": r"Tex(Image|Sub)|Mipmap",
    "immutable": r"Tex(Image|Sub|Storage|Parameteri$)|Mipmap",
    "unpacking": r"Tex(Image|Sub)",
    "unpacking_mapped": r"Tex(Image|Sub)",
    "packing": r"ReadPixels",
    "packing_mapped": r"ReadPixels",
    "blitting": r"Blit|Clear|ReadBuffer|DrawBuffers|FramebufferAttachment|Invalidate",
    "unsigned": r"Copy|Read|Clear",
    "reading_unsigned": r"Blit",
    "sampled": r"Copy|Read|Blit|Clear|GetRenderbuffer",
    "reading_sampled": r"Blit",
    "layered": r"FramebufferAtt|Check|ReadPixels",
    "unread": r"Copy|Read|Blit",
    "feeding": r"Feedback|Draw(Arrays|Elem|Range)|UseProgram|LinkProgram|ProgramBinary|BindBuffer|Map|BufferData|Quer",
    "paused": r"Feedback|Draw(Arrays|Elem|Range)|UseProgram|LinkProgram|ProgramBinary|BindBuffer",
}
# Where nothing is wrong but what the arguments make wrong, when that is not "bound".
HOME = {
    "glFramebufferRenderbuffer": "incomplete",
    "glFramebufferTexture2D": "incomplete",
    "glFramebufferTexture3DOES": "incomplete",
    "glGetFramebufferAttachmentParameteriv": "offscreen",
    "glDrawBuffersEXT": "offscreen",
    "glDiscardFramebufferEXT": "offscreen",
    "glCompressedTexSubImage2D": "compressed",
    "glFlushMappedBufferRangeEXT": "flushed",
    "glUnmapBufferOES": "mapped",
    "glEndQueryEXT": "counting",
    "glEndQuery": "counting",
    "glFlushMappedBufferRange": "flushed",
    "glUnmapBuffer": "mapped",
}
HOME_3 = {
    **HOME,
    "glCompressedTexSubImage2D": "blocks",
    "glCompressedTexSubImage3D": "blocks",
    "glFramebufferTextureLayer": "incomplete",
    "glInvalidateFramebuffer": "offscreen",
    "glInvalidateSubFramebuffer": "offscreen",
    "glBlitFramebuffer": "blitting",
    "glClearBufferuiv": "unsigned",
    "glEndTransformFeedback": "feeding",
    "glPauseTransformFeedback": "feeding",
    "glResumeTransformFeedback": "paused",
    "glGetRenderbufferParameteriv": "sampled",
}
# After these, when they give no error, the scene serves on.
HARMLESS = re.compile(
    r"gl(Get|Is|Blend|ClearC|ClearD|ClearS|Stencil|DepthF|DepthM|DepthR|ColorMask|CullFace|FrontFace|Hint|LineWidth"
    r"|Polygon|SampleCov|Scissor|Viewport|VertexAttrib[1-4]|TexParam|CheckF|Clear$|Read|TexSub|CopyTexSub"
    r"|CompressedTexSub|Gen[A-Z]\w+s(OES|EXT)?$|Uniform|SamplerParam|ClearBuffer|Blit|Invalidate|ClientWait|WaitSync)")


def kinds_of(version):
    return KINDS if version == 2 else KINDS_3


def home_of(name, version):
    return (HOME if version == 2 else HOME_3).get(name, "bound")


def picks_of(name, kind, version):
    """What is passed, by positions in the lists: all right, one that deviates, and at home some with two."""
    values = [parameter[1:] for parameter in calls_of(version)[name]]
    singles = [{i: j} for i, choices in enumerate(values) for j in range(1, len(choices))]
    doubles = [{**a, **b} for a, b in itertools.combinations(singles, 2) if a.keys() != b.keys()]
    random.Random(name).shuffle(doubles)
    for change in [{}, *singles, *(doubles[:80] if kind == home_of(name, version) else [])]:
        yield [change.get(i, 0) for i in range(len(values))]


def make_calls(done, version):
    """Prints a line for each call before it is made and one with its error; `done` calls are left out."""
    library, position = Library(version), 0
    for name, parameters in calls_of(version).items():
        types = "".join(parameter[0] for parameter in parameters)
        if library.function(name, types, ctypes.c_ssize_t) is None:
            continue
        for kind in (kind for kind, names in kinds_of(version).items() if re.search(names, name)):
            scene = None
            for picks in picks_of(name, kind, version):
                position += 1
                if position <= done:
                    continue
                scene = scene or Scene(library, kind)
                arguments = [resolve(scene, parameter[1 + pick]) for parameter, pick in zip(parameters, picks)]
                print(name, kind, *picks, flush=True)
                library.call(name, types, *arguments)
                error = library.get_error()
                print(ERRORS[error], flush=True)
                if error == 0 and not HARMLESS.match(name):
                    scene = scene.close()
            if scene:
                scene.close()


def resolve(scene, value):
    if not isinstance(value, str):
        return value
    if value.startswith("text:") and value not in scene.values:
        # Room for the longest length that a call is given: drivers that look at the name first read so far.
        scene.values[value] = scene.keep(ctypes.create_string_buffer(value[5:].encode(), LONG + 1))
    return scene.values[value] if value in scene.values else E[value]


# ---------------------------------------------------------------------------------------------------------------------
# The comparison.

# Differences that are right: a regular expression for "name(arguments) scene: ours, Mesa's", where "." stands for the
# argument that is right, and what the texts say.
KNOWN = (
    (r"gl(BufferSubData|Draw\w+)\(.*\) mapped: operation, none",
     "OES_mapbuffer: a mapped buffer is neither written nor drawn from"),
    (r"glCompressedTexSubImage[23]D\(.*\) (compressed|blocks): enum, operation",
     "section 3.7.3: a format that is none is GL_INVALID_ENUM"),
    (r"glCopyTexSubImage[23]D(OES)?\(.*\) opaque: operation, none", "table 3.9: the framebuffer has no alpha to copy"),
    (r"glCopyTexSubImage2D\(.*\) compressed: operation, none",
     "EXT_texture_compression_s3tc: compressed images cannot be copied to"),
    (r"glDrawArrays\(\S+ -\d+, \S+\) \w+: value, none",
     "section 2.8 leaves a negative first open; OpenGL ES 3.2 says GL_INVALID_VALUE"),
    (r"glFramebufferTexture2D\(.*(CUBE_MAP|3D(_OES)?|2D_ARRAY), .*\) \w+: enum, (operation|none)",
     "section 4.4.3: no target that textarget may name"),
    (r"glFramebufferRenderbuffer\(., ., \w+, 0\) \w+: none, enum",
     "EXT_framebuffer_object: with name 0 the target is ignored"),
    (r"glRead(n?)Pixels\w*\(.*\) \w+: (operation|enum), none",
     "section 4.3.1: RGBA bytes and one more pair; more are Mesa's"),
    (r"glRead(n?)Pixels\w*\(.*\) \w+: enum, (operation|value)",
     "section 4.3.1: a format or type that is none is GL_INVALID_ENUM"),
    (r"glRead(n?)Pixels\w*\(.*STENCIL_INDEX_OES, .*\) \w+: (none|operation), value",
     "NV_read_stencil: Mesa has it, and refuses the format in contexts of 2.0"),
    (r"glRead(n?)Pixels\w*\(.*DEPTH_COMPONENT, UNSIGNED_INT_24_8_OES, .*\) \w+: none, operation",
     "NV_read_depth: depth as words of 24 bits, which Mesa does not take in contexts of 2.0"),
    (r"glReadPixels\(.*DEPTH_(COMPONENT|STENCIL), .*\) \w+: operation, enum",
     "OpenGL ES 3.0.6, section 4.3.2: a format and a type that are known, and do not go together"),
    (r"glReadnPixels(EXT|KHR)\(.*-1, \.\) \w+: operation, none", "KHR_robustness: a buffer that is too small"),
    (r"glTex(Sub)?Image2D\(.*2_10_10_10_REV_EXT, .*\) \w+: enum, none", "EXT_texture_type_2_10_10_10_REV is Mesa's"),
    (r"glTexImage[23]D(OES)?\(.*BGRA_EXT.*\) \w+: operation, none",
     "EXT_texture_format_BGRA8888: internalformat and format are the same"),
    (r"glTexSubImage[23]D(OES)?\(.*BGRA_EXT.*\) \w+: operation, none", "section 3.7.2: not the format of the image"),
    (r"glTexSubImage[23]D(OES)?\(.*FLOAT(_OES)?, .\) \w+: operation, none",
     "OpenGL ES 3.0, table 3.2: floats do not go into images of bytes"),
    (r"glTex(Sub)?Image[23]D(OES)?\(.*DEPTH_STENCIL(_OES)?, .*\) \w+: operation, enum",
     "OES_packed_depth_stencil: a format that is known, with a type that does not go with it"),
    (r"glTexImage[23]D(OES)?\(.*(ETC1_RGB8_OES|RGB8_ETC2), .*\) \w+: operation, value",
     "a format that is known, but pixels are not compressed to it"),
    (r"glTex(Sub)?Image3DOES\(.*36249, .*\) \w+: operation, enum",
     "KHR-GLES2.texture_3d: RGBA_INTEGER names pixels of OpenGL ES 3.0"),
    (r"glTex(Sub)?Image3DOES\(.*2_10_10_10_REV_EXT, .*\) \w+: operation, none",
     "EXT_texture_type_2_10_10_10_REV is Mesa's"),
    (r"glTexImage2D\(.*(RGBA8_OES|74565), UNSIGNED_SHORT_\w+, .\) \w+: enum, operation",
     "section 3.7.1: a format that is none"),
    (r"glTex(Sub)?Image2D\(.*INT, .*\) \w+: enum, (operation|none)",
     "section 3.7.1: a type that is none is GL_INVALID_ENUM"),
    (r"glTexSubImage2D\(.*UNSIGNED_SHORT, .*\) compressed: operation, none",
     "EXT_texture_compression_s3tc: pixels of bytes"),
    (r"glMapBufferOES\(.*\) empty: memory, operation", "OES_mapbuffer: what cannot be mapped is GL_OUT_OF_MEMORY"),
    (r"glMapBufferRangeEXT\(.*\) empty: value, operation",
     "EXT_map_buffer_range: beyond the buffer is GL_INVALID_VALUE"),
    (r"glCompressedTexImage3DOES\(.*\) \w+: operation, enum", "a format that is known, of which there are no volumes"),
    (r"glDrawBuffersEXT\(., names\) \w+: operation, enum", "EXT_draw_buffers has no GL_INVALID_ENUM"),
    (r"glQueryCounterEXT\(4711, .\) \w+: operation, none", "EXT_disjoint_timer_query: no name of glGenQueriesEXT"),
    (r"glObjectLabelKHR\((FRAMEBUFFER|QUERY_KHR), .*\) \w+: value, none", "KHR_debug: a name alone is no object yet"),
    (r"glUniformMatrix.fv\(-1, ., 1, .\) \w+: value, none", "section 2.10.4: transpose must be GL_FALSE"),
    (r"glUniformMatrix.fv\(., ., 1, .\) \w+: value, operation", "section 2.10.4: transpose must be GL_FALSE"),
    (r"glBufferSubData\(., 4611686018427387904, 4611686018427387904, .\) \w+: value, none",
     "offset + size overflows in Mesa"),
    # OpenGL ES 3.0
    (r"glRenderbufferStorage(Multisample)?\(.*RGBA8_SNORM, .*\) \w+: (none|value), enum",
     "EXT_render_snorm: a format of renderbuffers, where Mesa has it for textures alone"),
    (r"glBindBufferRange\(.*, -16, \S+\) \w+: value, none", "OpenGL ES 3.0.6, section 2.9.1: the offset is negative"),
    (r"glBindBufferRange\(., ., 0, 1, .\) bound: none, value",
     "OpenGL ES 3.0.6, section 2.9.1: no buffer is bound, so the offset is none of one"),
    (r"gl(ReadPixels|CopyTexImage2D)\(.*\) unread: operation, crash", "Mesa crashes without a read buffer"),
    (r"glCompressedTexImage[23]D\(.*\) unpacking: value, operation", "two errors: the size is none of the image's"),
    (r"glTex(Sub)?Image2D\(.*1048576, .*\) unpacking: value, operation", "two errors: an image cannot be so large"),
    (r"glTex(Sub)?Image[23]D\(.*UNSIGNED_INT_2_10_10_10_REV, .\) \w+: operation, none",
     "EXT_texture_type_2_10_10_10_REV is Mesa's"),
    (r"glTexSubImage2D\(.*INT, .\) compressed: operation, none", "EXT_texture_compression_s3tc: pixels of bytes"),
    (r"glTexSubImage[23]D\(.*\) blocks: operation, value",
     "OpenGL ES 3.0.6, section 3.8.5: images of ETC2 take no pixels, whatever the rectangle"),
    (r"glReadPixels\(.*0, .*\) packing_mapped: operation, none",
     "OpenGL ES 3.0.6, section 4.3.2: the buffer is mapped, whatever the rectangle"),
    (r"glCopyTexImage2D\(.*(DEPTH_COMPONENT16|DEPTH24_STENCIL8|RGB8_ETC2), .*\) \w+: enum, operation",
     "OpenGL ES 3.0.6, section 3.8.5: no format that is copied to"),
    (r"glDrawBuffers\(., names\) \w+: enum, operation", "OpenGL ES 3.0.6, section 4.2.1: no buffers"),
    (r"gl(FramebufferRenderbuffer|FramebufferTexture2D|FramebufferTextureLayer|GetFramebufferAttachmentParameteriv)"
     r"\(.*COLOR_ATTACHMENT31, .*\) \w+: operation, enum",
     "OpenGL ES 3.0.6, section 4.4.2: an attachment beyond the limit is GL_INVALID_OPERATION"),
    (r"glInvalidate(Sub)?Framebuffer\(.*beyond.*\) \w+: operation, enum",
     "OpenGL ES 3.0.6, section 4.5: an attachment beyond the limit is GL_INVALID_OPERATION"),
    (r"glFramebufferRenderbuffer\(.*DEPTH_STENCIL_ATTACHMENT, .*\) \w+: none, operation",
     "OpenGL ES 3.0.6, section 4.4.4: such a framebuffer is not complete"),
    (r"glFramebufferTextureLayer\(.*cube, .*\) \w+: operation, none",
     "OpenGL ES 3.0.6, section 4.4.2: layers are of 3D textures and of arrays"),
    (r"glGetFramebufferAttachmentParameteriv\(.*\) (bound|blitting): operation, enum",
     "OpenGL ES 3.0.6, section 6.1.13: no attachment of the default framebuffer"),
    (r"glGetActiveUniformsiv\(., 0, .*\) \w+: enum, none", "OpenGL ES 3.0.6, section 2.12.6: the name is none"),
    (r"glGetTransformFeedbackVarying\(unlinked, .*\) \w+: operation, value",
     "OpenGL ES 3.0.6, section 2.12.8: the program has not been linked"),
    (r"glGetTransformFeedbackVarying\(., ., -\d+, .*\) \w+: value, none", "a negative size"),
    (r"glProgramBinary\(.*\) (feeding|paused): operation, enum", "two errors: the program is in use, too"),
    (r"glTransformFeedbackVaryings\(.*\) (feeding|paused): (none|value|enum), operation",
     "ARB_transform_feedback2 has this error, OpenGL ES 3.0 has not"),
    (r"glMapBufferRange\(.*\) empty: value, operation",
     "OpenGL ES 3.0.6, section 2.9.3: beyond the buffer is GL_INVALID_VALUE"),
)


def errors_of(version, environment):
    """What every call gives, by its line; "crash" where it ends the process."""
    lines = []
    while True:
        run = subprocess.run([sys.executable, __file__, "--version", str(version), "--calls", str(len(lines) // 2)],
                             env={**os.environ, **environment}, stdout=subprocess.PIPE, text=True)
        lines += run.stdout.splitlines()
        if run.returncode == 0:
            return dict(zip(lines[::2], lines[1::2]))
        if len(lines) % 2 == 0:
            sys.exit(f"no call is at fault, but the calls end with exit status {run.returncode}")
        lines.append("crash")


def mesa_environment(version):
    """In which programs run on llvmpipe, held to a version of OpenGL ES."""
    return dict(__EGL_VENDOR_LIBRARY_FILENAMES=str(MESA_VENDOR), LIBGL_ALWAYS_SOFTWARE="1", LP_NUM_THREADS="1",
                MESA_GLES_VERSION_OVERRIDE=f"{version}.0")


def described(version, line, ours, theirs):
    name, kind, *picks = line.split()
    values = (str(parameter[1 + int(pick)]) if int(pick) else "." for parameter, pick in zip(calls_of(version)[name], picks))
    return f"{name}({', '.join(values)}) {kind}: {ours}, {theirs}"


def causes(line, version):
    """The lines of calls in which only one thing is wrong of those that may be wrong in this one."""
    name, kind, *picks = line.split()
    right, home = ["0"] * len(picks), home_of(name, version)
    yield " ".join([name, kind, *right])
    for i in (i for i, pick in enumerate(picks) if pick != "0"):
        yield " ".join([name, home, *right[:i], picks[i], *right[i + 1:]])


def differences(version, ours, theirs):
    for line, error in ours.items():
        if error == theirs[line]:
            continue
        wrong = [ours[cause] for cause in causes(line, version) if ours[cause] != "none"]
        either = len(wrong) > 1 and theirs[line] != "none" and error in wrong
        if not either:
            yield described(version, line, error, theirs[line])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path)
    parser.add_argument("--calls", type=int, metavar="DONE", help="make the calls but for the first DONE")
    parser.add_argument("--version", type=int, choices=(2, 3), default=2, help="of OpenGL ES")
    arguments = parser.parse_args()
    version = arguments.version
    if arguments.calls is not None:
        return make_calls(arguments.calls, version)
    if not MESA_VENDOR.exists():
        print("Mesa is not installed")
        return 77
    ours = errors_of(version, dict(LD_LIBRARY_PATH=str(arguments.build / "lib"), TESSERA_THREADS="1",
                                   TESSERA_TIER="interp"))
    theirs = errors_of(version, mesa_environment(version))
    if ours.keys() != theirs.keys():
        print("entry points that only one has:", *sorted({line.split()[0] for line in ours.keys() ^ theirs.keys()}))
        return 1
    found = list(differences(version, ours, theirs))
    unknown = [line for line in found if not any(re.fullmatch(pattern, line) for pattern, _ in KNOWN)]
    print(*unknown, sep="\n")
    print(f"{len(ours)} calls of {len(calls_of(version))} entry points, {len(found)} differences to Mesa, {len(unknown)} not known")
    return 1 if unknown or "crash" in ours.values() else 0


if __name__ == "__main__":
    sys.exit(main())
