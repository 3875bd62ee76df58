#pragma once
// Registers and shared memory of a recorded block as cells: value, element, what changed.

#include <cstdint>
#include <map>
#include <optional>
#include <tuple>

#include "app/engine/summary/families.h"
#include "kernels/trace/trace.h"
#include "results/moment.h"

namespace lanescope::engine {

/// Sets of elements that cells depend on, each once.
class ElementSets {
 public:
  explicit ElementSets(const trace::TagPool& tags) : tags_(tags) {}
  /// Of bits [first, first + bits) of a word.
  std::int32_t of(trace::WordTag tag, int first, int bits);
  std::vector<results::ElementSet> take() { return std::move(sets_); }

 private:
  const trace::TagPool& tags_;
  std::map<std::tuple<trace::WordTag, int, int>, std::int32_t> known_;
  std::vector<results::ElementSet> sets_;
};

struct GridQuestion {
  std::int64_t step = -1;
  std::uint32_t block = 0;
  int first_warp = 0, warp_count = 16;
  std::optional<int> element_bits;  ///< as in another grid of the same family; nullopt: of the elements that are found
  ElementSets* sets = nullptr;      ///< where cells that depend on several elements enter these; nullptr: nowhere
};

/// `family_number` is only carried along.
results::RegisterGrid register_grid(const trace::Trace& trace, const Family& family, int family_number,
                                    const source::Source& source, const GridQuestion& question);

/// Bits [first, first + bits) of a word that has a value; bits is 1 to 32.
results::Cell word_cell(const trace::TagPool& tags, std::uint32_t value, trace::WordTag tag, int first, int bits,
                        ElementSets* sets = nullptr);
/// Two words as one value of 64 bits: one element only where both are of the same one.
results::Cell wide_word_cell(const trace::TagPool& tags, std::uint32_t low, trace::WordTag low_tag, std::uint32_t high,
                             trace::WordTag high_tag, ElementSets* sets = nullptr);

/// One cell per word of shared memory: the element in its lowest bits.
std::vector<results::Cell> shared_cells(const trace::Trace& trace, const std::vector<trace::SharedByte>& words,
                                        ElementSets* sets = nullptr);

}  // namespace lanescope::engine
