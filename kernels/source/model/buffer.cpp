#include "kernels/source/model/buffer.h"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "kernels/base/listed_words.h"
#include "kernels/base/text.h"

namespace lanescope::source {
namespace {

// More than this is refused before anything is allocated, on any machine.
constexpr std::uint64_t most_elements = std::uint64_t{1} << 38;

}  // namespace

int element_bits(std::string_view element_type) {
  static const auto known = listed_words("b1 u4 s4 u8 s8 u16 s16 f16 bf16 u32 s32 f32 u64 s64 f64");
  int bits = 0;
  if (one_of(element_type, known))
    for (const char c : element_type.substr(without_trailing_digits(element_type).size())) bits = 10 * bits + (c - '0');
  return bits;
}

std::string axes_text(const BufferSpec& b) {
  std::string out;
  std::uint64_t regular = 1;
  for (std::size_t i = b.axes.size(); i-- > 0;) {
    const Axis& axis = b.axes[i];
    const std::string stride = axis.stride_elements == regular ? "" : fmt::format("/{}", axis.stride_elements);
    out = fmt::format("{}:{}{}{}{}", axis.name, axis.extent, stride, out.empty() ? "" : " ", out);
    regular = axis.extent * axis.stride_elements;
  }
  return out;
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
