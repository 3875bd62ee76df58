#pragma once
// Every action of the explorer, once: menus, keys, palette, tooltips, scripts and docs/keys.md all read this table.

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope::gui {

class App;

/// A key with its modifiers, as ImGui counts them.
struct Chord {
  int key = 0;        ///< ImGuiKey
  int modifiers = 0;  ///< ImGuiMod_*
  bool operator==(const Chord&) const = default;
};
/// "Ctrl+Shift+P", "Right", "F11", "Space"; nullopt if it is no key.
std::optional<Chord> parse_chord(std::string_view text);
std::string to_string(Chord chord);
/// Whether a chord may act while text is being typed: with Ctrl or Alt, or a function key.
bool acts_while_typing(Chord chord);

struct Command {
  std::string id;           ///< "step.next"
  std::string group;        ///< "Step": a menu
  std::string title;        ///< "Next step"
  std::string description;  ///< one sentence
  std::vector<Chord> keys;  ///< the first is the one shown
  bool repeats = false;     ///< while the key is held
  std::function<void(App&)> run;
  /// Why it cannot run now, with the remedy; empty: it can.
  std::function<std::string(const App&)> refusal;
};

/// All commands, menu by menu.
std::span<const Command> commands();
const Command* find_command(std::string_view id);
/// The first key in words; empty when there is none.
std::string key_of(std::string_view id);
std::string hint_of(std::string_view id);
std::string refusal_of(const App& app, const Command& command);
/// Runs it unless it is refused; the reason then becomes a remark in the window. False: refused or unknown.
bool run_command(App& app, std::string_view id);
/// Runs the commands of the keys pressed in this frame.
void run_pressed_keys(App& app, bool typing);

/// docs/keys.md: every command with its key, as a Markdown table.
std::string keys_document();

/// Letters of `query` in order in `text`: higher is better, nullopt when they are not all there.
std::optional<int> fuzzy_score(std::string_view query, std::string_view text);

}  // namespace lanescope::gui
