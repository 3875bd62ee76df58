// All rules applied to one run, and their findings in order.

#include "profiling/review/review.h"

#include <algorithm>
#include <tuple>

#include <fmt/format.h>

#include "kernels/source/notation/allow_comments.h"
#include "profiling/review/rule_sets.h"

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

bool silenced(const Finding& f, const source::ReviewComments& comments) {
  return std::ranges::any_of(comments.allowed, [&](const source::AllowComment& a) {
    return a.words.empty() && a.rule == f.rule && f.line >= a.first_line && f.line <= a.last_line;
  });
}

/// Plain words make a finding one that is known: it stays, with the words.
void excuse(const source::ReviewComments& comments, std::vector<Finding>& out) {
  for (Finding& f : out)
    for (const source::AllowComment& a : comments.allowed) {
      if (a.words.empty() || f.expected || a.rule != f.rule || f.line < a.first_line || f.line > a.last_line) continue;
      f.expected = true;
      f.message += fmt::format("; intended, as line {} says: \"{}\"", a.line, a.words);
    }
}

/// Marks what the file says is known; what it says and is not there is a finding itself.
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

Finding finding(std::string_view rule, int line, int column, std::string message) {
  const Rule* r = find_rule(rule);
  return {.rule = std::string(rule),
          .line = line,
          .column = column,
          .severity = r->severity,
          .expected = false,
          .message = std::move(message),
          .remedy = std::string(r->remedy),
          .evidence = {}};
}

Evidence evidence_of(const LaunchReview& launch, int index, const trace::Where& where) {
  Evidence e;
  e.launch = index;
  e.step = static_cast<std::int64_t>(where.step);
  e.pc = static_cast<int>(where.pc);
  if (where.pc < launch.code.size()) e.instruction = launch.code[where.pc].text;
  e.block = where.block;
  e.warp = static_cast<int>(where.warp);
  e.lanes = where.active;
  return e;
}

void show_access(Evidence& evidence, const LaunchReview& launch, const AccessTotals& totals) {
  evidence.space = totals.space;
  evidence.width_bytes = totals.width_bytes;
  evidence.buffer = "shared";
  std::uint64_t start = 0;
  if (totals.space == trace::MemorySpace::global) {
    evidence.buffer.clear();
    if (totals.buffer >= 0) {
      const LaunchReview::Buffer& b = launch.buffers[static_cast<std::size_t>(totals.buffer)];
      evidence.buffer = b.name;
      start = b.address;
    }
  }
  for (std::size_t l = 0; l < 32; ++l)
    if ((evidence.lanes >> l & 1) != 0) evidence.addresses[l] = totals.worst_addresses[l] - start;
}

const source::Function* kernel_of(const source::Source& source, std::string_view kernel) {
  std::string_view name = kernel.substr(0, kernel.find('<'));
  if (const std::size_t scope = name.rfind(':'); scope != std::string_view::npos) name.remove_prefix(scope + 1);
  for (const source::Function& f : source.functions)
    if (f.is_kernel && f.name == name) return &f;
  return nullptr;
}

int line_of(const ReviewInput& input, const LaunchReview& launch, std::uint32_t pc) {
  if (pc < launch.code.size()) {
    if (!launch.code[pc].call_lines.empty()) return launch.code[pc].call_lines.front();
    // Where the compiler merged code of several lines it names none: it stands in the midst of the statement before it.
    for (std::size_t at = pc + 1; at-- > 0;) {
      const trace::CodeSite& site = launch.code[at];
      if (site.line > 0) return site.line;
      const bool ends = site.kind == trace::StepKind::exit && at < pc;  // of another function, or of none that is known
      if (ends || !site.call_lines.empty()) break;
    }
  }
  const source::Function* f = launch.spec != nullptr ? kernel_of(*input.source, launch.spec->kernel) : nullptr;
  return f != nullptr ? f->first_line : 0;
}

std::string in_lines(const ReviewInput& input, const LaunchReview& launch, std::uint32_t pc) {
  const std::vector<int> none;
  const std::vector<int>& lines = pc < launch.code.size() ? launch.code[pc].call_lines : none;
  if (lines.empty()) return fmt::format("in line {}", line_of(input, launch, pc));
  std::string words = "in a function that lines ";
  for (std::size_t i = 0; i < lines.size(); ++i)
    words += fmt::format("{}{}", i == 0 ? "" : i + 1 == lines.size() ? " and " : ", ", lines[i]);
  return words + " call";
}

std::string counted(std::uint64_t n, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", n, n == 1 ? one : many);
}

std::vector<Finding> review(const ReviewInput& input) {
  std::vector<Finding> out;
  source_rules(input, out);
  code_rules(input, out);
  double_rules(input, out);
  memory_rules(input, out);
  barrier_rules(input, out);
  race_rules(input, out);
  grid_race_rules(input, out);
  uninitialised_rules(input, out);
  warp_rules(input, out);
  lock_rules(input, out);
  removed_rules(input, out);
  coherence_rules(input, out);
  write_rules(input, out);
  pointer_rules(input, out);
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

bool is_wrong(const Finding& finding) { return finding.severity != Severity::note && !finding.expected; }

bool is_race(const Finding& f) {
  return f.severity == Severity::error &&
         (f.rule == "barrier-missing" || f.rule == "warp-sync-missing" || f.rule == "global-unordered" ||
          f.rule == "copy-not-awaited" || f.rule == "cluster-lifetime");
}

std::string to_string(const Finding& f, std::string_view file) {
  // Warnings and notes are called so wherever a diagnostic is; among them, errors are as well.
  const Diagnostic d{.file = std::string(file),
                     .line = f.line,
                     .column = f.column,
                     .message = f.severity == Severity::error ? "error: " + f.message : f.message,
                     .remedy = f.remedy,
                     .severity = f.severity};
  return fmt::format("{} [{}{}]", lanescope::to_string(d), f.rule, f.expected ? ", expected" : "");
}

}  // namespace lanescope::review
