#include "kernels/convert/exports/verify.h"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "kernels/convert/bits.h"
#include "kernels/convert/exports/run_text.h"

namespace lanescope::convert {
namespace {

const std::array<std::string, 7> all_architectures = {"sm_75", "sm_80", "sm_86", "sm_89", "sm_90", "sm_100", "sm_120"};

}  // namespace

std::span<const std::string> exported_architectures() { return all_architectures; }

Verified verify_function(const Conversion& c, std::span<const std::string> architectures) {
  Verified v;
  const PlaceMap& map = c.planned.map;
  const std::size_t words = std::size_t{1} << map.word_bits;
  const std::size_t from = std::size_t{1} << map.from_registers, to = std::size_t{1} << map.to_registers;
  const std::size_t threads = std::size_t{lanes} << map.warps;
  const std::string word = words == 1 ? "unsigned" : words == 2 ? "uint2" : "uint4";
  std::string text = device_function(c, {.function = "converted", .name_space = ""});
  text += fmt::format(
      "extern \"C\" __global__ void __launch_bounds__({0}) run_converted(const {1}* p, {1}* q) {{\n  {1} x[{2}], "
      "y[{3}];\n"
      "  #pragma unroll\n  for (int n = 0; n < {2}; n++) x[n] = p[n * {0} + threadIdx.x];\n",
      threads, word, from / words, to / words);
  text += c.plan.shared ? "  extern __shared__ uint4 memory[];\n  converted(x, y, memory);\n" : "  converted(x, y);\n";
  text += fmt::format("  #pragma unroll\n  for (int n = 0; n < {0}; n++) q[n * {1} + threadIdx.x] = y[n];\n}}\n",
                      to / words, threads);
  const auto code = compile_text(text, architectures, v);
  if (!code) return v;
  std::vector<trace::Buffer> buffers = {random_buffer("p", 4 * from * threads, 1),
                                        random_buffer("q", 4 * to * threads, 2)};
  // Copies hold the same.
  const auto at = [&](const trace::Buffer& b, std::uint64_t reg, std::uint64_t thread) {
    const std::size_t place = ((reg / words) * threads + thread) * words + reg % words;
    std::uint32_t out = 0;
    std::memcpy(&out, b.bytes.data() + 4 * place, 4);
    return std::pair{place, out};
  };
  const auto element_mask = static_cast<std::uint32_t>(map.element_bits >= 32 ? ~0U : bit(map.element_bits) - 1);
  const auto bits_of = static_cast<std::uint64_t>(std::min(map.element_bits, 32));
  const auto parts = [&](std::uint64_t place) {
    return std::tuple{place >> map.slots & (bit(map.registers) - 1), place >> map.local() & (threads - 1),
                      (place & (bit(map.slots) - 1)) * bits_of};
  };
  for (std::uint64_t place = 0; place < bit(map.local() + lane_bits + map.warps); ++place) {
    const std::uint64_t first = place & ~map.from_copies;
    if (first == place) continue;
    const auto [reg, thread, shift] = parts(place);
    const auto [reg0, thread0, shift0] = parts(first);
    if (reg >= from || reg0 >= from) continue;
    const auto [here, old] = at(buffers[0], reg, thread);
    const std::uint32_t value = at(buffers[0], reg0, thread0).second >> shift0 & element_mask;
    const std::uint32_t now = (old & ~(element_mask << shift)) | value << shift;
    std::memcpy(buffers[0].bytes.data() + 4 * here, &now, 4);
  }
  trace::Launch launch;
  launch.block = {static_cast<std::uint32_t>(threads), 1, 1};
  launch.grid = {1, 1, 1};
  if (c.plan.shared)
    launch.dynamic_shared_bytes = static_cast<std::uint32_t>((c.plan.shared->shared_bytes() + 15) / 16 * 16);
  launch.arguments = {trace::BufferArgument{0, 0}, trace::BufferArgument{1, 0}};
  if (!run_text(*code, launch, buffers, v)) return v;
  std::uint64_t free = 0;
  for (int i = 0; i < map.total(); ++i) {
    if (map.roles[index(i)] == Role::free) free |= bit(i);
  }
  for (std::uint64_t place = 0; place < bit(map.local() + lane_bits + map.warps); ++place) {
    if ((place & free) != 0) continue;
    const auto [reg, thread, shift] = parts(place);
    const auto [from_reg, from_thread, from_shift] = parts(map(place));
    if (reg >= to) continue;
    ++v.elements;
    const std::uint32_t got = at(buffers[1], reg, thread).second >> shift & element_mask;
    if (got != (at(buffers[0], from_reg, from_thread).second >> from_shift & element_mask)) {
      v.problem = fmt::format("register {}, bit {}, thread {} is wrong", reg, shift, thread);
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
    std::vector<std::byte> expected = buffers[1].bytes;
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
    for (const auto* list : {&size, &from_stride, &to_stride}) {
      for (const std::int64_t value : *list) {
        const trace::ValueArgument bytes_here = bytes_of_number(value);
        shape.insert(shape.end(), bytes_here.begin(), bytes_here.end());
      }
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
