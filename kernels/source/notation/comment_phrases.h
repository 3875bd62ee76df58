#pragma once
// The phrases that comments are read by, all but those of shares of work (kernels/source/notation/shares/work_words.h).

#include "kernels/source/notation/phrases.h"

namespace lanescope::source {

const Phrases& comment_phrases();

}  // namespace lanescope::source
