#include "profiling/cupti/child.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "profiling/cupti/device.h"
#include "profiling/cupti/interfaces.h"

namespace lanescope::cupti {
namespace {

/// Values by place in the machine code, added up over launches.
using Counts = std::map<std::pair<std::string, std::uint32_t>, std::vector<double>>;

/// The metrics set and counting switched on for a context, and off again at the end.
class SassSession {
 public:
  SassSession(const Library& library, const SassInterface& api, gpu::Context context, int device)
      : library_(library), api_(api), context_(context), device_(static_cast<std::uint32_t>(device)) {}
  ~SassSession() { end(); }
  SassSession(const SassSession&) = delete;
  SassSession& operator=(const SassSession&) = delete;

  Expected<void> begin(const std::vector<std::uint64_t>& ids);
  /// Adds the counts.
  Expected<void> collect(Counts& counts);
  /// Records that were lost.
  std::size_t end();

 private:
  const Library& library_;
  const SassInterface& api_;
  gpu::Context context_;
  std::uint32_t device_;

  std::vector<std::uint64_t> ids_;
  bool configured_ = false, enabled_ = false;
};

Expected<void> SassSession::begin(const std::vector<std::uint64_t>& ids) {
  ids_ = ids;
  std::vector<SassConfig> configs;
  for (const std::uint64_t id : ids) configs.push_back({.id = id, .granularity = 0});
  SassSetConfigArguments a{.count = configs.size(), .configs = configs.data(), .device_index = device_};
  if (const Result r = api_.cuptiSassMetricsSetConfig(&a)) return refusal(library_, r, "setting the metrics");
  configured_ = true;
  SassEnableArguments e{.context = context_};
  if (const Result r = api_.cuptiSassMetricsEnable(&e)) return refusal(library_, r, "counting per instruction");
  enabled_ = true;
  return {};
}

Expected<void> SassSession::collect(Counts& counts) {
  SassDataProperties p{.context = context_};
  if (const Result r = api_.cuptiSassMetricsGetDataProperties(&p)) return refusal(library_, r, "sizing the counts");
  if (p.records == 0 || p.instances == 0) return {};
  // The library writes `instances` values; a metric uses a number of them that differs by version, so there is room for
  // all.
  constexpr std::uint64_t unwritten = ~std::uint64_t{0};
  const std::size_t room = p.instances * (ids_.size() + 1);
  std::vector<SassValue> values(p.records * room, {.id = unwritten, .value = 0});
  std::vector<SassRecord> records(p.records);
  for (std::size_t i = 0; i < records.size(); ++i) records[i].values = &values[i * room];
  SassFlushArguments f{.context = context_, .records = p.records, .instances = p.instances, .data = records.data()};
  if (const Result r = api_.cuptiSassMetricsFlushData(&f)) return refusal(library_, r, "reading the counts");
  for (const SassRecord& record : records) {
    auto& row = counts[{record.function ? record.function : "", record.offset}];
    row.resize(ids_.size());
    for (std::size_t k = 0; k < room; ++k) {
      const auto found = std::find(ids_.begin(), ids_.end(), record.values[k].id);
      if (found != ids_.end())
        row[static_cast<std::size_t>(found - ids_.begin())] += static_cast<double>(record.values[k].value);
    }
  }
  return {};
}

std::size_t SassSession::end() {
  SassDisableArguments d{.context = context_};
  if (enabled_) api_.cuptiSassMetricsDisable(&d);
  SassUnsetConfigArguments u{.device_index = device_};
  if (configured_) api_.cuptiSassMetricsUnsetConfig(&u);
  enabled_ = configured_ = false;
  return d.dropped_records;
}

/// Sorts the names and returns the numbers of those that the chip has.
std::vector<std::uint64_t> sort_metrics(const SassInterface& api, const std::vector<std::string>& names,
                                        SassReport& out) {
  std::vector<std::uint64_t> ids;
  for (const std::string& name : names) {
    SassProperties p{.chip = out.chip.c_str(), .metric = name.c_str()};
    const bool known = api.cuptiSassMetricsGetProperties(&p) == 0;
    (known ? out.metrics : out.unknown).push_back(name);
    if (known) ids.push_back(p.id);
  }
  return ids;
}

Expected<void> run(const gpu::Program& program, std::size_t first, std::size_t last) {
  for (std::size_t i = first; i < last; ++i) {
    gpu::Status s = program.launch(i);
    if (!s) s = program.synchronize();
    if (s) return failure(fmt::format("launch {} failed: {}", i + 1, gpu::status_words(s)));
  }
  return {};
}

std::size_t first_launch_of(const Request& request) {
  const auto found = std::find_if(request.launches.begin(), request.launches.end(), [&](const trace::Launch& l) {
    return request.counted.empty() || l.kernel == request.counted;
  });
  return static_cast<std::size_t>(found - request.launches.begin());
}

/// Counts are of the kernel that is launched first once counting is on, and read once, after all launches: when they
/// have been read, its later launches are not counted any more, and a second configuration is refused.
Expected<Counts> count(const Opened& opened, const SassInterface& api, const std::vector<std::uint64_t>& ids,
                       const Request& request, std::size_t& dropped) {
  const gpu::Program& program = *opened.program;
  const std::size_t first = first_launch_of(request);
  if (auto done = run(program, 0, first); !done) return tl::unexpected(done.error());
  Counts counts;
  SassSession session(*opened.library, api, program.context(), request.device);
  if (auto begun = session.begin(ids); !begun) return tl::unexpected(begun.error());
  if (auto done = run(program, first, program.launch_count()); !done) return tl::unexpected(done.error());
  if (auto collected = session.collect(counts); !collected) return tl::unexpected(collected.error());
  dropped = session.end();
  return counts;
}

}  // namespace

const std::vector<std::string>& default_sass_metrics() {
  static const std::vector<std::string> names{"smsp__sass_inst_executed",
                                              "smsp__sass_thread_inst_executed",
                                              "smsp__sass_thread_inst_executed_pred_on",
                                              "smsp__sass_sectors_mem_global",
                                              "smsp__sass_l1tex_tags_mem_global",
                                              "smsp__sass_l1tex_pipe_lsu_wavefronts_mem_shared",
                                              "smsp__sass_branch_targets_threads_uniform",
                                              "smsp__sass_branch_targets_threads_divergent"};
  return names;
}

std::optional<double> SassReport::total(std::string_view metric, std::string_view function) const {
  const auto found = std::find(metrics.begin(), metrics.end(), metric);
  if (found == metrics.end()) return std::nullopt;
  double sum = 0;
  for (const SassRow& row : rows)
    if (function.empty() || row.function == function)
      sum += row.values[static_cast<std::size_t>(found - metrics.begin())];
  return sum;
}

void add_counts(SassReport& all, const SassReport& more) {
  for (const SassRow& row : more.rows) {
    const auto same = std::find_if(all.rows.begin(), all.rows.end(), [&](const SassRow& r) {
      return r.function == row.function && r.offset == row.offset;
    });
    if (same == all.rows.end()) {
      all.rows.push_back(row);
      continue;
    }
    for (std::size_t i = 0; i < row.values.size(); ++i) same->values[i] += row.values[i];
  }
  std::sort(all.rows.begin(), all.rows.end(), [](const SassRow& a, const SassRow& b) {
    return std::tie(a.function, a.offset) < std::tie(b.function, b.offset);
  });
  all.dropped += more.dropped;
}

std::vector<LineTotal> by_line(const SassReport& report) {
  std::map<std::pair<std::string, int>, std::vector<double>> sums;
  for (const SassRow& row : report.rows) {
    auto& sum = sums[{row.file, row.line}];
    sum.resize(report.metrics.size());
    for (std::size_t i = 0; i < row.values.size(); ++i) sum[i] += row.values[i];
  }
  std::vector<LineTotal> out;
  for (auto& [place, values] : sums)
    out.push_back({.file = place.first, .line = place.second, .values = std::move(values)});
  return out;
}

Expected<SassReport> count_instructions(const Request& request) {
  auto opened = LS_TRY(open_device(request.device));
  const auto api = LS_TRY(sass_interface());
  SassReport out{.device = opened.device, .chip = opened.chip};
  const auto ids = sort_metrics(*api, request.metrics.empty() ? default_sass_metrics() : request.metrics, out);
  if (ids.empty()) return failure(fmt::format("{} counts none of these metrics per instruction", out.chip));
  const auto cubin = LS_TRY(load_and_report_code(opened, request, 1));

  auto counts = LS_TRY(count(opened, *api, ids, request, out.dropped));
  for (auto& [place, values] : counts) {
    SourcePlace source = source_place(cubin, place.first, place.second);
    out.rows.push_back({.offset = place.second,
                        .line = source.line,
                        .file = std::move(source.file),
                        .function = place.first,
                        .values = std::move(values)});
  }
  // Seen where several processes measured on one GPU at a time.
  const std::size_t first = first_launch_of(request);
  if (first < request.launches.size())
    if (const auto executed = out.total("smsp__sass_inst_executed", request.launches[first].kernel); executed == 0.0)
      return failure(fmt::format("no instruction of `{}` was counted, although it ran", request.launches[first].kernel),
                     "measure again while no other program measures on this GPU");
  if (auto code = disassemble(cubin))
    out.code = std::move(*code);
  else
    out.no_code = to_string(code.error().front());
  return out;
}

}  // namespace lanescope::cupti
