// Writing the comments that the author did not write.
//
// A family (families.h) passes through passes: a pass ends at the statement by which every member has been assigned once
// more. After it, if every instance of the run agrees on one affine assignment, that is what the comment says; the same
// check as for an author's claim decides. Where the iterations of a loop differ, the last one is what the loop leaves: the
// comment is placed after the loop. A sentence that is still there without its rows (as in tests) gets them back, so
// that annotating a stripped file gives the file again.
//
// A comment stands in the block in which its variable was assigned, or after the loop in the block of the loop: elsewhere
// its name may mean something else, or nothing.

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "kernels/base/text.h"
#include "kernels/claims/actual.h"
#include "kernels/claims/collector.h"
#include "kernels/claims/elements.h"
#include "kernels/source/cxx/lexer.h"
#include "kernels/source/cxx/outline.h"
#include "kernels/source/notation/phrases.h"
#include "kernels/source/source.h"

namespace lanescope::claims {
namespace {

// --- where a comment goes in a text, and how it is written there ---

std::string_view comment_text(std::string_view line) {
  line = without_indent(line);
  return line.starts_with("//") ? line.substr(2) : std::string_view();
}

/// A comment right above it would seem to be about it.
bool starts_code(std::string_view line) {
  line = without_indent(line);
  return !line.empty() && line.front() != '}';
}

std::string indentation_of(std::string_view line) {
  return std::string(line.substr(0, line.size() - without_indent(line).size()));
}

struct CommentPlace {
  int line = 0;             ///< the comment is placed after this line (1-based)
  std::string indentation;  ///< of the statement
};

/// Lines of a text, and where statements end in it.
class TextPlaces {
 public:
  explicit TextPlaces(std::string_view text) : lines_(split_lines(text)), lexed_(source::lex_plainly(text)) {}
  /// After the last line of the statement that the probe follows; nullopt inside a macro.
  std::optional<CommentPlace> after_statement(const source::ProbePoint& probe) const {
    if (probe.statement_line < 1 || probe.line < probe.statement_line) return std::nullopt;
    const std::string_view on = line(probe.line);
    const std::size_t before = std::min(on.size(), static_cast<std::size_t>(std::max(probe.column - 1, 0)));
    const int token = probe.line > count()
                          ? lexed_.count() - 1
                          : lexed_.last_before(static_cast<std::uint32_t>(on.data() + before - lexed_.text.data()));
    const int last = std::max(probe.statement_line, token < 0 ? 0 : lexed_.token(token).line);
    if (line(last).ends_with('\\') || line(last).ends_with("\\\r") || line(last - 1).ends_with('\\'))
      return std::nullopt;
    return CommentPlace{last, indentation(probe.statement_line)};
  }
  std::string indentation(int number) const { return indentation_of(line(number)); }
  /// Without its line break; empty beyond the end.
  std::string_view line(int number) const {
    return number >= 1 && number <= count() ? lines_[static_cast<std::size_t>(number - 1)] : std::string_view();
  }
  int count() const { return static_cast<int>(lines_.size()); }

 private:
  std::vector<std::string_view> lines_;
  source::Lexed lexed_;
};

/// Writes comments after lines of a text. A sentence about the same name that stands there without rows gets the rows.
class CommentWriter {
 public:
  explicit CommentWriter(std::string_view text) : places_(text), ends_with_break_(text.ends_with('\n')) {}
  void add(const CommentPlace& place, const std::string& name, const std::string& rows);
  std::string text() const;

 private:
  struct Edit {
    std::vector<std::string> lines;  ///< written after the line
    int drop_blank = 0;              ///< blank lines after it that these replace
    bool own_paragraph = false;      ///< kept apart from code after it by a blank line
  };
  int waiting_sentence(const CommentPlace& place, const std::string& name) const;
  TextPlaces places_;
  bool ends_with_break_ = true;
  std::map<int, Edit> edits_;  ///< by line
  std::vector<int> used_sentences_;
  bool first_ = true;  ///< the first comment of the file is worded in full
};

int CommentWriter::waiting_sentence(const CommentPlace& place, const std::string& name) const {
  for (int n = place.line + 1; n <= places_.count(); ++n) {
    const std::string_view line = places_.line(n);
    const std::string_view comment = comment_text(line);
    if (!is_blank(line) && comment.empty()) return 0;  // code
    if (comment.find("register assig") == std::string_view::npos ||
        source::find_word(comment, name) == std::string_view::npos)
      continue;
    if (std::ranges::find(used_sentences_, n) == used_sentences_.end()) return n;
  }
  return 0;
}

void CommentWriter::add(const CommentPlace& place, const std::string& name, const std::string& rows) {
  std::vector<std::string> lines;
  std::string indentation = place.indentation;
  const int sentence = waiting_sentence(place, name);
  if (sentence != 0) indentation = indentation_of(places_.line(sentence));
  for (const std::string_view row : split_lines(rows))
    if (!row.empty()) lines.push_back(indentation + "//   " + std::string(row));
  if (sentence != 0) {
    used_sentences_.push_back(sentence);
    Edit& edit = edits_[sentence];
    edit.lines = lines;
    const int count = static_cast<int>(lines.size());
    while (edit.drop_blank < count && sentence + edit.drop_blank + 1 <= places_.count() &&
           is_blank(places_.line(sentence + edit.drop_blank + 1)))
      ++edit.drop_blank;
  } else {
    Edit& edit = edits_[place.line];
    edit.own_paragraph = true;
    edit.lines.emplace_back();
    edit.lines.push_back(
        fmt::format("{}// {} has {}register assignment:", indentation, name, first_ ? "the following " : ""));
    edit.lines.insert(edit.lines.end(), lines.begin(), lines.end());
  }
  first_ = false;
}

std::string CommentWriter::text() const {
  std::string out;
  int skip = 0;
  for (int n = 1; n <= places_.count(); ++n) {
    if (skip > 0) {
      --skip;
      continue;
    }
    out += places_.line(n);
    out += '\n';
    const auto edit = edits_.find(n);
    if (edit == edits_.end()) continue;
    for (const std::string& line : edit->second.lines) out += line + '\n';
    if (edit->second.own_paragraph && starts_code(places_.line(n + 1))) out += '\n';
    skip = edit->second.drop_blank;
  }
  if (!ends_with_break_ && !out.empty()) out.pop_back();
  return out;
}

// --- what the comments state ---

constexpr std::size_t most_instances = 8192;  ///< looked at for one comment
constexpr std::size_t most_places = std::size_t{1} << 22;

struct Writer {
  const source::Source& source;
  const Collector::State& run;
  std::vector<Family> all = families(source);

  bool array_like(const Family& f) const {
    if (f.variables.size() > 1) return true;
    return value_bytes_of(run.setting.value_bytes, f.variables.front()) > 8;
  }

  int times_assigned(int variable) const {
    int n = 0;
    for (const source::ProbePoint& p : source.probes)
      n += p.claim < 0 && std::ranges::find(p.variables, variable) != p.variables.end();
    return n;
  }

  /// A scalar that is assigned again and again beside a register array may only carry things about.
  bool temporary(const Family& f) const {
    if (f.variables.size() > 1) return false;
    return std::ranges::any_of(all, [&](const Family& other) {
      const bool beside = other.function == f.function && &other != &f && other.variables.size() > 1;
      return beside && (other.name == f.name || (!array_like(f) && times_assigned(f.variables.front()) > 1));
    });
  }

  /// A name that is also the stem of a family would be read as the family.
  bool stem_of_another(const Family& f) const {
    return std::ranges::any_of(all, [&](const Family& other) {
      return other.function == f.function && &other != &f && other.variables.size() > 1 && other.name == f.name;
    });
  }

  std::vector<Snapshot> instances(const Family& f, int probe) const {
    std::vector<Snapshot> out;
    std::size_t places = 0;
    for (const auto& [block, log] : run.logs) {
      const Moments* moments = run.moments_of(block);
      for (std::uint32_t n = 0; n < moments->iterations(probe); ++n) {
        if (run.stopped()) return out;
        out.push_back(run.snapshot_at(probe, f.variables, block, n));
        places += out.back().warps.size() * f.variables.size() * 32;
        if (out.size() >= most_instances || places > most_places) return out;
      }
    }
    return out;
  }

  /// The last iteration of each block; empty where not all of its threads came to it.
  static std::vector<Snapshot> last_of(const std::vector<Snapshot>& instances) {
    const auto threads = [](const Snapshot& s) {
      std::vector<std::pair<std::uint32_t, std::vector<std::uint32_t>>> out;
      for (const Snapshot::Warp& w : s.warps) out.emplace_back(w.warp, w.masks);
      return out;
    };
    std::vector<Snapshot> out;
    for (std::size_t n = 0; n < instances.size(); ++n) {
      if (n + 1 < instances.size() && instances[n + 1].block == instances[n].block) continue;
      std::size_t first = n;
      while (first > 0 && instances[first - 1].block == instances[n].block) --first;
      if (threads(instances[first]) != threads(instances[n])) return {};
      out.push_back(instances[n]);
    }
    return out;
  }

  /// Blocks can be a row where all of them ran to the end, and each came here once.
  bool blocks_are_a_row(const std::vector<Snapshot>& instances) const {
    const std::uint64_t blocks = std::uint64_t{run.highest_block} + 1;
    return !run.log_full && blocks > 1 && instances.size() == blocks && run.logs.size() == blocks;
  }

  /// `constants`: also with bits that are inverted.
  std::optional<layout::Assignment> affine(const Geometry& g, int buffer, const LogicalBits& logical,
                                           std::span<const Snapshot> snapshots, bool blocks, bool constants,
                                           Reader& reader) const {
    const Seen seen =
        observe(snapshots, g, buffer, logical, reader, {.stated = nullptr, .blocks = blocks, .only = nullptr});
    if (seen.skipped != 0 || seen.observations.empty()) return std::nullopt;
    const auto answer = layout::infer({seen.shape, seen.names, seen.observations});
    const auto* inference = std::get_if<layout::Inference>(&answer);
    if (inference == nullptr || !inference->complete || !inference->unsaid.empty()) return std::nullopt;
    layout::Assignment a = without_empty_rows(inference->assignment);
    bool constant = false, named = false;
    for (const auto& row : a.rows) {
      if (!row) continue;
      for (const layout::Term& t : *row) {
        constant = constant || t.constant;
        named = named || !t.names.empty();
        for (const std::string& name : t.names) {
          if (logical.bit_of(name) < 0) return std::nullopt;  // copies along a diagonal
        }
      }
    }
    if (!named || (constant && !constants)) return std::nullopt;
    return a;
  }

  bool holds_everywhere(const Family& f, const layout::Assignment& a, const std::vector<Snapshot>& instances,
                        int buffer, const LogicalBits& logical, Reader& reader) const {
    std::optional<int> simd_bits;
    if (a.row(layout::Place::simd)) simd_bits = a.bits(layout::Place::simd);
    const int bits = run.setting.element_bits(buffer);
    const Plan plan{buffer,
                    simd_bits ? geometry_of(f.variables, source, run.setting.value_bytes, bits, simd_bits)
                              : natural_geometry(f.variables, run.setting, bits, instances.front(), reader),
                    &logical, Relation(a, logical)};
    Tally tally;
    Classes shared;
    for (const Snapshot& s : instances) {
      Classes fresh;
      check(s, plan, reader, a.row(layout::Place::block) ? shared : fresh, tally);
    }
    return !tally.failure && !tally.nothing && !tally.mixed;
  }

  struct Contents {
    layout::Assignment assignment;
    bool left_by_loop = false;  ///< true of the last iteration only
  };

  /// The assignment that all instances share just after `probe`, else the last ones; nullopt: none is worth a comment.
  std::optional<Contents> contents(const Family& f, int probe, bool in_loop, bool constants) const {
    if (run.unfinished(probe)) return std::nullopt;
    const std::vector<Snapshot> all = instances(f, probe);
    if (auto a = agreed(f, all, constants)) return Contents{*a, false};
    if (!in_loop || all.size() >= most_instances) return std::nullopt;
    if (auto a = agreed(f, last_of(all), constants)) return Contents{*a, true};
    return std::nullopt;
  }

  std::optional<layout::Assignment> agreed(const Family& f, const std::vector<Snapshot>& seen, bool constants) const {
    if (seen.empty() || seen.front().warps.empty()) return std::nullopt;
    Reader reader(*run.setting.pool);
    const int buffer = first_buffer(seen.front(), reader);
    const LogicalBits* logical = run.setting.logical(buffer);
    if (logical == nullptr) return std::nullopt;
    const Geometry g =
        natural_geometry(f.variables, run.setting, run.setting.element_bits(buffer), seen.front(), reader);
    for (const bool blocks : {true, false}) {
      if (blocks && !blocks_are_a_row(seen)) continue;
      const std::span<const Snapshot> those = blocks ? std::span(seen) : std::span(seen).first(1);
      auto a = affine(g, buffer, *logical, those, blocks, constants, reader);
      if (!a) continue;
      if (blocks && std::ranges::all_of(*a->row(layout::Place::block),
                                        [](const layout::Term& t) { return t.role == layout::Term::Role::unused; }))
        continue;
      if (holds_everywhere(f, *a, seen, buffer, *logical, reader)) return a;
    }
    return std::nullopt;
  }
};

/// Whether the author has a claim on the family that is checked at this very place.
bool has_own_claim(const source::Source& source, const Family& f, auto here) {
  return std::ranges::any_of(source.claims, [&](const source::Claim& c) {
    if (c.registers != f.variables || c.probe < 0) return false;
    return std::ranges::any_of(source.probes, [&](const source::ProbePoint& p) { return p.id == c.probe && here(p); });
  });
}

/// Watch probes in text order.
std::vector<const source::ProbePoint*> in_text_order(const source::Source& source) {
  std::vector<const source::ProbePoint*> probes;
  for (const source::ProbePoint& p : source.probes)
    if (p.claim < 0) probes.push_back(&p);
  std::ranges::stable_sort(
      probes, [](const auto* a, const auto* b) { return std::tie(a->line, a->column) < std::tie(b->line, b->column); });
  return probes;
}

/// The text's blocks: where a comment may stand.
class Scopes {
 public:
  explicit Scopes(const source::Source& source) : lexed_(source::lexed(source)), outline_(source::outline(lexed_)) {}

  /// Whether what is after the line is in the block of the probe.
  bool same_block(const source::ProbePoint& probe, int line) const {
    const int block = outline_.block_at(before(probe));
    return block >= 0 && block == outline_.block_at(last_on(line));
  }

  /// The lines of the outermost loop around the probe; `last` 0: it is in none, or nothing can be written after it.
  struct Loop {
    int first = 0, last = 0;
  };
  Loop loop_around(const source::ProbePoint& probe) const {
    Loop loop;
    for (const source::LoopBody& body : outline_.loop_bodies)
      if (body.last == before(probe)) loop = {probe.statement_line, lexed_.token(body.last).line};
    for (int b = outline_.block_at(before(probe)); b >= 0; b = outline_.blocks[static_cast<std::size_t>(b)].parent) {
      const source::Block& block = outline_.blocks[static_cast<std::size_t>(b)];
      const int head = head_of(block.open);
      if (head < 0) continue;
      const bool alone = outline_.block_at(last_on(lexed_.token(block.close).line)) == block.parent;
      const bool repeats = lexed_.is(block.close + 1, "while");  // of `do`: its condition is after it
      loop = {lexed_.token(head).line, alone && !repeats ? lexed_.token(block.close).line : 0};
    }
    return loop;
  }

  /// The line of the code before the probe.
  int line_before(const source::ProbePoint& probe) const { return lexed_.token(std::max(before(probe), 0)).line; }

 private:
  int before(const source::ProbePoint& probe) const {
    const auto at = std::ranges::partition_point(lexed_.tokens, [&](const source::Token& t) {
      return std::pair(t.line, t.column) < std::pair(probe.line, probe.column);
    });
    return static_cast<int>(at - lexed_.tokens.begin()) - 1;
  }
  int last_on(int line) const {
    const auto at = std::ranges::partition_point(lexed_.tokens, [&](const source::Token& t) { return t.line <= line; });
    return static_cast<int>(at - lexed_.tokens.begin()) - 1;
  }
  /// The `for`, `while` or `do` whose braces begin here; -1: they are another's.
  int head_of(int open) const {
    if (lexed_.is(open - 1, "do")) return open - 1;
    const int head = lexed_.is(open - 1, ")") ? lexed_.partner(open - 1) - 1 : -1;
    return lexed_.is(head, "for") || lexed_.is(head, "while") ? head : -1;
  }

  source::Lexed lexed_;
  source::Outline outline_;
};

bool assigns(const source::ProbePoint& probe, const Family& f) {
  return std::ranges::any_of(probe.variables,
                             [&](int v) { return std::ranges::find(f.variables, v) != f.variables.end(); });
}

/// All of it is declared before the loop that begins at this line.
bool is_left_by(const source::Source& source, const Family& f, int first_line) {
  return std::ranges::all_of(f.variables, [&](int id) {
    const auto v = std::ranges::find(source.variables, id, &source::Variable::id);
    return v != source.variables.end() && v->declared_line < first_line;
  });
}

struct Comment {
  CommentPlace place;
  std::string name;
  layout::Assignment assignment;
};

}  // namespace

Annotation annotate(const source::Source& source, const Collector& collector) {
  const Writer writer{source, collector.state()};
  const auto probes = in_text_order(source);
  const TextPlaces text(source.text);
  const Scopes scopes(source);
  std::vector<Comment> comments;
  std::set<std::string> left;
  for (const Family& f : writer.all) {
    const bool temporary = writer.temporary(f);
    if (temporary && writer.stem_of_another(f)) continue;
    std::set<int> assigned;
    std::optional<layout::Assignment> last;
    for (std::size_t n = 0; n < probes.size(); ++n) {
      if (collector.state().stopped()) return {.text = std::string(source.text)};
      for (const int v : probes[n]->variables)
        if (std::ranges::find(f.variables, v) != f.variables.end()) assigned.insert(v);
      if (assigned.size() != f.variables.size()) continue;
      assigned.clear();
      const std::string_view header = source.lines.header_name(probes[n]->line);
      std::optional<CommentPlace> place =
          header.empty() ? text.after_statement(*probes[n]) : std::optional(CommentPlace{});
      if (!place) continue;
      const Scopes::Loop loop = scopes.loop_around(*probes[n]);
      const bool leaves = loop.last > 0 && is_left_by(source, f, loop.first) &&
                          std::none_of(probes.begin() + static_cast<std::ptrdiff_t>(n) + 1, probes.end(),
                                       [&](const auto* p) { return p->line <= loop.last && assigns(*p, f); });
      const auto now = writer.contents(f, probes[n]->id, leaves, last || writer.array_like(f));
      // An index that only moves elements about holds a selection first.
      if (temporary && !now && !last) break;
      if (now && header.empty()) {
        if (now->left_by_loop) place = CommentPlace{loop.last, text.indentation(loop.first)};
        if (!now->left_by_loop && !scopes.same_block(*probes[n], place->line)) continue;
      }
      const bool kept = has_own_claim(source, f, [&](const source::ProbePoint& p) {
        return now && now->left_by_loop ? scopes.line_before(p) == loop.last
                                        : p.line == probes[n]->line && p.column == probes[n]->column;
      });
      if (now && !kept && (!last || *last != now->assignment)) {
        if (header.empty())
          comments.push_back({*place, f.name, now->assignment});
        else
          left.emplace(header);
      }
      if (now) last = now->assignment;
    }
  }
  std::ranges::stable_sort(comments, {}, [](const Comment& c) { return c.place.line; });
  CommentWriter out(source.text);
  for (const Comment& c : comments) out.add(c.place, c.name, layout::print(c.assignment));
  return {.text = out.text(),
          .claims_written = static_cast<int>(comments.size()),
          .headers_left = {left.begin(), left.end()}};
}

}  // namespace lanescope::claims
