#include "kernels/source/notation/subarray_comments.h"

#include <algorithm>
#include <array>
#include <optional>

#include <fmt/format.h>

#include "kernels/base/text.h"
#include "kernels/source/cxx/comments.h"
#include "kernels/source/cxx/number_types.h"

namespace lanescope::source {
namespace {

using Owner = SubarrayClaim::Owner;
constexpr std::size_t longest_saying_line = 400;

struct Saying {
  Owner owner = Owner::block;
  std::size_t shape_at = 0;  ///< of "shape" or of "one element"
  std::size_t at = 0;        ///< of "each"
};

/// The next word at or after `i`; `i` becomes its end.
std::string_view next_word(std::string_view s, std::size_t& i) {
  while (i < s.size() && !is_word(s[i])) ++i;
  const std::size_t begin = i;
  while (i < s.size() && is_word(s[i])) ++i;
  return s.substr(begin, i - begin);
}

/// Whether nothing stands between the verb and the size but words such as "a subarray of": a size further on is that of
/// something else.
bool leads_to(std::string_view between, bool shape) {
  for (std::size_t i = 0; i < between.size();) {
    const std::string_view word = next_word(between, i);
    const bool small = one_of(
        word, {"a",   "an",       "the",   "one",  "its",  "own",   "on",    "of",    "with",   "in",   "contiguous",
               "sub", "subarray", "array", "tile", "part", "piece", "chunk", "slice", "region", "block"});
    if (!word.empty() && (!shape || !small)) return false;
  }
  return true;
}

/// `words` in lower case.
std::optional<Saying> saying_in(std::string_view words, std::size_t from) {
  for (std::size_t i = from; i < words.size();) {
    const std::string_view each = next_word(words, i);
    if (!one_of(each, {"each", "every"})) continue;
    Saying out;
    out.at = static_cast<std::size_t>(each.data() - words.data());
    std::size_t k = i;
    std::string_view owner = next_word(words, k);
    if (owner == "cuda") owner = next_word(words, k);
    if (owner == "thread") {
      std::size_t ahead = k;
      if (next_word(words, ahead) == "block") owner = "block", k = ahead;
    }
    if (one_of(owner, {"block", "threadblock", "cta"})) {
      out.owner = Owner::block;
    } else if (owner == "warp") {
      out.owner = Owner::warp;
    } else if (owner == "thread" || owner == "lane") {
      out.owner = Owner::thread;
    } else {
      continue;
    }
    const std::string_view verb = next_word(words, k);
    if (!one_of(verb, {"processes", "handles", "works", "owns", "covers", "accesses"})) continue;
    const std::size_t end = std::min(words.find(". ", k), words.size());
    const std::size_t next = std::min(words.find("each ", k), end);
    const std::string_view rest = words.substr(k, next - k);
    for (const std::string_view what : {"shape", "one element", "a single element"}) {
      const std::size_t at = rest.find(what);
      if (at == std::string_view::npos || !leads_to(rest.substr(0, at), what == "shape")) continue;
      out.shape_at = k + at;
      return out;
    }
  }
  return std::nullopt;
}

struct PointerName {
  std::string name, type;
};

class SubarrayReader {
 public:
  SubarrayReader(const Lexed& lexed, const Outline& outline, const Values& values)
      : lexed_(lexed), outline_(outline), values_(values), lines_(comment_lines(lexed)) {}

  std::vector<Subarray> run() {
    for (std::size_t i = 0; i < lines_.size(); ++i) {
      if (lines_[i].text.size() > longest_saying_line) continue;
      const std::string words = lower(lines_[i].text);
      std::size_t from = 0;
      while (const std::optional<Saying> s = saying_in(words, from)) {
        read(i, *s);
        from = s->shape_at;
      }
    }
    return std::move(out_);
  }

 private:
  const FunctionRange* function_of(const CommentLine& l) const {
    const int anchor = lexed_.last_before(l.offset);
    if (const int around = anchor >= 0 ? outline_.function_at(anchor) : -1; around >= 0)
      return &outline_.functions[static_cast<std::size_t>(around)];
    const FunctionRange* next = nullptr;
    for (const FunctionRange& f : outline_.functions)
      if (f.head > anchor && (next == nullptr || f.head < next->head)) next = &f;
    return next != nullptr && next->info.is_kernel ? next : nullptr;
  }

  /// What a comment says about the whole array behind a pointer: "'p' points to a shape (32,128,1024) array".
  std::optional<StatedArray> whole_of(std::string_view pointer) const {
    for (const CommentLine& l : lines_) {
      if (l.text.size() > longest_saying_line) continue;
      if (l.text.starts_with("before") || l.text.starts_with("after")) continue;
      const std::string words = lower(l.text);
      const std::optional<Saying> s = saying_in(words, 0);
      for (std::size_t at = l.text.find(pointer); at != std::string_view::npos; at = l.text.find(pointer, at + 1)) {
        const std::size_t shape = words.find("shape", at);
        if (shape == std::string::npos || (s && s->at < shape)) break;
        const bool alone = (at == 0 || !is_word(l.text[at - 1])) && !is_word(l.text[at + pointer.size()]);
        const std::string_view between = l.text.substr(at, shape - at);
        if (!alone || between.find(';') != std::string_view::npos || between.find(". ") != std::string_view::npos)
          continue;
        const std::string_view rest = l.text.substr(shape);
        const std::size_t stop = std::min({rest.find(';'), rest.find(". "), rest.size()});
        if (const auto stated = read_stated_array(rest.substr(0, stop), values_)) return *stated;
      }
    }
    return std::nullopt;
  }

  void read(std::size_t i, const Saying& s) {
    const CommentLine& l = lines_[i];
    const FunctionRange* f = function_of(l);
    if (f == nullptr) return;
    Subarray out;
    out.claim.owner = s.owner;
    out.claim.function = f->info.name;
    out.claim.text = l.text;
    out.claim.place = {l.line, l.column + static_cast<int>(s.at)};
    const auto part = read_stated_array(l.text.substr(s.shape_at), values_);
    if (!part) {
      out.claim.unchecked_reason = coded<Why::unread_comment>(part.error());
    } else {
      out.part = *part;
      out.claim.shape = part->shape;
      find_whole(out, *f, l.text.substr(s.shape_at));
    }
    // "each thread handles one element" of no array that a comment describes is plain prose.
    if (out.claim.unchecked_reason.code == Why::shape_not_stated && out.claim.shape.empty()) return;
    out.part.line = l.line;
    out.part.column = l.column + static_cast<int>(s.shape_at);
    const std::size_t end = std::min({l.text.find(')', s.shape_at), l.text.find(". ", s.shape_at), l.text.size() - 1});
    out.part.text = l.text.substr(s.shape_at, end + 1 - s.shape_at);
    out.claim.shape = out.part.shape;
    out.claim.whole_shape = out.whole.shape;
    out.claim.whole_strides = out.whole.strides;
    if (const auto type = number_type(out.pointee)) out.claim.element_bytes = type->bytes;
    out_.push_back(std::move(out));
  }

  void find_whole(Subarray& out, const FunctionRange& f, std::string_view behind) const {
    std::vector<std::pair<const Parameter*, StatedArray>> fitting;
    for (const Parameter& p : f.info.parameters) {
      if (p.type.find('*') == std::string::npos) continue;
      bool named = false;
      for (std::size_t at = behind.find(p.name); at != std::string_view::npos; at = behind.find(p.name, at + 1)) {
        const bool alone = (at == 0 || !is_word(behind[at - 1])) &&
                           (at + p.name.size() >= behind.size() || !is_word(behind[at + p.name.size()]));
        named = named || (alone && at > 0 && behind.find(')') < at);
      }
      const std::optional<StatedArray> whole = whole_of(p.name);
      if (named && !whole) {
        out.claim.pointer = p.name;
        out.claim.unchecked_reason =
            coded<Why::shape_not_stated>(fmt::format("no comment states the shape of the whole array `{}`", p.name));
        return;
      }
      if (!whole || (!out.part.shape.empty() && whole->shape.size() != out.part.shape.size())) continue;
      if (named) fitting.clear();
      fitting.emplace_back(&p, *whole);
      if (named) break;
    }
    if (fitting.size() != 1) {
      out.claim.unchecked_reason =
          fitting.empty()
              ? coded<Why::shape_not_stated>("no comment states the shape of a whole array with as many axes")
              : coded<Why::no_array_named>(
                    fmt::format("several arrays have a shape with {} axes; name the pointer", out.part.shape.size()));
      return;
    }
    const auto& [parameter, whole] = fitting.front();
    out.claim.pointer = parameter->name;
    out.pointee = parameter->type.substr(0, parameter->type.find('*'));
    for (const std::string_view word : {"const ", "volatile ", " const"})
      if (const std::size_t at = out.pointee.find(word); at != std::string::npos) out.pointee.erase(at, word.size());
    out.pointee = std::string(trimmed(out.pointee));
    out.whole = whole;
    if (out.part.shape.empty()) out.part.shape.assign(whole.shape.size(), 1);
    out.part.strides = whole.strides;
    for (std::size_t d = 0; d < whole.shape.size(); ++d)
      if (out.part.shape[d] > whole.shape[d])
        out.claim.unchecked_reason = coded<Why::larger_than_array>(d, out.part.shape[d], whole.shape[d]);
  }

  const Lexed& lexed_;
  const Outline& outline_;
  const Values& values_;
  std::vector<CommentLine> lines_;
  std::vector<Subarray> out_;
};

}  // namespace

std::vector<Subarray> subarrays(const Lexed& lexed, const Outline& outline, const Values& values) {
  return SubarrayReader(lexed, outline, values).run();
}

}  // namespace lanescope::source
