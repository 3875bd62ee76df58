#include "app/gui/widgets/items.h"

#include <imgui.h>
#include <imgui_internal.h>

#include <algorithm>
#include <unordered_map>

#include "app/gui/widgets/stage.h"

namespace lanescope::gui {
namespace {

// Dear ImGui calls free functions, so what they record is reachable from free functions only.
struct Recorded {
  std::vector<Item> items;
  std::unordered_map<unsigned, std::size_t> by_id;
  std::vector<std::string> texts, cut;
  bool on = false;
};
Recorded& recorded() {
  static Recorded r;
  return r;
}

Item& item_of(unsigned id) {
  Recorded& r = recorded();
  const auto [at, fresh] = r.by_id.try_emplace(id, r.items.size());
  if (fresh) r.items.push_back({.id = id});
  return r.items[at->second];
}

}  // namespace

void record_items(bool on) {
  recorded().on = on;
#ifdef IMGUI_ENABLE_TEST_ENGINE
  ImGui::GetCurrentContext()->TestEngineHookItems = on;
#endif
}

void begin_items() {
  recorded().items.clear();
  recorded().by_id.clear();
  recorded().texts.clear();
  recorded().cut.clear();
}

std::span<const Item> items() { return recorded().items; }

void note_text(std::string_view text) {
  if (recorded().on) recorded().texts.emplace_back(text);
}

std::span<const std::string> texts() { return recorded().texts; }

void note_cut(std::string_view whole) {
  if (recorded().on) recorded().cut.emplace_back(whole);
}

std::span<const std::string> cut_texts() { return recorded().cut; }

bool recording() { return recorded().on; }

std::optional<Item> find_item(std::string_view label) {
  if (label.empty()) return std::nullopt;
  const std::vector<Item>& all = recorded().items;
  const auto last = [&](auto&& fits) -> const Item* {
    const auto at = std::find_if(all.rbegin(), all.rend(), [&](const Item& i) { return i.w > 0 && fits(i.label); });
    return at == all.rend() ? nullptr : &*at;
  };
  const auto shown = [](std::string_view text) { return text.substr(0, text.find("##")); };
  const auto hidden = [](std::string_view text) {
    const auto hashes = text.find("##");
    text = hashes == std::string_view::npos ? std::string_view() : text.substr(hashes + 2);
    if (text.starts_with('#')) text.remove_prefix(1);
    return text;
  };
  // The visible part, before a name that only scripts use.
  const Item* found = last([&](std::string_view text) { return text == label || shown(text) == label; });
  if (found == nullptr) found = last([&](std::string_view text) { return hidden(text) == label; });
  return found == nullptr ? std::nullopt : std::optional(*found);
}

void paint_scene(const Stage& stage, const DrawnScene& drawn) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.PushClipRect(drawn.area.min(), drawn.area.max(), true);
  paint::ImguiView view{
      .origin = {drawn.origin.x, drawn.origin.y}, .zoom = drawn.scale, .line_weight = stage.presentation ? 1.5f : 1.0f};
  std::vector<std::string> cut;
  if (recording()) view.cut = &cut;
  paint::paint(list, drawn.scene, stage.theme->paper(), stage.fonts.scene, view);
  list.PopClipRect();
  for (const std::string& words : cut) note_cut(words);
  if (!recording()) return;
  // A sentence below or beside what is in sight is cut, too.
  for (const scene::Label& label : drawn.scene.labels) {
    const ImVec2 at = drawn.to_screen(label.at);
    const bool seen =
        at.y + label.size * drawn.scale / 2 <= drawn.area.y + drawn.area.h + 1 && at.x <= drawn.area.x + drawn.area.w;
    if (label.id.kind == scene::Id::Kind::remark && !seen) note_cut(label.text);
  }
}

}  // namespace lanescope::gui

#ifdef IMGUI_ENABLE_TEST_ENGINE

void ImGuiTestEngineHook_ItemAdd(ImGuiContext*, ImGuiID id, const ImRect& bb, const ImGuiLastItemData*) {
  if (id == 0) return;
  lanescope::gui::Item& item = lanescope::gui::item_of(id);
  item.x = bb.Min.x;
  item.y = bb.Min.y;
  item.w = bb.GetWidth();
  item.h = bb.GetHeight();
}

void ImGuiTestEngineHook_ItemInfo(ImGuiContext*, ImGuiID id, const char* label, ImGuiItemStatusFlags) {
  if (id != 0 && label != nullptr) lanescope::gui::item_of(id).label = label;
}

void ImGuiTestEngineHook_Log(ImGuiContext*, const char*, ...) {}

const char* ImGuiTestEngine_FindItemDebugLabel(ImGuiContext*, ImGuiID id) {
  const auto& r = lanescope::gui::recorded();
  const auto at = r.by_id.find(id);
  return at == r.by_id.end() ? nullptr : r.items[at->second].label.c_str();
}

#endif
