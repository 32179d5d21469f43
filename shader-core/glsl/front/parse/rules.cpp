// Rules of GLSL ES 1.00 that glslang 12 lacks, and two that it has too many:
// - the declarations of a function agree in the precision of what it returns (section 6.1); those of its parameters
//   glslang does compare;
// - names of functions do not begin with "gl_" (section 3.8);
// - qualifiers alone declare nothing: "uniform;" is of later versions;
// - arrays are no operands of "?:" (section 5.7);
// - ";" between declarations is let through, as Mesa does it: programs have it behind functions;
// - any expression indexes gl_FragData and gl_FragColor, as appendix A.5 has it for loop indices: the other rule is of
//   GLSL ES 3.00.
//
// The linker is told (--wrap, see CMakeLists.txt) that glslang's calls of these functions of its own come here first.
#include <glslang/MachineIndependent/ParseHelper.h>

#include <string_view>

using namespace glslang;

extern "C" {
TFunction* glslangDeclare(TParseContext* context, const TSourceLoc& place, TFunction& function, bool prototype) asm(
    "__real__ZN7glslang13TParseContext24handleFunctionDeclaratorERKNS_10TSourceLocERNS_9TFunctionEb");
TFunction* declareChecked(TParseContext* context, const TSourceLoc& place, TFunction& function, bool prototype) asm(
    "__wrap__ZN7glslang13TParseContext24handleFunctionDeclaratorERKNS_10TSourceLocERNS_9TFunctionEb");
void glslangQualify(TParseContext* context, const TSourceLoc& place, const TPublicType& qualifiers) asm(
    "__real__ZN7glslang13TParseContext33updateStandaloneQualifierDefaultsERKNS_10TSourceLocERKNS_11TPublicTypeE");
void refuseQualifiers(TParseContext* context, const TSourceLoc& place, const TPublicType& qualifiers) asm(
    "__wrap__ZN7glslang13TParseContext33updateStandaloneQualifierDefaultsERKNS_10TSourceLocERKNS_11TPublicTypeE");
TIntermTyped* glslangSelect(
    TIntermediate* intermediate, TIntermTyped* condition, TIntermTyped* left, TIntermTyped* right,
    const TSourceLoc&
        place) asm("__real__ZN7glslang13TIntermediate12addSelectionEPNS_12TIntermTypedES2_S2_RKNS_10TSourceLocE");
TIntermTyped* selectNoArray(
    TIntermediate* intermediate, TIntermTyped* condition, TIntermTyped* left, TIntermTyped* right,
    const TSourceLoc&
        place) asm("__wrap__ZN7glslang13TIntermediate12addSelectionEPNS_12TIntermTypedES2_S2_RKNS_10TSourceLocE");
void glslangRequireProfile(TParseVersions* versions, const TSourceLoc& place, int profiles, const char* feature) asm(
    "__real__ZN7glslang14TParseVersions14requireProfileERKNS_10TSourceLocEiPKc");
void requireProfileUnlessAllowed(
    TParseVersions* versions, const TSourceLoc& place, int profiles,
    const char* feature) asm("__wrap__ZN7glslang14TParseVersions14requireProfileERKNS_10TSourceLocEiPKc");
}

TFunction* declareChecked(TParseContext* context, const TSourceLoc& place, TFunction& function, bool prototype) {
    bool builtIn = false;
    TSymbol* before = context->symbolTable.find(function.getMangledName(), &builtIn);
    const TFunction* declared = before && !builtIn ? before->getAsFunction() : nullptr;
    if (declared && declared->getType().getQualifier().precision != function.getType().getQualifier().precision)
        context->error(place, "declared before with another precision of what it returns", function.getName().c_str(),
                       "");
    context->reservedErrorCheck(place, function.getName());
    return glslangDeclare(context, place, function, prototype);
}

void refuseQualifiers(TParseContext* context, const TSourceLoc& place, const TPublicType& qualifiers) {
    if (context->version >= 300 || context->symbolTable.atBuiltInLevel())
        return glslangQualify(context, place, qualifiers);
    context->error(place, "", "", "syntax error", "");
}

/// Null makes glslang say that the operands' types are wrong.
TIntermTyped* selectNoArray(TIntermediate* intermediate, TIntermTyped* condition, TIntermTyped* left,
                            TIntermTyped* right, const TSourceLoc& place) {
    if (intermediate->getVersion() < 300 && (left->isArray() || right->isArray())) return nullptr;
    return glslangSelect(intermediate, condition, left, right, place);
}

void requireProfileUnlessAllowed(TParseVersions* versions, const TSourceLoc& place, int profiles, const char* feature) {
    const std::string_view name = feature;
    const bool isIndexing = name == "variable indexing fragment shader output array";
    if (name == "extraneous semicolon" || (isIndexing && versions->version < 300)) return;
    glslangRequireProfile(versions, place, profiles, feature);
}
