// Of a Makefile what can be known without running it: variables with literal values, conditions on these, and the recipes
// that call nvcc.

#include <algorithm>
#include <map>
#include <set>

#include "kernels/base/text.h"
#include "kernels/source/options/build_files.h"
#include "kernels/source/options/command_words.h"

namespace lanescope::options {
namespace {

constexpr std::size_t most_value = 64 << 10;  ///< characters of a line with its variables put in
constexpr int deepest_variable = 16;
constexpr char not_known = '\x01';  ///< stands for what a variable that is not known holds

enum class Holds : std::uint8_t { yes, no, unknown };

struct MakeRule {
  std::string head;  ///< "main.o: main.cu kernel.h"
  std::string recipe;
  int line = 0;
  Holds holds = Holds::yes;
};

class MakeReader {
 public:
  explicit MakeReader(std::string_view text) {
    int number = 0;
    std::string line;
    int first = 1;
    for (const std::string_view piece : split_lines(text)) {
      ++number;
      if (line.empty()) first = number;
      std::string_view words = piece;
      if (words.ends_with('\r')) words.remove_suffix(1);
      const bool goes_on = words.ends_with('\\');
      if (goes_on) words.remove_suffix(1);
      line += words;
      if (goes_on && line.size() < most_value) {
        line += ' ';
        continue;
      }
      read(line, first);
      line.clear();
    }
    if (!line.empty()) read(line, first);
  }

  const std::vector<MakeRule>& rules() const { return rules_; }
  const std::set<std::string, std::less<>>& doubtful() const { return doubtful_; }

  /// Variables put in; `not_known` for others.
  std::string expanded(std::string_view text, int depth = 0) const {
    std::string out;
    for (std::size_t i = 0; i < text.size() && out.size() < most_value; ++i) {
      if (text[i] != '$' || i + 1 >= text.size()) {
        out += text[i];
        continue;
      }
      const char next = text[++i];
      if (next == '$') {
        out += '$';
        continue;
      }
      if (next != '(' && next != '{') {  // $< $@ $^ $X
        out += not_known;
        continue;
      }
      const std::size_t close = closing(text, i);
      if (close == std::string_view::npos) return out + not_known;
      const auto known = variables_.find(text.substr(i + 1, close - i - 1));
      if (known == variables_.end() || depth >= deepest_variable)
        out += not_known;
      else
        out += expanded(known->second, depth + 1);
      i = close;
    }
    return out;
  }

 private:
  static std::size_t closing(std::string_view text, std::size_t open) {
    const char o = text[open], c = o == '(' ? ')' : '}';
    int depth = 0;
    for (std::size_t i = open; i < text.size(); ++i) {
      if (text[i] == o) ++depth;
      if (text[i] == c && --depth == 0) return i;
    }
    return std::string_view::npos;
  }

  void read(const std::string& line, int number) {
    if (line.starts_with('\t')) {
      if (!rules_.empty() && holds() != Holds::no)
        rules_.push_back({.head = rules_.back().head, .recipe = line, .line = number, .holds = holds()});
      return;
    }
    std::string_view words = trimmed(std::string_view(line).substr(0, line.find('#')));
    if (words.empty() || condition(words)) return;
    if (holds() == Holds::no || assignment(words)) return;
    if (words.find(':') != std::string_view::npos)
      rules_.push_back({.head = std::string(words), .recipe = {}, .line = number, .holds = holds()});
  }

  Holds holds() const {
    Holds out = Holds::yes;
    for (const Holds h : conditions_) {
      if (h == Holds::no) return Holds::no;
      if (h == Holds::unknown) out = h;
    }
    return out;
  }

  bool condition(std::string_view words) {
    const auto starts = [&](std::string_view w) {
      return words.starts_with(w) && (words.size() == w.size() || is_blank(words[w.size()]) || words[w.size()] == '(');
    };
    if (starts("endif")) {
      if (!conditions_.empty()) conditions_.pop_back();
      return true;
    }
    if (starts("else")) {
      if (conditions_.empty()) return true;
      Holds& last = conditions_.back();
      const bool more = trimmed(words.substr(4)).starts_with("if");
      last = last == Holds::yes ? Holds::no : last == Holds::no && !more ? Holds::yes : Holds::unknown;
      return true;
    }
    const bool equal = starts("ifeq"), unequal = starts("ifneq"), defined = starts("ifdef"),
               undefined = starts("ifndef");
    if (!equal && !unequal && !defined && !undefined) return false;
    Holds h = Holds::unknown;
    if (equal || unequal) {
      const std::optional<std::pair<std::string, std::string>> sides = compared(trimmed(words.substr(equal ? 4 : 5)));
      if (sides && sides->first.find(not_known) == std::string::npos &&
          sides->second.find(not_known) == std::string::npos)
        h = (sides->first == sides->second) == equal ? Holds::yes : Holds::no;
    } else if (const auto known = variables_.find(trimmed(words.substr(defined ? 5 : 6))); known != variables_.end()) {
      h = known->second.empty() == undefined ? Holds::yes : Holds::no;
    }
    conditions_.push_back(h);
    return true;
  }

  /// "(a,b)" or "a" "b".
  std::optional<std::pair<std::string, std::string>> compared(std::string_view words) const {
    if (words.starts_with('(') && words.ends_with(')')) {
      const std::string_view inner = words.substr(1, words.size() - 2);
      int depth = 0;
      for (std::size_t i = 0; i < inner.size(); ++i) {
        if (inner[i] == '(' || inner[i] == '{') ++depth;
        if (inner[i] == ')' || inner[i] == '}') --depth;
        if (inner[i] == ',' && depth == 0)
          return std::pair{expanded(trimmed(inner.substr(0, i))), expanded(trimmed(inner.substr(i + 1)))};
      }
      return std::nullopt;
    }
    const CommandWords sides = command_words(expanded(words));
    if (sides.words.size() != 2) return std::nullopt;
    return std::pair{sides.words[0].text, sides.words[1].text};
  }

  bool assignment(std::string_view words) {
    for (const std::string_view w : {"export ", "override "})
      if (words.starts_with(w)) words = trimmed(words.substr(w.size()));
    std::size_t end = 0;
    while (end < words.size() && (is_word(words[end]) || words[end] == '.' || words[end] == '-')) ++end;
    const std::string name(words.substr(0, end));
    std::string_view rest = trimmed(words.substr(end));
    char how = '=';
    if (rest.starts_with("::="))
      rest.remove_prefix(2), how = ':';
    else if (rest.size() > 1 && rest[1] == '=' && (rest[0] == ':' || rest[0] == '+' || rest[0] == '?'))
      how = rest[0], rest.remove_prefix(1);
    if (name.empty() || !rest.starts_with('=')) return false;
    std::string value(trimmed(rest.substr(1)));
    if (how == ':') value = expanded(value);
    const auto known = variables_.find(name);
    if (holds() == Holds::unknown) {
      doubtful_.insert(value);
      return true;
    }
    if (how == '+' && known != variables_.end())
      known->second += ' ' + value;
    else if (how != '?' || known == variables_.end())
      variables_.insert_or_assign(name, value);
    return true;
  }

  std::map<std::string, std::string, std::less<>> variables_;
  std::set<std::string, std::less<>> doubtful_;  ///< values given under a condition that is not known
  std::vector<Holds> conditions_;
  std::vector<MakeRule> rules_;
};

bool names_file(std::string_view words, std::string_view file_name) {
  for (std::size_t at = words.find(file_name); at != std::string_view::npos; at = words.find(file_name, at + 1)) {
    const bool begins = at == 0 || is_blank(words[at - 1]) || words[at - 1] == '/';
    const std::size_t end = at + file_name.size();
    if (begins && (end == words.size() || is_blank(words[end]))) return true;
  }
  return false;
}

bool names_another(std::string_view words) {
  for (std::size_t at = words.find(".cu"); at != std::string_view::npos; at = words.find(".cu", at + 1)) {
    const bool ends = at + 3 == words.size() || is_blank(words[at + 3]);
    if (ends && at > 0 && words[at - 1] != '%' && !is_blank(words[at - 1])) return true;
  }
  return false;
}

bool is_option(std::string_view w) {
  return w.starts_with("-D") || w.starts_with("-I") || w.starts_with("-U") || w.starts_with("--define-macro") ||
         w.starts_with("--undefine-macro") || w.starts_with("--include-path") || w.starts_with("-isystem");
}

void take_words(std::string_view text, int line, bool known, std::vector<BuildWord>& out) {
  const CommandWords all = command_words(text);
  for (std::size_t i = 0; i < all.words.size(); ++i) {
    std::string word = all.words[i].text;
    if (all.words[i].is_operator || !is_option(word)) continue;
    const bool alone = word == "-D" || word == "-I" || word == "-U" || word == "-isystem" ||
                       (word.starts_with("--") && word.find('=') == std::string::npos);
    if (alone && i + 1 < all.words.size()) {
      const std::string& value = all.words[++i].text;
      word = word == "-isystem" ? "-I" + value : word.starts_with("--") ? word + "=" + value : word + value;
    }
    const bool whole = word.find(not_known) == std::string::npos;
    for (char& c : word)
      if (c == not_known) c = '?';
    out.push_back({.text = std::move(word), .line = line, .known = known && whole});
  }
}

}  // namespace

std::vector<BuildWord> words_of_makefile(std::string_view text, std::string_view file_name) {
  const MakeReader make(text);
  std::vector<BuildWord> out;
  const MakeRule* chosen = nullptr;
  bool by_name = false;
  for (const MakeRule& rule : make.rules()) {
    const std::string recipe = make.expanded(rule.recipe);
    if (recipe.find("nvcc") == std::string::npos) continue;
    const std::string head = make.expanded(rule.head);
    const bool own = names_file(recipe, file_name) || names_file(head, file_name);
    if (!own && (names_another(recipe) || (names_another(head) && head.find('%') == std::string::npos))) continue;
    if (chosen != nullptr && (by_name || !own)) continue;
    chosen = &rule;
    by_name = own;
  }
  if (chosen == nullptr) return out;
  take_words(make.expanded(chosen->recipe), chosen->line, chosen->holds == Holds::yes, out);
  for (const std::string& value : make.doubtful()) take_words(make.expanded(value), 0, false, out);
  return out;
}

MakeCall call_of_makefile(std::string_view text) {
  const MakeReader make(text);
  for (const MakeRule& rule : make.rules()) {
    const std::string_view head = trimmed(std::string_view(rule.head).substr(0, rule.head.find(':')));
    if (head != "run" || rule.recipe.empty() || rule.holds != Holds::yes) continue;
    const CommandWords all = command_words(make.expanded(rule.recipe));
    MakeCall out{.line = rule.line};
    bool called = false;
    for (const CommandWord& w : all.words) {
      if (called && w.is_operator) break;
      if (called && w.text.find(not_known) != std::string::npos) return {};
      if (called) out.words.push_back(w.text);
      called = called || w.text.starts_with("./");
    }
    if (called) return out;
  }
  return {};
}

}  // namespace lanescope::options
