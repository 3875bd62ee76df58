#pragma once
// What documents of runs and of lessons are put together from.

#include <cstdint>
#include <string>
#include <vector>

#include "app/engine/remote/engine.h"
#include "app/handout/pictures.h"
#include "viz/page/document.h"

namespace lanescope::handout {

/// Where stepping by lines stops, with the visit of the line that ends there.
struct Stop {
  std::int64_t step = -1;
  int line = 0, visit = 0;  ///< visit: from 0
};
std::vector<Stop> stops_of(const results::Summary& summary, int warp);

/// The file of a run, and its headers that one of the lines is in.
page::Source source_of(const results::Summary& summary, const std::string& text, const std::vector<int>& lines);
/// A line without the blanks around it.
std::string line_text(const page::Source& source, int line);

/// Register arrays that hold elements of a buffer at the end, the same ones in every step, so that rows stay where they are: `first`
/// (-1: none), those with claims, then the larger ones. Where none holds any, those that are written.
Expected<std::vector<int>> families_of_run(engine::Engine& engine, const results::Summary& summary, int warp,
                                           int first);

/// Many rows of registers become lower, so that a memory is seen below them on a laptop.
PictureOptions registers_look(const results::Moment& moment);
/// As wide as the registers of 32 lanes.
PictureOptions memory_look();

/// "lanescope 0.1.0, sm_90, NVRTC 13.0".
std::string made_by(const results::Summary* summary);

}  // namespace lanescope::handout
