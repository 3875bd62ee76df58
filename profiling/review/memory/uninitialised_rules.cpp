// Reads of memory that no store has written, whose values are used.

#include <algorithm>
#include <map>
#include <tuple>

#include <fmt/format.h>

#include "kernels/base/enum_size.h"
#include "profiling/review/findings/rule_set.h"

namespace lanescope::review {
namespace {

using uninitialised::Read;
using uninitialised::Use;

bool in_heap(const LaunchReview& launch, const Read& r) {
  return r.space == trace::MemorySpace::global && r.buffer >= 0 &&
         launch.buffers[static_cast<std::size_t>(r.buffer)].heap;
}

/// "byte 4 of shared memory", "element 5 of `q`", "byte 4 of an allocation of line 12".
std::string unwritten_place(const LaunchReview& launch, const Read& r) {
  if (r.space == trace::MemorySpace::shared) return fmt::format("byte {} of shared memory", r.byte);
  if (r.space == trace::MemorySpace::local) return fmt::format("byte {} of its local memory", r.byte);
  return place_words(launch, r.buffer, r.byte);
}

std::string used_words(const LaunchReview& launch, const Read& r) {
  constexpr const char* words[] = {"it decides what is executed",
                                   "it is part of an address",
                                   "it selects the lane to read from",
                                   "it decides a vote, a match or an exchange",
                                   "",  // computed and copied: below
                                   ""};
  if (const std::string_view known = entry_for(words, r.use); !known.empty()) return std::string(known);
  const std::string to = r.to_buffer < 0 ? "global memory" : place_words(launch, r.to_buffer, r.to_byte);
  return r.use == Use::copied ? fmt::format("it is stored to {}", to)
                              : fmt::format("a value computed from it is stored to {}", to);
}

/// The store that should have preceded it.
std::string writer_words(const ReviewInput& input, const LaunchReview& launch, const Read& r) {
  if (r.writer)
    return fmt::format("line {} writes it only later (block {}, warp {}, lane {})",
                       line_of(input, launch, r.writer->pc), r.writer->block, r.writer->warp, r.writer_lane);
  if (r.carried) return "a store wrote it with undefined data";
  // Bytes of another allocation are not close.
  const LaunchReview::Allocation* const in = in_heap(launch, r) ? allocation_at(launch, r.byte) : nullptr;
  const std::uint64_t start = in == nullptr ? 0 : in->at;
  if (!r.near || (in != nullptr && (r.near->first < start || r.near->last >= start + in->bytes)))
    return "no thread writes there";
  const int line = line_of(input, launch, r.near->pc);
  const std::uint64_t first = r.near->first - start, last = r.near->last - start;
  if (r.byte >= r.near->first && r.byte <= r.near->last)
    return fmt::format("line {} writes others between bytes {} and {}, and not this one", line, first, last);
  return fmt::format("line {} writes bytes {} to {} only", line, first, last);
}

/// Of a shuffle.
void shuffles_of(const ReviewInput& input, int index, std::vector<Finding>& out) {
  const auto& ran = input.launches[static_cast<std::size_t>(index)];
  const LaunchReview& launch = *ran.launch;
  std::map<int, Read> lines;
  for (const Read& r : ran.again->reads) {
    if (r.from_lane < 0) continue;
    const auto [at, fresh] = lines.try_emplace(line_of(input, launch, r.load.pc), r);
    if (!fresh) at->second.times += r.times;
  }
  for (const auto& [line, r] : lines) {
    const int user = line_of(input, launch, r.user.pc);
    Finding f =
        finding("shuffle-inactive-lane", line, launch.code[r.load.pc].column,
                fmt::format("lane {} of block {}, warp {} takes a value from lane {}, which does not take part in "
                            "this shuffle (lanes {:#010x} do), and {}{}; {}",
                            r.lane, r.load.block, r.load.warp, r.from_lane, r.load.active, used_words(launch, r),
                            user == line ? "" : " " + in_lines(input, launch, r.user.pc),
                            counted(r.times, "such use", "such uses")));
    f.evidence = evidence_of(launch, index, r.load);
    f.evidence.numbers = {{"uses", static_cast<double>(r.times)}};
    f.evidence.sides = {{.does = fmt::format("takes a value from lane {}", r.from_lane),
                         .line = line,
                         .block = r.load.block,
                         .warp = static_cast<int>(r.load.warp),
                         .lane = r.lane},
                        {.does = used_words(launch, r),
                         .line = user,
                         .block = r.user.block,
                         .warp = static_cast<int>(r.user.warp),
                         .lane = r.user_lane}};
    out.push_back(std::move(f));
  }
}

void show_read(const ReviewInput& input, const LaunchReview& launch, int index, const Read& r, Evidence& e) {
  e = evidence_of(launch, index, r.load);
  e.lanes = 1u << r.lane;
  e.space = r.space;
  e.buffer = r.space == trace::MemorySpace::shared  ? "shared"
             : r.space == trace::MemorySpace::local ? "local"
                                                    : launch.buffers[static_cast<std::size_t>(r.buffer)].name;
  e.width_bytes = 1;
  e.addresses[static_cast<std::size_t>(r.lane)] = r.byte;
  e.numbers = {{"byte", static_cast<double>(r.byte)}, {"uses", static_cast<double>(r.times)}};
  e.sides = {{.does = fmt::format("reads {}", unwritten_place(launch, r)),
              .line = line_of(input, launch, r.load.pc),
              .block = r.load.block,
              .warp = static_cast<int>(r.load.warp),
              .lane = r.lane,
              .has_address = true,
              .address = r.byte,
              .buffer = r.space == trace::MemorySpace::shared ? std::string() : e.buffer},
             {.does = r.writer ? "writes it" : used_words(launch, r),
              .line = line_of(input, launch, r.writer ? r.writer->pc : r.user.pc),
              .block = r.writer ? r.writer->block : r.user.block,
              .warp = static_cast<int>(r.writer ? r.writer->warp : r.user.warp),
              .lane = r.writer ? r.writer_lane : r.user_lane}};
}

/// That the buffer is unwritten is not stated: it was inferred from host code, of which launches may be left out.
bool only_inferred(const ReviewInput& input, const LaunchReview& launch, const Read& r) {
  if (r.space != trace::MemorySpace::global || r.buffer < 0) return false;
  const std::string& name = launch.buffers[static_cast<std::size_t>(r.buffer)].name;
  const auto& buffers = input.source->header.buffers;
  const auto found = std::ranges::find(buffers, name, &source::BufferSpec::name);
  return found != buffers.end() && found->initial.line == 0;
}

/// The host code sets a part of the buffer, but not the part that is read.
bool partly_set(const ReviewInput& input, const LaunchReview& launch, const Read& r) {
  const std::string& name = launch.buffers[static_cast<std::size_t>(r.buffer)].name;
  return std::ranges::any_of(input.source->header.launches, [&](const source::LaunchSpec& l) {
    return std::ranges::any_of(l.before, [&](const source::HostStep& s) { return s.to == name && !s.to_variable; });
  });
}

/// One finding for each line that reads and kind of memory: its first use is shown.
void reads_of(const ReviewInput& input, int index, std::vector<Finding>& out) {
  const auto& ran = input.launches[static_cast<std::size_t>(index)];
  const LaunchReview& launch = *ran.launch;
  std::map<std::tuple<int, int, int>, Read> lines;
  for (const Read& r : ran.again->reads) {
    if (r.from_lane >= 0) continue;
    if (r.buffer >= 0 && launch.buffers[static_cast<std::size_t>(r.buffer)].library) continue;
    const auto [at, fresh] =
        lines.try_emplace({line_of(input, launch, r.load.pc), static_cast<int>(r.space), r.buffer}, r);
    if (!fresh) at->second.times += r.times;
  }
  for (const auto& [key, r] : lines) {
    const int line = std::get<0>(key), user = line_of(input, launch, r.user.pc);
    const std::string where = user == line ? "" : " " + in_lines(input, launch, r.user.pc);
    Finding f = finding("uninitialised-read", line, launch.code[r.load.pc].column,
                        fmt::format("block {}, warp {}, lane {} reads {}, which {}, and {}{}; {}; {}", r.load.block,
                                    r.load.warp, r.lane, unwritten_place(launch, r),
                                    r.carried ? "holds undefined data" : "no store has written", used_words(launch, r),
                                    where, writer_words(input, launch, r), counted(r.times, "such use", "such uses")));
    if (r.writer && r.space == trace::MemorySpace::shared)
      f.remedy = "write it first, and put a barrier between the write and this read";
    if (r.space == trace::MemorySpace::global)
      f.remedy = in_heap(launch, r)
                     ? "write the memory after malloc or new (new T[n]() sets it to 0), or do not read it"
                     : "fill the buffer before this launch (cudaMemset, cudaMemcpy or a kernel), or do not read it";
    if (only_inferred(input, launch, r)) {
      f.severity = partly_set(input, launch, r) ? Severity::warning : Severity::note;
      f.message += "; that no store has written it is inferred from the host code that was run";
    }
    show_read(input, launch, index, r, f.evidence);
    out.push_back(std::move(f));
  }
  if (ran.again->not_followed.empty()) return;
  Finding f = finding("uninitialised-read", line_of(input, launch, ~0u), 0,
                      fmt::format("memory is read that no store has written; whether the values are used was not "
                                  "followed: {}",
                                  ran.again->not_followed));
  f.severity = Severity::note;
  f.remedy = "review it with a smaller grid";
  f.evidence.launch = index;
  out.push_back(std::move(f));
}

}  // namespace

void uninitialised_rules(const ReviewInput& input, std::vector<Finding>& out) {
  for (int i = 0; i < static_cast<int>(input.launches.size()); ++i)
    if (input.launches[static_cast<std::size_t>(i)].again != nullptr) {
      reads_of(input, i, out);
      shuffles_of(input, i, out);
    }
}

}  // namespace lanescope::review
