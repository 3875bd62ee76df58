#include "app/gui/welcome/welcome_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <sstream>

#include "app/catalogue/catalogue.h"
#include "app/gui/commands/command.h"
#include "kernels/base/numbers.h"
#include "kernels/base/read_file.h"
#include "kernels/base/text.h"
#include "kernels/layout/affine_map.h"
#include "kernels/resources/resources.h"
#include "kernels/source/source.h"
#include "viz/views/base/draw.h"

namespace lanescope::gui {
namespace {

using views::Rect;

constexpr float left_px = 318, gap_px = 26, card_px = 196, card_height_px = 134, card_gap_px = 12;

/// Pictures that were made, of one theme.
struct Pictures {
  std::string theme;
  std::map<std::string, scene::Scene> by_path;

  const scene::Scene& of(const std::string& path, const views::Theme& t) {
    if (theme != t.name) by_path.clear(), theme = t.name;
    const auto [at, fresh] = by_path.try_emplace(path);
    if (fresh)
      if (const auto text = read_file(path)) at->second = thumbnail(path, *text, t);
    return at->second;
  }
};

class Page {
 public:
  Page(App& app, Stage& stage, Pictures& pictures) : app_(app), stage_(stage), t_(*stage.theme), pictures_(pictures) {}

  void draw() {
    const ImVec2 top = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x, height = ImGui::GetIO().DisplaySize.y * 0.82f;
    draw_text(stage_, stage_.fonts.title, {top.x + px(8), top.y + px(16)}, t_.text, "Welcome to lanescope");
    draw_text(stage_, stage_.fonts.body, {top.x + px(8), top.y + px(40)}, t_.text_dim,
              "It runs a CUDA kernel and shows where every array element is: in which lane, register and memory word.",
              TextAlign::left, width - px(230));
    ButtonLook close{.pill = true};
    const std::string words = app_.document.file().empty() ? "Close" : "To the open kernel";
    if (button(stage_, "Close the welcome page",
               {top.x + width - px(8) - button_width(stage_, words, close), top.y + px(22)}, words,
               "Shows the window behind this page  (Escape)", close))
      app_.shell.overlay = Overlay::none;
    const float under = top.y + px(66);
    ImGui::SetCursorScreenPos({top.x, under});
    ImGui::BeginChild("start", {px(left_px), height - px(66)});
    start();
    ImGui::EndChild();
    ImGui::SetCursorScreenPos({top.x + px(left_px + gap_px), under});
    ImGui::BeginChild("catalogue", {width - px(left_px + gap_px), height - px(66)});
    catalogue_cards();
    ImGui::EndChild();
  }

 private:
  float px(float at_scale_one) const { return stage_.px(at_scale_one); }

  void heading(const char* words) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    draw_text(stage_, stage_.fonts.body_medium, {at.x + px(8), at.y + px(10)}, t_.accent, words);
    ImGui::Dummy({1, px(24)});
  }

  /// A row that opens something. True: it was pressed.
  bool row(const std::string& id, const std::string& title, const std::string& detail) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x - px(4), height = px(detail.empty() ? 25 : 44);
    const bool pressed = ImGui::InvisibleButton(id.c_str(), {width, height});
    if (ImGui::IsItemHovered())
      ImGui::GetWindowDrawList()->AddRectFilled(at, {at.x + width, at.y + height},
                                                to_im(views::mixed(t_, views::Mixed::pointed_row)), px(5));
    draw_text(stage_, stage_.fonts.body, {at.x + px(8), at.y + px(detail.empty() ? 12.5f : 14)}, t_.text, title,
              TextAlign::left, width - px(16));
    if (!detail.empty())
      draw_text(stage_, stage_.fonts.small, {at.x + px(8), at.y + px(32)}, t_.text_dim, detail, TextAlign::left,
                width - px(16));
    return pressed;
  }

  void start() {
    own_kernel();
    heading("Learn");
    lessons();
    recent_files();
  }

  /// Two buttons side by side: a person with a kernel need not read on.
  void own_kernel() {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    ButtonLook look{.pill = true, .color = t_.text};
    const float y = at.y + px(14);
    const float x = at.x + px(6);
    const std::string hint = "A .cu or .ptx file" + in_brackets(key_of("file.open"));
    if (button(stage_, "Open your own file", {x, y}, "Open your own file…", hint, look)) close_and("file.open");
    const float next = x + button_width(stage_, "Open your own file…", look) + px(8);
    if (button(stage_, "Begin a new kernel", {next, y}, "New kernel",
               "A small kernel with a launch header and a claim" + in_brackets(key_of("file.new")), look))
      close_and("file.new");
    ImGui::SetCursorScreenPos({at.x, at.y + px(40)});
  }

  static std::string in_brackets(const std::string& key) { return key.empty() ? "" : "  (" + key + ")"; }

  void close_and(const char* command) {
    app_.shell.overlay = Overlay::none;
    run_command(app_, command);
  }

  void lessons() {
    const std::vector<LessonTitle>& all = installed_lessons();
    if (all.empty()) {
      if (row("First look", "What the picture means",
              "Notes on every panel, drawn on it" + in_brackets(key_of("app.picture_notes"))))
        close_and("app.picture_notes");
      if (row("Terms", "The terms", "Lane, warp, sector, bank, …" + in_brackets(key_of("app.glossary"))))
        run_command(app_, "app.glossary");
      return;
    }
    first_lesson(all.front());
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(px(8), px(1)));
    for (std::size_t n = 1; n < all.size(); ++n)
      if (row("Lesson " + all[n].name, all[n].title, {})) open_lesson(all[n]);
    ImGui::PopStyleVar();
  }

  void first_lesson(const LessonTitle& lesson) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x - px(4);
    const auto lines = wrapped_lines(stage_.fonts.small, lesson.summary, width - px(24));
    const float height = px(76) + px(17) * static_cast<float>(std::min<std::size_t>(lines.size(), 4));
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.AddRectFilled(at, {at.x + width, at.y + height}, to_im(t_.panel), px(6));
    list.AddRect(at, {at.x + width, at.y + height}, to_im(t_.border), px(6));
    draw_text(stage_, stage_.fonts.body_medium, {at.x + px(12), at.y + px(18)}, t_.text, lesson.title, TextAlign::left,
              width - px(24));
    float y = at.y + px(38);
    for (std::size_t n = 0; n < lines.size() && n < 4; ++n, y += px(17))
      draw_text(stage_, stage_.fonts.small, {at.x + px(12), y}, t_.text_dim, lines[n]);
    ButtonLook look{.pill = true, .color = t_.accent};
    if (button(stage_, "Begin the first lesson", {at.x + px(10), at.y + height - px(20)}, "Begin the first lesson",
               "Opens its first page", look))
      open_lesson(lesson);
    ImGui::SetCursorScreenPos({at.x, at.y + height + px(6)});
    ImGui::Dummy({1, 1});
  }

  void open_lesson(const LessonTitle& lesson) {
    app_.shell.overlay = Overlay::none;
    app_.open_lesson(lesson.folder);
  }

  void recent_files() {
    std::vector<std::string> files;
    for (const std::string& path : app_.shell.view.recent)
      if (std::error_code problem; files.size() < 5 && std::filesystem::exists(path, problem)) files.push_back(path);
    if (files.empty()) return;
    ImGui::Dummy({1, px(10)});
    heading("Recent files");
    for (const std::string& path : files) {
      const std::filesystem::path file(path);
      if (row("Recent " + path, file.filename().string(), file.parent_path().string())) open(path);
    }
  }

  void open(const std::string& path) {
    app_.shell.overlay = Overlay::none;
    app_.editor.open(path);
  }

  void catalogue_cards() {
    const float width = ImGui::GetContentRegionAvail().x - px(14);
    const int columns = std::max(static_cast<int>((width + px(card_gap_px)) / px(card_px + card_gap_px)), 1);
    const float card = (width - px(card_gap_px) * static_cast<float>(columns - 1)) / static_cast<float>(columns);
    std::string topic;
    int column = 0;
    ImVec2 at = ImGui::GetCursorScreenPos();
    const float left = at.x;
    float row_top = at.y;
    for (const catalogue::Kernel& k : catalogue::installed()) {
      if (k.topic != topic || column == columns) {
        if (column > 0) row_top += px(card_height_px + card_gap_px);
        column = 0;
        if (k.topic != topic) {
          topic = k.topic;
          draw_text(stage_, stage_.fonts.body_medium, {left, row_top + px(10)}, t_.accent, topic);
          row_top += px(26);
        }
      }
      this->card(k, {left + (card + px(card_gap_px)) * static_cast<float>(column), row_top, card, px(card_height_px)});
      ++column;
    }
    ImGui::SetCursorScreenPos({left, row_top + px(card_height_px + 8)});
    ImGui::Dummy({1, 1});
  }

  void card(const catalogue::Kernel& k, Rectangle r) {
    ImGui::SetCursorScreenPos(r.min());
    if (ImGui::InvisibleButton(("Card " + k.name).c_str(), {r.w, r.h})) open(k.path);
    const bool hovered = ImGui::IsItemHovered();
    if (!ImGui::IsItemVisible()) return;
    if (ImGui::IsItemHovered(ImGuiHoveredFlags_ForTooltip)) tooltip(stage_, k.explanation);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.AddRectFilled(r.min(), r.max(), to_im(hovered ? views::mixed(t_, views::Mixed::pointed_row) : t_.panel),
                       px(6));
    list.AddRect(r.min(), r.max(), to_im(hovered ? t_.accent : t_.border), px(6), 0, stage_.hairline());
    const scene::Scene& picture = pictures_.of(k.path, t_);
    if (picture.width > 0) {
      DrawnScene drawn;
      drawn.scene = picture;
      drawn.scale = std::min((r.w - px(16)) / picture.width, stage_.scale * 1.3f);
      drawn.origin = {r.x + px(8), r.y + px(6)};
      drawn.area = {r.x + px(8), r.y + px(6), r.w - px(16), picture.height * drawn.scale};
      // Cards that are scrolled out of sight take no part.
      paint_scene(stage_, drawn);
    }
    draw_text(stage_, stage_.fonts.body, {r.x + px(10), r.y + px(84)}, t_.text, k.name, TextAlign::left, r.w - px(20));
    const auto lines = wrapped_lines(stage_.fonts.small, k.summary, r.w - px(20));
    for (std::size_t n = 0; n < lines.size() && n < 2; ++n) {
      const bool cut = n == 1 && lines.size() > 2;
      const std::string words = cut ? std::string(lines[1]) + " …" : std::string(lines[n]);
      draw_text(stage_, stage_.fonts.small, {r.x + px(10), r.y + px(101 + 16 * static_cast<float>(n))}, t_.text_dim,
                words);
    }
  }

  App& app_;
  Stage& stage_;
  const views::Theme& t_;
  Pictures& pictures_;
};

LessonTitle read_title(const std::filesystem::path& folder) {
  LessonTitle lesson{.name = folder.filename().string(), .folder = folder};
  const auto text = read_file((folder / "lesson.md").string());
  if (!text) return lesson;
  std::istringstream lines(*text);
  for (std::string line; std::getline(lines, line);) {
    if (!line.empty() && line.back() == '\r') line.pop_back();
    if (lesson.title.empty()) {
      if (line.starts_with("# ")) lesson.title = line.substr(2);
    } else if (line.empty() || line.starts_with('#') || line.starts_with("```")) {
      if (!lesson.summary.empty() || !line.empty()) break;
    } else {
      lesson.summary += (lesson.summary.empty() ? "" : " ") + line;
    }
  }
  std::erase_if(lesson.summary, [](char c) { return c == '*' || c == '`'; });
  return lesson;
}

constexpr int most_assignment_rows = 8;

/// Elements of registers (rows) and lanes (columns), coloured by their place among all elements of a warp.
void draw_assignment(scene::Scene& out, const layout::Assignment& assignment, Rect room, const views::Theme& theme) {
  const auto map = layout::to_map(assignment);
  if (!map) return;
  const int simd = map->shape.bits[0], reg = map->shape.bits[1];
  const int rows = std::min(1 << std::min(simd + reg, 8), most_assignment_rows),
            lanes = 1 << std::min(map->shape.bits[2], 5);
  // Only bits that vary within these places count: they spread over the whole ramp.
  std::uint64_t seen = 0;
  const auto element = [&](int row, int lane) {
    return map->map(static_cast<std::uint64_t>(row) | static_cast<std::uint64_t>(lane)
                                                          << map->shape.offset(layout::Place::thread));
  };
  for (int row = 0; row < rows; ++row)
    for (int lane = 0; lane < lanes; ++lane) seen |= element(row, lane) ^ element(0, 0);
  const float w = room.w / static_cast<float>(lanes), h = std::min(room.h / static_cast<float>(rows), 9.0f);
  const float top = room.y + (room.h - h * static_cast<float>(rows)) / 2;
  for (int row = 0; row < rows; ++row)
    for (int lane = 0; lane < lanes; ++lane) {
      std::uint64_t index = 0;
      int bits = 0;
      for (int bit = 0; bit < map->map.out_bits; ++bit)
        if (seen >> bit & 1) index |= (element(row, lane) >> bit & 1) << bits++;
      const int at = views::Theme::ramp_index(index, std::uint64_t{1} << bits);
      out.boxes.push_back(
          {.rect = {room.x + w * static_cast<float>(lane), top + h * static_cast<float>(row), w - 0.6f, h - 0.8f},
           .fill = theme.ramp[static_cast<std::size_t>(at)]});
    }
}

/// One row a warp; lanes that have no thread are empty.
void draw_block(scene::Scene& out, const source::LaunchSpec& launch, Rect room, const views::Theme& theme) {
  const std::uint64_t threads = std::uint64_t{launch.block[0]} * launch.block[1] * launch.block[2];
  const std::uint64_t warps = std::max<std::uint64_t>((threads + 31) / 32, 1);
  const int rows = static_cast<int>(std::min<std::uint64_t>(warps, most_assignment_rows));
  const float w = room.w / 32, h = std::min((room.h - 15) / static_cast<float>(rows), 6.0f);
  for (int row = 0; row < rows; ++row)
    for (int lane = 0; lane < 32; ++lane) {
      const bool used = static_cast<std::uint64_t>(row * 32 + lane) < threads;
      const int at = views::Theme::ramp_index(static_cast<std::uint64_t>(row), warps);
      out.boxes.push_back(
          {.rect = {room.x + w * static_cast<float>(lane), room.y + h * static_cast<float>(row), w - 0.6f, h - 0.8f},
           .fill = used ? theme.ramp[static_cast<std::size_t>(at)] : theme.cell_empty});
    }
  const std::uint64_t blocks = std::uint64_t{launch.grid[0]} * launch.grid[1] * launch.grid[2];
  views::add_text(out, {room.x, room.y + room.h - 6},
                  fmt::format("{} × {}", counted(blocks, "block"), counted(threads, "thread")), theme.text_dim,
                  views::type_px::small, views::Face::sans, views::Align::left, {}, room.w);
}

}  // namespace

void draw_welcome(App& app, Stage& stage) {
  static Pictures pictures;
  Page(app, stage, pictures).draw();
}

std::vector<LessonTitle> lesson_titles(const std::filesystem::path& folder) {
  std::vector<LessonTitle> out;
  std::error_code problem;
  for (const auto& entry : std::filesystem::directory_iterator(folder, problem)) {
    std::error_code unreadable;
    if (!entry.is_directory(unreadable)) continue;
    LessonTitle lesson = read_title(entry.path());
    if (!lesson.title.empty()) out.push_back(std::move(lesson));
  }
  std::ranges::sort(out, {}, &LessonTitle::name);
  return out;
}

const std::vector<LessonTitle>& installed_lessons() {
  static const std::vector<LessonTitle> all = lesson_titles(resources::assets_directory() / "lessons");
  return all;
}

scene::Scene thumbnail(const std::string& file, const std::string& text, const views::Theme& theme) {
  scene::Scene out{.width = thumbnail_width, .height = thumbnail_height};
  const auto source = source::read(file, text, {.watch_probes = false, .headers = false});
  if (!source) return out;
  std::vector<const source::Claim*> claims;
  for (const source::Claim& c : source->claims)
    if (c.kind() == source::ClaimKind::registers && layout::to_map(c.stated)) claims.push_back(&c);
  constexpr float margin = 3;
  if (claims.empty()) {
    if (!source->header.launches.empty())
      draw_block(out, source->header.launches.front(),
                 {margin, margin + 2, thumbnail_width - 2 * margin, thumbnail_height - 2 * margin - 2}, theme);
    return out;
  }
  const bool two = claims.size() > 1 && claims.front()->stated != claims.back()->stated;
  const float width = two ? (thumbnail_width - 2 * margin - 14) / 2 : thumbnail_width - 2 * margin;
  draw_assignment(out, claims.front()->stated, {margin, margin, width, thumbnail_height - 2 * margin}, theme);
  if (two) {
    draw_assignment(out, claims.back()->stated, {margin + width + 14, margin, width, thumbnail_height - 2 * margin},
                    theme);
    views::add_text(out, {thumbnail_width / 2, thumbnail_height / 2}, "→", theme.text_dim, views::type_px::note,
                    views::Face::sans, views::Align::center);
  }
  return out;
}

}  // namespace lanescope::gui
