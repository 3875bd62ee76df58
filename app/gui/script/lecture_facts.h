#pragma once
// What scripts ask about lessons and moments: "lesson.page", "question.ID", "moments.chosen".

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/gui/state/app.h"

namespace lanescope::gui {

std::vector<std::string> lecture_fact_names();
std::optional<std::string> lecture_fact(const App& app, std::string_view name);

}  // namespace lanescope::gui
