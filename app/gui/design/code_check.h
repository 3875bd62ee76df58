#pragma once
// What became of code in the emulator.

#include <cstdint>
#include <string>

namespace lanescope::gui {

struct CodeCheck {
  enum class State : std::uint8_t { none, running, right, wrong, impossible };
  State state = State::none;
  std::string words;  ///< a sentence
};

}  // namespace lanescope::gui
