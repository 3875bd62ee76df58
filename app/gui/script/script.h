#pragma once
// Scripts: the explorer driven by real input events, frame by frame. One action a line; docs/scripts.md has all of
// them, the settings of `set` and the facts of `expect`, and a test compares it with what is here.

#include <concepts>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/gui/shell/frames.h"
#include "app/gui/state/app.h"

namespace lanescope::gui {

struct ScriptResult {
  bool ok = true;
  bool quit = false;
  std::string message;  ///< "name:line:" with the expected and the actual value
};

/// Stops at the first line that fails.
ScriptResult run_script(Frames& frames, std::string_view text, const std::string& name = "script");
/// The first words that a line may have, ascending.
std::vector<std::string> script_actions();
/// Until no request is pending; false after `seconds`.
bool wait_until_settled(Frames& frames, double seconds = 120);

// Facts that scripts can query.

/// A named fact about the explorer as text ("selection.step", "results.claims"); nullopt: no such name.
std::optional<std::string> script_fact(const Frames& frames, std::string_view name);
/// All of them, ascending; PANEL stands for the name of a panel.
std::vector<std::string> script_fact_names();

/// A value in the words of scripts: yes and no, numbers, texts.
struct FactText {
  std::string text;

  template <std::integral Number>
  FactText(Number number) : text(std::to_string(number)) {}
  FactText(bool value) : text(value ? "yes" : "no") {}
  template <std::convertible_to<std::string_view> Words>
  FactText(const Words& words) : text(std::string_view(words)) {}
};
/// Facts about one part of the explorer, by name.
template <class Part>
using FactTable = std::map<std::string, std::function<FactText(const Part&)>, std::less<>>;
template <class Part>
std::optional<std::string> fact_in(const FactTable<Part>& table, std::string_view name, const Part& part) {
  const auto at = table.find(name);
  return at == table.end() ? std::nullopt : std::optional(at->second(part).text);
}
inline std::string or_none(std::string words) { return words.empty() ? "none" : words; }

// Facts about lessons and moments: "lesson.page", "question.ID", "moments.chosen".

std::vector<std::string> lecture_fact_names();
std::optional<std::string> lecture_fact(const App& app, std::string_view name);

}  // namespace lanescope::gui
