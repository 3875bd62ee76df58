// Operations with machine code of their own, by the names of the tables of lanes/operation_table.inc.h.

#include "kernels/emulator/translate/generator.h"

#ifdef LANESCOPE_TRANSLATES

#include <string_view>
#include <unordered_map>

#include "kernels/emulator/lanes/operations.h"

namespace lanescope::emulator {

namespace {

using V = Generator::Vector;

/// d = a * b + c
void multiply_add(Generator& g, const Op&, const V& d, const V& a, const V& b, const V& c) {
  if (d == c) return g.vfmadd231ps(d, a, b);
  if (d == a) return g.vfmadd213ps(d, b, c);
  if (d == b) return g.vfmadd213ps(d, a, c);
  g.vmovaps(d, c);
  g.vfmadd231ps(d, a, b);
}

// min and max of floats, as lanes/lane_math.h has them: one NaN gives the other operand, -0 < +0. Where operands are equal
// their bits are, but for zeros, whose signs are combined.
void lesser(Generator& g, const Op&, const V& d, const V& a, const V& b, const V&) {
  if (g.narrow()) {
    g.vminps(g.scratch(0), a, b);
    g.vcmpps(g.scratch(1), a, b, 0x00);
    g.vpand(g.scratch(1), g.scratch(1), a);
    g.vpor(g.scratch(0), g.scratch(0), g.scratch(1));
    g.vcmpps(g.scratch(1), b, b, 0x03);
    return g.vblendvps(d, g.scratch(0), a, g.scratch(1));
  }
  g.vminps(g.scratch(0), a, b);  // b where one is a NaN
  g.vcmpps(g.k3, a, b, 0x00);
  g.vpord(g.scratch(0) | g.k3, a, b);
  g.vcmpps(g.k3, b, b, 0x03);
  g.vmovaps(g.scratch(0) | g.k3, a);
  g.vmovaps(d, g.scratch(0));
}
void greater(Generator& g, const Op&, const V& d, const V& a, const V& b, const V&) {
  if (g.narrow()) {
    g.vmaxps(g.scratch(0), a, b);
    g.vcmpps(g.scratch(1), a, b, 0x04);
    g.vpor(g.scratch(1), g.scratch(1), a);
    g.vpand(g.scratch(0), g.scratch(0), g.scratch(1));
    g.vcmpps(g.scratch(1), b, b, 0x03);
    return g.vblendvps(d, g.scratch(0), a, g.scratch(1));
  }
  g.vmaxps(g.scratch(0), a, b);
  g.vcmpps(g.k3, a, b, 0x00);
  g.vpandd(g.scratch(0) | g.k3, a, b);
  g.vcmpps(g.k3, b, b, 0x03);
  g.vmovaps(g.scratch(0) | g.k3, a);
  g.vmovaps(d, g.scratch(0));
}

/// g.scratch(0): the sign bits.
void signs(Generator& g) {
  g.vpternlogd(g.scratch(0), g.scratch(0), g.scratch(0), 0xff);
  g.vpslld(g.scratch(0), g.scratch(0), 31);
}

#define EMIT(...)                                                                                      \
  [](Generator& g, [[maybe_unused]] const Op& op, const V& d, const V& a, [[maybe_unused]] const V& b, \
     [[maybe_unused]] const V& c) { __VA_ARGS__; }

struct Named {
  std::string_view key;
  NativeOperation operation;
};

// Bits of the result, sources, sources that are widened, whether these are signed, floats.
// clang-format off
const Named operations[] = {
    {"add.u32",      {32, 2, 0, false, false, EMIT(g.vpaddd(d, a, b))}},
    {"add.s32",      {32, 2, 0, false, false, EMIT(g.vpaddd(d, a, b))}},
    {"sub.u32",      {32, 2, 0, false, false, EMIT(g.vpsubd(d, a, b))}},
    {"sub.s32",      {32, 2, 0, false, false, EMIT(g.vpsubd(d, a, b))}},
    {"mul.lo.u32",   {32, 2, 0, false, false, EMIT(g.vpmulld(d, a, b))}},
    {"mul.lo.s32",   {32, 2, 0, false, false, EMIT(g.vpmulld(d, a, b))}},
    {"mad.lo.u32",   {32, 3, 0, false, false, EMIT(g.vpmulld(g.scratch(0), a, b); g.vpaddd(d, g.scratch(0), c))}},
    {"mad.lo.s32",   {32, 3, 0, false, false, EMIT(g.vpmulld(g.scratch(0), a, b); g.vpaddd(d, g.scratch(0), c))}},
    {"min.u32",      {32, 2, 0, false, false, EMIT(g.vpminud(d, a, b))}},
    {"min.s32",      {32, 2, 0, false, false, EMIT(g.vpminsd(d, a, b))}},
    {"max.u32",      {32, 2, 0, false, false, EMIT(g.vpmaxud(d, a, b))}},
    {"max.s32",      {32, 2, 0, false, false, EMIT(g.vpmaxsd(d, a, b))}},
    {"neg.s32",      {32, 1, 0, false, false, EMIT(g.vpxord(g.scratch(0), g.scratch(0), g.scratch(0)); g.vpsubd(d, g.scratch(0), a))}},
    {"abs.s32",      {32, 1, 0, false, false, EMIT(g.vpabsd(d, a))}},
    {"and.b32",      {32, 2, 0, false, false, EMIT(g.vpandd(d, a, b))}},
    {"or.b32",       {32, 2, 0, false, false, EMIT(g.vpord(d, a, b))}},
    {"xor.b32",      {32, 2, 0, false, false, EMIT(g.vpxord(d, a, b))}},
    {"not.b32",      {32, 1, 0, false, false, EMIT(g.vpternlogd(g.scratch(0), a, a, 0x55); g.vmovaps(d, g.scratch(0)))}},
    {"mov.b32",      {32, 1, 0, false, false, EMIT(if (d != a) g.vmovaps(d, a))}},
    {"shl.b32",      {32, 2, 0, false, false, EMIT(g.vpsllvd(d, a, b))}},
    {"shr.b32",      {32, 2, 0, false, false, EMIT(g.vpsrlvd(d, a, b))}},
    {"shr.u32",      {32, 2, 0, false, false, EMIT(g.vpsrlvd(d, a, b))}},
    {"shr.s32",      {32, 2, 0, false, false, EMIT(g.vpsravd(d, a, b))}},
    {"lop3.b32",     {32, 3, 0, false, false, EMIT(g.vmovaps(g.scratch(0), a); g.vpternlogd(g.scratch(0), b, c, static_cast<u8>(op.immediate)); g.vmovaps(d, g.scratch(0)))}},

    {"add.u64",      {64, 2, 0, false, false, EMIT(g.vpaddq(d, a, b))}},
    {"add.s64",      {64, 2, 0, false, false, EMIT(g.vpaddq(d, a, b))}},
    {"sub.u64",      {64, 2, 0, false, false, EMIT(g.vpsubq(d, a, b))}},
    {"sub.s64",      {64, 2, 0, false, false, EMIT(g.vpsubq(d, a, b))}},
    {"mul.lo.u64",   {64, 2, 0, false, false, EMIT(g.vpmullq(d, a, b))}},
    {"mul.lo.s64",   {64, 2, 0, false, false, EMIT(g.vpmullq(d, a, b))}},
    {"mad.lo.u64",   {64, 3, 0, false, false, EMIT(g.vpmullq(g.scratch(0), a, b); g.vpaddq(d, g.scratch(0), c))}},
    {"mad.lo.s64",   {64, 3, 0, false, false, EMIT(g.vpmullq(g.scratch(0), a, b); g.vpaddq(d, g.scratch(0), c))}},
    {"and.b64",      {64, 2, 0, false, false, EMIT(g.vpandq(d, a, b))}},
    {"or.b64",       {64, 2, 0, false, false, EMIT(g.vporq(d, a, b))}},
    {"xor.b64",      {64, 2, 0, false, false, EMIT(g.vpxorq(d, a, b))}},
    {"mov.b64",      {64, 1, 0, false, false, EMIT(if (d != a) g.vmovaps(d, a))}},
    {"shl.b64",      {64, 2, 2, false, false, EMIT(g.vpsllvq(d, a, b))}},
    {"shr.b64",      {64, 2, 2, false, false, EMIT(g.vpsrlvq(d, a, b))}},
    {"shr.u64",      {64, 2, 2, false, false, EMIT(g.vpsrlvq(d, a, b))}},
    {"shr.s64",      {64, 2, 2, false, false, EMIT(g.vpsravq(d, a, b))}},
    {"mul.wide.u32", {64, 2, 3, false, false, EMIT(g.vpmuludq(d, a, b))}},
    {"mul.wide.s32", {64, 2, 3, true,  false, EMIT(g.vpmuldq(d, a, b))}},
    {"mad.wide.u32", {64, 3, 3, false, false, EMIT(g.vpmuludq(g.scratch(0), a, b); g.vpaddq(d, g.scratch(0), c))}},
    {"mad.wide.s32", {64, 3, 3, true,  false, EMIT(g.vpmuldq(g.scratch(0), a, b); g.vpaddq(d, g.scratch(0), c))}},
    {"widen.u16",    {32, 1, 0, false, false, EMIT(g.vpslld(g.scratch(0), a, 16); g.vpsrld(d, g.scratch(0), 16))}},
    {"widen.s16",    {32, 1, 0, false, false, EMIT(g.vpslld(g.scratch(0), a, 16); g.vpsrad(d, g.scratch(0), 16))}},
    {"widen.u32",    {64, 1, 1, false, false, EMIT(g.vmovaps(d, a))}},
    {"widen.s32",    {64, 1, 1, true,  false, EMIT(g.vmovaps(d, a))}},

    {"add.f32",      {32, 2, 0, false, true,  EMIT(g.vaddps(d, a, b))}},
    {"sub.f32",      {32, 2, 0, false, true,  EMIT(g.vsubps(d, a, b))}},
    {"mul.f32",      {32, 2, 0, false, true,  EMIT(g.vmulps(d, a, b))}},
    {"div.f32",      {32, 2, 0, false, true,  EMIT(g.vdivps(d, a, b))}},
    {"sqrt.f32",     {32, 1, 0, false, true,  EMIT(g.vsqrtps(d, a))}},
    {"neg.f32",      {32, 1, 0, false, true,  EMIT(signs(g); g.vpxord(d, a, g.scratch(0)))}},
    {"abs.f32",      {32, 1, 0, false, true,  EMIT(signs(g); g.vpandnd(d, g.scratch(0), a))}},
    {"fma.f32",      {32, 3, 0, false, true,  multiply_add}},
    {"min.f32",      {32, 2, 0, false, true,  lesser}},
    {"max.f32",      {32, 2, 0, false, true,  greater}},
};

/// To the nearest, without any modifier.
struct NamedConversion {
  ptx::Type to, from;
  NativeOperation operation;
};
const NamedConversion conversions[] = {
    {ptx::Type::f32, ptx::Type::s32, {32, 1, 0, false, false, EMIT(g.vcvtdq2ps(d, a)), true}},
    {ptx::Type::f32, ptx::Type::u32, {32, 1, 0, false, false, EMIT(g.vcvtudq2ps(d, a)), true}},
};

using Type = NativeComparison::Type;
struct NamedComparison {
  std::string_view key;
  NativeComparison comparison;
};
#define ORDERED(t, type)                                                                            \
  {"eq." t, {type, 0}}, {"ne." t, {type, 4}}, {"lt." t, {type, 1}}, {"le." t, {type, 2}},           \
  {"gt." t, {type, 6}}, {"ge." t, {type, 5}}
const NamedComparison comparisons[] = {
    ORDERED("s32", Type::s32),
    ORDERED("u32", Type::u32),
    ORDERED("s64", Type::s64),
    ORDERED("u64", Type::u64),
    {"eq.f32",  {Type::f32, 0x00}}, {"ne.f32",  {Type::f32, 0x0c}}, {"lt.f32",  {Type::f32, 0x11}}, {"le.f32",  {Type::f32, 0x12}},
    {"gt.f32",  {Type::f32, 0x1e}}, {"ge.f32",  {Type::f32, 0x1d}}, {"equ.f32", {Type::f32, 0x08}}, {"neu.f32", {Type::f32, 0x04}},
    {"ltu.f32", {Type::f32, 0x19}}, {"leu.f32", {Type::f32, 0x1a}}, {"gtu.f32", {Type::f32, 0x16}}, {"geu.f32", {Type::f32, 0x15}},
    {"num.f32", {Type::f32, 0x07}}, {"nan.f32", {Type::f32, 0x03}},
};
// clang-format on

/// Functions of the tables lead to the rows here. Where two operations are one function, they compute the same.
template <class Function, class Row, class Find>
std::unordered_map<Function, const Row*> by_function(const auto& rows, Find find, auto member) {
  std::unordered_map<Function, const Row*> out;
  for (const auto& r : rows)
    if (const Function f = find(r.key); f != nullptr) out.emplace(f, &(r.*member));
  return out;
}

}  // namespace

const NativeOperation* native_operation(const Op& op) {
  static const auto all = [] {
    auto found = by_function<Exec, NativeOperation>(operations, find_lane_operation, &Named::operation);
    for (const NamedConversion& c : conversions) found.emplace(find_conversion(c.to, c.from), &c.operation);
    return found;
  }();
  const auto found = all.find(op.exec);
  if (found == all.end()) return nullptr;
  const bool is_plain = op.immediate == (convert_rn | 32u << convert_register_shift);
  return found->second->converts && !is_plain ? nullptr : found->second;
}

const NativeComparison* native_comparison(Compare compare) {
  static const auto all =
      by_function<Compare, NativeComparison>(comparisons, find_lane_comparison, &NamedComparison::comparison);
  const auto found = all.find(compare);
  return found == all.end() ? nullptr : found->second;
}

}  // namespace lanescope::emulator

#endif
