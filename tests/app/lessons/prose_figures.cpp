#include "tests/app/lessons/prose_figures.h"

#include <algorithm>
#include <cctype>
#include <filesystem>

#include <fmt/format.h>

#include "app/lessons/facts.h"
#include "kernels/base/read_file.h"
#include "kernels/base/text.h"

namespace lanescope::lessons {
namespace {

std::string number(double value) { return fmt::format("{:.10g}", value); }

/// What the text reckons out of other numbers, or names: in each lesson.
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
  if (lesson == "09") return bits({"056", "0101", "0110", "01", "01011", "0", "5", "6"});
  if (lesson == "10") return bits({"01011"});
  if (lesson == "11")
    return all({2 * 4.0 * (1 << 22) / 1e6, 33.6, 4.8});  // MB of two arrays of 2^22 floats; TB/s of the table
  if (lesson == "12")
    return all({600, 700, 800 * 92, 800 * 92 / 4, 800 * 92 / 128, 1.566, 65536 / 2048.0 + 18, 50, 228, 768, 132});
  if (lesson == "13") return all({16777216, 16777216 + 31});
  if (lesson == "14")
    return all({127, 127 * 128 / 2, 8192 * 2 / 7 / 10 * 10, 2300, 38, 132, 132 * 32, (64 + 127) / 2.0});
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
        for (std::string& n : numbers_in(plain)) out.insert(std::move(n));
      }
    return out;
  }();
  return all;
}

bool counts_by_itself(const std::string& n) {
  if (n.find('.') != std::string::npos) return false;
  const unsigned long value = std::stoul(n);
  return n.size() < 5 && (value <= 32 || value == 100 || (value <= 2048 && (value & (value - 1)) == 0));
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
    while (end < text.size() && (is_digit(text[end]) || ((text[end] == '.' || text[end] == ',') &&
                                                         end + 1 < text.size() && is_digit(text[end + 1])))) {
      if (text[end] != ',') n += text[end];
      ++end;
    }
    i = end - 1;
    if (!in_word) out.push_back(n);
  }
  return out;
}

std::vector<std::string> unfounded_numbers(const Lesson& as_told, const LessonCheck& check) {
  std::set<std::string> known = reckoned(as_told.name.substr(0, 2));
  const auto add = [&](std::string_view text) {
    for (std::string& n : numbers_in(text)) known.insert(std::move(n));
  };
  for (const CheckedQuestion& q : check.questions) {
    add(q.answer.text);
    for (const std::string& choice : q.question->choices) add(choice);
  }
  for (const auto& [name, value] : check.facts) add(value);
  // Kernels of the moments, of the questions and of the folder: sizes and constants.
  std::set<std::filesystem::path> kernels;
  for (const SavedMoment* m : as_told.moments()) kernels.insert(m->kernel);
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(as_told.folder, ignored))
    if (entry.path().extension() == ".cu") kernels.insert(entry.path());
  for (const Question* q : as_told.questions())
    if (const auto words = split_words(q->compute))
      for (const std::string& word : *words)
        if (word.ends_with(".cu")) kernels.insert(kernel_path(as_told.folder, word));
  for (const auto& path : kernels)
    if (const auto text = read_file(path.string())) add(*text);
  std::vector<std::string> out;
  const auto look = [&](const std::string& text) {
    for (const std::string& n : numbers_in(text))
      if (!counts_by_itself(n) && !known.contains(n) && !cited().contains(n)) out.push_back(n + " in: " + text);
  };
  Lesson copy = as_told;
  for_each_text(copy, look);
  look(as_told.summary);
  return out;
}

}  // namespace lanescope::lessons
