// Unwritten elements of an output: the end of an array whose number of blocks was rounded down, and what is
// still uninitialised after the last launch, where the launch header states that or the host code copies it back.
//
// The end of an array. 1000 elements, 7 blocks of 128 threads that write one each, and a parameter n = 1000: elements 0
// to 895 are written, without a gap, by 896 threads; the 104 elements left are fewer than those of a block. With such
// an array and such a parameter the whole of it was meant.

#include <algorithm>
#include <variant>

#include <fmt/format.h>

#include "profiling/review/findings/rule_set.h"

namespace lanescope::review {
namespace {

std::string range_words(std::uint64_t first, std::uint64_t last) {
  return first == last ? fmt::format("element {}", first) : fmt::format("elements {} to {}", first, last);
}

Finding never_written(const ReviewInput& input, int index, const WriteTable::Summary& s, std::string message) {
  const LaunchReview& launch = *input.launches[static_cast<std::size_t>(index)].launch;
  const bool placed = s.last_pc < launch.code.size();
  Finding f = finding("never-written", line_of(input, launch, s.last_pc), placed ? launch.code[s.last_pc].column : 0,
                      std::move(message));
  f.evidence.launch = index;
  f.evidence.buffer = launch.buffers[static_cast<std::size_t>(s.buffer)].name;
  return f;
}

/// The parameter that is as large as the buffer; nullptr: none is, or not both are stated.
const source::ArgumentSpec* length_of(const ReviewInput& input, const LaunchReview& launch,
                                      const WriteTable::Summary& s) {
  if (launch.spec == nullptr || static_cast<std::size_t>(s.buffer) >= input.source->header.buffers.size())
    return nullptr;
  if (input.source->header.buffers[static_cast<std::size_t>(s.buffer)].size_assumed) return nullptr;
  const auto found = std::ranges::find_if(launch.spec->arguments, [&](const source::ArgumentSpec& a) {
    return !a.is_buffer && std::holds_alternative<double>(a.value) &&
           std::get<double>(a.value) == static_cast<double>(s.elements);
  });
  return found == launch.spec->arguments.end() ? nullptr : &*found;
}

/// Another launch stores to the buffer beyond what this one has written from its start on.
bool others_write_more(const ReviewInput& input, int index, const WriteTable::Summary& s) {
  for (std::size_t i = 0; i < input.launches.size(); ++i) {
    if (i == static_cast<std::size_t>(index) || input.launches[i].seen == nullptr) continue;
    for (const WriteTable::Summary& other : input.launches[i].seen->writes().summaries())
      if (other.buffer == s.buffer &&
          (other.unwatched || other.whole_from_start != other.written || other.written > s.written))
        return true;
  }
  return false;
}

void tail(const ReviewInput& input, int index, const WriteTable::Summary& s, std::vector<Finding>& out) {
  const LaunchReview& launch = *input.launches[static_cast<std::size_t>(index)].launch;
  const std::uint64_t blocks = launch.launch.grid.count(), threads = blocks * launch.launch.block.count();
  const std::uint64_t left = s.elements - s.written;
  if (left == 0 || s.whole_from_start != s.written || s.index_loaded) return;
  if (blocks < 2 || s.written % threads != 0 || left >= s.written / blocks) return;
  const source::ArgumentSpec* length = length_of(input, launch, s);
  if (length == nullptr || others_write_more(input, index, s)) return;
  Finding f = never_written(
      input, index, s,
      fmt::format("{} of `{}` {} written by no thread: the launch has {} threads in {} blocks, and `{}` is {}",
                  range_words(s.written, s.elements - 1), launch.buffers[static_cast<std::size_t>(s.buffer)].name,
                  left == 1 ? "is" : "are", threads, blocks, length->parameter, s.elements));
  f.evidence.numbers = {{"never written", static_cast<double>(left)}, {"elements", static_cast<double>(s.elements)}};
  out.push_back(std::move(f));
}

/// The last launch that stores to the buffer; false: none does, or only by atomics.
bool writer_of(const ReviewInput& input, int buffer, int& index, const WriteTable::Summary*& summary) {
  for (index = static_cast<int>(input.launches.size()) - 1; index >= 0; --index) {
    const AccessCollector* seen = input.launches[static_cast<std::size_t>(index)].seen;
    if (seen == nullptr) continue;
    for (const WriteTable::Summary& s : seen->writes().summaries())
      if (s.buffer == buffer && s.written > 0) return summary = &s, true;
  }
  return false;
}

void left(const ReviewInput& input, const LeftUnwritten& l, std::vector<Finding>& out) {
  int index = 0;
  const WriteTable::Summary* s = nullptr;
  if (!writer_of(input, l.buffer, index, s)) return;
  const LaunchReview& launch = *input.launches[static_cast<std::size_t>(index)].launch;
  const std::string which = l.last - l.first + 1 == l.unwritten
                                ? range_words(l.first, l.last)
                                : fmt::format("{} of {} elements ({} is the first)", l.unwritten, l.elements, l.first);
  const std::string why = l.copied == nullptr ? "which is uninitialised before"
                                              : fmt::format("copied to the host in line {}{}", l.copied->line,
                                                            l.copied->file.empty() ? "" : " of " + l.copied->file);
  Finding f = never_written(
      input, index, *s,
      fmt::format("{} of `{}`, {}, {} written by no thread", which,
                  launch.buffers[static_cast<std::size_t>(l.buffer)].name, why, l.unwritten == 1 ? "is" : "are"));
  // An output that is compacted, or of which only the first elements count, is larger than its written part.
  if (s->index_loaded || l.unwritten * 2 > l.elements) f.severity = Severity::note;
  f.evidence.numbers = {{"never written", static_cast<double>(l.unwritten)},
                        {"elements", static_cast<double>(l.elements)}};
  out.push_back(std::move(f));
}

}  // namespace

void coverage_rules(const ReviewInput& input, std::vector<Finding>& out) {
  const std::size_t before = out.size();
  for (int i = 0; i < static_cast<int>(input.launches.size()); ++i) {
    const AccessCollector* seen = input.launches[static_cast<std::size_t>(i)].seen;
    if (seen == nullptr) continue;
    for (const WriteTable::Summary& s : seen->writes().summaries())
      if (!s.unwatched) tail(input, i, s, out);
  }
  const std::size_t tails = out.size();
  for (const LeftUnwritten& l : input.left) {
    const auto& buffers =
        input.launches.empty() ? std::vector<LaunchReview::Buffer>{} : input.launches.front().launch->buffers;
    const auto same = [&](const Finding& f) {
      return static_cast<std::size_t>(l.buffer) < buffers.size() &&
             f.evidence.buffer == buffers[static_cast<std::size_t>(l.buffer)].name;
    };
    if (std::none_of(out.begin() + static_cast<std::ptrdiff_t>(before),
                     out.begin() + static_cast<std::ptrdiff_t>(tails), same))
      left(input, l, out);
  }
}

}  // namespace lanescope::review
