#pragma once
// The long columns of a trace: memory accesses and probes, 10^7 lanes of them and more. Kept packed (24 and 20 bytes a
// record, the rest in a RowPool) and returned expanded, by value. Indexing and iterating read like a vector of records;
// step() and the like answer without expanding.

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "kernels/trace/observer.h"

namespace lanescope::trace {

// Rows of 32 words (one per lane), kept small. Contents of lanes are mostly regular: addresses step by a stride,
// identities follow the bits of the lane number, loaded values are the ones stored a moment ago. A row is reported by
// the shortest form that gives back every active lane exactly; inactive lanes read 0 afterwards.
//
//   form      words   lane l of it
//   zero        0     0
//   same        1     v
//   stepped     2     v + l * d
//   summed      6     v + the sum of d[b] over the bits b of l      (several strides: a tile)
//   exored      6     v ^ the XOR of d[b] over the bits b of l      (a swizzle)
//   listed    1..32   as they are, active lanes only
//
// Rows put together (all words of a vector access) are one block with 4 bits of form for each; a block that equals one
// of the last few thousand is not kept a second time.

class RowPool {
 public:
  /// Most rows of one block.
  static constexpr std::size_t most_rows = 64;

  /// `rows` holds a multiple of 32 words, [row][lane]. The handle is 0 when all of them are zero.
  std::uint32_t put(std::span<const std::uint32_t> rows, std::uint32_t mask);
  /// The same mask and number of rows as they were put with.
  void get(std::uint32_t handle, std::uint32_t mask, std::span<std::uint32_t> rows) const;
  /// No more than 2^32 words fit.
  bool full() const { return chunks_.size() >= most_chunks; }
  std::size_t bytes() const;

 private:
  static constexpr std::uint32_t chunk_words = 1u << 16;
  static constexpr std::size_t most_chunks = (std::size_t{1} << 16) - 1;
  struct Recent {
    std::uint32_t hash = 0, handle = 0, words = 0;
  };
  const std::uint32_t* at(std::uint32_t handle) const {
    return chunks_[handle / chunk_words].get() + handle % chunk_words;
  }
  std::uint32_t keep(std::span<const std::uint32_t> block);

  std::vector<std::unique_ptr<std::uint32_t[]>> chunks_;
  std::uint32_t used_ = chunk_words;  ///< of the last chunk
  std::vector<Recent> recent_;
};

struct AccessRecord {
  std::uint64_t step = 0;  ///< index into Trace::steps
  MemorySpace space = MemorySpace::global;
  AccessKind kind = AccessKind::load;
  int width_bytes = 4;
  bool read_only = false;
  int matrix = 0;  ///< as in AccessEvent, as is `turns`
  AtomicTurns turns = AtomicTurns::lanes;
  std::uint32_t mask = 0;
  std::array<std::uint64_t, lanes_per_warp> addresses{};  ///< 0 in inactive lanes, as are values and tags
  std::vector<std::uint32_t> values;                      ///< [word][lane]
  std::vector<WordTag> tags;                              ///< empty when the run had none
  std::optional<std::array<std::uint64_t, lanes_per_warp>> destinations{};  ///< as in AccessEvent
};

struct ProbeRecord {
  std::uint64_t step = 0;
  int probe = 0, variable = 0, byte_offset = 0;
  std::uint32_t mask = 0;
  std::array<std::uint32_t, lanes_per_warp> values{};  ///< 0 in inactive lanes, as are tags
  std::array<WordTag, lanes_per_warp> tags{};
};

/// Random access over a log; dereferencing expands a record.
template <class Log>
class LogIterator {
 public:
  using value_type = typename Log::value_type;
  using reference = value_type;
  using difference_type = std::ptrdiff_t;
  using iterator_concept = std::random_access_iterator_tag;
  using iterator_category = std::input_iterator_tag;
  LogIterator() = default;
  LogIterator(const Log* log, std::size_t at) : log_(log), at_(static_cast<difference_type>(at)) {}
  value_type operator*() const { return (*log_)[static_cast<std::size_t>(at_)]; }
  value_type operator[](difference_type n) const { return *(*this + n); }
  LogIterator& operator+=(difference_type n) { return at_ += n, *this; }
  LogIterator& operator-=(difference_type n) { return at_ -= n, *this; }
  LogIterator& operator++() { return *this += 1; }
  LogIterator& operator--() { return *this -= 1; }
  LogIterator operator++(int) { return {log_, static_cast<std::size_t>(at_++)}; }
  LogIterator operator--(int) { return {log_, static_cast<std::size_t>(at_--)}; }
  friend LogIterator operator+(LogIterator i, difference_type n) { return i += n; }
  friend LogIterator operator+(difference_type n, LogIterator i) { return i += n; }
  friend LogIterator operator-(LogIterator i, difference_type n) { return i -= n; }
  friend difference_type operator-(const LogIterator& a, const LogIterator& b) { return a.at_ - b.at_; }
  bool operator==(const LogIterator& o) const { return at_ == o.at_; }
  std::strong_ordering operator<=>(const LogIterator& o) const { return at_ <=> o.at_; }

 private:
  const Log* log_ = nullptr;
  difference_type at_ = 0;
};

class AccessLog {
 public:
  using value_type = AccessRecord;
  void append(std::uint64_t step, const AccessEvent& event);
  AccessRecord operator[](std::size_t i) const;
  std::size_t size() const { return records_.size(); }
  bool empty() const { return records_.empty(); }
  bool full() const { return rows_.full(); }
  LogIterator<AccessLog> begin() const { return {this, 0}; }
  LogIterator<AccessLog> end() const { return {this, size()}; }
  // Without expanding.
  std::uint64_t step(std::size_t i) const { return records_[i].step; }
  MemorySpace space(std::size_t i) const { return records_[i].space; }
  AccessKind kind(std::size_t i) const { return records_[i].kind; }
  std::size_t words(std::size_t i) const { return (records_[i].width_bytes + 3u) / 4; }  ///< of a lane
  /// Records of steps up to and including `step`; records are in ascending order of step.
  std::size_t count_until(std::int64_t step) const;
  std::size_t bytes() const;

 private:
  struct Packed {
    std::uint32_t step = 0, mask = 0;
    std::uint32_t addresses = 0, values = 0, tags = 0;  ///< in rows_
    MemorySpace space = MemorySpace::global;
    AccessKind kind = AccessKind::load;
    std::uint8_t width_bytes = 4;
    std::uint8_t read_only : 1 = 0, tagged : 1 = 0, matrix : 3 = 0, turns : 2 = 0, past_l1 : 1 = 0;
  };
  std::array<std::uint64_t, lanes_per_warp> addresses(const Packed& packed) const;
  std::deque<Packed> records_;
  RowPool rows_;
};

class ProbeLog {
 public:
  using value_type = ProbeRecord;
  void append(std::uint64_t step, const ProbeEvent& event);
  ProbeRecord operator[](std::size_t i) const;
  std::size_t size() const { return records_.size(); }
  bool empty() const { return records_.empty(); }
  bool full() const { return rows_.full(); }
  LogIterator<ProbeLog> begin() const { return {this, 0}; }
  LogIterator<ProbeLog> end() const { return {this, size()}; }
  // Without expanding.
  std::uint64_t step(std::size_t i) const { return records_[i].step; }
  std::uint32_t mask(std::size_t i) const { return records_[i].mask; }
  int variable(std::size_t i) const { return sites_[records_[i].site].variable; }
  int byte_offset(std::size_t i) const { return sites_[records_[i].site].byte_offset; }
  std::size_t count_until(std::int64_t step) const;
  std::size_t bytes() const;

 private:
  struct Site {
    int probe = 0, variable = 0, byte_offset = 0;
    auto operator<=>(const Site&) const = default;
  };
  struct Packed {
    std::uint32_t step = 0, mask = 0, site = 0, values = 0, tags = 0;
  };
  std::uint32_t site_of(const Site& site);
  std::deque<Packed> records_;
  std::vector<Site> sites_;
  std::map<Site, std::uint32_t> numbers_;
  RowPool rows_;
};

}  // namespace lanescope::trace
