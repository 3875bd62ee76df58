#include "viz/scene/scene.h"

#include <charconv>

#include <fmt/format.h>

namespace lanescope::scene {
namespace {

struct KindName {
  Id::Kind kind;
  std::string_view name;
  int numbers;  ///< written even when 0
};

constexpr KindName kind_names[] = {
    {Id::Kind::none, "none", 0},
    {Id::Kind::register_cell, "register_cell", 4},
    {Id::Kind::register_row, "register_row", 4},
    {Id::Kind::lane_heading, "lane_heading", 3},
    {Id::Kind::warp_heading, "warp_heading", 2},
    {Id::Kind::memory_line, "memory_line", 2},
    {Id::Kind::memory_sector, "memory_sector", 3},
    {Id::Kind::memory_word, "memory_word", 2},
    {Id::Kind::bank_heading, "bank_heading", 1},
    {Id::Kind::shared_word, "shared_word", 1},
    {Id::Kind::timeline_step, "timeline_step", 1},
    {Id::Kind::timeline_row, "timeline_row", 1},
    {Id::Kind::timeline_claim, "timeline_claim", 1},
    {Id::Kind::playhead, "playhead", 0},
    {Id::Kind::assignment_chip, "assignment_chip", 3},
    {Id::Kind::assignment_row, "assignment_row", 1},
    {Id::Kind::move_arrow, "move_arrow", 1},
    {Id::Kind::legend, "legend", 1},
    {Id::Kind::title, "title", 0},
    {Id::Kind::remark, "remark", 0},
};

std::optional<std::int32_t> take_number(std::string_view& text) {
  std::int32_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{}) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return number;
}

}  // namespace

// "kind/a/b/c/d@group"; trailing zeros that the kind does not use, and group 0, are left out.
std::string to_string(const Id& id) {
  const KindName& entry = kind_names[static_cast<int>(id.kind)];
  const std::array<std::int32_t, 4> numbers{id.a, id.b, id.c, id.d};
  int written = entry.numbers;
  for (int n = written; n < 4; ++n) {
    if (numbers[n] != 0) written = n + 1;
  }
  std::string text(entry.name);
  for (int n = 0; n < written; ++n) text += fmt::format("/{}", numbers[n]);
  if (id.group != 0) text += fmt::format("@{}", id.group);
  return text;
}

std::optional<Id> parse_id(std::string_view text) {
  Id id;
  const std::string_view name = text.substr(0, text.find_first_of("/@"));
  const KindName* entry = nullptr;
  for (const KindName& candidate : kind_names) {
    if (candidate.name == name) entry = &candidate;
  }
  if (entry == nullptr) return std::nullopt;
  id.kind = entry->kind;
  text.remove_prefix(name.size());
  for (std::int32_t* field : {&id.a, &id.b, &id.c, &id.d}) {
    if (!text.starts_with('/')) break;
    text.remove_prefix(1);
    const auto number = take_number(text);
    if (!number) return std::nullopt;
    *field = *number;
  }
  if (text.starts_with('@')) {
    text.remove_prefix(1);
    const auto number = take_number(text);
    if (!number) return std::nullopt;
    id.group = *number;
  }
  if (!text.empty()) return std::nullopt;
  return id;
}

const Box* hit(const Scene& scene, Point at) {
  for (auto box = scene.boxes.rbegin(); box != scene.boxes.rend(); ++box) {
    if (box->id.kind != Id::Kind::none && box->rect.contains(at)) return &*box;
  }
  return nullptr;
}

const Box* find(const Scene& scene, const Id& id) {
  for (const Box& box : scene.boxes) {
    if (box.id == id) return &box;
  }
  return nullptr;
}

}  // namespace lanescope::scene
