#include "viz/views/base/elements.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

namespace lanescope::views {

const BufferInfo* buffer_of(const Summary& summary, int buffer) {
  return buffer >= 0 && buffer < static_cast<int>(summary.buffers.size()) ? &summary.buffers[buffer] : nullptr;
}

std::string buffer_name(const Summary& summary, int buffer, std::string_view none) {
  const BufferInfo* info = buffer_of(summary, buffer);
  return info == nullptr ? std::string(none) : info->name;
}

ElementReader::ElementReader(const BufferInfo& buffer) {
  for (const source::Axis& axis : buffer.axes) {
    names_.push_back(axis.name);
    axes_.push_back({.extent = std::max<std::uint64_t>(axis.extent, 1),
                     .stride = std::max<std::uint64_t>(axis.stride_elements, 1)});
  }
  if (axes_.empty()) {
    names_.emplace_back();
    axes_.push_back({.extent = std::max<std::uint64_t>(buffer.elements, 1)});
  }
  // An axis steps until the next slower stride begins; the slowest one never wraps.
  std::vector<int> order(axes_.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return axes_[a].stride > axes_[b].stride; });
  std::uint64_t slower = 0;
  for (int axis : order) {
    axes_[axis].modulus = slower == 0 ? ~std::uint64_t{0} : std::max<std::uint64_t>(slower / axes_[axis].stride, 1);
    slower = axes_[axis].stride;
  }
}

int ElementReader::find(std::string_view axis_name) const {
  for (int n = 0; n < axes(); ++n)
    if (names_[n] == axis_name) return n;
  return -1;
}

std::vector<ElementReader> element_readers(const Summary& summary) {
  std::vector<ElementReader> readers;
  readers.reserve(summary.buffers.size());
  for (const BufferInfo& buffer : summary.buffers) readers.emplace_back(buffer);
  return readers;
}

std::string tag_text(const Summary& summary, int buffer, std::uint64_t element) {
  return buffer_of(summary, buffer) == nullptr ? "?" : fmt::format("{}[{}]", buffer_name(summary, buffer), element);
}

std::string element_text(const Summary& summary, int buffer, std::uint64_t element) {
  const BufferInfo* info = buffer_of(summary, buffer);
  if (info == nullptr) return "?";
  const ElementReader reader(*info);
  std::string coordinates;
  for (int axis = 0; axis < reader.axes(); ++axis) {
    if (axis > 0) coordinates += ", ";
    coordinates += std::to_string(reader.coordinate(element, axis));
  }
  return fmt::format("{}[{}]", info->name, coordinates);
}

std::string element_place(const Summary& summary, int buffer, std::uint64_t element) {
  const BufferInfo* info = buffer_of(summary, buffer);
  if (info == nullptr) return {};
  const auto bits = static_cast<std::uint64_t>(std::max(info->element_bits, 1));
  std::string text = element_text(summary, buffer, element);
  if (!info->axes.empty()) text += fmt::format(" (element {})", spaced(element));
  text += fmt::format(", byte {}", spaced(element * bits / 8));
  return bits < 8 ? text + fmt::format(" bit {}", element * bits % 8) : text;
}

Coloring::Coloring(const std::vector<ElementReader>& readers, std::string_view color_by) : readers_(readers) {
  if (color_by == "lane") by_ = By::lane;
  if (color_by == "warp") by_ = By::warp;
  if (color_by == "register") by_ = By::reg;
  for (const ElementReader& reader : readers) {
    Rule rule;
    std::string_view rest = color_by;
    while (by_ == By::element && !rest.empty()) {
      const std::string_view word = rest.substr(0, rest.find(' '));
      rest.remove_prefix(std::min(rest.size(), word.size() + 1));
      if (word.empty()) continue;
      if (const int axis = reader.find(word); axis >= 0) {
        rule.parts.push_back({.axis = axis});
        rule.count *= reader.extent(axis);
      } else {
        const layout::LogicalBit bit = layout::split_name(word);
        if (const int of = reader.find(bit.axis); of >= 0) {
          rule.parts.push_back({.axis = of, .bit = bit.bit});
          rule.count *= 2;
        }
      }
    }
    elements_.push_back(1);
    for (int axis = 0; axis < reader.axes(); ++axis) elements_.back() *= reader.extent(axis);
    if (rule.parts.empty()) rule.count = elements_.back();
    rules_.push_back(std::move(rule));
  }
}

std::uint64_t Coloring::of_element(int buffer, std::uint64_t element) const {
  if (buffer < 0 || buffer >= static_cast<int>(rules_.size())) return 0;
  const Rule& rule = rules_[buffer];
  const ElementReader& reader = readers_[buffer];
  std::uint64_t index = 0;
  if (rule.parts.empty()) {
    for (int axis = 0; axis < reader.axes(); ++axis)
      index = index * reader.extent(axis) + reader.coordinate(element, axis);
    return std::min(index, rule.count - 1);
  }
  for (const Part& part : rule.parts) {
    const std::uint64_t coordinate = reader.coordinate(element, part.axis);
    index = part.bit < 0 ? index * reader.extent(part.axis) + coordinate : index * 2 + ((coordinate >> part.bit) & 1);
  }
  return std::min(index, rule.count - 1);
}

std::uint64_t Coloring::count(int buffer) const {
  return buffer < 0 || buffer >= static_cast<int>(rules_.size()) ? 1 : rules_[buffer].count;
}

std::vector<int> varying_axes(const ElementReader& reader, int buffer, const std::vector<Cell>& cells) {
  std::vector<std::uint64_t> first;
  std::vector<bool> varies(reader.axes(), false);
  for (const Cell& cell : cells) {
    if (!cell.defined || cell.buffer != buffer || cell.kind != static_cast<int>(trace::ElementTag::Kind::exact))
      continue;
    if (first.empty())
      for (int axis = 0; axis < reader.axes(); ++axis) first.push_back(reader.coordinate(cell.element, axis));
    for (int axis = 0; axis < reader.axes(); ++axis)
      if (reader.coordinate(cell.element, axis) != first[axis]) varies[axis] = true;
  }
  std::vector<int> axes;
  for (int axis = 0; axis < reader.axes(); ++axis)
    if (varies[axis]) axes.push_back(axis);
  return axes;
}

std::string depends_words(const Summary& summary, const Moment& moment, const Cell& cell) {
  if (cell.set < 0 || static_cast<std::size_t>(cell.set) >= moment.sets.size()) return counted(cell.sources, "element");
  return counted_set_words(summary, moment.sets[static_cast<std::size_t>(cell.set)]);
}

// Values in words, by element type.

namespace {

double half_to_double(std::uint32_t h) {
  const int exponent = (h >> 10) & 31;
  const double fraction = h & 0x3ff;
  const double sign = h & 0x8000 ? -1 : 1;
  if (exponent == 31) return fraction == 0 ? sign * INFINITY : NAN;
  if (exponent == 0) return sign * std::ldexp(fraction, -24);
  return sign * std::ldexp(fraction + 1024, exponent - 25);
}

// printf-like, but "1e5" for "1e+05": a cell has room for four characters.
std::string shortened_number(double value, int digits) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
  std::string text = fmt::format("{:.{}g}", value, digits);
  const std::size_t e = text.find('e');
  if (e == std::string::npos) return text;
  std::string exponent = text.substr(e + 1);
  const bool negative = exponent[0] == '-';
  exponent.erase(0, exponent.find_first_not_of("+-0"));
  return text.substr(0, e) + (negative ? "e-" : "e") + exponent;
}

std::string hex(std::uint32_t value, int bits) { return fmt::format("0x{:0{}X}", value, (bits + 3) / 4); }

}  // namespace

std::string value_text(std::string_view type, int bits, std::uint32_t value, int digits) {
  if (bits < 32) value &= (1u << bits) - 1;
  if (type == "f32" && bits == 32) return shortened_number(std::bit_cast<float>(value), digits);
  if (type == "f16" && bits == 16) return shortened_number(half_to_double(value), digits);
  if (type == "bf16" && bits == 16) return shortened_number(std::bit_cast<float>(value << 16), digits);
  if (type.starts_with('s') && bits <= 32) {
    const auto shift = 32 - bits;
    return std::to_string(static_cast<std::int32_t>(value << shift) >> shift);
  }
  if ((type.starts_with('u') || type.starts_with('b')) && bits <= 32) return std::to_string(value);
  return hex(value, bits);
}

std::string short_value_text(std::string_view type, int bits, std::uint32_t value, int columns) {
  std::string own(type);
  if (own.empty() && bits == 32) {
    constexpr std::uint32_t small = 1u << 20;
    const float as_float = std::abs(std::bit_cast<float>(value));
    const bool float_like = std::isfinite(as_float) && as_float > 1e-12f && as_float < 1e12f;
    own = value < small || value > ~small ? "s32" : float_like ? "f32" : "u32";
  } else if (own.empty()) {
    own = fmt::format("u{}", bits);
  }
  const auto fits = [&](const std::string& text) { return static_cast<int>(text.size()) <= columns; };
  std::string text;
  for (const int digits : {3, 2, 1}) {
    text = value_text(own, bits, value, digits);
    if (fits(text)) return text;
  }
  const bool whole = own.starts_with('s') || own.starts_with('u') || own.starts_with('b');
  if (!whole || bits > 32) return text;
  const bool negative = own.starts_with('s') && value >> (bits - 1) & 1;
  const std::uint32_t mask = bits < 32 ? (1u << bits) - 1 : ~0u;
  const double number = negative ? -static_cast<double>((~value & mask) + 1.0) : static_cast<double>(value & mask);
  return shortened_number(number, 1);
}

std::string value_and_bits(std::string_view type, int bits, std::uint32_t value) {
  if (bits < 32) value &= (1u << bits) - 1;
  const std::string words = value_text(type, bits, value);
  const std::string raw = hex(value, bits);
  return words == raw ? raw : fmt::format("{} ({} {})", words, type, raw);
}

}  // namespace lanescope::views
