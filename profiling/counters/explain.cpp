#include "profiling/counters/explain.h"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "kernels/base/enum_size.h"

namespace lanescope::counters {
namespace {

/// Equal within the precision of a double that came through a ratio.
bool agree(const Pair& p) {
  return std::abs(p.predicted - p.measured) <= 1e-9 * std::max(std::abs(p.predicted), std::abs(p.measured));
}

/// Which instructions a memory counter counts, as parts of the names of both.
constexpr std::pair<std::string_view, std::string_view> instructions_of[] = {
    {"mem_global_op_ld", "smsp__sass_inst_executed_op_global_ld.sum"},
    {"mem_global_op_st", "smsp__sass_inst_executed_op_global_st.sum"},
    {"mem_shared_op_ldgsts", "smsp__sass_inst_executed_op_ldgsts.sum"},
    {"mem_shared_op_ld", "smsp__sass_inst_executed_op_shared_ld.sum"},
    {"mem_shared_op_st", "smsp__sass_inst_executed_op_shared_st.sum"},
};

std::string_view instruction_counter(std::string_view name) {
  for (const auto& [part, counter] : instructions_of)
    if (name.find(part) != name.npos) return counter;
  return {};
}

constexpr std::string_view pipeline_wavefronts = "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_";
constexpr std::string_view exact_wavefronts = "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_";

Explanation lost_arbitration(std::string_view name, const Pair& here, const PairOf& pair) {
  if (!name.starts_with(pipeline_wavefronts) || here.measured < here.predicted) return {};
  const std::string twin = std::string(exact_wavefronts) + std::string(name.substr(pipeline_wavefronts.size()));
  const auto exact = pair(twin);
  if (!exact || !agree(*exact)) return {};
  return {Cause::arbitration,
          fmt::format("arbitration: {} additional wavefronts because of other warps; {} is {}, as predicted",
                      here.measured - here.predicted, twin, exact->measured)};
}

constexpr std::string_view pipeline_conflicts = "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_";

/// A wavefront that is lost to arbitration is counted as a conflict, too: also of atomics, whose wavefronts have no counter
/// of the pipeline.
Explanation lost_conflicts(std::string_view name, const Pair& here, const PairOf& pair) {
  if (!name.starts_with(pipeline_conflicts) || here.measured < here.predicted) return {};
  const std::string_view way = name.substr(pipeline_conflicts.size());
  const std::string twin = std::string(exact_wavefronts) + std::string(way);
  const auto exact = pair(twin), waves = pair(std::string(pipeline_wavefronts) + std::string(way));
  if (!exact || !agree(*exact)) return {};
  if (waves && waves->measured - waves->predicted != here.measured - here.predicted) return {};
  return {Cause::arbitration,
          fmt::format("arbitration: {} additional conflicts because of other warps; {} is {}, as predicted",
                      here.measured - here.predicted, twin, exact->measured)};
}

/// The pipeline counts what all code does, the instrumented counters (smsp__sass_*) what that of the module does.
Explanation of_system_code(std::string_view name, const Pair& here, const PairOf& pair) {
  constexpr std::string_view requests = "l1tex__t_requests_pipe_lsu_mem_";
  const bool pipeline = name.starts_with(requests) || name.starts_with("l1tex__t_sectors_pipe_lsu_mem_");
  if (!pipeline || here.measured <= here.predicted) return {};
  const std::string_view what = name.substr(name.find("_mem_") + 5);
  const auto more_than_module = [&](std::string_view way, Pair* module) {
    const auto own = pair(fmt::format("smsp__sass_inst_executed_op_global_{}.sum", way));
    const auto all = pair(fmt::format("{}global_op_{}.sum", requests, way));
    if (!own || !all || !agree(*own) || all->measured <= own->measured) return false;
    *module = *own;
    return true;
  };
  Pair own;
  const bool found = what.starts_with("global_op_") ? more_than_module(what.substr(10, 2), &own)
                                                    : what.starts_with("local_op_") && more_than_module("st", &own);
  if (!found) return {};
  return {Cause::system,
          fmt::format(
              "system: code that is not of the module (printf, assert, malloc, launches from the device) is counted; "
              "the instrumented counter has {} instructions of the module, as predicted",
              own.measured)};
}

bool counts_instructions(std::string_view name) {
  return name.find("inst_executed") != name.npos || name.find("branch") != name.npos;
}

Explanation other_instructions(std::string_view name, const Pair& here, const PairOf& pair) {
  if (counts_instructions(name))
    return {Cause::compiler,
            fmt::format("compiler: {} in the PTX, {} in the machine code", here.predicted, here.measured)};
  const std::string_view counter = instruction_counter(name);
  const auto instructions = counter.empty() ? std::nullopt : pair(counter);
  if (!instructions || agree(*instructions)) return {};
  return {Cause::compiler, fmt::format("compiler: {} instructions in the PTX, {} in the machine code ({})",
                                       instructions->predicted, instructions->measured, counter)};
}

/// Bytes are lanes times width. If the same instructions touch the same sectors and request other bytes, some lanes
/// were switched off in the machine code (or on): a value that is known already is not loaded again.
Explanation other_lanes(std::string_view name, const PairOf& pair) {
  for (const std::string_view way : {"mem_global_op_ld", "mem_global_op_st"}) {
    if (name.find(way) == name.npos || name.find("data_bytes") == name.npos) continue;
    const auto instructions = pair(instruction_counter(name));
    const auto sectors = pair(fmt::format("smsp__sass_l1tex_t_sectors_pipe_lsu_{}.sum", way));
    const auto bytes = pair(fmt::format("smsp__sass_data_bytes_{}.sum", way));
    if (!instructions || !sectors || !bytes || !agree(*instructions) || !agree(*sectors)) return {};
    return {Cause::compiler,
            fmt::format("compiler: the same {} instructions and {} sectors, but lanes request {} bytes instead of {}: "
                        "other lanes are active in the machine code than in the PTX",
                        instructions->measured, sectors->measured, bytes->measured, bytes->predicted)};
  }
  return {};
}

bool starts_with_any(std::string_view name, std::initializer_list<std::string_view> heads) {
  for (const std::string_view head : heads)
    if (name.starts_with(head)) return true;
  return false;
}

}  // namespace

std::string_view to_string(Cause cause) {
  static constexpr std::string_view words[] = {"agrees",      "arbitration", "system",     "compiler",
                                               "cache state", "clock",       "unexplained"};
  return entry_for(words, cause);
}

Explanation explain(std::string_view name, const PairOf& pair) {
  const auto here = pair(name);
  if (!here || agree(*here)) return {};
  if (Explanation e = lost_arbitration(name, *here, pair); e.cause != Cause::agrees) return e;
  if (Explanation e = lost_conflicts(name, *here, pair); e.cause != Cause::agrees) return e;
  if (Explanation e = of_system_code(name, *here, pair); e.cause != Cause::agrees) return e;
  if (Explanation e = other_instructions(name, *here, pair); e.cause != Cause::agrees) return e;
  if (Explanation e = other_lanes(name, pair); e.cause != Cause::agrees) return e;
  if (starts_with_any(name, {"dram__", "lts__"}) || name.find("hit_rate") != name.npos)
    return {Cause::cache, "cache state: the value depends on the previous contents of the caches"};
  if (starts_with_any(name, {"gpu__time", "sm__cycles"}) || name.find("per_second") != name.npos)
    return {Cause::clock, "clock: a time, and the clock frequency varies"};
  return {Cause::unexplained, "unexplained"};
}

}  // namespace lanescope::counters
