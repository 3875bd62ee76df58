#include "viz/views/buffers/buffers.h"

#include <algorithm>
#include <bit>

#include <fmt/format.h>

#include "kernels/base/numbers.h"
#include "viz/views/base/table.h"

namespace lanescope::views {
namespace {

constexpr float side_width = 66, pair_lane_height = 20, pair_heading = 16, strip_gap = 8;
constexpr const char* side_text[] = {"emulator", "GPU"};

std::string place_of(const AccessPair& pair, int side, int lane) {
  const auto& places = side == 0 ? pair.emulated_places : pair.gpu_places;
  const std::uint32_t mask = side == 0 ? pair.emulated_mask : pair.gpu_mask;
  const auto n = static_cast<std::size_t>(lane);
  return (mask >> lane & 1) != 0 && n < places.size() ? places[n] : std::string();
}

/// "y" where every lane of both sides is at "y + n": then cells need the numbers only. Else empty.
std::string common_base(const AccessPair& pair) {
  std::string base;
  for (int side = 0; side < 2; ++side)
    for (int lane = 0; lane < 32; ++lane) {
      const std::string place = place_of(pair, side, lane);
      if (place.empty()) continue;
      const std::size_t plus = place.rfind(" + ");
      if (plus == std::string::npos) return {};
      const std::string of = place.substr(0, plus);
      if (!base.empty() && of != base) return {};
      base = of;
    }
  return base;
}

std::string as_sentence(std::string words) {
  if (words.empty()) return words;
  if (words.front() >= 'a' && words.front() <= 'z') words.front() = static_cast<char>(words.front() - 'a' + 'A');
  return words.ends_with('.') ? words : words + ".";
}

class PairDrawing {
 public:
  PairDrawing(Scene& scene, const AccessPair& pair, const Theme& theme)
      : scene_(scene), pair_(pair), theme_(theme), base_(common_base(pair)), differing_(differing_lanes(pair)) {
    int longest = 2;
    for (int side = 0; side < 2; ++side)
      for (int lane = 0; lane < 32; ++lane) longest = std::max(longest, columns(cell_text(side, lane)));
    while (per_strip_ > 4 && pitch() - 2 < cell_room(longest)) per_strip_ /= 2;
  }

  float draw(float y) {
    const float room = scene_.width - 2 * table_margin;
    y = draw_paragraph(scene_, sentence(), table_margin, y, room, theme_.text_dim, type_px::note) + 2;
    for (int first = 0; first < 32; first += per_strip_) y = strip(first, y);
    return draw_paragraph(scene_, legend(), table_margin, y, room, theme_.text_dim, type_px::tiny) + 2;
  }

 private:
  float pitch() const { return (scene_.width - 2 * table_margin - side_width) / static_cast<float>(per_strip_); }
  static float cell_room(int letters) { return static_cast<float>(letters) * type_px::micro * mono_advance + 4; }

  std::string cell_text(int side, int lane) const {
    const std::string place = place_of(pair_, side, lane);
    return base_.empty() || place.empty() ? place : place.substr(base_.size() + 3);
  }

  std::string sentence() const {
    if (pair_.emulated == pair_.gpu) return "GPU and emulator: " + pair_.emulated + ".";
    const auto said = [](const std::string& words) { return words.empty() ? std::string("no such access") : words; };
    return fmt::format("Emulator: {}. GPU: {}.", said(pair_.emulated), said(pair_.gpu));
  }

  std::string legend() const {
    std::string words = fmt::format("{} of 32 lanes differ (outlined)", std::popcount(differing_));
    if (!base_.empty())
      words += fmt::format("; numbers are bytes from the start of {}",
                           base_ == "shared" ? "the block's shared memory" : base_);
    if ((pair_.emulated_mask & pair_.gpu_mask) != ~0u) words += "; hatched: inactive lane";
    return words + ".";
  }

  float strip(int first, float y) {
    const float top = y + pair_heading;
    for (int side = 0; side < 2; ++side)
      add_text(scene_, {table_margin, top + pair_lane_height * (static_cast<float>(side) + 0.5f)}, side_text[side],
               theme_.text_dim, type_px::note);
    for (int lane = first; lane < first + per_strip_; ++lane) {
      const float x = table_margin + side_width + pitch() * static_cast<float>(lane - first);
      add_text(scene_, {x + pitch() / 2 - 1, y + pair_heading / 2}, std::to_string(lane), theme_.text_dim,
               type_px::micro, Face::mono, Align::center);
      for (int side = 0; side < 2; ++side)
        cell(side, lane, {x, top + pair_lane_height * static_cast<float>(side), pitch() - 2, pair_lane_height - 2});
      if ((differing_ >> lane & 1) == 0) continue;
      const bool is_first = lane == std::countr_zero(differing_);
      scene_.outlines.push_back({.rect = {x - 1, top - 1, pitch(), 2 * pair_lane_height},
                                 .stroke = theme_.bad,
                                 .stroke_width = is_first ? 2.5f : 1.25f,
                                 .radius = 2});
    }
    return top + 2 * pair_lane_height + strip_gap;
  }

  void cell(int side, int lane, Rect rect) {
    const Id id{.kind = Id::Kind::access_lane, .a = lane, .b = side};
    const std::string words = cell_text(side, lane);
    const bool differs = (differing_ >> lane & 1) != 0;
    scene_.boxes.push_back({.id = id,
                            .rect = rect,
                            .fill = words.empty() ? theme_.cell_empty : theme_.cell_plain,
                            .radius = 1.5f,
                            .hatched = words.empty()});
    if (words.empty()) return;
    const int most = static_cast<int>((rect.w - 2) / (type_px::micro * mono_advance));
    add_text(scene_, center(rect), cut(words, std::max(most, 2)), theme_.text, type_px::micro,
             differs ? Face::mono_bold : Face::mono, Align::center, id);
  }

  Scene& scene_;
  const AccessPair& pair_;
  const Theme& theme_;
  std::string base_;
  std::uint32_t differing_ = 0;
  int per_strip_ = 32;
};

}  // namespace

std::uint32_t differing_lanes(const AccessPair& pair) {
  std::uint32_t lanes = pair.emulated_mask ^ pair.gpu_mask;
  for (int lane = 0; lane < 32; ++lane)
    if (place_of(pair, 0, lane) != place_of(pair, 1, lane)) lanes |= 1u << lane;
  return lanes;
}

float draw_trace(Scene& scene, const TraceInfo& trace, float y, const Theme& theme) {
  const float room = scene.width - 2 * table_margin;
  if (trace.difference.empty() && !trace.pair) {
    const std::string words =
        fmt::format("The traced launch made the same accesses as the emulator, with equal lanes and addresses: {}.",
                    counted(trace.records, "record"));
    return draw_paragraph(scene, words, table_margin, y, room, theme.text_dim, type_px::note) + 6;
  }
  add_text(scene, {table_margin, y + 8}, trace.pair ? "The first access that differs" : "The first difference",
           theme.text, type_px::body, Face::sans_bold);
  y = draw_paragraph(scene, as_sentence(trace.difference), table_margin, y + 19, room, theme.text, type_px::note);
  return trace.pair ? PairDrawing(scene, *trace.pair, theme).draw(y + 1) + 4 : y + 6;
}

std::string lane_tooltip(const AccessPair& pair, const Id& id) {
  if (id.kind != Id::Kind::access_lane || id.a < 0 || id.a >= 32) return {};
  const auto said = [&](int side) {
    const std::string place = place_of(pair, side, id.a);
    return place.empty() ? std::string("inactive") : place;
  };
  return fmt::format("lane {}\nemulator: {}\nGPU: {}", id.a, said(0), said(1));
}

}  // namespace lanescope::views
