// All rules applied to one run, and their findings in order.

#include "profiling/review/review.h"

#include <algorithm>
#include <tuple>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "kernels/source/notation/allow_comments.h"
#include "profiling/review/findings/rule_set.h"

namespace lanescope::review {
namespace {

std::size_t rank(const Finding& f) {
  const Rule* rule = find_rule(f.rule);
  return rule == nullptr ? rules().size() : static_cast<std::size_t>(rule - rules().data());
}

void bad_comments(const source::ReviewComments& comments, std::vector<Finding>& out) {
  for (const Diagnostic& d : comments.mistakes) {
    Finding f = finding("bad-comment", d.line, d.column, d.message);
    f.remedy = d.remedy;
    out.push_back(std::move(f));
  }
  const auto unknown = [&](const auto& named) {
    for (const auto& n : named)
      if (find_rule(n.rule) == nullptr)
        out.push_back(finding("bad-comment", n.line, n.column, fmt::format("there is no rule `{}`", n.rule)));
  };
  unknown(comments.allowed);
  unknown(comments.expected);
}

/// The memory that an opcode names: ".shared" of "ld.shared.f32"; empty: none.
std::string_view space_in(std::string_view text) {
  text = without_guard(text);
  text = text.substr(0, text.find(' '));
  for (const std::string_view space : {".shared", ".global", ".local", ".const"})
    if (text.find(space) != std::string_view::npos) return space;
  return {};
}

/// Both may be one instruction of a function, inlined into several calls: pointers lead to other memory in another call.
bool do_the_same(const trace::CodeSite& a, const trace::CodeSite& b) {
  const std::string_view here = space_in(a.text), there = space_in(b.text);
  return a.inner_line == b.inner_line && a.kind == b.kind && (here.empty() || there.empty() || here == there);
}

/// Of a finding inside a function that was inlined: the lines of its calls; of a barrier that part of a block reaches, that of
/// the one call.
void name_calls(const ReviewInput& input, Finding& f) {
  const auto launch = static_cast<std::size_t>(f.evidence.launch);  // of bare PTX no launch is reviewed
  if (f.evidence.pc < 0 || f.evidence.launch < 0 || launch >= input.launches.size()) return;
  const auto& code = input.launches[launch].launch->code;
  const auto pc = static_cast<std::size_t>(f.evidence.pc);
  if (pc >= code.size() || code[pc].inner_line != f.line || code[pc].line == f.line) return;
  const bool of_one_call = f.rule == "barrier-divergent";
  for (const trace::CodeSite& site : code) {
    if (site.line <= 0 || !do_the_same(site, code[pc]) || (of_one_call && site.line != code[pc].line)) continue;
    if (std::ranges::find(f.called_at, site.line) == f.called_at.end()) f.called_at.push_back(site.line);
  }
  std::ranges::sort(f.called_at);
  f.column = 0;  // that of the call
  f.message += fmt::format("; called from line{} {}", f.called_at.size() == 1 ? "" : "s", fmt::join(f.called_at, ", "));
}

/// The comment is about the finding's line, or about that of a call that leads to it.
bool is_about(const source::AllowComment& a, const Finding& f) {
  const auto within = [&](int line) { return line >= a.first_line && line <= a.last_line; };
  return a.rule == f.rule && (within(f.line) || std::ranges::any_of(f.called_at, within));
}

bool silenced(const Finding& f, const source::ReviewComments& comments) {
  return std::ranges::any_of(comments.allowed,
                             [&](const source::AllowComment& a) { return a.words.empty() && is_about(a, f); });
}

/// Plain words make a finding one that is known: it stays, with the words.
void excuse(const source::ReviewComments& comments, std::vector<Finding>& out) {
  for (Finding& f : out)
    for (const source::AllowComment& a : comments.allowed) {
      if (a.words.empty() || f.expected || !is_about(a, f)) continue;
      f.expected = true;
      f.message += fmt::format("; intended, as line {} says: \"{}\"", a.line, a.words);
    }
}

/// Marks findings that the file expects; an expected one that is absent is a finding itself.
void expect(const source::ReviewComments& comments, bool has_run, std::vector<Finding>& out) {
  for (const source::ExpectComment& e : comments.expected) {
    if (find_rule(e.rule) == nullptr) continue;
    bool there = false;
    for (Finding& f : out)
      if (f.rule == e.rule) f.expected = there = true;
    if (!there && has_run)
      out.push_back(finding("expected-absent", e.line, e.column,
                            fmt::format("the file expects a finding of `{}`, but there is none", e.rule)));
  }
}

}  // namespace

std::vector<Finding> review(const ReviewInput& input) {
  std::vector<Finding> out;
  source_rules(input, out);
  host_rules(input, out);
  code_rules(input, out);
  double_rules(input, out);
  print_rules(input, out);
  memory_rules(input, out);
  atomic_rules(input, out);
  barrier_rules(input, out);
  race_rules(input, out);
  grid_race_rules(input, out);
  stream_rules(input, out);
  uninitialised_rules(input, out);
  warp_rules(input, out);
  lock_rules(input, out);
  removed_rules(input, out);
  alignment_rules(input, out);
  coherence_rules(input, out);
  write_rules(input, out);
  coverage_rules(input, out);
  pointer_rules(input, out);
  heap_rules(input, out);
  for (Finding& f : out) name_calls(input, f);
  const source::Lexed lexed = source::lexed(*input.source);
  source::ReviewComments comments = source::review_comments(lexed);
  bad_comments(comments, out);
  const auto by_present_name = [](auto& named) {
    for (auto& n : named)
      if (const Rule* rule = find_rule(n.rule)) n.rule = rule->id;
  };
  by_present_name(comments.allowed);
  by_present_name(comments.expected);
  std::erase_if(out, [&](const Finding& f) { return silenced(f, comments); });
  excuse(comments, out);
  expect(comments, !input.launches.empty(), out);
  std::ranges::stable_sort(out, [](const Finding& a, const Finding& b) {
    return std::tuple(a.line, a.column, rank(a), a.message) < std::tuple(b.line, b.column, rank(b), b.message);
  });
  // Launches of the same kernel often find the same.
  const auto same = [](const Finding& a, const Finding& b) {
    return a.rule == b.rule && a.line == b.line && a.column == b.column && a.message == b.message;
  };
  out.erase(std::unique(out.begin(), out.end(), same), out.end());
  return out;
}

}  // namespace lanescope::review
