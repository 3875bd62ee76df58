#include "kernels/source/notation/pointer_comments.h"

#include <algorithm>

#include "kernels/base/enum_size.h"
#include "kernels/source/cxx/lexer.h"
#include "kernels/source/notation/comment_readers.h"
#include "kernels/source/notation/phrases.h"

namespace lanescope::source {
namespace {

struct Depends {
  bool block = false, warp = false, thread = false;
  void operator|=(const Depends& o) { block |= o.block, warp |= o.warp, thread |= o.thread; }
};

constexpr int longest_statement = 2000;  ///< tokens; what is longer is no offset of a pointer

std::string pointee_of(std::string type) {
  const std::size_t star = type.find_first_of("*[");
  type = type.substr(0, star);
  std::string out;
  const Lexed words = lex(type);
  for (int i = 0; i < words.count(); ++i) {
    if (words.is(i, "const") || words.is(i, "volatile") || words.is(i, "__restrict__") || words.is(i, "restrict"))
      continue;
    out += (out.empty() ? "" : " ") + std::string(words.of(i));
  }
  return out;
}

class FunctionReader {
 public:
  FunctionReader(const Lexed& lexed, const FunctionRange& function, PointerComments& out)
      : lexed_(lexed), function_(function), out_(out) {
    for (const Parameter& p : function.info.parameters) {
      if (p.type.find('*') == std::string::npos && p.type.find('[') == std::string::npos) continue;
      pointers_[p.name] = {p.name, pointee_of(p.type), {}};
      out_.made_from[{function.info.name, p.name}] = p.name;
    }
  }

  /// One of the function's statements; all in turn.
  void statement(const SimpleStatement& s) {
    int part = s.first;
    const bool declaration = lexed_.token(s.first).kind == TokenKind::identifier;
    for (int i = s.first; i <= s.last + 1; ++i) {
      if (i <= s.last && lexed_.partner(i) > i) {
        i = lexed_.partner(i);
      } else if (i == s.last + 1 || (declaration && lexed_.is(i, ","))) {
        assignment(s.first, part, i - 1);
        part = i + 1;
      }
    }
  }

 private:
  struct Pointer {
    std::string root, pointee;
    Depends depends;
  };

  /// `TYPE * NAME = ...`, `NAME = ...`, `NAME += ...`; further declarators of one statement share its type.
  void assignment(int statement_first, int first, int last) {
    int op = first;
    while (op <= last && !lexed_.is(op, "=") && !lexed_.is(op, "+=") && !lexed_.is(op, "(")) {
      if (lexed_.is(op, "+") && lexed_.is(op + 1, "=")) break;
      ++op;
    }
    if (op > last || lexed_.is(op, "(") || op == first) return;
    const bool adds = !lexed_.is(op, "=");
    const int value = lexed_.is(op, "+") ? op + 2 : op + 1;
    if (value > last || lexed_.token(op - 1).kind != TokenKind::identifier) return;
    const std::string name(lexed_.of(op - 1));
    Depends depends = depends_of(value, last);
    const auto known = pointers_.find(name);
    const bool bare = op - 1 == first && first == statement_first;
    if (adds && bare && known != pointers_.end()) {
      offset(name, name, op - 1, depends);
    } else if (const int from = base_pointer(value, last);
               !adds && from >= 0 && is_pointer(statement_first, op - 1, bare, known != pointers_.end())) {
      offset(name, std::string(lexed_.of(from)), op - 1, depends, value, last);
    } else {
      if (adds) depends |= locals_[name];
      locals_[name] = depends;
    }
  }

  bool is_pointer(int first, int name, bool bare, bool known) const {
    if (bare) return known;
    // The type ends where the first declarator has its value, in which a star is a product.
    for (int i = first; i < name && !lexed_.is(i, "=") && !lexed_.is(i, "("); ++i)
      if (lexed_.is(i, "*") || lexed_.is(i, "auto")) return true;
    return lexed_.is(name - 1, "*");
  }

  /// The pointer that a right-hand side offsets; -1 when its value is loaded, or no pointer is there.
  int base_pointer(int first, int last) const {
    if (lexed_.is(first, "*")) return -1;
    for (int i = first; i <= last; ++i) {
      if (lexed_.token(i).kind != TokenKind::identifier || !pointers_.contains(std::string(lexed_.of(i)))) continue;
      if (lexed_.is(i - 1, ".") || lexed_.is(i - 1, "->")) continue;
      if (lexed_.is(i + 1, "[") && !lexed_.is(i - 1, "&")) return -1;
      if (loaded(first, i)) return -1;
      for (int k = i - 1; k >= first; --k)
        if (lexed_.is(k, "*") && lexed_.is(k + 1, "(") && !lexed_.is(k + 2, "const") && lexed_.partner(k + 1) > i)
          return -1;
      return i;
    }
    return -1;
  }

  /// `((const float4*)p)[i]`, `reinterpret_cast<const float4*>(p)[i]`: what the brackets around token `i` hold is indexed.
  bool loaded(int first, int i) const {
    for (int open = i - 1; open >= first; --open) {
      if (!lexed_.is(open, "(") || lexed_.partner(open) < i) continue;
      const int close = lexed_.partner(open);
      if (!lexed_.is(close + 1, "[")) continue;
      int begin = open;  // of a cast's name
      while (begin > first && !lexed_.is(begin - 1, "&") && !lexed_.is(begin - 1, "(") && !lexed_.is(begin - 1, ","))
        --begin;
      return !lexed_.is(begin - 1, "&");
    }
    return false;
  }

  /// Whether a right-hand side is the pointer itself, under brackets, casts or `&p[0]`.
  bool is_view(int first, int last) const {
    if (first == last) return pointers_.contains(std::string(lexed_.of(first)));
    const int close = lexed_.partner(first);
    if (lexed_.is(first, "(") && close == last) return is_view(first + 1, last - 1);
    if (lexed_.is(first, "(") && close > first && close < last && lexed_.is(close - 1, "*"))
      return is_view(close + 1, last);
    if (lexed_.is(first, "&") && last == first + 4 && lexed_.is(first + 2, "[") && lexed_.is(first + 3, "0"))
      return is_view(first + 1, first + 1);
    if (!lexed_.of(first).ends_with("_cast") || !lexed_.is(first + 1, "<")) return false;
    const int open = lexed_.partner(last);
    return open > first && lexed_.is(open, "(") && lexed_.is(open - 1, ">") && is_view(open + 1, last - 1);
  }

  void offset(const std::string& pointer, const std::string& from, int token, Depends depends, int first = 0,
              int last = -1) {
    const Pointer base = pointers_[from];
    PointerOffset o{.function = function_.info.name,
                    .pointer = pointer,
                    .from = from,
                    .root = base.root,
                    .pointee = base.pointee,
                    .line = lexed_.token(token).line,
                    .column = lexed_.token(token).column};
    o.by_block = depends.block, o.by_warp = depends.warp, o.by_thread = depends.thread;
    o.view = first <= last && is_view(first, last);
    out_.offsets.push_back(std::move(o));
    Pointer made = base;
    made.depends |= depends;
    if (pointer != from) {
      out_.made_from[{function_.info.name, pointer}] = from;
      std::string own = declared_pointee(token);
      if (own.empty()) own = cast_pointee(first, last);
      if (!own.empty()) made.pointee = own;
    }
    pointers_[pointer] = std::move(made);
  }

  /// "const float4" of `const float4* q = ...`; empty for `auto` and plain assignments.
  std::string declared_pointee(int name) const {
    int first = name;
    while (first > function_.open + 1 && !lexed_.is(first - 1, ";") && !lexed_.is(first - 1, "{") &&
           !lexed_.is(first - 1, "}"))
      --first;
    if (first == name || lexed_.is(first, "auto") || lexed_.is(first + 1, "auto")) return {};
    return pointee_of(joined(lexed_, first, name - 1));
  }

  /// "float4" of `(const float4*)p`, `reinterpret_cast<const float4*>(p + i)`; empty: no cast is around the whole.
  std::string cast_pointee(int first, int last) const {
    int end = lexed_.is(first, "(") ? lexed_.partner(first) : first;
    if (lexed_.of(first).ends_with("_cast") && lexed_.is(first + 1, "<")) {
      while (end < last && !lexed_.is(end + 1, "(")) ++end;
      ++first;
    }
    return end <= last && lexed_.is(end - 1, "*") ? pointee_of(joined(lexed_, first + 1, end - 1)) : std::string();
  }

  Depends depends_of(int first, int last) const {
    Depends out;
    for (int i = first; i <= last; ++i) {
      if (lexed_.token(i).kind != TokenKind::identifier || lexed_.is(i - 1, ".")) continue;
      if (lexed_.is(i, "blockIdx")) {
        out.block = true;
      } else if (lexed_.is(i, "threadIdx")) {
        const bool x = lexed_.is(i + 2, "x");
        const bool shifted = (lexed_.is(i + 3, ">>") && lexed_.is(i + 4, "5")) ||
                             (lexed_.is(i + 3, "/") && lexed_.is(i + 4, "32")) ||
                             (lexed_.is(i + 3, ">") && lexed_.is(i + 4, ">") && lexed_.is(i + 5, "5"));
        (x && !shifted ? out.thread : out.warp) = true;
      } else if (const auto local = locals_.find(std::string(lexed_.of(i))); local != locals_.end()) {
        // `thread / 32` and `thread >> 5` of a local are the warp's number.
        const bool shifted =
            lexed_.is(i + 2, "32") || lexed_.is(i + 2, "5") || (lexed_.is(i + 1, ">") && lexed_.is(i + 3, "5"));
        Depends d = local->second;
        if (d.thread && shifted && (lexed_.is(i + 1, "/") || lexed_.of(i + 1).starts_with('>')))
          d.thread = false, d.warp = true;
        out |= d;
      }
    }
    return out;
  }

  const Lexed& lexed_;
  const FunctionRange& function_;
  PointerComments& out_;
  std::map<std::string, Pointer> pointers_;
  std::map<std::string, Depends> locals_;
};

// --- comments --------------------------------------------------------------------------------------------------------

OffsetStage stage_in(std::string_view text) {
  const std::string words = lower(text);
  constexpr std::pair<OffsetStage, std::string_view> forms[] = {
      {OffsetStage::thread, "per-thread|per thread|thread offset|thread's offset|each thread"},
      {OffsetStage::warp, "per-warp|per warp|warp offset|warp's offset|each warp"},
      {OffsetStage::block, "per-block|per block|block offset|block's offset|each block"}};
  for (const auto& [stage, form] : forms)
    if (!entry_in(form, words).empty()) return stage;
  return OffsetStage::none;
}

void state(PointerComment& comment, const CommentLine& l, bool before, std::size_t past, const Values& values) {
  std::size_t at = l.text.find_first_not_of(" \t:", past);
  if (at == std::string_view::npos) at = l.text.size();
  auto array = read_stated_array(l.text.substr(at), values);
  if (!array) {
    comment.problem = array.error();
    return;
  }
  array->line = l.line;
  array->column = l.column + static_cast<int>(at);
  (before ? comment.before : comment.after) = std::move(*array);
}

struct Place {
  PointerComment comment;
  std::uint32_t offset = 0;  ///< of its last line
};

std::vector<Place> comments_in(const Lexed& lexed, const Values& values) {
  std::vector<Place> out;
  int group = -1;
  bool open = false;
  OffsetStage stage = OffsetStage::none;
  for (const CommentLine& l : comment_lines(lexed)) {
    if (l.group != group) group = l.group, open = false, stage = OffsetStage::none;
    const std::string words = lower(l.text);
    const bool before = words.starts_with("before:") || words.starts_with("before ") || words.starts_with("before=");
    const bool after = words.starts_with("after:") || words.starts_with("after=");
    const bool stated = after || (before && words.find("shape") != std::string::npos) || words.starts_with("before:");
    if (!stated) {
      if (const OffsetStage s = stage_in(l.text); s != OffsetStage::none) stage = s;
      open = false;
      continue;
    }
    if (!open || (before && out.back().comment.before)) {
      out.push_back(
          {.comment = {.stage = stage, .before = {}, .after = {}, .line = l.line, .column = l.column, .problem = {}}});
      open = true;
    }
    out.back().offset = l.offset;
    state(out.back().comment, l, before, before ? 6 : 5, values);
  }
  return out;
}

bool same_owner(const PointerOffset& a, const PointerOffset& b) {
  return a.by_block == b.by_block && a.by_warp == b.by_warp && a.by_thread == b.by_thread;
}

/// A comment speaks of the first pointer statement after it and those that follow directly.
void bind(const Lexed& lexed, const Outline& outline, std::vector<Place>& places, PointerComments& out) {
  const auto first_of_line = [&](int line) {
    const auto at =
        std::partition_point(lexed.tokens.begin(), lexed.tokens.end(), [&](const Token& t) { return t.line < line; });
    return std::min(static_cast<int>(at - lexed.tokens.begin()), lexed.count() - 1);
  };
  for (std::size_t c = 0; c < places.size(); ++c) {
    const int start_token = lexed.last_before(places[c].offset);
    const int function = outline.function_at(std::max(start_token, 0));
    if (function < 0) continue;
    const std::uint32_t until =
        c + 1 < places.size() ? places[c + 1].offset : static_cast<std::uint32_t>(lexed.text.size());
    int previous_line = 0;
    std::vector<std::string> stated;  ///< pointers whose offsets the comment has stated
    auto at_first = out.offsets.end();
    const auto past = std::partition_point(out.offsets.begin(), out.offsets.end(), [&](const PointerOffset& o) {
      return o.line <= places[c].comment.line;
    });  // they are in text order
    for (auto at = past; at != out.offsets.end(); ++at) {
      PointerOffset& o = *at;
      const int token = first_of_line(o.line);
      if (lexed.token(token).offset > until) break;
      if (o.function != outline.functions[static_cast<std::size_t>(function)].info.name || o.comment >= 0) continue;
      if (o.view && previous_line == 0) continue;
      if (previous_line > 0) {  // anything but a pointer statement ends what the comment speaks of
        bool other = false;
        for (int i = token - 1; i >= 0 && lexed.token(i).line > previous_line; --i) other = other || lexed.is(i, ";");
        if (other) break;
      }
      previous_line = o.line;
      // A continuation of an offset of this comment is after the statement of the comment.
      const bool again = std::ranges::find(stated, o.from) != stated.end();
      if (again || o.view) {
        o.joined = again && o.pointer == o.from && same_owner(o, *at_first);
        if (again) stated.push_back(o.pointer);
        continue;
      }
      if (stated.empty()) at_first = at;
      o.comment = static_cast<int>(c);
      stated.push_back(o.pointer);
    }
  }
}

/// "each block processes ..." as the comment on an offset of the parameter itself.
void add(Subarray s, PointerComments& out) {
  PointerComment comment;
  constexpr OffsetStage stages[] = {OffsetStage::block, OffsetStage::warp, OffsetStage::thread};
  comment.stage = entry_for(stages, std::get<ArrayPart>(s.claim.about).owner);
  comment.line = s.claim.first_line;
  comment.column = s.claim.column;
  comment.problem = s.claim.unchecked_reason.words();
  comment.function = s.claim.function;
  s.whole.line = s.part.line;
  s.whole.column = s.part.column;
  comment.before = std::move(s.whole);
  comment.after = std::move(s.part);
  if (comment.problem.empty()) {
    PointerOffset o{.function = s.claim.function,
                    .pointer = s.claim.variable,
                    .from = s.claim.variable,
                    .root = s.claim.variable,
                    .pointee = s.pointee,
                    .line = comment.line,
                    .column = comment.column};
    o.comment = static_cast<int>(out.comments.size());
    o.whole = true;
    out.offsets.push_back(std::move(o));
  }
  out.comments.push_back(std::move(comment));
}

}  // namespace

std::string_view to_string(OffsetStage stage) {
  constexpr std::string_view names[] = {"grid", "block", "warp", "thread"};
  return entry_for(names, stage);
}

PointerComments pointer_comments(const Lexed& lexed, const Outline& outline, const Values& values) {
  PointerComments out;
  auto s = outline.statements.begin();
  for (std::size_t i = 0; i < outline.functions.size(); ++i) {
    const auto past = std::find_if(s, outline.statements.end(),
                                   [&](const SimpleStatement& x) { return x.function != static_cast<int>(i); });
    if (outline.functions[i].info.is_kernel) {
      FunctionReader reader(lexed, outline.functions[i], out);
      for (; s != past; ++s)
        if (s->last - s->first < longest_statement) reader.statement(*s);
    }
    s = past;
  }
  std::vector<Place> places = comments_in(lexed, values);
  bind(lexed, outline, places, out);
  for (const PointerOffset& o : out.offsets) {
    if (o.comment < 0) continue;
    OffsetStage& stage = places[static_cast<std::size_t>(o.comment)].comment.stage;
    if (stage == OffsetStage::none)
      stage = o.by_thread  ? OffsetStage::thread
              : o.by_warp  ? OffsetStage::warp
              : o.by_block ? OffsetStage::block
                           : OffsetStage::none;
  }
  for (Place& place : places) out.comments.push_back(std::move(place.comment));
  for (Subarray& s : subarrays(lexed, outline, values)) add(std::move(s), out);
  return out;
}

}  // namespace lanescope::source
