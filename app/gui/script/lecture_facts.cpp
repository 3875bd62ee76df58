#include "app/gui/script/script.h"

#include <fmt/format.h>

#include "kernels/base/enum_size.h"

namespace lanescope::gui {
namespace {

const FactTable<Lecture>& lecture_facts() {
  static const FactTable<Lecture> table{
      {"lesson", [](const Lecture& l) { return l.lesson() == nullptr ? "none" : l.lesson()->name; }},
      {"lesson.page",
       [](const Lecture& l) {
         return l.lesson() == nullptr ? "none" : fmt::format("{} of {}", l.page() + 1, l.lesson()->pages.size());
       }},
      {"lesson.answered",
       [](const Lecture& l) {
         return l.lesson() == nullptr ? "none"
                                      : fmt::format("{} of {}", lessons::answered(l.lesson_progress(), *l.lesson()),
                                                    l.lesson()->questions().size());
       }},
      {"lesson.gpu",
       [](const Lecture& l) { return l.lesson() == nullptr || l.lesson()->gpu.empty() ? "none" : l.lesson()->gpu; }},
      {"lesson.stop", [](const Lecture& l) { return fmt::format("{} of {}", l.stop() + 1, l.stops().size()); }},
      {"moments", [](const Lecture& l) { return l.moments().size(); }},
      {"moments.chosen",
       [](const Lecture& l) {
         return l.chosen() < 0 ? "none" : l.moments()[static_cast<std::size_t>(l.chosen())].name;
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
  return fact_in(lecture_facts(), name, app.lecture);
}

}  // namespace lanescope::gui
