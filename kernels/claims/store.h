#pragma once
// The records of a probed run: words with their identities, compressed, found by (probe, block, iteration).
//
// The lanes of a word usually hold whole source words whose numbers differ by an XOR of lane bits (that is what a
// register assignment means), so a word is kept as a base and five columns, 24 bytes instead of 128.

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "kernels/source/source.h"
#include "kernels/trace/observer.h"

namespace lanescope::claims {

using LaneTags = std::array<trace::WordTag, trace::lanes_per_warp>;

/// Lane tags, compressed where they are affine in the lane number.
class TagStore {
 public:
  struct Handle {
    std::uint32_t at = 0;
    bool affine = false;
  };
  Handle add(std::span<const trace::WordTag> lanes);
  LaneTags get(Handle h) const;
  std::size_t bytes() const { return data_.capacity() * sizeof(trace::WordTag); }

 private:
  std::vector<trace::WordTag> data_;
};

/// One word of one variable in one warp, as one probe saw it. Lanes outside `mask` mean nothing.
struct WordRecord {
  std::uint64_t step = 0;
  std::uint64_t writer_step = 0;  ///< of the watch probe after the last write; 0 unknown
  std::uint32_t mask = 0;
  std::uint32_t pc = 0;
  std::uint32_t iteration = 0;
  TagStore::Handle tags;
  std::int32_t writer = -1;  ///< watch probe after the last write of the variable; -1 unknown
  std::uint16_t slot = 0;    ///< which word of the probe, see ProbeWords
  std::uint8_t warp = 0;
};

/// Words that a probe reads, numbered: registers in order, words of each in order.
struct ProbeWords {
  struct Word {
    int variable = 0;
    int byte_offset = 0;
  };
  int probe = -1;
  std::vector<Word> words;
  int slot(int variable, int byte_offset) const;  ///< -1 when the probe does not read it
};

int value_bytes_of(std::span<const int> value_bytes, int variable);  ///< 4 where nothing is known
std::vector<ProbeWords::Word> words_of(std::span<const int> variables, std::span<const int> value_bytes);

/// All words of one probe in one block and iteration.
struct Group {
  int probe = -1;
  std::uint32_t block = 0, iteration = 0;
  std::vector<WordRecord> records;
  TagStore tags;
  std::size_t bytes() const { return records.capacity() * sizeof(WordRecord) + tags.bytes() + sizeof(Group); }
};

/// Everything that any probe saw in one block, in the order of the run.
struct BlockLog {
  struct Entry {
    int probe = 0, variable = 0, byte_offset = 0;
    WordRecord word;
  };
  std::vector<Entry> entries;
  TagStore tags;
};

/// How often each lane of each warp has executed each probe word. Lanes run a probe together or in passes.
class Iterations {
 public:
  struct Part {
    std::uint32_t iteration = 0;
    std::uint32_t mask = 0;
  };
  /// Splits `active` by the number of times each lane was here before, and counts this time.
  std::vector<Part> count(std::size_t counter, std::uint32_t active);

 private:
  struct Counter {
    std::uint32_t seen = 0;    ///< lanes that were here at least once
    std::uint32_t times = 0;   ///< how often each of them, unless `detail`
    std::int32_t detail = -1;  ///< index into details_ once lanes disagree
  };
  std::vector<Counter> counters_;
  std::vector<std::array<std::uint32_t, trace::lanes_per_warp>> details_;
};

}  // namespace lanescope::claims
