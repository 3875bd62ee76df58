#pragma once
// The stage while a lesson or a kernel's moments are presented: title, picture, caption, question, and where one is in the
// sequence. Nothing else; notes for the presenter only where they were asked for.

#include "app/gui/state/app.h"
#include "app/gui/widgets/stage.h"

namespace lanescope::gui {

/// Presentation mode is on, and a stop of a sequence is on show.
bool shows_lecture(const App& app);
/// In place of the top bar.
void draw_lecture_title(App& app, const Stage& stage, Rectangle bar);
/// A stop without a picture: a question by itself, or the text of a page. False: the stop has a picture.
bool draw_lecture_card(App& app, Stage& stage, Rectangle area);
/// Caption, question and notes below the picture of `area`.
float lecture_words_height(const App& app, const Stage& stage, Rectangle area);
void draw_lecture_words(const App& app, const Stage& stage, Rectangle area);
/// Back, a dot for each stop, next.
void draw_lecture_control(App& app, const Stage& stage, Rectangle bar);

}  // namespace lanescope::gui
