#include "results/measured.h"

#include <initializer_list>

namespace lanescope::results {

const MetricRow* whole_run(const Measured& measured, std::string_view name) {
  for (const MetricRow& row : measured.metrics)
    if (row.line == 0 && row.name == name) return &row;
  return nullptr;
}

namespace {

std::optional<double> value_of(const Measured& measured, std::string_view name) {
  const MetricRow* row = whole_run(measured, name);
  return row == nullptr ? std::nullopt : row->measured;
}

}  // namespace

std::vector<AchievedBandwidth> achieved_bandwidths(const Measured& measured) {
  std::vector<AchievedBandwidth> out;
  if (!measured.timing || measured.timing->median_us <= 0) return out;
  const double us = measured.timing->median_us;
  const auto sum = [&](std::initializer_list<std::string_view> names) -> std::optional<double> {
    double all = 0;
    for (const std::string_view name : names) {
      const auto value = value_of(measured, name);
      if (!value) return std::nullopt;
      all += *value;
    }
    return all;
  };
  const auto add = [&](std::string memory, std::optional<double> bytes, std::string from) {
    if (bytes && *bytes > 0)
      out.push_back({std::move(memory), *bytes, *bytes / us * 1e-3, from + " over the median time"});
  };
  add("device memory", sum({"dram__bytes_read.sum", "dram__bytes_write.sum"}), "dram__bytes_read + dram__bytes_write");
  add("L2", sum({"lts__t_bytes.sum"}), "lts__t_bytes");
  // Each wavefront keeps all 32 banks of 4 bytes for a cycle.
  const auto wavefronts = sum(
      {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum", "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum"});
  add("shared memory", wavefronts ? std::optional(*wavefronts * 128) : std::nullopt,
      "wavefronts of shared loads and stores x 128 bytes");
  return out;
}

}  // namespace lanescope::results
