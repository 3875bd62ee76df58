#include "app/gui/script/script.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>

#include "app/engine/wire/measured_file.h"
#include "app/gui/commands/command.h"
#include "app/gui/widgets/items.h"
#include "kernels/base/numbers.h"
#include "kernels/base/standard_streams.h"
#include "kernels/base/text.h"
#include "viz/views/base/theme.h"
#include "viz/views/costs/heat.h"

namespace lanescope::gui {
namespace {

/// The first word, taken off `rest`; quotes hold blanks together.
std::string take_word(std::string_view& rest) {
  rest = trimmed(rest);
  std::size_t end;
  std::string word;
  if (!rest.empty() && rest[0] == '"') {
    end = std::min(rest.find('"', 1), rest.size());
    word = std::string(rest.substr(1, end - 1));
    end = std::min(end + 1, rest.size());
  } else {
    end = std::min(rest.find_first_of(" \t"), rest.size());
    word = std::string(rest.substr(0, end));
  }
  rest = trimmed(rest.substr(end));
  return word;
}
std::optional<double> number(std::string_view word) { return number_in<double>(word); }
std::string unescaped(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && i + 1 < text.size() && text[i + 1] == 'n')
      out += '\n', ++i;
    else
      out += text[i];
  }
  return out;
}

class Runner {
 public:
  explicit Runner(Frames& frames) : frames_(frames), app_(frames.app()) {}

  /// Empty: the line did what it says.
  std::string run(std::string_view line) {
    std::string_view rest = line;
    const std::string verb = take_word(rest);
    const auto at = verbs().find(verb);
    if (at == verbs().end()) return "unknown action '" + verb + "'";
    return at->second(*this, rest);
  }
  bool quit() const { return quit_; }

  using Verb = std::function<std::string(Runner&, std::string_view)>;
  static const std::map<std::string, Verb>& verbs() {
    static const std::map<std::string, Verb> table{
        {"open", [](Runner& r, std::string_view s) { return r.open(s); }},
        {"wait",
         [](Runner& r, std::string_view) {
           return wait_until_settled(r.frames_) ? "" : std::string("timeout: no result");
         }},
        {"frames", [](Runner& r, std::string_view s) { return r.draw(s); }},
        {"key", [](Runner& r, std::string_view s) { return r.key(s); }},
        {"type", [](Runner& r, std::string_view s) { return r.type(s); }},
        {"click", [](Runner& r, std::string_view s) { return r.click(s, 1); }},
        {"double", [](Runner& r, std::string_view s) { return r.click(s, 2); }},
        {"hover", [](Runner& r, std::string_view s) { return r.click(s, 0); }},
        {"right", [](Runner& r, std::string_view s) { return r.click(s, 1, ImGuiMouseButton_Right); }},
        {"drag", [](Runner& r, std::string_view s) { return r.drag(s); }},
        {"scroll", [](Runner& r, std::string_view s) { return r.scroll(s); }},
        {"drop", [](Runner& r, std::string_view s) { return r.drop(s); }},
        {"command", [](Runner& r, std::string_view s) { return r.command(s); }},
        {"select", [](Runner& r, std::string_view s) { return r.select(s); }},
        {"line", [](Runner& r, std::string_view s) { return r.line(s); }},
        {"set", [](Runner& r, std::string_view s) { return r.set(s); }},
        {"measurement", [](Runner& r, std::string_view s) { return r.measurement(s); }},
        {"edit", [](Runner& r, std::string_view s) { return r.edit(s); }},
        {"screenshot", [](Runner& r, std::string_view s) { return r.screenshot(s); }},
        {"expect", [](Runner& r, std::string_view s) { return r.expect(s); }},
        {"print", [](Runner& r, std::string_view s) { return r.print(s); }},
        {"quit", [](Runner& r, std::string_view) { return r.quit_ = true, std::string(); }},
    };
    return table;
  }

 private:
  std::string open(std::string_view path) {
    app_.editor.open(std::string(path));
    frames_.settle();
    return {};
  }
  std::string draw(std::string_view count) {
    const auto n = number(count);
    if (!n) return "how many frames?";
    for (int i = 0; i < static_cast<int>(*n); ++i) frames_.frame();
    return {};
  }

  std::string key(std::string_view rest) {
    const std::string word = take_word(rest);
    const auto chord = parse_chord(word);
    if (!chord) return "no key is called '" + word + "'";
    const int times = rest.empty() ? 1 : static_cast<int>(number(rest).value_or(1));
    ImGuiIO& io = ImGui::GetIO();
    for (int i = 0; i < times; ++i) {
      // As a quick hand does it: the modifiers are there for a while, but gone again before the key is.
      for (const int m : {ImGuiMod_Ctrl, ImGuiMod_Shift, ImGuiMod_Alt})
        if (chord->modifiers & m) io.AddKeyEvent(static_cast<ImGuiKey>(m), true);
      if (chord->modifiers != 0) frames_.frame();
      io.AddKeyEvent(static_cast<ImGuiKey>(chord->key), true);
      for (const int m : {ImGuiMod_Ctrl, ImGuiMod_Shift, ImGuiMod_Alt})
        if (chord->modifiers & m) io.AddKeyEvent(static_cast<ImGuiKey>(m), false);
      io.AddKeyEvent(static_cast<ImGuiKey>(chord->key), false);
      frames_.settle();
    }
    return {};
  }

  std::string type(std::string_view words) {
    std::string_view rest = words;
    const std::string text = unescaped(!words.empty() && words[0] == '"' ? take_word(rest) : std::string(words));
    std::string run;
    const auto flush = [&] {
      if (!run.empty()) ImGui::GetIO().AddInputCharactersUTF8(run.c_str());
      run.clear();
      frames_.settle(2);
    };
    for (const char c : text) {
      if (c != '\n') {
        run += c;
        continue;
      }
      flush();
      key("Enter");
    }
    flush();
    frames_.settle();
    return {};
  }

  /// Screen position of a target; the rest of the line is left in `rest`.
  std::optional<ImVec2> target(std::string_view& rest, std::string& problem) {
    const std::string kind = take_word(rest);
    if (kind == "at") {
      const auto x = number(take_word(rest)), y = number(take_word(rest));
      if (!x || !y) return problem = "at X Y needs two numbers", std::nullopt;
      return ImVec2{frames_.stage().px(static_cast<float>(*x)), frames_.stage().px(static_cast<float>(*y))};
    }
    if (kind == "item") {
      const std::string label = take_word(rest);
      const auto item = find_item(label);
      if (!item) return problem = "no widget is called '" + label + "'", std::nullopt;
      return ImVec2{item->x + item->w / 2, item->y + item->h / 2};
    }
    if (kind == "scene") {
      const std::string panel = take_word(rest), text = take_word(rest);
      const auto drawn = frames_.stage().scenes.find(panel);
      if (drawn == frames_.stage().scenes.end()) return problem = "no scene '" + panel + "' is drawn", std::nullopt;
      const auto id = scene::parse_id(text);
      const scene::Box* box = id ? scene::find(drawn->second.scene, *id) : nullptr;
      if (box == nullptr) return problem = "scene " + panel + " has no " + text, std::nullopt;
      return drawn->second.to_screen({box->rect.x + box->rect.w / 2, box->rect.y + box->rect.h / 2});
    }
    problem = "a target is: scene PANEL ID, item LABEL, or at X Y";
    return std::nullopt;
  }

  void move_to(ImVec2 at) {
    ImGui::GetIO().AddMousePosEvent(at.x, at.y);
    frames_.settle();
  }

  std::string click(std::string_view rest, int times, int mouse_button = ImGuiMouseButton_Left) {
    std::string problem;
    const auto at = target(rest, problem);
    if (!at) return problem;
    move_to(*at);
    for (int i = 0; i < times; ++i) {
      ImGui::GetIO().AddMouseButtonEvent(mouse_button, true);
      ImGui::GetIO().AddMouseButtonEvent(mouse_button, false);
      frames_.settle(2);
    }
    frames_.settle(times > 0 ? 3 : 1);
    return {};
  }

  std::string drag(std::string_view rest) {
    std::string problem;
    const auto at = target(rest, problem);
    if (!at) return problem;
    std::optional<double> dx, dy, frames;
    if (rest.starts_with("onto ")) {
      take_word(rest);
      const auto to = target(rest, problem);
      if (!to) return problem;
      dx = (to->x - at->x) / frames_.stage().px(1);
      dy = (to->y - at->y) / frames_.stage().px(1);
    } else {
      dx = number(take_word(rest));
      dy = number(take_word(rest));
      frames = number(take_word(rest));
    }
    if (!dx || !dy) return "drag TARGET DX DY [FRAMES], or drag TARGET onto TARGET";
    const int steps = std::max(static_cast<int>(frames.value_or(8)), 1);
    move_to(*at);
    ImGui::GetIO().AddMouseButtonEvent(0, true);
    frames_.settle(2);
    for (int i = 1; i <= steps; ++i) {
      const float share = static_cast<float>(i) / static_cast<float>(steps);
      move_to({at->x + frames_.stage().px(static_cast<float>(*dx)) * share,
               at->y + frames_.stage().px(static_cast<float>(*dy)) * share});
    }
    ImGui::GetIO().AddMouseButtonEvent(0, false);
    frames_.settle();
    return {};
  }

  std::string scroll(std::string_view rest) {
    std::string problem;
    const auto at = target(rest, problem);
    if (!at) return problem;
    const auto notches = number(rest);
    if (!notches) return "scroll TARGET NOTCHES";
    move_to(*at);
    ImGui::GetIO().AddMouseWheelEvent(0, static_cast<float>(*notches));
    frames_.settle();
    return {};
  }

  std::string drop(std::string_view path) {
    frames_.platform().on_drop({std::string(trimmed(path))});
    frames_.settle(2);
    return {};
  }
  std::string command(std::string_view id) {
    if (find_command(id) == nullptr) return "no command is called '" + std::string(id) + "'";
    const bool done = run_command(app_, id);
    frames_.settle();
    return done ? std::string() : "refused: " + app_.shell.status_text;
  }

  std::string select(std::string_view name) {
    app_.shell.view.families = {std::string(name)};
    frames_.settle();
    return {};
  }
  std::string line(std::string_view rest) {
    const auto n = number(rest);
    if (!n) return "which line?";
    app_.navigation.go_to_line(static_cast<int>(*n));
    frames_.settle();
    return {};
  }

  bool is_colour(const std::string& value) const {
    return value == "automatic" || !app_.results.have || views::wrong_color_words(app_.results.summary, value).empty();
  }
  /// "measured NAME" is a counter of the measurement.
  bool is_heat(const std::string& value) const {
    if (value.empty() || value == "none" || value.starts_with("measured ")) return true;
    return std::ranges::any_of(views::heat_counters(), [&](const auto& counter) { return counter.name == value; });
  }
  bool is_wavefront(const std::optional<double>& wanted) const {
    return wanted && *wanted >= -1 && *wanted < app_.memory.wavefront_count() && *wanted == static_cast<int>(*wanted);
  }

  static bool is_share(const std::string& value) {
    const auto wanted = number(value);
    return wanted && *wanted >= 0 && *wanted <= 1;
  }

  std::string set(std::string_view rest) {
    const std::string name = take_word(rest), value(rest);
    if (name == "scale" && number(value))
      app_.shell.set_scale(static_cast<float>(*number(value)));
    else if (name == "theme" && !views::theme_name_of(value).empty())
      app_.shell.set_theme(views::theme_name_of(value));
    else if (name == "arrangement" && arrangement_named(value))
      app_.shell.set_arrangement(*arrangement_named(value));
    else if (name == "colour" && is_colour(value))
      app_.shell.view.color_by = value == "automatic" ? "" : value;
    else if (name == "label" && enum_named<views::LabelMode>(value))
      app_.shell.view.label = *enum_named<views::LabelMode>(value);
    else if (name == "heat" && is_heat(value))
      app_.shell.view.heat = value == "none" ? "" : value;
    else if (name == "global" && global_mode_named(value))
      app_.shell.view.global_mode = *global_mode_named(value);
    else if (name == "wavefront" && is_wavefront(number(value)))
      app_.memory.show_wavefront(static_cast<int>(*number(value)));
    else if (name == "share" && is_share(value))
      app_.movement.go_to(static_cast<float>(*number(value)));
    else if (name == "what_if")
      return set_what_if(value);
    else
      return "cannot set '" + name + "' to '" + value + "'";
    frames_.settle();
    return {};
  }

  std::string set_what_if(std::string_view rest) {
    using Kind = views::WhatIf::Kind;
    const std::string kind = take_word(rest);
    views::WhatIf w{.kind = kind == "padding" ? Kind::padding : kind == "swizzle" ? Kind::swizzle : Kind::none};
    if (w.kind == Kind::none && kind != "none") return "set what_if none, padding ROW WORDS, or swizzle ROW UNIT ROWS";
    const auto take = [&](int& to) {
      if (const auto n = number(take_word(rest))) to = static_cast<int>(*n);
    };
    take(w.row_words);
    take(w.kind == Kind::padding ? w.padding_words : w.unit_words);
    take(w.rows_per_step);
    app_.memory.set_what_if(w);
    frames_.settle();
    return {};
  }

  std::string measurement(std::string_view path) {
    const auto file = read_text(std::string(path)).and_then([&](const std::string& text) {
      return engine::parse_measured_file(text, std::string(path));
    });
    if (!file) return to_string(file.error().front());
    app_.measurements.asked_text = app_.results.text, app_.measurements.name = app_.document.title();
    app_.measurements.take(file->measured);
    ++app_.results.version;
    frames_.settle();
    return {};
  }

  std::string edit(std::string_view rest) {
    const std::size_t arrow = rest.find("=>");
    if (arrow == std::string_view::npos) return "edit OLD => NEW";
    const std::string before = unescaped(trimmed(rest.substr(0, arrow))),
                      after = unescaped(trimmed(rest.substr(arrow + 2)));
    std::string text = app_.document.text();
    const std::size_t at = text.find(before);
    if (at == std::string::npos) return "the source has no '" + before + "'";
    text.replace(at, before.size(), after);
    app_.editor.edit(std::move(text), "script edit");
    frames_.settle();
    return {};
  }

  std::string screenshot(std::string_view path) {
    frames_.settle();
    const auto written = frames_.screenshot(std::string(path));
    return written ? std::string() : to_string(written.error().front());
  }

  std::string print(std::string_view name) {
    const auto fact = script_fact(frames_, name);
    if (!fact) return "there is no fact '" + std::string(name) + "'";
    put(fmt::format("{} {}\n", name, *fact));
    return {};
  }

  bool says(std::string_view words) const {
    for (const auto& [panel, drawn] : frames_.stage().scenes)
      for (const scene::Label& l : drawn.scene.labels)
        if (l.text.find(words) != std::string::npos) return true;
    for (const Item& item : items())
      if (item.label.find(words) != std::string::npos) return true;
    for (const std::string& text : texts())
      if (text.find(words) != std::string::npos) return true;
    for (const Notice& n : app_.shell.notices)
      if (n.text.find(words) != std::string::npos) return true;
    return app_.shell.status_text.find(words) != std::string::npos;
  }

  std::string expect(std::string_view rest) {
    const std::string name = take_word(rest);
    if (name == "text") {
      const bool negated = rest.starts_with("not ");
      std::string_view words = negated ? trimmed(rest.substr(4)) : rest;
      const std::string wanted = !words.empty() && words[0] == '"' ? take_word(words) : std::string(words);
      return says(wanted) != negated
                 ? std::string()
                 : (negated ? "the window contains '" : "the window does not contain '") + wanted + "'";
    }
    if (name == "scene") return expect_scene(rest);
    const auto fact = script_fact(frames_, name);
    if (!fact) return "there is no fact '" + name + "'";
    const bool negated = rest.starts_with("not ");
    const std::string wanted(negated ? trimmed(rest.substr(4)) : rest);
    return (*fact == wanted) != negated
               ? std::string()
               : fmt::format("{} is '{}', expected {}'{}'", name, *fact, negated ? "not " : "", wanted);
  }

  std::string expect_scene(std::string_view rest) {
    const std::string panel = take_word(rest);
    std::string word = take_word(rest);
    const bool negated = word == "not";
    if (negated) word = take_word(rest);
    const auto drawn = frames_.stage().scenes.find(panel);
    const auto id = scene::parse_id(rest);
    if (word != "contains" || !id) return "expect scene PANEL [not] contains ID";
    const bool there = drawn != frames_.stage().scenes.end() && scene::find(drawn->second.scene, *id) != nullptr;
    return there != negated ? std::string() : fmt::format("scene {} {} {}", panel, there ? "contains" : "has no", rest);
  }

  Frames& frames_;
  App& app_;
  bool quit_ = false;
};

}  // namespace

std::vector<std::string> script_actions() {
  std::vector<std::string> names;
  for (const auto& [name, verb] : Runner::verbs()) names.push_back(name);
  return names;
}

bool wait_until_settled(Frames& frames, double seconds) {
  const double until = frames.seconds() + seconds;
  frames.frame();
  while (!frames.app().settled()) {
    if (frames.seconds() > until) return false;
    frames.wait();
    if (frames.app().update(frames.seconds())) frames.frame();
  }
  frames.settle();
  // Drawing may have requested another moment.
  return frames.app().settled() || wait_until_settled(frames, until - frames.seconds());
}

ScriptResult run_script(Frames& frames, std::string_view text, const std::string& name) {
  record_items(true);
  frames.settle();
  Runner runner(frames);
  int number = 0;
  for (const std::string_view line : split_lines(text)) {
    ++number;
    const std::string_view words = trimmed(line);
    if (words.empty() || words[0] == '#') continue;
    if (const std::string problem = runner.run(words); !problem.empty())
      return {.ok = false,
              .quit = false,
              .message = fmt::format("{}:{}: {}; the line was '{}'", name, number, problem, words)};
    if (runner.quit()) break;
  }
  return {.ok = true, .quit = runner.quit()};
}

}  // namespace lanescope::gui
