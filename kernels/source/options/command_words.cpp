#include "kernels/source/options/command_words.h"

#include "kernels/base/text.h"

namespace lanescope::options {
namespace {

constexpr std::string_view operators = ";&|()<>\n";

class Splitter {
 public:
  explicit Splitter(std::string_view text) : text_(text) {}

  CommandWords run() {
    while (at_ < text_.size()) step();
    end_word();
    return std::move(out_);
  }

 private:
  char next() { return at_ < text_.size() ? text_[at_++] : '\0'; }

  void step() {
    const char c = next();
    if (c == '\\') {
      escaped();
    } else if (c == '\'') {
      single();
    } else if (c == '"') {
      twofold();
    } else if (c == '#' && !inside_) {
      while (at_ < text_.size() && text_[at_] != '\n') ++at_;
    } else if (is_blank(c)) {
      end_word();
    } else if (operators.find(c) != std::string_view::npos) {
      end_word();
      std::string word(1, c);
      if (at_ < text_.size() && text_[at_] == c && (c == '&' || c == '|' || c == '>' || c == ';')) word += next();
      out_.words.push_back({.text = std::move(word), .is_operator = true});
    } else {
      put(c);
      if (c == '$' || c == '`') word_.expands = true;
    }
  }

  void put(char c) {
    word_.text += c;
    inside_ = true;
  }

  void escaped() {
    if (at_ >= text_.size()) return put('\\');
    if (text_[at_] == '\r' && at_ + 1 < text_.size() && text_[at_ + 1] == '\n') ++at_;
    const char c = next();
    if (c != '\n') put(c);
  }

  void single() {
    inside_ = true;
    const std::size_t end = text_.find('\'', at_);
    if (end == std::string_view::npos) out_.mistake = "a quote ' is not closed";
    word_.text += text_.substr(at_, end == std::string_view::npos ? end : end - at_);
    at_ = end == std::string_view::npos ? text_.size() : end + 1;
  }

  void twofold() {
    inside_ = true;
    while (at_ < text_.size()) {
      const char c = next();
      if (c == '"') return;
      if (c == '\\' && at_ < text_.size() && std::string_view("$`\"\\\n").find(text_[at_]) != std::string_view::npos) {
        if (const char literal = next(); literal != '\n') word_.text += literal;
        continue;
      }
      if (c == '$' || c == '`') word_.expands = true;
      word_.text += c;
    }
    out_.mistake = "a quote \" is not closed";
  }

  void end_word() {
    if (inside_) out_.words.push_back(std::move(word_));
    word_ = {};
    inside_ = false;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  CommandWords out_;
  CommandWord word_;
  bool inside_ = false;
};

}  // namespace

CommandWords command_words(std::string_view text) { return Splitter(text).run(); }

std::string shell_text(std::string_view word) {
  bool plain = !word.empty() && word.front() != '#';
  for (const char c : word)
    plain = plain && (is_word(c) || std::string_view("-+=./,:@%^").find(c) != std::string::npos);
  if (plain) return std::string(word);
  std::string out = "'";
  for (const char c : word) {
    if (c == '\'')
      out += "'\\''";
    else
      out += c;
  }
  return out + "'";
}

std::string shell_text(const std::vector<std::string>& words) {
  std::string out;
  for (const std::string& word : words) out += (out.empty() ? "" : " ") + shell_text(word);
  return out;
}

}  // namespace lanescope::options
