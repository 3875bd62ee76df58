// The assignment view: the rows of the notation as chips, the stated assignment beside the actual one.

#include "viz/views/registers/registers.h"

#include <algorithm>

#include <fmt/format.h>

#include "viz/views/base/draw.h"

namespace lanescope::views {
namespace {

using layout::Assignment;
using layout::Place;
using layout::Term;

constexpr float assignment_left = 12, warp_label_width = 62, chip_height = 21;
/// Between rows, and between chips: the usual, and where room is short.
constexpr float assignment_pitch = 29, low_row_pitch = 25, chip_gap = 6, tight_chip_gap = 3;
constexpr float assignment_heading = 24, sentence_pitch = 16;

struct AxisColors {
  std::vector<std::string> names;

  AxisColors(const Summary& summary, const Moment& moment) {
    const auto add = [&](const std::string& name) {
      if (!name.empty() && std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    };
    for (const BufferInfo& buffer : summary.buffers)
      for (const source::Axis& axis : buffer.axes) add(axis.name);
    for (const auto* a : {&moment.claimed, &moment.real}) {
      if (!*a) continue;
      for (const std::string& bit : layout::logical_bits(**a)) add(layout::split_name(bit).axis);
    }
  }
  Color of(const Term& term, const Theme& theme) const {
    if (term.role != Term::Role::sum || term.names.empty()) return theme.border;
    const auto at = std::find(names.begin(), names.end(), layout::split_name(term.names.front()).axis);
    return theme.axis(static_cast<int>(at - names.begin()), static_cast<int>(names.size()));
  }
};

class AssignmentDrawing {
 public:
  AssignmentDrawing(const Summary& summary, const Moment& moment, const AssignmentOptions& options, const Theme& theme)
      : lines_(summary.lines),
        moment_(moment),
        theme_(theme),
        colors_(summary, moment),
        differs_(claim_differs(summary, moment)) {
    if (moment.claimed && moment.real) differences_ = layout::compare(*moment.claimed, *moment.real);
    // One group where stated and actual agree, two where they differ.
    if (moment.claimed && (!moment.real || !differences_.empty())) groups_.push_back({&*moment.claimed, 0, 0});
    if (moment.real) groups_.push_back({&*moment.real, 1, 0});
    for (const Group& group : groups_)
      for (const auto& row : group.assignment->rows) {
        if (!row) continue;
        bits_ = std::max(bits_, static_cast<int>(row->size()));
        for (const Term& term : *row) widest_ = std::max(widest_, columns(layout::print(term)));
      }
    reason_ = moment.real_words.empty() ? "the actual assignment is not known here" : moment.real_words;
    place_groups(options.width);
    shorten(options.height);
  }

  Scene draw() {
    float y = 4;
    for (std::size_t n = 0; n < groups_.size(); ++n) {
      const float top = stacked_ || n == 0 ? y : 4;
      const float end = group(groups_[n], top, stacked_ || n == 0);
      y = stacked_ ? end + 6 : std::max(y, end);
    }
    words(y);
    return std::move(scene_);
  }

 private:
  struct Group {
    const Assignment* assignment;
    int which;  ///< 0 claimed, 1 real
    float x;
  };

  /// The claim that is shown was checked and is wrong, also where no assignment says how.
  static bool claim_differs(const Summary& summary, const Moment& moment) {
    return moment.claimed && std::ranges::any_of(summary.claims, [&](const results::ClaimInfo& c) {
             return c.claim.first_line == moment.claimed_line && c.result.verdict == claims::Verdict::differs;
           });
  }

  float group_width() const { return static_cast<float>(std::max(bits_, 1)) * (chip_width_ + gap_) + 16; }

  /// Beside each other where the width allows it, with narrower chips if need be; else one below the other. Narrower than
  /// its chips the view is drawn smaller, never cut.
  void place_groups(float width) {
    const float text = static_cast<float>(widest_) * type_px::body * mono_advance;
    const float room = (width > 0 ? width : 1e6f) - assignment_left - warp_label_width,
                usual = std::max(34.0f, text + 16);
    const auto bits = static_cast<float>(std::max(bits_, 1));
    chip_width_ = usual;
    const auto beside = [&] { return group_width() * 2 <= room + 16; };
    const auto narrow_to = [&](float wanted) {
      chip_width_ = std::clamp(wanted / bits - gap_, std::min(text + 8, usual), usual);
    };
    if (groups_.size() > 1 && !beside()) narrow_to((room + 16) / 2 - 16);
    if (groups_.size() > 1 && !beside()) {
      gap_ = tight_chip_gap;
      narrow_to((room + 16) / 2 - 16);
    }
    stacked_ = groups_.size() > 1 && !beside();
    if (stacked_) gap_ = chip_gap, chip_width_ = usual;
    if (stacked_ || groups_.size() == 1) narrow_to(room - 6);
    const float content = assignment_left + warp_label_width + group_width() - 16;
    scene_.width =
        width > 0
            ? std::max(width, content)
            : std::max(assignment_left + warp_label_width + group_width() * static_cast<float>(groups_.size()), 440.0f);
    for (std::size_t n = 0; n < groups_.size(); ++n)
      groups_[n].x = assignment_left + warp_label_width + (stacked_ ? 0 : group_width() * static_cast<float>(n));
  }

  void shorten(float height) {
    if (height <= 0 || whole_height() <= height) return;
    pitch_ = low_row_pitch;
    while (whole_height() > height && lines_of(verdict_words()) > 1 && leave_out_last_word()) {}
    brief_ = stacked_ && whole_height() > height;
  }

  /// The reason without its last word, so that the rest is of a size that one can read: on one line at least. False: it
  /// is one word.
  bool leave_out_last_word() {
    constexpr std::string_view rest = " …";
    if (moment_.real || !moment_.claimed) return false;
    const std::size_t whole = reason_.size() - (reason_.ends_with(rest) ? rest.size() : 0);
    const std::size_t end = whole == 0 ? std::string::npos : reason_.rfind(' ', whole - 1);
    if (end == std::string::npos) return false;
    reason_ = reason_.substr(0, end) + std::string(rest);
    return true;
  }

  float whole_height() const {
    float groups = 0;
    for (const Group& g : groups_) {
      float rows = 0;
      for (int p = 0; p < layout::place_count; ++p) rows += row_shown(g, static_cast<Place>(p)) ? 1 : 0;
      const float one = assignment_heading + rows * pitch_;
      groups = stacked_ ? groups + one + 6 : std::max(groups, one);
    }
    return 4 + groups + 20 +
           sentence_pitch * static_cast<float>(lines_of(verdict_words()) + lines_of(statement_words()));
  }
  std::size_t lines_of(const std::string& sentence) const {
    return broken(sentence, type_px::body, room_of_words()).size();
  }
  float room_of_words() const { return scene_.width - 2 * assignment_left - 15; }

  std::string heading(const Group& group) const {
    std::string claimed = moment_.claimed_line > 0 ? "claimed at " + lines_.words(moment_.claimed_line) : "claimed";
    if (group.which == 0) return claimed;
    std::string real = moment_.line > 0 ? "actual at " + lines_.words(moment_.line) : "actual";
    if (brief_) return real + ":";
    if (!moment_.claimed || !differences_.empty()) return real;
    // Where there is no room for both, the sentence below says that the claim holds.
    const std::string both = fmt::format("{}, as {}", real, claimed);
    return broken(both, type_px::note, scene_.width - group.x - 8).size() == 1 ? both : real;
  }

  float group(const Group& group, float top, bool with_names) {
    add_text(scene_, {group.x, top + assignment_heading / 2 - 2}, heading(group), theme_.text_dim, type_px::note,
             Face::sans, Align::left, {.kind = Id::Kind::title}, scene_.width - group.x - 8);
    float y = top + assignment_heading;
    for (int p = 0; p < layout::place_count; ++p) {
      const auto place = static_cast<Place>(p);
      if (!row_shown(group, place)) continue;
      const Id id{.kind = Id::Kind::assignment_row, .a = p};
      if (with_names) {
        scene_.boxes.push_back({.id = group.which == groups_.front().which ? id : Id{},
                                .rect = {0, y, assignment_left + warp_label_width - 4, chip_height}});
        add_text(scene_, {assignment_left, y + chip_height / 2}, std::string(layout::row_name(place)), theme_.text_dim,
                 type_px::body, Face::sans, Align::left, id);
      }
      row(group, place, y);
      y += pitch_;
    }
    return y;
  }

  bool row_shown(const Group& group, Place place) const {
    const auto stated = [&](const Group& g) { return g.assignment->row(place).has_value(); };
    const auto here = [&](const layout::BitDifference& d) { return d.bit.place == place; };
    if (brief_ && group.which == 1) return std::ranges::any_of(differences_, here);
    return std::ranges::any_of(groups_, stated);
  }

  void row(const Group& group, Place place, float y) {
    const auto& terms = group.assignment->row(place);
    if (!terms || terms->empty()) {
      add_text(scene_, {group.x, y + chip_height / 2}, terms ? "a single one" : "not stated", theme_.text_faint,
               type_px::note);
      return;
    }
    const int bits = static_cast<int>(terms->size());
    for (int bit = bits - 1; bit >= 0; --bit) {  // most significant first
      chip(group, place, bit, group.x + static_cast<float>(bits - 1 - bit) * (chip_width_ + gap_), y, (*terms)[bit]);
    }
  }

  void chip(const Group& group, Place place, int bit, float x, float y, const Term& term) {
    const Id id{.kind = Id::Kind::assignment_chip, .a = static_cast<int>(place), .b = bit, .c = group.which};
    const Rect rect{x, y, chip_width_, chip_height};
    scene_.boxes.push_back({.id = id,
                            .rect = rect,
                            .fill = theme_.background,
                            .stroke = colors_.of(term, theme_),
                            .stroke_width = 1.5f,
                            .radius = 5,
                            .hatched = term.role == Term::Role::junk});
    const bool plain = term.role == Term::Role::sum;
    add_text(scene_, center(rect), layout::print(term), plain ? theme_.text : theme_.text_dim, type_px::body,
             Face::mono, Align::center, id, rect.w - 6);
    const bool differs = std::any_of(differences_.begin(), differences_.end(), [&](const layout::BitDifference& d) {
      return d.bit == layout::PhysicalBit{place, bit};
    });
    if (!differs) return;
    scene_.outlines.push_back(
        {.id = id, .rect = inset(rect, -3), .stroke = theme_.selected, .stroke_width = 1.4f, .radius = 7});
    const Rect sign{rect.x + rect.w - 5, rect.y - 8, 13, 13};
    scene_.outlines.push_back(
        {.id = id, .rect = sign, .fill = theme_.bad, .stroke = theme_.panel, .stroke_width = 1.5f, .radius = 6.5f});
    signs_.push_back(center(sign));
  }

  void words(float y) {
    // "!" on the signs, made of boxes: labels would be below the outlines.
    for (Point p : signs_) {
      scene_.outlines.push_back({.rect = {p.x - 0.8f, p.y - 3.6f, 1.6f, 4.4f}, .fill = theme_.panel});
      scene_.outlines.push_back({.rect = {p.x - 0.8f, p.y + 1.8f, 1.6f, 1.6f}, .fill = theme_.panel});
    }
    y += 8;
    const auto sentence = [&](const std::string& text, Color color, float x) {
      y += 20 + add_broken(scene_, {x, y}, text, color, type_px::body, room_of_words(), sentence_pitch,
                           {.kind = Id::Kind::remark});
    };
    if (moment_.claimed) {
      const bool same = moment_.real && differences_.empty();
      const auto verdict = same                       ? claims::Verdict::holds
                           : moment_.real || differs_ ? claims::Verdict::differs
                                                      : claims::Verdict::unchecked;
      add_verdict_sign(scene_, {}, {assignment_left + 4.5f, y}, 8, verdict, theme_);
      sentence(verdict_words(), theme_.verdict(verdict), assignment_left + 15);
    } else {
      sentence(verdict_words(), theme_.text_dim, assignment_left);
    }
    if (const std::string statement = statement_words(); !statement.empty())
      sentence(statement, theme_.text, assignment_left);
    scene_.height = y - 4;
  }

  std::string verdict_words() const {
    if (!moment_.claimed) return "no claim before this line";
    if (moment_.real) return differences_.empty() ? "the claim holds" : layout::describe(differences_);
    return reason_;
  }

  std::string statement_words() const {
    if (moment_.statement_words.empty()) return {};
    return (moment_.statement_first_line > 0
                ? lines_.range(moment_.statement_first_line, moment_.line) + " together move "
                : "this statement moves ") +
           moment_.statement_words;
  }

  const SourceLines& lines_;
  const Moment& moment_;
  const Theme& theme_;
  AxisColors colors_;
  std::vector<layout::BitDifference> differences_;
  std::vector<Group> groups_;
  std::vector<Point> signs_;
  int bits_ = 0, widest_ = 2;
  float chip_width_ = 34, gap_ = chip_gap, pitch_ = assignment_pitch;
  std::string reason_;  ///< why the actual assignment is not known
  bool stacked_ = false;
  bool brief_ = false;    ///< of the actual assignment only what differs
  bool differs_ = false;  ///< the verdict of the claim
  Scene scene_;
};

}  // namespace

Scene assignment_view(const Summary& summary, const Moment& moment, const Selection&, const AssignmentOptions& options,
                      const Theme& theme) {
  if (!moment.claimed && !moment.real) {
    const std::string why = moment.real_words.empty()
                                ? "No assignment is known here. Step to a line where the variable has a value."
                                : moment.real_words;
    return empty_view(options.width > 0 ? options.width : 440, 110, why, theme);
  }
  return AssignmentDrawing(summary, moment, options, theme).draw();
}

}  // namespace lanescope::views
