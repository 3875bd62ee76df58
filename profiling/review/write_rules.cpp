// Elements that several blocks or threads write: different values, or equal ones that were meant for other elements.

#include <fmt/format.h>

#include "profiling/review/rule_sets.h"

namespace lanescope::review {
namespace {

/// Where the earlier store was is not kept, only whose it was.
std::vector<Evidence::Side> parties(const ReviewInput& input, const LaunchReview& launch, const WriteTable::Meeting& m,
                                    const LaunchReview::Buffer& buffer) {
  const std::uint64_t element = m.byte * 8 / static_cast<std::uint64_t>(buffer.element_bits);
  const auto side = [&](const WriteTable::Side& s, int line) {
    return Evidence::Side{.does = fmt::format("writes element {} of `{}`", element, buffer.name),
                          .line = line,
                          .block = s.block,
                          .warp = s.thread / 32,
                          .lane = s.thread % 32};
  };
  return {side(m.before, 0), side(m.now, line_of(input, launch, m.where.pc))};
}

Finding at_meeting(const ReviewInput& input, const LaunchReview& launch, int index, const WriteTable::Meeting& m,
                   const LaunchReview::Buffer& buffer, std::string message) {
  const std::uint32_t pc = m.where.pc;
  Finding f = finding("write-overlap", line_of(input, launch, pc), pc < launch.code.size() ? launch.code[pc].column : 0,
                      std::move(message));
  f.evidence = evidence_of(launch, index, m.where);
  f.evidence.width_bytes = m.width_bytes;
  f.evidence.buffer = buffer.name;
  for (std::size_t l = 0; l < 32; ++l)
    if ((m.where.active >> l & 1) != 0) f.evidence.addresses[l] = m.addresses[l] - buffer.address;
  f.evidence.sides = parties(input, launch, m, buffer);
  return f;
}

std::string sides(const WriteTable::Meeting& m) {
  if (m.before.block != m.now.block) return fmt::format("block {} and by block {}", m.before.block, m.now.block);
  return fmt::format("thread {} and by thread {} of block {}, with no barrier between", m.before.thread, m.now.thread,
                     m.now.block);
}

void conflict(const ReviewInput& input, int index, const WriteTable::Summary& s, std::vector<Finding>& out) {
  const LaunchReview& launch = *input.launches[static_cast<std::size_t>(index)].launch;
  const LaunchReview::Buffer& buffer = launch.buffers[static_cast<std::size_t>(s.buffer)];
  const std::uint64_t element = s.conflict->byte * 8 / static_cast<std::uint64_t>(buffer.element_bits);
  Finding f = at_meeting(
      input, launch, index, *s.conflict, buffer,
      fmt::format("element {} of `{}` is written by {}, with different values; {} so, and {} of {} never written",
                  element, buffer.name, sides(*s.conflict), counted(s.conflicts, "element is", "elements are"),
                  s.elements - s.written, s.elements));
  f.evidence.numbers = {{"element", static_cast<double>(element)},
                        {"different values", static_cast<double>(s.conflicts)},
                        {"never written", static_cast<double>(s.elements - s.written)}};
  out.push_back(std::move(f));
}

void wrong_offset(const ReviewInput& input, int index, const WriteTable::Summary& s, std::vector<Finding>& out) {
  const LaunchReview& launch = *input.launches[static_cast<std::size_t>(index)].launch;
  const LaunchReview::Buffer& buffer = launch.buffers[static_cast<std::size_t>(s.buffer)];
  Finding f = at_meeting(
      input, launch, index, *s.meeting, buffer,
      fmt::format("{} of {} elements of `{}` are written by several {}, and {} by none, although the launch has one "
                  "store for each element",
                  s.several, s.elements, buffer.name, s.across_blocks ? "blocks" : "threads", s.elements - s.written));
  f.evidence.numbers = {{"written by several", static_cast<double>(s.several)},
                        {"never written", static_cast<double>(s.elements - s.written)},
                        {"elements", static_cast<double>(s.elements)}};
  out.push_back(std::move(f));
}

}  // namespace

void write_rules(const ReviewInput& input, std::vector<Finding>& out) {
  for (int i = 0; i < static_cast<int>(input.launches.size()); ++i) {
    const auto& ran = input.launches[static_cast<std::size_t>(i)];
    if (ran.seen == nullptr) continue;
    for (const WriteTable::Summary& s : ran.seen->writes().summaries()) {
      if (s.unwatched) {
        const LaunchReview::Buffer& buffer = ran.launch->buffers[static_cast<std::size_t>(s.buffer)];
        Finding f = finding("write-overlap", line_of(input, *ran.launch, ~0u), 0,
                            fmt::format("writers of the {} MiB of `{}` were not recorded: this needs more than {} MiB",
                                        buffer.bytes >> 20, buffer.name, ran.seen->writes().budget_bytes() >> 20));
        f.severity = Severity::note;
        f.remedy = "review it with a smaller array";
        out.push_back(std::move(f));
      } else if (s.conflict) {
        conflict(input, i, s, out);
      } else if (s.wrong_offset()) {
        wrong_offset(input, i, s, out);
      }
    }
  }
}

}  // namespace lanescope::review
