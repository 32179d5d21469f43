// A rule of declarations that glslang 12 lacks: the declarations of a function agree in the precision of what it
// returns (GLSL ES 1.00 section 6.1). Those of its parameters glslang does compare.
//
// glslang enters functions into its symbol table in TParseContext::handleFunctionDeclarator(). The linker is told
// (--wrap, see CMakeLists.txt) that its calls come here first.
#include <glslang/MachineIndependent/ParseHelper.h>

using namespace glslang;

extern "C" {
TFunction* glslangDeclare(TParseContext* context, const TSourceLoc& place, TFunction& function, bool prototype) asm(
    "__real__ZN7glslang13TParseContext24handleFunctionDeclaratorERKNS_10TSourceLocERNS_9TFunctionEb");
TFunction* declareChecked(TParseContext* context, const TSourceLoc& place, TFunction& function, bool prototype) asm(
    "__wrap__ZN7glslang13TParseContext24handleFunctionDeclaratorERKNS_10TSourceLocERNS_9TFunctionEb");
}

TFunction* declareChecked(TParseContext* context, const TSourceLoc& place, TFunction& function, bool prototype) {
    bool builtIn = false;
    TSymbol* before = context->symbolTable.find(function.getMangledName(), &builtIn);
    const TFunction* declared = before && !builtIn ? before->getAsFunction() : nullptr;
    if (declared && declared->getType().getQualifier().precision != function.getType().getQualifier().precision)
        context->error(place, "declared before with another precision of what it returns", function.getName().c_str(),
                       "");
    return glslangDeclare(context, place, function, prototype);
}
