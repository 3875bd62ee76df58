#include "kernels/claims/questions.h"

#include <algorithm>
#include <set>
#include <vector>

#include <fmt/args.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "kernels/base/source_lines.h"
#include "kernels/base/text.h"

namespace lanescope::claims {
namespace {

/// {0} is the variable of the claim, {1}, {2} and {3} are operands of the reason.
constexpr Sentence questions[] = {
    {"none", ""},
    {"outside-functions", "In which function, after which statement, is it meant? Move the comment there."},
    {"host-code", "The registers of which kernel are meant? Move the comment there."},
    {"unbalanced-brackets", ""},
    {"inside-statement", "Before or after the statement around it? Move the comment there."},
    {"unread-rows", "What do the letters and marks of these rows mean?"},
    {"unread-notation", "Which elements are in which lane and register? Write them as rows."},
    {"unread-comment", "Which numbers are meant?"},
    {"too-many-comments", ""},
    {"no-variable", "Which variable has this assignment?"},
    {"unclear-variable", "Which variable has this assignment?"},
    {"no-place-for-probe", "After which statement is it meant? Move the comment there."},
    {"probe-not-compiled", ""},
    {"no-array-named", "Which array is meant? Name it in the comment."},
    {"shape-not-stated", "Which shape has the whole array?"},
    {"larger-than-array", "Which of the two shapes is right?"},
    {"extents-unlike-axes", "Which extent belongs to which axis?"},
    {"wrong-extent", "Which of the two extents is right?"},
    {"no-permutation", "Which element is at each place?"},
    {"unknown-place", "Where in shared memory does `{0}` begin?"},
    {"unknown-element-size", "Which type have the elements of `{0}`?"},
    {"overlapping-places", "Which strides has `{0}`?"},
    {"unlike-declaration", "Which extents are right, those of the comment or those of the declaration?"},
    {"beyond-declaration", "Which extents are right, those of the comment or those of the declaration?"},
    {"not-run", ""},
    {"stopped", ""},
    {"not-executed", "With which arguments or contents does a thread reach it? Give them in the launch header."},
    {"not-accessed", "With which arguments or contents is it accessed? Give them in the launch header."},
    {"launch-not-reached", ""},
    {"threads-stopped", ""},
    {"not-executed-on-gpu", ""},
    {"judged-in-other-launch", ""},
    {"kernel-not-launched", "How is `{1}` launched? `--kernel {1}` runs it alone."},
    {"gpu-refused", ""},
    {"no-contract", "With which arguments is `{1}` called? Add a kernel that calls it."},
    {"memory-not-watched", ""},
    {"no-provenance", ""},
    {"no-buffer", "Which array does `{0}` point to? Give it in `args` of the launch header."},
    {"no-such-array", ""},
    {"several-arrays", "Which of the arrays called `{0}` is meant?"},
    {"too-large", ""},
    {"unknown-axis", "Which axis of the array is {1}?"},
    {"axis-of-other-buffer", "Which axis of {1} is {2}?"},
    {"buffer-not-traced", "May {1} be traced? Remove `traced = false` from the launch header."},
    {"no-traced-element", "Which array do the values of `{0}` come from?"},
    {"mixed-elements", "In which bits do all elements of a value agree? State these alone."},
    {"axis-not-stated", "Which axis of the array is meant?"},
    {"computed-bits", ""},
    {"kept-contents", ""},
    {"seen-in-part", ""},
    {"not-all-threads", ""},
    {"unknown-moment", "At which barrier is it meant? Move the comment there."},
    {"moment-not-stated", "Before or after which statements is it meant? Move the comment there."},
    {"guessed-variable", "Is `{0}` meant?"},
    {"guessed-layout", "Which type have the elements of the array, and in which order are its axes?"},
    {"guessed-order", "In which order are the axes of the array?"},
    {"defines-order", "In which order are the axes of `{1}`?"},
    {"several-readings", "Which of the readings is meant?"},
    {"unknown-sizes", "With which block, grid and arguments is it launched? Give them in the launch header."},
    {"engine-limit", ""},
    {"alternative", ""},
    {"input", ""},
    {"if-input", ""},
    {"steps-of-axes", ""},
    {"order-of-claim", ""},
    {"holds-for-a-time", ""},
    {"as-seen", ""},
};
static_assert(names_enumerators<Why>(questions, [](const Sentence& s) { return s.name; }));

/// The line that may answer the question about one claim.
class Answering {
 public:
  Answering(const source::Source& source, const ClaimResult& result)
      : source_(source),
        result_(result),
        claim_(source.claims[static_cast<std::size_t>(result.claim)]),
        lines_(split_lines(source.text)) {}

  void answer(Question& question) {
    if (source_.lines.place(claim_.first_line).file != 0) return;  // a header's
    switch (result_.reason.code) {
      case Why::no_variable:
      case Why::unclear_variable:
        above_rows(question, claim_.settling);
        break;
      case Why::guessed_variable: {
        std::vector<std::string> names;
        for (const int id : claim_.registers)
          if (const auto v = std::ranges::find(source_.variables, id, &source::Variable::id);
              v != source_.variables.end())
            names.push_back(v->name);
        above_rows(question, fmt::format("registers: {}", fmt::join(names, " ")));
        break;
      }
      case Why::unread_rows:
        above_function(question, claim_.settling);
        break;
      case Why::unknown_axis:
        above_function(question, another_name(result_.reason.operands.front()));
        break;
      case Why::guessed_layout:
      case Why::guessed_order:
      case Why::defines_order:
        axes(question);
        break;
      case Why::shape_not_stated:
        whole_shape(question);
        break;
      case Why::kernel_not_launched:
        launch(question, result_.reason.operands.front());
        break;
      default:
        break;
    }
  }

 private:
  /// A comment line like the first row, directly before it.
  void above_rows(Question& question, const std::string& text) const {
    const std::string_view row = line(claim_.first_line);
    const std::size_t begin = std::min(row.find_first_not_of(" \t/*"), row.size());
    const bool alone = row.find("//") < begin || row.find('/') == std::string_view::npos;
    if (text.empty() || !alone) return;
    question.line = std::string(row.substr(0, begin)) + text;
    question.at = claim_.first_line;
  }

  void above_function(Question& question, const std::string& text) const {
    const auto f = std::ranges::find_if(source_.functions, [&](const source::Function& one) {
      return one.name == claim_.function && claim_.first_line <= one.last_line;
    });
    if (text.empty() || f == source_.functions.end()) return;
    question.line = "// " + text;
    question.at = f->first_line;
  }

  /// "call i4..i0 b4..b0": the only axis of the header that the claim does not name and that has as many bits.
  std::string another_name(const std::string& axis) const {
    std::set<std::string> named;
    int bits = 0;
    for (const std::string& name : layout::logical_bits(claim_.stated)) {
      const layout::LogicalBit bit = layout::split_name(name);
      named.insert(bit.axis);
      if (bit.axis == axis) bits = std::max(bits, bit.bit + 1);
    }
    std::set<std::string> fitting;
    for (const source::BufferSpec& b : source_.header.buffers)
      for (const source::Axis& a : b.axes)
        if (!b.inferred && !named.contains(a.name) && a.extent == std::uint64_t{1} << std::min(bits, 63))
          fitting.insert(a.name);
    if (fitting.size() != 1 || bits == 0) return {};
    const auto all = [&](const std::string& name) {
      return bits == 1 ? name + "0" : fmt::format("{0}{1}..{0}0", name, bits - 1);
    };
    return fmt::format("call {} {}", all(*fitting.begin()), all(axis));
  }

  /// The axes of an array: in its entry of the header, or as a comment on its shape.
  void axes(Question& question) const {
    if (result_.axes.empty() || result_.axes_of < 0) return;
    const source::BufferSpec& b = source_.header.buffers[static_cast<std::size_t>(result_.axes_of)];
    if (b.generated) return;
    if (b.line == 0) return above_function(question, shape(b.name, result_.axes));
    const std::string_view entry = line(b.line);
    const std::size_t open = entry.find('"'), close = entry.rfind('"');
    if (open == std::string_view::npos || close == open || entry.find('{') < open) return;
    const std::string_view text = entry.substr(open + 1, close - open - 1);
    const std::size_t contents = text.find('=');
    question.line =
        fmt::format("{}{} {}{}{}", entry.substr(0, open + 1), text.substr(0, text.find(' ')), result_.axes,
                    contents == std::string_view::npos ? "" : " ",
                    contents == std::string_view::npos ? entry.substr(close) : entry.substr(open + 1 + contents));
    question.at = b.line;
    question.replaces = true;
  }

  /// "p[i,j], shape (4,32)" of "i:4 j:32"; empty where the axes have strides of their own.
  static std::string shape(const std::string& array, std::string_view axes) {
    std::vector<std::string_view> names, extents;
    while (!axes.empty()) {
      const std::string_view one = axes.substr(0, axes.find(' '));
      axes.remove_prefix(std::min(one.size() + 1, axes.size()));
      if (one.find('/') != std::string_view::npos) return {};
      names.push_back(one.substr(0, one.find(':')));
      extents.push_back(one.substr(one.find(':') + 1));
    }
    return fmt::format("{}[{}], shape ({})", array, fmt::join(names, ","), fmt::join(extents, ","));
  }

  /// The axes that the header gives the array of a pointer.
  void whole_shape(Question& question) const {
    const auto b = std::ranges::find(source_.header.buffers, claim_.variable, &source::BufferSpec::name);
    if (b != source_.header.buffers.end() && !b->axes_assumed && !b->size_assumed)
      above_function(question, shape(b->name, source::axes_text(*b)));
  }

  /// The key of the launch header that chooses a kernel.
  void launch(Question& question, const std::string& kernel) const {
    for (std::size_t n = 0; source_.header.present && n < lines_.size(); ++n) {
      const std::size_t at = lines_[n].find_first_not_of(" \t/*");
      if (at == std::string_view::npos) continue;
      if (lines_[n].substr(at).starts_with("[lanescope]") && question.line.empty()) {
        question.line = fmt::format("{}kernel = \"{}\"", lines_[n].substr(0, at), kernel);
        question.at = static_cast<int>(n) + 2;
      } else if (!question.line.empty() && lines_[n].substr(at).starts_with("kernel")) {
        question.at = static_cast<int>(n) + 1;
        question.replaces = true;
        return;
      } else if (!question.line.empty() && lines_[n].substr(at).starts_with("[")) {
        return;
      }
    }
  }

  std::string_view line(int number) const {
    const auto at = static_cast<std::size_t>(number - 1);
    return at < lines_.size() ? lines_[at] : std::string_view();
  }

  const source::Source& source_;
  const ClaimResult& result_;
  const source::Claim& claim_;
  std::vector<std::string_view> lines_;
};

}  // namespace

std::optional<Question> question_on(const source::Source& source, const ClaimResult& result) {
  if (result.verdict != Verdict::unchecked) return std::nullopt;
  const std::string_view words = entry_for(questions, result.reason.code).words;
  if (words.empty()) return std::nullopt;
  fmt::dynamic_format_arg_store<fmt::format_context> operands;
  operands.push_back(source.claims[static_cast<std::size_t>(result.claim)].variable);
  for (std::size_t n = 0; n < 3; ++n)
    operands.push_back(n < result.reason.operands.size() ? result.reason.operands[n] : std::string());
  Question out{.words = fmt::vformat(words, operands)};
  Answering(source, result).answer(out);
  return out;
}

std::string with_line(std::string_view text, const Question& question) {
  std::string out;
  int number = 0;
  for (std::size_t at = 0; at < text.size() || number == 0;) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    ++number;
    if (number == question.at) out += question.line + '\n';
    if (number != question.at || !question.replaces) out += text.substr(at, end + 1 - at);
    at = end + 1;
  }
  return out;
}

}  // namespace lanescope::claims
