#include "kernels/source/model/buffer.h"

#include <algorithm>
#include <array>
#include <numeric>

namespace lanescope::source {
namespace {

struct Named {
  std::string_view name;
  int bits;
};
constexpr std::array<Named, 15> element_types = {{{"b1", 1},
                                                  {"u4", 4},
                                                  {"s4", 4},
                                                  {"u8", 8},
                                                  {"s8", 8},
                                                  {"u16", 16},
                                                  {"s16", 16},
                                                  {"f16", 16},
                                                  {"bf16", 16},
                                                  {"u32", 32},
                                                  {"s32", 32},
                                                  {"f32", 32},
                                                  {"u64", 64},
                                                  {"s64", 64},
                                                  {"f64", 64}}};

// More than this is refused before anything is allocated, on any machine.
constexpr std::uint64_t most_elements = std::uint64_t{1} << 38;

}  // namespace

int element_bits(std::string_view element_type) {
  for (const Named& t : element_types) {
    if (t.name == element_type) return t.bits;
  }
  return 0;
}

std::string lay_out(BufferSpec& buffer) {
  std::uint64_t next = 1;
  std::uint64_t last = 0;
  for (std::size_t i = buffer.axes.size(); i > 0; --i) {
    Axis& a = buffer.axes[i - 1];
    if (a.stride_elements == 0) a.stride_elements = next;
    if (a.extent > most_elements || a.stride_elements > most_elements / a.extent)
      return "it is larger than the memory of any GPU";
    next = a.stride_elements * a.extent;
    last += (a.extent - 1) * a.stride_elements;
    if (last >= most_elements) return "it is larger than the memory of any GPU";
  }
  buffer.elements = last + 1;
  return {};
}

std::optional<std::vector<std::uint64_t>> coordinates(const BufferSpec& buffer, std::uint64_t element) {
  if (element >= buffer.elements) return std::nullopt;
  // The widest stride first, for any order of the axes: a transposed view has its slowest axis last.
  std::vector<std::size_t> order(buffer.axes.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return buffer.axes[a].stride_elements > buffer.axes[b].stride_elements;
  });
  std::vector<std::uint64_t> out(buffer.axes.size());
  for (const std::size_t i : order) {
    const Axis& axis = buffer.axes[i];
    if (axis.extent == 1 || axis.stride_elements == 0) continue;
    out[i] = element / axis.stride_elements;
    if (out[i] >= axis.extent) return std::nullopt;
    element %= axis.stride_elements;
  }
  if (element != 0) return std::nullopt;
  return out;
}

}  // namespace lanescope::source
