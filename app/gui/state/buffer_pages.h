#pragma once
// Elements in the panel of buffers: pages of the current buffer, and moving to the first difference.

#include <cstdint>
#include <string>

#include "app/gui/state/app.h"

namespace lanescope::gui {

/// Elements of a page: as many as one answer brings.
std::uint64_t page_elements(const App& app);
/// Shows the page that holds `element`, and selects it.
void go_to_element(App& app, int buffer, std::uint64_t element);
/// One page forward or back; `refusal_of_page` has the reason if it cannot.
void turn_page(App& app, int by);
std::string refusal_of_page(const App& app, int by);
/// The next buffer of the kernel, or the one before; around the end.
void turn_buffer(App& app, int by);

/// The first difference between GPU and emulator: in the current buffer, else in the first that differs. buffer -1:
/// none, and `refusal_of_difference` has the reason.
struct ElementPlace {
  int buffer = -1;
  std::uint64_t element = 0;
};
ElementPlace first_difference(const App& app);
std::string refusal_of_difference(const App& app);

}  // namespace lanescope::gui
