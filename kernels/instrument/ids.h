#pragma once
// Element ids as data: the contents of the arrays in each of a series of runs, and the derivation of the source bit of
// each register bit from the words that a probe recorded in all runs.
//
// A source bit is numbered as in trace::TagSpace: word * 32 + bit, over all arrays of the launch, N of them. Two
// relabellings of these numbers are written into the arrays, one bit of a label per run, so that elements of 1, 4, 8,
// 16, 32 or 64 bits are distinguished in the same way and the bits inside an element too:
//
//   names      ceil(log2 N) runs. The label is the number with its bits in random order, some of them inverted. Reading
//              one bit of a register across these runs spells a label, and so names one candidate.
//   witnesses  40 runs (by default) of random bits. The candidate must have shown the same bits in all of them.
//
// 1024 floats in two arrays are 65,536 bits: 16 runs name, 40 witness. A bit that is no copy of its candidate agrees
// with all witnesses with probability 2^-40. XORs of source bits give the label of an unrelated bit, which the
// witnesses refute; a constant is the same in all runs; a complement is reported as one.

#include <cstdint>
#include <span>
#include <vector>

#include "kernels/trace/launch.h"
#include "kernels/trace/tags.h"

namespace lanescope::instrument {

class Ids {
 public:
  /// `carries[b]`: buffer b holds ids; the others keep their contents.
  Ids(const trace::TagSpace& space, std::vector<bool> carries, std::uint64_t seed, int witnesses);
  int runs() const { return names_ + witnesses_; }

  /// Contents of the carrying buffers in one run. `buffers` are those of the launch, in order.
  void fill(int run, std::vector<trace::Buffer>& buffers) const;
  /// Word `word` of tag space in one run.
  std::uint32_t content(int run, std::uint32_t word) const;

  /// The origin of a bit of a register.
  enum class Origin : std::uint8_t { constant, source, unknown };
  struct Bit {
    Origin origin = Origin::unknown;
    bool inverted = false;
    std::uint64_t source_bit = 0;
  };
  /// `seen[r]`: the word in run r.
  Bit bit(std::span<const std::uint32_t> seen, int bit) const;
  /// The source word that the register equals bit for bit; false when it is none.
  bool whole_word(std::span<const std::uint32_t> seen, std::uint32_t& word) const;

 private:
  std::uint64_t candidate(std::span<const std::uint32_t> seen, int bit) const;
  bool carried(std::uint64_t source_bit) const;
  bool agrees(std::span<const std::uint32_t> seen, int bit, std::uint64_t source_bit, bool inverted) const;

  trace::TagSpace space_;
  std::vector<bool> carries_;
  std::uint64_t total_words_ = 0;
  int names_ = 0, witnesses_ = 0;
  std::uint64_t seed_ = 0, inverted_ = 0;
  std::vector<int> order_;  ///< bit of the number that run r shows
};

}  // namespace lanescope::instrument
