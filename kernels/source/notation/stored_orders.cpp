#include "kernels/source/notation/stored_orders.h"

#include <algorithm>
#include <utility>

#include "kernels/base/text.h"
#include "kernels/source/notation/bracket_list.h"

namespace lanescope::source {
namespace {
constexpr std::size_t longest_order_line = 300;
}  // namespace

std::optional<StoredOrder> StoredOrders::stated(const CommentLine& line, int f, bool behind_code) const {
  if (f < 0) return std::nullopt;
  if (auto order = transposed(line, f, behind_code)) return order;
  return behind_code ? std::nullopt : major(line, f);
}

const SharedArray* StoredOrders::used_by_statement(const CommentLine& l, int f, bool behind_code) const {
  const int first = lexed_.last_before(l.offset) + (behind_code ? 0 : 1);
  const auto meant = [&](int token) -> const SharedArray* {
    for (const SharedArray& a : arrays_)
      if (lexed_.is(token, a.name) && (a.function < 0 || a.function == f)) return &a;
    return nullptr;
  };
  if (behind_code) {
    const SharedArray* out = nullptr;
    for (int k = first; k >= 0 && lexed_.token(k).line == l.line; --k)
      if (const SharedArray* a = meant(k)) out = a;
    return out;
  }
  for (int k = first; k < lexed_.count() && lexed_.token(k).line <= l.line + 3 && !lexed_.is(k, ";"); ++k)
    if (const SharedArray* a = meant(k)) return a;
  return nullptr;
}

std::optional<StoredOrder> StoredOrders::transposed(const CommentLine& l, int f, bool behind_code) const {
  const std::string words = lower(l.text);
  const std::size_t at = words.find("transpose");
  if (at == std::string::npos || f < 0 || words.size() > longest_order_line) return std::nullopt;
  for (const std::string_view other : {" not ", "n't ", " no ", "before", "without", "avoid", " if ", " or ",
                                       "untransposed", "non-transposed", "back", "instead", "global", "again"})
    if ((" " + words + " ").find(other) != std::string::npos &&
        !(other == "global" && words.find("shared") != std::string::npos))
      return std::nullopt;
  const SharedArray* array = nullptr;
  bool axes_written = false;
  std::vector<std::string> parts = {"col", "row"};
  if (behind_code) {
    array = stored_on(l, f);
    std::string_view rest = trimmed(std::string_view(words).substr(at + 9));
    if (rest.starts_with("d")) rest = trimmed(rest.substr(1));
    const bool plain = at == 0 && std::ranges::all_of(rest, is_word);
    if (array == nullptr || !plain) return std::nullopt;
  } else if (at == 0 && !words.starts_with("transposed")) {
    array = transposed_while(l, f);
    if (array == nullptr) return std::nullopt;
  } else {
    std::size_t end = at;
    while (end < words.size() && is_letter(words[end])) ++end;
    if (words.substr(at, end - at) != "transposed") return std::nullopt;
    array = with_axes(l, f, at, parts);
    axes_written = array != nullptr;
    if (array == nullptr) array = transposed_by_sentence(l, f, at);
    if (array == nullptr) array = written_next(l, f, at);
    if (array == nullptr) return std::nullopt;
  }
  std::vector<std::int64_t> extents = extents_apart(*array);
  if (array->pointer || extents.size() < 2 || extents.size() > 3 || (array->flat && array->factors.empty()))
    return std::nullopt;
  if (array->line == l.line && !axes_written) return std::nullopt;
  if (array->flat && !axes_written && !in_stored_order(*array, f, extents)) return std::nullopt;
  return StoredOrder{array, std::move(parts), std::move(extents)};
}

std::optional<StoredOrder> StoredOrders::major(const CommentLine& l, int f) const {
  const std::string words = lower(l.text);
  for (const SharedArray& a : arrays_) {
    if (a.pointer || a.flat || a.extents.size() != 2 || (a.function >= 0 && a.function != f)) continue;
    std::size_t at = l.text.find(a.name + "[");
    if (at == std::string_view::npos) continue;
    const std::string_view before = trimmed(std::string_view(words).substr(0, at));
    const bool columns = before.ends_with("in col major") || before.ends_with("in column major") ||
                         before.ends_with("in column-major") || before.ends_with("in col-major");
    const bool rows = before.ends_with("in row major") || before.ends_with("in row-major");
    if (columns == rows || before.find("not ") != std::string_view::npos ||
        before.find("stor") == std::string_view::npos)
      continue;
    at += a.name.size();
    const std::vector<std::string> written = list_of(l.text, at);
    if (written.size() != 2 || trimmed(l.text.substr(at)).size() > 1) continue;
    return StoredOrder{&a, columns ? std::vector<std::string>{"col", "row"} : std::vector<std::string>{"row", "col"},
                       a.extents};
  }
  return std::nullopt;
}

const SharedArray* StoredOrders::transposed_while(const CommentLine& l, int f) const {
  std::vector<std::string_view> w;
  std::string_view rest = trimmed(l.text);
  while (!rest.empty() && w.size() < 6) {
    std::size_t end = 0;
    while (end < rest.size() && !is_blank(rest[end])) ++end;
    w.push_back(rest.substr(0, end));
    rest = trimmed(rest.substr(end));
  }
  if (w.size() < 4 || w.size() > 5 || !rest.empty() || w[2] != "while") return nullptr;
  if (!one_of(w[3], {"loading", "storing", "writing", "copying"}) || (w.size() == 5 && w[4] != "it")) return nullptr;
  return array_of(w[1], f);
}

const SharedArray* StoredOrders::written_next(const CommentLine& l, int f, std::size_t at) const {
  const std::string words = lower(l.text);
  std::string_view rest = trimmed(std::string_view(words).substr(at + 10));
  if (!rest.starts_with("write ") && !rest.starts_with("store ")) return nullptr;
  if (rest.find("shared") == std::string_view::npos && rest.find("smem") == std::string_view::npos) return nullptr;
  const int first = lexed_.last_before(l.offset) + 1;
  return first < lexed_.count() && lexed_.token(first).line <= l.line + 3 ? stored_from(first, f) : nullptr;
}

const SharedArray* StoredOrders::array_of(std::string_view name, int f) const {
  for (const SharedArray& a : arrays_)
    if (a.name == name && (a.function < 0 || a.function == f)) return &a;
  const auto& parameters = outline_.functions[static_cast<std::size_t>(f)].info.parameters;
  if (std::ranges::none_of(parameters, [&](const Parameter& p) { return p.name == name; })) return nullptr;
  const SharedArray* out = nullptr;
  for (const SharedArray& a : arrays_) {
    if (a.pointer || (a.function >= 0 && a.function != f) || core_of(a.name) != lower(name)) continue;
    if (out != nullptr) return nullptr;
    out = &a;
  }
  return out;
}

bool StoredOrders::in_stored_order(const SharedArray& a, int f, std::vector<std::int64_t>& extents) const {
  const FunctionRange& in = outline_.functions[static_cast<std::size_t>(f)];
  std::int64_t& outer = extents[extents.size() - 2];
  std::int64_t& inner = extents.back();
  if (outer == inner) return true;
  std::optional<std::int64_t> step;
  for (int k = in.open + 1; k < in.close; ++k) {
    if (!lexed_.is(k, a.name) || !lexed_.is(k + 1, "[") || !lexed_.is(lexed_.partner(k + 1) + 1, "=")) continue;
    int star = -1;
    for (int t = k + 2; t < lexed_.partner(k + 1); t = std::max(t + 1, lexed_.partner(t) + 1))
      if (lexed_.is(t, "*")) star = t;
    if (star < 0) return false;
    const ConstantValue v = evaluate(lexed_.of(star + 1), values_);
    if (!v || (step && *step != *v)) return false;
    step = *v;
  }
  if (!step || (*step != outer && *step != inner)) return false;
  if (*step == outer) std::swap(outer, inner);
  return true;
}

const SharedArray* StoredOrders::stored_on(const CommentLine& l, int f) const {
  int first = lexed_.last_before(l.offset);
  while (first > 0 && lexed_.token(first - 1).line == l.line) --first;
  return stored_from(first, f);
}

const SharedArray* StoredOrders::stored_from(int first, int f) const {
  const SharedArray* out = nullptr;
  int k = first + 1;
  while (lexed_.is(k, "[") && lexed_.partner(k) > k) k = lexed_.partner(k) + 1;
  if (k == first + 1 || !lexed_.is(k, "=")) return nullptr;
  for (const SharedArray& a : arrays_)
    if (lexed_.is(first, a.name) && (a.function < 0 || a.function == f)) out = &a;
  return out;
}

bool StoredOrders::is_row_of(std::string_view a, std::string_view b) {
  constexpr std::string_view order = "mkn";
  return a.size() == 1 && b.size() == 1 && a != b && order.find(a) != std::string_view::npos &&
         order.find(b) != std::string_view::npos;
}

const SharedArray* StoredOrders::with_axes(const CommentLine& l, int f, std::size_t from,
                                           std::vector<std::string>& parts) const {
  for (const SharedArray& a : arrays_) {
    if (a.function >= 0 && a.function != f) continue;
    for (std::size_t at = l.text.find(a.name + "[", from); at != std::string_view::npos;
         at = l.text.find(a.name + "[", at + 1)) {
      if (at > 0 && is_word(l.text[at - 1])) continue;
      std::size_t end = at + a.name.size();
      const std::vector<std::string> named = list_of(l.text, end);
      if (named.size() != 2 || (!is_row_of(named[0], named[1]) && !(is_axis(named[0]) && is_axis(named[1])))) continue;
      parts = named;
      return &a;
    }
  }
  return nullptr;
}

bool StoredOrders::is_axis(std::string_view s) { return one_of(lower(s), {"row", "col", "column", "i", "j"}); }

const SharedArray* StoredOrders::transposed_by_sentence(const CommentLine& l, int f, std::size_t at) const {
  const std::string words = lower(l.text);
  std::string_view before = trimmed(std::string_view(words).substr(0, at));
  for (const std::string_view w : {"stored", "kept", "held", "saved", "now", "written", "already"})
    if (before.ends_with(w)) before = trimmed(before.substr(0, before.size() - w.size()));
  if (before.ends_with(" is"))
    before = before.substr(0, before.size() - 3);
  else
    return nullptr;
  std::size_t begin = before.size();
  while (begin > 0 && is_word(before[begin - 1])) --begin;
  const std::string_view name = l.text.substr(begin, before.size() - begin);
  for (const SharedArray& a : arrays_)
    if (a.name == name && (a.function < 0 || a.function == f)) return &a;
  const std::string behind = words.substr(at + 10);
  const bool storing = behind.find("stor") != std::string::npos || behind.find("load") != std::string::npos ||
                       behind.find("shared") != std::string::npos || behind.find("smem") != std::string::npos;
  return storing ? array_of(name, f) : nullptr;
}

std::string StoredOrders::core_of(std::string_view name) {
  std::string n = lower(name);
  for (const std::string_view w : {"shared", "smem", "sram", "tile", "_sub", "sub"})
    if (const std::size_t at = n.find(w); at != std::string::npos) n.erase(at, w.size());
  while (n.starts_with("_")) n.erase(0, 1);
  while (n.ends_with("_")) n.pop_back();
  if (n.starts_with("s_")) n.erase(0, 2);
  if (n.ends_with("_s")) n.resize(n.size() - 2);
  if (n.size() == 2 && n.front() == 's') n.erase(0, 1);
  if (n.size() == 2 && n.back() == 's') n.pop_back();
  return n;
}

}  // namespace lanescope::source
