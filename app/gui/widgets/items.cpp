#include "app/gui/widgets/items.h"

#include <imgui.h>
#include <imgui_internal.h>

#include <unordered_map>

namespace lanescope::gui {
namespace {

// Dear ImGui calls free functions, so what they record is reachable from free functions only.
struct Recorded {
  std::vector<Item> items;
  std::unordered_map<unsigned, std::size_t> by_id;
  std::vector<std::string> texts;
  bool on = false;
};
Recorded& recorded() {
  static Recorded r;
  return r;
}

Item& item_of(unsigned id) {
  Recorded& r = recorded();
  const auto [at, fresh] = r.by_id.try_emplace(id, r.items.size());
  if (fresh) r.items.push_back({.id = id, .label = {}});
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
}

std::span<const Item> items() { return recorded().items; }

void note_text(std::string_view text) {
  if (recorded().on) recorded().texts.emplace_back(text);
}

std::span<const std::string> texts() { return recorded().texts; }

std::optional<Item> find_item(std::string_view label) {
  const std::vector<Item>& all = recorded().items;
  for (auto it = all.rbegin(); it != all.rend(); ++it) {
    std::string_view text = it->label;
    const auto hashes = text.find("##");
    const std::string_view shown = text.substr(0, hashes);
    std::string_view hidden = hashes == std::string_view::npos ? std::string_view() : text.substr(hashes + 2);
    if (hidden.starts_with('#')) hidden.remove_prefix(1);
    if (!label.empty() && it->w > 0 && (text == label || shown == label || hidden == label)) return *it;
  }
  return std::nullopt;
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
