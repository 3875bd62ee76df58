#include "kernels/convert/exports/verify.h"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "kernels/convert/bits.h"

namespace lanescope::convert {
namespace {

const std::array<std::string, 7> all_architectures = {"sm_75", "sm_80", "sm_86", "sm_89", "sm_90", "sm_100", "sm_120"};

}  // namespace

std::span<const std::string> exported_architectures() { return all_architectures; }

Verified verify_function(const Conversion& c, std::span<const std::string> architectures) {
  Verified v;
  const FunctionRun run(c, "converted");
  const auto code = compile_text(run.text(), architectures, v);
  if (!code) return v;
  run.execute(code->module, code->entry, v);
  if (v.problem.empty() && v.machine.all > 0) {
    Verified without;
    if (compile_text(run.text_without_conversion(), std::span(&v.architectures.back(), 1), without) &&
        without.machine.all > 0)
      v.conversion = v.machine - without.machine;
  }
  return v;
}

std::vector<Verified> verify_functions(std::span<const Conversion> conversions) {
  std::vector<Verified> out(conversions.size());
  std::vector<FunctionRun> runs;
  std::string text;
  for (std::size_t n = 0; n < conversions.size(); ++n) {
    runs.emplace_back(conversions[n], fmt::format("f{}", n));
    text += runs.back().text();
  }
  Verified all;
  const std::optional<ptx::Module> module = compile_to_ptx(text, all);
  for (std::size_t n = 0; n < out.size(); ++n) {
    out[n] = all;
    if (module) runs[n].execute(*module, runs[n].entry(), out[n]);
  }
  return out;
}

Verified verify_kernel_file(const Conversion& c, const std::string& file, std::span<const std::string> architectures) {
  Verified v;
  const auto code = compile_text(file, architectures, v);
  if (!code) return v;
  const PlaceMap& map = c.planned.map;
  const std::vector<std::uint64_t> offsets = kernel_file_offsets(map);
  const std::uint64_t elements = kernel_file_elements(map), width = index(map.element_bits);
  std::vector<trace::Buffer> buffers = {random_buffer("p", (elements * width + 7) / 8, 7),
                                        random_buffer("q", (elements * width + 7) / 8, 8)};
  std::ranges::fill(buffers[1].bytes, std::byte{0});
  std::uint64_t free = 0;
  for (int i = 0; i < map.total(); ++i)
    if (map.roles[index(i)] == Role::free) free |= bit(i);
  std::vector<bool> stored(elements, false);
  for (std::uint64_t place = 0; place < bit(map.total()); ++place)
    if ((place & free) == 0) stored[combine(offsets, map.element_at(map(place)))] = true;
  trace::Launch launch{.grid = {1U << map.blocks, 1, 1},
                       .block = {static_cast<std::uint32_t>(lanes << map.warps), 1, 1},
                       .arguments = {trace::BufferArgument{0, 0}, trace::BufferArgument{1, 0}}};
  if (!run_text(*code, launch, buffers, v)) return v;
  const auto is_one = [&](const trace::Buffer& b, std::uint64_t at) {
    return (b.bytes[at / 8] >> (at % 8) & std::byte{1}) != std::byte{0};
  };
  for (std::uint64_t e = 0; e < elements; ++e) {
    ++v.elements;
    for (std::uint64_t n = e * width; n < (e + 1) * width; ++n) {
      if (is_one(buffers[1], n) == (stored[e] && is_one(buffers[0], n))) continue;
      v.problem = fmt::format("kernel file: element {} of q is wrong", e);
      return v;
    }
  }
  return v;
}

Verified verify_kernel(const Conversion& c, const GlobalText& kernel, const GlobalKernel& wanted,
                       std::span<const std::string> architectures) {
  Verified v;
  const auto code = compile_text(kernel.text, architectures, v);
  if (!code) return v;
  const std::size_t axes = kernel.axes.size(), bytes = index(c.planned.map.element_bits / 8);
  for (const bool ragged : {false, true}) {
    std::vector<std::int64_t> size, from_stride(axes), to_stride(axes);
    for (const int t : kernel.tile) size.push_back(ragged ? t + (t + 1) / 2 : 2 * t);
    const auto strides = [&](std::vector<std::string> order, std::vector<std::int64_t>& out) {
      if (order.empty()) order = kernel.axes;
      std::int64_t next = 1;
      for (auto axis = order.rbegin(); axis != order.rend(); ++axis) {
        const auto a = index(static_cast<int>(std::ranges::find(kernel.axes, *axis) - kernel.axes.begin()));
        out[a] = next;
        next *= size[a];
        if (ragged) next += 3;  // rows that are longer than what they hold
      }
      return static_cast<std::size_t>(next);
    };
    const std::size_t from_count = strides(wanted.from_axes, from_stride),
                      to_count = strides(wanted.to_axes, to_stride);
    std::vector<trace::Buffer> buffers = {random_buffer("p", from_count * bytes, 3),
                                          random_buffer("q", to_count * bytes, 4)};
    trace::Bytes expected = buffers[1].bytes;
    std::vector<std::int64_t> at(axes, 0);
    for (bool more = true; more;) {
      std::int64_t p = 0, q = 0;
      for (std::size_t a = 0; a < axes; ++a) p += at[a] * from_stride[a], q += at[a] * to_stride[a];
      std::memcpy(expected.data() + static_cast<std::size_t>(q) * bytes,
                  buffers[0].bytes.data() + static_cast<std::size_t>(p) * bytes, bytes);
      ++v.elements;
      more = false;
      for (std::size_t a = 0; a < axes && !more; ++a) {
        if (++at[a] < size[a])
          more = true;
        else
          at[a] = 0;
      }
    }
    trace::Launch launch;
    std::int64_t tiles = 1;
    for (std::size_t a = 0; a < axes; ++a) tiles *= (size[a] + kernel.tile[a] - 1) / kernel.tile[a];
    launch.grid = {static_cast<std::uint32_t>((tiles + kernel.tiles_of_a_block - 1) / kernel.tiles_of_a_block), 1, 1};
    launch.block = {static_cast<std::uint32_t>(kernel.threads), 1, 1};
    trace::ValueArgument shape;
    for (const auto* list : {&size, &from_stride, &to_stride})
      for (const std::int64_t value : *list) {
        const trace::ValueArgument bytes_here = bytes_of_number(value);
        shape.insert(shape.end(), bytes_here.begin(), bytes_here.end());
      }
    launch.arguments = {trace::BufferArgument{0, 0}, trace::BufferArgument{1, 0}, shape};
    if (!run_text(*code, launch, buffers, v)) return v;
    if (buffers[1].bytes != expected) {
      const auto wrong = std::ranges::mismatch(buffers[1].bytes, expected).in1 - buffers[1].bytes.begin();
      v.problem = fmt::format("{} array: byte {} of q is wrong", ragged ? "ragged" : "whole", wrong);
      return v;
    }
  }
  return v;
}

}  // namespace lanescope::convert
