#include "app/engine/summary/cells.h"

#include <algorithm>

namespace lanescope::engine {
namespace {

using trace::ElementTag;
using trace::WordTag;

/// The buffer that a word's data come from; -1 when it carries none.
int buffer_of(const trace::TagPool& tags, WordTag tag) {
  if (tag == trace::no_data) return -1;
  if (trace::TagPool::is_source_word(tag)) return tags.space.element_of(std::uint64_t{tag & 0x7fffffffu} * 32).first;
  const auto sources = tags.sources(tag, 0, 32);
  return sources.empty() ? -1 : sources.front().first;
}

/// Which element fills bits [first, first + bits) of a word. Whole source words are answered without the pool.
ElementTag element_at(const trace::TagPool& tags, WordTag tag, int first, int bits) {
  if (tag == trace::no_data) return {};
  if (trace::TagPool::is_source_word(tag)) {
    const auto [buffer, element] =
        tags.space.element_of(std::uint64_t{tag & 0x7fffffffu} * 32 + static_cast<unsigned>(first));
    const int own_bits = tags.space.buffers[static_cast<std::size_t>(buffer)].element_bits;
    if (own_bits == bits || own_bits == 64) return {ElementTag::Kind::exact, buffer, element, 1};
  }
  return tags.element(tag, first, bits);
}

void set_element(results::Cell& cell, const ElementTag& tag) {
  cell.kind = static_cast<std::uint8_t>(tag.kind);
  cell.buffer = static_cast<std::int8_t>(tag.buffer);
  cell.element = static_cast<std::uint32_t>(tag.element);
  cell.sources = static_cast<std::uint16_t>(std::min<std::uint32_t>(tag.count, 0xffff));
}

/// Element width where no register holds data yet.
int width_of_type(std::string_view type) {
  if (type.find("half") != std::string_view::npos || type.find("bfloat16") != std::string_view::npos) return 16;
  if (type.find("char4") != std::string_view::npos) return 8;
  return 32;
}

struct Words {
  std::vector<std::vector<trace::WordState>> states;  ///< [word][warp shown]
};

/// Width of the elements that most lanes hold; nullopt when none holds any.
std::optional<int> found_bits(const trace::TagPool& tags, const Words& words) {
  std::map<int, int> votes;
  for (const auto& word : words.states)
    for (const trace::WordState& state : word)
      for (int lane = 0; lane < 32; lane += 5)  // a sample: lanes of a word rarely hold different arrays
        if (state.defined >> lane & 1)
          if (const int buffer = buffer_of(tags, state.tags[static_cast<std::size_t>(lane)]); buffer >= 0)
            ++votes[buffer];
  if (votes.empty()) return std::nullopt;
  const auto most = std::ranges::max_element(votes, {}, [](const auto& v) { return v.second; });
  return tags.space.buffers[static_cast<std::size_t>(most->first)].element_bits;
}

bool is_mixed(const results::Cell& cell) { return cell.kind == static_cast<std::uint8_t>(ElementTag::Kind::mixed); }

results::Cell narrow_cell(const trace::TagPool& tags, const trace::WordState& state, int lane, int part, int bits,
                          ElementSets* sets = nullptr) {
  const auto l = static_cast<std::size_t>(lane);
  if (!(state.defined >> lane & 1)) return {};
  results::Cell cell = word_cell(tags, state.values[l], state.tags[l], part * bits, bits, sets);
  cell.changed = state.changed >> lane & 1;
  return cell;
}

results::Cell wide_cell(const trace::TagPool& tags, const trace::WordState& low, const trace::WordState& high, int lane,
                        ElementSets* sets) {
  const auto l = static_cast<std::size_t>(lane);
  results::Cell cell = wide_word_cell(tags, low.values[l], low.tags[l], high.values[l], high.tags[l], sets);
  cell.defined = (low.defined & high.defined) >> lane & 1;
  cell.changed = (low.changed | high.changed) >> lane & 1;
  return cell;
}

}  // namespace

results::Cell word_cell(const trace::TagPool& tags, std::uint32_t value, trace::WordTag tag, int first, int bits,
                        ElementSets* sets) {
  results::Cell cell{.defined = true};
  const std::uint32_t mask = bits == 32 ? ~0u : (1u << bits) - 1;
  cell.value = value >> first & mask;
  set_element(cell, element_at(tags, tag, first, bits));
  if (sets != nullptr && is_mixed(cell)) cell.set = sets->of(tag, first, bits);
  return cell;
}

results::Cell wide_word_cell(const trace::TagPool& tags, std::uint32_t low, trace::WordTag low_tag, std::uint32_t high,
                             trace::WordTag high_tag, ElementSets* sets) {
  const results::Cell other = word_cell(tags, high, high_tag, 0, 32);
  results::Cell cell = word_cell(tags, low, low_tag, 0, 32);
  const bool same = cell.kind == other.kind && cell.element == other.element && cell.buffer == other.buffer;
  if (!same) {
    cell.kind = static_cast<std::uint8_t>(ElementTag::Kind::mixed);
    cell.sources = static_cast<std::uint16_t>(cell.sources + other.sources);
  } else if (sets != nullptr && is_mixed(cell)) {
    cell.set = sets->of(low_tag, 0, 32);
  }
  return cell;
}

results::RegisterGrid register_grid(const trace::Trace& trace, const Family& family, int family_number,
                                    const source::Source& source, const GridQuestion& question) {
  results::RegisterGrid grid{.family = family_number};
  const int all_warps = static_cast<int>(trace.launch.warps_per_block());
  grid.first_warp = std::clamp(question.first_warp, 0, std::max(all_warps - 1, 0));
  grid.warps = std::clamp(question.warp_count, 0, all_warps - grid.first_warp);

  Words words;
  for (const trace::VariableWord word : family.words) {
    auto all = trace.registers_at(question.step, question.block, word);
    words.states.emplace_back(all.begin() + grid.first_warp, all.begin() + grid.first_warp + grid.warps);
  }
  const std::string_view type =
      family.variables.empty()
          ? ""
          : std::string_view(source.variables[static_cast<std::size_t>(family.variables.front())].type);
  grid.element_bits = question.element_bits
                          ? *question.element_bits
                          : found_bits(trace.tags, words).value_or(family.wide ? 64 : width_of_type(type));
  const bool wide = grid.element_bits == 64 && family.words.size() % 2 == 0;
  if (grid.element_bits == 64 && !wide) grid.element_bits = 32;
  grid.parts = wide ? 1 : 32 / grid.element_bits;
  grid.registers = static_cast<int>(family.words.size()) / (wide ? 2 : 1);

  grid.cells.reserve(static_cast<std::size_t>(grid.warps) * grid.registers * grid.parts * 32);
  for (int warp = 0; warp < grid.warps; ++warp) {
    const auto state = [&](int word) -> const trace::WordState& {
      return words.states[static_cast<std::size_t>(word)][static_cast<std::size_t>(warp)];
    };
    for (int reg = 0; reg < grid.registers; ++reg)
      for (int part = 0; part < grid.parts; ++part)
        for (int lane = 0; lane < 32; ++lane)
          grid.cells.push_back(wide
                                   ? wide_cell(trace.tags, state(2 * reg), state(2 * reg + 1), lane, question.sets)
                                   : narrow_cell(trace.tags, state(reg), lane, part, grid.element_bits, question.sets));
  }
  return grid;
}

std::int32_t ElementSets::of(trace::WordTag tag, int first, int bits) {
  const auto [known, fresh] = known_.try_emplace(std::tuple(tag, first, bits), static_cast<std::int32_t>(sets_.size()));
  if (!fresh) return known->second;
  const auto elements = tags_.sources(tag, first, bits);
  sets_.push_back(results::fold(elements));
  sets_.back().known = !elements.empty();
  return known->second;
}

std::vector<results::Cell> shared_cells(const trace::Trace& trace, const std::vector<trace::SharedByte>& words,
                                        ElementSets* sets) {
  std::vector<results::Cell> cells;
  cells.reserve(words.size());
  for (const trace::SharedByte& word : words) {
    results::Cell& cell = cells.emplace_back();
    cell.defined = word.written;
    cell.value = word.value;
    const int buffer = buffer_of(trace.tags, word.tag);
    if (buffer < 0) continue;
    const int bits = std::min(trace.tags.space.buffers[static_cast<std::size_t>(buffer)].element_bits, 32);
    set_element(cell, element_at(trace.tags, word.tag, 0, bits));
    if (sets != nullptr && is_mixed(cell)) cell.set = sets->of(word.tag, 0, bits);
  }
  return cells;
}

}  // namespace lanescope::engine
