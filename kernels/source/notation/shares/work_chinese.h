#pragma once
// Sentences about shares of work in Chinese, put into the English form that kernels/source/notation/shares/work_comments.h reads:
// "每个线程负责4个元素" says "each thread handles 4 elements".

#include <string>
#include <string_view>

namespace lanescope::source {

/// What of a comment line is understood as a whole clause, one English sentence for each; empty: nothing.
std::string work_in_english(std::string_view line);

}  // namespace lanescope::source
