// Random accesses, not chosen by hand, predicted by profiling/access and counted by the hardware.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <map>

#include "profiling/access/access.h"
#include "tests/gpu/machine.h"
#include "tests/gpu/trials.h"

namespace lanescope::gpu_test {
namespace {

/// One number that is both predicted and measured.
struct Quantity {
  std::string name, metric;
  std::uint64_t (*predict)(const Trial&);
};

/// The part of a copy that writes.
access::Access destination(const Trial& t) {
  access::Access to = t.access();
  to.space = trace::MemorySpace::shared;
  std::copy(t.other_offsets.begin(), t.other_offsets.end(), to.addresses.begin());
  return to;
}

std::uint64_t one(const Trial&) { return 1; }
std::uint64_t wavefronts(const Trial& t) { return access::cost(t.access()).wavefronts; }
std::uint64_t conflicts(const Trial& t) { return access::cost(t.access()).bank_conflicts; }
std::uint64_t sectors_of(const Trial& t) { return access::cost(t.access()).sectors; }
std::uint64_t copy_sectors(const Trial& t) {
  access::Access from = t.access();
  if (t.kind->name.ends_with("cg")) from.destinations = destination(t).addresses;
  return access::cost(from).sectors;
}
std::uint64_t copy_wavefronts(const Trial& t) { return access::cost(destination(t)).wavefronts; }

/// The counters come in two forms: by the memory pipeline, and by instrumented machine code (smsp__sass_*).
std::vector<Quantity> quantities(Family family) {
  const std::string sass = "smsp__sass_", executed = sass + "inst_executed_op_";
  const std::string sass_shared = sass + "l1tex_data_pipe_lsu_wavefronts_mem_shared_op_";
  const std::string sass_global = sass + "l1tex_t_sectors_pipe_lsu_mem_global_op_";
  const std::string sass_conflicts = sass + "l1tex_data_bank_conflicts_pipe_lsu_mem_shared_op_";
  const std::string pipe_shared = "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_";
  const std::string pipe_conflicts = "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_";
  const std::string pipe_global = "l1tex__t_sectors_pipe_lsu_mem_global_op_";
  const auto shared = [&](const std::string& op, auto count, auto clashes) {
    return std::vector<Quantity>{{"instructions", executed + "shared_" + op + ".sum", one},
                                 {"wavefronts", sass_shared + op + ".sum", count},
                                 {"wavefronts, pipeline", pipe_shared + op + ".sum", count},
                                 {"bank conflicts, pipeline", pipe_conflicts + op + ".sum", clashes}};
  };
  const auto global = [&](const std::string& op, auto count) {
    return std::vector<Quantity>{{"instructions", executed + "global_" + op + ".sum", one},
                                 {"sectors", sass_global + op + ".sum", count},
                                 {"sectors, pipeline", pipe_global + op + ".sum", count}};
  };
  const auto matrix = [&](const std::string& instruction, const std::string& op) {
    return std::vector<Quantity>{{"instructions", executed + instruction + ".sum", one},
                                 {"wavefronts", sass_shared + op + ".sum", wavefronts},
                                 {"bank conflicts", sass_conflicts + op + ".sum", conflicts}};
  };
  switch (family) {
    case Family::shared_load:
      return shared("ld", wavefronts, conflicts);
    case Family::shared_store:
      return shared("st", wavefronts, conflicts);
    case Family::global_load:
      return global("ld", sectors_of);
    case Family::global_store:
      return global("st", sectors_of);
    case Family::matrix_load:
      return matrix("ldsm", "ldsm");
    case Family::matrix_store:
      return matrix("shared_stsm", "stsm");
    case Family::async_copy:
      return {{"instructions", executed + "ldgsts.sum", one},
              {"sectors", sass_global + "ldgsts.sum", copy_sectors},
              {"wavefronts", sass_shared + "ldgsts.sum", copy_wavefronts}};
    case Family::shared_atomic:
      return shared("atom", wavefronts, conflicts);
    case Family::global_atomic:
      return global("atom", sectors_of);
    case Family::global_reduction:
      return global("red", sectors_of);
  }
  return {};
}

/// $LANESCOPE_GPU_TRIALS plain loads and stores, a tenth of that for every other family.
std::size_t trial_count(bool plain) {
  const char* chosen = std::getenv("LANESCOPE_GPU_TRIALS");
  const std::size_t all = chosen && *chosen ? std::strtoull(chosen, nullptr, 10) : 2000;
  return plain ? std::max<std::size_t>(all / 4, 1) : std::max<std::size_t>(all / 10, 1);
}

bool is_plain(Family f) {
  return f == Family::shared_load || f == Family::shared_store || f == Family::global_load || f == Family::global_store;
}

std::vector<Trial> make_trials(Family family) {
  std::vector<const Kind*> own;
  for (const Kind& k : kinds())
    if (k.family == family && k.minimal_arch <= arch_number(device().arch())) own.push_back(&k);
  std::vector<Trial> trials;
  std::mt19937_64 random(seed() * 1000 + static_cast<std::uint64_t>(family));
  for (std::size_t i = 0; !own.empty() && i < trial_count(is_plain(family)); ++i)
    trials.push_back(random_trial(*own[i % own.size()], random));
  return trials;
}

std::string words(const Trial& t) {
  return fmt::format("{} mask {:#x} offsets {}", t.kind->name, t.mask, fmt::join(t.offsets, ","));
}

struct Tally {
  std::size_t equal = 0, total = 0;
};

nlohmann::ordered_json row_of(const Trial& t, const std::vector<Quantity>& all, const std::vector<double>& measured,
                              const std::vector<std::string>& metrics) {
  nlohmann::ordered_json row{{"kind", t.kind->name}, {"mask", t.mask}, {"offsets", t.offsets}};
  if (t.kind->family == Family::async_copy) row["shared_offsets"] = t.other_offsets;
  for (const Quantity& q : all) {
    const auto at = std::find(metrics.begin(), metrics.end(), q.metric) - metrics.begin();
    if (static_cast<std::size_t>(at) == metrics.size()) continue;
    row["predicted"][q.name] = q.predict(t);
    row["measured"][q.name] = measured[static_cast<std::size_t>(at)];
  }
  return row;
}

/// Sectors of cp.async.cg: 48 of 50 were as predicted where this was last seen to fail, the others one sector off.
bool is_nearly_exact(const Trial& t, const Quantity& q) {
  return t.kind->family == Family::async_copy && q.name == "sectors" && std::string_view(t.kind->name).ends_with("_cg");
}

/// Whether the model has been exact for this quantity so far; the others are recorded and not judged:
/// - the instrumented counter does not know how wide loads merge that share addresses; the pipeline's does
/// - an async copy writes shared memory as its data arrive
/// - the pipeline counts a sector again for lanes of a global atomic that access one address
bool is_exact(const Trial& t, const Quantity& q) {
  switch (t.kind->family) {
    case Family::shared_load:
      return q.name != "wavefronts" || t.kind->width_bytes <= 4;
    case Family::async_copy:
      return q.name != "wavefronts" && !is_nearly_exact(t, q);
    case Family::global_atomic:
    case Family::global_reduction:
      return q.name != "sectors, pipeline";
    default:
      return true;
  }
}

class Access : public ::testing::TestWithParam<Family> {};

TEST_P(Access, IsCountedAsPredicted) {
  LS_NEEDS_COUNTERS();
  const Family family = GetParam();
  const auto trials = make_trials(family);
  if (trials.empty()) GTEST_SKIP() << "SKIPPED: " << device().arch() << " has no " << family_name(family);
  const auto all = quantities(family);
  cupti::Request request{.ptx = kernels_ptx(device().arch()), .launches = {}, .buffers = buffers(), .metrics = {}};
  for (const Trial& t : trials) request.launches.push_back(launch_of(t));
  for (const Quantity& q : all) request.metrics.push_back(q.metric);
  const auto measured = measure_apart(request);
  ASSERT_TRUE(measured) << to_string(measured.error().front());

  std::map<std::string, std::map<std::string, Tally>> tally;
  nlohmann::ordered_json rows = nlohmann::ordered_json::array(), differing = nlohmann::ordered_json::array();
  for (std::size_t i = 0; i < trials.size(); ++i) {
    bool all_equal = true;
    for (const Quantity& q : all) {
      const auto at = std::find(measured->metrics.begin(), measured->metrics.end(), q.metric);
      if (at == measured->metrics.end()) continue;
      const double value = measured->values[i][static_cast<std::size_t>(at - measured->metrics.begin())];
      const auto predicted = static_cast<double>(q.predict(trials[i]));
      Tally& t = tally[trials[i].kind->name][q.name];
      ++t.total, t.equal += value == predicted;
      all_equal &= value == predicted;
      if (is_exact(trials[i], q)) {
        EXPECT_EQ(value, predicted) << q.name << " of " << words(trials[i]);
      } else if (is_nearly_exact(trials[i], q)) {
        EXPECT_NEAR(value, predicted, 1) << q.name << " of " << words(trials[i]);
      }
    }
    auto row = row_of(trials[i], all, measured->values[i], measured->metrics);
    if (!all_equal && is_plain(family)) differing.push_back(row);
    if (!is_plain(family)) rows.push_back(std::move(row));
  }
  nlohmann::ordered_json shares;
  for (const auto& [kind, by_quantity] : tally)
    for (const auto& [quantity, t] : by_quantity) {
      shares[kind][quantity] = {{"equal", t.equal}, {"of", t.total}};
      fmt::print("{:<24}{:<26}{:>5} of {:<5}\n", kind, quantity, t.equal, t.total);
    }
  fmt::print("{} launches, {} passes, {:.1f} s\n", trials.size(), measured->passes, measured->run_milliseconds / 1000);
  nlohmann::ordered_json results{
      {"what", fmt::format("random {} accesses of one warp: predicted and counted", family_name(family))},
      {"seed", seed()},
      {"passes", measured->passes},
      {"seconds", std::round(measured->run_milliseconds / 100) / 10},
      {"equal", shares}};
  if (is_plain(family))
    results["differing"] = differing;
  else
    results["rows"] = rows;
  std::string file = "gpu_access_" + std::string(family_name(family));
  std::replace_if(
      file.begin(), file.end(), [](char c) { return c == ' ' || c == '.'; }, '_');
  write_results(file, results);
}

INSTANTIATE_TEST_SUITE_P(Families, Access,
                         ::testing::Values(Family::shared_load, Family::shared_store, Family::global_load,
                                           Family::global_store, Family::matrix_load, Family::matrix_store,
                                           Family::async_copy, Family::shared_atomic, Family::global_atomic,
                                           Family::global_reduction),
                         [](const auto& info) {
                           std::string name(family_name(info.param));
                           std::erase_if(name, [](char c) { return c == ' ' || c == '.'; });
                           return name;
                         });

}  // namespace
}  // namespace lanescope::gpu_test
