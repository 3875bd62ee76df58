#pragma once
// Input of the rules, and the phrases that they share.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/claims/claims.h"
#include "kernels/source/source.h"
#include "profiling/races/grid_races.h"
#include "profiling/review/findings/finding.h"
#include "profiling/review/observe/buffer_uses.h"
#include "profiling/review/observe/collector.h"
#include "profiling/review/observe/launch_review.h"
#include "profiling/review/observe/second_look.h"

namespace lanescope::review {

/// Output of the assembler about one kernel, per thread.
struct Resources {
  std::string entry;  ///< mangled
  int registers = 0, spill_bytes = 0;
};

struct ReviewInput {
  const source::Source* source = nullptr;
  std::span<const claims::ClaimResult> claims;  ///< by index in Source::claims; may be empty: not judged
  struct Ran {
    const LaunchReview* launch = nullptr;
    const AccessCollector* seen = nullptr;
    const SecondLook* again = nullptr;  ///< nullptr: the first run left no question
  };
  std::vector<Ran> launches;
  /// A launch of the host and the grids that it leads to, which are the launches from `first` on.
  struct Tree {
    std::size_t first = 0;
    const races::GridRaces* races = nullptr;
  };
  std::vector<Tree> trees{};
  /// By launch, as far as they ran; empty where streams leave no order open.
  std::span<const LaunchUses> uses{};
  std::span<const LeftUnwritten> left{};  ///< after the last launch
  /// Allocations that are never freed, if the program ran to its end; allocations of the device heap as LaunchReview
  /// has them.
  std::vector<LaunchReview::Allocation> left_in_heap{};
  std::vector<Resources> resources;  ///< of every kernel of the file; empty: not known
  std::string arch;
  /// Least share of a launch's warp instructions that a branch must leave without some of their lanes.
  double divergence_share = 0.10;
};

/// A strong write is an atomic.
access::Verb verb_of(races::Touch touch);
/// Place and instruction of a step; `addresses` as the machine has them, turned into offsets from `buffer`'s start.
Evidence evidence_of(const LaunchReview& launch, int index, const trace::Where& where);
void show_access(Evidence& evidence, const LaunchReview& launch, const AccessTotals& totals);

/// Of the launch: the allocation of the device heap that begins last at or before a byte of it; nullptr: none does.
const LaunchReview::Allocation* allocation_at(const LaunchReview& launch, std::uint64_t byte);
/// "element 5 of `q`", "byte 4 of an allocation of line 12". `byte`: from the start of the buffer.
std::string place_words(const LaunchReview& launch, int buffer, std::uint64_t byte);

/// "; at least 16 such pairs of accesses in 2 launches": a number that is a lower bound, and is left out if it is 1.
std::string at_least(std::uint64_t times, std::string_view many, int launches);

/// The line of the kernel's head, 0 when the source does not have it. `kernel` may be an instance: "copy<float4>".
const source::Function* kernel_of(const source::Source& source, std::string_view kernel);
/// A site's line, inside an inlined function of the user's the line there, where the compiler names none that of the
/// code before it, of a function of its library that of the first call; the kernel's own where none of these is known.
int line_of(const ReviewInput& input, const LaunchReview& launch, std::uint32_t pc);
/// "in line 12"; "in a function that lines 12 and 20 call" where one of the compiler's library is called from several.
std::string in_lines(const ReviewInput& input, const LaunchReview& launch, std::uint32_t pc);

}  // namespace lanescope::review
