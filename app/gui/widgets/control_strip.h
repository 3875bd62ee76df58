#pragma once
// Rows of small controls above a picture: choices, numbers with less and more, fields, buttons. They flow from the left
// and continue in the next row where the room ends.

#include <string>

#include "app/gui/widgets/stage.h"

namespace lanescope::gui {

class ControlStrip {
 public:
  ControlStrip(const Stage& stage, Rectangle area);

  /// "space shared ▾": opens the drop-down list of the same id when pressed.
  bool choice(const char* id, const std::string& name, const std::string& value, const std::string& hint);
  bool press(const char* id, const std::string& words, const std::string& hint, const std::string& refusal = {});
  bool icon(const char* id, Icon icon, const std::string& hint, const std::string& refusal = {});
  /// A number between `low` and `high`, typed or moved by `step`; in scripts "`id` less", `id` and "`id` more". True:
  /// it has changed.
  bool number(const char* id, const std::string& name, int& value, int low, int high, int step,
              const std::string& hint);
  /// A field that is `width` pixels wide at scale 1, less where there is less room. True: typed in.
  bool field(const char* id, const std::string& name, std::string& text, float width, const std::string& hint);
  void words(const std::string& text, scene::Color color);
  void gap() { x_ += stage_.px(12); }
  void next_row();
  /// A sentence of any length in rows of its own.
  void sentence(const std::string& text, scene::Color color);
  /// The next entry of this row begins at least so many pixels from the left.
  void advance_to(float x) { x_ = x_ > area_.x + x ? x_ : area_.x + x; }
  /// Pixels that are left in this row.
  float room() const { return area_.x + area_.w - x_; }
  /// y below everything.
  float bottom() const;

 private:
  /// Room for `width`, in the next row where it is not left in this one.
  void take(float width);
  float middle() const { return y_ + row_ / 2; }

  const Stage& stage_;
  Rectangle area_;
  float row_, x_, y_;
};

}  // namespace lanescope::gui
