#include "app/engine/movement/movement_rows.h"

#include <algorithm>

#include "kernels/base/set_bits.h"

namespace lanescope::engine {
namespace {

constexpr int row_bits = 1024;

/// Grain of a memory row whose elements have so many bits: parts of a byte and 128-bit ones travel in words.
int grain(int element_bits) {
  return element_bits == 8 || element_bits == 16 || element_bits == 64 ? element_bits : 32;
}

}  // namespace

using results::Cell;
using results::MovementRow;

MovementRows::MovementRows(const RunState& state, const MovementSpan& span)
    : s_(state), t_(state.recorded()->trace), block_(state.request.record_block), span_(span), sets_(t_.tags) {
  if (t_.shared_bytes > 0)
    shared_before_ = t_.shared_at(span_.from, block_), shared_after_ = t_.shared_at(span_.to, block_);
  choose_grains();
}

void MovementRows::choose_grains() {
  for (std::size_t i = t_.accesses.count_until(span_.from); i < t_.accesses.count_until(span_.to); ++i) {
    if (t_.steps[t_.accesses.step(i)].warp != span_.warp) continue;
    const trace::AccessRecord r = t_.accesses[i];
    if (r.space == trace::MemorySpace::global) touches_memory_ = true;
    if (r.space != trace::MemorySpace::shared) continue;
    touches_memory_ = true;
    int bits = r.width_bytes < 4 ? r.width_bytes * 8 : 32;
    for (const std::size_t lane : set_bits(r.mask)) {
      if (lane >= r.tags.size() || r.tags[lane] == trace::no_data) continue;
      const auto sources = t_.tags.sources(r.tags[lane], 0, 32);
      if (sources.empty()) continue;
      bits = grain(t_.tags.space.buffers[static_cast<std::size_t>(sources.front().first)].element_bits);
      break;
    }
    shared_bits_ = shared_bits_ == 0 ? bits : std::min(shared_bits_, bits);
  }
  if (shared_bits_ == 0) shared_bits_ = 32;
}

const std::pair<results::RegisterGrid, results::RegisterGrid>& MovementRows::grids(int number) {
  const auto found = grids_.find(number);
  if (found != grids_.end()) return found->second;
  GridQuestion question{.step = span_.to, .block = block_, .first_warp = static_cast<int>(span_.warp), .warp_count = 1};
  question.sets = &sets_;
  const Family& f = family(number);
  auto after = register_grid(t_, f, number, *s_.prepared.source, question);
  // Data that came to memory or from there moves in words where an element is a part of a byte.
  if (after.element_bits < 8 && touches_memory_) {
    question.element_bits = 32;
    after = register_grid(t_, f, number, *s_.prepared.source, question);
  }
  question.step = span_.from;
  question.element_bits = after.element_bits;
  auto before = register_grid(t_, f, number, *s_.prepared.source, question);
  return grids_.emplace(number, std::pair(std::move(before), std::move(after))).first->second;
}

int MovementRows::row(const std::tuple<Region, int, std::uint64_t, int>& key, MovementRow&& made) {
  const auto [found, fresh] = row_numbers_.try_emplace(key, static_cast<int>(rows_.size()));
  if (fresh) rows_.push_back(std::move(made));
  return found->second;
}

int MovementRows::register_row(int number, int reg, int part) {
  const auto key = std::tuple(Region::registers, number, static_cast<std::uint64_t>(reg), part);
  if (const auto found = row_numbers_.find(key); found != row_numbers_.end()) return found->second;
  const auto& [before, after] = grids(number);
  MovementRow r{.region = Region::registers,
                .family = number,
                .reg = reg,
                .part = part,
                .parts = after.parts,
                .cell_bits = after.element_bits};
  for (int lane = 0; lane < trace::lanes_per_warp; ++lane) {
    r.before.push_back(before.at(0, reg, part, lane));
    r.after.push_back(after.at(0, reg, part, lane));
  }
  return row(key, std::move(r));
}

int MovementRows::memory_bits(int buffer) const {
  return buffer < 0 ? shared_bits_ : grain(t_.buffers[static_cast<std::size_t>(buffer)].element_bits);
}

int MovementRows::memory_row(int buffer, std::uint64_t line) {
  MovementRow r{.region = buffer < 0 ? Region::shared : Region::global,
                .buffer = buffer,
                .line = line,
                .cell_bits = memory_bits(buffer)};
  r.before.resize(static_cast<std::size_t>(row_bits / r.cell_bits));
  r.after = r.before;
  return row({r.region, buffer, line, 0}, std::move(r));
}

std::optional<std::pair<int, std::uint64_t>> MovementRows::place_of(const trace::AccessRecord& r,
                                                                    std::uint64_t address) const {
  if (r.space == trace::MemorySpace::shared) return std::pair(-1, address);
  return t_.locate(address);
}

std::optional<Cell> MovementRows::accessed(const trace::AccessRecord& r, int lane, int first, int bits) {
  if (first < 0 || first * 8 + bits > r.width_bytes * 8) return std::nullopt;
  const auto word = [&](int byte) {
    return static_cast<std::size_t>(byte / 4) * trace::lanes_per_warp + static_cast<std::size_t>(lane);
  };
  const auto tag = [&](std::size_t w) { return w < r.tags.size() ? r.tags[w] : trace::no_data; };
  const std::size_t w = word(first);
  if (w >= r.values.size()) return std::nullopt;
  if (bits == 64) {
    const std::size_t high = word(first + 4);
    if (high >= r.values.size()) return std::nullopt;
    return wide_word_cell(t_.tags, r.values[w], tag(w), r.values[high], tag(high), &sets_);
  }
  return word_cell(t_.tags, r.values[w], tag(w), first % 4 * 8, bits, &sets_);
}

const trace::AccessRecord& MovementRows::record(std::size_t index) {
  const auto found = records_.find(index);
  return found != records_.end() ? found->second : records_.emplace(index, t_.accesses[index]).first->second;
}

void MovementRows::put(int number, int column, const Cell& cell, bool writes, std::size_t record) {
  MovementRow& r = rows_[static_cast<std::size_t>(number)];
  const auto c = static_cast<std::size_t>(column);
  if (c >= r.before.size()) return;
  const auto stored = stored_at_.find({number, column});
  if (writes) {
    r.after[c] = cell;
    if (stored == stored_at_.end()) stored_at_[{number, column}] = record;
  } else if (stored == stored_at_.end() || record < stored->second) {
    if (!r.before[c].defined) r.before[c] = cell;
    if (!r.after[c].defined) r.after[c] = cell;
  }
}

void MovementRows::fill_memory() {
  for (MovementRow& r : rows_) {
    if (r.region != Region::shared) continue;
    const auto columns = r.before.size();
    for (std::size_t c = 0; c < columns; ++c) {
      const std::size_t byte = static_cast<std::size_t>(r.line) * 128 + c * static_cast<std::size_t>(r.cell_bits) / 8;
      r.before[c] = shared_cell(shared_before_, byte, r.cell_bits);
      r.after[c] = shared_cell(shared_after_, byte, r.cell_bits);
    }
  }
}

Cell MovementRows::shared_cell(const std::vector<trace::SharedByte>& words, std::size_t byte, int bits) {
  const std::size_t w = byte / 4;
  if (w >= words.size() || !words[w].written) return {};
  if (bits < 64) return word_cell(t_.tags, words[w].value, words[w].tag, static_cast<int>(byte % 4 * 8), bits, &sets_);
  if (w + 1 >= words.size() || !words[w + 1].written) return {};
  return wide_word_cell(t_.tags, words[w].value, words[w].tag, words[w + 1].value, words[w + 1].tag, &sets_);
}

}  // namespace lanescope::engine
