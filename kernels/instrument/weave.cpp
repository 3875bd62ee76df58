#include "kernels/instrument/rewrite.h"

#include <fmt/format.h>

namespace lanescope::instrument {

using ptx::Operand;
using ptx::Type;
using Kind = Operand::Kind;

namespace {

// %ls_on   this warp records            %ls_block, %ls_warp  where it is
// %ls_base the buffer                   %ls_first            its first record
// %ls_room capacity in units            the others live inside one piece
constexpr std::pair<const char*, Type> registers[] = {
    {"%ls_on", Type::pred},   {"%ls_p", Type::pred},     {"%ls_lead", Type::pred}, {"%ls_in", Type::pred},
    {"%ls_block", Type::b32}, {"%ls_warp", Type::b32},   {"%ls_lane", Type::b32},  {"%ls_here", Type::b32},
    {"%ls_mask", Type::b32},  {"%ls_leader", Type::b32}, {"%ls_t", Type::b32},     {"%ls_u", Type::b32},
    {"%ls_v", Type::b32},     {"%ls_w", Type::b32},      {"%ls_h", Type::b16},     {"%ls_base", Type::b64},
    {"%ls_first", Type::b64}, {"%ls_room", Type::b64},   {"%ls_at", Type::b64},    {"%ls_end", Type::b64},
    {"%ls_value", Type::b64}};

constexpr const char* take_place = R"(
  brev.b32 %ls_leader, %ls_mask;
  clz.b32 %ls_leader, %ls_leader;
  setp.eq.u32 %ls_lead, %ls_lane, %ls_leader;
  mov.u64 %ls_at, 0;
  @%ls_lead atom.global.add.u64 %ls_at, [%ls_base], {0};
  mov.b64 {{%ls_t, %ls_u}}, %ls_at;
  shfl.sync.idx.b32 %ls_t, %ls_t, %ls_leader, 31, %ls_here;
  shfl.sync.idx.b32 %ls_u, %ls_u, %ls_leader, 31, %ls_here;
  mov.b64 %ls_at, {{%ls_t, %ls_u}};
  add.s64 %ls_end, %ls_at, {0};
  setp.gt.u64 %ls_p, %ls_end, %ls_room;
  and.pred %ls_in, %ls_p, %ls_lead;
  @%ls_in red.global.add.u64 [%ls_base+8], 1;
  @%ls_p bra {1};
  shl.b64 %ls_at, %ls_at, 4;
  add.s64 %ls_at, %ls_at, %ls_first;
  mov.u32 %ls_t, {2};
  @%ls_lead st.global.v4.u32 [%ls_at], {{%ls_t, %ls_block, %ls_warp, %ls_mask}};
)";

constexpr const char* find_place = R"(
  ld.global.v4.u32 {{%ls_t, %ls_u, %ls_v, %ls_w}}, [%ls_base+16];
  ld.global.u64 %ls_room, [%ls_base+32];
  add.s64 %ls_first, %ls_base, {0};
  mov.u32 %ls_here, %ctaid.z;
  mov.u32 %ls_mask, %nctaid.y;
  mov.u32 %ls_leader, %ctaid.y;
  mad.lo.u32 %ls_block, %ls_here, %ls_mask, %ls_leader;
  mov.u32 %ls_mask, %nctaid.x;
  mov.u32 %ls_leader, %ctaid.x;
  mad.lo.u32 %ls_block, %ls_block, %ls_mask, %ls_leader;
  mov.u32 %ls_here, %tid.z;
  mov.u32 %ls_mask, %ntid.y;
  mov.u32 %ls_leader, %tid.y;
  mad.lo.u32 %ls_warp, %ls_here, %ls_mask, %ls_leader;
  mov.u32 %ls_mask, %ntid.x;
  mov.u32 %ls_leader, %tid.x;
  mad.lo.u32 %ls_lane, %ls_warp, %ls_mask, %ls_leader;
  shr.u32 %ls_warp, %ls_lane, 5;
  sub.u32 %ls_t, %ls_block, %ls_t;
  setp.lt.u32 %ls_p, %ls_t, %ls_u;
  sub.u32 %ls_v, %ls_warp, %ls_v;
  setp.lt.and.u32 %ls_on, %ls_v, %ls_w, %ls_p;
)";

}  // namespace

void Weaver::declare(ptx::Entry& function) {
  for (const auto& [name, type] : registers) function.registers.push_back({name, type});
}

std::string Weaver::operand(const Operand& o) const {
  ptx::Instruction i;  // prints as " OPERAND;"
  i.operands = {o};
  const std::string text = ptx::to_string(i, function_, module_);
  return text.substr(1, text.size() - 2);
}

std::string Weaver::prologue(const Description& description, bool hands_on) const {
  std::string text;
  if (function_.is_function) {
    text += fmt::format("  ld.global.u64 %ls_base, [{}];\n", records_variable);
    text += "  setp.ne.u64 %ls_on, %ls_base, 0;\n  @!%ls_on bra ls_ready;\n";
  } else {
    text +=
        fmt::format("  ld.param.u64 %ls_base, [{}];\n  cvta.to.global.u64 %ls_base, %ls_base;\n", records_parameter);
    if (hands_on) text += fmt::format("  st.global.u64 [{}], %ls_base;\n", records_variable);
  }
  text += fmt::format(fmt::runtime(find_place), description.header_bytes());
  if (!function_.is_function && !description.slots.empty()) {
    text += "  or.b32 %ls_t, %ls_lane, %ls_block;\n  setp.ne.u32 %ls_p, %ls_t, 0;\n  @%ls_p bra ls_told;\n";
    for (std::size_t i = 0; i < description.slots.size(); ++i) {
      const Slot& s = description.slots[i];
      text += s.kind == Slot::Kind::parameter ? fmt::format("  ld.param.u64 %ls_value, [{}];\n", s.name)
                                              : fmt::format("  mov.u64 %ls_value, {};\n", s.name);
      text += fmt::format("  st.global.u64 [%ls_base+{}], %ls_value;\n", first_slot + 8 * i);
    }
    text += "ls_told:\n";
  }
  text += "  mov.u32 %ls_lane, %laneid;\n";
  if (function_.is_function) text += "ls_ready:\n";
  return text;
}

std::string Weaver::address(const Operand& o, bool generic) const {
  std::string text;
  if (o.reg >= 0) {
    const ptx::Register& r = function_.registers[static_cast<std::size_t>(o.reg)];
    if (ptx::bits_of(r.type) == 64)
      text = fmt::format("  add.s64 %ls_value, {}, {};\n", r.name, o.offset);
    else
      text = fmt::format("  add.s32 %ls_u, {}, {};\n  cvt.u64.u32 %ls_value, %ls_u;\n", r.name, o.offset);
  } else if (o.symbol >= 0) {
    Operand symbol = o;
    symbol.kind = Kind::symbol;
    symbol.offset = 0;
    text = fmt::format("  mov.u64 %ls_value, {};\n  add.s64 %ls_value, %ls_value, {};\n", operand(symbol), o.offset);
  } else {
    text = fmt::format("  mov.u64 %ls_value, {};\n", o.offset);
  }
  if (generic)
    text +=
        "  isspacep.shared %ls_p, %ls_value;\n"
        "  @%ls_p cvta.to.shared.u64 %ls_value, %ls_value;\n"
        "  @%ls_p or.b64 %ls_value, %ls_value, 4611686018427387904;\n"
        "  isspacep.local %ls_p, %ls_value;\n"
        "  @%ls_p or.b64 %ls_value, %ls_value, -9223372036854775808;\n";
  return text;
}

std::string Weaver::word(const Operand& o) const {
  if (o.kind != Kind::reg) {
    const std::string value = o.is_float ? fmt::format("{}", o.bits & 0xffffffffu) : operand(o);
    return fmt::format("  mov.b32 %ls_v, {};\n", value);
  }
  const ptx::Register& r = function_.registers[static_cast<std::size_t>(o.reg)];
  switch (ptx::bits_of(r.type)) {
    case 1:
      return fmt::format("  selp.u32 %ls_v, 1, 0, {};\n", r.name);
    case 16:
      return fmt::format("  mov.b16 %ls_h, {};\n  cvt.u32.u16 %ls_v, %ls_h;\n", r.name);
    case 64:
      return fmt::format("  mov.b64 %ls_value, {};\n  cvt.u32.u64 %ls_v, %ls_value;\n", r.name);
    default:
      return fmt::format("  mov.b32 %ls_v, {};\n", r.name);
  }
}

std::string Weaver::lane_numbers(const ptx::Instruction& shuffle) const {
  ptx::Instruction copy = shuffle;
  copy.types = {Type::b32};
  Operand to, lane;
  for (std::size_t i = 0; i < function_.registers.size(); ++i) {
    if (function_.registers[i].name == "%ls_v") to.reg = static_cast<int>(i);
    if (function_.registers[i].name == "%ls_lane") lane.reg = static_cast<int>(i);
  }
  copy.operands[0] = to;
  copy.operands[1] = lane;
  return "  " + ptx::to_string(copy, function_, module_) + "\n";
}

/// %ls_here: lanes at this point. %ls_mask: those of them that the record is about.
std::string Weaver::executing(const ptx::Instruction& i, const Point& point) const {
  std::string text = "  activemask.b32 %ls_here;\n";
  if (i.predicate >= 0) {
    const std::string& guard = function_.registers[static_cast<std::size_t>(i.predicate)].name;
    text += fmt::format("  vote.sync.ballot.b32 %ls_mask, {}{}, %ls_here;\n", i.predicate_negated ? "!" : "", guard);
  } else {
    text += "  mov.b32 %ls_mask, %ls_here;\n";
  }
  if (point.source_bytes >= 0) {
    text += fmt::format("  setp.ne.u32 %ls_p, {}, 0;\n  vote.sync.ballot.b32 %ls_t, %ls_p, %ls_here;\n",
                        operand(i.operands[static_cast<std::size_t>(point.source_bytes)]));
    text += "  and.b32 %ls_mask, %ls_mask, %ls_t;\n";
  }
  if (point.lanes != ~0u) text += fmt::format("  and.b32 %ls_mask, %ls_mask, {};\n", point.lanes);
  return text;
}

std::string Weaver::piece(const ptx::Instruction& i, const Point& point, std::uint32_t site) {
  const std::string end = fmt::format("ls_end{}", labels_++);
  std::string text = fmt::format("  @!%ls_on bra {};\n", end);
  if (point.site.kind == Site::Kind::shuffle) text += lane_numbers(i);
  text += executing(i, point);
  text += fmt::format("  setp.eq.u32 %ls_p, %ls_mask, 0;\n  @%ls_p bra {};", end);
  text += fmt::format(fmt::runtime(take_place), point.site.units(), end, site);
  if (point.site.kind == Site::Kind::barrier) return text + end + ":\n";
  const bool is_access = point.site.kind == Site::Kind::access;
  text += "  shr.u32 %ls_t, %ls_mask, %ls_lane;\n  and.b32 %ls_t, %ls_t, 1;\n  setp.ne.u32 %ls_in, %ls_t, 0;\n";
  text += fmt::format("  mul.wide.u32 %ls_end, %ls_lane, {};\n  add.s64 %ls_at, %ls_at, %ls_end;\n",
                      point.site.lane_bytes());
  if (is_access) text += address(i.operands[static_cast<std::size_t>(point.operand)], point.site.generic);
  if (point.site.kind == Site::Kind::probe) text += word(i.operands[static_cast<std::size_t>(point.operand)]);
  text +=
      is_access ? "  @%ls_in st.global.u64 [%ls_at+16], %ls_value;\n" : "  @%ls_in st.global.u32 [%ls_at+16], %ls_v;\n";
  return text + end + ":\n";
}

}  // namespace lanescope::instrument
