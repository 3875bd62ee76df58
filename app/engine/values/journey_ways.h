#pragma once
// The way of an element from one place to the next: the instructions between, found by following the value that arrived backwards
// to the nearest place before. Moves are followed, through shared memory fragments and atomics too. Where a value becomes part of
// a computed one, the way says of what; a matrix product is one such step, from any of the registers that can be part of it.

#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "app/engine/values/origins.h"
#include "kernels/trace/tags.h"
#include "results/journey.h"

namespace lanescope::engine {

// Which of a few elements a word holds, by its identity. Asked of every word of a trace, so that the common answer, none,
// costs a comparison, and any other is worked out once.

/// A word holds an element, or a value that depends on it.
struct Hold {
  int pin = 0;                   ///< which of the elements
  int first_bit = 0, bits = 32;  ///< where in the word
  bool exact = true, partial = false;
  std::uint32_t count = 1;  ///< elements that the value depends on
};

class ElementHolds {
 public:
  /// Of elements with more than 32 bits the first word stands for all. At most 64 elements.
  ElementHolds(const trace::TagPool& tags, const std::vector<Element>& elements);
  /// The buffers of these elements have identities.
  bool followed(int pin) const { return pins_[static_cast<std::size_t>(pin)].traced; }
  int bits(int pin) const { return pins_[static_cast<std::size_t>(pin)].bits; }

  const std::vector<Hold>& of(trace::WordTag tag) {
    if (tag == trace::no_data) return none_;
    if (trace::TagPool::is_source_word(tag) && !is_pinned_word(tag & 0x7fffffffu)) return none_;
    return known(tag);
  }

 private:
  struct Pin {
    Element element;
    int bits = 32;
    bool traced = false;
    std::uint64_t first_bit = 0;  ///< of its source bits; at most 32 of them count
  };
  bool is_pinned_word(std::uint32_t word) const {
    for (const std::uint32_t w : words_)
      if (w == word) return true;
    return false;
  }
  const std::vector<Hold>& known(trace::WordTag tag);
  std::uint64_t pins_of_bit(trace::BitTag bit);
  std::uint64_t pins_of_set(std::uint32_t set);
  std::uint64_t pins_of_source_bit(std::uint64_t bit) const;

  const trace::TagPool& tags_;
  std::vector<Pin> pins_;
  std::vector<std::uint32_t> words_;  ///< source words that have a bit of one
  std::vector<Hold> none_;
  std::unordered_map<trace::WordTag, std::vector<Hold>> known_;
  std::unordered_map<std::uint32_t, std::uint64_t> sets_;  ///< dependency sets: which pins are in them, by bit
  std::unordered_map<std::uint32_t, std::uint64_t> parities_;
};

class JourneyWays {
 public:
  /// `journeys` by pin: their stations.
  JourneyWays(Origins& origins, const ElementHolds& holds, const std::vector<results::Journey>& journeys);

  /// A station shows this value.
  void remember(int pin, const Origins::Edge& value, std::int32_t station);
  /// A lane reads what a station holds. `bit`: of the lane's access, where the element begins. False: there are too many.
  bool load(int pin, std::int64_t step, std::uint32_t warp, int lane, std::int32_t station, int bit);
  /// The station that a lane read in a step; -1: none.
  std::int32_t loaded_in(int pin, std::int64_t step, int lane) const;
  /// Sets `s.from` and `s.hops`: the nearest earlier place on the way of the value to (step, lane).
  void connect(int pin, const Origins::Edge& value, std::int64_t step, std::uint32_t warp, int lane,
               results::Station& s);

  static constexpr std::size_t most_loads = 65'536;  ///< of one journey

 private:
  struct Visit {
    std::int32_t node = -1;
    std::int32_t parent = -1;  ///< into the visits: whose operand it is
    int lane = -1;
  };
  struct Loaded {
    std::int32_t station = -1;
    int bit = 0;  ///< of the lane's access
  };
  struct NewestLoad {
    std::int64_t step = -1;
    int lane = 0;
    std::int32_t station = -1;
  };
  struct Pin {
    std::unordered_map<std::uint64_t, std::vector<Loaded>> loads;  ///< by step and lane
    std::size_t load_count = 0;
    std::unordered_map<std::int32_t, std::int32_t> nodes;  ///< node of `origins_` to station
  };

  int line_of(std::int64_t step) const;
  std::string text_of(std::int64_t step) const;
  results::Hop hop_of(const Origins::Node& node, int from_lane, bool exact) const;
  bool take_load(int pin, const Origins::Node& node, const InstructionFacts& f, bool is_end, results::Station& s);
  void take_hops(const std::vector<Visit>& visits, std::int32_t first, int from_lane, results::Station& s);
  void guess(int pin, const Origins::Edge& value, std::int64_t step, std::uint32_t warp, int lane, results::Station& s);

  Origins& origins_;
  const trace::Trace& trace_;
  const ElementHolds& holds_;
  const std::vector<results::Journey>& journeys_;
  std::vector<Pin> pins_;
  std::map<std::pair<int, std::uint32_t>, NewestLoad> newest_load_;  ///< by pin and warp
};

}  // namespace lanescope::engine
