#pragma once
// The way between before and after a statement: where on it one is (Selection::share), and playing it.

#include <array>
#include <cstdint>

#include "app/gui/model/navigation.h"

namespace lanescope::gui {

class MovementFocus {
 public:
  explicit MovementFocus(Navigation& navigation) : navigation_(navigation) {}

  bool values = false;         ///< cells say values, not elements
  bool one_statement = false;  ///< also where several statements together make an exchange
  std::uint64_t version() const { return version_; }

  bool playing() const { return playing_; }
  /// From where it is, at the end from the beginning; or stops.
  void play(bool on, double now);
  /// Times the usual speed.
  float speed() const { return speeds[static_cast<std::size_t>(speed_)]; }
  void next_speed() { speed_ = (speed_ + 1) % static_cast<int>(speeds.size()); }
  void set_speed(int number) { speed_ = number; }
  static constexpr std::array<float, 4> speeds{1, 2, 0.25f, 0.5f};

  /// Goes there by hand: what plays stops.
  void go_to(float share);
  /// `shown`: the statement that is selected is also the one on show. True: it moved.
  bool advance(double now, bool shown);
  double due(double now) const { return playing_ ? now + frame_seconds : never; }

  static constexpr double seconds = 2.4;  ///< for the whole way at the usual speed
  static constexpr float notch = 0.05f;   ///< of the wheel or a key

 private:
  static constexpr double frame_seconds = 1.0 / 60, never = 1e300;
  Navigation& navigation_;
  bool playing_ = false;
  int speed_ = 0;
  double last_ = 0;
  std::uint64_t version_ = 0;
};

}  // namespace lanescope::gui
