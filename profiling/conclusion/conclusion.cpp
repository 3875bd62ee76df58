#include "profiling/conclusion/conclusion.h"

#include <algorithm>
#include <initializer_list>
#include <map>
#include <optional>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "kernels/base/enum_size.h"

namespace lanescope::conclusion {
namespace {

using results::Measured;

constexpr double busy = 0.6;      ///< of its peak: a unit that works so much is the limit
constexpr double wasteful = 0.1;  ///< of the wavefronts or transferred bytes: worth a remedy
constexpr double sector_bytes = 32;

struct Reason {
  std::string_view name;
  Limit limit;
};
/// Names of cupti::stall_name. Others (not_selected, selected) are no stalls.
constexpr Reason reasons[] = {
    {"long_scoreboard", Limit::global_latency},
    {"lg_throttle", Limit::global_latency},
    {"drain", Limit::exit},
    {"tex_throttle", Limit::global_latency},
    {"short_scoreboard", Limit::shared_latency},
    {"mio_throttle", Limit::shared_latency},
    {"barrier", Limit::barrier},
    {"warpgroup_arrive", Limit::barrier},
    {"math_pipe_throttle", Limit::arithmetic},
    {"gmma", Limit::arithmetic},
    {"wait", Limit::instruction_latency},
    {"no_instructions", Limit::instruction_latency},
    {"branch_resolving", Limit::instruction_latency},
    {"dispatch_stall", Limit::instruction_latency},
    {"imc_miss", Limit::constant_cache},
    {"membar", Limit::fence},
    {"sleeping", Limit::fence},
};

std::optional<double> sum(const Measured& m, std::initializer_list<std::string_view> names) {
  double all = 0;
  bool any = false;
  for (const std::string_view name : names)
    if (const results::MetricRow* row = results::whole_run(m, name); row != nullptr && row->measured)
      all += *row->measured, any = true;
  return any ? std::optional(all) : std::nullopt;
}

/// Wavefronts that bank conflicts add, of all wavefronts of shared memory.
struct Share {
  double part = 0, whole = 0;
  double share() const { return whole > 0 ? part / whole : 0; }
};
std::optional<Share> conflicts(const Measured& m) {
  const auto extra = sum(m, {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum",
                             "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum"});
  const auto all = sum(m, {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
                           "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum"});
  if (!all || *all <= 0) return std::nullopt;
  return Share{std::min(extra.value_or(0), *all), *all};
}
/// Sectors beyond those that the requested bytes would fill, of all sectors of global memory.
std::optional<Share> unrequested(const Measured& m) {
  const auto sectors =
      sum(m, {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum"});
  const auto bytes =
      sum(m, {"smsp__sass_data_bytes_mem_global_op_ld.sum", "smsp__sass_data_bytes_mem_global_op_st.sum"});
  if (!sectors || !bytes || *sectors <= 0) return std::nullopt;
  return Share{std::max(*sectors - *bytes / sector_bytes, 0.0), *sectors};
}

struct Waiting {
  std::string reason, words;
  Limit limit = Limit::unknown;
  std::uint64_t samples = 0, all = 0;  ///< all: of every stall
  int line = 0;                        ///< with most of them; 0: not known
  double share() const { return all > 0 ? static_cast<double>(samples) / static_cast<double>(all) : 0; }
};
/// Stalls that have one remedy count together; the largest reason among them is named.
std::optional<Waiting> waiting(const Measured& m) {
  std::map<Limit, std::uint64_t> by_limit;
  std::map<std::string, std::uint64_t> by_reason;
  std::map<std::pair<Limit, int>, std::uint64_t> by_line;
  std::uint64_t all = 0;
  const auto limit_of = [](const std::string& reason) -> std::optional<Limit> {
    for (const Reason& r : reasons)
      if (r.name == reason) return r.limit;
    return std::nullopt;
  };
  for (const results::StallRow& row : m.stalls) {
    const auto limit = limit_of(row.reason);
    if (!limit) continue;
    by_limit[*limit] += row.samples, by_reason[row.reason] += row.samples, all += row.samples;
    by_line[{*limit, row.line}] += row.samples;
  }
  if (all == 0) return std::nullopt;
  const auto most = std::ranges::max_element(by_limit, {}, [](const auto& e) { return e.second; });
  Waiting out{.limit = most->first, .samples = most->second, .all = all};
  std::uint64_t largest = 0;
  for (const results::StallRow& row : m.stalls)
    if (limit_of(row.reason) == out.limit &&
        (by_reason[row.reason] > largest || (by_reason[row.reason] == largest && row.reason < out.reason)))
      largest = by_reason[row.reason], out.reason = row.reason, out.words = row.words;
  std::uint64_t at_line = 0;
  for (const auto& [place, samples] : by_line)
    if (place.first == out.limit && place.second > 0 && samples > at_line) at_line = samples, out.line = place.second;
  return out;
}

struct Use {
  Limit limit = Limit::unknown;
  std::string unit;
  double achieved = 0, peak = 0;
  std::string rate;  ///< "GB/s"
  double share() const { return peak > 0 ? achieved / peak : 0; }
};
std::vector<Use> uses(const Input& in) {
  std::vector<Use> out;
  if (in.occupancy == nullptr) return out;
  for (const results::AchievedBandwidth& a : results::achieved_bandwidths(in.measured))
    for (const results::RoofInfo& roof : in.occupancy->roofs)
      if (roof.memory == a.memory)
        out.push_back({.limit = a.memory == "L2"              ? Limit::l2
                                : a.memory == "shared memory" ? Limit::shared_memory
                                                              : Limit::device_memory,
                       .unit = a.memory,
                       .achieved = a.gb_per_s,
                       .peak = roof.gb_per_s,
                       .rate = "GB/s"});
  const auto& timing = in.measured.timing;
  if (in.operations > 0 && timing && timing->median_us > 0) {
    const double peak = in.occupancy->roofline ? in.occupancy->roofline->peak_gop_per_s : in.occupancy->peak_gop_per_s;
    out.push_back({.limit = Limit::arithmetic,
                   .unit = "floating-point arithmetic",
                   .achieved = in.operations / timing->median_us * 1e-3,
                   .peak = peak,
                   .rate = "Gop/s"});
  }
  return out;
}

std::string percent(double share) { return fmt::format("{:.0f} %", 100 * share); }
std::string count(double n) { return fmt::format("{:.0f}", n); }

const results::FindingInfo* finding(const Input& in, std::initializer_list<std::string_view> rules) {
  for (const std::string_view rule : rules)
    for (const results::FindingInfo& f : in.findings)
      if (f.rule == rule && !f.remedy.empty()) return &f;
  return nullptr;
}

/// The review's remedy for that waste, at its line, or a general one.
void take_remedy(const Input& in, std::initializer_list<std::string_view> rules, std::string general, Conclusion& c) {
  if (const results::FindingInfo* f = finding(in, rules)) {
    c.remedy = fmt::format("line {}: {}", f->line, f->remedy);
    if (!f->saving.empty()) c.saving = f->saving + (c.saving.empty() ? "" : "; " + c.saving);
  } else {
    c.remedy = std::move(general);
  }
}

/// Unrequested sectors, where there are many of them.
bool mend_sectors(const Input& in, Conclusion& c) {
  const auto lost = unrequested(in.measured);
  if (!lost || lost->share() < wasteful) return false;
  c.evidence.push_back(fmt::format("the requested bytes of global memory fit {} sectors, and {} were moved",
                                   count(lost->whole - lost->part), count(lost->whole)));
  c.saving = fmt::format("at most {} of the traffic of global memory", percent(lost->share()));
  take_remedy(in, {"partial-lines", "narrow-access"},
              "let neighbouring lanes access neighbouring addresses, or stage the data through shared memory", c);
  return true;
}
bool mend_conflicts(const Input& in, Conclusion& c) {
  const auto lost = conflicts(in.measured);
  if (!lost || lost->share() < wasteful) return false;
  c.evidence.push_back(fmt::format("{} of {} wavefronts of shared memory ({}) are bank conflicts", count(lost->part),
                                   count(lost->whole), percent(lost->share())));
  c.saving = fmt::format("at most {} of the wavefronts of shared memory", percent(lost->share()));
  take_remedy(in, {"bank-conflict"}, "pad the rows of the shared array, or swizzle its columns", c);
  return true;
}

void limit_by_rate(const Input& in, const Use& use, Conclusion& c) {
  c.limit = use.limit;
  c.sentence = fmt::format("The rate of {} limits this kernel", use.unit);
  c.evidence.push_back(
      fmt::format("it works at {:.0f} of {:.0f} {} ({})", use.achieved, use.peak, use.rate, percent(use.share())));
  const double left = 1 - std::min(use.share(), 1.0);
  switch (use.limit) {
    case Limit::device_memory:
    case Limit::l2:
      if (mend_sectors(in, c)) return;
      c.remedy = use.limit == Limit::l2 ? "read each value from L2 once and keep it in registers or shared memory"
                                        : "move fewer bytes: smaller types, fused kernels, values kept in registers or "
                                          "shared memory";
      c.saving = fmt::format("as much time as bytes; without that at most {}, the distance to the peak", percent(left));
      return;
    case Limit::shared_memory:
      if (mend_conflicts(in, c)) return;
      c.remedy = "keep values in registers, exchange them by shuffles, or use wider accesses";
      c.saving =
          fmt::format("as much time as wavefronts; without that at most {}, the distance to the peak", percent(left));
      return;
    default:
      take_remedy(in, {"double-precision"}, "do fewer or cheaper operations: a lower precision, fused multiply-adds",
                  c);
      if (c.saving.empty())
        c.saving =
            fmt::format("as much time as operations; without that at most {}, the distance to the peak", percent(left));
  }
}

bool limit_by_grid(const Input& in, Conclusion& c) {
  if (in.occupancy == nullptr || !in.occupancy->waves) return false;
  const results::WavesInfo& w = *in.occupancy->waves;
  if (w.blocks >= w.multiprocessors) return false;
  c.limit = Limit::grid;
  c.sentence = "The grid is too small for this GPU";
  c.evidence.push_back(fmt::format("{} block{} for {} multiprocessors: {} of them have no block", w.blocks,
                                   w.blocks == 1 ? "" : "s", w.multiprocessors, w.multiprocessors - w.blocks));
  c.remedy = "divide the work into more blocks, or give one launch more work";
  c.saving = fmt::format("at most {} of the time, where the work can be divided",
                         percent(1 - static_cast<double>(w.blocks) / w.multiprocessors));
  return true;
}

/// By Limit; empty: warps do not wait.
constexpr std::string_view waiting_words[] = {"",
                                              "",
                                              "",
                                              "",
                                              "Waiting for the arithmetic pipes",
                                              "",
                                              "Waiting for global memory",
                                              "Waiting for shared memory and special functions",
                                              "Waiting for stores after the last instruction",
                                              "Waiting at barriers",
                                              "Waiting for the instruction before, its fetch or a branch",
                                              "Waiting for constants",
                                              "Waiting for memory fences or sleep"};

void limit_by_waiting(const Input& in, const Waiting& w, Conclusion& c) {
  c.limit = w.limit;
  c.sentence = fmt::format("{} limits this kernel", entry_for(waiting_words, w.limit));
  c.evidence.push_back(fmt::format("{} of the samples of stalled warps, most of them {}{}", percent(w.share()),
                                   w.reason, w.line > 0 ? fmt::format(" and at line {}", w.line) : ""));
  const std::string at_most = fmt::format("at most {} of the waiting", percent(w.share()));
  switch (w.limit) {
    case Limit::global_latency: {
      if (mend_sectors(in, c)) return;
      c.saving = at_most;
      const results::InFlightInfo* memory = nullptr;
      if (in.occupancy != nullptr)
        for (const results::InFlightInfo& f : in.occupancy->in_flight)
          if (f.what.starts_with("memory")) memory = &f;
      if (memory != nullptr && memory->resident_warps < memory->needed_warps) {
        c.evidence.push_back(fmt::format("{} warps are resident and {} are needed to hide the latency",
                                         memory->resident_warps, memory->needed_warps));
        c.remedy =
            memory->independent_needed > 0
                ? fmt::format("{} independent loads in each thread, or more resident warps", memory->independent_needed)
                : "more resident warps, or several independent loads in each thread";
      } else {
        c.remedy = "load earlier what is used later, or reuse what was loaded";
      }
      return;
    }
    case Limit::shared_latency:
      if (mend_conflicts(in, c)) return;
      c.saving = at_most;
      c.remedy = "let independent instructions stand between an access to shared memory and its use";
      return;
    case Limit::exit:
      c.saving = at_most;
      c.remedy = "more work in each thread, so that its end counts less, or fewer and wider stores";
      return;
    case Limit::barrier:
      c.saving = at_most;
      take_remedy(in, {"barrier-unneeded"}, "fewer barriers, smaller blocks, or work that is divided evenly", c);
      return;
    case Limit::arithmetic:
      c.saving = at_most;
      take_remedy(in, {"double-precision"}, "fewer operations, or of another pipe", c);
      return;
    case Limit::constant_cache:
      c.saving = at_most;
      take_remedy(in, {"constant-replay"}, "let all lanes read the same constant, or keep the table in shared memory",
                  c);
      return;
    case Limit::fence:
      c.saving = at_most;
      c.remedy = "fewer fences, or fences of a narrower scope";
      return;
    default:
      c.saving = at_most;
      c.remedy = "more resident warps, or independent instructions in each thread";
  }
}

}  // namespace

Conclusion conclude(const Input& in) {
  Conclusion c;
  if (!in.measured.fault.empty()) {
    c.sentence = "What limits this kernel is not known: the launch failed";
    return c;
  }
  const std::vector<Use> all = uses(in);
  const auto most = std::ranges::max_element(all, {}, &Use::share);
  const auto wait = waiting(in.measured);
  if (most != all.end() && most->share() >= busy) {
    limit_by_rate(in, *most, c);
  } else if (limit_by_grid(in, c)) {
    if (wait) {
      Conclusion inside;
      limit_by_waiting(in, *wait, inside);
      c.next = fmt::format("{}: {}", entry_for(waiting_words, wait->limit), fmt::join(inside.evidence, "; "));
    }
  } else if (wait) {
    limit_by_waiting(in, *wait, c);
  } else {
    // Without stalls: waste is reported, but not its cost.
    if (mend_conflicts(in, c) || mend_sectors(in, c))
      c.sentence = "Stalls were not measured, so what limits this kernel is not known; the counters show waste";
    else
      c.sentence =
          all.empty() && !unrequested(in.measured) && !conflicts(in.measured)
              ? "What limits this kernel is not known: neither stalls nor the counters of memory were measured"
              : "What limits this kernel is not known: no unit works near its peak, and stalls were not measured";
  }
  if (c.limit != Limit::unknown && most != all.end() && most->share() < busy)
    c.evidence.push_back(fmt::format("no unit works near its peak: {} at {}", most->unit, percent(most->share())));
  return c;
}

std::string paragraph(const Conclusion& c) {
  std::string text = c.sentence;
  if (!c.evidence.empty()) text += fmt::format(": {}", fmt::join(c.evidence, "; "));
  text += ".";
  if (!c.remedy.empty()) text += " First remedy: " + c.remedy + ".";
  if (!c.saving.empty()) text += " It would save " + c.saving + ".";
  if (!c.next.empty()) text += " Next: " + c.next + ".";
  return text;
}

}  // namespace lanescope::conclusion
