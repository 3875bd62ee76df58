#include "kernels/convert/states.h"

#include <algorithm>
#include <bit>
#include <variant>

#include "kernels/convert/bits.h"
#include "kernels/layout/infer.h"

namespace lanescope::convert {
namespace {

/// Registers of the source in which every bit of an element is bit `pass` of its place.
std::vector<Register> labelled(const PlaceMap& map, int pass) {
  std::vector<Register> out(std::size_t{1} << map.registers);
  const std::uint32_t ones = map.element_bits >= 32 ? ~0U : (1U << map.element_bits) - 1;
  for (std::uint64_t place = 0; place < bit(map.local() + lane_bits); ++place) {
    if ((place >> pass & 1) == 0) continue;
    const std::uint64_t slot = place & (bit(map.slots) - 1), reg = place >> map.slots & (bit(map.registers) - 1);
    out[reg][place >> map.local()] |= ones << (slot * static_cast<std::uint64_t>(std::min(map.element_bits, 32)) & 31);
  }
  return out;
}

}  // namespace

std::vector<std::optional<layout::Assignment>> states_of(const WordProgram& program, const PlaceMap& map) {
  std::vector<std::optional<layout::Assignment>> out(program.stages.size());
  if (map.word_bits > 0) return out;
  std::vector<std::vector<Register>> passes;
  for (int pass = 0; pass < map.local() + lane_bits; ++pass) passes.push_back(execute(program, labelled(map, pass)));
  for (std::size_t n = 0; n < program.stages.size(); ++n) {
    const std::vector<Value>& words = program.stages[n].words;
    if (words.empty() || !std::has_single_bit(words.size()) || std::ranges::find(words, nothing) != words.end())
      continue;
    layout::Question question{.shape = {}, .names = map.names, .observations = {}};
    question.shape.bits = {map.slots, std::countr_zero(words.size()), lane_bits, 0, 0};
    std::vector<layout::Observation> seen;
    for (std::uint64_t place = 0; place < bit(question.shape.total()); ++place) {
      const std::uint64_t slot = place & (bit(map.slots) - 1);
      const Value v = words[place >> map.slots & (words.size() - 1)];
      const std::uint64_t lane = place >> (question.shape.total() - lane_bits);
      std::uint64_t from = 0;
      for (int pass = 0; pass < static_cast<int>(passes.size()); ++pass) {
        const std::uint32_t word = passes[index(pass)][index(v)][lane];
        if ((word >> (slot * static_cast<std::uint64_t>(std::min(map.element_bits, 32)) & 31) & 1) != 0)
          from |= bit(pass);
      }
      seen.push_back({place, map.element_at(from)});
    }
    question.observations = seen;
    const auto answer = layout::infer(question);
    if (const auto* found = std::get_if<layout::Inference>(&answer)) out[n] = found->assignment;
  }
  return out;
}

}  // namespace lanescope::convert
