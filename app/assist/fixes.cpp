#include "app/assist/fixes.h"

#include <algorithm>
#include <set>

#include "kernels/base/text.h"

namespace lanescope::assist {
namespace {

/// Lines of a text that are changed one at a time.
class Lines {
 public:
  explicit Lines(std::string_view text) : last_break_(text.ends_with('\n')) {
    for (const std::string_view line : split_lines(text)) lines_.emplace_back(line);
  }
  int count() const { return static_cast<int>(lines_.size()); }
  std::string& at(int number) { return lines_[static_cast<std::size_t>(number - 1)]; }
  void insert_before(int number, std::string line) { lines_.insert(lines_.begin() + (number - 1), std::move(line)); }
  void erase(int number) { lines_.erase(lines_.begin() + (number - 1)); }
  std::string text() const {
    std::string out;
    for (std::size_t i = 0; i < lines_.size(); ++i)
      out += lines_[i] + (i + 1 < lines_.size() || last_break_ ? "\n" : "");
    return out;
  }

 private:
  std::vector<std::string> lines_;
  bool last_break_;
};

/// After the code of a line; a comment that is there already stays.
std::string with_remark(std::string_view text, int line, const std::string& remark) {
  Lines lines(text);
  std::string& words = lines.at(line);
  const bool carriage = words.ends_with('\r');
  if (carriage) words.pop_back();
  words += "  // lanescope: " + remark;
  if (carriage) words += '\r';
  return lines.text();
}

std::string indentation_at(std::string_view line) {
  return std::string(line.substr(0, line.size() - without_indent(line).size()));
}

/// `1.5` becomes `1.5f`; comments stay.
std::string with_float_literals(std::string_view text, int line) {
  Lines lines(text);
  std::string& words = lines.at(line);
  const std::size_t comment = std::min(words.find("//"), words.size());
  std::string out;
  for (std::size_t at = 0; at < comment;) {
    if (!is_word(words[at]) && words[at] != '.') {
      out += words[at++];
      continue;
    }
    std::size_t end = at;
    while (end < comment && (is_word(words[end]) || words[end] == '.' ||
                             ((words[end] == '-' || words[end] == '+') && lower(words[end - 1]) == 'e' &&
                              is_digit(words[at]) && !words.substr(at, 2).starts_with("0x"))))
      ++end;
    const std::string token = words.substr(at, end - at);
    const bool number = is_digit(token[0]) || (token.size() > 1 && token[0] == '.' && is_digit(token[1]));
    const bool real = number && !token.starts_with("0x") && token.find_first_of(".eE") != std::string::npos;
    out += token;
    if (real && (is_digit(token.back()) || token.back() == '.')) out += 'f';
    at = std::max(end, at + 1);
  }
  words = out + words.substr(comment);
  return lines.text();
}

class Fixes {
 public:
  Fixes(std::string_view text, int line, const results::Summary& summary) : text_(text), line_(line), s_(summary) {}

  std::vector<Fix> run() {
    if (line_ < 1 || line_ > Lines(text_).count()) return {};
    for (const results::ClaimInfo& c : s_.claims) claim(c);
    std::set<std::string> rules;
    for (const results::FindingInfo& f : s_.findings)
      if (f.line == line_ && rules.insert(f.rule).second) finding(f);
    for (const Diagnostic& d : s_.diagnostics)
      if (d.line == line_ && d.code == DiagnosticCode::expectation_differs) no_expectation();
    std::ranges::move(remarks_, std::back_inserter(fixes_));
    return std::move(fixes_);
  }

 private:
  void add(std::string title, std::string effect, std::string text) {
    if (text != text_) fixes_.push_back({std::move(title), std::move(effect), std::move(text)});
  }

  void claim(const results::ClaimInfo& c) {
    if (line_ < c.claim.first_line - 1 || line_ > c.claim.last_line || !c.result.actual) return;
    if (c.result.verdict != claims::Verdict::differs) return;
    add("Write the true assignment of " + c.claim.variable, "Replaces the rows by those that the run showed.",
        with_true_rows(text_, c.claim, *c.result.actual));
    if (const auto inserted = with_conversion(text_, c, s_))
      add("Convert " + c.claim.variable + " to what the comment says",
          "Inserts a function (" + inserted->cost + ") and its call before the comment.", inserted->text);
  }

  void finding(const results::FindingInfo& f) {
    if (f.rule == "missing-launch-bounds") bounds(f);
    // The accesses of one statement cannot be separated by a barrier before it.
    const bool one_line = f.parties.size() == 2 && f.parties[0].line == f.parties[1].line;
    if (f.rule == "barrier-missing" && !one_line) barrier(f, "__syncthreads();");
    if (f.rule == "warp-sync-missing" && !one_line) barrier(f, "__syncwarp();");
    if (f.rule == "barrier-unneeded") no_barrier(f);
    if (f.rule == "expected-absent" || f.rule == "bad-comment") no_remark(f);
    if (f.rule == "double-precision")
      add("Write the numbers as float", "Puts f after the numbers of this line.", with_float_literals(text_, f.line));
    const bool of_claim = f.rule.starts_with("claim-") || f.rule == "expected-absent" || f.rule == "bad-comment";
    if (f.expected || of_claim) return;
    remarks_.push_back({"Allow " + f.rule + " here", "Suppresses the finding on this statement by a comment.",
                        with_remark(text_, f.line, "allow " + f.rule)});
    remarks_.push_back({"Expect " + f.rule + " here", "Marks the finding as known by a comment.",
                        with_remark(text_, f.line, "expect " + f.rule)});
  }

  void bounds(const results::FindingInfo& f) {
    Lines lines(text_);
    const std::uint64_t threads = s_.block.count();
    for (int n = f.line; n <= std::min(f.line + 3, lines.count()); ++n) {
      std::string& words = lines.at(n);
      const std::size_t at = words.find("__global__"), type = words.find("void", at == std::string::npos ? 0 : at);
      if (at == std::string::npos || type == std::string::npos) continue;
      words.insert(type + 4, " __launch_bounds__(" + std::to_string(threads) + ")");
      return add("State the block size", "Writes __launch_bounds__(" + std::to_string(threads) + ").", lines.text());
    }
  }

  /// Before the statement that accesses what another warp or lane accessed.
  void barrier(const results::FindingInfo& f, const std::string& statement) {
    Lines lines(text_);
    lines.insert_before(f.line, indentation_at(lines.at(f.line)) + statement);
    add("Put a barrier before this line",
        "Writes " + statement.substr(0, statement.size() - 1) + " before the statement.", lines.text());
  }

  void no_barrier(const results::FindingInfo& f) {
    Lines lines(text_);
    if (trimmed(lines.at(f.line)) != "__syncthreads();") return;
    lines.erase(f.line);
    add("Remove the barrier", "Removes this line.", lines.text());
  }

  /// The kernel does something else than the header says: of the buffer's line, or of the table that begins there.
  void no_expectation() {
    Lines lines(text_);
    for (int n = line_; n <= lines.count(); ++n) {
      std::string& words = lines.at(n);
      const std::string_view own = trimmed(words);
      if (n > line_ && (own.empty() || own.starts_with('['))) return;
      const std::size_t at = words.find("expect");
      if (at == std::string::npos) continue;
      if (own.starts_with("expect")) {
        lines.erase(n);
      } else {
        const std::size_t comma = words.rfind(',', at), open = words.find('"', at);
        const std::size_t close = open == std::string::npos ? open : words.find('"', open + 1);
        if (comma == std::string::npos || close == std::string::npos) return;
        words.erase(comma, close + 1 - comma);
      }
      return add("Remove the expectation", "The header then no longer has expected contents of the buffer.",
                 lines.text());
    }
  }

  void no_remark(const results::FindingInfo& f) {
    Lines lines(text_);
    std::string& words = lines.at(f.line);
    const std::size_t remark = words.find("lanescope:");
    const std::size_t at = remark == std::string::npos ? remark : words.rfind("//", remark);
    if (at == std::string::npos) return;
    words.erase(at);
    while (!words.empty() && is_blank(words.back())) words.pop_back();
    if (words.empty()) lines.erase(f.line);
    add("Remove the comment", "Removes the remark to the review.", lines.text());
  }

  std::string_view text_;
  int line_;
  const results::Summary& s_;
  std::vector<Fix> fixes_, remarks_;
};

}  // namespace

std::vector<Fix> fixes_at(std::string_view text, int line, const results::Summary& summary) {
  return Fixes(text, line, summary).run();
}

}  // namespace lanescope::assist
