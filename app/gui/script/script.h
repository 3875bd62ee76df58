#pragma once
// Scripts: the explorer driven by real input events, frame by frame. One action a line; `#` starts a remark.
//
//   open PATH                      as the command line would
//   wait                           until every request has been answered
//   frames N                       draws N frames
//   key CHORD [N]                  presses and releases ("Right", "Ctrl+P"), N times
//   type WORDS                     characters, as from a keyboard; "\n" is Enter
//   click TARGET   double TARGET   hover TARGET   right TARGET (with the right button)
//   drag TARGET DX DY [FRAMES]     with the left button; pixels at scale 1, over so many frames (8)
//   scroll TARGET NOTCHES          positive: away from the user (zooms in)
//   drop PATH                      a file or folder, dropped on the window
//   command ID                     as from the palette
//   select FAMILY_NAME             shows the registers of this array
//   line N                         as a click on the source line
//   set NAME VALUE                 scale, theme, arrangement, label, colour, heat, global, wavefront
//   set what_if none | padding ROW_WORDS WORDS | swizzle ROW_WORDS UNIT_WORDS ROWS_PER_STEP
//   measurement FILE.json          as if a GPU had just answered so; `lanescope measure` writes such files
//   edit OLD => NEW                replaces the first OLD in the source by NEW ("\n" is a line break)
//   screenshot FILE.png
//   expect NAME VALUE              exact; see facts.cpp for the names ("selection.step 41")
//   expect NAME not VALUE
//   expect scene PANEL [not] contains ID
//   expect text [not] WORDS        in a label of a scene, a widget, a notice or the remark
//   print NAME                     on standard output
//   quit
//
// TARGET is  scene PANEL ID  |  item LABEL (may be quoted)  |  at X Y (pixels at scale 1).

#include <string>
#include <string_view>

#include "app/gui/shell/frames.h"

namespace lanescope::gui {

struct ScriptResult {
  bool ok = true;
  bool quit = false;
  std::string message;  ///< "name:line: what was expected and what is there"
};

/// Stops at the first line that fails.
ScriptResult run_script(Frames& frames, std::string_view text, const std::string& name = "script");
/// Until no request is under way; false after `seconds`.
bool wait_until_settled(Frames& frames, double seconds = 120);

}  // namespace lanescope::gui
