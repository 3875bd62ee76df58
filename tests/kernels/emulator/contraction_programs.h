#pragma once
// Random kernels of one warp that multiply, add and subtract without a rounding, of which ptxas makes fma instructions
// (kernels/ptx/contraction.h). The same kernels run in the emulator and on a GPU. Every value is read or stored.

#include <algorithm>
#include <array>
#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

namespace lanescope::emulator::test {

struct FloatType {
  std::string_view name;
  int bits, mantissa_bits, bias, halves;  ///< of a register, of an element; elements in a register
  std::string_view factor, term;          ///< immediates; empty: the type has none
};
inline constexpr std::array<FloatType, 6> float_types = {{
    {"f32", 32, 23, 127, 1, "0f3F8CCCCD", "0fBF9CC1CD"},
    {"f64", 64, 52, 1023, 1, "0d3FF199999999999A", "0dBFF4C1CD00000000"},
    {"f16", 16, 10, 15, 1, "", ""},
    {"f16x2", 32, 10, 15, 2, "", ""},
    {"bf16", 16, 7, 127, 1, "", ""},
    {"bf16x2", 32, 7, 127, 2, "", ""},
}};
inline constexpr int contraction_inputs = 4, contraction_outputs = 24;  ///< registers of a lane

class ContractionProgram {
 public:
  explicit ContractionProgram(std::uint64_t seed) : random_(seed) {
    for (int i = 0; i < 16; ++i) random_();
    // Half of them are f32, of which all forms are tried.
    type_ = &float_types[pick(2) == 0 ? 0 : pick(float_types.size())];
    static constexpr std::string_view styles[] = {"", "", "ftz", "mixed"};
    style_ = styles[pick(4)];
    if (type_->name == "f64" || type_->name.starts_with("bf16")) style_ = style_ == "ftz" ? "" : style_;
    predicates_ = pick(2) == 0, blocks_ = pick(2) == 0, single_ = pick(5) < 3;
  }

  const FloatType& type() const { return *type_; }
  int element_bits() const { return type_->bits / type_->halves; }

  /// PTX with a kernel `k(in, out)`: `in` has contraction_inputs rows of 32 registers, `out` contraction_outputs.
  std::string text() {
    for (const char* name : {"a", "b", "c", "d"}) values_.push_back({fmt::format("%{}", name), true});
    const int count = 4 + static_cast<int>(pick(21));
    for (int i = 0; i < count; ++i) {
      instruction();
      if (blocks_ && pick(7) == 0) edge();
    }
    if (open_) edge();
    const int bytes = type_->bits / 8;
    std::string stores, starts;
    int out = 0;
    for (const Value& v : values_)
      if (!v.read && out < contraction_outputs)
        stores += fmt::format("  st.global.b{} [%w+{}], {};\n", type_->bits, 32 * bytes * out++, v.name);
    // In blocks that are passed over they keep these values.
    for (int i = 0; blocks_ && i < names_; ++i)
      starts += fmt::format("  mov.b{} %v{}, %{:c};\n", type_->bits, i, 'a' + i % 4);
    std::string loads;
    for (int i = 0; i < contraction_inputs; ++i)
      loads += fmt::format("  ld.global.b{} %{:c}, [%g+{}];\n", type_->bits, 'a' + i, 32 * bytes * i);
    const bool is_plain = type_->name == "f32" || type_->name == "f64";
    return fmt::format(
        ".version 8.6\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 in, .param .u64 out)\n{{\n"
        "  .reg .{} %a, %b, %c, %d, %v<64>;\n  .reg .b64 %g, %w, %x;\n  .reg .b32 %t, %i;\n  .reg .pred %k;\n"
        "  ld.param.u64 %g, [in];\n  ld.param.u64 %w, [out];\n  mov.u32 %t, %tid.x;\n  mul.wide.u32 %x, %t, {};\n"
        "  add.u64 %g, %g, %x;\n  add.u64 %w, %w, %x;\n  and.b32 %i, %t, 1;\n  setp.eq.u32 %k, %i, 0;\n{}{}{}{}  "
        "ret;\n}}\n",
        is_plain ? std::string(type_->name) : fmt::format("b{}", type_->bits), bytes, loads, starts, code_, stores);
  }

  /// The contents of `in`: numbers of about 1, one of each sign, and some that are subnormal.
  std::vector<std::uint64_t> inputs() {
    std::vector<std::uint64_t> out;
    for (int i = 0; i < 32 * contraction_inputs; ++i) {
      std::uint64_t word = 0;
      for (int h = 0; h < type_->halves; ++h) {
        const std::uint64_t exponent = pick(40) == 0 ? pick(2) : static_cast<std::uint64_t>(type_->bias) - 2 + pick(5);
        const std::uint64_t mantissa = random_() & ((std::uint64_t{1} << type_->mantissa_bits) - 1);
        const std::uint64_t element = (pick(2) << (element_bits() - 1)) | exponent << type_->mantissa_bits | mantissa;
        word |= element << (h * element_bits());
      }
      out.push_back(word);
    }
    return out;
  }

  /// FNV-1a of results; all NaN count as one. `word(i)` is a register of `out`.
  std::uint64_t hash(auto&& word) const {
    std::uint64_t hash = 0xcbf29ce484222325u;
    const std::uint64_t element = element_bits() == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << element_bits()) - 1;
    const std::uint64_t infinity = (element >> 1) & ~((std::uint64_t{1} << type_->mantissa_bits) - 1);
    for (int i = 0; i < 32 * contraction_outputs; ++i)
      for (int h = 0; h < type_->halves; ++h) {
        std::uint64_t value = static_cast<std::uint64_t>(word(i)) >> (h * element_bits()) & element;
        if ((value & (element >> 1)) > infinity) value = element >> 1;
        hash = (hash ^ value) * 0x100000001b3u;
      }
    return hash;
  }

 private:
  struct Value {
    std::string name;
    bool read = false;
  };

  std::uint64_t pick(std::uint64_t below) { return random_() % below; }
  Value& any() {
    const std::size_t last = std::min<std::size_t>(values_.size(), pick(10) < 7 ? 6 : values_.size());
    return values_[values_.size() - 1 - pick(last)];
  }
  std::string source() {
    Value& v = any();
    v.read = true;
    return v.name;
  }
  std::string source_or_immediate() {
    if (type_->factor.empty() || pick(20) != 0) return source();
    return std::string(pick(2) == 0 ? type_->factor : type_->term);
  }

  void instruction() {
    static constexpr std::string_view opcodes[] = {"mul", "mul", "mul", "mul", "mul", "mul", "mul", "mul",
                                                   "add", "add", "add", "add", "add", "add", "sub", "sub",
                                                   "sub", "sub", "neg", "mov", "fma", "max"};
    const std::string_view opcode = opcodes[pick(std::size(opcodes))];
    const std::string_view flush =
        style_ == "ftz" || (style_ == "mixed" && type_->name == "f32" && pick(3) == 0) ? ".ftz" : "";
    const std::string_view rounding = style_ == "mixed" && flush.empty() && pick(3) == 0 ? ".rn" : "";
    const std::string guard = predicates_ && pick(7) == 0 ? (pick(2) == 0 ? "@%k " : "@!%k ") : "";
    const std::string first = source();
    std::string operands = first;
    if (opcode == "fma") operands += ", " + source();
    if (opcode == "fma" || opcode == "max") operands += ", " + source();
    if (opcode == "mul" || opcode == "add" || opcode == "sub") operands += ", " + source_or_immediate();
    std::string operation = fmt::format("{}{}{}.{}", opcode,
                                        opcode == "fma"                      ? ".rn"
                                        : opcode == "neg" || opcode == "max" ? ""
                                                                             : rounding,
                                        flush, type_->name);
    if (opcode == "mov") operation = fmt::format("mov.b{}", type_->bits);
    // A register may be written again if its value has been read, and in part at any time.
    std::string to;
    if (Value& v = any(); !guard.empty() || (v.read && !single_ && pick(2) == 0)) {
      v.read = false;
      to = v.name;
    } else {
      to = fmt::format("%v{}", names_++);
      values_.push_back({to});
    }
    code_ += fmt::format("  {}{} {}, {};\n", guard, operation, to, operands);
  }

  /// The begin of a block that some lanes pass over, or its end.
  void edge() {
    if (open_)
      code_ += fmt::format("L{}:\n", labels_);
    else
      code_ += fmt::format("  @{}%k bra L{};\n", pick(2) == 0 ? "!" : "", ++labels_);
    open_ = !open_;
  }

  std::mt19937_64 random_;
  const FloatType* type_ = nullptr;
  std::string_view style_;
  bool predicates_ = false, blocks_ = false, single_ = false, open_ = false;
  std::vector<Value> values_;
  std::string code_;
  int names_ = 0, labels_ = 0;
};

}  // namespace lanescope::emulator::test
