#pragma once
// Text and colour of a cell: coordinates of its element, its value, and its position on the colour ramp.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/base/numbers.h"
#include "viz/views/base/selection.h"

namespace lanescope::views {

/// The buffer of this number; nullptr: none.
const BufferInfo* buffer_of(const Summary& summary, int buffer);
/// Its name, or `none`.
std::string buffer_name(const Summary& summary, int buffer, std::string_view none = {});

/// Coordinates of elements of one buffer. A buffer without axes is one axis "" over its elements.
class ElementReader {
 public:
  explicit ElementReader(const BufferInfo& buffer);
  int axes() const { return static_cast<int>(names_.size()); }
  const std::string& name(int axis) const { return names_[axis]; }
  std::uint64_t extent(int axis) const { return axes_[axis].extent; }
  int find(std::string_view axis_name) const;  ///< -1: no such axis
  std::uint64_t coordinate(std::uint64_t element, int axis) const {
    return element / axes_[axis].stride % axes_[axis].modulus;
  }

 private:
  struct AxisRule {
    std::uint64_t extent = 1, stride = 1;
    std::uint64_t modulus = 1;  ///< of element / stride: how often this axis steps before the next slower one does
  };
  std::vector<std::string> names_;
  std::vector<AxisRule> axes_;
};

std::vector<ElementReader> element_readers(const Summary& summary);

/// "p[0, 4, 6]"; "p[140]" for a buffer without axes.
std::string element_text(const Summary& summary, int buffer, std::uint64_t element);
/// The linear form: "p[140]".
std::string tag_text(const Summary& summary, int buffer, std::uint64_t element);

/// With its place in memory: "p[0, 4, 6] (element 140), byte 560"; empty for an unknown buffer.
std::string element_place(const Summary& summary, int buffer, std::uint64_t element);

/// A value as its type shows it, with at most `digits` significant digits: "1.07", "-3", "0x3c4c".
std::string value_text(std::string_view element_type, int bits, std::uint32_t value, int digits = 6);
/// In at most `columns` characters where that is possible (three are enough for most): fewer digits, then a power of
/// ten. Without a known type a small number is an integer, and bits that resemble a float are one.
std::string short_value_text(std::string_view element_type, int bits, std::uint32_t value, int columns);
/// "0x3C4C (f16) = 1.07422".
std::string value_and_bits(std::string_view element_type, int bits, std::uint32_t value);

/// "32 elements: a[0..31]"; where the moment does not list them, "32 elements".
std::string depends_words(const Summary& summary, const Moment& moment, const Cell& cell);

/// The choice of colours: words like "j" (an axis), "j3" (one bit of it), "j1 j0 k3" (bits, most significant first, or
/// axes), "lane", "warp", "register". "" is the slowest axis that varies.
class Coloring {
 public:
  Coloring(const std::vector<ElementReader>& readers, std::string_view color_by);
  /// Index among `count()` for an element of a buffer.
  std::uint64_t of_element(int buffer, std::uint64_t element) const;
  std::uint64_t count(int buffer) const;
  enum class By : std::uint8_t { element, lane, warp, reg };
  By by() const { return by_; }

 private:
  struct Part {
    int axis = 0;
    int bit = -1;  ///< -1: the whole coordinate
  };
  struct Rule {
    std::vector<Part> parts;  ///< empty: the element's number
    std::uint64_t count = 1;
  };
  const std::vector<ElementReader>& readers_;
  std::vector<Rule> rules_;  ///< one per buffer
  std::vector<std::uint64_t> elements_;
  By by_ = By::element;
};

/// Axes of `buffer` along which the exact elements of `cells` vary, slowest first.
std::vector<int> varying_axes(const ElementReader& reader, int buffer, const std::vector<Cell>& cells);

}  // namespace lanescope::views
