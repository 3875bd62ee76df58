#pragma once
// Verdicts on the claims of a source by running its probed kernel with element ids as data, for a GPU, which tracks no
// identities. The same claims::Collector judges; only the source of its observations differs.
//
// The answer is never the opposite of the truth. Arrays whose elements steer the kernel keep their contents (slice.h).
// A bit of a probed word is taken for a source bit where it followed that bit through all runs, for a constant where it
// never changed and can only have been moved; anything else is unknown, and a claim over unknown bits is `unchecked`,
// with the reason. "Holds" and "differs" both rest on every bit of every place. Not reported, other than with
// identities: values computed from one element (a float made of a half) are unknown here.

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "kernels/claims/claims.h"
#include "kernels/instrument/records.h"
#include "kernels/ptx/program.h"
#include "kernels/trace/launch.h"
#include "kernels/trace/tags.h"

namespace lanescope::instrument {

/// Runs one launch with these contents, in place. The program to run was given to a Load.
using Run = std::function<Expected<void>(std::vector<trace::Buffer>& buffers)>;
/// Makes a launch ready to run many times. `buffers` have the sizes (the record buffer is the last one).
using Load = std::function<Expected<Run>(const std::string& ptx, const trace::Launch& launch,
                                         const std::vector<trace::Buffer>& buffers)>;

struct IdQuestion {
  const ptx::Module* module = nullptr;  ///< of the probed PTX
  const source::Source* source = nullptr;
  trace::Launch launch;
  std::vector<trace::Buffer> buffers;  ///< as they are before this launch
  std::vector<int> value_bytes;        ///< as for claims::Collector
  std::vector<int> caller_lines_by_pc;
};

struct IdSettings {
  std::uint64_t seed = 1;
  int witnesses = 40;
  /// Bytes of records of one run. Grids whose probes need more are watched in pieces, some blocks at a time.
  std::uint64_t record_bytes = std::uint64_t{4} << 20;
};

struct IdAnswer {
  std::vector<claims::ClaimResult> results;  ///< one per claim of the source
  int runs = 0;                              ///< launches in all
  std::uint64_t records = 0;                 ///< of one run of each piece
  std::vector<std::string>
      kept;  ///< "n keeps its contents (data-dependent control flow): its elements determine a branch (line 12)"
};

/// If the kernel cannot be run or followed, every claim is unchecked with the reason.
IdAnswer judge_by_ids(const IdQuestion& question, const Load& load, const IdSettings& settings = {});

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
