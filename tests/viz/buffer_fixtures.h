#pragma once
// Buffers of several types and shapes, what they hold before and after a run, and a GPU that differs here and there.

#include <algorithm>

#include <fmt/format.h>

#include "viz/views/base/selection.h"
#include "viz/views/buffers/buffers.h"

namespace lanescope::views::fixtures {

inline BufferInfo buffer(const char* name, const char* type, int bits, std::vector<source::Axis> axes,
                         std::uint64_t elements) {
  std::uint64_t stride = 1;
  for (auto axis = axes.rbegin(); axis != axes.rend(); ++axis) {
    if (axis->stride_elements == 0) axis->stride_elements = stride;
    stride *= axis->extent;
  }
  return {.name = name,
          .element_type = type,
          .element_bits = bits,
          .bytes = elements * static_cast<std::uint64_t>(bits) / 8,
          .elements = elements,
          .address = 0,
          .axes = std::move(axes)};
}

inline Summary buffers_summary() {
  Summary s;
  s.ok = true;
  s.buffers = {buffer("y", "f32", 32, {{"i", 24, 0}, {"j", 32, 0}}, 24 * 32),
               buffer("image", "u8", 8, {}, 1500),
               buffer("mask", "b1", 1, {{"row", 16, 0}, {"bit", 64, 0}}, 1024),
               buffer("points", "f16", 16, {{"n", 128, 0}, {"xyz", 3, 0}}, 384),
               buffer("tile", "u4", 4, {{"i", 4, 0}, {"j", 8, 0}, {"k", 16, 0}}, 512),
               buffer("sums", "f64", 64, {{"n", 40, 0}}, 40),
               buffer("a_rather_long_name_of_a_buffer", "s32", 32, {{"i", 8, 80}, {"j", 64, 1}}, 640)};
  return s;
}

/// Every third element is written; with `different`, a GPU wrote these elements otherwise.
inline Contents contents(const Summary& s, int buffer, std::uint64_t first, std::uint64_t count,
                         const std::vector<std::uint64_t>& different = {}, bool gpu = false) {
  const BufferInfo& info = s.buffers[static_cast<std::size_t>(buffer)];
  Contents c;
  c.name = info.name, c.element_type = info.element_type, c.buffer = buffer, c.first = first;
  c.elements = info.elements;
  c.count = std::min(count, info.elements - first);
  const auto words = [&](std::uint64_t e, int salt) -> std::string {
    const std::uint64_t mixed = e * 2654435761u + static_cast<std::uint64_t>(salt) * 40503u;
    if (info.element_bits < 8) return std::to_string((mixed >> 7) % (1u << info.element_bits));
    if (info.element_bits == 8) return std::to_string((mixed >> 5) % 256);
    if (info.element_type == "f64") return fmt::format("{}", static_cast<double>(mixed % 100000) / 7);
    if (info.element_type == "s32") return std::to_string(static_cast<int>(mixed % 20000) - 10000);
    return fmt::format("{:.5g}", static_cast<double>(mixed % 1000) / 64 - 4);
  };
  for (std::uint64_t e = 0; e < info.elements; ++e) {
    const std::string before = words(e, 0);
    const std::string after = e % 3 == 0 ? info.element_bits == 1 ? before == "0" ? "1" : "0" : words(e, 1) : before;
    c.written += after != before;
    std::string there = after;
    if (std::find(different.begin(), different.end(), e) != different.end()) {
      there = info.element_bits == 1 ? after == "0" ? "1" : "0" : after == "7" ? "6" : "7";
      if (c.different++ == 0) c.first_different = static_cast<std::int64_t>(e);
    }
    if (e < first || e >= first + c.count) continue;
    c.before.push_back(before);
    c.emulated.push_back(after);
    if (gpu || !different.empty()) c.gpu.push_back(there);
  }
  return c;
}

/// A store whose lanes from 20 are one row off on the GPU, where the last two take no part.
inline AccessPair access_pair(std::uint64_t scale = 4) {
  AccessPair p;
  p.line = 23, p.block = 2, p.warp = 1, p.index = 5;
  p.emulated = p.gpu = "store of 4 bytes to global memory";
  p.emulated_mask = ~0u, p.gpu_mask = ~0u >> 2;
  for (std::uint64_t lane = 0; lane < 32; ++lane) {
    p.emulated_places.push_back(fmt::format("y + {}", 128 + lane * scale));
    p.gpu_places.push_back(lane >= 30 ? "" : fmt::format("y + {}", 128 + (lane >= 20 ? lane + 32 : lane) * scale));
  }
  return p;
}

inline Measured compared(bool pair) {
  Measured m{.device = "NVIDIA H200"};
  m.buffers = {{"y", 768, 3, 37, "7", "1.5"}, {"image", 1500, 0, 0, "", ""}, {"mask", 1024, 1, 70, "1", "0"}};
  if (!pair) return m;
  m.trace = TraceInfo{.records = 512,
                      .difference =
                          "block 2, warp 1, access 5 (line 23): lane 20 of the store was expected at byte 208 "
                          "of y, and was at byte 336 of y",
                      .line = 23,
                      .pair = access_pair()};
  return m;
}

}  // namespace lanescope::views::fixtures
