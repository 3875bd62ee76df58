// Loads through the read-only path of memory that the launch itself writes.

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "profiling/review/findings/rule_set.h"

namespace lanescope::review {

void coherence_rules(const ReviewInput& input, std::vector<Finding>& out) {
  for (int i = 0; i < static_cast<int>(input.launches.size()); ++i) {
    const auto& ran = input.launches[static_cast<std::size_t>(i)];
    if (ran.seen == nullptr) continue;
    const LaunchReview& launch = *ran.launch;
    std::map<std::pair<int, int>, std::pair<const IncoherentReads::Found*, std::uint64_t>> lines;  // once for each pair
    for (const auto& [pcs, f] : ran.seen->incoherent().found()) {
      auto& [first, times] = lines[{line_of(input, launch, f.load_pc), line_of(input, launch, f.write_pc)}];
      if (first == nullptr) first = &f;
      times += f.times;
    }
    for (const auto& [at, one] : lines) {
      const auto& [f, times] = one;
      const LaunchReview::Buffer& b = launch.buffers[static_cast<std::size_t>(f->buffer)];
      Finding finding_here = finding(
          "read-only-written", at.first, launch.code[f->load_pc].column,
          fmt::format("this load of `{}` takes the read-only path (ld.global.nc), which need not see what the kernel "
                      "writes, and line {} writes element {}, which it loads; {} such {}",
                      b.name, at.second, f->byte * 8 / static_cast<std::uint64_t>(std::max(b.element_bits, 1)), times,
                      times == 1 ? "piece" : "pieces"));
      finding_here.evidence = evidence_of(launch, i, f->later);
      finding_here.evidence.sides = {{.does = f->load_first ? "writes what was loaded" : "loads what was written",
                                      .line = f->load_first ? at.second : at.first,
                                      .block = f->later.block,
                                      .warp = static_cast<int>(f->later.warp),
                                      .lane = f->lane}};
      out.push_back(std::move(finding_here));
    }
    for (const int buffer : ran.seen->incoherent().not_compared()) {
      Finding note = finding(
          "read-only-written", line_of(input, launch, 0), 0,
          fmt::format("loads of `{}` through the read-only path were not compared with what the kernel writes there: "
                      "the buffer is too large, or its elements have other sizes than the accesses",
                      launch.buffers[static_cast<std::size_t>(buffer)].name));
      note.remedy = "review it with a smaller array";
      note.severity = Severity::note;
      out.push_back(std::move(note));
    }
  }
}

}  // namespace lanescope::review
