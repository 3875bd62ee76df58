#pragma once
// A synthetic half2 transpose: array p[i = 16][j = 16][k = 16] of f16, warp i, 4 registers of 2 halves, 32
// lanes. The data that the engine would hand to the views, made by hand.

#include <utility>

#include "profiling/access/patterns.h"
#include "results/access.h"
#include "results/moment.h"
#include "results/summary.h"
#include "viz/views/base/selection.h"

namespace lanescope::views::fixtures {

inline constexpr auto exact = static_cast<std::uint8_t>(trace::ElementTag::Kind::exact);

inline int bit(int value, int n) { return (value >> n) & 1; }

/// simd: k0; register: j3 j2; thread: j1 j0 k3 k2 k1; warp: i
inline std::uint32_t element_x(int warp, int reg, int part, int lane) {
  const int j = reg << 2 | (lane >> 3), k = (lane & 7) << 1 | part;
  return static_cast<std::uint32_t>(warp << 8 | j << 4 | k);
}
/// simd: j3; register: k0 j2; thread and warp as before
inline std::uint32_t element_y(int warp, int reg, int part, int lane) {
  const int j = part << 3 | bit(reg, 0) << 2 | (lane >> 3), k = (lane & 7) << 1 | bit(reg, 1);
  return static_cast<std::uint32_t>(warp << 8 | j << 4 | k);
}
/// r0 <-> t2: registers 2n of lanes with bit 2 swap with registers 2n + 1 of lanes without it.
inline std::uint32_t element_z(int warp, int reg, int part, int lane) {
  const int source_reg = (reg & ~1) | bit(lane, 2), source_lane = (lane & ~4) | bit(reg, 0) << 2;
  return element_y(warp, source_reg, part, source_lane);
}

template <class ElementOf>
RegisterGrid grid(int family, int warps, ElementOf element_of) {
  RegisterGrid g{
      .family = family, .element_bits = 16, .parts = 2, .registers = 4, .warps = warps, .first_warp = 0, .cells = {}};
  g.cells.reserve(static_cast<std::size_t>(warps) * 4 * 2 * 32);
  for (int w = 0; w < warps; ++w)
    for (int r = 0; r < 4; ++r)
      for (int s = 0; s < 2; ++s)
        for (int l = 0; l < 32; ++l) {
          const std::uint32_t element = element_of(w, r, s, l);
          g.cells.push_back({.value = 0x3c00u + element,
                             .element = element,
                             .buffer = 0,
                             .kind = exact,
                             .defined = true,
                             .changed = false,
                             .sources = 1});
        }
  return g;
}

inline layout::Assignment assignment(std::vector<std::vector<std::string>> rows_msb_first) {
  layout::Assignment a;
  for (std::size_t place = 0; place < rows_msb_first.size(); ++place) {
    std::vector<layout::Term> terms;
    for (auto name = rows_msb_first[place].rbegin(); name != rows_msb_first[place].rend(); ++name) {
      terms.push_back({.role = layout::Term::Role::sum, .names = {*name}, .constant = false});
    }
    a.rows[place] = std::move(terms);
  }
  return a;
}

inline layout::Assignment claimed_y() {
  return assignment({{"j3"}, {"k0", "j2"}, {"j1", "j0", "k3", "k2", "k1"}, {"i3", "i2", "i1", "i0"}});
}
inline layout::Assignment real_z() {
  return assignment({{"j3"}, {"k0", "k3"}, {"j1", "j0", "j2", "k2", "k1"}, {"i3", "i2", "i1", "i0"}});
}

inline Summary summary(int warps = 16, int steps_per_warp = 68) {
  Summary s;
  s.file = "half2_transposes.cu", s.kernel = "transpose", s.engine = "emulator", s.arch = "sm_90";
  s.block = {32, static_cast<std::uint32_t>(warps), 1};
  s.buffers.push_back({.name = "p",
                       .element_type = "f16",
                       .element_bits = 16,
                       .bytes = 8192,
                       .elements = 4096,
                       .address = 0x10000,
                       .axes = {{"i", 16, 256}, {"j", 16, 16}, {"k", 16, 1}}});
  s.families.push_back({.name = "x", .function = "transpose", .registers = {"x0", "x1", "x2", "x3"}, .first_line = 12});
  s.families.push_back({.name = "y", .function = "transpose", .registers = {"y0", "y1", "y2", "y3"}, .first_line = 23});
  ClaimInfo x, y;
  x.claim.first_line = 17, x.claim.last_line = 21, x.claim.variable = "x", x.result.verdict = claims::Verdict::holds;
  y.claim.first_line = 28, y.claim.last_line = 30, y.claim.variable = "y", y.claim.stated = claimed_y();
  y.result.verdict = claims::Verdict::differs, y.result.difference = "r0 and t2 are swapped";
  s.claims = {x, y};
  s.counters.push_back({.line = 0,
                        .instructions = 1088,
                        .thread_instructions = 34816,
                        .global_requests = 64,
                        .global_sectors = 256,
                        .shared_requests = 0,
                        .shared_wavefronts = 0,
                        .bank_conflicts = 0,
                        .shuffles = 32,
                        .barriers = 0});
  using trace::StepKind;
  for (int n = 0; n < steps_per_warp; ++n) {
    StepKind kind = StepKind::arithmetic;
    int line = 11;
    if (n == 8 || n == 10 || n == 12 || n == 14) kind = StepKind::load, line = 12 + (n - 8) / 2;
    if (n == 15) kind = StepKind::probe, line = 23;
    if (n >= 18 && n < 28) kind = StepKind::move, line = 24;
    if (n == 28) kind = StepKind::probe, line = 32;
    if (n == 41 || n == 47) kind = StepKind::shuffle, line = 33;
    if (n > 28 && kind == StepKind::arithmetic) line = 34;
    if (n >= 63) kind = StepKind::store, line = 40;
    if (n == 62) kind = StepKind::barrier, line = 39;
    s.code.push_back(
        {.line = line,
         .column = 1,
         .inner_line = 0,
         .kind = kind,
         .text = kind == StepKind::shuffle ? "shfl.sync.bfly.b32 %r9, %r8, 4, 31, -1;" : "mov.b32 %r1, %r2;"});
  }
  for (int n = 0; n < steps_per_warp; ++n) {
    for (int w = 0; w < warps; ++w) {
      s.timeline.push_back({.step = static_cast<std::uint32_t>(n * warps + w),
                            .warp = static_cast<std::uint16_t>(w),
                            .kind = s.code[n].kind,
                            .line = s.code[n].line});
    }
  }
  s.steps = s.timeline.size();
  s.warps = static_cast<std::uint32_t>(warps);
  s.resources.registers = 24;
  s.ok = true;
  return s;
}

/// A load of 4 bytes per lane, lane l at 4*l: one line, four sectors.
inline AccessInfo coalesced_load() {
  AccessInfo a = results::priced(*access::make_pattern({}));
  a.line = 12, a.buffer = 0;
  return a;
}

/// A load of 2 bytes per lane every 256 bytes.
inline AccessInfo strided_load() {
  AccessInfo a =
      results::priced(*access::make_pattern({.shape = access::Shape::stride, .width_bytes = 2, .amount = 128}));
  a.line = 12, a.buffer = 0;
  return a;
}

/// Lane l reads word 32 * l: every lane in bank 0.
inline AccessInfo conflicting_shared_load() {
  AccessInfo a = results::priced(
      *access::make_pattern({.shape = access::Shape::stride, .space = trace::MemorySpace::shared, .amount = 32}));
  a.line = 19;
  return a;
}

/// Just after the shuffle of line 33: y moved to its transpose; only part of the cells differ from before.
inline Moment moment(int warps = 1) {
  Moment m;
  m.step = 41 * 16, m.pc = 41, m.line = 33, m.active = ~0u;
  RegisterGrid g = grid(1, warps, element_z);
  for (int w = 0; w < warps; ++w)
    for (int r = 0; r < 4; ++r)
      for (int s = 0; s < 2; ++s)
        for (int l = 0; l < 32; ++l) {
          if (element_z(w, r, s, l) == element_y(w, r, s, l)) continue;
          g.cells[((static_cast<std::size_t>(w) * 4 + r) * 2 + s) * 32 + l].changed = true;
          m.moves.push_back({{1, w, (r & ~1) | bit(l, 2), s, (l & ~4) | bit(r, 0) << 2}, {1, w, r, s, l}});
        }
  m.moves_from = 40 * 16;
  m.grids.push_back(std::move(g));
  m.access = coalesced_load();
  m.assignment_family = 1;
  m.claimed = claimed_y();
  m.real = real_z();
  m.claimed_line = 28;
  m.real_words = "simd: j3; register: k0 k3; thread: j1 j0 j2 k2 k1; warp: i3 i2 i1 i0";
  m.statement_words = "r0 ↔ t2, a warp transpose";
  return m;
}

inline Selection selection_of(int warp, int reg, int part, int lane) {
  Selection s;
  s.step = 41 * 16, s.line = 33, s.family = 1, s.warp = warp;
  s.place = PlaceRef{.family = 1, .warp = warp, .reg = reg, .part = part, .lane = lane};
  s.element = {{0, element_z(warp, reg, part, lane)}};
  return s;
}

/// A block with a 32 x 32 tile of floats in shared memory, read by columns.
inline std::pair<Summary, Moment> shared_tile() {
  Summary s = summary();
  s.shared_bytes = 4096;
  s.buffers[0] = {.name = "a",
                  .element_type = "f32",
                  .element_bits = 32,
                  .bytes = 4096,
                  .elements = 1024,
                  .address = 0x10000,
                  .axes = {{"i", 32, 32}, {"j", 32, 1}}};
  Moment m = moment();
  m.grids.clear(), m.moves.clear();
  m.access = conflicting_shared_load();
  for (std::uint32_t word = 0; word < 1024; ++word) {
    m.shared.push_back({.value = word, .tag = trace::TagPool::source_word(word), .written = true});
    m.shared_cells.push_back(
        {.value = word, .element = word, .buffer = 0, .kind = exact, .defined = true, .changed = false, .sources = 1});
  }
  return {std::move(s), std::move(m)};
}

}  // namespace lanescope::views::fixtures
