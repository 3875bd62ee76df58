#include "kernels/claims/memory_judge.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "kernels/base/set_bits.h"
#include "kernels/base/text.h"

namespace lanescope::claims {

using source::WorkShare;
using Kind = source::Owner;

namespace {

constexpr std::uint64_t enough_elements = std::uint64_t{1} << 20;  ///< then no owner is watched that was not before
constexpr std::uint64_t most_elements = std::uint64_t{1} << 23;
constexpr std::size_t most_judged_sets = 256;  ///< whose form is looked at; numbers are compared for all

std::string plural(std::int64_t n, std::string_view what) { return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s"); }

/// Whether an argument of this name says how many rows there are, not how long one is.
bool counts_rows(std::string_view parameter) {
  const std::string n = lower(parameter);
  return n.find("row") != std::string::npos || n.find("batch") != std::string::npos ||
         one_of(n, {"m", "b", "height", "h", "ny", "tokens", "num_tokens"});
}

/// Rows and columns of a set under a pitch; nullopt where it is no product of the two.
std::optional<std::pair<std::int64_t, std::int64_t>> product_under(const std::vector<std::uint32_t>& set,
                                                                   std::int64_t pitch) {
  std::set<std::int64_t> rows, columns;
  for (const std::uint32_t e : set) {
    rows.insert(e / pitch);
    columns.insert(e % pitch);
  }
  const auto r = static_cast<std::int64_t>(rows.size()), c = static_cast<std::int64_t>(columns.size());
  if (r * c != static_cast<std::int64_t>(set.size())) return std::nullopt;
  return std::pair(r, c);
}

/// The distance between runs of consecutive elements where there are several, all alike; 0: it is not so.
std::int64_t gap_of(const std::vector<std::uint32_t>& set) {
  std::int64_t gap = 0, start = set.front(), length = 0, run = 1;
  for (std::size_t n = 1; n <= set.size(); ++n) {
    if (n < set.size() && set[n] == set[n - 1] + 1) {
      ++run;
      continue;
    }
    if (length != 0 && run != length) return 0;
    length = run;
    run = 1;
    if (n == set.size()) break;
    const std::int64_t apart = static_cast<std::int64_t>(set[n]) - start;
    if (gap != 0 && apart != gap) return 0;
    gap = apart;
    start = set[n];
  }
  return gap;
}

}  // namespace

WorkJudge::WorkJudge(const Setting& setting, const MemoryPlaces& places, int claim)
    : AccessJudge(setting, places, claim) {
  const std::string& array = share().array;
  const source::Function *own = around(), *kernel = running();
  if (own == nullptr || kernel == nullptr || (own->is_kernel && own != kernel)) {
    problem_ = coded<Why::not_executed>();
    return;
  }
  if (own->is_kernel && !share().instance.empty() && share().instance != places.kernel) {
    problem_ = coded<Why::judged_in_other_launch>(share().instance);
    return;
  }
  bytes_.resize(places.buffer_bytes.size());
  for (std::size_t n = 0; n < places.arguments.size(); ++n) {
    const std::vector<trace::BufferArgument> led_to = trace::buffers_of(places.arguments[n]);
    for (const trace::BufferArgument& argument : led_to) {
      const auto b = static_cast<std::size_t>(argument.buffer);
      if (b >= setting.source->header.buffers.size() || b >= bytes_.size()) continue;
      if (bytes_[b] == 0) buffers_.push_back(argument.buffer);
      bytes_[b] = std::max(setting.source->header.buffers[b].element_bits / 8, 1);
      if (led_to.size() == 1 && n < kernel->parameters.size() && kernel->parameters[n].name == array)
        named_ = argument.buffer;
    }
  }
  if (!array.empty() && named_ < 0)
    problem_ = coded<Why::no_buffer>(fmt::format("`{}` has no buffer as argument", array));
  if (buffers_.empty()) problem_ = coded<Why::no_buffer>("the kernel gets no buffer");
}

bool WorkJudge::meant_line(std::uint32_t pc) const {
  const WorkShare& s = share();
  if (s.first_line == 0) return true;
  const int outer = pc < setting_->caller_lines_by_pc.size() ? setting_->caller_lines_by_pc[pc] : 0;
  const int inner = pc < places_->inner_lines.size() ? places_->inner_lines[pc] : 0;
  return (outer >= s.first_line && outer <= s.last_line) || (inner >= s.first_line && inner <= s.last_line);
}

void WorkJudge::barrier(const trace::BarrierEvent& e) {
  if (share().verb != WorkShare::Verb::reads || share().first_line == 0) return;
  ++epochs_[std::uint64_t{e.where.block} << 5 | (e.where.warp & 31)];
}

void WorkJudge::access(const trace::AccessEvent& e) {
  if (!problem_.empty() || e.space != trace::MemorySpace::global || e.where.active == 0) return;
  const bool written = e.kind == trace::AccessKind::store || e.kind == trace::AccessKind::atomic ||
                       e.kind == trace::AccessKind::reduction;
  if (share().verb == WorkShare::Verb::reads && written) return;
  if (share().verb == WorkShare::Verb::writes && !written) return;
  last_block_ = e.where.block;
  if (!meant_line(e.where.pc)) return;
  for (const std::size_t lane : set_bits(e.where.active)) record(e, lane, written);
}

void WorkJudge::record(const trace::AccessEvent& e, std::size_t lane, bool written) {
  const std::uint64_t address = e.addresses[lane];
  int buffer = -1;
  for (const int b : buffers_)
    if (address - places_->buffer_addresses[static_cast<std::size_t>(b)] <
        places_->buffer_bytes[static_cast<std::size_t>(b)])
      buffer = b;
  if (buffer < 0) return;
  const std::uint64_t owner = owner_of(share().owner, e.where, lane);
  if (!owners_.contains(owner)) {
    if (elements_ > enough_elements) return void(left_out_ = true);
    owners_.emplace(owner, 0);
  }
  const auto b = static_cast<std::size_t>(buffer);
  const std::uint64_t offset = address - places_->buffer_addresses[b];
  const auto bytes = static_cast<std::uint64_t>(bytes_[b]);
  std::uint64_t key = owner << 20;
  if (const auto epoch = epochs_.find(owner >> 5); share().owner != Kind::block && epoch != epochs_.end())
    key |= epoch->second & 0xfffffu;
  else if (share().owner == Kind::block)
    if (const auto own = epochs_.find(std::uint64_t{e.where.block} << 5 | (e.where.warp & 31)); own != epochs_.end())
      key |= own->second & 0xfffffu;
  Accesses& of_array = accesses_[{buffer, written}];
  const int line = e.where.pc < setting_->caller_lines_by_pc.size() ? setting_->caller_lines_by_pc[e.where.pc] : 0;
  of_array.line = of_array.line == 0 || of_array.line == line ? line : -1;
  const int wide = static_cast<int>((static_cast<std::uint64_t>(e.width_bytes) + bytes - 1) / bytes);
  of_array.vector_elements = of_array.vector_elements == 0 || of_array.vector_elements == wide ? wide : -1;
  std::vector<std::uint32_t>& elements = of_array.of[key];
  for (std::uint64_t n = offset / bytes; n <= (offset + static_cast<std::uint64_t>(e.width_bytes) - 1) / bytes; ++n) {
    if (!elements.empty() && elements.back() == n) continue;  // bytes of it, or once more
    elements.push_back(static_cast<std::uint32_t>(n));
    ++elements_;
  }
  // An element that is read again and again is kept once.
  if (elements.size() > 4096 && (elements.size() & (elements.size() - 1)) == 0) {
    elements_ -= elements.size();
    std::ranges::sort(elements);
    elements.erase(std::ranges::unique(elements).begin(), elements.end());
    elements_ += elements.size();
  }
  if (elements_ > most_elements)
    problem_ = coded<Why::too_large>(fmt::format("more than {} accesses of those watched", most_elements));
}

std::string WorkJudge::name_of(int buffer) const {
  return setting_->source->header.buffers[static_cast<std::size_t>(buffer)].name;
}

std::vector<std::int64_t> WorkJudge::pitches(int buffer) const {
  std::set<std::int64_t> out, numbers_of_rows;
  const source::Header& header = setting_->source->header;
  for (const source::LaunchSpec& l : header.launches) {
    if (l.kernel != places_->kernel) continue;
    for (const source::ArgumentSpec& a : l.arguments)
      if (const double* v = std::get_if<double>(&a.value); v != nullptr && *v >= 2 && *v < 1e9)
        if (static_cast<double>(static_cast<std::int64_t>(*v)) == *v)
          (counts_rows(a.parameter) ? numbers_of_rows : out).insert(static_cast<std::int64_t>(*v));
    for (const source::ArgumentSpec& a : l.arguments)
      for (const source::FieldSpec& m : a.members)
        if (const double* v = std::get_if<double>(&m.value);
            v != nullptr && *v >= 2 && *v < 1e9 && *v == std::floor(*v))
          out.insert(static_cast<std::int64_t>(*v));
  }
  const source::BufferSpec& spec = header.buffers[static_cast<std::size_t>(buffer)];
  if (!spec.axes_assumed)
    for (std::size_t a = 0; a + 1 < spec.axes.size(); ++a)
      if (spec.axes[a].stride_elements > 1) out.insert(static_cast<std::int64_t>(spec.axes[a].stride_elements));
  std::set<std::int64_t> known = out;
  known.insert(numbers_of_rows.begin(), numbers_of_rows.end());
  if (out.empty()) out = std::move(numbers_of_rows);
  if (out.empty()) {
    out.insert(share().constants.begin(), share().constants.end());
    known = out;
  }
  // Of several numbers that might be the length of a row, those count with which the array has a known number of rows.
  const auto b = static_cast<std::size_t>(buffer);
  const std::int64_t total = static_cast<std::int64_t>(places_->buffer_bytes[b]) / bytes_[b];
  std::vector<std::int64_t> whole;
  for (const std::int64_t pitch : out)
    if (pitch > 1 && total % pitch == 0 && known.contains(total / pitch)) whole.push_back(pitch);
  if (!whole.empty()) return whole;
  return {out.begin(), out.end()};
}

WorkJudge::Answer WorkJudge::fit_count(std::int64_t largest, std::size_t with_largest, std::size_t smallest_same,
                                       std::size_t owners, const Accesses& accesses, const std::string& array,
                                       bool written) const {
  const WorkShare& s = share();
  const std::string does = written ? "writes" : "reads";
  Answer out{.words = fmt::format(
                 "each {} {} {}{} of {}", owner_word(), does, smallest_same == owners ? "" : "up to ",
                 plural(largest, s.unit_bytes > 0 ? fmt::format("{}-byte unit", s.unit_bytes) : "element"), array)};
  if (largest == s.count) {
    out.fit = 2 * with_largest >= owners ? Fit::yes : Fit::open;
    if (out.fit == Fit::open) out.words += fmt::format(", {} of {} so many", with_largest, owners);
    return out;
  }
  const bool vectors =
      s.unit_bytes == 0 && accesses.vector_elements > 1 && largest == s.count * accesses.vector_elements;
  const std::size_t enough = share().owner == Kind::thread ? 32 : 2;
  const bool settled = largest > s.count || (smallest_same == owners && owners >= enough);
  out.fit = vectors || !settled ? Fit::open : Fit::no;
  out.more =
      out.fit == Fit::no && largest > s.count && accesses.line > 0 && s.straight && share().owner == Kind::thread;
  if (vectors) out.words += fmt::format(", {} at a time", accesses.vector_elements);
  return out;
}

WorkJudge::Answer WorkJudge::fit_box(const std::vector<const std::vector<std::uint32_t>*>& sets, const Key& key) const {
  const WorkShare& s = share();
  std::optional<std::pair<std::int64_t, std::int64_t>> form;
  bool several = false;
  for (const auto* set : sets) {
    const std::int64_t gap = gap_of(*set);
    std::vector<std::int64_t> possible = pitches(key.first);
    if (gap > 1 && (possible.empty() || std::ranges::find(possible, gap) != possible.end())) possible = {gap};
    const bool one_run = set->back() - set->front() + 1 == set->size();
    std::optional<std::pair<std::int64_t, std::int64_t>> own;
    for (const std::int64_t pitch : possible) {
      const auto p = product_under(*set, pitch);
      if (!p) continue;
      if (own && *own != *p) several = true;
      own = p;
    }
    if (!own && one_run) own = std::pair<std::int64_t, std::int64_t>(1, static_cast<std::int64_t>(set->size()));
    if (!own)
      return {Fit::open,
              fmt::format("the elements that each {} accesses of {} are no set of rows times a set of columns",
                          owner_word(), name_of(key.first))};
    if (form && *form != *own) several = true;
    form = own;
  }
  if (!form) return {};
  if (several) return {Fit::open, fmt::format("how long a row of {} is, is not known", name_of(key.first))};
  const auto [rows, columns] = *form;
  Answer out{Fit::no, fmt::format("each {} has {} by {} of {}", owner_word(), plural(rows, "row"),
                                  plural(columns, "column"), name_of(key.first))};
  const auto is = [](std::int64_t stated, std::int64_t seen) { return stated == 0 || stated == seen; };
  const bool same = is(s.rows, rows) && is(s.cols, columns), swapped = is(s.cols, rows) && is(s.rows, columns);
  if (same || (swapped && !s.ordered)) out.fit = Fit::yes;
  if (swapped && !same && s.ordered && s.maybe_columns) {
    out.fit = Fit::open;
    out.words += "; it holds if the array is column-major";
  }
  return out;
}

WorkJudge::Answer WorkJudge::fit_rows(const std::vector<const std::vector<std::uint32_t>*>& sets,
                                      const Key& key) const {
  const WorkShare& s = share();
  const auto b = static_cast<std::size_t>(key.first);
  const auto total = static_cast<std::int64_t>(places_->buffer_bytes[b]) / bytes_[b];
  bool rows_agree = true, columns_agree = true;
  std::optional<std::int64_t> rows, columns;
  for (const auto* set : sets) {
    std::set<std::int64_t> as_rows, as_columns;
    const auto size = static_cast<std::int64_t>(set->size());
    for (const std::int64_t pitch : pitches(key.first)) {
      const auto p = product_under(*set, pitch);
      if (!p || pitch >= total || total % pitch != 0) continue;
      if (p->second == pitch && size == p->first * pitch) as_rows.insert(p->first);
      if (p->first == total / pitch && p->first > 1 && size == p->second * p->first) as_columns.insert(p->second);
    }
    if (as_rows.size() != 1 || (rows && *rows != *as_rows.begin()))
      rows_agree = false;
    else
      rows = *as_rows.begin();
    if (as_columns.size() != 1 || (columns && *columns != *as_columns.begin()))
      columns_agree = false;
    else
      columns = *as_columns.begin();
  }
  rows_agree = rows_agree && rows;
  columns_agree = columns_agree && columns;
  if (rows_agree == columns_agree)
    return {Fit::open,
            fmt::format("the elements that each {} accesses of {} are not known to be whole rows or whole columns",
                        owner_word(), name_of(key.first))};
  const std::int64_t n = rows_agree ? *rows : *columns;
  const bool right = (s.unit == WorkShare::Unit::rows) == rows_agree && n == s.count;
  return {right ? Fit::yes : Fit::no, fmt::format("each {} has {} of {}", owner_word(),
                                                  plural(n, rows_agree ? "row" : "column"), name_of(key.first))};
}

WorkJudge::Answer WorkJudge::fit(const Key& key, const Accesses& accesses) const {
  const WorkShare& s = share();
  std::vector<std::vector<std::uint32_t>> all;
  for (const auto& [owner, elements] : accesses.of) {
    std::vector<std::uint32_t> sorted = elements;
    std::ranges::sort(sorted);
    sorted.erase(std::ranges::unique(sorted).begin(), sorted.end());
    all.push_back(std::move(sorted));
  }
  std::ranges::sort(all);
  std::size_t most = 0, least = ~std::size_t{0};
  for (const auto& set : all) {
    most = std::max(most, set.size());
    least = std::min(least, set.size());
  }
  std::vector<const std::vector<std::uint32_t>*> largest;
  for (const auto& set : all)
    if (set.size() == most) largest.push_back(&set);
  const bool alike = all.size() > 1 && std::ranges::all_of(all, [&](const auto& set) { return set == all.front(); });
  if (alike && named_ < 0) return {};  // all have the same: no share
  const std::string array = name_of(key.first);
  const std::size_t with_largest = largest.size();
  if (largest.size() > most_judged_sets) largest.resize(most_judged_sets);
  if (s.unit == WorkShare::Unit::rows || s.unit == WorkShare::Unit::columns)
    // One element for each row, as sums of rows are, is no row.
    return static_cast<std::int64_t>(most) <= std::max<std::int64_t>(s.count, 1) ? Answer{} : fit_rows(largest, key);
  if (s.unit == WorkShare::Unit::box && (s.rows == 0 || s.cols == 0)) {
    if (most == 0 || 2 * with_largest < all.size())
      return {Fit::open, fmt::format("the shares of the {}s in {} differ", owner_word(), array)};
    return fit_box(largest, key);
  }
  auto count = static_cast<std::int64_t>(most);
  if (s.unit_bytes > 0) {
    const std::int64_t bytes = count * bytes_[static_cast<std::size_t>(key.first)];
    if (bytes % s.unit_bytes != 0)
      return {Fit::no, fmt::format("each {} has {} of {}", owner_word(), plural(bytes, "byte"), array)};
    count = bytes / s.unit_bytes;
  }
  Answer out = fit_count(count, with_largest, most == least ? all.size() : 0, all.size(), accesses, array, key.second);
  if (out.fit != Fit::yes) return out;
  if (s.consecutive)
    for (const auto* set : largest)
      if (set->back() - set->front() + 1 != set->size()) {
        out.fit = Fit::no;
        out.words = fmt::format("each {} has {} of {} that do not follow each other: {} and {}", owner_word(),
                                plural(count, "element"), array, set->at(0), set->at(1));
        return out;
      }
  return s.unit == WorkShare::Unit::box ? fit_box(largest, key) : out;
}

bool WorkJudge::never_so_many(const std::vector<Key>& meant) const {
  const WorkShare& s = share();
  if (share().owner != Kind::thread || s.unit_bytes > 0 || s.count <= 0 || !places_->most_stored_bytes) return false;
  if (s.unit != WorkShare::Unit::elements && s.unit != WorkShare::Unit::box) return false;
  if (s.unit == WorkShare::Unit::box && (s.rows == 0 || s.cols == 0)) return false;
  return !meant.empty() && std::ranges::all_of(meant, [&](const Key& key) {
    const auto bytes = static_cast<std::uint64_t>(bytes_[static_cast<std::size_t>(key.first)]);
    return key.second && *places_->most_stored_bytes < static_cast<std::uint64_t>(s.count) * bytes;
  });
}

void WorkJudge::leave_out_last_block() {
  const auto is_last = [&](std::uint64_t owner) { return owner >> 10 == last_block_; };
  std::erase_if(owners_, [&](const auto& o) { return is_last(o.first); });
  for (auto& [key, accesses] : accesses_)
    std::erase_if(accesses.of, [&](const auto& o) { return is_last(o.first >> 20); });
  std::erase_if(accesses_, [](const auto& a) { return a.second.of.empty(); });
}

ClaimResult WorkJudge::result(bool cut) const {
  if (!cut) return own_result();
  WorkJudge whole = *this;
  whole.leave_out_last_block();
  return whole.own_result();
}

ClaimResult WorkJudge::own_result() const {
  ClaimResult r = begun();
  if (!problem_.empty()) return r;
  std::vector<Key> meant, other;
  for (const auto& [key, accesses] : accesses_) {
    std::set<std::uint64_t> own;
    for (const auto& [owner, elements] : accesses.of) own.insert(owner >> 20);
    if (named_ >= 0 && key.first != named_) continue;
    if (2 * own.size() < owners_.size() && named_ < 0) continue;  // not each of them
    (key.second || share().verb == WorkShare::Verb::reads ? meant : other).push_back(key);
  }
  const bool written = !meant.empty();
  if (meant.empty()) std::swap(meant, other);
  r.instances = owners_.size();
  r.places = elements_;
  if (meant.empty()) {
    r.reason = accesses_.empty()
                   ? coded<Why::not_accessed>("nothing of a buffer is accessed here")
                   : coded<Why::several_readings>(fmt::format("no array is accessed by each {}", owner_word()));
    return r;
  }
  std::vector<std::string> right, wrong, open;
  bool more = true;
  for (const Key& key : meant) {
    const Answer a = fit(key, accesses_.at(key));
    more = more && (a.fit != Fit::no || a.more);
    if (a.fit == Fit::yes) right.push_back(a.words);
    if (a.fit == Fit::no) wrong.push_back(a.words);
    if (a.fit == Fit::open) open.push_back(a.words);
  }
  // Rows that are read and summed up leave one element each.
  if (right.empty() && wrong.empty() && share().verb == WorkShare::Verb::accesses)
    for (const Key& key : other) {
      const Answer a = fit(key, accesses_.at(key));
      if (a.fit == Fit::yes) right.push_back(a.words);
      if (a.fit == Fit::no) wrong.push_back(a.words);
      if (a.fit == Fit::open) open.push_back(a.words);
    }
  const auto first = [&](const std::vector<std::string>& v) { return v.empty() ? std::string() : v.front(); };
  r.actual_words = !right.empty() ? first(right) : !wrong.empty() ? first(wrong) : first(open);
  const std::string watched = left_out_ ? fmt::format("; seen of the first {} {}s", owners_.size(), owner_word()) : "";
  std::string readings;  // non-empty: why the claim may be meant otherwise
  if (right.empty() && wrong.empty()) {
    readings = open.empty() ? fmt::format("no array is parted between the {}s", owner_word()) : first(open);
  } else if (!right.empty() && wrong.empty() && open.empty()) {
    r.verdict = Verdict::holds;
    r.reason = coded<Why::as_seen>(first(right) + watched);
  } else if (!right.empty()) {
    readings =
        fmt::format("the comment names no array: {}, but {}", first(right), wrong.empty() ? first(open) : first(wrong));
  } else if (!open.empty()) {
    readings = first(open);
  } else {
    bool others = false;
    if (written && share().verb == WorkShare::Verb::accesses)
      for (const Key& key : other) others = others || fit(key, accesses_.at(key)).fit == Fit::yes;
    if (others)
      readings = fmt::format("it holds for the reads of each {}, but {}", owner_word(), first(wrong));
    else if (share().loose)
      readings = fmt::format("{}; the words may have another meaning", first(wrong));
    else if (share().computed && share().owner != Kind::block && places_->stores_from_shared)
      readings = fmt::format("{}; but the stored values were in shared memory, where another {} may have put them",
                             first(wrong), owner_word());
    else if (share().repeated)
      readings = "it is in a loop without barriers, so that iterations cannot be distinguished; in all " + first(wrong);
    else if (!share().sizes_assumed.empty() && !more && !never_so_many(meant))
      r.reason = coded<Why::unknown_sizes>(first(wrong), share().sizes_assumed);
    else
      r.verdict = Verdict::differs;
    r.difference = r.verdict == Verdict::differs ? first(wrong) : "";
  }
  if (!readings.empty()) r.reason = coded<Why::several_readings>(readings);
  return r;
}

}  // namespace lanescope::claims
