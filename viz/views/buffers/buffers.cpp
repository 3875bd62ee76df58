#include "viz/views/buffers/buffers.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "viz/views/base/drawing.h"
#include "viz/views/base/table.h"

namespace lanescope::views {
namespace {

constexpr float default_width = 760, buffer_row_height = 19, double_row_height = 33, small_cell = 12;
constexpr float run_gap = 6, part_gap = 6, cell_gap = 1;

/// "f32 · i 4 × j 32".
std::string type_text(const BufferInfo& buffer) {
  std::string words = buffer.element_type;
  for (std::size_t n = 0; n < buffer.axes.size(); ++n)
    words += fmt::format("{}{} {}", n == 0 ? " · " : " × ", buffer.axes[n].name, spaced(buffer.axes[n].extent));
  return words;
}

class BuffersDrawing : Drawing<BuffersOptions> {
 public:
  BuffersDrawing(const Summary& summary, const Moment& moment, const Contents& contents, const Measured& measured,
                 const Selection& selection, const BuffersOptions& options, const Theme& theme)
      : Drawing{summary, selection, options, theme},
        contents_(contents),
        measured_(measured),
        buffer_(*buffer_of(summary, contents.buffer)),
        first_different_(first_difference(contents, measured)),
        small_(contents.count > options.most_numbers) {
    scene_.width = options.width > 0 ? options.width : default_width;
    touch(moment);
  }

  Scene draw() {
    float y = compared(8);
    y = heading(y);
    y = legend(y + 2);
    scene_.height = grid(y + 6) + 8;
    return std::move(scene_);
  }

 private:
  float room() const { return scene_.width - 2 * table_margin; }

  void touch(const Moment& moment) {
    if (!moment.access || moment.access->space != trace::MemorySpace::global ||
        moment.access->buffer != contents_.buffer)
      return;
    const auto bits = static_cast<std::uint64_t>(std::max(buffer_.element_bits, 1));
    for (int lane = 0; lane < 32; ++lane) {
      if ((moment.access->mask >> lane & 1) == 0) continue;
      const std::uint64_t from = moment.access->addresses[static_cast<std::size_t>(lane)] * 8;
      const std::uint64_t until = from + static_cast<std::uint64_t>(moment.access->width_bytes) * 8;
      for (std::uint64_t e = from / bits; e * bits < until; ++e) touched_.insert(e);
    }
    std::erase_if(touched_,
                  [&](std::uint64_t e) { return e < contents_.first || e >= contents_.first + contents_.count; });
  }

  // --- GPU and emulator, all buffers

  float compared(float y) {
    if (measured_.buffers.empty() && !measured_.trace) return y;
    std::string title = "GPU and emulator";
    if (!measured_.device.empty()) title += " · " + measured_.device;
    add_text(scene_, {table_margin, y + 7}, cut(title, static_cast<int>(room() / 8)), theme_.text, type_px::title,
             Face::sans_bold);
    y += 20;
    if (!options_.note.empty())
      y = draw_paragraph(scene_, options_.note, table_margin, y, room(), theme_.warn, type_px::note) + 2;
    for (std::size_t n = 0; n < measured_.buffers.size(); ++n, y += table_row_height) compared_row(n, y);
    if (measured_.trace) y = draw_trace(scene_, *measured_.trace, y + 6, theme_);
    add_line(scene_, {table_margin, y + 5}, {scene_.width - table_margin, y + 5}, theme_.border);
    return y + 14;
  }

  void compared_row(std::size_t n, float y) {
    const BufferComparison& b = measured_.buffers[n];
    const Id id{.kind = Id::Kind::buffer_row, .a = static_cast<int>(n)};
    const bool here = b.name == contents_.name, equal = b.different == 0;
    add_box(scene_, {0, y, scene_.width, table_row_height}, here ? theme_.row_highlight : Color{}, id);
    const float middle = y + table_row_height / 2;
    add_verdict_sign(scene_, {}, {table_margin + 4, middle}, 8,
                     equal ? claims::Verdict::holds : claims::Verdict::differs, theme_);
    constexpr int name_letters = 16;
    const float letter = type_px::code * mono_advance, words_x = table_margin + 16 + letter * (name_letters + 1);
    add_text(scene_, {table_margin + 16, middle}, cut(b.name, name_letters), theme_.text, type_px::code, Face::mono,
             Align::left, id);
    const std::string words = equal ? "equal in " + counted(b.elements, "element") : comparison_text(b);
    const int most = static_cast<int>((scene_.width - table_margin - words_x) / (type_px::note * 0.6f));
    add_text(scene_, {words_x, middle}, cut(words, std::max(most, 8)), theme_.text, type_px::note, Face::sans,
             Align::left, id);
  }

  // --- the buffer on show

  float heading(float y) {
    const std::string title = contents_.name + " · " + type_text(buffer_);
    add_text(scene_, {table_margin, y + 7}, cut(title, static_cast<int>(room() / 8)), theme_.text, type_px::title,
             Face::sans_bold, Align::left, {.kind = Id::Kind::title});
    y += 19;
    std::string words = counted(contents_.elements, "element");
    if (contents_.count < contents_.elements && contents_.count > 0)
      words += fmt::format(", of which {} to {} are shown", spaced(contents_.first),
                           spaced(contents_.first + contents_.count - 1));
    if (!contents_.before.empty())
      words += contents_.written == 0 ? "; unchanged by the launches"
                                      : fmt::format("; the launches changed {}", spaced(contents_.written));
    y = draw_paragraph(scene_, words + ".", table_margin, y, room(), theme_.text_dim, type_px::note);
    if (!contents_.partial.empty())
      y = draw_paragraph(scene_, "Not final: " + contents_.partial + ". Results of the other blocks are missing.",
                         table_margin, y, room(), theme_.warn, type_px::note);
    return verdict(y + 2);
  }

  float verdict(float y) {
    if (!views::compared(contents_) && comparison_of(contents_, measured_) == nullptr) return y;
    const bool equal = first_different_ < 0;
    const std::string words = equal ? "GPU and emulator have equal values in all elements." : difference_text();
    add_verdict_sign(scene_, {}, {table_margin + 4, y + 8}, 8,
                     equal ? claims::Verdict::holds : claims::Verdict::differs, theme_);
    return draw_paragraph(scene_, words, table_margin + 14, y, room() - 14, equal ? theme_.good : theme_.bad,
                          type_px::body);
  }

  std::string difference_text() const {
    const auto element = static_cast<std::uint64_t>(first_different_);
    const BufferComparison* b = comparison_of(contents_, measured_);
    const bool here = element >= contents_.first && element < contents_.first + contents_.count;
    const std::uint64_t n = element - contents_.first;
    std::string emulator = b != nullptr ? b->emulator : "", gpu = b != nullptr ? b->gpu : "";
    if (here && n < contents_.emulated.size() && n < contents_.gpu.size())
      emulator = contents_.emulated[n], gpu = contents_.gpu[n];
    std::string words = "First mismatching element: " + element_text(summary_, contents_.buffer, element);
    if (!buffer_.axes.empty()) words += fmt::format(" (element {})", spaced(element));
    if (!emulator.empty()) words += fmt::format(" is {} in the emulator and {} on the GPU", emulator, gpu);
    const std::uint64_t all = views::compared(contents_) ? contents_.different : b->different;
    words += fmt::format("; {} {} in total", spaced(all), all == 1 ? "element differs" : "elements differ");
    return words + (here ? "." : ". It is not among those shown.");
  }

  // --- meaning of the marks

  struct Mark {
    bool changed = false, different = false, touched = false, first = false;
  };

  float legend(float y) {
    bool any_changed = false, any_same = false, any_different = false, first = false;
    for (std::uint64_t n = 0; n < contents_.count; ++n) {
      (changed(contents_, n) ? any_changed : any_same) = true;
      any_different |= is_different(n);
      first |= is_first(n);
    }
    float x = table_margin;
    if (!contents_.before.empty() && any_changed) legend_entry(x, y, {.changed = true}, "changed by the launches");
    if (!contents_.before.empty() && any_same) legend_entry(x, y, {}, "unchanged");
    if (any_different)
      legend_entry(x, y, {.different = true}, small_ ? "GPU differs" : "GPU differs: emulator above, GPU below");
    if (first) legend_entry(x, y, {.different = true, .first = true}, "first mismatching element");
    if (!touched_.empty()) legend_entry(x, y, {.touched = true}, "accessed by this step");
    return x > table_margin ? y + 18 : y;
  }

  void legend_entry(float& x, float& y, const Mark& mark, const std::string& words) {
    const float wide = 22 + sans_width(words, type_px::note) * 1.06f;
    if (x > table_margin && x + wide > scene_.width - table_margin) x = table_margin, y += 18;
    cell_frame({}, {x, y + 3, 16, 12}, mark);
    add_text(scene_, {x + 22, y + 9}, words, theme_.text_dim, type_px::note);
    x += wide + 16;
  }

  void cell_frame(const Id& id, Rect rect, const Mark& mark) {
    const Color fill = mark.changed ? theme_.cell_plain : theme_.panel;
    add_box(scene_, rect, fill, id, 1.5f, theme_.cell_border, 0.75f);
    if (mark.touched)
      add_box(scene_, {rect.x + 2, rect.y + rect.h - 3, rect.w - 4, 2}, theme_.step(trace::StepKind::load));
    if (!mark.different) return;
    scene_.outlines.push_back({.id = id,
                               .rect = inset(rect, mark.first ? -1 : 0.25f),
                               .stroke = theme_.bad,
                               .stroke_width = mark.first ? 2.75f : 1.25f,
                               .radius = 2});
    if (!mark.first) return;
    const Point at{rect.x + rect.w, rect.y};  // a corner, so that it is more than a thicker line
    scene_.outlines.push_back({.id = id,
                               .rect = {at.x - 4, at.y - 4, 7, 7},
                               .fill = theme_.bad,
                               .stroke = theme_.panel,
                               .stroke_width = 1,
                               .radius = 1});
  }

  // --- elements

  float letters_width(int letters) const { return static_cast<float>(letters) * type_px::small * mono_advance; }

  /// Width of a cell, and of the column at the left.
  void measure() {
    letters_ = 1;
    for (const auto* column : {&contents_.before, &contents_.emulated, &contents_.gpu})
      for (const std::string& value : *column) letters_ = std::max(letters_, columns(value));
    cell_width_ = small_ ? small_cell : std::max(letters_width(letters_) + 8, 16.0f);
  }

  std::uint64_t fitting(float width) const {
    return static_cast<std::uint64_t>(std::clamp(width / (cell_width_ + cell_gap), 1.0f, small_ ? 64.0f : 32.0f));
  }

  float row_words_width(const BufferShape& shape) const {
    int letters = columns(shape.heading());
    const std::uint64_t last = contents_.first + contents_.count - 1;
    for (const std::uint64_t element : {contents_.first, last, contents_.elements - 1})
      letters = std::max(letters, columns(shape.row_text(shape.row_of(element))));
    return std::min(letters_width(std::max(letters, 4)) + 12, scene_.width * 0.3f);
  }

  float grid(float y) {
    if (contents_.count == 0 || contents_.elements == 0) return y;
    measure();
    const float guess = scene_.width - 2 * table_margin - 60;
    left_ = table_margin + row_words_width(BufferShape(buffer_, fitting(guess)));
    const float across = scene_.width - table_margin - left_;
    BufferShape shape(buffer_, fitting(across));
    const auto gaps = static_cast<float>(shape.runs_per_row() - 1) * run_gap;
    if (shape.runs_per_row() > 1) shape = BufferShape(buffer_, fitting(across - gaps));
    const float even =
        (across - static_cast<float>(shape.runs_per_row() - 1) * run_gap) / static_cast<float>(shape.columns());
    pitch_ = small_ ? small_cell + cell_gap : std::clamp(even, std::min(cell_width_, across), cell_width_ * 1.5f);
    headings(shape, y);
    return rows(shape, y + 16);
  }

  float x_of(const BufferShape& shape, std::uint64_t column) const {
    return left_ + pitch_ * static_cast<float>(column) + run_gap * static_cast<float>(shape.runs_before(column));
  }

  void headings(const BufferShape& shape, float y) {
    const int most = static_cast<int>((left_ - table_margin - 6) / (type_px::tiny * mono_advance));
    add_text(scene_, {left_ - 10, y + 7}, cut(shape.heading(), std::max(most, 2)), theme_.text_dim, type_px::tiny,
             Face::mono, Align::right);
    std::uint64_t every = 1;
    int letters = 1;
    for (std::uint64_t c = 0; c < shape.columns(); ++c) letters = std::max(letters, columns(shape.column_text(c)));
    while (static_cast<float>(every) * pitch_ < static_cast<float>(letters + 1) * type_px::tiny * mono_advance)
      every *= 2;
    const std::uint64_t run = shape.columns() / shape.runs_per_row();
    for (std::uint64_t c = 0; c < shape.columns(); ++c) {
      const std::uint64_t in_run = c % run;
      if (in_run % every != 0) continue;
      const float middle = x_of(shape, c) + (pitch_ - cell_gap) / 2;
      if (small_ || every > 1 || letters_ == 1)
        add_text(scene_, {middle, y + 7}, shape.column_text(c), theme_.text_dim, type_px::tiny, Face::mono,
                 Align::center);
      else  // above the last digit, where numbers end, too
        add_text(scene_, {x_of(shape, c) + pitch_ - cell_gap - 4, y + 7}, shape.column_text(c), theme_.text_dim,
                 type_px::tiny, Face::mono, Align::right);
    }
  }

  float rows(const BufferShape& shape, float y) {
    std::uint64_t n = 0;
    while (n < contents_.count) {
      const std::uint64_t row = shape.row_of(contents_.first + n);
      std::uint64_t end = n;
      bool pair = false, holds_first = false;
      for (; end < contents_.count && shape.row_of(contents_.first + end) == row; ++end) {
        pair |= is_different(end);
        holds_first |= is_first(end);
      }
      if (n > 0 && shape.parts_before(row)) y += part_gap;
      const float height = small_ ? small_cell + cell_gap : pair ? double_row_height : buffer_row_height;
      row_heading(shape, row, y, pair, holds_first);
      for (; n < end; ++n) {
        const Rect rect{x_of(shape, shape.column_of(contents_.first + n)), y, pitch_ - cell_gap, height - cell_gap};
        cell(n, rect, pair);
      }
      y += height;
    }
    return y;
  }

  void row_heading(const BufferShape& shape, std::uint64_t row, float y, bool pair, bool holds_first) {
    const float size = small_ ? type_px::micro : type_px::small;
    const int most = static_cast<int>((left_ - 10) / (size * mono_advance));
    const float height = small_ ? small_cell : buffer_row_height;
    add_text(scene_, {left_ - 10, y + height / 2 - 0.5f}, cut(shape.row_text(row), std::max(most, 2)),
             holds_first ? theme_.bad : theme_.text_dim, size, holds_first ? Face::mono_bold : Face::mono,
             Align::right);
    if (pair && !small_)
      add_text(scene_, {left_ - 10, y + double_row_height - 10}, "GPU", theme_.text_dim, type_px::micro, Face::mono,
               Align::right);
  }

  bool is_first(std::uint64_t n) const { return static_cast<std::int64_t>(contents_.first + n) == first_different_; }

  /// Without the GPU's values the first difference is known by the comparison alone.
  bool is_different(std::uint64_t n) const { return differs(contents_, n) || is_first(n); }
  std::string gpu_value(std::uint64_t n) const {
    if (n < contents_.gpu.size()) return contents_.gpu[n];
    const BufferComparison* b = comparison_of(contents_, measured_);
    return b != nullptr ? b->gpu : std::string();
  }

  void cell(std::uint64_t n, Rect rect, bool pair) {
    const std::uint64_t element = contents_.first + n;
    const Id id{.kind = Id::Kind::buffer_element, .a = contents_.buffer, .b = static_cast<int>(element)};
    const Mark mark{.changed = changed(contents_, n),
                    .different = is_different(n),
                    .touched = touched_.contains(element),
                    .first = is_first(n)};
    cell_frame(id, rect, mark);
    if (selection_.element && selection_.element->first == contents_.buffer && selection_.element->second == element)
      add_selection(scene_, id, rect, theme_, 1.5f);
    for (const results::PinnedPlace& p : options_.pinned)
      if (p.place.kind == results::JourneyPlace::Kind::buffer && p.place.buffer == contents_.buffer &&
          p.place.element == element)
        add_pin(scene_, id, rect, theme_);
    if (small_) return;
    const bool known = !contents_.before.empty();
    const Color color = mark.changed || mark.different || !known ? theme_.text : theme_.text_dim;
    const Face face = mark.changed ? Face::mono_bold : Face::mono;
    const auto say = [&](const std::string& value, float y) {
      const int most = static_cast<int>((rect.w - 2) / (type_px::small * mono_advance));
      const bool digit = letters_ == 1;  // a bit is in the middle of its cell
      add_text(scene_, {digit ? rect.x + rect.w / 2 : rect.x + rect.w - 4, y}, cut(value, std::max(most, 1)), color,
               type_px::small, face, digit ? Align::center : Align::right, id);
    };
    const float top = pair ? rect.y + 9 : rect.y + rect.h / 2;
    say(value_of(contents_, n), top);
    if (mark.different) say(gpu_value(n), top + 14);
  }

  const Contents& contents_;
  const Measured& measured_;
  const BufferInfo& buffer_;
  std::int64_t first_different_ = -1;
  bool small_ = false;
  int letters_ = 1;  ///< of the longest value
  std::set<std::uint64_t> touched_;
  float cell_width_ = small_cell, left_ = 0, pitch_ = small_cell;
};

}  // namespace

Scene buffers_view(const Summary& summary, const Moment& moment, const Contents& contents, const Measured& measured,
                   const Selection& selection, const BuffersOptions& options, const Theme& theme) {
  const float width = options.width > 0 ? options.width : default_width;
  if (!summary.ok && summary.buffers.empty())
    return empty_view(width, 160, "There is no run yet. Open a kernel.", theme);
  if (summary.buffers.empty()) return empty_view(width, 160, "This kernel has no buffer in global memory.", theme);
  if (buffer_of(summary, contents.buffer) == nullptr)
    return empty_view(width, 160, "The elements of this buffer have not arrived yet.", theme);
  return BuffersDrawing(summary, moment, contents, measured, selection, options, theme).draw();
}

}  // namespace lanescope::views
