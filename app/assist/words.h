#pragma once
// The words that completion offers, as tables: intrinsics of CUDA, keys of the launch header, rows of a claim.

#include <span>
#include <string_view>

namespace lanescope::assist {

struct Word {
  std::string_view word, detail, insert;  ///< as in Offer; an empty `insert` is the word itself
};

std::span<const Word> intrinsics();
std::span<const Word> launch_keys();     ///< of [lanescope] and [[launch]]
std::span<const Word> lanescope_keys();  ///< of [lanescope] only
std::span<const Word> buffer_keys();     ///< of [buffers.NAME]
std::span<const Word> sections();
std::span<const Word> element_types();
std::span<const Word> rows();  ///< of an assignment comment

}  // namespace lanescope::assist
