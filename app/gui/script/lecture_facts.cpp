#include "app/gui/script/script.h"

#include <filesystem>
#include <functional>
#include <map>

#include <fmt/format.h>

#include "kernels/base/enum_size.h"

namespace lanescope::gui {
namespace {

using LectureFact = std::function<std::string(const Lecture&)>;

const std::map<std::string, LectureFact, std::less<>>& lecture_facts() {
  static const std::map<std::string, LectureFact, std::less<>> table{
      {"lesson", [](const Lecture& l) { return l.lesson() == nullptr ? std::string("none") : l.lesson()->name; }},
      {"lesson.page",
       [](const Lecture& l) {
         return l.lesson() == nullptr ? std::string("none")
                                      : fmt::format("{} of {}", l.page() + 1, l.lesson()->pages.size());
       }},
      {"lesson.answered",
       [](const Lecture& l) {
         return l.lesson() == nullptr ? std::string("none")
                                      : fmt::format("{} of {}", lessons::answered(l.lesson_progress(), *l.lesson()),
                                                    l.lesson()->questions().size());
       }},
      {"lesson.gpu",
       [](const Lecture& l) {
         return l.lesson() == nullptr || l.lesson()->gpu.empty() ? std::string("none") : l.lesson()->gpu;
       }},
      {"lesson.stop", [](const Lecture& l) { return fmt::format("{} of {}", l.stop() + 1, l.stops().size()); }},
      {"moments", [](const Lecture& l) { return std::to_string(l.moments().size()); }},
      {"moments.chosen",
       [](const Lecture& l) {
         return l.chosen() < 0 ? std::string("none") : l.moments()[static_cast<std::size_t>(l.chosen())].name;
       }},
  };
  return table;
}

}  // namespace

std::vector<std::string> lecture_fact_names() {
  std::vector<std::string> names{"question.ID"};
  for (const auto& [name, fact] : lecture_facts()) names.push_back(name);
  return names;
}

std::optional<std::string> lecture_fact(const App& app, std::string_view name) {
  if (name.starts_with("question.")) {
    if (app.lecture.lesson() == nullptr) return "none";
    for (const lessons::Question* q : app.lecture.lesson()->questions()) {
      if (q->id != name.substr(9)) continue;
      constexpr const char* words[] = {"open", "computing", "right", "wrong", "unclear"};
      return entry_for(words, const_cast<App&>(app).lecture.state_of(*q).verdict);
    }
    return std::nullopt;
  }
  const auto at = lecture_facts().find(name);
  return at == lecture_facts().end() ? std::nullopt : std::optional(at->second(app.lecture));
}

}  // namespace lanescope::gui
