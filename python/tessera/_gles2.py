"""The functions of OpenGL ES 2.0 for ctypes. Made by generate_gles2.py from Khronos' header."""

from __future__ import annotations

import ctypes
import os
from typing import Any, Union

#: Name -> letter of the result, then one for each argument: v nothing, I unsigned, i signed, f float, B boolean, n
#: pointer-sized, p memory.
SIGNATURES = {
    "glActiveTexture": "vI",
    "glAttachShader": "vII",
    "glBindAttribLocation": "vIIp",
    "glBindBuffer": "vII",
    "glBindFramebuffer": "vII",
    "glBindRenderbuffer": "vII",
    "glBindTexture": "vII",
    "glBlendColor": "vffff",
    "glBlendEquation": "vI",
    "glBlendEquationSeparate": "vII",
    "glBlendFunc": "vII",
    "glBlendFuncSeparate": "vIIII",
    "glBufferData": "vInpI",
    "glBufferSubData": "vInnp",
    "glCheckFramebufferStatus": "II",
    "glClear": "vI",
    "glClearColor": "vffff",
    "glClearDepthf": "vf",
    "glClearStencil": "vi",
    "glColorMask": "vBBBB",
    "glCompileShader": "vI",
    "glCompressedTexImage2D": "vIiIiiiip",
    "glCompressedTexSubImage2D": "vIiiiiiIip",
    "glCopyTexImage2D": "vIiIiiiii",
    "glCopyTexSubImage2D": "vIiiiiiii",
    "glCreateProgram": "I",
    "glCreateShader": "II",
    "glCullFace": "vI",
    "glDeleteBuffers": "vip",
    "glDeleteFramebuffers": "vip",
    "glDeleteProgram": "vI",
    "glDeleteRenderbuffers": "vip",
    "glDeleteShader": "vI",
    "glDeleteTextures": "vip",
    "glDepthFunc": "vI",
    "glDepthMask": "vB",
    "glDepthRangef": "vff",
    "glDetachShader": "vII",
    "glDisable": "vI",
    "glDisableVertexAttribArray": "vI",
    "glDrawArrays": "vIii",
    "glDrawElements": "vIiIp",
    "glEnable": "vI",
    "glEnableVertexAttribArray": "vI",
    "glFinish": "v",
    "glFlush": "v",
    "glFramebufferRenderbuffer": "vIIII",
    "glFramebufferTexture2D": "vIIIIi",
    "glFrontFace": "vI",
    "glGenBuffers": "vip",
    "glGenFramebuffers": "vip",
    "glGenRenderbuffers": "vip",
    "glGenTextures": "vip",
    "glGenerateMipmap": "vI",
    "glGetActiveAttrib": "vIIipppp",
    "glGetActiveUniform": "vIIipppp",
    "glGetAttachedShaders": "vIipp",
    "glGetAttribLocation": "iIp",
    "glGetBooleanv": "vIp",
    "glGetBufferParameteriv": "vIIp",
    "glGetError": "I",
    "glGetFloatv": "vIp",
    "glGetFramebufferAttachmentParameteriv": "vIIIp",
    "glGetIntegerv": "vIp",
    "glGetProgramInfoLog": "vIipp",
    "glGetProgramiv": "vIIp",
    "glGetRenderbufferParameteriv": "vIIp",
    "glGetShaderInfoLog": "vIipp",
    "glGetShaderPrecisionFormat": "vIIpp",
    "glGetShaderSource": "vIipp",
    "glGetShaderiv": "vIIp",
    "glGetString": "pI",
    "glGetTexParameterfv": "vIIp",
    "glGetTexParameteriv": "vIIp",
    "glGetUniformLocation": "iIp",
    "glGetUniformfv": "vIip",
    "glGetUniformiv": "vIip",
    "glGetVertexAttribPointerv": "vIIp",
    "glGetVertexAttribfv": "vIIp",
    "glGetVertexAttribiv": "vIIp",
    "glHint": "vII",
    "glIsBuffer": "BI",
    "glIsEnabled": "BI",
    "glIsFramebuffer": "BI",
    "glIsProgram": "BI",
    "glIsRenderbuffer": "BI",
    "glIsShader": "BI",
    "glIsTexture": "BI",
    "glLineWidth": "vf",
    "glLinkProgram": "vI",
    "glPixelStorei": "vIi",
    "glPolygonOffset": "vff",
    "glReadPixels": "viiiiIIp",
    "glReleaseShaderCompiler": "v",
    "glRenderbufferStorage": "vIIii",
    "glSampleCoverage": "vfB",
    "glScissor": "viiii",
    "glShaderBinary": "vipIpi",
    "glShaderSource": "vIipp",
    "glStencilFunc": "vIiI",
    "glStencilFuncSeparate": "vIIiI",
    "glStencilMask": "vI",
    "glStencilMaskSeparate": "vII",
    "glStencilOp": "vIII",
    "glStencilOpSeparate": "vIIII",
    "glTexImage2D": "vIiiiiiIIp",
    "glTexParameterf": "vIIf",
    "glTexParameterfv": "vIIp",
    "glTexParameteri": "vIIi",
    "glTexParameteriv": "vIIp",
    "glTexSubImage2D": "vIiiiiiIIp",
    "glUniform1f": "vif",
    "glUniform1fv": "viip",
    "glUniform1i": "vii",
    "glUniform1iv": "viip",
    "glUniform2f": "viff",
    "glUniform2fv": "viip",
    "glUniform2i": "viii",
    "glUniform2iv": "viip",
    "glUniform3f": "vifff",
    "glUniform3fv": "viip",
    "glUniform3i": "viiii",
    "glUniform3iv": "viip",
    "glUniform4f": "viffff",
    "glUniform4fv": "viip",
    "glUniform4i": "viiiii",
    "glUniform4iv": "viip",
    "glUniformMatrix2fv": "viiBp",
    "glUniformMatrix3fv": "viiBp",
    "glUniformMatrix4fv": "viiBp",
    "glUseProgram": "vI",
    "glValidateProgram": "vI",
    "glVertexAttrib1f": "vIf",
    "glVertexAttrib1fv": "vIp",
    "glVertexAttrib2f": "vIff",
    "glVertexAttrib2fv": "vIp",
    "glVertexAttrib3f": "vIfff",
    "glVertexAttrib3fv": "vIp",
    "glVertexAttrib4f": "vIffff",
    "glVertexAttrib4fv": "vIp",
    "glVertexAttribPointer": "vIiIBip",
    "glViewport": "viiii",
}


class _Memory:
    """An argument that points at memory: bytes, an array (numpy's, ctypes'), an offset into a buffer, or None."""

    @staticmethod
    def from_param(value: Any) -> Any:
        if value is None or isinstance(value, int):
            return ctypes.c_void_p(value)
        if isinstance(value, bytes):
            return ctypes.c_char_p(value)
        if isinstance(value, ctypes.Array) or hasattr(value, "_obj"):  # byref()
            return value
        if hasattr(value, "__array_interface__"):
            interface = value.__array_interface__
            if interface.get("strides") is not None:
                raise TypeError("the array must be contiguous")
            return ctypes.c_void_p(interface["data"][0])
        view = memoryview(value)
        if view.readonly or not view.c_contiguous:
            raise TypeError("the memory must be writable and contiguous; give bytes for what is read only")
        return (ctypes.c_char * view.nbytes).from_buffer(view)


_TYPES = {"v": None, "I": ctypes.c_uint, "i": ctypes.c_int, "f": ctypes.c_float, "B": ctypes.c_ubyte,
          "n": ctypes.c_ssize_t, "p": _Memory}


class Functions:
    """Functions by name, with their arguments checked; glGetString() gives bytes. Functions of OpenGL ES 1.1 and of
    extensions have no signatures here."""

    def __init__(self, library: Union[str, "os.PathLike[str]"]):
        self._library = ctypes.CDLL(str(library))

    def __getattr__(self, name: str) -> Any:
        if not name.startswith("gl"):
            raise AttributeError(name)
        function = getattr(self._library, name)
        signature = SIGNATURES.get(name)
        if signature is not None:
            function.restype = ctypes.c_char_p if signature[0] == "p" else _TYPES[signature[0]]
            function.argtypes = [_TYPES[one] for one in signature[1:]]
        setattr(self, name, function)
        return function
