// Elements that several blocks or threads write: different values, or equal ones that were meant for other elements.

#include <fmt/format.h>

#include "profiling/review/findings/rule_set.h"

namespace lanescope::review {
namespace {

std::vector<Evidence::Side> parties(const ReviewInput& input, const LaunchReview& launch, const WriteTable::Conflict& m,
                                    const LaunchReview::Buffer& buffer) {
  const std::uint64_t element = m.byte * 8 / static_cast<std::uint64_t>(buffer.element_bits);
  const auto side = [&](const WriteTable::Side& s) {
    return Evidence::Side{.does = fmt::format("writes element {} of `{}`", element, buffer.name),
                          .line = line_of(input, launch, s.pc),
                          .block = s.block,
                          .warp = s.thread / 32,
                          .lane = s.thread % 32,
                          .has_address = true,
                          .address = m.byte,
                          .buffer = buffer.name};
  };
  return {side(m.before), side(m.now)};
}

Finding at_conflict(const ReviewInput& input, const LaunchReview& launch, int index, const WriteTable::Conflict& m,
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

/// Of several launches, the others may write what this one leaves: " of launch 2".
std::string of_launch(const ReviewInput& input, int index) {
  return input.launches.size() > 1 ? fmt::format(" of launch {}", index + 1) : "";
}

std::string sides(const ReviewInput& input, const LaunchReview& launch, const WriteTable::Conflict& m) {
  const int first = line_of(input, launch, m.before.pc), second = line_of(input, launch, m.now.pc);
  const std::string at = first == second || first <= 0 ? "" : fmt::format(" in line {}", first);
  const std::string then = at.empty() ? "" : fmt::format(" in line {}", second);
  if (m.before.block != m.now.block)
    return fmt::format("block {}{} and by block {}{}", m.before.block, at, m.now.block, then);
  return fmt::format("thread {}{} and by thread {}{} of block {}, with no barrier between", m.before.thread, at,
                     m.now.thread, then, m.now.block);
}

void conflict(const ReviewInput& input, int index, const WriteTable::Summary& s, std::vector<Finding>& out) {
  const LaunchReview& launch = *input.launches[static_cast<std::size_t>(index)].launch;
  const LaunchReview::Buffer& buffer = launch.buffers[static_cast<std::size_t>(s.buffer)];
  const std::uint64_t element = s.conflict->byte * 8 / static_cast<std::uint64_t>(buffer.element_bits);
  const std::uint64_t left = s.elements - s.written;
  const std::string unwritten =
      input.launches.size() > 1 ? fmt::format("launch {} leaves {} of {} unwritten", index + 1, left, s.elements)
                                : fmt::format("{} of {} {} never written", left, s.elements, left == 1 ? "is" : "are");
  Finding f =
      at_conflict(input, launch, index, *s.conflict, buffer,
                  fmt::format("element {} of `{}` is written by {}, with different values; {} different values, and {}",
                              element, buffer.name, sides(input, launch, *s.conflict),
                              counted(s.conflicts, "element gets", "elements get"), unwritten));
  f.evidence.numbers = {{"element", static_cast<double>(element)},
                        {"different values", static_cast<double>(s.conflicts)},
                        {"never written", static_cast<double>(left)}};
  out.push_back(std::move(f));
}

void wrong_offset(const ReviewInput& input, int index, const WriteTable::Summary& s, std::vector<Finding>& out) {
  const LaunchReview& launch = *input.launches[static_cast<std::size_t>(index)].launch;
  const LaunchReview::Buffer& buffer = launch.buffers[static_cast<std::size_t>(s.buffer)];
  Finding f = at_conflict(
      input, launch, index, *s.meeting, buffer,
      fmt::format("{} of {} elements of `{}` {} written by several {}, and {} by none{}, although the launch has one "
                  "store for each element",
                  s.several, s.elements, buffer.name, s.several == 1 ? "is" : "are",
                  s.across_blocks ? "blocks" : "threads", s.elements - s.written, of_launch(input, index)));
  f.evidence.numbers = {{"written by several", static_cast<double>(s.several)},
                        {"never written", static_cast<double>(s.elements - s.written)},
                        {"elements", static_cast<double>(s.elements)}};
  out.push_back(std::move(f));
}

void overlapping_parts(const ReviewInput& input, int index, const WriteTable::Summary& s, std::vector<Finding>& out) {
  const LaunchReview& launch = *input.launches[static_cast<std::size_t>(index)].launch;
  const LaunchReview::Buffer& buffer = launch.buffers[static_cast<std::size_t>(s.buffer)];
  Finding f = at_conflict(
      input, launch, index, *s.meeting, buffer,
      fmt::format("each thread writes {} elements of `{}` in a row, and those of the next thread begin {} further: {} "
                  "written by several threads, and {} of {} by none{}",
                  s.part, buffer.name, counted(s.apart, "element", "elements"),
                  counted(s.several, "element is", "elements are"), s.elements - s.written, s.elements,
                  of_launch(input, index)));
  f.remedy = fmt::format("offset each thread by the {} elements that it writes", s.part);
  f.evidence.numbers = {{"elements of a thread", static_cast<double>(s.part)},
                        {"elements between threads", static_cast<double>(s.apart)},
                        {"written by several", static_cast<double>(s.several)}};
  out.push_back(std::move(f));
}

void repeated_work(const ReviewInput& input, int index, const WriteTable::Summary& s, std::vector<Finding>& out) {
  const LaunchReview& launch = *input.launches[static_cast<std::size_t>(index)].launch;
  const LaunchReview::Buffer& buffer = launch.buffers[static_cast<std::size_t>(s.buffer)];
  Finding f =
      at_conflict(input, launch, index, *s.meeting, buffer,
                  fmt::format("{} of {} written elements of `{}` are written by several blocks, with equal values; "
                              "{} stores where {} would do",
                              s.several, s.written, buffer.name, s.block_stores, s.written));
  f.severity = Severity::warning;
  f.remedy = "give each block elements of its own: in a loop over a grid, the step is gridDim.x * blockDim.x";
  f.evidence.numbers = {{"written by several", static_cast<double>(s.several)},
                        {"stores", static_cast<double>(s.block_stores)},
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
        f.evidence.launch = i;
        out.push_back(std::move(f));
      } else if (s.part > 1 && !s.may_be_meant && s.meeting) {
        overlapping_parts(input, i, s, out);
      } else if (s.conflict && ran.seen->races().loses_updates(s.buffer)) {
        continue;  // no offset is wrong; the rules on races say what is, and that an atomic helps
      } else if (s.conflict) {
        conflict(input, i, s, out);
      } else if (s.wrong_offset()) {
        wrong_offset(input, i, s, out);
      } else if (s.repeats_work()) {
        repeated_work(input, i, s, out);
      }
    }
  }
}

}  // namespace lanescope::review
