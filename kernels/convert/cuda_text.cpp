#include "kernels/convert/cuda_text.h"

#include <algorithm>
#include <bit>
#include <map>

#include <fmt/format.h>

#include "kernels/convert/bits.h"
#include "kernels/convert/states.h"

namespace lanescope::convert {
namespace {

std::string hex(std::uint32_t v) { return v < 10 ? fmt::format("{}u", v) : fmt::format("{:#x}u", v); }

/// An expression of `lane` with the table's values.
std::string table_text(const LaneTable& table, std::uint32_t lane = 0, int top = lane_bits - 1) {
  const auto same = [&](int bit_number) {  // whether the bit changes nothing below here
    for (std::uint32_t l = 0; l < bit(top + 1); ++l) {
      if (table[lane | l] != table[lane | (l ^ (1U << bit_number))]) return false;
    }
    return true;
  };
  while (top >= 0 && same(top)) --top;
  if (top < 0) return hex(table[lane]);
  const std::string zero = table_text(table, lane, top - 1), one = table_text(table, lane | 1U << top, top - 1);
  return fmt::format("(lane & {} ? {} : {})", 1U << top, one, zero);
}

std::string parity_text(std::uint32_t parity) {
  return std::has_single_bit(parity) ? fmt::format("(lane & {}) != 0", parity)
                                     : fmt::format("(__popc(lane & {}) & 1) != 0", parity);
}

/// The linear part of a lane map, as shifts of masked lane bits.
std::string lanes_text(const LaneMap& map) {
  std::map<int, std::uint32_t> by_distance;  // bits of the lane that move up by a distance
  for (int i = 0; i < lane_bits; ++i) {
    for (int j = 0; j < lane_bits; ++j) {
      if (has(map.columns[index(i)], j)) by_distance[j - i] |= 1U << i;
    }
  }
  std::vector<std::string> parts;
  for (const auto& [distance, mask] : by_distance) {
    const std::string masked = fmt::format("(lane & {})", mask);
    if (distance == 0)
      parts.push_back(masked);
    else
      parts.push_back(fmt::format("({} {} {})", masked, distance > 0 ? "<<" : ">>", std::abs(distance)));
  }
  return parts.empty() ? "0" : fmt::format("{}", fmt::join(parts, " ^ "));
}

/// An assignment comment on what `sentence` names.
std::string claim(std::string_view indent, std::string_view sentence, const layout::Assignment& a) {
  std::string out = fmt::format("{}// {}\n", indent, sentence), text = layout::print(a);
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    out += fmt::format("{}//   {}\n", indent, text.substr(0, end));
    text.erase(0, std::min(end + 1, text.size()));
  }
  return out;
}

class Writer {
 public:
  explicit Writer(const Conversion& c) : c_(c), states_(states_of(c.program, c.map)) {}

  /// Statements from the registers x[] to the registers y[].
  std::string body() {
    constants();
    std::string out = constants_;
    std::size_t stage = 0;
    std::optional<layout::Assignment> now = c_.from;
    bool wrote = false;
    for (int n = 0; n <= static_cast<int>(c_.program.code.size()); ++n) {
      for (; stage < c_.program.stages.size() && c_.program.stages[stage].end <= n; ++stage) {
        if (!states_[stage] || states_[stage] == now || !wrote) continue;
        now = states_[stage];
        out += stage_comment(c_.program.stages[stage], *now);
        wrote = false;
      }
      if (n == static_cast<int>(c_.program.code.size())) break;
      const Instruction& i = c_.program.code[index(n)];
      if (i.op == Op::input) continue;
      out += fmt::format("  const unsigned v{} = {};\n", n, expression(i));
      wrote = true;
    }
    for (std::size_t r = 0; r < c_.program.outputs.size(); ++r)
      out += fmt::format("  y[{}] = {};\n", r, c_.program.outputs[r] == nothing ? "0" : name(c_.program.outputs[r]));
    return out;
  }

 private:
  std::string stage_comment(const Stage& stage, const layout::Assignment& a) const {
    std::vector<std::string> registers;
    for (const Value v : stage.words) registers.push_back(name(v));
    return claim("  ", fmt::format("registers: {}", fmt::join(registers, " ")), a);
  }

  std::string name(Value v) const {
    const Instruction& i = c_.program.code[index(v)];
    return i.op == Op::input ? fmt::format("x[{}]", i.number) : fmt::format("v{}", v);
  }

  /// Everything that depends on the lane alone, once.
  void constants() {
    for (const Instruction& i : c_.program.code) {
      if (i.op == Op::select && !parities_.contains(i.parity)) {
        parities_[i.parity] = fmt::format("odd{}", parities_.size());
        constants_ += fmt::format("  const bool {} = {};\n", parities_[i.parity], parity_text(i.parity));
      }
      const bool has_table = i.op == Op::permute || i.op == Op::rotate || i.op == Op::mix;
      if (has_table && !is_uniform(i.table) && !tables_.contains(i.table)) {
        tables_[i.table] = fmt::format("by_lane{}", tables_.size());
        constants_ += fmt::format("  const unsigned {} = {};\n", tables_[i.table], table_text(i.table));
      }
      if (i.op == Op::shuffle && !i.from.is_linear_identity() && !sources_.contains(i.from.columns)) {
        sources_[i.from.columns] = fmt::format("source{}", sources_.size());
        constants_ += fmt::format("  const unsigned {} = {};\n", sources_[i.from.columns], lanes_text(i.from));
      }
    }
    const bool by_lane = constants_.find("lane") != std::string::npos;
    if (by_lane) constants_ = "  unsigned lane;\n  asm(\"mov.u32 %0, %%laneid;\" : \"=r\"(lane));\n" + constants_;
  }

  std::string value_of(const LaneTable& table) const { return is_uniform(table) ? hex(table[0]) : tables_.at(table); }

  std::string expression(const Instruction& i) const {
    switch (i.op) {
      case Op::input:
        return {};
      case Op::select:
        return fmt::format("{} ? {} : {}", parities_.at(i.parity), name(i.b), name(i.a));
      case Op::shuffle: {
        if (i.from.is_linear_identity()) return fmt::format("__shfl_xor_sync(~0u, {}, {})", name(i.a), i.from.constant);
        const std::string& source = sources_.at(i.from.columns);
        return fmt::format("__shfl_sync(~0u, {}, {}{})", name(i.a), source,
                           i.from.constant == 0 ? "" : fmt::format(" ^ {}", i.from.constant));
      }
      case Op::permute:
        return fmt::format("__byte_perm({}, {}, {})", name(i.a), name(i.b), value_of(i.table));
      case Op::rotate:
        return fmt::format("__funnelshift_l({0}, {0}, {1})", name(i.a), value_of(i.table));
      case Op::mix:
        return fmt::format("({0} & {2}) | ({1} & ~{2})", name(i.a), name(i.b), value_of(i.table));
    }
    return {};
  }

  const Conversion& c_;
  std::vector<std::optional<layout::Assignment>> states_;
  std::map<std::uint32_t, std::string> parities_;
  std::map<LaneTable, std::string> tables_;
  std::map<std::array<std::uint32_t, lane_bits>, std::string> sources_;
  std::string constants_;
};

int words_of_an_element(const PlaceMap& map) { return 1 << map.word_bits; }

}  // namespace

std::string counts_in_words(const Counts& counts) {
  std::vector<std::string> parts;
  const auto add = [&](int n, std::string_view one, std::string_view many) {
    if (n > 0) parts.push_back(fmt::format("{} {}", n, n == 1 ? one : many));
  };
  add(counts.shuffles, "shuffle", "shuffles");
  add(counts.selects, "select", "selects");
  add(counts.permutes, "byte permute", "byte permutes");
  add(counts.logic, "shift or mask", "shifts and masks");
  return parts.empty() ? "no instruction" : fmt::format("{}", fmt::join(parts, ", "));
}

std::string device_function(const Conversion& c, const CodeNames& names) {
  const int words = words_of_an_element(c.map);
  const int from = (1 << c.map.from_registers) / words, to = (1 << c.map.to_registers) / words;
  std::string out = fmt::format("// Converts registers of a warp with {} a lane. Every lane of the warp calls it.\n",
                                counts_in_words(c.program.counts()));
  out += "template <class Word>\n";
  out += fmt::format("__device__ __forceinline__ void {}(const Word (&from)[{}], Word (&to)[{}]) {{\n", names.function,
                     from, to);
  out += claim("  ", "from has the register assignment:", c.from);
  out += fmt::format("  static_assert(sizeof(Word) == {}, \"{}\");\n", 4 * words,
                     words == 1 ? "one 32-bit register each" : fmt::format("{} registers each", words));
  out += fmt::format("  unsigned x[{}], y[{}];\n  memcpy(x, from, sizeof x);\n", from * words, to * words);
  out += Writer(c).body();
  out += "  memcpy(to, y, sizeof y);\n";
  out += claim("  ", "to has the register assignment:", c.to);
  return out + "}\n";
}

std::string header_file(const Conversion& c, const CodeNames& names) {
  std::string out = "#pragma once\n\n";
  if (!names.name_space.empty()) out += fmt::format("namespace {} {{\n\n", names.name_space);
  out += device_function(c, names);
  if (!names.name_space.empty()) out += fmt::format("\n}}  // namespace {}\n", names.name_space);
  return out;
}

namespace {

/// Where the elements lie in memory: axes by name, the last one fastest.
struct Array {
  std::string axes;                   ///< "i:16 j:8"
  std::vector<std::uint64_t> offset;  ///< of each logical bit, in elements
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
  for (const std::string& n : names) {
    const layout::LogicalBit l = layout::split_name(n);
    out.offset.push_back(bit(below[l.axis] + l.bit));
  }
  return out;
}

/// The element at each place of one side, as an expression of `lane` and a constant for each register and slot.
std::string element_loop(const PlaceMap& map, const Array& array, bool source, std::string_view statement) {
  const auto offset_of = [&](std::uint64_t place) {
    return combine(array.offset, map.element_at(source ? place : map(place)));
  };
  std::string lane_terms;
  const std::uint64_t zero = offset_of(0);
  for (int i = 0; i < lane_bits; ++i) {
    const std::uint64_t delta = offset_of(bit(map.lane(i))) ^ zero;
    if (delta != 0) lane_terms += fmt::format(" ^ (lane & {} ? {}u : 0)", 1 << i, delta);
  }
  const int registers = (source ? map.from_registers : map.to_registers) - map.word_bits;
  std::string table;
  for (std::uint64_t r = 0; r < bit(registers); ++r) {
    for (std::uint64_t s = 0; s < bit(map.slots); ++s) {
      if (!table.empty()) table += ", ";
      table += fmt::format("{}", offset_of((r << map.word_bits) << map.slots | s));
    }
  }
  return fmt::format(
      "  {{\n    const unsigned elements[] = {{{}}};\n    for (int n = 0; n < {}; n++) {{\n      const unsigned e = "
      "elements[n]{};\n      {}\n    }}\n  }}\n",
      table, bit(registers + map.slots), lane_terms, statement);
}

/// Element types that buffers have; "" for the others.
std::string_view buffer_type(int bits) {
  switch (bits) {
    case 1:
      return "b1";
    case 4:
      return "u4";
    case 8:
      return "u8";
    case 16:
      return "u16";
    case 32:
      return "u32";
    case 64:
      return "u64";
    default:
      return "";
  }
}

}  // namespace

std::string kernel_file(const Conversion& c, const CodeNames& names) {
  const std::string_view type = buffer_type(c.map.element_bits);
  if (type.empty()) return {};
  const bool whole = std::ranges::none_of(c.map.roles, [](Role r) { return r == Role::free; });
  const Array array = array_of(c.map.names);
  std::string out = fmt::format(
      "/* {} between two register assignments.\n[lanescope]\nkernel = \"{}_kernel\"\ngrid = 1\n"
      "block = 32\n\n[buffers]\np = \"{} {}\"\nq = {{ type = \"{}\", axes = \"{}\", init = \"zeros\"{} }}\n*/\n",
      names.function, names.function, type, array.axes, type, array.axes, whole ? ", expect = \"copy of p\"" : "");
  out += device_function(c, names);
  const int bits = c.map.element_bits, slots = 1 << c.map.slots;
  const int from = 1 << (c.map.from_registers - c.map.word_bits), to = 1 << (c.map.to_registers - c.map.word_bits);
  const std::string_view word = bits == 64 ? "unsigned long long" : "unsigned";
  const std::string_view element = bits >= 32 ? word : bits == 16 ? "unsigned short" : "unsigned char";
  out += fmt::format("\n__global__ void {}_kernel(const {}* p, {}* q) {{\n  const unsigned lane = threadIdx.x;\n",
                     names.function, element, element);
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
  out += fmt::format("  {}(x, y);\n", names.function);
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
