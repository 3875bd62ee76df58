#include "kernels/emulator/decode/decoder.h"

#include <algorithm>
#include <initializer_list>
#include <string>
#include <unordered_map>
#include <unordered_set>

#include "kernels/base/text.h"
#include "kernels/ptx/names.h"

namespace lanescope::emulator {
namespace {

// Parts separated by blanks; types are known by themselves.
constexpr std::string_view scopes = "cta cluster gpu sys ";
constexpr std::string_view spaces =
    "global shared shared::cta shared::cluster local const param param::entry param::func ";
constexpr std::string_view levels =
    "L1::evict_normal L1::evict_unchanged L1::evict_first L1::evict_last L1::no_allocate "
    "L2::evict_normal L2::evict_first L2::evict_last L2::cache_hint L2::64B L2::128B L2::256B ";
constexpr std::string_view vectors = "v2 v4 v8 ";
constexpr std::string_view rounding = "rn rz rm rp rna rs ";
constexpr std::string_view comparisons =
    "eq ne lt le gt ge lo ls hi hs equ neu ltu leu gtu geu num nan and or xor ftz ";
constexpr std::string_view carries = "cc lo hi ";

using Parts = std::unordered_set<std::string_view>;

Parts parts_of(std::initializer_list<std::string_view> lists) {
  Parts out;
  for (std::string_view list : lists)
    while (!(list = without_indent(list)).empty()) {
      const std::size_t end = std::min(list.find(' '), list.size());
      out.insert(list.substr(0, end));
      list.remove_prefix(end);
    }
  return out;
}

const std::unordered_map<std::string_view, Parts>& table() {
  static const std::unordered_map<std::string_view, Parts> all = [] {
    std::unordered_map<std::string_view, Parts> t;
    const auto add = [&](std::initializer_list<std::string_view> opcodes,
                         std::initializer_list<std::string_view> parts) {
      for (const std::string_view opcode : opcodes) t.emplace(opcode, parts_of(parts));
    };
    add({"ld", "ldu"},
        {scopes, spaces, levels, vectors, "weak volatile relaxed acquire mmio nc ca cg cs lu cv unified"});
    add({"st"}, {scopes, spaces, levels, vectors,
                 "async bulk mbarrier::complete_tx::bytes weak volatile relaxed release mmio wb cg cs wt"});
    add({"atom", "red"},
        {scopes, spaces, vectors,
         "async mbarrier::complete_tx::bytes mmio relaxed acquire release acq_rel add and or xor cas exch "
         "inc dec min max noftz L2::cache_hint"});
    add({"alloca", "stacksave", "stackrestore"}, {});
    add({"wgmma"}, {"mma_async sp fence commit_group wait_group sync aligned satfinite and popc e4m3 e5m2"});
    add({"cp"},
        {"bulk bulk_group mbarrier arrive noinc prefetch L2 wait_group read reduce add min max and or xor inc dec "
         "noftz mbarrier::complete_tx::bytes shared::cluster multicast::cluster "
         "async ca cg shared shared::cta global L2::cache_hint L2::64B L2::128B L2::256B commit_group wait_group "
         "wait_all"});
    add({"ldmatrix", "stmatrix", "movmatrix"}, {"sync aligned m8n8 x1 x2 x4 trans shared shared::cta"});
    add({"wmma"},
        {"load store mma a b c d sync aligned row col m16n16k16 m8n32k16 m32n8k16 m16n16k8 m8n8k4 m8n8k32 m8n8k128 "
         "global shared shared::cta satfinite xor and popc rn rz rm rp"});
    add({"clusterlaunchcontrol"},
        {"try_cancel async mbarrier::complete_tx::bytes shared::cta query_cancel is_canceled v4 get_first_ctaid "
         "get_first_ctaid::x get_first_ctaid::y get_first_ctaid::z"});
    add({"mbarrier"}, {scopes,
                       "init inval arrive arrive_drop expect_tx complete_tx test_wait try_wait pending_count "
                       "noComplete parity acquire "
                       "release relaxed shared shared::cta shared::cluster"});
    add({"mma"},
        {"sync aligned row col satfinite xor and popc sp sp::ordered_metadata block_scale kind::f8f6f4 kind::mxf4 "
         "kind::mxf4nvf4 kind::mxf8f6f4 scale_vec::1X scale_vec::2X scale_vec::4X ue8m0 ue4m3 e4m3 "
         "e5m2 e3m2 e2m3 e2m1 "
         "m16n8k4 m16n8k8 m16n8k16 m16n8k32 m16n8k64 m16n8k128 m16n8k256 m8n8k4 m8n8k16 m8n8k32 m8n8k128"});
    add({"bra", "call", "ret", "brx"}, {"uni idx"});
    add({"exit", "trap", "brkpt"}, {});
    add({"bar", "barrier"}, {"cta warp cluster sync arrive wait red popc and or aligned release relaxed acquire"});
    add({"shfl"}, {"sync up down bfly idx"});
    add({"vote", "match"}, {"sync all any uni ballot"});
    add({"activemask"}, {});
    add({"mapa", "getctarank"}, {spaces});
    add({"redux"}, {"sync add min max and or xor abs NaN"});
    add({"elect"}, {"sync"});
    add({"membar", "fence"},
        {scopes,
         "gl sc acq_rel acquire release relaxed proxy alias async global shared shared::cta shared::cluster "
         "mbarrier_init generic async::generic tensormap::generic sync_restrict::shared::cta "
         "sync_restrict::shared::cluster"});
    add({"nanosleep", "pmevent"}, {"mask"});
    add({"griddepcontrol"}, {"launch_dependents wait"});
    add({"prefetch", "prefetchu", "discard", "applypriority"},
        {spaces, "L1 L2 tensormap L2::evict_last L2::evict_normal"});
    add({"setmaxnreg"}, {"inc dec sync aligned"});
    add({"createpolicy"}, {"fractional range cvt global L2 L2::evict_last L2::evict_normal L2::evict_first "
                           "L2::evict_unchanged"});
    add({"cvta"}, {spaces, "to"});
    add({"isspacep"}, {spaces});
    add({"mov", "szext", "bmsk", "shf", "shl", "shr", "bfe", "bfi"}, {vectors, "l r clamp wrap"});
    add({"selp", "slct"}, {"ftz"});
    add({"set", "setp"}, {comparisons});
    add({"testp"}, {"finite infinite number notanumber normal subnormal"});
    add({"cvt"}, {rounding, "rni rzi rmi rpi ftz sat relu satfinite scaled::n2::ue8m0 pack"});
    add({"prmt"}, {"f4e b4e rc8 ecl ecr rc16"});
    add({"lop3", "and", "or", "xor", "not", "cnot"}, {"and or"});
    add({"brev", "clz", "popc", "bfind", "fns"}, {"shiftamt"});
    add({"dp4a", "dp2a"}, {"lo hi"});
    add({"vadd", "vsub", "vabsdiff", "vmin", "vmax", "vadd2", "vsub2", "vavrg2", "vabsdiff2", "vmin2", "vmax2", "vadd4",
         "vsub4", "vavrg4", "vabsdiff4", "vmin4", "vmax4"},
        {"sat add min max"});
    add({"vshl", "vshr"}, {"sat add min max clamp wrap"});
    add({"vmad"}, {"sat po shr7 shr15"});
    add({"vset", "vset2", "vset4"}, {"eq ne lt le gt ge add min max"});
    add({"add",   "sub",  "mul", "mad",      "fma",  "div",  "rem",  "min",   "max", "neg", "abs", "sad", "mul24",
         "mad24", "sqrt", "rcp", "copysign", "addc", "subc", "madc", "rsqrt", "sin", "cos", "lg2", "ex2", "tanh"},
        {rounding, carries, "wide sat satfinite relu approx full ftz noftz xorsign abs NaN oob"});
    return t;
  }();
  return all;
}

/// Parts that exclude or need others; words are separated by blanks. An instruction of `opcodes` with a part of `given` has no
/// part of `excluded`, one of `needed`, and a last type of `types` (empty: any). Source: PTX ISA 9.0, and what ptxas 13.0 refuses.
struct Combination {
  std::string_view opcodes, given, excluded, needed, types, why;
};
constexpr std::string_view unordered = "local const param param::entry param::func";
constexpr std::string_view not_global = "shared shared::cta shared::cluster local const param param::entry param::func";
constexpr std::string_view orders = "relaxed acquire release";
constexpr std::string_view floats = "f16 f16x2 bf16 bf16x2 f32 f64";
constexpr std::string_view numbers = "u16 s16 u32 s32 u64 s64 f16 f16x2 bf16 bf16x2 f32 f64";
constexpr std::string_view queries =
    "is_canceled get_first_ctaid get_first_ctaid::x get_first_ctaid::y get_first_ctaid::z";
constexpr std::string_view other_type = "it has no elements of this type", hint = "cache hints need global memory";
constexpr Combination combinations[] = {
    {"ld st", levels, not_global, {}, {}, hint},
    {"atom red", "L2::cache_hint", not_global, {}, {}, hint},
    {"ld st", "relaxed acquire release mmio volatile", unordered, {}, {}, "this state space has no order"},
    {"atom red", "and or xor", {}, {}, "b32 b64", other_type},
    {"atom red cp", "inc dec", {}, {}, "u32", other_type},
    {"atom", "exch", {}, {}, "b32 b64 b128", other_type},
    {"atom", "cas", {}, {}, "b16 b32 b64 b128", other_type},
    {"atom red cp", "min max", {}, {}, "u32 s32 u64 s64 f16 f16x2 bf16 bf16x2", other_type},
    {"atom red cp", "add", "b32 b64", {}, {}, other_type},
    {"atom", "s64", {}, "min max", {}, other_type},
    {"red", "s64", {}, "min max async", {}, other_type},
    {"red", "mmio", {}, "async", {}, "only red.async has .mmio"},
    {"atom", "mmio", "mmio", {}, {}, "only red.async has .mmio"},
    {"cp", "and or xor", "u32 s32 u64 s64", {}, {}, other_type},
    {"set setp", "lt le gt ge", {}, {}, numbers, other_type},
    {"set setp", "lo ls hi hs", {}, {}, "u16 u32 u64", other_type},
    {"set setp", "equ neu ltu leu gtu geu num nan", {}, {}, floats, other_type},
    {"set setp", "ftz", {}, {}, "f16 f16x2 f32", "this type has no .ftz"},
    {"cvt", "sat", "bf16 bf16x2", {}, {}, "bfloats are not clamped"},
    {"mad", "f32 f64", {}, "rn rz rm rp", {}, "it needs a rounding"},
    {"mbarrier", "cta cluster", {}, orders, {}, "a scope needs an order"},
    {"mbarrier", orders, {}, "cta cluster", {}, "an order needs a scope"},
    {"membar", "proxy", {}, "alias", {}, "only .alias is a proxy here"},
    {"clusterlaunchcontrol", "query_cancel", {}, queries, {}, "it needs a query"},
};

bool has_word(std::string_view list, std::string_view word) {
  for (std::size_t at = list.find(word); at != std::string_view::npos; at = list.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    if ((at == 0 || list[at - 1] == ' ') && (end == list.size() || list[end] == ' ')) return true;
  }
  return false;
}

/// "m64n24k16": there are more than a hundred, and the decoder reads their numbers.
bool is_warpgroup_shape(std::string_view part) { return part.starts_with("m64n"); }

}  // namespace

std::string_view unknown_part(const ptx::Instruction& instruction) {
  const auto known = table().find(instruction.opcode);
  if (known == table().end()) return {};
  for (const std::string& part : instruction.modifiers)
    if (ptx::type_of(part) == ptx::Type::none && part != "pred" && !known->second.contains(part) &&
        !is_warpgroup_shape(part))
      return part;
  return {};
}

std::string_view wrong_combination(const ptx::Instruction& instruction) {
  const auto has_any = [&](std::string_view list) {
    return std::ranges::any_of(instruction.modifiers, [&](const std::string& m) { return has_word(list, m); });
  };
  for (const Combination& c : combinations) {
    if (!has_word(c.opcodes, instruction.opcode) || !has_any(c.given)) continue;
    if (has_any(c.excluded) || (!c.needed.empty() && !has_any(c.needed))) return c.why;
    if (!c.types.empty() && !instruction.types.empty() && !has_word(c.types, ptx::name_of(instruction.types.back())))
      return c.why;
  }
  return {};
}

}  // namespace lanescope::emulator
