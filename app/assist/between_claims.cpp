#include "app/assist/fixes.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace lanescope::assist {
namespace {

using layout::Place;

bool names_any(const layout::Assignment& a, const std::vector<layout::Term>& terms) {
  return std::ranges::any_of(terms, [&](const layout::Term& wanted) {
    return std::ranges::any_of(wanted.names, [&](const std::string& name) {
      return std::ranges::any_of(a.rows, [&](const auto& row) {
        return row && std::ranges::any_of(*row, [&](const layout::Term& t) {
                 return std::ranges::find(t.names, name) != t.names.end();
               });
      });
    });
  });
}

enum class Kind : std::uint8_t {
  shuffle,
  select,
  permute,
  matrix,
  logic,
  shared_store,
  shared_load,
  block_barrier,
  warp_barrier,
  other
};

/// By the beginning of an instruction without its predicate. The first that fits.
struct Named {
  std::string_view begin;
  Kind kind;
};
constexpr std::array<Named, 23> by_name = {{
    {"shfl.", Kind::shuffle},
    {"selp.", Kind::select},
    {"prmt.", Kind::permute},
    {"and.b", Kind::logic},
    {"or.b", Kind::logic},
    {"xor.b", Kind::logic},
    {"not.b", Kind::logic},
    {"lop3.", Kind::logic},
    {"shl.", Kind::logic},
    {"shr.", Kind::logic},
    {"shf.", Kind::logic},
    {"bfe.", Kind::logic},
    {"bfi.", Kind::logic},
    {"st.shared", Kind::shared_store},
    {"st.volatile.shared", Kind::shared_store},
    {"stmatrix.", Kind::shared_store},
    {"ld.shared", Kind::shared_load},
    {"ld.volatile.shared", Kind::shared_load},
    {"ldmatrix.", Kind::shared_load},
    {"movmatrix.", Kind::matrix},
    {"bar.warp", Kind::warp_barrier},
    {"bar.", Kind::block_barrier},
    {"barrier.", Kind::block_barrier},
}};

Kind kind_of(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  if (text.starts_with('@')) {
    const std::size_t space = text.find(' ');
    text.remove_prefix(space == std::string_view::npos ? text.size() : space + 1);
  }
  const auto* const found = std::ranges::find_if(by_name, [&](const Named& n) { return text.starts_with(n.begin); });
  return found == by_name.end() ? Kind::other : found->kind;
}

std::optional<AuthorCode> code_between(const results::Summary& s, int first_line, int last_line) {
  if (s.plain_code.empty() || s.plain_code.size() != s.pc_counters.size()) return std::nullopt;
  AuthorCode out{.first_line = first_line, .last_line = last_line};
  std::array<double, static_cast<std::size_t>(Kind::other) + 1> executed{};
  double once = 0;  // how often the first one ran
  for (std::size_t pc = 0; pc < s.plain_code.size(); ++pc) {
    const int line = s.plain_code[pc].line;
    if (line < first_line || line > last_line || s.pc_counters[pc].instructions == 0) continue;
    const auto times = static_cast<double>(s.pc_counters[pc].instructions);
    if (once == 0) once = times;
    executed[static_cast<std::size_t>(kind_of(s.plain_code[pc].text))] += times;
    out.wavefronts += static_cast<double>(s.pc_counters[pc].shared_wavefronts);
  }
  if (once == 0) return std::nullopt;
  out.wavefronts /= once;
  const auto of = [&](Kind k) { return executed[static_cast<std::size_t>(k)] / once; };
  const auto whole = [&](Kind k) { return static_cast<int>(std::lround(of(k))); };
  out.counts = {whole(Kind::shuffle), whole(Kind::select), whole(Kind::permute), whole(Kind::logic),
                whole(Kind::matrix)};
  out.shared_stores = of(Kind::shared_store);
  out.shared_loads = of(Kind::shared_load);
  out.block_barriers = of(Kind::block_barrier);
  out.warp_barriers = of(Kind::warp_barrier);
  out.others = of(Kind::other);
  out.cycles = convert::cycles_of(out.counts, out.wavefronts, out.block_barriers, out.warp_barriers);
  return out;
}

}  // namespace

layout::Assignment state_of(const results::ClaimInfo& claim) {
  const auto& actual = claim.result.actual;
  if (claim.result.verdict == claims::Verdict::differs && actual) return *actual;
  layout::Assignment out = claim.claim.stated;
  if (claim.result.verdict != claims::Verdict::holds || !actual) return out;
  for (std::size_t p = 0; p < out.rows.size(); ++p) {
    if (!out.rows[p]) out.rows[p] = actual->rows[p];
  }
  return out;
}

int element_bits_of(const results::ClaimInfo& claim, const results::Summary& summary) {
  if (const int slots = state_of(claim).bits(Place::simd); slots > 0) return 32 >> std::min(slots, 5);
  if (summary.buffers.empty()) return 32;
  const int bits = summary.buffers.front().element_bits;
  const bool same = std::ranges::all_of(summary.buffers, [&](const auto& b) { return b.element_bits == bits; });
  return same && bits >= 32 ? bits : 32;
}

Expected<BetweenClaims> between_claims(const results::Summary& summary, std::size_t from, std::size_t to,
                                       int element_bits) {
  if (from >= summary.claims.size() || to >= summary.claims.size())
    return failure("there is no such claim", "count the claims from 0");
  const results::ClaimInfo &a = summary.claims[from], &b = summary.claims[to];
  if (a.claim.kind() != source::ClaimKind::registers || b.claim.kind() != source::ClaimKind::registers)
    return failure("only register assignments are planned between", "choose two comments on registers");
  if (b.claim.first_line <= a.claim.last_line)
    return failure("the second claim is before the first one", "choose them in the order of the code");
  BetweenClaims out{.from = state_of(a), .to = state_of(b), .element_bits = element_bits};
  if (out.element_bits == 0) out.element_bits = element_bits_of(a, summary);
  for (const Place p : {Place::warp, Place::block}) {
    auto& row = out.to.row(p);
    if (row && !out.from.row(p) && !names_any(out.from, *row)) row.reset();
  }
  Expected<convert::Planned> planned = convert::plan(out.from, out.to, out.element_bits);
  if (!planned) return tl::unexpected<Diagnostics>(std::move(planned.error()));
  out.to = planned->to;
  out.planned = std::move(*planned);
  const int first = std::max(a.claim.last_line, a.result.after_line) + 1;
  const int last = std::max(b.claim.first_line - 1, b.result.after_line);
  out.author = code_between(summary, first, last);
  return out;
}

}  // namespace lanescope::assist
