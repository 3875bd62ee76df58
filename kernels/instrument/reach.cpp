#include "kernels/instrument/slice.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>

namespace lanescope::instrument {
namespace {

using ptx::Instruction;
using ptx::Type;

bool is_integer(Type t) { return (t >= Type::b8 && t <= Type::s64) || t == Type::pred; }

bool integers_only(const Instruction& i) { return std::ranges::all_of(i.types, is_integer); }

enum class Rule : std::uint8_t {
  moves,           ///< all that carry data
  moves_if_clean,  ///< where the operands from `first_control` on carry none
  bitwise,         ///< moved with one operand of data, combined with several
  sum,             ///< combined
  product,         ///< combined where one factor is clean
};
struct OpcodeRule {
  Rule rule = Rule::moves;
  std::size_t first_control = 0;
};

const std::unordered_map<std::string_view, OpcodeRule>& rules() {
  static const std::unordered_map<std::string_view, OpcodeRule> table = {
      {"mov", {}},
      {"cvta", {}},
      {"movmatrix", {}},
      {"brev", {}},
      {"not", {}},
      {"xor", {}},
      {"selp", {}},
      {"cvt", {}},
      {"prmt", {Rule::moves_if_clean, 3}},
      {"shl", {Rule::moves_if_clean, 2}},
      {"shr", {Rule::moves_if_clean, 2}},
      {"shf", {Rule::moves_if_clean, 3}},
      {"bfe", {Rule::moves_if_clean, 2}},
      {"bfi", {Rule::moves_if_clean, 3}},
      {"and", {Rule::bitwise}},
      {"or", {Rule::bitwise}},
      {"lop3", {Rule::bitwise}},
      {"add", {Rule::sum}},
      {"sub", {Rule::sum}},
      {"mul", {Rule::product}},
      {"mad", {Rule::product}},
  };
  return table;
}

}  // namespace

Reach reach_of(const Instruction& i, const std::vector<bool>& carries) {
  const auto known = rules().find(i.opcode);
  if (known == rules().end()) return Reach::computed;
  if (i.opcode != "mov" && i.opcode != "selp" && (!integers_only(i) || i.has("sat") || i.has("cc")))
    return Reach::computed;
  const OpcodeRule& r = known->second;
  const auto count = std::count(carries.begin() + (carries.empty() ? 0 : 1), carries.end(), true);
  switch (r.rule) {
    case Rule::moves:
      return Reach::moved;
    case Rule::moves_if_clean:
      for (std::size_t n = r.first_control; n < carries.size(); ++n)
        if (carries[n]) return Reach::computed;
      return Reach::moved;
    case Rule::bitwise:
      return count <= 1 ? Reach::moved : Reach::combined;
    case Rule::sum:
      return Reach::combined;
    case Rule::product:
      return carries.size() > 2 && carries[1] && carries[2] ? Reach::computed : Reach::combined;
  }
  return Reach::computed;
}

}  // namespace lanescope::instrument
