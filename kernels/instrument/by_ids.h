#pragma once
// Verdicts on the claims of a source by running its probed kernel with element ids as data, for a GPU, which tracks no
// identities. The same claims::Collector judges; only the source of its observations differs.
//
// The answer is never the opposite of the truth. Arrays whose elements steer the kernel keep their contents (slice.h).
// A bit of a probed word is taken for a source bit where it followed that bit through all runs, for a constant where it
// never changed and can only have been moved; anything else is unknown, and a claim over unknown bits is `unchecked`,
// with the reason. "Holds" and "differs" both rest on every bit of every place. Not reported, other than with
// identities: values computed from one element (a float made of a half) are unknown here.

#include <functional>
#include <string>
#include <vector>

#include "kernels/claims/claims.h"
#include "kernels/instrument/records.h"
#include "kernels/ptx/program.h"

namespace lanescope::instrument {

/// Runs one launch with these contents, in place. What it runs was given to a Load.
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

}  // namespace lanescope::instrument
