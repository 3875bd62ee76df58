#include "app/gui/commands/command.h"

#include <imgui.h>

#include "app/gui/state/app.h"
#include "kernels/base/text.h"

namespace lanescope::gui {
namespace {

struct KeyName {
  const char* text;
  ImGuiKey key;
};
// Names as they are printed on keys; letters, digits and F1..F12 are handled by arithmetic.
constexpr KeyName key_names[] = {
    {"Left", ImGuiKey_LeftArrow},
    {"Right", ImGuiKey_RightArrow},
    {"Up", ImGuiKey_UpArrow},
    {"Down", ImGuiKey_DownArrow},
    {"Home", ImGuiKey_Home},
    {"End", ImGuiKey_End},
    {"PageUp", ImGuiKey_PageUp},
    {"PageDown", ImGuiKey_PageDown},
    {"Space", ImGuiKey_Space},
    {"Enter", ImGuiKey_Enter},
    {"Escape", ImGuiKey_Escape},
    {"Tab", ImGuiKey_Tab},
    {"Backspace", ImGuiKey_Backspace},
    {"Delete", ImGuiKey_Delete},
    {"Insert", ImGuiKey_Insert},
    {"+", ImGuiKey_Equal},
    {"-", ImGuiKey_Minus},
    {".", ImGuiKey_Period},
    {",", ImGuiKey_Comma},
    {"/", ImGuiKey_Slash},
    {"[", ImGuiKey_LeftBracket},
    {"]", ImGuiKey_RightBracket},
    {"\\", ImGuiKey_Backslash},
    {";", ImGuiKey_Semicolon},
};

std::optional<ImGuiKey> parse_key(std::string_view text) {
  for (const KeyName& name : key_names)
    if (text == name.text) return name.key;
  if (text.size() == 1 && is_letter(text[0])) return static_cast<ImGuiKey>(ImGuiKey_A + upper(text[0]) - 'A');
  if (text.size() == 1 && is_digit(text[0])) return static_cast<ImGuiKey>(ImGuiKey_0 + text[0] - '0');
  if (text.size() >= 2 && text[0] == 'F') {
    int number = 0;
    for (char c : text.substr(1)) {
      if (!is_digit(c)) return std::nullopt;
      number = number * 10 + (c - '0');
    }
    if (number >= 1 && number <= 12) return static_cast<ImGuiKey>(ImGuiKey_F1 + number - 1);
  }
  return std::nullopt;
}

std::string key_text(int key) {
  for (const KeyName& name : key_names)
    if (key == name.key) return name.text;
  if (key >= ImGuiKey_A && key <= ImGuiKey_Z) return std::string(1, static_cast<char>('A' + key - ImGuiKey_A));
  if (key >= ImGuiKey_0 && key <= ImGuiKey_9) return std::string(1, static_cast<char>('0' + key - ImGuiKey_0));
  if (key >= ImGuiKey_F1 && key <= ImGuiKey_F12) return "F" + std::to_string(1 + key - ImGuiKey_F1);
  return "?";
}

bool pressed(Chord chord, bool repeats) {
  const auto key = static_cast<ImGuiKey>(chord.key);
  int held = ImGui::GetIO().KeyMods;
  // "+" is Shift and "=" on many keyboards.
  if (key == ImGuiKey_Equal) held &= ~ImGuiMod_Shift;
  if (held != chord.modifiers) return false;
  if (ImGui::IsKeyPressed(key, repeats)) return true;
  // The same signs on the number pad.
  if (key == ImGuiKey_Equal) return ImGui::IsKeyPressed(ImGuiKey_KeypadAdd, repeats);
  if (key == ImGuiKey_Minus) return ImGui::IsKeyPressed(ImGuiKey_KeypadSubtract, repeats);
  if (key == ImGuiKey_0) return ImGui::IsKeyPressed(ImGuiKey_Keypad0, repeats);
  return false;
}

}  // namespace

std::optional<Chord> parse_chord(std::string_view text) {
  Chord chord;
  const struct {
    std::string_view name;
    int modifier;
  } modifiers[] = {{"Ctrl+", ImGuiMod_Ctrl}, {"Shift+", ImGuiMod_Shift}, {"Alt+", ImGuiMod_Alt}};
  for (bool found = true; found;) {
    found = false;
    for (const auto& m : modifiers)
      if (text.starts_with(m.name)) {
        chord.modifiers |= m.modifier;
        text.remove_prefix(m.name.size());
        found = true;
      }
  }
  const auto key = parse_key(text);
  if (!key) return std::nullopt;
  chord.key = *key;
  return chord;
}

std::string to_string(Chord chord) {
  std::string text;
  if (chord.modifiers & ImGuiMod_Ctrl) text += "Ctrl+";
  if (chord.modifiers & ImGuiMod_Alt) text += "Alt+";
  if (chord.modifiers & ImGuiMod_Shift) text += "Shift+";
  return text + key_text(chord.key);
}

bool acts_while_typing(Chord chord) {
  return (chord.modifiers & (ImGuiMod_Ctrl | ImGuiMod_Alt)) != 0 ||
         (chord.key >= ImGuiKey_F1 && chord.key <= ImGuiKey_F12);
}

const Command* find_command(std::string_view id) {
  for (const Command& c : commands())
    if (c.id == id) return &c;
  return nullptr;
}

std::string key_of(std::string_view id) {
  const Command* c = find_command(id);
  return c == nullptr || c->keys.empty() ? "" : to_string(c->keys.front());
}

std::string hint_of(std::string_view id) {
  const Command* c = find_command(id);
  if (c == nullptr) return {};
  const std::string key = key_of(id);
  return key.empty() ? c->title : c->title + "  (" + key + ")";
}

std::string refusal_of(const App& app, const Command& command) {
  return command.refusal ? command.refusal(app) : std::string();
}

bool run_command(App& app, std::string_view id) {
  const Command* command = find_command(id);
  if (command == nullptr) return false;
  if (const std::string reason = refusal_of(app, *command); !reason.empty()) {
    app.shell.show_status(reason);
    return false;
  }
  command->run(app);
  return true;
}

void run_pressed_keys(App& app, bool typing) {
  for (const Command& command : commands())
    for (const Chord chord : command.keys) {
      if (typing && !acts_while_typing(chord)) continue;
      if (pressed(chord, command.repeats)) {
        run_command(app, command.id);
        return;
      }
    }
}

std::optional<int> fuzzy_score(std::string_view query, std::string_view text) {
  int score = 0;
  std::size_t at = 0;
  bool previous_matched = false;
  for (char wanted : query) {
    if (wanted == ' ') continue;
    bool found = false;
    for (; at < text.size(); ++at) {
      const bool same = lower(text[at]) == lower(wanted);
      if (!same) {
        previous_matched = false;
        continue;
      }
      const bool word_start = at == 0 || !(is_letter(text[at - 1]) || is_digit(text[at - 1]));
      score += 1 + (word_start ? 6 : 0) + (previous_matched ? 4 : 0);
      previous_matched = found = true;
      ++at;
      break;
    }
    if (!found) return std::nullopt;
  }
  return score * 8 - static_cast<int>(text.size());
}

std::string keys_document() {
  std::string text =
      "# Keys\n\nAll commands of the explorer, generated from the program's command table; `Ctrl+P` finds each by "
      "name. Keys without Ctrl or\nAlt work only while the source is not being edited; the second key always works.\n";
  std::string group;
  for (const Command& c : commands()) {
    if (c.group != group) {
      group = c.group;
      text += "\n## " + group + "\n\n| key | command | what it does | name in scripts |\n|---|---|---|---|\n";
    }
    std::string keys;
    for (const Chord chord : c.keys) keys += (keys.empty() ? "`" : ", `") + to_string(chord) + "`";
    text += "| " + keys + " | " + c.title + " | " + c.description + " | `" + c.id + "` |\n";
  }
  return text;
}

}  // namespace lanescope::gui
