
#include <algorithm>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "kernels/convert/bits.h"
#include "kernels/convert/cuda_text.h"

namespace lanescope::convert {
namespace {

/// Where the elements lie in memory: axes by name, the last one fastest.
struct Array {
  std::string axes;                   ///< "i:16 j:8"
  std::vector<std::uint64_t> offset;  ///< of each logical bit, in elements
  int bits = 0;                       ///< of all axes: some may belong to none, then elements are left out
};

Array array_of(const std::vector<std::string>& names) {
  std::map<std::string, int> bits;  // of each axis
  for (const std::string& n : names) {
    const layout::LogicalBit l = layout::split_name(n);
    bits[l.axis] = std::max(bits[l.axis], l.bit + 1);
  }
  Array out;
  std::map<std::string, int> below;
  int total = 0;
  for (auto axis = bits.rbegin(); axis != bits.rend(); ++axis) {
    below[axis->first] = total;
    total += axis->second;
    out.axes = fmt::format("{}:{}{}{}", axis->first, 1 << axis->second, out.axes.empty() ? "" : " ", out.axes);
  }
  out.bits = total;
  for (const std::string& n : names) {
    const layout::LogicalBit l = layout::split_name(n);
    out.offset.push_back(bit(below[l.axis] + l.bit));
  }
  return out;
}

/// A loop over the registers and slots of one side; `e` is the element there.
std::string element_loop(const PlaceMap& map, const Array& array, bool source, std::string_view statement) {
  const auto offset_of = [&](std::uint64_t place) {
    return combine(array.offset, map.element_at(source ? place : map(place)));
  };
  std::vector<std::uint64_t> threads;
  const std::uint64_t zero = offset_of(0);
  for (int i = 0; i < lane_bits + map.warps + map.blocks; ++i) threads.push_back(offset_of(bit(map.lane(i))) ^ zero);
  const int registers = (source ? map.from_registers : map.to_registers) - map.word_bits;
  std::vector<std::string> table;
  for (std::uint64_t r = 0; r < bit(registers); ++r)
    for (std::uint64_t s = 0; s < bit(map.slots); ++s)
      table.push_back(fmt::format("{}", offset_of((r << map.word_bits) << map.slots | s)));
  return fmt::format(
      "  {{\n    const unsigned elements[] = {{{}}};\n    for (int n = 0; n < {}; n++) {{\n      const unsigned e = "
      "elements[n] ^ {};\n      {}\n    }}\n  }}\n",
      fmt::join(table, ", "), table.size(), linear_text("thread", threads), statement);
}

/// Element types that buffers have; "" for the others.
std::string_view buffer_type(int bits) {
  for (const auto& [width, type] : {std::pair(1, "b1"), std::pair(4, "u4"), std::pair(8, "u8"), std::pair(16, "u16"),
                                    std::pair(32, "u32"), std::pair(64, "u64")})
    if (width == bits) return type;
  return "";
}

}  // namespace

std::vector<std::uint64_t> kernel_file_offsets(const PlaceMap& map) { return array_of(map.names).offset; }
std::uint64_t kernel_file_elements(const PlaceMap& map) { return bit(array_of(map.names).bits); }

std::string kernel_file(const Conversion& conversion, const CodeNames& names) {
  const Planned& c = conversion.planned;
  const std::string_view type = buffer_type(c.map.element_bits);
  if (type.empty()) return {};
  const Array array = array_of(c.map.names);
  const bool whole = array.bits == static_cast<int>(c.map.names.size()) &&
                     std::ranges::none_of(c.map.roles, [](Role r) { return r == Role::free; });
  std::string out = fmt::format(
      "/* Moves an array from one register assignment to another.\n[lanescope]\nkernel = \"{}_kernel\"\ngrid = {}\n"
      "block = {}\n\n[buffers]\np = \"{} {}\"\nq = {{ type = \"{}\", axes = \"{}\", init = \"zeros\"{} }}\n*/\n",
      names.function, 1 << c.map.blocks, lanes << c.map.warps, type, array.axes, type, array.axes,
      whole ? ", expect = \"copy of p\"" : "");
  out += device_function(conversion, names);
  const int bits = c.map.element_bits, slots = 1 << c.map.slots;
  const int from = 1 << (c.map.from_registers - c.map.word_bits), to = 1 << (c.map.to_registers - c.map.word_bits);
  const std::string_view word = bits == 64 ? "unsigned long long" : "unsigned";
  const std::string_view element = bits >= 32 ? word : bits == 16 ? "unsigned short" : "unsigned char";
  out += fmt::format(
      "\n__global__ void __launch_bounds__({}) {}_kernel(const {}* p, {}* q) {{\n  const unsigned thread = threadIdx.x "
      "+ blockDim.x * "
      "blockIdx.x;\n",
      lanes << c.map.warps, names.function, element, element);
  out += fmt::format("  {} x[{}] = {{}}, y[{}];\n", word, from, to);
  if (bits >= 8) {
    const std::string place =
        slots == 1 ? "x[n] = p[e];"
                   : fmt::format("x[n / {}] |= static_cast<unsigned>(p[e]) << ({} * (n % {}));", slots, bits, slots);
    out += element_loop(c.map, array, true, place);
  } else {
    out += element_loop(
        c.map, array, true,
        fmt::format("x[n / {0}] |= static_cast<unsigned>(p[e / {2}] >> ({1} * (e % {2})) & {3}) << ({1} * (n % {0}));",
                    slots, bits, 8 / bits, (1 << bits) - 1));
  }
  if (conversion.plan.shared) {
    out += fmt::format("  __shared__ uint4 memory[{}];\n  {}(x, y, memory);\n",
                       (conversion.plan.shared->shared_bytes() + 15) / 16, names.function);
  } else {
    out += fmt::format("  {}(x, y);\n", names.function);
  }
  if (bits >= 8) {
    const std::string place =
        slots == 1 ? "q[e] = y[n];"
                   : fmt::format("q[e] = static_cast<{}>(y[n / {}] >> ({} * (n % {})));", element, slots, bits, slots);
    out += element_loop(c.map, array, false, place);
  } else {
    // Several lanes share a byte.
    out += element_loop(c.map, array, false,
                        fmt::format("atomicOr(reinterpret_cast<unsigned*>(q) + e / {2}, (y[n / {0}] >> ({1} * (n % "
                                    "{0})) & {3}) << ({1} * (e % {2})));",
                                    slots, bits, 32 / bits, (1 << bits) - 1));
  }
  return out + "}\n";
}

}  // namespace lanescope::convert
