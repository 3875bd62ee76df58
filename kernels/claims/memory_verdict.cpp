// The actual layout, and the verdict of a claim about memory.

#include <algorithm>
#include <map>
#include <unordered_map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "kernels/claims/fitted_axes.h"
#include "kernels/claims/memory_judge.h"

namespace lanescope::claims {

using source::ArrayLayout;

namespace {

constexpr std::size_t most_fitted_places = std::size_t{1} << 16;
constexpr std::string_view free_axis = "*";

std::string list_of(const std::vector<std::string>& names, const std::vector<std::int64_t>& strides) {
  return fmt::format("({}), strides ({})", fmt::join(names, ", "), fmt::join(strides, ", "));
}

}  // namespace

void MemoryJudge::fit_steps(const std::vector<Seen>& seen) {
  const std::vector<source::Axis>& axes = about().axes;
  for (std::size_t a = 0; a < axes.size(); ++a) {
    if (steps_[a] || axes[a].name == free_axis) continue;
    std::unordered_map<std::int64_t, const Seen*> others;  // by what the place would be at index 0
    for (std::size_t n = 0; n < std::min(seen.size(), most_fitted_places) && !steps_[a]; ++n) {
      const Seen& s = seen[n];
      if (s.padding || s.part != 0) continue;
      std::int64_t key = 0;
      for (std::size_t b = 0; b < axes.size(); ++b)
        if (b != a) key += s.index[b] * static_cast<std::int64_t>(axes[b].stride_elements);
      const auto [other, fresh] = others.try_emplace(key, &s);
      const std::int64_t apart = s.index[a] - other->second->index[a];
      if (fresh || apart == 0) continue;
      const std::int64_t elements = s.at[0] - other->second->at[0];
      if (elements % apart != 0 || elements / apart <= 0) {
        fits_ = false;
        return;
      }
      steps_[a] = elements / apart;
    }
  }
}

std::string MemoryJudge::where(const Seen& s, bool stated) const {
  std::vector<std::int64_t> numbers;
  for (std::size_t a = 0; a < about().axes.size(); ++a) numbers.push_back(stated ? s.index[a] : s.at[a]);
  return fmt::format("({})", fmt::join(numbers, ", "));
}

std::string MemoryJudge::actual_of(const std::vector<Seen>& seen, std::string& difference) const {
  const ArrayLayout& c = about();
  const std::size_t count = c.axes.size();
  std::vector<std::optional<std::int64_t>> strides(count);
  std::map<std::pair<int, Numbers>, const Seen*> others;
  for (std::size_t a = 0; a < count; ++a) {
    others.clear();
    for (std::size_t n = 0; n < std::min(seen.size(), most_fitted_places) && !strides[a]; ++n) {
      const Seen& s = seen[n];
      Numbers key = s.at;
      key[a] = 0;
      const auto [other, fresh] = others.try_emplace({s.part, key}, &s);
      const std::int64_t apart = s.at[a] - other->second->at[a];
      if (fresh || apart == 0) continue;
      const std::int64_t places = s.place - other->second->place;
      if (places % apart != 0) break;
      strides[a] = places / apart;
    }
  }
  bool linear = !seen.empty();
  for (const Seen& s : seen) {
    if (s.part != seen.front().part) continue;
    std::int64_t place = seen.front().place;
    for (std::size_t a = 0; a < count; ++a) place += strides[a].value_or(0) * (s.at[a] - seen.front().at[a]);
    linear = linear && place == s.place;
  }
  const Seen* wrong = nullptr;
  for (const Seen& s : seen) {
    bool same = !s.padding;
    for (std::size_t a = 0; a < count; ++a)
      same = same && s.at[a] - s.index[a] == seen.front().at[a] - seen.front().index[a];
    if (!same && wrong == nullptr) wrong = &s;
  }
  if (wrong == nullptr) wrong = &seen.front();
  const source::BufferSpec& spec = setting_->source->header.buffers[static_cast<std::size_t>(wrong->buffer)];
  std::vector<std::string> axis_names;
  for (std::size_t a = 0; a < count; ++a)
    axis_names.push_back(c.axes[a].name.empty() ? fmt::format("axis {}", a) : c.axes[a].name);
  const std::string there = fmt::format("element {} of `{}` holds {}({}) = {}", wrong->place, stated().variable,
                                        spec.name, fmt::join(axis_names, ", "), where(*wrong, false));
  if (!linear) {
    difference = fmt::format(
        "{}; {}", there, wrong->padding ? "by the comment nothing is there" : "by the comment " + where(*wrong, true));
    return "no order of axes with constant strides";
  }
  std::vector<std::size_t> order;
  for (std::size_t a = 0; a < count; ++a)
    if (strides[a]) order.push_back(a);
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return *strides[a] > *strides[b]; });
  std::vector<std::size_t> stated = order;
  std::ranges::stable_sort(
      stated, [&](std::size_t a, std::size_t b) { return c.axes[a].stride_elements > c.axes[b].stride_elements; });
  std::vector<std::string> names;
  std::vector<std::int64_t> numbers;
  for (const std::size_t a : order) {
    names.push_back(axis_names[a]);
    numbers.push_back(*strides[a]);
  }
  std::vector<std::string> says;
  if (order != stated)
    says.push_back(fmt::format("the order of the axes is ({}), slowest first", fmt::join(names, ", ")));
  for (const std::size_t a : order) {
    const bool same_order = order == stated;
    if (same_order && *strides[a] != static_cast<std::int64_t>(c.axes[a].stride_elements))
      says.push_back(fmt::format("the stride of {} is {} elements, not {}", axis_names[a], *strides[a],
                                 c.axes[a].stride_elements));
  }
  if (says.empty()) says.push_back(there);
  difference = fmt::format("{}", fmt::join(says, "; "));
  return list_of(names, numbers);
}

void MemoryJudge::judge(const Image& image, std::vector<Seen>& seen, Moment& moment) {
  moment.places += seen.size();
  if (seen.empty()) return;
  const bool fit = fitted(seen.front().buffer);
  if (fit) {
    if (fitted_buffer_ < 0) fitted_buffer_ = seen.front().buffer;
    fit_steps(seen);
  }
  std::map<std::pair<int, Numbers>, Numbers> origin;  // by buffer, part and what may be anything
  auto last = origin.end();
  bool bad = false, several = false;
  for (const Seen& s : seen) {
    several = several || s.part > 0;
    bad = bad || s.padding;
    Numbers residual{}, apart{};
    for (std::size_t a = 0; a < about().axes.size(); ++a)
      if (about().axes[a].name == free_axis) apart[a] = s.index[a] + 1;
    if (fit) {
      residual[0] = s.at[0];
      for (std::size_t a = 0; a < steps_.size(); ++a) residual[0] -= steps_[a].value_or(0) * s.index[a];
    } else {
      for (std::size_t a = 0; a < about().axes.size(); ++a) residual[a] = apart[a] != 0 ? 0 : s.at[a] - s.index[a];
    }
    apart[most_axes - 1] += std::int64_t{s.part} << 32;
    if (last == origin.end() || last->first.first != s.buffer || last->first.second != apart)
      last = origin.try_emplace({s.buffer, apart}, residual).first;
    bad = bad || last->second != residual;
  }
  if (!bad) return;
  if (fit) {
    fits_ = false;
    return;
  }
  if (several) {
    if (moment.open.empty())
      moment.open = "a place holds several elements, and which axis they lie along is not stated";
    return;
  }
  if (moment.failed()) return;
  moment.failure = Instance{.block = image.block, .warp = 0, .iteration = image.epoch, .caller_line = 0};
  moment.actual = actual_of(seen, moment.difference);
}

void MemoryJudge::of_moment(ClaimResult& r, const Moment& m) const {
  r.instances = m.instances;
  r.places = m.places;
  r.computed = m.computed;
  if (m.failed()) {
    r.verdict = Verdict::differs;
    r.difference = m.difference;
    r.actual_words = m.actual;
    r.first_failure = m.failure;
    if (odd_) {
      const std::string difference = m.difference;
      r = {};
      r.claim = claim_;
      r.reason = coded<Why::unknown_moment>(difference);
    }
  } else if (!m.open.empty()) {
    r.reason = coded<Why::axis_not_stated>(m.open);
  } else if (m.left_out > 0) {
    r.reason = coded<Why::seen_in_part>(
        fmt::format("it holds in the first {} of {} instances; all of them have too many places to judge",
                    m.instances - m.left_out, m.instances));
    r.seen_in_part = true;
  } else if (m.places == 0) {
    r.reason = coded<Why::no_traced_element>(stated().variable);
  } else {
    r.verdict = Verdict::holds;
    r.up_to_sums = m.sums;
    r.actual_words = source::stated_words(stated());
  }
}

ClaimResult MemoryJudge::verdict() const {
  const ArrayLayout& c = about();
  ClaimResult r = begun();
  if (!problem_.empty()) return r;
  const int line = stated().first_line;
  const Moment* here = nullptr;
  for (const auto& [at, moment] : moments_)
    if (at <= line) here = &moment;
  if (moments_.empty()) {
    r.reason = untagged_ ? coded<Why::no_provenance>()
                         : coded<Why::not_accessed>(fmt::format("no thread writes `{}`", stated().variable));
    return r;
  }
  if (here != nullptr) {
    of_moment(r, *here);
    for (const auto& [at, moment] : moments_) {
      if (r.verdict != Verdict::differs || at <= line || (c.end_line > 0 && at >= c.end_line)) continue;
      ClaimResult later;
      of_moment(later, moment);
      if (later.verdict == Verdict::holds && r.after_line == 0) r.after_line = at;
    }
  } else {  // it speaks of what comes
    std::optional<ClaimResult> first;
    for (const auto& [at, moment] : moments_) {
      if (c.end_line > 0 && at >= c.end_line) break;
      ClaimResult then{.claim = claim_};
      of_moment(then, moment);
      then.after_line = then.verdict == Verdict::holds ? at : 0;
      if (!first)
        first = then;
      else if (first->verdict != Verdict::holds && then.verdict == Verdict::holds)
        first = then;
      else if (first->verdict == Verdict::holds && then.verdict == Verdict::differs && first->reason.empty())
        first->reason = coded<Why::holds_for_a_time>(fmt::format("line {}", at));
    }
    if (!first) {
      r.reason = coded<Why::moment_not_stated>(
          fmt::format("nothing writes `{}` before the next comment on it", stated().variable));
      return r;
    }
    r = *first;
  }
  if (fitted_buffer_ < 0 || r.verdict != Verdict::holds) return r;
  const std::string& buffer = setting_->source->header.buffers[static_cast<std::size_t>(fitted_buffer_)].name;
  std::vector<std::string> says;
  std::optional<std::int64_t> rows, columns;
  for (std::size_t a = 0; a < steps_.size(); ++a) {
    if (!steps_[a]) continue;
    const std::string name = c.axes[a].name.empty() ? fmt::format("axis {}", a) : c.axes[a].name;
    says.push_back(fmt::format("{} steps {} element{}", name, *steps_[a], *steps_[a] == 1 ? "" : "s"));
    if (is_row_name(name)) rows = steps_[a];
    if (is_column_name(name)) columns = steps_[a];
  }
  std::vector<std::pair<std::string, std::int64_t>> stepping;
  for (std::size_t a = 0; a < steps_.size(); ++a)
    if (steps_[a]) stepping.emplace_back(c.axes[a].name, *steps_[a]);
  if (stepping.size() == 2)
    if (const auto first = first_is_row(stepping[0].first, stepping[1].first)) {
      rows = stepping[*first ? 0 : 1].second;
      columns = stepping[*first ? 1 : 0].second;
    }
  const std::string steps = fmt::format("{} of {}", fmt::join(says, " and "), buffer);
  // A permutation of places says nothing about which of the two is the slower in the buffer.
  const bool any_order = !c.logical_of_place.empty() && says.size() == 2 && rows && columns && *rows != *columns;
  const bool known =
      any_order || (says.size() <= 1 ? steps_.size() == 1 : rows && columns && *rows > *columns && says.size() == 2);
  ClaimResult open{.claim = claim_};
  if (!fits_) {
    open.reason = coded<Why::guessed_order>(
        fmt::format("nothing states the axes of {}, and the elements here have no constant steps in it", buffer));
    return open;
  }
  if (!known) {
    open.reason = coded<Why::guessed_order>(
        fmt::format("nothing states the axes of {}: here {}; name its axes in the launch header", buffer, steps));
    return open;
  }
  r.reason = coded<Why::steps_of_axes>(steps);
  return r;
}

}  // namespace lanescope::claims
