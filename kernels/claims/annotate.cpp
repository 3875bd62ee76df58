// Writing the comments that the author did not write.
//
// A family (families.h) goes through passes: a pass ends at the statement by which every member has been assigned once
// more. After it, if every instance of the run agrees on one affine assignment, that is what the comment says; the same
// check as for an author's claim decides. A sentence that is still there without its rows (strip_claims leaves it) gets
// them back, so that annotating a stripped file gives the file again.

#include <algorithm>
#include <optional>
#include <set>

#include "kernels/claims/actual.h"
#include "kernels/claims/collector.h"
#include "kernels/claims/families.h"
#include "kernels/claims/text_place.h"

namespace lanescope::claims {
namespace {

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

  /// A scalar that is assigned again and again beside a register array only carries things about; and a name that is
  /// also the stem of a family would be read as the family.
  bool temporary(const Family& f) const {
    if (f.variables.size() > 1) return false;
    for (const Family& other : all) {
      if (other.function != f.function || &other == &f) continue;
      if (other.variables.size() > 1 &&
          (other.name == f.name || (!array_like(f) && times_assigned(f.variables.front()) > 1)))
        return true;
    }
    return false;
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

  /// Blocks can be a row where all of them ran to the end, there are 2^n, and each came here once.
  bool blocks_are_a_row(const std::vector<Snapshot>& instances) const {
    const std::uint64_t blocks = std::uint64_t{run.highest_block} + 1;
    return !run.log_full && blocks > 1 && (blocks & (blocks - 1)) == 0 && instances.size() == blocks &&
           run.logs.size() == blocks;
  }

  std::optional<layout::Assignment> affine(const Family& f, const Geometry& g, int buffer, const LogicalBits& logical,
                                           std::span<const Snapshot> snapshots, bool blocks, Reader& reader) const {
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
    if (!named || (constant && !array_like(f))) return std::nullopt;
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

  /// What every instance agrees on just after `probe`; nullopt where there is nothing worth a comment.
  std::optional<layout::Assignment> contents(const Family& f, int probe) const {
    if (run.unfinished(probe)) return std::nullopt;
    const std::vector<Snapshot> seen = instances(f, probe);
    if (seen.empty() || seen.front().warps.empty()) return std::nullopt;
    Reader reader(*run.setting.pool);
    const int buffer = first_buffer(seen.front(), reader);
    const LogicalBits* logical = run.setting.logical(buffer);
    if (logical == nullptr) return std::nullopt;
    const Geometry g =
        natural_geometry(f.variables, run.setting, run.setting.element_bits(buffer), seen.front(), reader);
    for (const bool blocks : {true, false}) {
      if (blocks && !blocks_are_a_row(seen)) continue;
      auto a = affine(f, g, buffer, *logical, blocks ? std::span(seen) : std::span(seen).first(1), blocks, reader);
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
bool has_own_claim(const source::Source& source, const Family& f, const source::ProbePoint& here) {
  return std::ranges::any_of(source.claims, [&](const source::Claim& c) {
    if (c.registers != f.variables || c.probe < 0) return false;
    return std::ranges::any_of(source.probes, [&](const source::ProbePoint& p) {
      return p.id == c.probe && p.line == here.line && p.column == here.column;
    });
  });
}

/// Watch probes in text order.
std::vector<const source::ProbePoint*> in_text_order(const source::Source& source) {
  std::vector<const source::ProbePoint*> probes;
  for (const source::ProbePoint& p : source.probes) {
    if (p.claim < 0) probes.push_back(&p);
  }
  std::ranges::stable_sort(
      probes, [](const auto* a, const auto* b) { return std::tie(a->line, a->column) < std::tie(b->line, b->column); });
  return probes;
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
  std::vector<Comment> comments;
  std::set<std::string> left;
  for (const Family& f : writer.all) {
    if (writer.temporary(f)) continue;
    std::set<int> assigned;
    std::optional<layout::Assignment> last;
    for (std::size_t n = 0; n < probes.size(); ++n) {
      if (collector.state().stopped()) return {.text = std::string(source.text)};
      for (const int v : probes[n]->variables) {
        if (std::ranges::find(f.variables, v) != f.variables.end()) assigned.insert(v);
      }
      if (assigned.size() != f.variables.size()) continue;
      assigned.clear();
      const std::string_view header = source.lines.header_name(probes[n]->line);
      const std::optional<CommentPlace> place =
          header.empty() ? text.after_statement(*probes[n]) : std::optional(CommentPlace{});
      if (!place) continue;
      const auto now = writer.contents(f, probes[n]->id);
      const bool kept = has_own_claim(source, f, *probes[n]);
      if (now && !kept && (!last || *last != *now)) {
        if (header.empty())
          comments.push_back({*place, f.name, *now});
        else
          left.emplace(header);
      }
      last = now ? now : last;
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
