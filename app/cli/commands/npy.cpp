#include "app/cli/commands/commands.h"

#include <fmt/format.h>

#include <cstring>

namespace lanescope::cli {
namespace {

std::string descriptor(std::string_view type, int bits) {
  if (bits < 8) return "|u1";
  const int bytes = bits / 8;
  if (type == "bf16") return "<u2";
  const char kind = type.starts_with("f") ? 'f' : type.starts_with("s") ? 'i' : 'u';
  return fmt::format("{}{}{}", bytes == 1 ? '|' : '<', kind, bytes);
}

std::string header_of(const engine::Output& output, int bits) {
  std::string shape;
  for (const std::uint64_t extent : output.shape) shape += fmt::format("{},", extent);
  std::string text = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}), }}",
                                 descriptor(output.element_type, bits), shape);
  constexpr std::size_t before = 10, alignment = 64;  // magic, version and length come first
  while ((before + text.size() + 1) % alignment != 0) text += ' ';
  return text + '\n';
}

void append_element(std::vector<std::byte>& out, std::span<const std::byte> from, std::uint64_t element, int bits) {
  if (bits >= 8) {
    const auto bytes = static_cast<std::uint64_t>(bits) / 8;
    for (std::uint64_t i = 0; i < bytes; ++i) out.push_back(from[element * bytes + i]);
    return;
  }
  const std::uint64_t first = element * static_cast<std::uint64_t>(bits);
  out.push_back((from[first / 8] >> static_cast<int>(first % 8)) & static_cast<std::byte>((1 << bits) - 1));
}

}  // namespace

std::vector<std::byte> npy_bytes(const engine::Output& output, const results::BufferInfo& spec) {
  const std::string header = header_of(output, spec.element_bits);
  std::string start = "\x93NUMPY";
  start += '\x01';
  start += '\0';
  start += static_cast<char>(header.size() & 255);
  start += static_cast<char>(header.size() >> 8);
  start += header;
  std::vector<std::byte> out(start.size());
  std::memcpy(out.data(), start.data(), start.size());

  std::uint64_t count = 1;
  for (const source::Axis& axis : spec.axes) count *= axis.extent;
  for (std::uint64_t i = 0; i < count; ++i) {
    std::uint64_t rest = i, element = 0;
    for (auto axis = spec.axes.rbegin(); axis != spec.axes.rend(); ++axis) {
      element += rest % axis->extent * axis->stride_elements;
      rest /= axis->extent;
    }
    append_element(out, output.bytes, element, spec.element_bits);
  }
  return out;
}

}  // namespace lanescope::cli
