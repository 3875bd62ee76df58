
#include <algorithm>

#include <fmt/format.h>

#include "kernels/base/numbers.h"
#include "viz/views/base/drawing.h"
#include "viz/views/costs/heat.h"

namespace lanescope::views {
namespace {

constexpr float ptx_row_height = 19, ptx_heading_height = 26, ptx_margin = 12, now_width = 34;
/// Columns of the numbers: the usual ones, and those beside the source, where every letter of an instruction counts.
constexpr float pc_width = 46, least_ptx_line_width = 44, narrow_pc_width = 30, least_narrow_line_width = 28,
                narrow_ptx = 440;
/// Instructions that do not fit are written smaller, all of those in sight alike, down to this.
constexpr float smallest_ptx = 8.5f;

/// An instruction where letters are few: "[param_2]" for "[_Z4copyPKfPf_param_2]", "tile" for "_ZZ4copyPKfPfE4tile".
std::string short_text(std::string text) {
  if (const std::size_t param = text.find("_param_"); param != std::string::npos)
    if (const std::size_t open = text.rfind('[', param); open != std::string::npos) text.erase(open + 1, param - open);
  const std::size_t local = text.find("_ZZ");
  if (local == std::string::npos) return text;
  const std::size_t end = std::min(text.find_first_of(";,]+ ", local), text.size());
  const std::size_t name = text.rfind('E', end - 1);
  if (name == std::string::npos || name <= local) return text;
  const std::size_t letters = text.find_first_not_of("0123456789", name + 1);
  if (letters != std::string::npos && letters > name + 1 && letters < end) text.erase(local, letters - local);
  return text;
}

class PtxDrawing : Drawing<PtxOptions> {
 public:
  PtxDrawing(const Summary& summary, const Moment& moment, const Selection& selection, const PtxOptions& options,
             const Theme& theme)
      : Drawing{summary, selection, options, theme},
        code_(ptx_code(summary)),
        lines_(summary.lines),
        now_(ptx_row_of(summary, moment)) {
    scene_.width = options.width > 0 ? options.width : 620;
    if (!options.counter.empty()) heat_ = heat_by_pc(summary, options.counter, theme);
    const int count = static_cast<int>(code_.size());
    rows_ = std::min(std::max(options.most_rows, 1), count);
    const int wanted = options.first >= 0 ? options.first : now_ - rows_ / 2;
    first_ = std::clamp(wanted, 0, count - rows_);
    if (!heat_.cells.empty()) {
      const float words = static_cast<float>(std::max(heat_.widest_columns(), 3)) * type_px::code * mono_advance + 10;
      heat_width_ = std::max(words, sans_width(heat_.title, type_px::tiny) + 4);
    }
    const bool narrow = scene_.width < narrow_ptx;
    margin_ = narrow ? 4 : ptx_margin;
    line_x_ = margin_ + (narrow ? narrow_pc_width : pc_width);
    float line_width = narrow ? least_narrow_line_width : least_ptx_line_width;
    for (int n = first_; n < first_ + rows_; ++n)
      if (code_[n].line > 0)
        line_width = std::max(line_width,
                              static_cast<float>(lines_.number(code_[n].line).size()) * type_px::code * mono_advance +
                                  (narrow ? 6.0f : 16.0f));
    text_x_ = line_x_ + line_width + (narrow ? 2 : 8);
    // In a narrow panel the row of the moment is marked by its ground alone.
    said_now_ = !narrow;
    text_room_ = scene_.width - margin_ - heat_width_ - (said_now_ ? now_width + 8 : heat_width_ > 0 ? 6 : 0) - text_x_;
    most_letters_ = static_cast<int>(text_room_ / (mono_advance * smallest_ptx) + 0.01f);
    int longest = 1;
    for (int n = 0; n < rows_; ++n) longest = std::max(longest, columns(words_of(first_ + n)));
    type_ = std::clamp(text_room_ / (mono_advance * static_cast<float>(longest)), smallest_ptx, type_px::code);
  }

  Scene draw() {
    scene_.height = ptx_heading_height + static_cast<float>(rows_) * ptx_row_height + 28;
    headings();
    for (int n = 0; n < rows_; ++n) row(first_ + n, ptx_heading_height + static_cast<float>(n) * ptx_row_height);
    footer();
    return std::move(scene_);
  }

 private:
  std::string words_of(int pc) const {
    if (said_now_)
      return code_[pc].product_pc < 0 ? code_[pc].text
                                      : fmt::format("{}  // one fma with pc {}", code_[pc].text, code_[pc].product_pc);
    std::string text = short_text(code_[pc].text);
    // If even the smallest type does not help, operands are set close.
    for (std::size_t at = 0; columns(text) > most_letters_ && (at = text.find(", ", at)) != std::string::npos; ++at)
      text.erase(at + 1, 1);
    return text;
  }

  void headings() {
    const float y = ptx_heading_height / 2;
    const auto heading = [&](float right, std::string words) {
      add_text(scene_, {right, y}, std::move(words), theme_.text_dim, type_px::tiny, Face::sans, Align::right);
    };
    heading(line_x_ - 8, "pc");
    heading(text_x_ - (said_now_ ? 16.0f : 10.0f), "line");
    add_text(scene_, {text_x_, y}, "instruction", theme_.text_dim, type_px::tiny);
    if (heat_width_ > 0) heading(scene_.width - margin_, heat_.title);
  }

  void row(int pc, float y) {
    const trace::CodeSite& site = code_[pc];
    const Id id{.kind = Id::Kind::ptx_row, .a = pc};
    const bool now = pc == now_, linked = site.line > 0 && site.line == selection_.line;
    add_box(scene_, {0, y, scene_.width, ptx_row_height}, now ? theme_.row_highlight : Color{}, id);
    if (linked) add_box(scene_, {2, y + 1, 3, ptx_row_height - 2}, theme_.accent, {}, 1);
    const float middle = y + ptx_row_height / 2;
    add_text(scene_, {line_x_ - 8, middle}, std::to_string(pc), theme_.text_faint, type_px::code, Face::mono,
             Align::right, id);
    // Only the first row of a run of one line has its number.
    const bool begins = pc == first_ || code_[pc - 1].line != site.line;
    if (begins && site.line > 0)
      add_text(scene_, {text_x_ - (said_now_ ? 16.0f : 10.0f), middle}, lines_.number(site.line),
               linked ? theme_.accent : theme_.text_dim, type_px::code, linked ? Face::mono_bold : Face::mono,
               Align::right, id);
    const int fits = static_cast<int>(text_room_ / (type_ * mono_advance) + 0.01f);
    if (fits > 3) {
      const bool quiet = site.kind == trace::StepKind::probe;
      add_text(scene_, {text_x_, middle}, cut(words_of(pc), fits), quiet ? theme_.text_faint : theme_.text, type_,
               Face::mono, Align::left, id);
    }
    if (now && !said_now_) {  // a bar at the right edge: colour alone would not say it in every theme
      add_box(scene_, {scene_.width - 3, y + 1, 3, ptx_row_height - 2}, theme_.text, {}, 1);
    }
    if (now && said_now_)
      add_text(scene_, {scene_.width - margin_ - heat_width_ - 8, middle}, "now", theme_.accent, type_px::note,
               Face::sans_bold, Align::right, id);
    heat_box(pc, y, id);
  }

  void heat_box(int pc, float y, const Id& id) {
    const HeatCell* cell = heat_.at(pc);
    if (cell == nullptr) return;
    const Rect rect{scene_.width - margin_ - heat_width_, y + 1.5f, heat_width_, ptx_row_height - 3};
    add_box(scene_, rect, cell->fill, {}, 2);
    add_text(scene_, {rect.x + rect.w - 5, y + ptx_row_height / 2}, cell->words, cell->ink, type_px::code, Face::mono,
             Align::right, id);
  }

  void footer() {
    std::string words = fmt::format("instructions {} to {} of {}", first_, first_ + rows_ - 1, spaced(code_.size()));
    if (!heat_.cells.empty() && !heat_.ratio)
      words += fmt::format(" · {} {} in total", number_text(heat_.total), heat_.unit);
    add_text(scene_, {ptx_margin, scene_.height - 14}, std::move(words), theme_.text_dim, type_px::note, Face::sans,
             Align::left, {.kind = Id::Kind::remark}, scene_.width - 2 * ptx_margin);
  }

  const std::vector<trace::CodeSite>& code_;
  const SourceLines& lines_;
  int now_ = -1;
  HeatColumn heat_;
  int first_ = 0, rows_ = 0, most_letters_ = 0;
  float heat_width_ = 0, margin_ = ptx_margin, line_x_ = 0, text_x_ = 0, text_room_ = 0, type_ = type_px::code;
  bool said_now_ = true;
};

}  // namespace

const std::vector<trace::CodeSite>& ptx_code(const Summary& summary) {
  return summary.plain_code.empty() ? summary.code : summary.plain_code;
}

std::string contraction_words(const std::vector<trace::CodeSite>& code, int pc) {
  if (pc < 0 || pc >= static_cast<int>(code.size()) || code[pc].product_pc < 0) return {};
  return fmt::format(
      "ptxas makes one fma of this and the multiplication at pc {}: the product is added unrounded, and the result can "
      "differ "
      "in its last bit from one with the rounded product.",
      code[pc].product_pc);
}

int ptx_row_of(const Summary& summary, const Moment& moment) {
  if (moment.pc < 0 || moment.pc >= static_cast<int>(summary.code.size()) || summary.plain_code.empty())
    return summary.plain_code.empty() ? moment.pc : -1;
  const int line = summary.code[moment.pc].line;
  for (int pc = moment.pc; pc >= 0 && pc < static_cast<int>(summary.plain_pcs.size()); --pc)
    if (summary.code[pc].line == line && summary.plain_pcs[pc] >= 0) return summary.plain_pcs[pc];
  return -1;
}

Scene ptx_view(const Summary& summary, const Moment& moment, const Selection& selection, const PtxOptions& options,
               const Theme& theme) {
  if (ptx_code(summary).empty())
    return empty_view(options.width > 0 ? options.width : 620, 90,
                      "There is no program yet. Correct the kernel or choose another one.", theme);
  return PtxDrawing(summary, moment, selection, options, theme).draw();
}

}  // namespace lanescope::views
