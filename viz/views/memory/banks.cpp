#include "viz/views/memory/banks.h"

#include <algorithm>
#include <bit>

#include <fmt/format.h>

#include "viz/views/base/draw.h"
#include "viz/views/memory/memory_rows.h"

namespace lanescope::views {
namespace {

constexpr float bank_row_height = 16, bank_row_gap = 2, fold_height = 16, banks_margin = 12, narrow_columns = 620;
/// In a lower area, facts that are shown elsewhere are left out, so that more rows fit.
constexpr float low_room = 300;

/// Parts around the rows.
struct Around {
  float title = 28, heading = 18, counts = 18, strip = 30, footer = 66, sum = 22;
  float all(bool both) const { return title + heading + counts + strip + footer + (both ? sum : 0); }
};
Around around(const SharedOptions& options) {
  if (options.height <= 0 || options.height >= low_room || !options.controlled) return {};
  const bool both = options.what_if.kind != WhatIf::Kind::none;
  return {.title = 16, .heading = 15, .counts = both ? 0.0f : 17.0f, .strip = 0, .footer = both ? 0.0f : 40.0f};
}

/// One layout of the access: its words, its cost, and the wavefront of each lane.
struct Side {
  AccessInfo info{};
  std::vector<access::WavefrontGroup> groups;
  AccessedWords touched;
  PinnedWords pinned{};
  std::vector<MemoryRow> rows;
  std::string note{};
  SourceLines lines{};
  RowFit fit{.most_rows = 16, .height = bank_row_height, .gap = bank_row_gap};
};

/// `room`: for the rows; 0: any. `layout`: where elements that are followed lie.
Side make_side(const AccessInfo& info, const SharedOptions& options, float room, const WhatIf& layout) {
  Side side{.info = info, .groups = access::wavefront_groups(info), .touched = accessed_words(info)};
  for (const auto& [word, place] : pinned_words(options.pinned, -1))
    side.pinned.emplace(apply(word * 4, layout) / 4, place);
  std::uint64_t words = side.touched.empty() ? 1 : side.touched.rbegin()->first + 1;
  if (!side.pinned.empty()) words = std::max(words, side.pinned.rbegin()->first + 1);
  side.fit.most_rows = options.most_rows;
  std::uint64_t focus = 0;
  if (room > 0) {
    std::set<std::uint64_t> wanted = pinned_rows(side.pinned);
    for (const auto& [word, lanes] : side.touched) wanted.insert(word / 32);
    side.fit = fit_rows(room, wanted.size(), bank_row_height, bank_row_gap);
    const bool folds = wanted.size() > static_cast<std::size_t>(side.fit.most_rows);
    if (folds) side.fit = fit_rows(room - 2 * fold_height, wanted.size(), bank_row_height, bank_row_gap);
    const auto played = static_cast<std::size_t>(std::max(options.wavefront, 0));
    if (played < side.groups.size() && !side.groups[played].words.empty())
      focus = side.groups[played].words.front() / 32;
  }
  side.rows = memory_rows(side.touched, (words + 31) / 32, side.fit.most_rows, focus, pinned_rows(side.pinned));
  return side;
}

float rows_height(const Side& side) {
  float height = 0;
  for (const MemoryRow& row : side.rows) height += row.folded ? fold_height : side.fit.height + side.fit.gap;
  return height;
}

/// `area.h`: the room that its rows take at least, so that what is below it is at the height of the neighbour's.
class SideDrawing {
 public:
  SideDrawing(Scene& scene, const Side& side, const Around& around, Rect area, bool after, int wavefront,
              const Selection& selection, const Theme& theme)
      : scene_(scene),
        side_(side),
        around_(around),
        area_(area),
        after_(after),
        wavefront_(wavefront),
        selection_(selection),
        theme_(theme) {
    if (wavefront >= 0 && wavefront < static_cast<int>(side.groups.size())) served_ = &side.groups[wavefront];
    for (int n = 0; n < std::min(wavefront, static_cast<int>(side.groups.size())); ++n)
      before_.insert(side.groups[n].words.begin(), side.groups[n].words.end());
    // In half a narrow panel the offsets are in the tooltips.
    labelled_ = area.w >= 230;
    left_ = area.x + (labelled_ ? label_width(side.rows, type_px::tiny, 40) : banks_margin);
    pitch_ = std::max((area.x + area.w - left_ - banks_margin) / 32, 3.0f);
  }

  /// The height it took.
  float draw(const std::string& title) {
    add_text(scene_, {area_.x + banks_margin, area_.y + around_.title / 2 - 1}, title, theme_.text, type_px::note,
             Face::sans_bold, Align::left, {}, area_.w - 2 * banks_margin);
    float y = area_.y + around_.title;
    draw_bank_headings(scene_, columns_of_banks(), y, theme_, labelled_);
    y += around_.heading;
    const float top = y;
    float cells_end = y;
    int number = 0;
    for (const MemoryRow& row : side_.rows) {
      if (row.folded) {
        draw_fold(scene_, row, "row", {left_, y + 7}, theme_, area_.x + area_.w - left_ - 4);
        y += fold_height;
        number = 0;
        continue;
      }
      cells(row.first, y, number++ % side_.fit.label_stride() == 0);
      y += side_.fit.height + side_.fit.gap;
      cells_end = y;
    }
    y = std::max(y, top + area_.h);
    draw_bank_conflicts(scene_, side_.info.cost, columns_of_banks(), top - 2, cells_end, around_.counts > 0 ? y : -1,
                        theme_);
    y += around_.counts;
    if (around_.strip > 0) strip(y);
    y += around_.strip;
    if (around_.footer > 0) y += footer(y);
    return y - area_.y;
  }

 private:
  BankColumns columns_of_banks() const { return {.left = left_, .pitch = pitch_, .group = after_ ? 1 : 0}; }
  Id word_id(std::uint64_t number) const {
    return {.kind = after_ ? Id::Kind::what_if_word : Id::Kind::shared_word, .a = static_cast<int>(number)};
  }
  float bank_x(int bank) const { return left_ + pitch_ * static_cast<float>(bank); }

  void cells(std::uint64_t row, float y, bool with_offset) {
    if (labelled_ && with_offset)
      add_text(scene_, {left_ - 9, y + std::max(side_.fit.height, type_px::tiny) / 2}, "+" + spaced(row * 128),
               theme_.text_dim, type_px::tiny, Face::mono, Align::right);
    auto touched = side_.touched.lower_bound(row * 32);
    for (int bank = 0; bank < 32; ++bank) {
      const std::uint64_t number = row * 32 + static_cast<std::uint64_t>(bank);
      const bool here = touched != side_.touched.end() && touched->first == number;
      cell(number, {bank_x(bank), y, pitch_ - (pitch_ > 6 ? 1.0f : 0.5f), side_.fit.height},
           here ? &touched->second : nullptr);
      if (here) ++touched;
    }
  }

  bool serves(std::uint64_t number) const {
    // One word per bank and ascending by bank, so the search is over at most 32 words.
    return served_ == nullptr ||
           std::find(served_->words.begin(), served_->words.end(), number) != served_->words.end();
  }

  void cell(std::uint64_t number, Rect rect, const AccessedWord* touched) {
    const Id id = word_id(number);
    Box box{.id = id, .rect = rect, .fill = theme_.cell_empty, .radius = 1.5f};
    if (touched == nullptr) {
      scene_.boxes.push_back(box);
      if (side_.pinned.contains(number)) add_pin(scene_, id, rect, theme_);
      return;
    }
    const int ramp = Theme::ramp_index(static_cast<std::uint64_t>(std::countr_zero(touched->lanes)), 32);
    const bool played = wavefront_ >= 0, lit = served_ != nullptr ? serves(number) : !played;
    // Served words stay brighter than later ones.
    const bool past = played && before_.contains(number);
    box.fill = lit ? theme_.ramp[ramp] : mix(theme_.panel, theme_.ramp[ramp], past ? 0.34 : 0.20);
    scene_.boxes.push_back(box);
    if (lit && played) {
      const bool small = rect.h < 7 || rect.w < 5;
      scene_.outlines.push_back({.id = id,
                                 .rect = small ? inset(rect, -1.5f) : rect,
                                 .stroke = theme_.changed,
                                 .stroke_width = 1.4f,
                                 .radius = 1.5f});
    }
    if (!after_ && selection_.address && selection_.address->first < 0 && selection_.address->second / 4 == number)
      add_selection(scene_, id, rect, theme_, 1.5f);
    if (side_.pinned.contains(number)) add_pin(scene_, id, rect, theme_);
    draw_lanes(scene_, id, rect, number, *touched, lit ? theme_.ramp_text[ramp] : theme_.text_dim);
  }

  // All wavefronts as a strip to click and scrub, the played one filled; more than fit are bundled evenly.
  void strip(float y) {
    const int count = static_cast<int>(side_.groups.size());
    if (count == 0) return;
    const float room = area_.x + area_.w - banks_margin - left_;
    const int shown = std::min(count, std::max(static_cast<int>(room / 6), 1));
    const float step = std::min(room / static_cast<float>(shown), 26.0f);
    for (int n = 0; n < shown; ++n) {
      const int first = n * count / shown, end = (n + 1) * count / shown;
      const Id id{.kind = Id::Kind::wavefront, .a = first, .b = after_ ? 1 : 0};
      const bool played = wavefront_ >= first && wavefront_ < end;
      const Rect rect{left_ + step * static_cast<float>(n), y, step - 2, 16};
      add_box(scene_, rect, played ? theme_.accent : theme_.cell_plain, id, 2);
      // Of pieces too narrow for two digits some are numbered, and the played one always is.
      int stride = 1;
      while (stride < 16 && step * static_cast<float>(stride) < 2 * mono_advance * smallest_type + 2) stride *= 2;
      if (n % stride != 0 && !played) continue;
      add_fitted(scene_, id, center(rect), std::to_string(first + 1),
                 text_on(played ? theme_.accent : theme_.cell_plain), type_px::micro,
                 step * static_cast<float>(played ? 1 : stride) - 2, 1, played ? Face::mono_bold : Face::mono);
    }
  }

  /// The height it took.
  float footer(float y) {
    const float room = area_.w - 2 * banks_margin, x = area_.x + banks_margin;
    const Id id{.kind = Id::Kind::remark, .a = after_ ? 1 : 0};
    const float lower =
        draw_wavefronts(scene_, {x, y + 2}, room, side_.info.cost, trace::is_atomic(side_.info.kind), {}, id, theme_);
    if (around_.strip == 0) return lower + 20;  // the player says what is played
    const float last =
        add_broken(scene_, {x, y + 22 + lower}, played_text(), theme_.text_dim, type_px::note, room, 15, id);
    return std::max(around_.footer, lower + last + 44);
  }

  std::string played_text() const {
    if (wavefront_ < 0) return access_text(side_.info, side_.lines, side_.note);
    if (served_ == nullptr) return fmt::format("complete after wavefront {}", side_.groups.size());
    const int lanes = std::popcount(served_->lanes);
    return fmt::format(
        "wavefront {} of {} serves {}", wavefront_ + 1, side_.groups.size(),
        lanes == 1 ? fmt::format("lane {}", std::countr_zero(served_->lanes)) : fmt::format("{} lanes", lanes));
  }

  Scene& scene_;
  const Side& side_;
  const Around& around_;
  Rect area_;
  bool after_ = false;
  int wavefront_ = -1;
  const Selection& selection_;
  const Theme& theme_;
  const access::WavefrontGroup* served_ = nullptr;
  std::set<std::uint64_t> before_;  ///< words that earlier wavefronts served
  float left_ = 0, pitch_ = 0;
  bool labelled_ = true;
};

}  // namespace

void draw_bank_headings(Scene& scene, const BankColumns& banks, float y, const Theme& theme, bool titled) {
  if (titled) add_text(scene, {banks.left - 9, y + 8}, "bank", theme.text_dim, type_px::tiny, Face::sans, Align::right);
  for (int bank = 0; bank < 32; ++bank) {
    const Id id{.kind = Id::Kind::bank_heading, .a = bank, .group = banks.group};
    const float x = banks.x(bank);
    scene.boxes.push_back({.id = id, .rect = {x, y, banks.pitch - 1, 16}});
    const bool marked = bank % 8 == 0;
    const float readable = banks.pitch / (2 * mono_advance + 0.2f);
    if (!marked && readable < smallest_type) continue;  // between the marked ones there is no room
    const float size = std::min(type_px::tiny, std::max(readable, marked ? 8.0f : smallest_type));
    add_text(scene, {x + banks.pitch / 2 - 0.5f, y + 8}, std::to_string(bank), marked ? theme.text : theme.text_dim,
             size, marked ? Face::mono_bold : Face::mono, Align::center, id, 0, marked ? 0.0f : 7.5f / size);
  }
}

void draw_bank_conflicts(Scene& scene, const access::Cost& cost, const BankColumns& banks, float top, float bottom,
                         float counts_top, const Theme& theme) {
  for (int bank = 0; bank < 32; ++bank) {
    const int words = cost.turns_per_bank[bank];
    if (words < 2) continue;
    const Id id{.kind = Id::Kind::bank_heading, .a = bank, .group = banks.group};
    const Rect column{banks.x(bank) - 1.5f, top, banks.pitch + 2, bottom - top};
    scene.outlines.push_back({.id = id, .rect = column, .stroke = theme.bad, .stroke_width = 1.4f, .radius = 3});
    if (counts_top < 0) continue;
    // Where every bank delivers several and they stand close, every other number says it.
    const float needed = 2 * mono_advance * smallest_type;
    if (column.w < needed && bank > 0 && cost.turns_per_bank[bank - 1] > 1 && bank % 4 != 0) continue;
    add_text(scene, {column.x + column.w / 2, counts_top + 8}, std::to_string(words), theme.bad,
             std::clamp(column.w / (2 * mono_advance), smallest_type, type_px::tiny), Face::mono_bold, Align::center,
             id);
  }
}

float draw_wavefronts(Scene& scene, Point at, float room, const access::Cost& cost, bool atomic,
                      const std::string& more, const Id& id, const Theme& theme) {
  float y = at.y + add_broken(scene, at,
                              fmt::format("{}, ideal {}{}", counted(cost.wavefronts, "wavefront"),
                                          cost.ideal_wavefronts, more),
                              theme.text, type_px::title, room, 17, id, Face::sans_bold);
  const bool conflict = cost.wavefronts > cost.ideal_wavefronts;
  y += 20;
  add_verdict_sign(scene, {}, {at.x + 4.5f, y}, 8, conflict ? claims::Verdict::differs : claims::Verdict::holds, theme);
  const int most = *std::max_element(cost.turns_per_bank.begin(), cost.turns_per_bank.end());
  const std::string verdict = conflict ? fmt::format("{}, {} above the minimum",
                                                     atomic ? fmt::format("{} lanes take turns at one bank", most)
                                                            : fmt::format("{}-way bank conflict", most),
                                                     counted(cost.wavefronts - cost.ideal_wavefronts, "wavefront"))
                                       : std::string("no bank conflict");
  y += add_broken(scene, {at.x + 15, y}, verdict, conflict ? theme.bad : theme.good, type_px::body, room - 15, 16, id);
  return y - at.y;
}

Scene banks_view(const AccessInfo& info, const Selection& selection, const SharedOptions& options, const Theme& theme) {
  const bool both = options.what_if.kind != WhatIf::Kind::none;
  Scene scene{.width = options.width > 0 ? options.width : both ? 840 : 412};
  const Around parts = around(options);
  const bool beside = both && (scene.width >= narrow_columns || (parts.strip == 0 && scene.width >= 230));
  const float width = beside ? (scene.width - banks_margin) / 2 : scene.width;
  float room = 0;
  if (options.height > 0) room = std::max(options.height / (both && !beside ? 2.0f : 1.0f) - parts.all(both), 40.0f);
  Side before = make_side(info, options, room, {});
  before.note = options.note, before.lines = options.lines;
  AccessInfo other = info;
  static_cast<access::Access&>(other) = apply(info, options.what_if);
  other.cost = access::cost(other);
  Side after = both ? make_side(other, options, room, options.what_if) : Side{};
  after.note = options.note, after.lines = options.lines;
  const float rows = beside ? std::max(rows_height(before), rows_height(after)) : 0;
  const bool short_titles = width < 260;
  float height = SideDrawing(scene, before, parts, {0, 0, width, rows}, false, options.wavefront, selection, theme)
                     .draw(both ? "As it is" : "Wavefront by wavefront");
  if (both) {
    const Rect area{beside ? width + banks_margin : 0, beside ? 0 : height, width, rows};
    const bool padding = options.what_if.kind == WhatIf::Kind::padding;
    const std::string title = !short_titles ? "What-if: " + words(options.what_if)
                              : padding     ? "With padding"
                                            : "With swizzle";
    const float more = SideDrawing(scene, after, parts, area, true, options.wavefront, selection, theme).draw(title);
    height = beside ? std::max(height, more) : height + more;
    const bool better = after.info.cost.wavefronts <= after.info.cost.ideal_wavefronts;
    add_verdict_sign(scene, {}, {banks_margin + 4.5f, height + 8}, 8,
                     better ? claims::Verdict::holds : claims::Verdict::differs, theme);
    add_text(scene, {banks_margin + 15, height + 8},
             fmt::format("{} → {}", counted(before.info.cost.wavefronts, "wavefront"),
                         counted(after.info.cost.wavefronts, "wavefront")),
             theme.text, type_px::title, Face::sans_bold, Align::left, {.kind = Id::Kind::title},
             scene.width - 2 * banks_margin - 15);
    height += parts.sum;
  }
  scene.height = height;
  return scene;
}

}  // namespace lanescope::views
