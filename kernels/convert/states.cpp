#include "kernels/convert/states.h"

#include <algorithm>
#include <array>
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

constexpr std::array beyond_the_lanes = {layout::Place::warp, layout::Place::block};

/// Whether what numbers warps and blocks says nothing about simd, register and thread bits.
bool warps_stand_alone(const layout::Assignment& from) {
  std::vector<std::string> here;
  for (const layout::Place place : {layout::Place::simd, layout::Place::reg, layout::Place::thread}) {
    for (const layout::Term& t : from.row(place).value_or(std::vector<layout::Term>{}))
      here.insert(here.end(), t.names.begin(), t.names.end());
  }
  return std::ranges::all_of(beyond_the_lanes, [&](layout::Place place) {
    const auto& row = from.row(place);
    return !row || std::ranges::all_of(*row, [&](const layout::Term& t) {
      return std::ranges::none_of(t.names,
                                  [&](const std::string& n) { return std::ranges::find(here, n) != here.end(); });
    });
  });
}

}  // namespace

std::vector<std::optional<layout::Assignment>> states_of(const WordProgram& program, const PlaceMap& map,
                                                         const layout::Assignment& from) {
  std::vector<std::optional<layout::Assignment>> out(program.stages.size());
  if (map.word_bits > 0 || !warps_stand_alone(from)) return out;
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
      std::uint64_t source = 0;
      for (int pass = 0; pass < static_cast<int>(passes.size()); ++pass) {
        const std::uint32_t word = passes[index(pass)][index(v)][lane];
        if ((word >> (slot * static_cast<std::uint64_t>(std::min(map.element_bits, 32)) & 31) & 1) != 0)
          source |= bit(pass);
      }
      seen.push_back({place, map.element_at(source)});
    }
    question.observations = seen;
    const auto answer = layout::infer(question);
    const auto* found = std::get_if<layout::Inference>(&answer);
    if (found == nullptr) continue;
    out[n] = found->assignment;
    for (const layout::Place place : beyond_the_lanes) out[n]->row(place) = from.row(place);
  }
  return out;
}

}  // namespace lanescope::convert
