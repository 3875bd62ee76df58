// The global memory view: which 32-byte sectors of which 128-byte lines one warp-wide access touches, and the bytes of
// each lane.

#include "viz/views/memory/global.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>

#include "kernels/base/numbers.h"
#include "results/problems.h"
#include "viz/views/base/drawing.h"
#include "viz/views/memory/memory_rows.h"

namespace lanescope::views {
namespace {

using results::ArrivedCell;
using Kind = trace::ElementTag::Kind;

constexpr float global_row_height = 22, global_row_gap = 16, global_fold_height = 15, global_footer_height = 68;

/// The axis to colour by when none is chosen: the slowest along which the accessed elements differ.
std::string chosen_color(const GlobalOptions& options, const std::vector<ElementReader>& readers, int buffer,
                         int element_bits, const AccessedWords& touched) {
  if (!options.color_by.empty() || buffer < 0) return options.color_by.empty() ? "lane" : options.color_by;
  if (touched.empty()) return readers[buffer].name(0);
  std::vector<Cell> cells;
  for (const auto& [word, lanes] : touched)
    for (int bit = 0; bit < 32; bit += std::min(element_bits, 32)) {
      if (lanes.lanes_of_byte[bit / 8] == 0) continue;
      cells.push_back({.value = 0,
                       .element = static_cast<std::uint32_t>((word * 32 + bit) / element_bits),
                       .buffer = static_cast<std::int8_t>(buffer),
                       .kind = static_cast<std::uint8_t>(trace::ElementTag::Kind::exact),
                       .defined = true});
    }
  const std::vector<int> axes = varying_axes(readers[buffer], buffer, cells);
  return axes.empty() ? "lane" : readers[buffer].name(axes.front());
}

class GlobalDrawing : Drawing<GlobalOptions> {
 public:
  GlobalDrawing(const Summary& summary, const Moment& moment, const Selection& selection, const GlobalOptions& options,
                const Theme& theme)
      : Drawing{summary, selection, options, theme},
        moment_(moment),
        note_(options.note),
        fault_(results::fault_at(summary, moment.step)),
        readers_(element_readers(summary)) {
    const bool accessed = moment.access && moment.access->space == trace::MemorySpace::global;
    buffer_ = options.buffer >= 0 ? options.buffer : accessed ? moment.access->buffer : 0;
    if (buffer_ >= static_cast<int>(summary.buffers.size())) buffer_ = -1;
    if (accessed && moment.access->buffer == buffer_) {
      access_ = &*moment.access;
      touched_ = accessed_words(*access_);
    } else if (accessed) {
      elsewhere_ = moment.access->buffer;
    }
    words_ = buffer_ >= 0 ? (summary.buffers[buffer_].bytes + 3) / 4 : 0;
    if (!touched_.empty()) words_ = std::max(words_, touched_.rbegin()->first + 1);
    element_bits_ = buffer_ >= 0 ? std::max(summary.buffers[buffer_].element_bits, 1) : 32;
    color_by_ = chosen_color(options, readers_, buffer_, element_bits_, touched_);
    pinned_ = buffer_ >= 0 ? pinned_words(options.pinned, buffer_) : PinnedWords{};
    rows_ = memory_rows(touched_, (words_ + 31) / 32, options.most_rows, 0, pinned_rows(pinned_));
    place_rows(options.width);
    choose_labels();
  }

  Scene draw() {
    const Coloring coloring(readers_, color_by_);
    const WordPainter painter{.theme = theme_, .coloring = coloring, .buffer = buffer_, .element_bits = element_bits_};
    scene_.width = grid_.width;
    for (std::size_t n = 0; n < rows_.size(); ++n) {
      if (rows_[n].folded)
        draw_fold(scene_, rows_[n], "line", {grid_.left, grid_.tops[n] + global_fold_height / 2 - 4}, theme_);
      else
        line(n, painter);
    }
    footer();
    return std::move(scene_);
  }

 private:
  void place_rows(float wanted) {
    grid_.left = label_width(rows_, type_px::small, 46);
    grid_.width = wanted > 0 ? wanted : 394;
    grid_.group_gap = 3;
    grid_.word_pitch = std::max((grid_.width - grid_.left - 12 - 9) / 32, 5.0f);
    grid_.row_height = global_row_height;
    float y = 8;
    for (const MemoryRow& row : rows_) {
      grid_.tops.push_back(y);
      y += row.folded ? global_fold_height : global_row_height + global_row_gap;
    }
    grid_.bottom = y;
  }

  void line(std::size_t n, const WordPainter& painter) {
    const std::uint64_t number = rows_[n].first;
    const auto a = std::max(buffer_, 0);
    const Id line_id{.kind = Id::Kind::memory_line, .a = a, .b = static_cast<int>(number)};
    const float y = grid_.tops[n];
    scene_.boxes.push_back({.id = line_id, .rect = {0, y, grid_.left - 4, global_row_height}});
    bool any = false;
    for (auto it = touched_.lower_bound(number * 32); it != touched_.end() && it->first < number * 32 + 32; ++it)
      any = true;
    add_text(scene_, {grid_.left - 9, y + global_row_height / 2}, "+" + spaced(number * 128),
             any ? theme_.text : theme_.text_dim, type_px::small, Face::mono, Align::right, line_id);
    for (int sector = 0; sector < 4; ++sector) sector_frame(n, sector, painter);
  }

  void sector_frame(std::size_t n, int sector, const WordPainter& painter) {
    const std::uint64_t number = rows_[n].first;
    const Id id{.kind = Id::Kind::memory_sector, .a = std::max(buffer_, 0), .b = static_cast<int>(number), .c = sector};
    int bytes = 0;
    for (int w = sector * 8; w < sector * 8 + 8; ++w)
      if (const auto touched = touched_.find(number * 32 + w); touched != touched_.end())
        bytes += touched->second.bytes();
    const float x = grid_.word_x(sector * 8) - 1.5f;
    const Rect frame{x, grid_.tops[n] - 1.5f, grid_.word_pitch * 8 + 2, global_row_height + 3};
    scene_.boxes.push_back({.id = id,
                            .rect = frame,
                            .stroke = bytes > 0 ? theme_.accent : theme_.border,
                            .stroke_width = bytes > 0 ? 1.4f : 1.0f,
                            .radius = 3});
    for (int w = sector * 8; w < sector * 8 + 8; ++w) word(n, w, painter);
    if (bytes == 0) return;
    std::string used = bytes == 32 ? std::string("32 B") : fmt::format("{} of 32 B", bytes);
    if (static_cast<float>(columns(used)) * type_px::micro * mono_advance > frame.w) used = fmt::format("{} B", bytes);
    add_text(scene_, {frame.x + frame.w / 2, frame.y + frame.h + 6.5f}, std::move(used),
             bytes == 32 ? theme_.text_dim : theme_.warn, type_px::micro, Face::mono, Align::center, id, frame.w,
             smallest_type / type_px::micro);
  }

  void word(std::size_t n, int w, const WordPainter& painter) {
    const std::uint64_t number = rows_[n].first * 32 + static_cast<std::uint64_t>(w);
    if (number >= words_) return;  // past the end of the buffer
    const Id id{.kind = Id::Kind::memory_word, .a = std::max(buffer_, 0), .b = static_cast<int>(number)};
    const Rect rect = grid_.word(n, w);
    const Color ground = access_ == nullptr ? overview(painter, number) : theme_.cell_empty;
    add_box(scene_, rect, ground, id, 1.5f);
    mark_selected(id, rect, number);
    if (pinned_.contains(number)) add_pin(scene_, id, rect, theme_);
    const auto found = touched_.find(number);
    if (found == touched_.end()) return;
    const AccessedWord& touched = found->second;
    painter.paint(scene_, rect, number, touched);
    const int lanes = std::popcount(touched.lanes);
    const bool shared_by_bytes = touched.lanes_of_byte[0] != touched.lanes;
    if (lanes > 1 && shared_by_bytes) return;  // several lanes side by side: too narrow for numbers
    const int ramp = painter.ramp_of_byte(
        number, std::countr_zero(static_cast<unsigned>(touched.lanes_of_byte[0] ? 1 : 2)), touched.lanes);
    if (touched.bytes() < 4) return;
    if (!draw_arrived(id, rect, number, theme_.ramp_text[ramp]))
      draw_lanes(scene_, id, rect, number, touched, theme_.ramp_text[ramp]);
  }

  /// "p17", or "17" where only one buffer's elements arrive: in the word that has one element, where that fits all
  /// words.
  bool draw_arrived(const Id& id, Rect rect, std::uint64_t number, Color color) {
    if (!names_arrived_) return false;
    const auto cells = arrived_in_word(moment_, buffer_, number);
    if (cells.empty() || cells.front()->byte != number * 4) return true;
    const std::string text = arrived_label(cells.front()->cell);
    const float room = rect.w * static_cast<float>(cells.front()->bits) / 32 - 1;
    add_fitted(scene_, id, {rect.x + (room + 1) / 2, rect.y + rect.h / 2}, text, color, type_px::micro, room, 0);
    return true;
  }

  std::string arrived_label(const Cell& cell) const {
    const std::string number = std::to_string(cell.element);
    return one_source_ ? number : buffer_name(summary_, cell.buffer) + number;
  }

  /// Elements that a store has brought are named in their words if every name fits; else only in words.
  void choose_labels() {
    int source = -1;
    for (const results::ArrivedCell& c : moment_.arrived) {
      if (access_ == nullptr || c.buffer != buffer_) continue;
      const bool one = c.cell.kind == static_cast<std::uint8_t>(trace::ElementTag::Kind::exact) && c.cell.buffer >= 0;
      if (!one || c.bits < 32) return void(names_arrived_ = false);
      one_source_ = one_source_ && (source < 0 || source == c.cell.buffer);
      source = c.cell.buffer, names_arrived_ = true;
    }
    for (const results::ArrivedCell& c : moment_.arrived) {
      const float room = (grid_.word_pitch - 1) * static_cast<float>(c.bits) / 32 - 1;
      const auto letters = static_cast<float>(columns(arrived_label(c.cell)));
      if (letters * mono_advance * smallest_type > room) names_arrived_ = false;
    }
  }

  /// Contents, dimmed, where there is no access.
  Color overview(const WordPainter& painter, std::uint64_t number) const {
    if (painter.coloring.by() != Coloring::By::element || buffer_ < 0) return theme_.cell_empty;
    const int ramp = painter.ramp_of_element(number * 32 / static_cast<std::uint64_t>(element_bits_));
    return mix(theme_.panel, theme_.ramp[ramp], 0.30);
  }

  void mark_selected(const Id& id, Rect rect, std::uint64_t number) {
    const bool element = selection_.element && selection_.element->first == buffer_ &&
                         selection_.element->second * static_cast<std::uint64_t>(element_bits_) / 32 == number;
    const bool address =
        selection_.address && selection_.address->first == buffer_ && selection_.address->second / 4 == number;
    if (element || address) add_selection(scene_, id, rect, theme_, 1.5f);
  }

  void footer() {
    const Id id{.kind = Id::Kind::remark};
    const float room = scene_.width - 24;
    float y = grid_.bottom + 12;
    const auto sentence = [&](const std::string& text, Color color, float size, Face face) {
      y += add_broken(scene_, {12, y}, text, color, size, room, size + 4, id, face);
    };
    if (access_ == nullptr) {
      std::string text = "This step does not access global memory. Go to a load or store to see its sectors.";
      if (const BufferInfo* other = buffer_of(summary_, elsewhere_))
        text = fmt::format("This step accesses {}, not {}.", other->name, buffer_name(summary_, buffer_));
      if (fault_ == nullptr)
        sentence(text, theme_.text_dim, type_px::note, Face::sans);
      else
        sentence("■ The run ends at this step: " + results::fault_words(*fault_), theme_.bad, type_px::note,
                 Face::sans);
    } else {
      sentence(fmt::format("{} · {} · {}", counted(access_->cost.requests, "request"),
                           counted(access_->cost.sectors, "sector"), counted(access_->cost.lines, "line")),
               theme_.text, type_px::title, Face::sans_bold);
      y += 20;
      y += draw_bytes_used(scene_, {12, y}, room, access_->cost.bytes_wanted, access_->cost.bytes_moved, theme_);
      y += 20;
      sentence(access_text(*access_, summary_.lines, note_), theme_.text_dim, type_px::note, Face::sans);
    }
    std::vector<std::string> words =
        access_ == nullptr ? std::vector<std::string>() : arrived_words(summary_, moment_, buffer_);
    if (!words.empty()) {
      y += 18;
      sentence((names_arrived_ ? "Numbers are elements: " : "") + fmt::format("{}", fmt::join(words, "; ")),
               theme_.text, type_px::note, Face::sans);
    }
    for (const std::string& arrived : arrivals()) {
      y += 18;
      sentence(arrived, theme_.text, type_px::note, Face::sans);
    }
    scene_.height = std::max(grid_.bottom + global_footer_height, y + 16);
  }

  /// Which followed elements have been stored in this buffer.
  std::vector<std::string> arrivals() const {
    std::vector<std::string> words;
    for (const auto& [word, p] : pinned_) {
      const auto n = static_cast<std::size_t>(p.journey);
      if (n >= selection_.pins.size() || words.size() >= most_arrivals) continue;
      const auto& [buffer, element] = selection_.pins[n];
      if (buffer == p.place.buffer && element == p.place.element) continue;
      words.push_back(fmt::format("{} {} {}", tag_text(summary_, p.place.buffer, p.place.element),
                                  p.exact ? "holds" : "depends on", element_text(summary_, buffer, element)));
    }
    return words;
  }
  static constexpr std::size_t most_arrivals = 3;

  const Moment& moment_;
  std::string note_;
  const results::FaultInfo* fault_ = nullptr;  ///< of this step
  std::vector<ElementReader> readers_;
  int buffer_ = -1, element_bits_ = 32, elsewhere_ = -1;
  const AccessInfo* access_ = nullptr;
  AccessedWords touched_;
  PinnedWords pinned_;
  std::uint64_t words_ = 0;
  std::string color_by_;
  std::vector<MemoryRow> rows_;
  MemoryGrid grid_;
  bool names_arrived_ = false, one_source_ = true;
};

Kind kind_of(const ArrivedCell& c) { return static_cast<Kind>(c.cell.kind); }
bool names_one(const ArrivedCell& c) {
  return c.cell.buffer >= 0 && (kind_of(c) == Kind::exact || kind_of(c) == Kind::computed);
}

/// Elements of the destination and of their source that are both in equal strides.
struct Run {
  const ArrivedCell* first = nullptr;
  std::uint64_t to = 0, count = 1;
  std::int64_t stride = 0, last = 0;  ///< of the source
};

std::string range(const Summary& summary, int buffer, std::uint64_t first, std::int64_t stride, std::uint64_t count) {
  const auto at = [&](std::uint64_t n) {
    return static_cast<std::uint64_t>(static_cast<std::int64_t>(first) + stride * static_cast<std::int64_t>(n));
  };
  const std::string name = buffer_name(summary, buffer);
  if (count == 1 || stride == 0) return fmt::format("{}[{}]", name, first);
  if (stride == 1 || stride == -1) return fmt::format("{}[{}..{}]", name, first, at(count - 1));
  if (count == 2) return fmt::format("{0}[{1}], {0}[{2}]", name, first, at(1));
  return fmt::format("{0}[{1}], {0}[{2}] .. {0}[{3}]", name, first, at(1), at(count - 1));
}

}  // namespace

Scene global_view(const Summary& summary, const Moment& moment, const Selection& selection,
                  const GlobalOptions& options, const Theme& theme) {
  if (summary.buffers.empty())
    return empty_view(options.width > 0 ? options.width : 394, 160, "This kernel has no buffer in global memory.",
                      theme);
  return GlobalDrawing(summary, moment, selection, options, theme).draw();
}

std::vector<const ArrivedCell*> arrived_in_word(const Moment& moment, int buffer, std::uint64_t word) {
  std::vector<const ArrivedCell*> out;
  auto at = std::ranges::lower_bound(moment.arrived, std::pair(buffer, word * 4), {},
                                     [](const ArrivedCell& c) { return std::pair(c.buffer, c.byte); });
  // A cell of 64 bits begins in the word before.
  if (at != moment.arrived.begin()) --at;
  for (; at != moment.arrived.end() && std::pair(at->buffer, at->byte) < std::pair(buffer, word * 4 + 4); ++at)
    if (at->buffer == buffer && at->byte + static_cast<std::uint64_t>(at->bits) / 8 > word * 4) out.push_back(&*at);
  return out;
}

std::vector<std::string> arrived_words(const Summary& summary, const Moment& moment, int buffer, std::size_t most) {
  std::vector<Run> runs;
  std::size_t others = 0;
  for (const ArrivedCell& c : moment.arrived) {
    if (c.buffer != buffer) continue;
    if (!names_one(c)) {
      others += kind_of(c) == Kind::mixed || kind_of(c) == Kind::partial;
      continue;
    }
    const std::uint64_t to = c.byte * 8 / static_cast<std::uint64_t>(c.bits);
    const auto from = static_cast<std::int64_t>(c.cell.element);
    if (!runs.empty()) {
      Run& r = runs.back();
      const bool same = r.first->cell.buffer == c.cell.buffer && r.first->cell.kind == c.cell.kind;
      if (same && r.to + r.count == to && (r.count == 1 || from - r.last == r.stride)) {
        r.stride = from - r.last, r.last = from, ++r.count;
        continue;
      }
    }
    runs.push_back({.first = &c, .to = to, .last = from});
  }
  std::vector<std::string> words;
  std::size_t left = 0;
  for (const Run& r : runs) {
    if (words.size() >= most) {
      left += r.count;
      continue;
    }
    words.push_back(fmt::format("{} {} {}", range(summary, buffer, r.to, 1, r.count),
                                kind_of(*r.first) == Kind::exact ? (r.count == 1 ? "holds" : "hold")
                                : r.count == 1                   ? "depends on"
                                                                 : "depend on",
                                range(summary, r.first->cell.buffer, r.first->cell.element, r.stride, r.count)));
  }
  if (left > 0) words.push_back(fmt::format("and {} more", counted(left, "element")));
  if (others > 0) words.push_back(fmt::format("{} of several", counted(others, "value")));
  return words;
}

}  // namespace lanescope::views
