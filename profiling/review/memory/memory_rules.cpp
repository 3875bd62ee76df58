// Rules about memory accesses: entire cache lines, free banks, wide accesses, one word of constant memory at a time.

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "kernels/base/set_bits.h"
#include "kernels/source/cxx/number_types.h"
#include "profiling/review/findings/finding.h"
#include "profiling/review/findings/rule_set.h"
#include "profiling/review/memory/narrow_groups.h"
#include "profiling/review/observe/collector.h"

namespace lanescope::review {
namespace {

// Arrays of structures whose fields are accessed one by one: savings of other layouts and accesses, in sectors of one
// warp's access to all fields. The three remedies are those of "GPU memory and shuffle" (KAUST), structures of
// non-native size; their sectors are counted from the addresses that occurred.

struct StructureAccess {
  int structure_bytes = 0;      ///< distance of neighbouring lanes
  std::vector<int> fields{};    ///< bytes from the lowest accessed field, ascending
  std::uint64_t sectors = 0;    ///< of one warp, over all fields
  std::uint64_t of_arrays = 0;  ///< with each field in an array of its own
  std::uint64_t distinct = 0;   ///< different ones among `sectors`: what staging through shared memory or a cache needs
};

/// Bytes between neighbouring lanes; 0: they differ, or fewer than two lanes are active.
std::int64_t stride_of(const AccessTotals& t) {
  std::int64_t stride = 0, lane_before = -1;
  std::uint64_t before = 0;
  for (const std::size_t lane : set_bits(t.worst.active)) {
    if (lane_before >= 0) {
      const auto lanes = static_cast<std::int64_t>(lane) - lane_before;
      const auto bytes = static_cast<std::int64_t>(t.access.addresses[lane] - before);
      if (bytes % lanes != 0 || (stride != 0 && bytes / lanes != stride)) return 0;
      stride = bytes / lanes;
    }
    lane_before = static_cast<std::int64_t>(lane), before = t.access.addresses[lane];
  }
  return stride;
}

/// For an instruction of `totals` at whose worst access lanes are one structure apart: that structure with all fields
/// that the launch accesses in the same direction. Absent: no constant distance of 6 to 64 bytes; a single field where
/// the distance is a power of two, and less than a third of more than 32 bytes, which are as well columns.
std::optional<StructureAccess> structure_access(const AccessCollector& seen, const AccessTotals& of) {
  const std::int64_t stride = stride_of(of);
  if (of.access.space != trace::MemorySpace::global || stride < 6 || stride > 64 || stride <= of.access.width_bytes)
    return std::nullopt;
  const auto first_lane = static_cast<std::size_t>(std::countr_zero(of.worst.active));
  StructureAccess out{.structure_bytes = static_cast<int>(stride)};
  std::set<std::uint64_t> distinct;
  std::set<std::int64_t> offsets;
  for (const auto& [key, t] : seen.totals()) {
    if (t.access.space != of.access.space || t.access.kind != of.access.kind || t.buffer != of.buffer ||
        t.access.width_bytes != of.access.width_bytes || stride_of(t) != stride || t.worst.active != of.worst.active)
      continue;
    // The worst accesses of two fields may be of different warps: the field is the rest of the distance.
    const auto apart = static_cast<std::int64_t>(t.access.addresses[first_lane] - of.access.addresses[first_lane]);
    if (!offsets.insert((apart % stride + stride) % stride).second) continue;
    out.sectors += t.cost.sectors;
    out.of_arrays += t.cost.ideal_sectors;
    const std::int64_t whole = apart - (apart % stride + stride) % stride;
    for (const std::size_t lane : set_bits(t.worst.active)) {
      const std::uint64_t begin = t.access.addresses[lane] - static_cast<std::uint64_t>(whole);
      for (std::uint64_t byte = begin; byte < begin + static_cast<std::uint64_t>(t.access.width_bytes); ++byte)
        distinct.insert(byte / 32);
    }
  }
  // More fields than fit are accesses that overlap, of different branches.
  if (static_cast<std::int64_t>(offsets.size()) * of.access.width_bytes > stride) return std::nullopt;
  if (offsets.size() < 2 && std::has_single_bit(static_cast<std::uint64_t>(stride))) return std::nullopt;
  // Few words of a structure wider than a sector may be columns of a narrow matrix.
  if (stride > 32 && 3 * static_cast<std::int64_t>(offsets.size()) * of.access.width_bytes < stride)
    return std::nullopt;
  out.fields.assign(offsets.begin(), offsets.end());
  out.distinct = distinct.size();
  return out;
}

/// "structures of 12 bytes: ..."; of an array of numbers (`scalar`) "lanes 12 bytes apart: ..."; empty where nothing
/// would save a sector.
std::string structure_remedy(const StructureAccess& a, trace::AccessKind kind, bool scalar) {
  std::string ways;
  const auto add = [&](std::string way) { ways += (ways.empty() ? "" : ", or ") + way; };
  if (a.of_arrays < a.sectors)
    add(fmt::format("{}{})",
                    scalar ? "let neighbouring lanes access neighbouring elements ("
                           : "keep each field in an array of its own (structure of arrays: ",
                    counted(a.of_arrays, "sector", "sectors")));
  if (a.distinct < a.sectors) {
    const bool loads = kind == trace::AccessKind::load;
    add(fmt::format("{} the {} {} shared memory, in whole rows of a warp ({})", loads ? "stage" : "collect",
                    scalar ? "elements" : "structures", loads ? "through" : "in", a.distinct));
    if (loads)
      add(fmt::format("load through the read-only path with `__ldg` or `const __restrict__` ({} of the {} miss)",
                      a.distinct, a.sectors));
  }
  if (ways.empty()) return {};
  if (scalar)
    return fmt::format("lanes {} bytes apart, each with {} in turn, take {} per warp: {}", a.structure_bytes,
                       counted(a.fields.size(), "element", "elements"), counted(a.sectors, "sector", "sectors"), ways);
  return fmt::format("structures of {} bytes, {} in turn, take {} per warp: {}", a.structure_bytes,
                     counted(a.fields.size(), "field", "fields"), counted(a.sectors, "sector", "sectors"), ways);
}

std::string_view verb(trace::AccessKind kind) {
  if (kind == trace::AccessKind::load) return "load";
  return kind == trace::AccessKind::store ? "store" : "asynchronous copy";
}

/// Accesses of one line of the source to one space in one direction, over all its instructions.
using Lines = std::map<std::tuple<int, trace::MemorySpace, trace::AccessKind>, AccessTotals>;

Lines by_line(const ReviewInput& input, const LaunchReview& launch, const AccessCollector& seen) {
  Lines out;
  for (const auto& [key, t] : seen.totals()) {
    const auto [at, fresh] = out.try_emplace({line_of(input, launch, t.pc), t.access.space, t.access.kind}, t);
    if (!fresh) at->second.add(t);
  }
  return out;
}

Finding at_access(std::string_view rule, int line, const LaunchReview& launch, int index, const AccessTotals& t,
                  std::string message) {
  Finding f = finding(rule, line, launch.code[t.pc].column, std::move(message));
  f.evidence = evidence_of(launch, index, t.worst);
  show_access(f.evidence, launch, t);
  return f;
}

Finding partial_lines(int line, const LaunchReview& launch, int index, const AccessTotals& t) {
  const access::Cost& c = t.cost;
  const std::string buffer =
      t.buffer >= 0 ? fmt::format(" of `{}`", launch.buffers[static_cast<std::size_t>(t.buffer)].name) : "";
  Finding f = at_access(
      "partial-lines", line, launch, index, t,
      fmt::format("this {}{}, {} per lane, requests {} bytes per access and touches {} ({} bytes) in "
                  "{}; {} of {} {} not cover entire 128-byte lines",
                  verb(t.access.kind), buffer, counted(t.access.width_bytes, "byte", "bytes"), c.bytes_wanted,
                  counted(c.sectors, "sector", "sectors"), c.bytes_moved, counted(c.lines, "line", "lines"),
                  t.bad_accesses, counted(t.sum.requests, "access", "accesses"), t.bad_accesses == 1 ? "does" : "do"));
  f.evidence.numbers = {{"bytes wanted", c.bytes_wanted},
                        {"sectors", c.sectors},
                        {"bytes moved", c.bytes_moved},
                        {"lines", c.lines},
                        {"partial accesses", static_cast<double>(t.bad_accesses)},
                        {"accesses", static_cast<double>(t.sum.requests)}};
  // Lanes side by side in one line: only wider accesses fill it.
  const auto all = static_cast<std::uint32_t>(32 * t.access.width_bytes);
  if (t.worst.active == ~0u && t.access.width_bytes < 4 && c.bytes_wanted == all && c.lines == 1 &&
      c.bytes_moved == all)
    f.remedy = fmt::format(
        "let each lane access {} neighbours at once (uchar4, ushort2 or the like): 32 lanes with {} "
        "each are {} of a line's 128 bytes",
        4 / t.access.width_bytes, counted(static_cast<unsigned>(t.access.width_bytes), "byte", "bytes"), all);
  if (const std::uint64_t needed = (t.sum.bytes_wanted + 31) / 32; needed < t.sum.sectors) {
    f.saved = t.sum.sectors - needed;
    f.saving =
        fmt::format("up to {} of {} of 32 bytes on this line", f.saved, counted(t.sum.sectors, "sector", "sectors"));
  }
  return f;
}

/// Two lanes of an access that need different words of a bank; none where one lane needs both.
std::vector<Evidence::Side> bank_parties(const Evidence& e, std::ptrdiff_t bank, int line) {
  std::vector<Evidence::Side> found;
  std::uint64_t first = 0;
  for (int lane = 0; lane < 32 && found.size() < 2; ++lane) {
    if ((e.lanes >> lane & 1) == 0) continue;
    const std::uint64_t begin = e.addresses[static_cast<std::size_t>(lane)] / 4;
    const std::uint64_t end =
        (e.addresses[static_cast<std::size_t>(lane)] + static_cast<unsigned>(e.width_bytes) + 3) / 4;
    for (std::uint64_t word = begin; word < end; ++word) {
      if (static_cast<std::ptrdiff_t>(word % 32) != bank || (!found.empty() && word == first)) continue;
      first = word;
      found.push_back({.does = fmt::format("needs word {} of shared memory, in bank {}", word, bank),
                       .line = line,
                       .block = e.block,
                       .warp = e.warp,
                       .lane = lane});
      break;
    }
  }
  return found.size() == 2 ? found : std::vector<Evidence::Side>{};
}

Finding bank_conflict(int line, const LaunchReview& launch, int index, const AccessTotals& t) {
  const access::Cost& c = t.cost;
  const auto most = std::ranges::max_element(c.turns_per_bank);
  const auto bank = most - c.turns_per_bank.begin();
  Finding f = at_access(
      "bank-conflict", line, launch, index, t,
      fmt::format("this {} of shared memory, {} per lane, takes {} instead of {}: {} different "
                  "words are in bank {}; {} of {} {} bank conflicts",
                  verb(t.access.kind), counted(t.access.width_bytes, "byte", "bytes"),
                  counted(c.wavefronts, "wavefront", "wavefronts"), c.wavefronts - c.bank_conflicts, *most, bank,
                  t.bad_accesses, counted(t.sum.requests, "access", "accesses"), t.bad_accesses == 1 ? "has" : "have"));
  f.evidence.numbers = {{"wavefronts", c.wavefronts},
                        {"without conflicts", c.wavefronts - c.bank_conflicts},
                        {"words in one bank", *most},
                        {"bank", static_cast<double>(bank)},
                        {"conflicting accesses", static_cast<double>(t.bad_accesses)},
                        {"accesses", static_cast<double>(t.sum.requests)}};
  f.evidence.sides = bank_parties(f.evidence, bank, line);
  f.saved = t.sum.bank_conflicts;
  f.saving = fmt::format("{} of {} on this line", f.saved, counted(t.sum.wavefronts, "wavefront", "wavefronts"));
  return f;
}

/// If adjacent words of each thread cause the conflicts, one wide access is the remedy: padding would keep the words
/// apart that it needs together.
void cure_by_width(const ReviewInput& input, const LaunchReview& launch, const AccessTotals& t,
                   std::span<const NarrowGroup> groups, Finding& f) {
  for (const NarrowGroup& g : groups) {
    if (!g.in_shared() || !g.own || g.first().kind != t.access.kind) continue;
    if (std::ranges::none_of(g.members, [&](const Neighbour* n) { return line_of(input, launch, n->pc) == f.line; }))
      continue;
    const GroupWavefronts w = wavefronts_of(g);
    if (w.then >= w.now) continue;
    f.remedy = fmt::format("let each thread {} its {} adjacent {} with one access of {} bits: {} instead of {}",
                           t.access.kind == trace::AccessKind::load ? "read" : "write", g.members.size(),
                           g.width_bytes == 4 ? "words" : "elements", g.wide_bytes * 8,
                           counted(w.then, "wavefront", "wavefronts"), w.now);
    return;
  }
}

Finding constant_replay(int line, const LaunchReview& launch, int index, const AccessTotals& t) {
  Finding f = at_access(
      "constant-replay", line, launch, index, t,
      fmt::format("this load of constant memory takes {} broadcasts, as its lanes read {} different addresses; "
                  "{} of {} {} more than one",
                  t.cost.broadcasts, t.cost.broadcasts, t.bad_accesses, counted(t.sum.requests, "access", "accesses"),
                  t.bad_accesses == 1 ? "takes" : "take"));
  f.evidence.numbers = {{"broadcasts", static_cast<double>(t.cost.broadcasts)},
                        {"accesses that take more than one", static_cast<double>(t.bad_accesses)},
                        {"accesses", static_cast<double>(t.sum.requests)}};
  f.saved = t.sum.replays();
  f.saving = fmt::format("{} of {} on this line", f.saved, counted(t.sum.broadcasts, "broadcast", "broadcasts"));
  return f;
}

/// The kernel takes the buffer as an array of numbers, not of structures.
bool of_numbers(const LaunchReview& launch, int buffer) {
  if (buffer < 0 || launch.spec == nullptr) return false;
  const std::string& name = launch.buffers[static_cast<std::size_t>(buffer)].name;
  return std::ranges::any_of(launch.spec->arguments, [&](const source::ArgumentSpec& a) {
    const auto* place = std::get_if<std::string>(&a.value);
    return a.is_buffer && place != nullptr && place->substr(0, place->find('+')) == name &&
           source::number_type_in(a.type).has_value();
  });
}

void costs(const ReviewInput& input, int index, std::span<const NarrowGroup> groups, std::vector<Finding>& out) {
  const LaunchReview& launch = *input.launches[static_cast<std::size_t>(index)].launch;
  const AccessCollector& seen = *input.launches[static_cast<std::size_t>(index)].seen;
  for (const auto& [key, t] : by_line(input, launch, seen)) {
    if (t.bad_accesses == 0) continue;
    const int line = std::get<0>(key);
    if (t.access.space == trace::MemorySpace::constant) {
      out.push_back(constant_replay(line, launch, index, t));
    } else if (t.access.space == trace::MemorySpace::shared) {
      out.push_back(bank_conflict(line, launch, index, t));
      cure_by_width(input, launch, t, groups, out.back());
    } else if (t.buffer < 0 || !launch.buffers[static_cast<std::size_t>(t.buffer)].heap) {
      // An allocation of the heap may be anywhere among the lines of the cache of a GPU.
      out.push_back(partial_lines(line, launch, index, t));
      if (const auto structure = structure_access(seen, t))
        if (std::string remedy = structure_remedy(*structure, t.access.kind, of_numbers(launch, t.buffer));
            !remedy.empty())
          out.back().remedy = std::move(remedy);
    }
  }
}

// --- narrow accesses -------------------------------------------------------------------------------------------------

/// The first instruction of the group in the order of the code; it gives the line.
const Neighbour& earliest(const NarrowGroup& group) {
  return **std::ranges::min_element(group.members, {}, &Neighbour::pc);
}

/// A type of so many bytes for elements of fewer than 4; nullptr: the rule's own words do.
const char* wide_type(const NarrowGroup& group) {
  if (group.width_bytes >= 4) return nullptr;
  if (group.wide_bytes > 4) return group.wide_bytes == 16 ? "uint4" : group.width_bytes == 2 ? "ushort4" : "uint2";
  return group.width_bytes == 2 ? "ushort2 (__half2)" : group.wide_bytes == 2 ? "uchar2" : "uchar4";
}

Finding narrow(const ReviewInput& input, const LaunchReview& launch, int index, const NarrowGroup& group) {
  const Neighbour& first = earliest(group);
  const int count = static_cast<int>(group.members.size()), bits = group.width_bytes * 8, wide = group.wide_bytes * 8;
  const bool loads = first.kind == trace::AccessKind::load;
  const std::string memory = group.in_shared()
                                 ? "shared memory"
                                 : fmt::format("`{}`", launch.buffers[static_cast<std::size_t>(first.buffer)].name);
  const std::string_view what = loads ? "load" : "store", does = loads ? "read" : "write";
  const std::string some = fmt::format("{} {}s of {} bits {} {}", count, what, bits, loads ? "of" : "to", memory);
  std::string message =
      group.own
          ? fmt::format("{} {} consecutive addresses in each thread; one {} of {} bits {}s the same", some, does, what,
                        wide, does)
          : fmt::format(
                "{} together {} {} consecutive bytes in each warp; one {} of {} bits per lane {}s the same bytes, "
                "with another register assignment",
                some, does, group.wide_bytes * 32, what, wide, does);
  Finding f =
      finding("narrow-access", line_of(input, launch, first.pc), launch.code[first.pc].column, std::move(message));
  if (!group.own) f.severity = Severity::note;
  if (const char* type = wide_type(group))
    f.remedy = fmt::format("load and store {} or the like, aligned to its size", type);
  f.evidence = evidence_of(launch, index, first.first);
  f.evidence.space = group.in_shared() ? trace::MemorySpace::shared : trace::MemorySpace::global;
  f.evidence.width_bytes = group.width_bytes;
  f.evidence.buffer = group.in_shared() ? "shared" : launch.buffers[static_cast<std::size_t>(first.buffer)].name;
  const std::uint64_t start = group.in_shared() ? 0 : launch.buffers[static_cast<std::size_t>(first.buffer)].address;
  for (std::size_t l = 0; l < 32; ++l)
    if ((f.evidence.lanes >> l & 1) != 0) f.evidence.addresses[l] = first.addresses[l] - start;
  f.evidence.numbers = {{"accesses", count}, {"bits of each", bits}, {"bits of one", wide}};
  f.saved = static_cast<std::uint64_t>(count - 1) * first.times;
  f.saving = fmt::format("{} of {} of these {}s", f.saved,
                         counted(static_cast<std::uint64_t>(count) * first.times, "execution", "executions"), what);
  if (group.in_shared() && group.own)
    if (const GroupWavefronts w = wavefronts_of(group); w.then < w.now)
      f.saving += fmt::format("; the first time {} of {}", w.now - w.then, counted(w.now, "wavefront", "wavefronts"));
  return f;
}

void narrow_accesses(const ReviewInput& input, int index, std::span<const NarrowGroup> groups,
                     std::vector<Finding>& out) {
  const LaunchReview& launch = *input.launches[static_cast<std::size_t>(index)].launch;
  std::map<std::tuple<int, bool, trace::AccessKind, bool>, Finding> lines;
  for (const NarrowGroup& g : groups) {
    const int line = line_of(input, launch, earliest(g).pc);
    lines.try_emplace({line, g.own, g.first().kind, g.in_shared()}, narrow(input, launch, index, g));
  }
  for (auto& [key, f] : lines) out.push_back(std::move(f));
}

}  // namespace

void memory_rules(const ReviewInput& input, std::vector<Finding>& out) {
  for (int i = 0; i < static_cast<int>(input.launches.size()); ++i) {
    if (input.launches[static_cast<std::size_t>(i)].seen == nullptr) continue;
    const LaunchReview& launch = *input.launches[static_cast<std::size_t>(i)].launch;
    const std::vector<NarrowGroup> groups = narrow_groups(
        *input.launches[static_cast<std::size_t>(i)].seen, [&](std::uint32_t pc) { return line_of(input, launch, pc); },
        [&](std::uint32_t pc) {
          const std::string_view text = launch.code[pc].text;
          return operand(text, is(text, "st") ? 0 : 1);
        });
    costs(input, i, groups, out);
    narrow_accesses(input, i, groups, out);
  }
}

}  // namespace lanescope::review
