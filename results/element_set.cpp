#include "results/element_set.h"

#include <algorithm>

#include <fmt/format.h>

#include "kernels/base/numbers.h"

namespace lanescope::results {
namespace {

using Element = std::pair<int, std::uint64_t>;

/// The longest run of equal distances from the start of `rest`. Two elements alone are no run, unless neighbours.
ElementRun run_at(std::span<const Element> rest) {
  ElementRun run{.buffer = rest[0].first, .first = rest[0].second};
  if (rest.size() < 2 || rest[1].first != run.buffer) return run;
  const std::uint64_t step = rest[1].second - rest[0].second;
  std::size_t count = 2;
  while (count < rest.size() && rest[count].first == run.buffer && rest[count].second - rest[count - 1].second == step)
    ++count;
  const bool more = count < rest.size() && rest[count].first == run.buffer;
  if (count == 2 && step > 1 && more) return run;
  run.step = step, run.count = count;
  return run;
}

std::string name_of(const Summary& summary, int buffer) {
  return buffer >= 0 && static_cast<std::size_t>(buffer) < summary.buffers.size()
             ? summary.buffers[static_cast<std::size_t>(buffer)].name
             : fmt::format("buffer {}", buffer);
}

std::string run_words(const Summary& summary, const ElementRun& r) {
  std::string words = name_of(summary, r.buffer) + "[" + std::to_string(r.first);
  if (r.count > 1) words += ".." + std::to_string(r.first + (r.count - 1) * r.step);
  if (r.count > 1 && r.step > 1) words += " step " + std::to_string(r.step);
  words += "]";
  if (r.times > 1) words += fmt::format(" and {} more every {}", r.times - 1, r.stride);
  return words;
}

}  // namespace

ElementSet fold(std::span<const Element> sorted) {
  ElementSet set{.count = sorted.size()};
  for (std::size_t at = 0; at < sorted.size();) {
    const ElementRun run = run_at(sorted.subspan(at));
    at += run.count;
    if (!set.runs.empty() && run.count > 1) {
      ElementRun& last = set.runs.back();
      const bool alike = last.buffer == run.buffer && last.step == run.step && last.count == run.count;
      const std::uint64_t last_start = last.first + (last.times - 1) * last.stride;
      if (alike && (last.times == 1 || run.first - last_start == last.stride)) {
        last.stride = run.first - last_start;
        ++last.times;
        continue;
      }
    }
    if (set.runs.size() == ElementSet::most_runs) {
      set.whole = false;
      return set;
    }
    set.runs.push_back(run);
  }
  return set;
}

std::vector<Element> unfold(const ElementSet& set) {
  std::vector<Element> all;
  for (const ElementRun& r : set.runs)
    for (std::uint64_t j = 0; j < r.times; ++j)
      for (std::uint64_t i = 0; i < r.count; ++i) all.emplace_back(r.buffer, r.first + i * r.step + j * r.stride);
  std::ranges::sort(all);
  return all;
}

std::string set_words(const Summary& summary, const ElementSet& set, std::size_t most) {
  if (!set.known) return "more than can be listed";
  std::string words;
  const std::size_t shown = std::min(most, set.runs.size());
  for (std::size_t n = 0; n < shown; ++n) words += (n == 0 ? "" : ", ") + run_words(summary, set.runs[n]);
  if (!set.whole || shown < set.runs.size()) {
    std::uint64_t left = set.count;
    for (std::size_t n = 0; n < shown; ++n) left -= set.runs[n].elements();
    words += ", and " + counted(left, "more element");
  }
  return words;
}

std::string counted_set_words(const Summary& summary, const ElementSet& set, std::size_t most) {
  if (!set.known) return "more elements than can be listed";
  return counted(set.count, "element") + ": " + set_words(summary, set, most);
}

}  // namespace lanescope::results
