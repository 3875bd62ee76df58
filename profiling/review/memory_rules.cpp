// Rules about memory accesses: entire cache lines, free banks, wide loads, shared memory that nothing has written.

#include <algorithm>
#include <bit>
#include <map>
#include <tuple>

#include <fmt/format.h>

#include "kernels/base/set_bits.h"
#include "profiling/review/rule_sets.h"

namespace lanescope::review {
namespace {

std::string_view verb(trace::AccessKind kind) {
  if (kind == trace::AccessKind::load) return "load";
  return kind == trace::AccessKind::store ? "store" : "asynchronous copy";
}

/// What one line of the source does to one space in one direction, over all its instructions.
using Lines = std::map<std::tuple<int, trace::MemorySpace, trace::AccessKind>, AccessTotals>;

Lines by_line(const ReviewInput& input, const LaunchReview& launch, const AccessCollector& seen) {
  Lines out;
  for (const auto& [key, t] : seen.totals()) {
    const auto [at, fresh] = out.try_emplace({line_of(input, launch, t.pc), t.space, t.kind}, t);
    if (fresh) continue;
    AccessTotals& sum = at->second;
    AccessTotals merged = t.worst_excess > sum.worst_excess ? t : sum;
    merged.accesses = sum.accesses + t.accesses;
    merged.bad_accesses = sum.bad_accesses + t.bad_accesses;
    merged.sectors = sum.sectors + t.sectors;
    merged.bytes_wanted = sum.bytes_wanted + t.bytes_wanted;
    merged.wavefronts = sum.wavefronts + t.wavefronts;
    merged.ideal_wavefronts = sum.ideal_wavefronts + t.ideal_wavefronts;
    merged.bank_conflicts = sum.bank_conflicts + t.bank_conflicts;
    sum = merged;
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
  const access::GlobalCost& c = t.worst_global;
  const std::string buffer =
      t.buffer >= 0 ? fmt::format(" of `{}`", launch.buffers[static_cast<std::size_t>(t.buffer)].name) : "";
  Finding f = at_access(
      "partial-lines", line, launch, index, t,
      fmt::format("this {}{}, {} per lane, requests {} bytes per access and touches {} ({} bytes) in "
                  "{}; {} of {} {} not cover entire 128-byte lines",
                  verb(t.kind), buffer, counted(t.width_bytes, "byte", "bytes"), c.bytes_wanted,
                  counted(c.sectors, "sector", "sectors"), c.bytes_moved, counted(c.lines, "line", "lines"),
                  t.bad_accesses, counted(t.accesses, "access", "accesses"), t.bad_accesses == 1 ? "does" : "do"));
  f.evidence.numbers = {{"bytes wanted", c.bytes_wanted},
                        {"sectors", c.sectors},
                        {"bytes moved", c.bytes_moved},
                        {"lines", c.lines},
                        {"partial accesses", static_cast<double>(t.bad_accesses)},
                        {"accesses", static_cast<double>(t.accesses)}};
  // Lanes side by side in one line: only wider accesses fill it.
  const auto all = static_cast<std::uint32_t>(32 * t.width_bytes);
  if (t.worst.active == ~0u && t.width_bytes < 4 && c.bytes_wanted == all && c.lines == 1 && c.bytes_moved == all)
    f.remedy = fmt::format(
        "let each lane access {} neighbours at once (uchar4, ushort2 or the like): 32 lanes with {} "
        "each are {} of a line's 128 bytes",
        4 / t.width_bytes, counted(static_cast<unsigned>(t.width_bytes), "byte", "bytes"), all);
  if (const std::uint64_t needed = (t.bytes_wanted + 31) / 32; needed < t.sectors)
    f.saving = fmt::format("up to {} of {} of 32 bytes on this line", t.sectors - needed,
                           counted(t.sectors, "sector", "sectors"));
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
  const access::SharedCost& c = t.worst_shared;
  const auto most = std::ranges::max_element(c.words_per_bank);
  const auto bank = most - c.words_per_bank.begin();
  Finding f = at_access(
      "bank-conflict", line, launch, index, t,
      fmt::format("this {} of shared memory, {} per lane, takes {} instead of {}: {} different "
                  "words are in bank {}; {} of {} {} bank conflicts",
                  verb(t.kind), counted(t.width_bytes, "byte", "bytes"),
                  counted(c.wavefronts, "wavefront", "wavefronts"), c.wavefronts - c.bank_conflicts, *most, bank,
                  t.bad_accesses, counted(t.accesses, "access", "accesses"), t.bad_accesses == 1 ? "has" : "have"));
  f.evidence.numbers = {{"wavefronts", c.wavefronts},
                        {"without conflicts", c.wavefronts - c.bank_conflicts},
                        {"words in one bank", *most},
                        {"bank", static_cast<double>(bank)},
                        {"conflicting accesses", static_cast<double>(t.bad_accesses)},
                        {"accesses", static_cast<double>(t.accesses)}};
  f.evidence.sides = bank_parties(f.evidence, bank, line);
  f.saving = fmt::format("{} of {} on this line", t.bank_conflicts, counted(t.wavefronts, "wavefront", "wavefronts"));
  return f;
}

void costs(const ReviewInput& input, int index, std::vector<Finding>& out) {
  const LaunchReview& launch = *input.launches[static_cast<std::size_t>(index)].launch;
  for (const auto& [key, t] : by_line(input, launch, *input.launches[static_cast<std::size_t>(index)].seen)) {
    if (t.bad_accesses == 0) continue;
    const int line = std::get<0>(key);
    out.push_back(t.space == trace::MemorySpace::shared ? bank_conflict(line, launch, index, t)
                                                        : partial_lines(line, launch, index, t));
  }
}

// --- constant memory -------------------------------------------------------------------------------------------------

void constant_replays(const ReviewInput& input, int index, std::vector<Finding>& out) {
  const LaunchReview& launch = *input.launches[static_cast<std::size_t>(index)].launch;
  std::map<int, std::pair<std::uint32_t, ConstantTotals>> lines;  // with the pc of the worst instruction
  for (const auto& [pc, t] : input.launches[static_cast<std::size_t>(index)].seen->constants()) {
    const auto [at, fresh] = lines.try_emplace(line_of(input, launch, pc), pc, t);
    if (fresh) continue;
    ConstantTotals sum = at->second.second;
    const bool worse = t.worst_broadcasts > sum.worst_broadcasts;
    ConstantTotals merged = worse ? t : sum;
    merged.accesses = sum.accesses + t.accesses;
    merged.split = sum.split + t.split;
    merged.broadcasts = sum.broadcasts + t.broadcasts;
    at->second = {worse ? pc : at->second.first, merged};
  }
  for (const auto& [line, found] : lines) {
    const auto& [pc, t] = found;
    if (t.split == 0) continue;
    Finding f = finding(
        "constant-replays", line, launch.code[pc].column,
        fmt::format("this load of constant memory takes {} broadcasts, as its lanes read {} different addresses; "
                    "{} of {} {} more than one",
                    t.worst_broadcasts, t.worst_broadcasts, t.split, counted(t.accesses, "access", "accesses"),
                    t.split == 1 ? "takes" : "take"));
    f.evidence = evidence_of(launch, index, t.worst);
    f.evidence.space = trace::MemorySpace::constant;
    f.evidence.width_bytes = t.width_bytes;
    f.evidence.buffer = "constant";
    const std::uint64_t start = *std::ranges::min_element(t.worst_addresses);
    for (const std::size_t l : set_bits(t.worst.active)) f.evidence.addresses[l] = t.worst_addresses[l] - start;
    f.evidence.numbers = {{"broadcasts", t.worst_broadcasts},
                          {"accesses that take more than one", static_cast<double>(t.split)},
                          {"accesses", static_cast<double>(t.accesses)}};
    f.saving = fmt::format("{} of {} on this line", t.broadcasts - t.accesses,
                           counted(t.broadcasts, "broadcast", "broadcasts"));
    out.push_back(std::move(f));
  }
}

// --- narrow loads ----------------------------------------------------------------------------------------------------

/// Loads of one leader whose distances to it never change, nearest to the lowest address first.
std::vector<const Neighbour*> steady(const std::map<std::uint32_t, Neighbour>& all, const Neighbour& leader) {
  std::vector<const Neighbour*> out;
  for (const auto& [pc, n] : all)
    if (n.leader == leader.pc && n.constant && n.width_bytes == leader.width_bytes && n.times == leader.times)
      out.push_back(&n);
  std::ranges::stable_sort(out, {}, &Neighbour::distance_bytes);
  const auto same = [](const Neighbour* a, const Neighbour* b) { return a->distance_bytes == b->distance_bytes; };
  out.erase(std::unique(out.begin(), out.end(), same), out.end());
  return out;
}

bool aligned(std::uint32_t residues, std::int64_t distance, int bytes) {
  for (int r = 0; r < 16; ++r)
    if ((residues >> r & 1) != 0 && ((r + distance) % bytes + bytes) % bytes != 0) return false;
  return true;
}

/// How many loads from `first` on follow each other at `step` bytes and fit into one aligned access: 4, 2, or 1.
std::size_t mergeable(const std::vector<const Neighbour*>& loads, std::size_t first, std::int64_t step,
                      std::uint32_t residues) {
  std::size_t run = 1;
  while (first + run < loads.size() &&
         loads[first + run]->distance_bytes == loads[first]->distance_bytes + static_cast<std::int64_t>(run) * step)
    ++run;
  const int width = loads[first]->width_bytes;
  for (std::size_t n = static_cast<std::size_t>(16 / width); n >= 2; n /= 2)
    if (run >= n && aligned(residues, loads[first]->distance_bytes, static_cast<int>(n) * width)) return n;
  return 1;
}

Finding narrow(const ReviewInput& input, const LaunchReview& launch, int index, const Neighbour& first,
               std::size_t count, bool own) {
  const int width = first.width_bytes, wide = width * static_cast<int>(count);
  const std::string& buffer = launch.buffers[static_cast<std::size_t>(first.buffer)].name;
  std::string message = own ? fmt::format(
                                  "{} loads of {} bits of `{}` read consecutive addresses in each thread; one load of "
                                  "{} bits reads the same",
                                  count, width * 8, buffer, wide * 8)
                            : fmt::format(
                                  "{} loads of {} bits of `{}` together read {} consecutive bytes in each warp; one "
                                  "load of {} bits per lane reads the same bytes, with another register assignment",
                                  count, width * 8, buffer, wide * 32, wide * 8);
  Finding f =
      finding("narrow-load", line_of(input, launch, first.pc), launch.code[first.pc].column, std::move(message));
  if (!own) f.severity = Severity::note;
  f.evidence = evidence_of(launch, index, first.first);
  f.evidence.width_bytes = width;
  f.evidence.buffer = buffer;
  for (std::size_t l = 0; l < 32; ++l)
    if ((f.evidence.lanes >> l & 1) != 0)
      f.evidence.addresses[l] = first.addresses[l] - launch.buffers[static_cast<std::size_t>(first.buffer)].address;
  f.evidence.numbers = {
      {"loads", static_cast<double>(count)}, {"bits of each", width * 8.0}, {"bits of one", wide * 8.0}};
  f.saving = fmt::format("{} of {} of these loads", (count - 1) * first.times,
                         counted(count * first.times, "execution", "executions"));
  return f;
}

void narrow_loads(const ReviewInput& input, int index, std::vector<Finding>& out) {
  const LaunchReview& launch = *input.launches[static_cast<std::size_t>(index)].launch;
  const auto& all = input.launches[static_cast<std::size_t>(index)].seen->neighbours();
  std::map<std::pair<int, bool>, Finding> lines;
  for (const auto& [pc, leader] : all) {
    if (leader.leader != pc) continue;
    const std::vector<const Neighbour*> loads = steady(all, leader);
    const auto take = [&](std::size_t i, std::size_t n, bool own) {
      // The first instruction of the group, in the order of the code, gives the line.
      const auto first =
          std::ranges::min_element(loads.begin() + static_cast<std::ptrdiff_t>(i),
                                   loads.begin() + static_cast<std::ptrdiff_t>(i + n), {}, &Neighbour::pc);
      const std::pair key(line_of(input, launch, (*first)->pc), own);
      lines.try_emplace(key, narrow(input, launch, index, **first, n, own));
    };
    bool found = false;
    const auto residues = leader.residues, base = leader.base_residues;
    for (std::size_t i = 0; i < loads.size();) {
      const std::size_t n = leader.width_bytes > 0 ? mergeable(loads, i, leader.width_bytes, residues) : 1;
      if (n > 1) take(i, n, true), found = true;
      i += n;
    }
    for (std::size_t i = 0; i < loads.size() && !found && leader.consecutive;) {
      const std::size_t n = mergeable(loads, i, 32 * leader.width_bytes, base);
      if (n > 1) take(i, n, false);
      i += n;
    }
  }
  for (auto& [key, f] : lines) out.push_back(std::move(f));
}

// --- shared memory that nothing has written --------------------------------------------------------------------------

/// Whether a race of shared memory has this instruction: the finding about the race says what the load met.
bool races_in_shared(const AccessCollector& seen, std::uint32_t pc) {
  return std::ranges::any_of(seen.races().races(),
                             [&](const races::Race& r) { return r.shared && (r.first.pc == pc || r.second.pc == pc); });
}

void unwritten(const ReviewInput& input, int index, std::vector<Finding>& out) {
  const LaunchReview& launch = *input.launches[static_cast<std::size_t>(index)].launch;
  const AccessCollector& seen = *input.launches[static_cast<std::size_t>(index)].seen;
  std::map<int, std::pair<std::uint32_t, UnwrittenShared::Reading>> lines;  // with the pc of the first such instruction
  for (const auto& [pc, r] : seen.unwritten().readings()) {
    if (races_in_shared(seen, pc)) continue;
    const auto [at, fresh] = lines.try_emplace(line_of(input, launch, pc), pc, r);
    if (fresh) continue;
    UnwrittenShared::Reading& sum = at->second.second;
    const std::uint64_t accesses = sum.accesses + r.accesses, unwritten = sum.unwritten + r.unwritten;
    if (sum.unwritten == 0 && r.unwritten > 0) at->second = {pc, r};
    sum.accesses = accesses, sum.unwritten = unwritten;
  }
  for (const auto& [line, found] : lines) {
    const auto& [pc, r] = found;
    if (r.unwritten == 0) continue;
    const int lane = std::countr_zero(r.lanes);
    const std::uint64_t byte = r.addresses[static_cast<std::size_t>(lane)];
    Finding f = finding(
        "shared-unwritten", line, launch.code[pc].column,
        fmt::format("lane {} of block {}, warp {} reads {} from byte {} of shared memory, where no thread of the block "
                    "has written before; such bytes are read by {} of {}",
                    lane, r.first.block, r.first.warp, counted(static_cast<unsigned>(r.width_bytes), "byte", "bytes"),
                    byte, r.unwritten, counted(r.accesses, "access on this line", "accesses on this line")));
    f.evidence = evidence_of(launch, index, r.first);
    f.evidence.space = trace::MemorySpace::shared;
    f.evidence.buffer = "shared";
    f.evidence.width_bytes = r.width_bytes;
    f.evidence.lanes = r.lanes;
    for (const std::size_t l : set_bits(r.lanes)) f.evidence.addresses[l] = r.addresses[l];
    f.evidence.numbers = {{"byte", static_cast<double>(byte)},
                          {"accesses that read such bytes", static_cast<double>(r.unwritten)},
                          {"accesses", static_cast<double>(r.accesses)}};
    f.evidence.sides = {{.does = fmt::format("reads byte {} of shared memory", byte),
                         .line = line,
                         .block = r.first.block,
                         .warp = static_cast<int>(r.first.warp),
                         .lane = lane,
                         .has_address = true,
                         .address = byte}};
    out.push_back(std::move(f));
  }
}

}  // namespace

void memory_rules(const ReviewInput& input, std::vector<Finding>& out) {
  for (int i = 0; i < static_cast<int>(input.launches.size()); ++i) {
    if (input.launches[static_cast<std::size_t>(i)].seen == nullptr) continue;
    costs(input, i, out);
    constant_replays(input, i, out);
    narrow_loads(input, i, out);
    unwritten(input, i, out);
  }
}

}  // namespace lanescope::review
