#include "tests/app/lessons/prose_figures.h"

#include <algorithm>
#include <cctype>
#include <filesystem>

#include <fmt/format.h>

#include "app/lessons/answer.h"
#include "kernels/base/read_file.h"
#include "kernels/base/text.h"

namespace lanescope::lessons {
namespace {

std::string number(double value) { return fmt::format("{:.10g}", value); }

/// One form for "7.0" and "7"; bits such as 00011 stay as they are.
std::string in_one_form(const std::string& n) {
  const bool bits = n.size() > 1 && n[0] == '0' && n.find('.') == std::string::npos;
  return bits || n.size() > 15 ? n : number(std::stod(n));
}

/// Numbers of the text that are calculated from other numbers, or are part of names: in each lesson.
std::set<std::string> reckoned(std::string_view lesson) {
  const auto all = [](std::initializer_list<double> values) {
    std::set<std::string> out;
    for (const double v : values) out.insert(number(v));
    return out;
  };
  const auto bits = [](std::initializer_list<const char*> words) {
    return std::set<std::string>(words.begin(), words.end());
  };
  if (lesson == "01") return all({50});                                 // percent that a kernel prefers
  if (lesson == "02") return all({1.0, 1.1, 128 * 24, 128 * 24 / 32});  // versions; particles of 24 bytes
  if (lesson == "03") return all({4096 * 4});                           // bytes of 4,096 floats
  if (lesson == "04") {
    auto out = all({2 * 32 + 1, 5 * 33 + 3, 34});
    out.merge(bits({"00011", "00101"}));
    return out;
  }
  if (lesson == "05") return all({7.0});  // compute capability
  if (lesson == "06") return all({1024 - 1, 1000});
  if (lesson == "07") return all({7.0});
  if (lesson == "08") {
    auto out = all({30 + 4});
    out.merge(bits({"00001", "10000", "00011", "00101"}));
    return out;
  }
  if (lesson == "09") return bits({"0101", "0110", "01", "01011"});
  if (lesson == "10") return bits({"01011"});
  // MB of both arrays, TB/s of the table, and times of docs/references.md in other units, rounded.
  if (lesson == "11") return all({33.6, 4.8, 0.48, 0.013, 13});
  // Bounds of a latency; bytes, loads and warps in flight; GHz; percent; KiB and multiprocessors of the table; threads
  // of a question.
  if (lesson == "12") return all({600, 700, 800 * 92, 800 * 92 / 4, 800 * 92 / 128, 1.566, 50, 228, 768, 132});
  if (lesson == "13") return all({1 << 24, (1 << 24) + 31});
  // Elements and their sum; about two of seven of it; atomics without a group; blocks of the grid; the middle of 64 to
  // 127.
  if (lesson == "14") return all({127, 127 * 128 / 2, 2300, 38, 132, 132 * 32, (64 + 127) / 2.0});
  return {};
}

/// Documents that the lessons follow, and what an H200 gave.
const std::set<std::string>& cited() {
  static const std::set<std::string> all = [] {
    std::set<std::string> out;
    for (const char* file :
         {LANESCOPE_SOURCE_DIR "/docs/references.md", LANESCOPE_SOURCE_DIR "/tests/data/references.json"})
      if (const auto text = read_file(file)) {
        std::string plain = *text;
        std::ranges::replace(plain, '`', ' ');
        for (const std::string& n : numbers_in(plain)) {
          out.insert(number(std::stod(n) / 1000));  // us there, ms in a lesson
          out.insert(in_one_form(n));
        }
      }
    return out;
  }();
  return all;
}

bool counts_by_itself(const std::string& n) {
  if (n.find('.') != std::string::npos || n.size() > 4 || (n.size() > 1 && n[0] == '0')) return false;
  const unsigned long value = std::stoul(n);
  return (value <= 32 || value == 100 || (value <= 2048 && (value & (value - 1)) == 0));
}

}  // namespace

std::vector<std::string> numbers_in(std::string_view text) {
  std::vector<std::string> out;
  bool code = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '`') code = !code;
    if (code || !is_digit(text[i])) continue;
    const bool in_word = i > 0 && (is_word(text[i - 1]) || text[i - 1] == '.');
    std::string n;
    std::size_t end = i;
    // A comma between thousands, a point between digits.
    const auto joins = [&](std::size_t at) {
      if (text[at] == '.') return at + 1 < text.size() && is_digit(text[at + 1]);
      if (text[at] != ',' || at + 3 >= text.size()) return false;
      for (std::size_t k = 1; k <= 3; ++k)
        if (!is_digit(text[at + k])) return false;
      return at + 4 >= text.size() || !is_digit(text[at + 4]);
    };
    while (end < text.size() && (is_digit(text[end]) || joins(end))) {
      if (text[end] != ',') n += text[end];
      ++end;
    }
    i = end - 1;
    if (!in_word) out.push_back(n);
  }
  return out;
}

std::vector<std::string> unfounded_numbers(const Lesson& as_reported, const LessonCheck& check) {
  std::set<std::string> known = reckoned(as_reported.name.substr(0, 2));
  const auto add = [&](std::string_view text) {
    for (const std::string& n : numbers_in(text)) known.insert(in_one_form(n));
  };
  for (const CheckedQuestion& q : check.questions) {
    add(q.answer.text);
    for (const std::string& choice : q.question->choices) add(choice);
  }
  for (const auto& [name, value] : check.facts) add(value);
  // Kernels of the moments, of the questions and of the folder: sizes and constants.
  std::set<std::filesystem::path> kernels;
  for (const SavedMoment* m : as_reported.moments()) kernels.insert(m->kernel);
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(as_reported.folder, ignored))
    if (entry.path().extension() == ".cu") kernels.insert(entry.path());
  for (const Question* q : as_reported.questions())
    if (const auto words = split_words(q->compute))
      for (const std::string& word : *words)
        if (word.ends_with(".cu")) kernels.insert(kernel_path(as_reported.folder, word));
  for (const auto& path : kernels)
    if (const auto text = read_file(path.string())) add(*text);
  std::vector<std::string> out;
  const auto look = [&](const std::string& text) {
    for (const std::string& n : numbers_in(text))
      if (!counts_by_itself(n) && !known.contains(in_one_form(n)) && !cited().contains(in_one_form(n)))
        out.push_back(n + " in: " + text);
  };
  Lesson copy = as_reported;
  for_each_text(copy, look);
  look(as_reported.summary);
  return out;
}

}  // namespace lanescope::lessons
