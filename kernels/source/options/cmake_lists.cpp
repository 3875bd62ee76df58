// Of a CMakeLists.txt what can be known without running it: calls that stand under no condition, with literal values and
// defaults, `if(NOT DEFINED X) set(X 86) endif()`.

#include <algorithm>
#include <map>
#include <set>

#include "kernels/base/text.h"
#include "kernels/source/options/build_files.h"

namespace lanescope::options {
namespace {

struct CmakeCall {
  std::string name;  ///< in lower case
  std::vector<std::string> words;
  int line = 0;
  bool sure = true;  ///< under no condition, in no loop or function
};

class CmakeReader {
 public:
  explicit CmakeReader(std::string_view text) : text_(text) {}

  std::vector<CmakeCall> run() {
    while (at_ < text_.size()) {
      skip_blanks();
      if (at_ >= text_.size()) break;
      if (!is_letter(text_[at_]) && text_[at_] != '_') {
        step();
        continue;
      }
      CmakeCall call{.name = {}, .words = {}, .line = line_, .sure = depth_ == 0};
      while (at_ < text_.size() && is_word(text_[at_])) call.name += lower(text_[at_++]);
      skip_blanks();
      if (at_ >= text_.size() || text_[at_] != '(') continue;
      step();
      arguments(call);
      if (call.name == "if" || call.name.starts_with("else") || call.name.starts_with("end"))
        default_of_ = call.name == "if" && call.sure ? negated(call.words) : "";
      if (one_of(call.name, {"if", "foreach", "while", "function", "macro"})) ++depth_;
      if (call.name.starts_with("end") && depth_ > 0) --depth_;
      if (call.name == "project" && call.sure && !call.words.empty())
        for (const std::string& of : {std::string("CMAKE"), std::string("PROJECT"), call.words[0]})
          variables_.insert_or_assign(of + "_SOURCE_DIR", ".");
      const bool is_default =
          depth_ == 1 && call.words.size() > 1 && call.words[0] == default_of_ && !variables_.contains(default_of_);
      if (call.name == "set" && (call.sure || is_default) && call.words.size() > 1) {
        std::string value;
        for (std::size_t i = 1; i < call.words.size() && call.words[i] != "CACHE" && call.words[i] != "PARENT_SCOPE";
             ++i)
          value += (i > 1 ? " " : "") + call.words[i];
        variables_.insert_or_assign(call.words[0], value);
      }
      out_.push_back(std::move(call));
    }
    return std::move(out_);
  }

 private:
  static char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }
  /// The X of NOT X and NOT DEFINED X, which may be followed by OR.
  static std::string negated(const std::vector<std::string>& words) {
    const std::size_t at = words.size() > 1 && words[1] == "DEFINED" ? 2 : 1;
    const bool whole = words.size() == at + 1 || (words.size() > at + 1 && words[at + 1] == "OR");
    return whole && words[0] == "NOT" ? words[at] : "";
  }
  void step() {
    if (text_[at_] == '\n') ++line_;
    ++at_;
  }
  void skip_blanks() {
    while (at_ < text_.size()) {
      if (text_[at_] == '#')
        while (at_ < text_.size() && text_[at_] != '\n') ++at_;
      else if (is_blank(text_[at_]) || text_[at_] == '\n')
        step();
      else
        return;
    }
  }

  void arguments(CmakeCall& call) {
    int open = 1;
    for (skip_blanks(); at_ < text_.size() && open > 0; skip_blanks()) {
      std::string word;
      const char c = text_[at_];
      if (c == '(' || c == ')') {
        open += c == '(' ? 1 : -1;
        step();
        continue;
      }
      if (c == '"') {
        for (step(); at_ < text_.size() && text_[at_] != '"'; step()) {
          if (text_[at_] == '\\' && at_ + 1 < text_.size()) step();
          word += text_[at_];
        }
        if (at_ < text_.size()) step();
      } else {
        while (at_ < text_.size() && !is_blank(text_[at_]) && text_[at_] != '\n' && text_[at_] != ')' &&
               text_[at_] != '(')
          word += text_[at_++];
        // $<$<CONFIG:Debug>:-DX> has no blanks, and -DX="a b" is one word.
      }
      call.words.push_back(put_in(word));
    }
  }

  std::string put_in(std::string_view word) const {
    std::string out;
    for (std::size_t i = 0; i < word.size(); ++i) {
      const std::size_t close = word.substr(i).starts_with("${") ? word.find('}', i) : std::string_view::npos;
      if (close == std::string_view::npos) {
        out += word[i];
        continue;
      }
      const std::string_view name = word.substr(i + 2, close - i - 2);
      const auto known = variables_.find(name);
      if (one_of(name, {"CMAKE_CURRENT_SOURCE_DIR", "CMAKE_CURRENT_LIST_DIR"}))
        out += '.';
      else if (known != variables_.end() && out.size() < 4096)
        out += known->second;
      else
        out += word.substr(i, close - i + 1);
      i = close;
    }
    return out;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  int line_ = 1, depth_ = 0;
  std::string default_of_;  ///< inside `if(NOT X)`
  std::map<std::string, std::string, std::less<>> variables_;
  std::vector<CmakeCall> out_;
};

bool has_file(const CmakeCall& call, std::string_view file_name) {
  return std::ranges::any_of(call.words, [&](std::string_view w) {
    return w == file_name || (w.ends_with(file_name) && w[w.size() - file_name.size() - 1] == '/') ||
           w.find(' ' + std::string(file_name)) != std::string_view::npos;
  });
}

/// A word of a list of definitions or folders as an option; "": a word of CMake's own.
std::string as_option(const CmakeCall& call, std::string_view word) {
  if (one_of(word, {"PUBLIC", "PRIVATE", "INTERFACE", "SYSTEM", "BEFORE", "AFTER"})) return {};
  const bool dash = word.starts_with("-D") || word.starts_with("-I") || word.starts_with("-U");
  if (dash) return std::string(word);
  if (call.name == "add_compile_definitions" || call.name == "target_compile_definitions")
    return "-D" + std::string(word);
  if (call.name == "include_directories" || call.name == "target_include_directories") return "-I" + std::string(word);
  return {};
}

}  // namespace

std::vector<BuildWord> words_of_cmake(std::string_view text, std::string_view file_name) {
  const std::vector<CmakeCall> calls = CmakeReader(text).run();
  // Targets that have this file, by any call that lists it after a name.
  std::set<std::string> own, all;
  for (const CmakeCall& call : calls) {
    if (call.words.empty() || !one_of(call.name, {"add_executable", "add_library", "cuda_add_executable",
                                                  "cuda_add_library", "target_sources"}))
      continue;
    all.insert(call.words[0]);
    if (has_file(call, file_name)) own.insert(call.words[0]);
  }
  std::vector<BuildWord> out;
  for (const CmakeCall& call : calls) {
    std::size_t first = 0;
    if (call.name.starts_with("target_")) {
      if (call.words.empty() || (!own.contains(call.words[0]) && (!own.empty() || all.size() != 1))) continue;
      first = 1;
    } else if (call.name == "set") {
      if (call.words.empty() || call.words[0].find("CUDA") == std::string::npos ||
          call.words[0].find("FLAGS") == std::string::npos)
        continue;
      first = 1;
    } else if (!one_of(call.name,
                       {"add_definitions", "add_compile_definitions", "add_compile_options", "include_directories"})) {
      if (!has_file(call, file_name)) continue;  // a function of the project's own that lists this file
    }
    for (std::size_t i = first; i < call.words.size(); ++i) {
      // A quoted list of options is one word.
      std::string_view rest = call.words[i];
      const bool list = call.name == "set";
      while (!rest.empty()) {
        const std::size_t stop = list ? std::min(rest.find(' '), rest.size()) : rest.size();
        std::string option = as_option(call, rest.substr(0, stop));
        rest.remove_prefix(std::min(stop + 1, rest.size()));
        if (option.empty()) continue;
        const bool known =
            call.sure && option.find("${") == std::string::npos && option.find("$<") == std::string::npos;
        out.push_back({.text = std::move(option), .line = call.line, .known = known});
      }
    }
  }
  return out;
}

}  // namespace lanescope::options
