#include "app/gui/model/focus.h"

#include <algorithm>

namespace lanescope::gui {

void MovementFocus::play(bool on, double now) {
  playing_ = on;
  last_ = now;
  if (on && navigation_.selection.share >= 1) navigation_.selection.share = 0;
}

void MovementFocus::go_to(float share) {
  playing_ = false;
  navigation_.selection.share = std::clamp(share, 0.0f, 1.0f);
}

bool MovementFocus::advance(double now, bool shown) {
  if (!playing_) return false;
  const double passed = std::clamp(now - last_, 0.0, 0.1);
  last_ = now;
  if (!shown) return false;
  float& share = navigation_.selection.share;
  share = std::min(share + static_cast<float>(passed / seconds) * speed(), 1.0f);
  if (share >= 1) playing_ = false;
  return true;
}

}  // namespace lanescope::gui
