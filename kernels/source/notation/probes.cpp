#include "kernels/source/notation/probes.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "kernels/base/text.h"
#include "kernels/source/cxx/macros.h"

namespace lanescope::source {
namespace {

// Nothing is included: NVRTC declares memcpy itself, nvcc and clang have the builtin. A value of more than 1 KiB is left
// alone. The text is after the user's macros, so every name in it is one that no macro of theirs has.
//
// A variable of at most two words is read in place: compilers take time with the square of the instances of a template, and
// of the calls that they inline (NVRTC 13.0: 11 s for 2,500 probes as calls, 0.8 s in place).
constexpr std::string_view prologue = R"(#ifdef __CUDACC_RTC__
#define lanescope_copy_ memcpy
#else
#define lanescope_copy_ __builtin_memcpy
#endif
#ifdef __cpp_if_constexpr
#define lanescope_if_ if constexpr
#else
#define lanescope_if_ if
#endif
#define lanescope_read_here(lanescope_id, lanescope_var, lanescope_x) { \
  lanescope_if_(sizeof(lanescope_x) <= 8) { \
    unsigned lanescope_w[2] = {}; \
    lanescope_copy_(lanescope_w, (const void*)&(const volatile char&)lanescope_x, sizeof(lanescope_x) <= 8 ? sizeof(lanescope_x) : 8); \
    asm volatile("// lanescope.probe " #lanescope_id " var=" #lanescope_var " off=0 size=%1 %0" :: "r"(lanescope_w[0]), "n"(sizeof(lanescope_x))); \
    lanescope_if_(sizeof(lanescope_x) > 4) \
      asm volatile("// lanescope.probe " #lanescope_id " var=" #lanescope_var " off=4 size=%1 %0" :: "r"(lanescope_w[1]), "n"(sizeof(lanescope_x))); \
  } else lanescope_probe_::lanescope_read<lanescope_id, lanescope_var>(lanescope_x); \
}
namespace lanescope_probe_ {
template <int lanescope_id, int lanescope_var, int lanescope_off, int lanescope_size, bool lanescope_more>
struct lanescope_words {
  static __device__ __forceinline__ void lanescope_emit(const unsigned* lanescope_w) {
    asm volatile("// lanescope.probe %0 var=%1 off=%2 size=%4 %3" ::"n"(lanescope_id), "n"(lanescope_var), "n"(lanescope_off), "r"(lanescope_w[lanescope_off / 4]), "n"(lanescope_size));
    lanescope_words<lanescope_id, lanescope_var, lanescope_off + 4, lanescope_size, (lanescope_off + 4 < lanescope_size)>::lanescope_emit(lanescope_w);
  }
};
template <int lanescope_id, int lanescope_var, int lanescope_off, int lanescope_size>
struct lanescope_words<lanescope_id, lanescope_var, lanescope_off, lanescope_size, false> {
  static __device__ __forceinline__ void lanescope_emit(const unsigned*) {}
};
template <int lanescope_id, int lanescope_var, class lanescope_t>
__device__ __forceinline__ void lanescope_read(const lanescope_t& lanescope_value) {
  unsigned lanescope_w[(sizeof(lanescope_t) + 3) / 4] = {};
  lanescope_copy_(lanescope_w, (const void*)&lanescope_value, sizeof(lanescope_t));
  lanescope_words<lanescope_id, lanescope_var, 0, (int)sizeof(lanescope_t), (sizeof(lanescope_t) <= 1024)>::lanescope_emit(lanescope_w);
}
}
)";

// A file of one long line would grow with the square of its length.
constexpr std::size_t most_blanks = 500;

/// Blanks in place of the `bytes` before a place on its line; none where these are many: columns there are wrong.
std::size_t blanks_for(std::size_t bytes) { return bytes <= most_blanks ? bytes : 0; }

/// `#line` back to the user's place, and blanks up to the column where the text continues.
std::string way_back(int line, int column, std::size_t file = 0) {
  return fmt::format("#line {} \"{}\"\n{}", line, way_back_name(file),
                     std::string(blanks_for(static_cast<std::size_t>(std::max(column - 1, 0))), ' '));
}

/// A member may have no address, and what an operator returns none, either.
bool is_plain_name(std::string_view name) { return std::ranges::all_of(name, is_word); }

/// A function that may be evaluated by the compiler has no assembler code in it. By token: the brackets of the bodies of
/// those, ascending.
std::vector<std::pair<int, int>> constexpr_bodies(const Lexed& lexed) {
  std::vector<std::pair<int, int>> out;
  for (int i = 0; i < lexed.count(); ++i) {
    if (!lexed.is(i, "constexpr") || lexed.is(i - 1, "if")) continue;
    int at = i + 1;
    while (at < lexed.count() && !lexed.is(at, "{") && !lexed.is(at, ";") && !lexed.is(at, "="))
      at = lexed.is(at, "(") && lexed.partner(at) > at ? lexed.partner(at) + 1 : at + 1;
    if (lexed.is(at, "{") && lexed.partner(at) > at) out.emplace_back(at, lexed.partner(at));
  }
  return out;
}

std::string calls(const PlacedProbe& probe, bool may_be_in_place) {
  std::string out = fmt::format("\n#line {} \"{}\"\n", probe.point.id + 1, probe_file);
  for (std::size_t i = 0; i < probe.names.size(); ++i) {
    const std::string& name = probe.names[i];
    const int variable = probe.point.variables[i];
    out += may_be_in_place && is_plain_name(name)
               ? fmt::format("lanescope_read_here({},{},{});", probe.point.id, variable, name)
               : fmt::format("lanescope_probe_::lanescope_read<{},{}>({});", probe.point.id, variable, name);
  }
  if (probe.brace_before >= 0) out += '}';
  return out + '\n';
}

/// The brace that ends with those calls; it goes when they go.
std::string brace(const PlacedProbe& probe) {
  return fmt::format("\n#line {} \"{}\"\n{{\n", probe.point.id + 1, probe_file);
}

/// The prologue goes before the first code of the file; to its very top when that code is conditional.
Token prologue_place(const Lexed& lexed) {
  const Token top{.kind = {}, .offset = 0, .length = 0, .line = 1, .column = 1};
  if (lexed.count() == 0) return top;
  int depth = 0;
  for (const Directive& d : lexed.directives) {
    if (d.offset > lexed.token(0).offset) break;
    const std::string_view text = directive_text(lexed, d).word;
    if (text.starts_with("if")) ++depth;
    if (text.starts_with("endif")) --depth;
  }
  return depth == 0 ? lexed.token(0) : top;
}

constexpr std::size_t longest_id = 9;  ///< digits of an id, and of a line

struct Piece {
  std::size_t begin = 0, end = 0;  ///< in the probed text, padding included
  int id = -1;                     ///< of a probe
};

/// The next inserted piece at or after `from`. `column` counts the bytes of the line before it.
std::optional<Piece> next_piece(std::string_view text, std::size_t from, std::string_view back) {
  for (std::size_t at = from; (at = text.find("\n#line ", at)) != std::string_view::npos; ++at) {
    const std::size_t name = text.find_first_not_of("0123456789", at + 7);
    if (name == std::string_view::npos || name > at + 7 + longest_id || !text.substr(name).starts_with(" \"lanescope-"))
      continue;
    Piece p{.begin = at, .end = text.size(), .id = -1};
    if (text.substr(name + 2).starts_with(probe_file))
      p.id = std::stoi(std::string(text.substr(at + 7, name - at - 7))) - 1;
    std::size_t end = text.find("\n#line ", at + 1);
    if (end == std::string_view::npos) return p;
    end = text.find(back, end);
    if (end != std::string_view::npos) end = text.find("\"\n", end + back.size());
    if (end == std::string_view::npos) return p;
    p.end = end + 2;
    return p;
  }
  return std::nullopt;
}

std::string without(std::string_view probed, auto drop) {
  const std::string back = fmt::format(" \"{}", way_back_file);
  std::string out;
  std::size_t at = 0, column = 0;  ///< bytes of the user's line before `at`
  while (const std::optional<Piece> p = next_piece(probed, at, back)) {
    const std::string_view own = probed.substr(at, p->begin - at);
    out += own;
    const std::size_t line = own.rfind('\n');
    column = line == std::string_view::npos ? column + own.size() : own.size() - line - 1;
    at = std::min(p->end + blanks_for(column), probed.size());
    if (!drop(p->id)) out += probed.substr(p->begin, at - p->begin);
  }
  out += probed.substr(at);
  return out;
}

/// Blanks where cuts are, in a text that comes piece by piece.
class CutWriter {
 public:
  CutWriter(std::vector<TextCut> cuts, std::string& out) : cuts_(std::move(cuts)), out_(out) {
    std::ranges::stable_sort(cuts_, {}, &TextCut::begin);
  }

  /// Text of the user's, `at` bytes after its beginning.
  void write(std::string_view text, std::size_t at) {
    for (std::size_t i = 0; i < text.size(); ++i) {
      const char c = text[i];
      if (line_begins_) directive_ = is_kept(text.substr(i));
      line_begins_ = c == '\n' && !(directive_ && before_ == '\\');
      if (c != '\r') before_ = c;
      std::string_view stands_for;
      for (; next_ < cuts_.size() && cuts_[next_].begin <= at + i; ++next_) {
        if (cuts_[next_].end <= end_) continue;
        if (at + i >= end_) stands_for = cuts_[next_].stands_for;
        end_ = cuts_[next_].end;
      }
      if (!stands_for.empty() && !directive_ && c != '\n' && c != '\r')
        out_ += stands_for.front();
      else
        out_ += in_cut(at + i) && !directive_ && c != '\n' && c != '\r' ? ' ' : c;
    }
  }
  bool in_cut(std::size_t at) const { return at < end_; }

 private:
  static bool is_kept(std::string_view line) {
    const std::string_view words = without_indent(line.substr(0, std::min<std::size_t>(line.find('\n'), 200)));
    if (!words.starts_with('#')) return false;
    const std::string_view word = without_indent(words.substr(1));
    return word.starts_with("define") || word.starts_with("undef") || word.starts_with("include");
  }

  std::vector<TextCut> cuts_;
  std::string& out_;
  std::size_t next_ = 0, end_ = 0;
  bool line_begins_ = true, directive_ = false;
  char before_ = '\n';
};

/// The text of `part` with the probes in it, appended to `out`.
void with_probes(const Lexed& lexed, std::string_view device_text, const TextPart& part, std::size_t file,
                 const std::vector<PlacedProbe>& probes, std::string& out) {
  struct Insertion {
    int token = 0;  ///< after which
    int rank = 0;   ///< at the same token: what ends a loop's body, what looks after the loop, what begins a body
    std::string text;
  };
  const std::vector<std::pair<int, int>> evaluated = constexpr_bodies(lexed);
  const auto may_be_evaluated = [&](int token) {
    return std::ranges::any_of(evaluated, [&](const auto& body) { return token > body.first && token < body.second; });
  };
  std::vector<Insertion> order;
  for (const PlacedProbe& p : probes) {
    if (const std::uint32_t offset = lexed.token(p.token).offset; offset < part.begin || offset >= part.end) continue;
    if (p.brace_before > 0) order.push_back({p.brace_before - 1, 2, brace(p)});
    order.push_back({p.token, p.brace_before > 0 ? 0 : 1, calls(p, !may_be_evaluated(p.token))});
  }
  std::ranges::stable_sort(order, {}, [](const Insertion& i) { return std::pair(i.token, i.rank); });
  std::size_t at = part.begin;
  for (const Insertion& i : order) {
    const Token& t = lexed.token(i.token);
    out += device_text.substr(at, t.end() - at);
    at = t.end();
    out += i.text;
    out += way_back(t.line - part.first_line + 1, t.column + static_cast<int>(t.length), file);
  }
  out += device_text.substr(at, part.end - at);
}

}  // namespace

std::string way_back_name(std::size_t file) {
  return file == 0 ? std::string(way_back_file) : fmt::format("{}-{}", way_back_file, file);
}

std::string probe_prologue() { return std::string(prologue); }

std::string probed_text(const Lexed& lexed, std::string_view device_text, const std::vector<PlacedProbe>& probes) {
  if (probes.empty()) return std::string(device_text);
  std::string out;
  const Token place = prologue_place(lexed);
  out += device_text.substr(0, place.offset);
  out += fmt::format("\n#line 1 \"{}\"\n{}", prologue_file, prologue);
  out += way_back(place.line, place.column);
  with_probes(lexed, device_text, {.begin = place.offset, .end = static_cast<std::uint32_t>(device_text.size())}, 0,
              probes, out);
  return out;
}

std::string probed_part(const Lexed& lexed, const TextPart& part, std::size_t file, std::string_view device_text,
                        const std::vector<PlacedProbe>& probes) {
  std::string out;
  with_probes(lexed, device_text, part, file, probes, out);
  return out;
}

std::string without_probes(std::string_view probed, const std::vector<int>& ids) {
  return without(probed, [&](int id) { return id >= 0 && std::find(ids.begin(), ids.end(), id) != ids.end(); });
}

std::string without_cuts(std::string_view text, std::vector<TextCut> cuts) {
  const std::string back = fmt::format(" \"{}", way_back_file);
  std::string out;
  out.reserve(text.size());
  CutWriter writer(std::move(cuts), out);
  std::size_t at = 0, users = 0, column = 0;
  while (const std::optional<Piece> p = next_piece(text, at, back)) {
    const std::string_view own = text.substr(at, p->begin - at);
    writer.write(own, users);
    users += own.size();
    const std::size_t line = own.rfind('\n');
    column = line == std::string_view::npos ? column + own.size() : own.size() - line - 1;
    at = std::min(p->end + blanks_for(column), text.size());
    if (p->id < 0 || !writer.in_cut(users)) out += text.substr(p->begin, at - p->begin);
  }
  writer.write(text.substr(at), users);
  return out;
}

std::string without_any_probe(std::string_view probed) {
  return without(probed, [](int) { return true; });
}

}  // namespace lanescope::source
