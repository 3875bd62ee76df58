#pragma once
// Random partitions of warps for every `.sync` operation: one kernel that performs each of them in every lane, with the
// member mask, operands and way that the lane's input says, and an oracle that follows the PTX ISA's text lane by lane.
// The same kernel runs in the emulator and on a GPU.

#include <array>
#include <bit>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace lanescope::emulator::test {

/// Input of one thread, in this order in memory.
struct SyncInput {
  std::uint32_t mask = 0;  ///< its part of the warp
  std::uint32_t a = 0, a_high = 0, b = 0, c = 0;
  std::uint32_t flags = 0;    ///< 1: votes yes; 2: exits before the first operation
  std::uint32_t detours = 0;  ///< bit i: comes to operation i on a longer way than lanes without it
  std::uint32_t partner = 0;  ///< a lane of its part that does not exit
};

enum class SyncKind : std::uint8_t {
  up,
  down,
  bfly,
  idx,
  ballot,
  all,
  any,
  uni,
  match_any,
  match_any_64,
  match_all,
  match_all_64,
  add,
  min_u,
  max_u,
  min_s,
  max_s,
  and_,
  or_,
  xor_,
  exchange,
  elect,
};
struct SyncOperation {
  SyncKind kind;
  const char* name;
  const char* text;  ///< leaves its result in %r20, a second one in %r21
  int arch = 70;
};

// clang-format off
inline constexpr SyncOperation sync_operations[] = {
    {SyncKind::up, "shfl.sync.up", "shfl.sync.up.b32 %r20|%p4, %r5, %r7, %r8, %r4; selp.u32 %r21, 1, 0, %p4;"},
    {SyncKind::down, "shfl.sync.down", "shfl.sync.down.b32 %r20|%p4, %r5, %r7, %r8, %r4; selp.u32 %r21, 1, 0, %p4;"},
    {SyncKind::bfly, "shfl.sync.bfly", "shfl.sync.bfly.b32 %r20|%p4, %r5, %r7, %r8, %r4; selp.u32 %r21, 1, 0, %p4;"},
    {SyncKind::idx, "shfl.sync.idx", "shfl.sync.idx.b32 %r20|%p4, %r5, %r7, %r8, %r4; selp.u32 %r21, 1, 0, %p4;"},
    {SyncKind::ballot, "vote.sync.ballot", "vote.sync.ballot.b32 %r20, %p1, %r4;"},
    {SyncKind::all, "vote.sync.all", "vote.sync.all.pred %p4, %p1, %r4; selp.u32 %r20, 1, 0, %p4;"},
    {SyncKind::any, "vote.sync.any", "vote.sync.any.pred %p4, !%p1, %r4; selp.u32 %r20, 1, 0, %p4;"},
    {SyncKind::uni, "vote.sync.uni", "vote.sync.uni.pred %p4, %p1, %r4; selp.u32 %r20, 1, 0, %p4;"},
    {SyncKind::match_any, "match.any.sync.b32", "match.any.sync.b32 %r20, %r5, %r4;"},
    {SyncKind::match_any_64, "match.any.sync.b64", "match.any.sync.b64 %r20, %d4, %r4;"},
    {SyncKind::match_all, "match.all.sync.b32", "match.all.sync.b32 %r20|%p4, %r5, %r4; selp.u32 %r21, 1, 0, %p4;"},
    {SyncKind::match_all_64, "match.all.sync.b64", "match.all.sync.b64 %r20|%p4, %d4, %r4; selp.u32 %r21, 1, 0, %p4;"},
    {SyncKind::add, "redux.sync.add", "redux.sync.add.s32 %r20, %r5, %r4;", 80},
    {SyncKind::min_u, "redux.sync.min.u32", "redux.sync.min.u32 %r20, %r5, %r4;", 80},
    {SyncKind::max_u, "redux.sync.max.u32", "redux.sync.max.u32 %r20, %r5, %r4;", 80},
    {SyncKind::min_s, "redux.sync.min.s32", "redux.sync.min.s32 %r20, %r5, %r4;", 80},
    {SyncKind::max_s, "redux.sync.max.s32", "redux.sync.max.s32 %r20, %r5, %r4;", 80},
    {SyncKind::and_, "redux.sync.and", "redux.sync.and.b32 %r20, %r5, %r4;", 80},
    {SyncKind::or_, "redux.sync.or", "redux.sync.or.b32 %r20, %r5, %r4;", 80},
    {SyncKind::xor_, "redux.sync.xor", "redux.sync.xor.b32 %r20, %r5, %r4;", 80},
    {SyncKind::exchange, "bar.warp.sync",
     "st.volatile.shared.u32 [%r22], %r5; bar.warp.sync %r4; ld.volatile.shared.u32 %r20, [%r23]; bar.warp.sync %r4;"},
    {SyncKind::elect, "elect.sync", "elect.sync %r20|%p4, %r4; selp.u32 %r21, 1, 0, %p4;", 90},
};
// clang-format on
inline constexpr std::uint32_t sync_operation_count = sizeof sync_operations / sizeof sync_operations[0];
inline constexpr std::uint32_t sync_block_threads = 128;

/// Kernel `sync_trials(in, out)`: SyncInput of each thread in, two words for each thread and operation out.
inline std::string sync_trials_ptx(const std::string& target = "sm_90", int arch = 90) {
  std::string body, detours;
  for (std::uint32_t i = 0; i < sync_operation_count; ++i) {
    const SyncOperation& o = sync_operations[i];
    if (o.arch > arch) continue;
    const std::string n = std::to_string(i), at = std::to_string(8 * i);
    // The detours stand after everything else, so that the others are here first and have to wait.
    body += "and.b32 %r12, %r10, " + std::to_string(1u << i) + ";\nsetp.ne.u32 %p3, %r12, 0;\nmov.u32 %r20, 0;\n" +
            "mov.u32 %r21, 0;\n@%p3 bra detour" + n + ";\nhere" + n + ":\n" + o.text + "\nst.global.v2.u32 [%d3+" + at +
            "], {%r20, %r21};\n";
    detours += "detour" + n + ":\nst.volatile.shared.u32 [%r24], %r12;\nbra here" + n + ";\n";
  }
  return ".version 8.0\n.target " + target + R"(
.address_size 64
.visible .entry sync_trials(.param .u64 in, .param .u64 out)
{
.reg .pred %p<8>;
.reg .b32 %r<32>;
.reg .b64 %d<8>;
.shared .align 4 .b8 words[1024];
ld.param.u64 %d0, [in];
cvta.to.global.u64 %d0, %d0;
ld.param.u64 %d1, [out];
cvta.to.global.u64 %d1, %d1;
mov.u32 %r0, %tid.x;
mov.u32 %r1, %ctaid.x;
mov.u32 %r2, %ntid.x;
mad.lo.u32 %r3, %r1, %r2, %r0;
mul.wide.u32 %d2, %r3, 32;
add.s64 %d2, %d0, %d2;
mul.wide.u32 %d3, %r3, )" +
         std::to_string(8 * sync_operation_count) + R"(;
add.s64 %d3, %d1, %d3;
ld.global.v4.u32 {%r4, %r5, %r6, %r7}, [%d2];
ld.global.v4.u32 {%r8, %r9, %r10, %r11}, [%d2+16];
mov.b64 %d4, {%r5, %r6};
mov.u32 %r25, words;
shl.b32 %r22, %r0, 2;
add.u32 %r22, %r22, %r25;
add.u32 %r24, %r22, 512;
and.b32 %r23, %r0, 96;
add.u32 %r23, %r23, %r11;
shl.b32 %r23, %r23, 2;
add.u32 %r23, %r23, %r25;
and.b32 %r12, %r9, 1;
setp.ne.u32 %p1, %r12, 0;
and.b32 %r12, %r9, 2;
setp.ne.u32 %p2, %r12, 0;
@%p2 exit;
)" + body +
         "ret;\n" + detours + "}\n";
}

using SyncWarp = std::array<SyncInput, 32>;

/// A warp cut into parts: contiguous ones, strided ones, or any; few or many. `may_exit`: some lanes are gone.
inline SyncWarp random_sync_warp(std::mt19937_64& random, bool may_exit) {
  const auto below = [&](std::uint32_t n) { return static_cast<std::uint32_t>(random() % n); };
  SyncWarp warp;
  std::array<std::uint32_t, 32> part{};
  const std::uint32_t parts = std::array{1u, 2u, 3u, 4u, 8u, 16u, 32u, 1 + below(32)}[below(8)], shape = below(3);
  const std::uint32_t values = below(3) == 0 ? ~0u : 1 + below(4), base = static_cast<std::uint32_t>(random());
  for (std::uint32_t l = 0; l < 32; ++l) part[l] = shape == 0 ? l * parts / 32 : shape == 1 ? l % parts : below(parts);
  const bool some_exit = may_exit && below(3) == 0, many_detours = below(2) == 0;
  const std::uint32_t clamp = below(2) == 0 ? 31 : below(32), segments = below(2) == 0 ? 0 : 32 - (1u << below(6));
  for (std::uint32_t l = 0; l < 32; ++l) {
    SyncInput& in = warp[l];
    for (std::uint32_t k = 0; k < 32; ++k) in.mask |= part[k] == part[l] ? 1u << k : 0;
    in.a = values == ~0u ? static_cast<std::uint32_t>(random()) : base + below(values);
    in.a_high = below(values == ~0u ? 2 : values);
    in.b = below(3) == 0 ? static_cast<std::uint32_t>(random()) : below(8);
    in.c = segments << 8 | clamp;
    in.flags = below(2) | (some_exit && below(4) == 0 ? 2u : 0u);
    in.detours = many_detours ? static_cast<std::uint32_t>(random()) : 0;
  }
  const auto is_partner = [&](std::uint32_t l, std::uint32_t k) {
    return (warp[l].mask >> k & 1) != 0 && (warp[k].flags & 2) == 0;
  };
  for (std::uint32_t l = 0; l < 32; ++l)
    while ((warp[l].flags & 2) == 0 && !is_partner(l, warp[l].partner)) warp[l].partner = below(32);
  return warp;
}

struct SyncResult {
  std::uint32_t first = 0, second = 0;
  bool known = true;  ///< false where the PTX ISA leaves it open: the lane that is read does not take part
};

/// Result of lane `self`, from the text of the PTX ISA.
inline SyncResult sync_expected(SyncKind kind, const SyncWarp& warp, std::uint32_t self) {
  const auto member = [&](std::uint32_t l) { return (warp[self].mask >> l & 1) != 0 && (warp[l].flags & 2) == 0; };
  const SyncInput& mine = warp[self];
  const auto whole = [&](std::uint32_t l) { return std::uint64_t{warp[l].a_high} << 32 | warp[l].a; };
  const auto shuffled = [&](int j, bool in_range) -> SyncResult {
    const auto from = static_cast<std::uint32_t>(in_range ? j : static_cast<int>(self));
    if (!member(from)) return {0, 0, false};
    return {warp[from].a, in_range ? 1u : 0u};
  };
  const auto matching = [&](bool wide, bool all) -> SyncResult {
    std::uint32_t same = 0, everyone = 0;
    for (std::uint32_t l = 0; l < 32; ++l) {
      if (!member(l)) continue;
      everyone |= 1u << l;
      if (wide ? whole(l) == whole(self) : warp[l].a == mine.a) same |= 1u << l;
    }
    if (!all) return {same, 0};
    return same == everyone ? SyncResult{everyone, 1} : SyncResult{0, 0};
  };
  const auto folded = [&](auto combine) -> SyncResult {
    bool begun = false;
    std::uint32_t value = 0;
    for (std::uint32_t l = 0; l < 32; ++l) {
      if (!member(l)) continue;
      value = begun ? combine(value, warp[l].a) : warp[l].a;
      begun = true;
    }
    return {value, 0};
  };
  std::uint32_t yes = 0, no = 0, lowest = 32;
  for (std::uint32_t l = 32; l-- > 0;)
    if (member(l)) {
      ((warp[l].flags & 1) != 0 ? yes : no) |= 1u << l;
      lowest = l;
    }
  const std::uint32_t offset = mine.b & 31, clamp = mine.c & 31, segment = mine.c >> 8 & 31;
  const auto max_lane = static_cast<int>((self & segment) | (clamp & ~segment)), me = static_cast<int>(self);
  const auto step = static_cast<int>(offset);
  using U = std::uint32_t;
  using S = std::int32_t;
  switch (kind) {
    case SyncKind::up:
      return shuffled(me - step, me - step >= max_lane);
    case SyncKind::down:
      return shuffled(me + step, me + step <= max_lane);
    case SyncKind::bfly:
      return shuffled(me ^ step, (me ^ step) <= max_lane);
    case SyncKind::idx: {
      const auto j = static_cast<int>((self & segment) | (offset & ~segment));
      return shuffled(j, j <= max_lane);
    }
    case SyncKind::ballot:
      return {yes, 0};
    case SyncKind::all:
      return {no == 0 ? 1u : 0u, 0};
    case SyncKind::any:
      return {no != 0 ? 1u : 0u, 0};
    case SyncKind::uni:
      return {yes == 0 || no == 0 ? 1u : 0u, 0};
    case SyncKind::match_any:
      return matching(false, false);
    case SyncKind::match_any_64:
      return matching(true, false);
    case SyncKind::match_all:
      return matching(false, true);
    case SyncKind::match_all_64:
      return matching(true, true);
    case SyncKind::add:
      return folded([](U x, U y) { return x + y; });
    case SyncKind::min_u:
      return folded([](U x, U y) { return x < y ? x : y; });
    case SyncKind::max_u:
      return folded([](U x, U y) { return x < y ? y : x; });
    case SyncKind::min_s:
      return folded([](U x, U y) { return static_cast<S>(x) < static_cast<S>(y) ? x : y; });
    case SyncKind::max_s:
      return folded([](U x, U y) { return static_cast<S>(x) < static_cast<S>(y) ? y : x; });
    case SyncKind::and_:
      return folded([](U x, U y) { return x & y; });
    case SyncKind::or_:
      return folded([](U x, U y) { return x | y; });
    case SyncKind::xor_:
      return folded([](U x, U y) { return x ^ y; });
    case SyncKind::exchange:
      return {warp[mine.partner].a, 0};
    case SyncKind::elect:
      return {lowest, self == lowest ? 1u : 0u};
  }
  return {};
}

struct SyncMismatch {
  std::size_t checked = 0;  ///< results of lanes
  std::size_t different = 0;
  std::string first;  ///< in words
};

/// Results of a launch with sync_block_threads threads a block, against the oracle.
inline SyncMismatch sync_compare(const std::vector<SyncWarp>& warps, const std::vector<std::uint32_t>& out,
                                 int arch = 90) {
  SyncMismatch m;
  for (std::size_t w = 0; w < warps.size(); ++w)
    for (std::uint32_t l = 0; l < 32; ++l) {
      if ((warps[w][l].flags & 2) != 0) continue;
      for (std::uint32_t i = 0; i < sync_operation_count; ++i) {
        const SyncOperation& o = sync_operations[i];
        const SyncResult want = sync_expected(o.kind, warps[w], l);
        if (o.arch > arch || !want.known) continue;
        const std::size_t at = ((w * 32 + l) * sync_operation_count + i) * 2;
        ++m.checked;
        if (out[at] == want.first && out[at + 1] == want.second) continue;
        if (m.different++ == 0)
          m.first = std::string(o.name) + ", warp " + std::to_string(w) + ", lane " + std::to_string(l) + ", mask " +
                    std::to_string(warps[w][l].mask) + ": expected " + std::to_string(want.first) + " " +
                    std::to_string(want.second) + ", got " + std::to_string(out[at]) + " " +
                    std::to_string(out[at + 1]);
      }
    }
  return m;
}

}  // namespace lanescope::emulator::test
