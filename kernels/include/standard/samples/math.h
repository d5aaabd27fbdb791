// Arithmetic of CUDA's vectors of two, three and four numbers, as files copied from NVIDIA's samples take it from helper_math.h.
#pragma once

#define WORKBOOK_VECTOR2(V, T)                                                                            \
    constexpr V make_##V(T s) { return {s, s}; }                                                           \
    constexpr V operator-(V a) { return {T(-a.x), T(-a.y)}; }                                              \
    constexpr T dot(V a, V b) { return a.x * b.x + a.y * b.y; }                                            \
    WORKBOOK_EACH(V, T, WORKBOOK_OPERATOR2)
#define WORKBOOK_VECTOR3(V, T)                                                                            \
    constexpr V make_##V(T s) { return {s, s, s}; }                                                        \
    constexpr V operator-(V a) { return {T(-a.x), T(-a.y), T(-a.z)}; }                                     \
    constexpr T dot(V a, V b) { return a.x * b.x + a.y * b.y + a.z * b.z; }                                \
    WORKBOOK_EACH(V, T, WORKBOOK_OPERATOR3)
#define WORKBOOK_VECTOR4(V, T)                                                                            \
    constexpr V make_##V(T s) { return {s, s, s, s}; }                                                     \
    constexpr V operator-(V a) { return {T(-a.x), T(-a.y), T(-a.z), T(-a.w)}; }                            \
    constexpr T dot(V a, V b) { return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w; }                    \
    WORKBOOK_EACH(V, T, WORKBOOK_OPERATOR4)
#define WORKBOOK_EACH(V, T, OPERATOR) OPERATOR(V, T, +) OPERATOR(V, T, -) OPERATOR(V, T, *) OPERATOR(V, T, /)
#define WORKBOOK_OPERATOR2(V, T, op)                                                                      \
    constexpr V operator op(V a, V b) { return {T(a.x op b.x), T(a.y op b.y)}; }                           \
    constexpr V operator op(V a, T b) { return {T(a.x op b), T(a.y op b)}; }                               \
    constexpr V operator op(T a, V b) { return {T(a op b.x), T(a op b.y)}; }                               \
    WORKBOOK_ASSIGNED(V, T, op)
#define WORKBOOK_OPERATOR3(V, T, op)                                                                      \
    constexpr V operator op(V a, V b) { return {T(a.x op b.x), T(a.y op b.y), T(a.z op b.z)}; }            \
    constexpr V operator op(V a, T b) { return {T(a.x op b), T(a.y op b), T(a.z op b)}; }                  \
    constexpr V operator op(T a, V b) { return {T(a op b.x), T(a op b.y), T(a op b.z)}; }                  \
    WORKBOOK_ASSIGNED(V, T, op)
#define WORKBOOK_OPERATOR4(V, T, op)                                                                      \
    constexpr V operator op(V a, V b) {                                                                    \
        return {T(a.x op b.x), T(a.y op b.y), T(a.z op b.z), T(a.w op b.w)};                               \
    }                                                                                                      \
    constexpr V operator op(V a, T b) { return {T(a.x op b), T(a.y op b), T(a.z op b), T(a.w op b)}; }     \
    constexpr V operator op(T a, V b) { return {T(a op b.x), T(a op b.y), T(a op b.z), T(a op b.w)}; }     \
    WORKBOOK_ASSIGNED(V, T, op)
#define WORKBOOK_ASSIGNED(V, T, op)                                                                       \
    constexpr void operator op##=(V& a, V b) { a = a op b; }                                               \
    constexpr void operator op##=(V& a, T b) { a = a op b; }

WORKBOOK_VECTOR2(float2, float)
WORKBOOK_VECTOR2(int2, int)
WORKBOOK_VECTOR2(uint2, uint)
WORKBOOK_VECTOR3(float3, float)
WORKBOOK_VECTOR3(int3, int)
WORKBOOK_VECTOR3(uint3, uint)
WORKBOOK_VECTOR4(float4, float)
WORKBOOK_VECTOR4(int4, int)
WORKBOOK_VECTOR4(uint4, uint)

#undef WORKBOOK_VECTOR2
#undef WORKBOOK_VECTOR3
#undef WORKBOOK_VECTOR4
#undef WORKBOOK_EACH
#undef WORKBOOK_OPERATOR2
#undef WORKBOOK_OPERATOR3
#undef WORKBOOK_OPERATOR4
#undef WORKBOOK_ASSIGNED

constexpr float3 make_float3(float2 a, float z) { return {a.x, a.y, z}; }
constexpr float3 make_float3(float4 a) { return {a.x, a.y, a.z}; }
constexpr float3 make_float3(int3 a) { return {float(a.x), float(a.y), float(a.z)}; }
constexpr float4 make_float4(float3 a, float w = 0) { return {a.x, a.y, a.z, w}; }
constexpr int3 make_int3(float3 a) { return {int(a.x), int(a.y), int(a.z)}; }

inline float clamp(float v, float low, float high) { return fmaxf(low, fminf(v, high)); }
inline int clamp(int v, int low, int high) { return v < low ? low : v > high ? high : v; }
inline unsigned int clamp(unsigned int v, unsigned int low, unsigned int high) {
    return v < low ? low : v > high ? high : v;
}
inline float3 clamp(float3 v, float low, float high) {
    return {clamp(v.x, low, high), clamp(v.y, low, high), clamp(v.z, low, high)};
}
inline float lerp(float a, float b, float t) { return a + t * (b - a); }
inline float3 lerp(float3 a, float3 b, float t) { return a + t * (b - a); }
inline float4 lerp(float4 a, float4 b, float t) { return a + t * (b - a); }
inline float length(float2 v) { return sqrtf(dot(v, v)); }
inline float length(float3 v) { return sqrtf(dot(v, v)); }
inline float length(float4 v) { return sqrtf(dot(v, v)); }
inline float3 normalize(float3 v) { return v * rsqrtf(dot(v, v)); }
inline float3 fminf(float3 a, float3 b) { return {fminf(a.x, b.x), fminf(a.y, b.y), fminf(a.z, b.z)}; }
inline float3 fmaxf(float3 a, float3 b) { return {fmaxf(a.x, b.x), fmaxf(a.y, b.y), fmaxf(a.z, b.z)}; }
