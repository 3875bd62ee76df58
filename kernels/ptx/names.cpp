#include "kernels/ptx/names.h"

#include <algorithm>
#include <array>

#include "kernels/base/enum_size.h"

namespace lanescope::ptx {
namespace {

struct TypeRow {
  std::string_view name;
  Type type;
  int bits;
};

// In the order of the enumeration, so that a Type is an index here.
constexpr std::array kTypes = {
    TypeRow{"", Type::none, 0},
    TypeRow{"pred", Type::pred, 1},
    TypeRow{"b8", Type::b8, 8},
    TypeRow{"b16", Type::b16, 16},
    TypeRow{"b32", Type::b32, 32},
    TypeRow{"b64", Type::b64, 64},
    TypeRow{"b128", Type::b128, 128},
    TypeRow{"u8", Type::u8, 8},
    TypeRow{"u16", Type::u16, 16},
    TypeRow{"u32", Type::u32, 32},
    TypeRow{"u64", Type::u64, 64},
    TypeRow{"s8", Type::s8, 8},
    TypeRow{"s16", Type::s16, 16},
    TypeRow{"s32", Type::s32, 32},
    TypeRow{"s64", Type::s64, 64},
    TypeRow{"f16", Type::f16, 16},
    TypeRow{"f16x2", Type::f16x2, 32},
    TypeRow{"bf16", Type::bf16, 16},
    TypeRow{"bf16x2", Type::bf16x2, 32},
    TypeRow{"tf32", Type::tf32, 32},
    TypeRow{"f32", Type::f32, 32},
    TypeRow{"f64", Type::f64, 64},
    TypeRow{"u16x2", Type::u16x2, 32},
    TypeRow{"s16x2", Type::s16x2, 32},
    TypeRow{"e4m3x2", Type::e4m3x2, 16},
    TypeRow{"e5m2x2", Type::e5m2x2, 16},
    TypeRow{"e2m3x2", Type::e2m3x2, 16},
    TypeRow{"e3m2x2", Type::e3m2x2, 16},
    TypeRow{"e2m1x2", Type::e2m1x2, 8},
    TypeRow{"ue8m0x2", Type::ue8m0x2, 16},
    TypeRow{"e4m3x4", Type::e4m3x4, 32},
    TypeRow{"e5m2x4", Type::e5m2x4, 32},
    TypeRow{"e2m3x4", Type::e2m3x4, 32},
    TypeRow{"e3m2x4", Type::e3m2x4, 32},
    TypeRow{"e2m1x4", Type::e2m1x4, 16},
    TypeRow{"u2", Type::u2, 2},
    TypeRow{"s2", Type::s2, 2},
    TypeRow{"f32x2", Type::f32x2, 64},
    TypeRow{"b1", Type::b1, 1},
    TypeRow{"u4", Type::u4, 4},
    TypeRow{"s4", Type::s4, 4},
    TypeRow{"texref", Type::texref, 64},
    TypeRow{"surfref", Type::surfref, 64},
    TypeRow{"samplerref", Type::samplerref, 64},
};

constexpr bool types_are_in_order() {
  for (std::size_t i = 0; i < kTypes.size(); ++i)
    if (static_cast<std::size_t>(kTypes[i].type) != i) return false;
  return true;
}
static_assert(types_are_in_order());

// In the order of the enumeration.
constexpr std::array<std::string_view, static_cast<std::size_t>(Special::current_graph_exec) + 1> kSpecials = {
    "",
    "%tid.x",
    "%tid.y",
    "%tid.z",
    "%ntid.x",
    "%ntid.y",
    "%ntid.z",
    "%ctaid.x",
    "%ctaid.y",
    "%ctaid.z",
    "%nctaid.x",
    "%nctaid.y",
    "%nctaid.z",
    "%laneid",
    "%warpid",
    "%nwarpid",
    "%smid",
    "%nsmid",
    "%gridid",
    "%clock",
    "%clock_hi",
    "%clock64",
    "%globaltimer",
    "%globaltimer_lo",
    "%globaltimer_hi",
    "%lanemask_eq",
    "%lanemask_le",
    "%lanemask_lt",
    "%lanemask_ge",
    "%lanemask_gt",
    "%dynamic_smem_size",
    "%total_smem_size",
    "WARP_SZ",
    "%cluster_ctaid.x",
    "%cluster_ctaid.y",
    "%cluster_ctaid.z",
    "%cluster_nctaid.x",
    "%cluster_nctaid.y",
    "%cluster_nctaid.z",
    "%cluster_ctarank",
    "%cluster_nctarank",
    "%clusterid.x",
    "%clusterid.y",
    "%clusterid.z",
    "%nclusterid.x",
    "%nclusterid.y",
    "%nclusterid.z",
    "%is_explicit_cluster",
    "%envreg1",
    "%envreg2",
    "%reserved_smem_offset_begin",
    "%reserved_smem_offset_end",
    "%reserved_smem_offset_cap",
    "%reserved_smem_offset_0",
    "%reserved_smem_offset_1",
    "%aggr_smem_size",
    "%current_graph_exec",
};
static_assert(kSpecials.back() == "%current_graph_exec");

struct SpaceRow {
  std::string_view name;
  Space space;
};
constexpr std::array kSpaces = {
    SpaceRow{"global", Space::global},  SpaceRow{"shared", Space::shared}, SpaceRow{"local", Space::local},
    SpaceRow{"const", Space::constant}, SpaceRow{"param", Space::param},
};

}  // namespace

int bits_of(Type t) { return t == Type::pred ? 1 : entry_for(kTypes, t).bits; }
std::string_view name_of(Type t) { return entry_for(kTypes, t).name; }
std::string_view name_of(Special s) {
  return s == Special::unknown ? std::string_view() : kSpecials[static_cast<std::size_t>(s)];
}

Type type_of(std::string_view name) {
  if (name.size() < 2 || name.size() > 7) return Type::none;
  const char first = name.front();
  if (first != 'b' && first != 'u' && first != 's' && first != 'f' && first != 'p' && first != 't' && first != 'e')
    return Type::none;
  for (const TypeRow& row : kTypes)
    if (row.name == name && row.type < Type::texref) return row.type;
  return Type::none;
}

Special special_of(std::string_view name) {
  if (name.size() < 5) return Special::none;
  const auto found = std::find(kSpecials.begin(), kSpecials.end(), name);
  return found == kSpecials.end() ? Special::none : static_cast<Special>(found - kSpecials.begin());
}

std::optional<Space> declared_space(std::string_view name) {
  for (const SpaceRow& row : kSpaces)
    if (row.name == name) return row.space;
  return std::nullopt;
}

std::string_view name_of(Space s) {
  for (const SpaceRow& row : kSpaces)
    if (row.space == s) return row.name;
  return "";
}

}  // namespace lanescope::ptx
