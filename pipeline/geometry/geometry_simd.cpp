// Vertices and triangles in batches: attribute fetch, projection with outcodes, setup; rejection is in
// rejection_simd.cpp. The formulas are those of formulas.h, which clip.cpp and setup.cpp take for a single vertex or
// triangle; geometry_functions_test.cpp compares the bits.
#include <type_traits>

#include "base/transpose.h"
#include "pipeline/geometry/formulas.h"
#include "pipeline/geometry/gather.h"
#include "pipeline/geometry/geometry_functions.h"
#include "pipeline/geometry/rejection.h"
#include "pipeline/geometry/vertex_formats.h"

namespace tessera::pipeline {

inline namespace TESSERA_SIMD {

namespace {

F64x16 toDouble(F32x16 x) { return __builtin_convertvector(x, F64x16); }
F32x4 load4(const float* p) {
    F32x4 v;
    __builtin_memcpy(&v, p, sizeof v);
    return v;
}
void store4(float* p, F32x4 v) { __builtin_memcpy(p, &v, sizeof v); }

/// Rows to columns of a 4x4 matrix.
struct Four {
    F32x4 row[4];
};
Four transpose(const Four& m) {
    const F32x4 a = __builtin_shufflevector(m.row[0], m.row[1], 0, 4, 1, 5);
    const F32x4 b = __builtin_shufflevector(m.row[2], m.row[3], 0, 4, 1, 5);
    const F32x4 c = __builtin_shufflevector(m.row[0], m.row[1], 2, 6, 3, 7);
    const F32x4 d = __builtin_shufflevector(m.row[2], m.row[3], 2, 6, 3, 7);
    return {{__builtin_shufflevector(a, b, 0, 1, 4, 5), __builtin_shufflevector(a, b, 2, 3, 6, 7),
             __builtin_shufflevector(c, d, 0, 1, 4, 5), __builtin_shufflevector(c, d, 2, 3, 6, 7)}};
}

// --- Attribute fetch ---

void elements(const VertexKey* keys, int count, ElementGroup& out) {
    out.lanes = (count + kBlockLanes - 1) / kBlockLanes * kBlockLanes;
    if (count != isa::kGroupSize) {
        const uint32_t last = keys[count - 1].element;
        out.low = out.high = last;
        out.isRun = false;
        for (int i = 0; i < count; ++i) {
            const uint32_t element = out.element[i] = keys[i].element;
            out.low = element < out.low ? element : out.low;
            out.high = element > out.high ? element : out.high;
        }
        for (int i = count; i < out.lanes; ++i) out.element[i] = last;
        return;
    }
    U32x16 part[2];
    for (int i = 0; i < 2; ++i) {
        const auto* from = reinterpret_cast<const uint32_t*>(keys + i * kBlockLanes);
        part[i] = __builtin_shufflevector(load<U32x16>(from), load<U32x16>(from + kBlockLanes), 0, 2, 4, 6, 8, 10, 12,
                                          14, 16, 18, 20, 22, 24, 26, 28, 30);
    }
    store(out.element, part[0]);
    store(out.element + kBlockLanes, part[1]);
    const uint32_t low = __builtin_reduce_min(__builtin_elementwise_min(part[0], part[1]));
    out.low = low;
    out.high = __builtin_reduce_max(__builtin_elementwise_max(part[0], part[1]));
    constexpr U32x16 kPlaces = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    const U32x16 gap = (part[0] ^ (kPlaces + low)) | (part[1] ^ (kPlaces + (low + kBlockLanes)));
    out.isRun = __builtin_reduce_or(gap) == 0;
}

/// Whether `bytes` bytes at each of the elements lie inside the array.
bool isInside(const AttributeSource& source, const ElementGroup& group, int64_t bytes) {
    int64_t first = 0, end = 0;
    if (__builtin_mul_overflow(source.stride, int64_t{group.low}, &first)) return false;
    if (__builtin_add_overflow(first, source.offset, &first) || first < 0) return false;
    if (__builtin_mul_overflow(source.stride, int64_t{group.high}, &end)) return false;
    if (__builtin_add_overflow(end, source.offset, &end) || __builtin_add_overflow(end, bytes, &end)) return false;
    return end <= source.size;
}

const std::byte* elementAddress(const AttributeSource& source, uint32_t element) {
    return source.data + (source.offset + source.stride * element);
}

void fillMissing(const AttributeSource& source, int lanes, isa::GroupRegister& out) {
    for (int c = source.components; c < 4; ++c)
        for (int lane = 0; lane < lanes; lane += kBlockLanes)
            store(out.lane[c] + lane, splat(missingComponent(source.conversion, c)));
}

/// kBytes of each of four lanes, four apart.
template <int kBytes, class Address>
F32x16 loadLanes(const Address& address, int lane) {
    F32x4 part[4] = {};
    for (int i = 0; i < 4; ++i) __builtin_memcpy(&part[i], address(lane + 4 * i), kBytes);
    const auto low = __builtin_shufflevector(part[0], part[1], 0, 1, 2, 3, 4, 5, 6, 7);
    const auto high = __builtin_shufflevector(part[2], part[3], 0, 1, 2, 3, 4, 5, 6, 7);
    return __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
}

/// Sixteen lanes at a time: a load of four floats for each, and 4x4 transpositions in the quarters of four vectors, of
/// which vector i holds lanes i, 4 + i, 8 + i and 12 + i.
template <int kComponents, int kBytes, class Address>
void fetchFloats(const Address& address, int lanes, isa::GroupRegister& out) {
    for (int lane = 0; lane < lanes; lane += kBlockLanes) {
        F32x16 row[4];
        for (int i = 0; i < 4; ++i) row[i] = loadLanes<kBytes>(address, lane + i);
        const Columns<F32x16> components = transposeQuarters(row);
        for (int c = 0; c < kComponents; ++c) store(out.lane[c] + lane, components.column[c]);
    }
}

template <int kComponents>
void fetchFloats(const AttributeSource& source, const ElementGroup& group, isa::GroupRegister& out) {
    const auto any = [&](int lane) { return elementAddress(source, group.element[lane]); };
    if (!isInside(source, group, 16)) return fetchFloats<kComponents, 4 * kComponents>(any, group.lanes, out);
    if (!group.isRun) return fetchFloats<kComponents, 16>(any, group.lanes, out);
    const std::byte* const first = elementAddress(source, group.low);
    const int64_t stride = source.stride;
    fetchFloats<kComponents, 16>([=](int lane) { return first + lane * stride; }, group.lanes, out);
}

/// convertComponent() of sixteen integers of 8 or 16 bits.
template <class Format>
F32x16 convertNarrow(VertexConversion conversion, I32x16 value) {
    using Stored = typename Format::Stored;
    constexpr bool kSigned = std::is_signed_v<Stored>;
    constexpr int kBits = Format::bits(0);
    constexpr auto kAll = static_cast<float>(normalizedRange(kSigned, kBits, false).largest);
    constexpr int kHalf = static_cast<int>(normalizedRange(kSigned, kBits, true).largest);
    switch (conversion) {
        case VertexConversion::Number:
            return toFloat(value);
        case VertexConversion::Normalized:
            return toFloat(kSigned ? 2 * value + 1 : value) / kAll;
        case VertexConversion::NormalizedSymmetric:
            return toFloat(kSigned ? max(value, splat(-kHalf)) : value) / static_cast<float>(kHalf);
        case VertexConversion::Integer:
            return asFloat(value);
    }
}

/// Integers of 8 and 16 bits.
template <class Format>
void fetchNarrow(const AttributeSource& source, const ElementGroup& group, isa::GroupRegister& out) {
    using Stored = typename Format::Stored;
    alignas(64) int32_t raw[4][isa::kGroupSize];
    for (int lane = 0; lane < group.lanes; ++lane) {
        Stored stored[4] = {};
        const std::byte* from = elementAddress(source, group.element[lane]);
        for (int c = 0; c < source.components; ++c) stored[c] = Format::component(from, c);
        for (int c = 0; c < 4; ++c) raw[c][lane] = stored[c];
    }
    for (int c = 0; c < source.components; ++c)
        for (int lane = 0; lane < group.lanes; lane += kBlockLanes)
            store(out.lane[c] + lane, convertNarrow<Format>(source.conversion, load<I32x16>(raw[c] + lane)));
}

bool fetch(const AttributeSource& source, const ElementGroup& group, isa::GroupRegister& out) {
    return withVertexFormat(source.type, [&]<class Format>() {
        if constexpr (Format::kBatch == FetchBatch::OneByOne) {
            return false;
        } else {
            if (Format::kBatch == FetchBatch::Integers && source.conversion != VertexConversion::Integer) return false;
            if (!isInside(source, group, int64_t{Format::kBytes} * source.components)) return false;
            if constexpr (Format::kBatch == FetchBatch::Narrow) {
                fetchNarrow<Format>(source, group, out);
            } else {
                if (source.components == 1) fetchFloats<1>(source, group, out);
                if (source.components == 2) fetchFloats<2>(source, group, out);
                if (source.components == 3) fetchFloats<3>(source, group, out);
                if (source.components == 4) fetchFloats<4>(source, group, out);
            }
            fillMissing(source, group.lanes, out);
            return true;
        }
    });
}

// --- Projection ---

/// x / w with the reciprocal of w, rounded once as the division is (P. Markstein, "Computation of elementary functions
/// on the IBM RISC System/6000 processor", 1990: the reciprocal is correctly rounded, the quotient before the last step
/// is within one unit in the last place, the remainder is exact). Operands are singles, so nothing over- or underflows,
/// nor is w's fraction all ones.
F64x16 divide(F64x16 x, [[maybe_unused]] F64x16 w, [[maybe_unused]] F64x16 reciprocal) {
#if defined(__FMA__)
    const F64x16 first = x * reciprocal;
    const F64x16 second = __builtin_elementwise_fma(__builtin_elementwise_fma(-first, w, x), reciprocal, first);
    const F64x16 third = __builtin_elementwise_fma(__builtin_elementwise_fma(-second, w, x), reciprocal, second);
    return x == 0.0 ? first : third;  // keeps the sign of zero
#else
    return x / w;
#endif
}

/// Whether what is inside the view volume is inside the clip volume: then no distance of planeDistance() is negative,
/// as its products, rounded alike, are of the same order.
bool holdsViewVolume(const ClipSpace& space) {
    return space.scaleX >= 0 && kGuardBand - space.offsetX >= space.scaleX &&
           kGuardBand + space.offsetX >= space.scaleX && space.scaleY >= 0 &&
           kGuardBand - space.offsetY >= space.scaleY && kGuardBand + space.offsetY >= space.scaleY;
}

/// viewOutcode(), clipOutcode() and isFinite() of sixteen vertices.
I32x16 codesOf(const ClipSpace& space, const F32x16 (&p)[4]) {
    Mask16 finite = splat(-1);
    for (F32x16 c : p) finite &= (asInt(c) & 0x7F800000) != 0x7F800000;
    const I32x16 view = viewCode(p), codes = view | bitWhere(~finite, kNotFinite);
    if (!any(view != 0) && holdsViewVolume(space)) [[likely]]
        return codes;
    const F64x16 wide[4] = {toDouble(p[0]), toDouble(p[1]), toDouble(p[2]), toDouble(p[3])};
    return codes | clipCode(space, wide, kClipShift);
}

void loadPosition(const ShadedGroup& group, int half, F32x16 (&position)[4]) {
    for (int c = 0; c < 4; ++c)
        position[c] = group.position != nullptr ? load<F32x16>(group.position->lane[c] + half) : splat(0.0f);
}

uint32_t commonOutcode(const ShadedGroup& group, int lanes) {
    U32x16 common = splat(~0u);
    for (int half = 0; half < lanes; half += kBlockLanes) {
        F32x16 position[4];
        loadPosition(group, half, position);
        const U32x16 code = asUint(viewCode(position));
        const int used = lanes - half;
        common &= used < kBlockLanes ? code | ~asUint(fromBits((1u << used) - 1)) : code;
    }
    return __builtin_reduce_and(common) & kViewOutcode;
}

/// Codes and toWindow() of sixteen vertices, whose w are 1 if kIsFlat.
template <bool kIsFlat>
void project(const SetupState& state, const F32x16 (&p)[4], uint32_t first, const VertexArrays& arrays) {
    const F64x16 w = toDouble(p[3]), reciprocal = kIsFlat ? w : 1.0 / w;
    const ClipSpace& space = state.space;
    const auto overW = [&](F32x16 value) { return kIsFlat ? toDouble(value) : divide(toDouble(value), w, reciprocal); };
    const auto window = [&](double offset, double scale, F32x16 value) {
        return windowPosition(offset, scale, overW(value));
    };
    const F64x16 windowX = window(space.offsetX, space.scaleX, p[0]);
    const F64x16 windowY = window(space.offsetY, space.scaleY, p[1]);
    const I64x16 placed = hasPlace(w, windowX, windowY);
    store(arrays.code + first, asUint(codesOf(space, p) | bitWhere(~placed, kNoPlace)) & ~state.ignoredCodes);
    // Vertices without a place get 0, so that every conversion is in range.
    const auto fixed = [&](F64x16 value) {
        const F64x16 safe = __builtin_bit_cast(F64x16, __builtin_bit_cast(I64x16, value) & placed);
        return __builtin_convertvector(__builtin_elementwise_roundeven(safe), I32x16);
    };
    store(arrays.x + first, fixed(windowX));
    store(arrays.y + first, fixed(windowY));
    store(arrays.z + first, state.offsetZ + state.scaleZ * overW(p[2]));
    store(arrays.inverseW + first, reciprocal);
}

/// Four floats of each lane into the records, at float `at` of each.
void scatter(const isa::GroupRegister* from, int lanes, float* records, int stride, int at) {
    for (int lane = 0; lane < lanes; lane += 4) {
        Four four{};
        if (from != nullptr)
            for (int c = 0; c < 4; ++c) four.row[c] = load4(from->lane[c] + lane);
        four = transpose(four);
        for (int i = 0; i < 4; ++i) store4(records + static_cast<int64_t>(lane + i) * stride + at, four.row[i]);
    }
}

void finishGroup(const SetupState& state, const ShadedGroup& group, int lanes, uint32_t first,
                 const VertexArrays& arrays) {
    for (int half = 0; half < lanes; half += kBlockLanes) {
        F32x16 position[4];
        loadPosition(group, half, position);
        const uint32_t used = lanes - half < kBlockLanes ? (1u << (lanes - half)) - 1 : 0xFFFF;
        const bool isFlat = (toBits(position[3] != 1.0f) & used) == 0;
        (isFlat ? project<true> : project<false>)(state, position, first + half, arrays);
        const F32x16 size = group.pointSize ? load<F32x16>(group.pointSize->lane[0] + half) : splat(1.0f);
        store(arrays.pointSize + first + half, size);
    }
    float* records = arrays.records + static_cast<int64_t>(first) * arrays.stride;
    scatter(group.position, lanes, records, arrays.stride, 0);
    for (int i = 0; i < group.varyings; ++i) scatter(group.varying[i], lanes, records, arrays.stride, 4 + 4 * i);
}

// --- Setup ---

// Several triangles at a time, a lane for each, up to their gradients; then triangle by triangle, a lane for each
// plane.

// Lanes are as many as a register has doubles. With eight lanes on x86-64-v3 half of the moves would be spills.
#if defined(__AVX512F__)
constexpr int kLanes = 8;
using SetupInt = I32x8;
using SetupSingle = F32x8;
using LaneNumbers = U32x8;

/// Puts the two integers of each lane side by side, as they lie in memory.
I64x8 pair(I32x8 first, I32x8 second) {
    const auto low = __builtin_shufflevector(first, second, 0, 8, 1, 9, 2, 10, 3, 11);
    const auto high = __builtin_shufflevector(first, second, 4, 12, 5, 13, 6, 14, 7, 15);
    return __builtin_bit_cast(I64x8,
                              __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15));
}

/// Rows to columns.
void transpose(I64x8* m) {
    I64x8 pairs[8], fours[8];
    for (int i = 0; i < 8; i += 2) {
        pairs[i] = __builtin_shufflevector(m[i], m[i + 1], 0, 8, 2, 10, 4, 12, 6, 14);
        pairs[i + 1] = __builtin_shufflevector(m[i], m[i + 1], 1, 9, 3, 11, 5, 13, 7, 15);
    }
    for (int i = 0; i < 8; i += (i & 1) != 0 ? 3 : 1) {
        fours[i] = __builtin_shufflevector(pairs[i], pairs[i + 2], 0, 1, 8, 9, 4, 5, 12, 13);
        fours[i + 2] = __builtin_shufflevector(pairs[i], pairs[i + 2], 2, 3, 10, 11, 6, 7, 14, 15);
    }
    for (int i = 0; i < 4; ++i) {
        m[i] = __builtin_shufflevector(fours[i], fours[i + 4], 0, 1, 2, 3, 8, 9, 10, 11);
        m[i + 4] = __builtin_shufflevector(fours[i], fours[i + 4], 4, 5, 6, 7, 12, 13, 14, 15);
    }
}
#else
constexpr int kLanes = 4;
using SetupInt = I32x4;
using SetupSingle = F32x4;
struct LaneNumbers {
    uint32_t number[kLanes];
    uint32_t operator[](uint32_t lane) const { return number[lane]; }
};

I64x4 pair(I32x4 first, I32x4 second) {
    const auto low = __builtin_shufflevector(first, second, 0, 4, 1, 5);
    const auto high = __builtin_shufflevector(first, second, 2, 6, 3, 7);
    return __builtin_bit_cast(I64x4, __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7));
}

void transpose(I64x4* m) {
    const I64x4 even01 = __builtin_shufflevector(m[0], m[1], 0, 4, 2, 6),
                odd01 = __builtin_shufflevector(m[0], m[1], 1, 5, 3, 7);
    const I64x4 even23 = __builtin_shufflevector(m[2], m[3], 0, 4, 2, 6),
                odd23 = __builtin_shufflevector(m[2], m[3], 1, 5, 3, 7);
    m[0] = __builtin_shufflevector(even01, even23, 0, 1, 4, 5);
    m[1] = __builtin_shufflevector(odd01, odd23, 0, 1, 4, 5);
    m[2] = __builtin_shufflevector(even01, even23, 2, 3, 6, 7);
    m[3] = __builtin_shufflevector(odd01, odd23, 2, 3, 6, 7);
}
#endif
using SetupInteger = Wide<SetupInt>::Integer;
using SetupReal = Wide<SetupInt>::Real;

// A primitive is written as rows of 64-bit integers.
static_assert(offsetof(SetupPrimitive, kind) == 0 && offsetof(SetupPrimitive, edgeCount) == 1 &&
              offsetof(SetupPrimitive, frontFacing) == 2 && offsetof(SetupPrimitive, firstPlane) == 4);
static_assert(offsetof(SetupPrimitive, minX) == 8 && offsetof(SetupPrimitive, minY) == 10 &&
              offsetof(SetupPrimitive, maxX) == 12 && offsetof(SetupPrimitive, maxY) == 14 &&
              offsetof(SetupPrimitive, originX) == 16 && offsetof(SetupPrimitive, originY) == 20 &&
              offsetof(SetupPrimitive, coverage) == 24);
static_assert(offsetof(SetupPrimitive, depth) == 32 && offsetof(SetupPrimitive, inverseW) == 44 &&
              offsetof(Plane, base) == 0 && offsetof(Plane, dx) == 4 && offsetof(Plane, dy) == 8);
static_assert(offsetof(SetupPrimitive, edge) == 56 && sizeof(Edge) == 24 &&
              static_cast<int>(PrimitiveKind::Polygon) == 0);
constexpr int kPrimitiveRows = 16;

/// The first `count` of kLanes triangles, from a vector of each 64 bits of theirs.
void storePrimitives(SetupInteger (&row)[kPrimitiveRows], uint32_t count, SetupPrimitive* primitives) {
    alignas(64) std::byte spare[kPrimitiveRows * sizeof(int64_t)];  // for lanes left over
    std::byte* to[kLanes];
    for (uint32_t i = 0; i < kLanes; ++i) to[i] = i < count ? reinterpret_cast<std::byte*>(primitives + i) : spare;
    for (int first = 0; first < kPrimitiveRows; first += kLanes) {
        transpose(row + first);
        for (int i = 0; i < kLanes; ++i)
            __builtin_memcpy(to[i] + first * sizeof(int64_t), &row[first + i], sizeof(SetupInteger));
    }
}

/// kLanes triangles between the two halves of setup.
struct TriangleGroup {
    LaneNumbers vertex[3];
    /// Read one by one where they are: a copy would be loaded before its stores have ended.
    alignas(64) Gradients<double[kLanes]> gradients;
};

void storeLanes(double* to, SetupReal value) { __builtin_memcpy(to, &value, sizeof value); }

// Elements of an array by their numbers. Below AVX-512 numbers are scalars that address loads: a gather is no faster,
// and much slower on some processors.
#if defined(__AVX512F__)
LaneNumbers pickNumbers(const uint32_t* base, const uint32_t* index) {
    U32x8 numbers;
    __builtin_memcpy(&numbers, index, sizeof numbers);
    return __builtin_bit_cast(U32x8, gather(reinterpret_cast<const int32_t*>(base), numbers));
}
template <class Lanes, class T>
Lanes pick(const T* base, LaneNumbers index) {
    return gather(base, index);
}
#else
LaneNumbers pickNumbers(const uint32_t* base, const uint32_t* index) {
    return {{base[index[0]], base[index[1]], base[index[2]], base[index[3]]}};
}
template <class Lanes, class T>
Lanes pick(const T* base, const LaneNumbers& index) {
    return Lanes{base[index[0]], base[index[1]], base[index[2]], base[index[3]]};
}
#endif

/// Everything but the attribute planes of the first `count` triangles of a group.
void setupPrimitives(const SetupState& state, const VertexArrays& arrays, SetupInt firstPlane, SetupInteger coverage,
                     uint32_t count, SetupPrimitive* primitives, TriangleGroup& group) {
    using Int = SetupInt;
    using Real = SetupReal;
    Int x[3], y[3];
    Real z[3], inverseW[3];
    for (int corner = 0; corner < 3; ++corner) {
        const LaneNumbers index = group.vertex[corner];
        x[corner] = pick<Int>(arrays.x, index), y[corner] = pick<Int>(arrays.y, index);
        z[corner] = pick<Real>(arrays.z, index), inverseW[corner] = pick<Real>(arrays.inverseW, index);
    }
    const BoundsLanes<Int> box = pixelsOf<Int>(state, {least(x), least(y), most(x), most(y)});
    const BoundsLanes<Int> bounds = within(box, state.bounds);
    const OriginLanes<Int> origin = originOf(state, box);
    const Real area = signedArea(x, y);
    const Gradients<Real> g = triangleGradients(x, y, area, origin);
    storeLanes(group.gradients.dx1, g.dx1), storeLanes(group.gradients.dx2, g.dx2);
    storeLanes(group.gradients.dy1, g.dy1), storeLanes(group.gradients.dy2, g.dy2);
    storeLanes(group.gradients.originX, g.originX), storeLanes(group.gradients.originY, g.originY);
    const auto depth = makePlane<SetupSingle>(g, z[0], z[1], z[2], polygonOffset(state, g, z[0], z[1], z[2]));
    const auto reciprocal = makePlane<SetupSingle>(g, inverseW[0], inverseW[1], inverseW[2], Real{});

    const Int isPositive = __builtin_convertvector(area > 0.0, Int);
    const Int isFront = isPositive ^ (state.frontIsClockwise ? -1 : 0);
    const Int secondX = choose(isPositive, x[1], x[2]), secondY = choose(isPositive, y[1], y[2]);
    const Int thirdX = choose(isPositive, x[2], x[1]), thirdY = choose(isPositive, y[2], y[1]);
    const auto first = makeEdge(x[0], y[0], secondX, secondY);  // counter-clockwise
    const auto second = makeEdge(secondX, secondY, thirdX, thirdY);
    const auto third = makeEdge(thirdX, thirdY, x[0], y[0]);
    const auto floats = [](SetupSingle a, SetupSingle b) {
        return pair(__builtin_bit_cast(Int, a), __builtin_bit_cast(Int, b));
    };
    SetupInteger row[kPrimitiveRows] = {pair((isFront & 1 << 16) | 3 << 8, firstPlane),
                                        pair(bounds.minX | bounds.minY << 16, bounds.maxX | bounds.maxY << 16),
                                        pair(origin.x, origin.y),
                                        coverage,
                                        floats(depth.base, depth.dx),
                                        floats(depth.dy, reciprocal.base),
                                        floats(reciprocal.dx, reciprocal.dy),
                                        first.a,
                                        first.b,
                                        first.c,
                                        second.a,
                                        second.b,
                                        second.c,
                                        third.a,
                                        third.b,
                                        third.c};
    storePrimitives(row, count, primitives);
}

F64x8 join(F64x4 low, F64x4 high) { return __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7); }

/// Four as Plane[4].
void storePlanes(F32x4 base, F32x4 dx, F32x4 dy, Plane* to) {
    const F32x4 baseX = __builtin_shufflevector(base, dx, 0, 4, 1, 5);   // b0 x0 b1 x1
    const F32x4 baseX2 = __builtin_shufflevector(base, dx, 2, 6, 3, 7);  // b2 x2 b3 x3
    auto* floats = reinterpret_cast<float*>(to);
    store4(floats, __builtin_shufflevector(baseX, __builtin_shufflevector(dy, dy, 0, 0, 1, 1), 0, 1, 4, 2));
    store4(floats + 4, __builtin_shufflevector(__builtin_shufflevector(baseX, dy, 3, 5, -1, -1), baseX2, 0, 1, 4, 5));
    store4(floats + 8, __builtin_shufflevector(dy, baseX2, 2, 6, 7, 3));
}
void storePlanes(const PlaneLanes<F32x4>& p, Plane* to) { storePlanes(p.base, p.dx, p.dy, to); }
void storePlanes(const PlaneLanes<F32x8>& p, Plane* to) {
    const auto lower = [](F32x8 v) { return __builtin_shufflevector(v, v, 0, 1, 2, 3); };
    const auto upper = [](F32x8 v) { return __builtin_shufflevector(v, v, 4, 5, 6, 7); };
    storePlanes(lower(p.base), lower(p.dx), lower(p.dy), to);
    storePlanes(upper(p.base), upper(p.dx), upper(p.dy), to + 4);
}
static_assert(sizeof(Plane) == 12);

/// Attribute / w of a vertex.
F64x4 attributesOverW(const VertexArrays& arrays, uint32_t vertex, int at) {
    const float* attributes = arrays.records + static_cast<int64_t>(vertex) * arrays.stride + 4;
    return __builtin_convertvector(load4(attributes + at), F64x4) * arrays.inverseW[vertex];
}

/// The gradients of triangle `i` of a group, the same in each lane.
template <class Lanes>
Gradients<Lanes> gradientsOf(const TriangleGroup& group, uint32_t i) {
    const auto& all = group.gradients;
    return {Lanes(all.dx1[i]), Lanes(all.dx2[i]),     Lanes(all.dy1[i]),
            Lanes(all.dy2[i]), Lanes(all.originX[i]), Lanes(all.originY[i])};
}

/// The attribute planes of triangle `i` of a group, two varyings at a time.
void setupAttributes(const VertexArrays& arrays, int floats, const TriangleGroup& group, uint32_t i, Plane* planes) {
    const uint32_t v[3] = {group.vertex[0][i], group.vertex[1][i], group.vertex[2][i]};
    int at = 0;
    for (; at + 4 < floats; at += 8) {
        const auto values = [&](int corner) {
            return join(attributesOverW(arrays, v[corner], at), attributesOverW(arrays, v[corner], at + 4));
        };
        storePlanes(makePlane<F32x8>(gradientsOf<F64x8>(group, i), values(0), values(1), values(2), F64x8{}),
                    planes + at);
    }
    if (at == floats) return;
    const auto values = [&](int corner) { return attributesOverW(arrays, v[corner], at); };
    storePlanes(makePlane<F32x4>(gradientsOf<F64x4>(group, i), values(0), values(1), values(2), F64x4{}), planes + at);
}

/// The same of flat varyings, whose other planes are lost.
void setupFlat(const VertexArrays& arrays, uint32_t flat, uint32_t provoking, Plane* planes) {
    const float* const attributes = arrays.records + static_cast<int64_t>(provoking) * arrays.stride + 4;
    for (; flat != 0; flat &= flat - 1) {
        const int at = 4 * __builtin_ctz(flat);
        const F32x4 values = load4(attributes + at);
        storePlanes(values, F32x4{}, F32x4{}, planes + at);
    }
}

/// Takes a run of groups through setup in two halves, each for all of them, so that the latencies of one group hide
/// behind the work of the next.
void setup(const SetupState& state, const VertexArrays& vertices, const TriangleCorners& triangles,
           const uint32_t* list, const uint64_t* coverage, uint32_t count, SetupPrimitive* primitives, Plane* planes,
           uint32_t firstPlane) {
    const VertexArrays arrays = vertices;  // addresses that no store changes
    constexpr uint32_t kRunGroups = 32 / kLanes;
    const auto floats = static_cast<uint32_t>(state.attributeFloats);
    const uint32_t flat = state.flatVaryings;
    SetupInt places;
    for (int lane = 0; lane < kLanes; ++lane) places[lane] = static_cast<int>(floats) * lane;
    TriangleGroup groups[kRunGroups];
    for (uint32_t run = 0; run < count; run += kRunGroups * kLanes) {
        const uint32_t end = count - run < kRunGroups * kLanes ? count : run + kRunGroups * kLanes;
        for (uint32_t first = run; first < end; first += kLanes) {
            const uint32_t used = end - first < kLanes ? end - first : kLanes;
            const uint32_t* numbers = list + first;
            uint32_t padded[kLanes];
            SetupInteger covered{};
            if (used < kLanes) {
                for (uint32_t lane = 0; lane < kLanes; ++lane) padded[lane] = numbers[lane < used ? lane : 0];
                for (uint32_t lane = 0; lane < used; ++lane)
                    covered[lane] = static_cast<int64_t>(coverage[first + lane]);
                numbers = padded;
            } else {
                __builtin_memcpy(&covered, coverage + first, sizeof covered);
            }
            TriangleGroup& group = groups[(first - run) / kLanes];
            for (int corner = 0; corner < 3; ++corner)
                group.vertex[corner] = pickNumbers(triangles.corner[corner], numbers);
            setupPrimitives(state, arrays, places + static_cast<int>(firstPlane + first * floats), covered, used,
                            primitives + first, group);
        }
        Plane* to = planes + size_t{run} * floats;
        for (uint32_t i = 0; i < end - run && floats != 0; ++i, to += floats) {
            const TriangleGroup& group = groups[i / kLanes];
            setupAttributes(arrays, state.attributeFloats, group, i % kLanes, to);
            if (flat != 0) [[unlikely]]
                setupFlat(arrays, flat, group.vertex[2][i % kLanes], to);
        }
    }
}

}  // namespace

GeometryFunctions geometryFunctions();
GeometryFunctions geometryFunctions() { return {elements, fetch, commonOutcode, finishGroup, cull, setup}; }

}  // namespace TESSERA_SIMD

}  // namespace tessera::pipeline
