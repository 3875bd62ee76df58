#pragma once
// Needs of every test of this folder: whether there is a GPU with counters, the program's own child mode, and
// a place for results.

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "kernels/gpu/gpu.h"
#include "profiling/cupti/child.h"

namespace lanescope::gpu_test {

/// With this argument the test program is a child that measures (see profiling/cupti/child.h), or that looks whether it
/// could (the digit of a cupti::What follows).
inline constexpr const char* measure_argument = "--measure";
inline constexpr const char* readiness_argument = "--readiness";

/// Why nothing here can run, with the remedy; empty when there is a GPU.
std::string no_gpu();
/// Why nothing of this can be measured; empty where it can. Requests a child, once.
std::string no_counters(cupti::What what = cupti::What::counters);

/// The first GPU. Only where no_gpu() is empty.
const gpu::DeviceInfo& device();

/// This program as the child that measures.
std::vector<std::string> measure_command();
/// A measurement in a child of this program.
Expected<cupti::Measurement> measure_apart(const cupti::Request& request);

/// Seed of everything random: $LANESCOPE_GPU_SEED, else a fixed one.
std::uint64_t seed();

/// Writes `results` with machine, date and command to $LANESCOPE_GPU_RESULTS/NAME.json; nothing without that variable.
void write_results(const std::string& name, nlohmann::ordered_json results);

/// The results that write_results() has written under this name today on this GPU; an empty object: none.
nlohmann::ordered_json results_of_today(const std::string& name);

}  // namespace lanescope::gpu_test

/// Loud: the reason is in the report of every test that did not run.
#define LS_NEEDS_GPU() \
  if (const std::string why = ::lanescope::gpu_test::no_gpu(); !why.empty()) GTEST_SKIP() << why
#define LS_NEEDS_COUNTERS() \
  LS_NEEDS_GPU();           \
  if (const std::string why = ::lanescope::gpu_test::no_counters(); !why.empty()) GTEST_SKIP() << why
/// instructions, stalls or activity
#define LS_NEEDS(what)                                                                                          \
  LS_NEEDS_GPU();                                                                                               \
  if (const std::string why = ::lanescope::gpu_test::no_counters(::lanescope::cupti::What::what); !why.empty()) \
  GTEST_SKIP() << why
