#include "kernels/source/notation/shares/work_forms.h"

#include <algorithm>

#include <fmt/format.h>

#include "kernels/base/text.h"

namespace lanescope::source {
namespace {

using Owner = SubarrayClaim::Owner;
using Verb = WorkShare::Verb;
using Unit = WorkShare::Unit;
using Words = std::vector<Piece>;
using ValuesOf = std::function<const Values&()>;

bool at_word(const Words& w, std::size_t k, std::initializer_list<std::string_view> words) {
  return k < w.size() && std::ranges::find(words, std::string_view(w[k].low)) != words.end();
}

void skip(const Words& w, std::size_t& k, std::initializer_list<std::string_view> words) {
  while (at_word(w, k, words)) ++k;
}

/// "each thread (block)" at `k`.
std::optional<Owner> each_owner_at(const Words& w, std::size_t& k) {
  if (!at_word(w, k, {"each", "every", "one", "a"})) return std::nullopt;
  ++k;
  return owner_at(w, k);
}

void put_extent(WorkStatement& out, bool rows, const Values& values, std::string_view name) {
  const auto v = values.find(name);
  if (v == values.end()) out.problem = fmt::format("`{}` has no known value", name);
  out.share.unit = Unit::box;
  out.share.count = v == values.end() ? 0 : v->second;
  (rows ? out.share.rows : out.share.cols) = out.share.count;
  out.share.ordered = true;
}

/// "height of block of C that each thread block calculates", "M dim of continuous tile computed by each warp".
std::optional<WorkStatement> extent_of_parameter(const Words& w, std::size_t k, std::string_view parameter,
                                                 const ValuesOf& values) {
  if (parameter.empty()) return std::nullopt;
  WorkStatement out;
  out.first = k;
  skip(w, k, {"the", "-", ":"});
  bool rows = false;
  bool dim = false;
  if (at_word(w, k, {"height", "width"})) {
    rows = w[k++].low == "height";
  } else if (k + 1 < w.size() && (w[k].text == "M" || w[k].text == "N") &&
             at_word(w, k + 1, {"dim", "dimension", "extent", "size"})) {
    rows = w[k].text == "M";
    dim = true;
    k += 2;
  } else {
    return std::nullopt;
  }
  if (!at_word(w, k, {"of"})) return std::nullopt;
  ++k;
  skip(w, k, {"the", "a", "continuous", "contiguous"});
  if (!at_word(w, k, {"block", "tile", "submatrix", "subtile", "sub", "patch"})) return std::nullopt;
  ++k;
  skip(w, k, {"-", "matrix", "tile", "block"});
  if (at_word(w, k, {"of"})) {
    out.array = k + 1;  // "of C"
    k += 2;
    if (k > w.size()) return std::nullopt;
  }
  skip(w, k, {"that", "which", "is"});
  std::optional<Verb> verb;
  std::optional<Owner> owner;
  if (k < w.size() && (verb = work_verb(w[k].low)) && at_word(w, k + 1, {"by"})) {
    k += 2;
    owner = each_owner_at(w, k);
  } else {
    owner = each_owner_at(w, k);
    skip(w, k, {"will"});
    if (k >= w.size()) return std::nullopt;
    verb = work_verb(w[k].low);
    ++k;
  }
  if (!owner || !verb || (dim && *verb != Verb::writes)) return std::nullopt;
  out.owner = *owner;
  out.share.verb = *verb;
  out.share.loose = *verb != Verb::writes;
  out.share.computed = true;
  out.tail = k;
  put_extent(out, rows, values(), parameter);
  return out;
}

/// "The per-thread tile size for M dimension."
std::optional<WorkStatement> per_owner_size(const Words& w, std::size_t k, std::string_view parameter,
                                            const ValuesOf& values) {
  if (parameter.empty()) return std::nullopt;
  WorkStatement out;
  out.first = k;
  skip(w, k, {"the"});
  if (!at_word(w, k, {"per"}) || !at_word(w, k + 1, {"-"})) return std::nullopt;
  k += 2;
  const std::optional<Owner> owner = owner_at(w, k);
  if (!owner || !at_word(w, k, {"tile"}) || !at_word(w, k + 1, {"size"}) || !at_word(w, k + 2, {"for", "in"}))
    return std::nullopt;
  k += 3;
  skip(w, k, {"the"});
  if (k + 1 >= w.size() || (w[k].text != "M" && w[k].text != "N") || !at_word(w, k + 1, {"dim", "dimension"}))
    return std::nullopt;
  out.owner = *owner;
  out.share.verb = Verb::writes;
  // Tiles of a warp may be computed in several passes, of which each has a tile of this size.
  out.share.loose = true;
  put_extent(out, w[k].text == "M", values(), parameter);
  out.tail = k + 2;
  return out;
}

/// "m128n64k8": the first two numbers.
std::optional<std::pair<std::int64_t, std::int64_t>> mnk(std::string_view s) {
  std::int64_t numbers[3] = {0, 0, 0};
  std::size_t at = 0;
  for (std::size_t n = 0; n < 3; ++n) {
    if (at >= s.size() || s[at] != "mnk"[n]) return std::nullopt;
    const std::size_t begin = ++at;
    while (at < s.size() && is_digit(s[at]) && at - begin < 6) numbers[n] = numbers[n] * 10 + (s[at++] - '0');
    if (at == begin) return std::nullopt;
  }
  if (at != s.size()) return std::nullopt;
  return std::pair(numbers[0], numbers[1]);
}

/// "warp tile: m32n64k8", all of the line.
std::optional<WorkStatement> tile_of_product(const Words& w) {
  WorkStatement out;
  std::size_t k = 0;
  skip(w, k, {"*", "-"});
  out.first = k;
  const std::optional<Owner> owner = owner_at(w, k);
  if (!owner || !at_word(w, k, {"tile"}) || !at_word(w, k + 1, {":", "="}) || k + 3 != w.size()) return std::nullopt;
  const auto extents = mnk(w[k + 2].low);
  if (!extents) return std::nullopt;
  out.owner = *owner;
  out.share.verb = Verb::writes;
  out.share.unit = Unit::box;
  out.share.ordered = true;
  out.share.computed = true;
  out.share.rows = extents->first;
  out.share.cols = extents->second;
  out.share.count = out.share.rows * out.share.cols;
  out.tail = k + 3;
  return out;
}

/// "one warp one row".
std::optional<WorkStatement> one_one(const Words& w) {
  WorkStatement out;
  std::size_t k = 0;
  if (!at_word(w, k, {"one", "1"})) return std::nullopt;
  ++k;
  const std::optional<Owner> owner = owner_at(w, k);
  if (!owner || !at_word(w, k, {"one", "1"}) || k + 2 != w.size()) return std::nullopt;
  ++k;
  const std::string& noun = w[k].low;
  if (noun != "row" && noun != "column" && noun != "element") return std::nullopt;
  out.owner = *owner;
  out.share.count = 1;
  out.share.unit = noun == "row" ? Unit::rows : noun == "column" ? Unit::columns : Unit::elements;
  out.tail = k + 1;
  return out;
}

/// "2 half elements per thread", "process 4 * 32 elements per warp", "we load 4 elements per thread at each step".
std::optional<WorkStatement> per_owner(const Words& w, const ValuesOf& values) {
  const auto per = std::ranges::find(w, "per", &Piece::low);
  if (per == w.end() || per == w.begin()) return std::nullopt;
  const auto per_at = static_cast<std::size_t>(per - w.begin());
  std::size_t end = per_at + 1;
  const std::optional<Owner> owner = owner_at(w, end);
  if (!owner) return std::nullopt;
  // What follows may only say that it happens again and again.
  std::size_t rest = end;
  if (at_word(w, rest, {"at", "in", "for", "per"}) && rest + 1 < w.size()) ++rest;
  skip(w, rest, {"each", "every", "a", "one"});
  const bool again = at_word(w, rest, {"step", "iteration", "time", "load", "pass"}) && rest + 1 == w.size();
  const bool purpose = at_word(w, end, {"for", "so", "to"}) && !at_word(w, end + 1, {"each", "every"}) &&
                       !has_bad_word(w, end, w.size());
  if (end != w.size() && !again && !purpose) return std::nullopt;
  WorkStatement out;
  out.owner = *owner;
  out.share.loose = true;
  std::size_t k = 0;
  for (std::size_t n = 0; n < per_at; ++n)
    if (w[n].text == "=") k = n + 1;  // "128bit / 32bit = 4 elements"
  const bool computed = k > 0;
  const std::size_t first = k;
  if (!computed) skip(w, k, {"we", "'", "ll", "will", "so", "to", "handle"});
  if (k < per_at)
    if (const auto verb = work_verb(w[k].low)) {
      out.share.verb = *verb;
      ++k;
    }
  if (computed) {
    out.share.verb = Verb::reads;
    bool loads = false;
    for (std::size_t n = 0; n < first; ++n) loads = loads || work_verb(w[n].low) == Verb::reads;
    if (!loads) return std::nullopt;
  }
  if (again && out.share.verb != Verb::reads) return std::nullopt;
  out.first = first;
  Quantity q = quantity(w, k, values());
  if (q.factors.empty() || q.by || (q.word && q.product() == 1 && !at_word(w, k, {"token", "row"})))
    return std::nullopt;
  while (k + 1 < per_at && (is_filler(w[k].low) || at_word(w, k, {"half", "bf16", "fp8", "consecutive"}))) ++k;
  if (k + 1 != per_at) return std::nullopt;
  const std::string& noun = w[k].low;
  if (one_of(noun, {"row", "rows", "token", "tokens"})) {
    out.share.unit = Unit::rows;
  } else if (is_element_word(noun) && bytes_of_unit(noun) == 0) {
    out.share.unit = Unit::elements;
  } else {
    return std::nullopt;
  }
  out.share.count = q.product();
  out.problem = q.problem;
  out.tail = w.size();
  return out;
}

}  // namespace

std::optional<WorkStatement> other_work_statement(const Words& words, std::string_view parameter,
                                                  const ValuesOf& values) {
  if (words.empty()) return std::nullopt;
  std::size_t begin = 0;
  std::string_view named = parameter;
  if (words[0].text == "@" && words.size() > 3 && (words[1].low == "tparam" || words[1].low == "param")) {
    named = words[2].text;
    begin = 3;
  }
  if (auto s = extent_of_parameter(words, begin, named, values)) return s;
  if (auto s = per_owner_size(words, begin, named, values)) return s;
  if (begin > 0) return std::nullopt;
  if (auto s = tile_of_product(words)) return s;
  if (auto s = one_one(words)) return s;
  return per_owner(words, values);
}

}  // namespace lanescope::source
