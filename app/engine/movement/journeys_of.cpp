#include "app/engine/movement/movement.h"

#include <algorithm>

#include <fmt/format.h>

#include "app/engine/prepare/prepare.h"
#include "app/engine/values/journeys.h"

namespace lanescope::engine {
namespace {

using results::Journey;
using results::Journeys;

std::optional<RegisterPlace> place_of(const RunState& state, trace::VariableWord word, int element_bits) {
  for (std::size_t n = 0; n < state.families.size(); ++n) {
    const Family& f = state.families[n];
    const auto at = std::ranges::find(f.words, word);
    if (at == f.words.end()) continue;
    const auto index = static_cast<std::size_t>(at - f.words.begin());
    // As a grid of registers shows it: with elements of 64 bits two words are one register.
    const bool pairs = element_bits == 64 && f.words.size() % 2 == 0;
    const std::size_t named = index / (f.wide ? 2 : 1);
    return RegisterPlace{.family = static_cast<int>(n),
                         .reg = static_cast<int>(index / (pairs ? 2 : 1)),
                         .name = named < f.info.registers.size() ? f.info.registers[named] : f.info.name};
  }
  return std::nullopt;
}

void ask_for_blocks(const RunState& state, Journeys& out) {
  BlocksQuestion question{.launch = static_cast<std::size_t>(state.recorded_launch), .seed = state.request.seed};
  std::vector<std::size_t> asked;
  for (std::size_t i = 0; i < out.all.size(); ++i)
    if (out.all[i].refused.empty() && out.all[i].stations.empty() && !out.all[i].cut) {
      asked.push_back(i);
      question.elements.emplace_back(out.all[i].buffer, out.all[i].element);
    }
  const Program& program = state.prepared.probed;  // it has run in any case
  if (asked.empty() || question.launch >= program.launches.size() || program.launches[question.launch].grid.count() < 2)
    return;
  const AccessingBlocks found = accessing_blocks(program, state.prepared.buffers, question);
  for (std::size_t n = 0; n < asked.size(); ++n) {
    out.all[asked[n]].blocks = found.blocks[n];
    out.all[asked[n]].blocks_known = found.whole || !found.blocks[n].empty();
  }
}

}  // namespace

Journeys journeys_of(const RunState& state, const JourneyRequest& request) {
  if (state.journeys && state.journeys->first == request) return state.journeys->second;
  Journeys out{.block = state.request.record_block};
  const ProbedLaunch* shown = state.recorded();
  JourneyQuestion question;
  question.place = [&state](trace::VariableWord word, int bits) { return place_of(state, word, bits); };
  std::vector<std::size_t> asked;
  for (const auto& [buffer, element] : request.elements) {
    Journey& j = out.all.emplace_back();
    j.buffer = buffer, j.element = element;
    if (shown == nullptr || !state.summary.ok)
      j.refused = "there is no recorded run";
    else if (buffer < 0 || static_cast<std::size_t>(buffer) >= state.summary.buffers.size())
      j.refused = "there is no such buffer";
    else if (const results::BufferInfo& b = state.summary.buffers[static_cast<std::size_t>(buffer)];
             element >= b.elements)
      j.refused = fmt::format("{} has the elements 0 to {}", b.name, b.elements == 0 ? 0 : b.elements - 1);
    else if (question.elements.size() >= results::most_pins)
      j.refused = fmt::format("{} elements are followed at most", results::most_pins);
    else
      asked.push_back(out.all.size() - 1), question.elements.emplace_back(buffer, element);
  }
  if (!asked.empty()) {
    const trace::Trace& t = shown->trace;
    out.first_step = t.first_step;
    Origins origins(t, state.prepared.probed.module, entry_of(state.prepared.probed, t.launch));
    std::vector<Journey> found = journeys(origins, question);
    for (std::size_t n = 0; n < asked.size(); ++n) out.all[asked[n]] = std::move(found[n]);
    ask_for_blocks(state, out);
  }
  state.journeys.emplace(request, out);
  return out;
}

}  // namespace lanescope::engine
