#include "profiling/occupancy/reference_figures.h"

#include <cmath>

#include <fmt/format.h>

#include "profiling/access/patterns.h"
#include "profiling/access/traffic.h"
#include "profiling/occupancy/curves.h"
#include "profiling/occupancy/latency.h"
#include "profiling/occupancy/roofline.h"

namespace lanescope::occupancy {
namespace {

using access::Access;
using access::LoadPath;
using access::PatternSpec;
using access::Shape;
using access::Traffic;
using Relation = ReferenceFigure::Relation;
using Figures = std::vector<ReferenceFigure>;

/// All specs of this file are sound.
Access made(const PatternSpec& spec) { return access::make_pattern(spec).value(); }

struct Scenario {
  std::string_view name;
  Access pattern;
  double caching_percent, non_caching_percent;  ///< bus utilisation as stated
  int caching_transactions, non_caching_transactions;
  Relation non_caching = Relation::equal;
};

std::vector<Scenario> scenarios() {
  return {{"aligned, consecutive words", made({}), 100, 100, 1, 1},
          {"aligned, permuted words", made({.shape = Shape::permuted, .seed = 5}), 100, 100, 1, 1},
          {"misaligned, consecutive words", made({.shape = Shape::misaligned, .amount = 4}), 50, 80, 2, 2,
           Relation::at_least},
          {"one word for all lanes", made({.shape = Shape::broadcast}), 3.125, 12.5, 1, 1},
          {"scattered over 32 lines", made({.shape = Shape::stride, .amount = 64}), 100.0 * 128 / (32 * 128),
           100.0 * 128 / (32 * 32), 32, 32}};
}

void add_path(Figures& out, std::string_view path, const Scenario& s, const Traffic& t, double percent,
              int transactions, Relation relation) {
  const std::string source = fmt::format("memory slides, {} load", path);
  const auto name = [&](std::string_view what) { return fmt::format("{} load, {}: {}", path, s.name, what); };
  out.push_back({name("bus utilisation"), source, "%", t.utilisation_percent(), percent, relation});
  out.push_back({name("transactions"), source, "transactions", static_cast<double>(t.transactions),
                 static_cast<double>(transactions), Relation::equal});
  out.push_back(
      {name("replays"), source, "replays", static_cast<double>(t.replays), transactions - 1.0, Relation::equal});
}

void add_load_paths(Figures& out, const access::MemoryModel& model) {
  for (const Scenario& s : scenarios()) {
    add_path(out, "caching", s, traffic(s.pattern, LoadPath::caching, model), s.caching_percent, s.caching_transactions,
             Relation::equal);
    add_path(out, "non-caching", s, traffic(s.pattern, LoadPath::non_caching, model), s.non_caching_percent,
             s.non_caching_transactions, s.non_caching);
  }
  // N segments and N lines of a seeded pattern: N is counted as distinct quotients, the share comes from the model.
  const Access scattered = made({.shape = Shape::scattered, .seed = 9, .range_bytes = 4096});
  const Traffic lines = traffic(scattered, LoadPath::caching, model),
                segments = traffic(scattered, LoadPath::non_caching, model);
  out.push_back({fmt::format("caching load, scattered over N = {} lines: 128 / (N * 128)", lines.segments),
                 "memory slides, caching load", "%", lines.utilisation_percent(),
                 100.0 * 128 / (lines.segments * 128.0), Relation::equal});
  out.push_back({fmt::format("non-caching load, scattered over N = {} segments: 128 / (N * 32)", segments.segments),
                 "memory slides, non-caching load", "%", segments.utilisation_percent(),
                 100.0 * 128 / (segments.segments * 32.0), Relation::equal});
}

void add_other_traffic(Figures& out, const access::MemoryModel& classic) {
  std::uint32_t moved = 0, wanted = 0;
  for (const std::uint64_t field : {0u, 4u, 8u}) {
    const Traffic t =
        traffic(made({.shape = Shape::structure, .amount = 12, .field_bytes = field}), LoadPath::non_caching, classic);
    moved += t.bytes_moved, wanted += t.bytes_wanted;
  }
  out.push_back({"structure of 12 bytes, three loads: transferred bytes per requested byte",
                 "memory slides, structures of non-native size", "times", static_cast<double>(moved) / wanted, 3.0,
                 Relation::equal});
  const auto queries = [&](const PatternSpec& spec) {
    return static_cast<double>(traffic(made(spec), LoadPath::read_only, classic).transactions);
  };
  out.push_back({"read-only path: queries of an aligned warp", "memory slides, read-only cache operation", "queries",
                 queries({}), 8.0, Relation::equal});
  out.push_back({"read-only path: queries of a scattered warp", "memory slides, read-only cache operation", "queries",
                 queries({.shape = Shape::stride, .amount = 64}), 8.0, Relation::at_least});
  out.push_back({"consecutive floats of a warp", "shared slides, moving data to and from shared memory", "transactions",
                 static_cast<double>(access::cost(made({})).sectors), 4.0, Relation::equal});
}

Expected<void> add_latency(Figures& out, const GpuTable& table) {
  const auto fermi = LS_TRY(table.gpu("Fermi (reference)"));
  const ArithmeticConcurrency a = arithmetic_concurrency(fermi.arch);
  const auto m = LS_TRY(memory_concurrency(fermi));
  const auto add = [&](std::string name, std::string_view unit, double computed, double stated) {
    out.push_back({std::move(name), "execution, 3.4", std::string(unit), computed, stated, Relation::equal});
  };
  const auto count = [](std::int64_t n) { return static_cast<double>(n); };
  add("arithmetic in flight on a Fermi multiprocessor", "operations", a.operations_in_flight, 640);
  add("warps that hide arithmetic latency", "warps", a.warps_per_multiprocessor, 20);
  add("memory throughput in cycles", "bytes per cycle", count(m.bytes_per_cycle), 92);
  add("bytes in flight for the whole GPU", "bytes", count(m.bytes_in_flight), 73600);
  add("the same, rounded as in the source", "kB", count(m.as_the_source_rounds.kilobytes), 74);
  add("threads of one float, as the source rounds", "threads", count(m.as_the_source_rounds.threads), 18500);
  add("warps of those, as the source rounds", "warps", count(m.as_the_source_rounds.warps), 579);
  add("warps per multiprocessor", "warps", count(m.as_the_source_rounds.warps_per_multiprocessor), 36);
  const auto derive = [&](std::string name, std::string_view unit, std::int64_t computed) {
    out.push_back({std::move(name), "execution, 3.4", std::string(unit), count(computed), {}, Relation::derived});
  };
  derive("threads of one float, 73,600 bytes not rounded", "threads", m.threads);
  derive("warps of those, not rounded", "warps", m.warps);
  derive("warps per multiprocessor, not rounded before", "warps", m.warps_per_multiprocessor);
  return {};
}

/// The shared slides give achieved bandwidths; a peak below these would be wrong.
Expected<void> add_bandwidths(Figures& out, const GpuTable& table) {
  struct Stated {
    const char* gpu;
    double device, shared;
  };
  for (const Stated& s : {Stated{"P100", 500, 8850}, Stated{"A100", 1320, 18140}}) {
    const auto gpu = LS_TRY(table.gpu(s.gpu));
    for (const Bandwidth& b : bandwidths(gpu)) {
      if (b.memory == Memory::l2) continue;
      out.push_back({fmt::format("peak bandwidth of {}, {}", words(b.memory), s.gpu),
                     "shared slides, dissecting the speedup", "GB/s", b.gb_per_s,
                     b.memory == Memory::device ? s.device : s.shared, Relation::at_least});
    }
  }
  return {};
}

/// The kernel notes compile for sm_60 and give 26, 17 and 14 registers; they state block sizes, not occupancies.
Expected<void> add_occupancies(Figures& out, const GpuTable& table) {
  const Expected<Arch> pascal = table.arch("sm_60"), fermi = table.arch("sm_20");
  const Expected<Gpu> p100 = table.gpu("P100");
  if (!pascal) return tl::unexpected(pascal.error());
  if (!fermi) return tl::unexpected(fermi.error());
  if (!p100) return tl::unexpected(p100.error());
  for (const int registers : {26, 17, 14})
    for (const Arch* arch : {&*pascal, &*fermi})
      for (const int threads : {256, 1024}) {
        const auto o = LS_TRY(occupancy(*arch, {.threads_per_block = threads, .registers_per_thread = registers}));
        out.push_back(
            {fmt::format("occupancy of {} registers, blocks of {} threads, {}", registers, threads, arch->name),
             "kernel notes, reducing register usage",
             "%",
             o.percent,
             {},
             Relation::derived});
      }
  const auto suggested =
      suggest_block(*pascal, p100->multiprocessors, {.threads_per_block = 1024, .registers_per_thread = 2});
  const auto largest =
      suggest_block(*pascal, p100->multiprocessors, {.threads_per_block = 1024, .registers_per_thread = 26});
  if (!suggested) return tl::unexpected(suggested.error());
  if (!largest) return tl::unexpected(largest.error());
  out.push_back({"suggested blocks, 2 registers", "kernel notes, occupancy API", "blocks",
                 static_cast<double>(suggested->blocks_to_fill_the_gpu), 112.0, Relation::equal});
  out.push_back({"suggested threads per block, 2 registers", "kernel notes, occupancy API", "threads",
                 static_cast<double>(suggested->threads_per_block), 1024.0, Relation::equal});
  out.push_back({"most threads per block, 26 registers", "kernel notes, reducing register usage", "threads",
                 static_cast<double>(largest->threads_per_block), 1024.0, Relation::equal});
  return {};
}

}  // namespace

bool ReferenceFigure::holds() const {
  if (!stated) return relation == Relation::derived;
  const double slack = 1e-6 * std::max(1.0, std::abs(*stated));
  switch (relation) {
    case Relation::equal:
      return std::abs(computed - *stated) <= slack;
    case Relation::at_least:
      return computed >= *stated - slack;
    case Relation::at_most:
      return computed <= *stated + slack;
    case Relation::derived:
      return true;
  }
  return false;
}

Expected<std::vector<ReferenceFigure>> reference_figures() {
  const Expected<GpuTable>& table = gpu_table();
  if (!table) return tl::unexpected(table.error());
  Figures out;
  add_load_paths(out, access::classic_memory());
  add_other_traffic(out, access::classic_memory());
  return add_latency(out, *table)
      .and_then([&] { return add_bandwidths(out, *table); })
      .and_then([&] { return add_occupancies(out, *table); })
      .map([&] { return std::move(out); });
}

std::string to_string(const ReferenceFigure& f) {
  if (!f.stated) return fmt::format("{}: {} {} (follows from {})", f.name, f.computed, f.unit, f.source);
  const std::string_view bound = f.relation == Relation::at_least  ? "at least "
                                 : f.relation == Relation::at_most ? "at most "
                                                                   : "";
  return fmt::format("{}: {} {} (stated: {}{} {}, {})", f.name, f.computed, f.unit, bound, *f.stated, f.unit, f.source);
}

}  // namespace lanescope::occupancy
