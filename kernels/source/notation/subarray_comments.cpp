#include "kernels/source/notation/comment_readers.h"

#include <algorithm>
#include <map>
#include <optional>

#include <fmt/format.h>

#include "kernels/base/text.h"
#include "kernels/source/cxx/lexer.h"
#include "kernels/source/cxx/number_types.h"
#include "kernels/source/notation/phrases.h"

namespace lanescope::source {
namespace {

constexpr std::size_t longest_saying_line = 400;

struct Saying {
  Owner owner = Owner::block;
  std::size_t shape_at = 0;  ///< of "shape" or of "one element"
  std::size_t at = 0;        ///< of "each"
};

/// The first saying in `words` of a text whose shape is after byte `from`.
std::optional<Saying> saying_in(std::string_view text, const Words& words, std::size_t from) {
  for (std::size_t k = 0; k < words.size(); ++k) {
    const auto m = words[k].at < from ? std::nullopt : comment_phrases().at("subarray", words, k);
    if (!m) continue;
    const std::size_t verb = words[m->find("VERB")->first].end(), shape = words[m->find("SHAPE")->first].at;
    if (text.substr(verb, shape - verb).find(". ") != std::string_view::npos) continue;
    return Saying{.owner = m->has("BLOCK")  ? Owner::block
                           : m->has("WARP") ? Owner::warp
                                            : Owner::thread,
                  .shape_at = shape,
                  .at = words[k].at};
  }
  return std::nullopt;
}

class SubarrayReader {
 public:
  SubarrayReader(const Lexed& lexed, const Outline& outline, const Values& values)
      : lexed_(lexed), outline_(outline), values_(values), lines_(comment_lines(lexed)) {}

  std::vector<Subarray> run() {
    for (std::size_t i = 0; i < lines_.size(); ++i) {
      if (lines_[i].text.size() > longest_saying_line) continue;
      const Words words = plain_words_of(lines_[i].text);
      std::size_t from = 0;
      while (const std::optional<Saying> s = saying_in(lines_[i].text, words, from)) {
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

  /// A comment's statement about the whole array behind a pointer: "'p' points to a shape (32,128,1024) array".
  const std::optional<StatedArray>& whole_of(const std::string& pointer) const {
    const auto [known, fresh] = wholes_.try_emplace(pointer);
    if (fresh) known->second = read_whole(pointer);
    return known->second;
  }

  std::optional<StatedArray> read_whole(std::string_view pointer) const {
    for (const CommentLine& l : lines_) {
      if (l.text.size() > longest_saying_line) continue;
      if (l.text.starts_with("before") || l.text.starts_with("after")) continue;
      const std::string words = lower(l.text);
      const std::optional<Saying> s = saying_in(l.text, plain_words_of(l.text), 0);
      for (std::size_t at = find_word(l.text, pointer); at != std::string_view::npos;
           at = find_word(l.text, pointer, at + 1)) {
        const std::size_t shape = words.find("shape", at);
        if (shape == std::string::npos || (s && s->at < shape)) break;
        if (!entry_in(";|. ", l.text.substr(at, shape - at)).empty()) continue;
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
    Subarray out{.claim = claim_at({l.line, l.column + static_cast<int>(s.at)}, std::string(l.text))};
    out.claim.function = f->info.name;
    out.claim.variable = "subarray";
    const auto part = read_stated_array(l.text.substr(s.shape_at), values_);
    if (!part) {
      out.claim.unchecked_reason = coded<Why::unread_comment>(part.error());
    } else {
      out.part = *part;
      find_whole(out, *f, l.text.substr(s.shape_at));
    }
    // "each thread handles one element" of no array that a comment describes is plain prose.
    if (out.claim.unchecked_reason.code == Why::shape_not_stated && part->shape.empty()) return;
    out.part.line = l.line;
    out.part.column = l.column + static_cast<int>(s.shape_at);
    const std::size_t end = std::min({l.text.find(')', s.shape_at), l.text.find(". ", s.shape_at), l.text.size() - 1});
    out.part.text = l.text.substr(s.shape_at, end + 1 - s.shape_at);
    const auto type = number_type(out.pointee);
    out.claim.about = ArrayPart{.owner = s.owner,
                                .shape = out.part.shape,
                                .whole_shape = out.whole.shape,
                                .whole_strides = out.whole.strides,
                                .element_bytes = type ? type->bytes : 0};
    out_.push_back(std::move(out));
  }

  void find_whole(Subarray& out, const FunctionRange& f, std::string_view after) const {
    std::vector<std::pair<const Parameter*, StatedArray>> fitting;
    for (const Parameter& p : f.info.parameters) {
      if (p.type.find('*') == std::string::npos) continue;
      bool named = false;
      for (std::size_t at = find_word(after, p.name); at != std::string_view::npos;
           at = find_word(after, p.name, at + 1))
        named = named || after.find(')') < at;
      const std::optional<StatedArray>& whole = whole_of(p.name);
      if (named && !whole) {
        out.claim.variable = p.name;
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
    out.claim.variable = parameter->name;
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
  mutable std::map<std::string, std::optional<StatedArray>> wholes_;  ///< by pointer
  std::vector<Subarray> out_;
};

}  // namespace

std::vector<Subarray> subarrays(const Lexed& lexed, const Outline& outline, const Values& values) {
  return SubarrayReader(lexed, outline, values).run();
}

}  // namespace lanescope::source
