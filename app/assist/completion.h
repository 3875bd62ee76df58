#pragma once
// Suggestions for a place of a kernel file: intrinsics and names in code, keys and types in the launch header,
// rows and bits in assignment comments, rules in comments of lanescope. Pure functions of text and place.

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "results/summary.h"

namespace lanescope::assist {

struct Offer {
  std::string word;    ///< shown in the list, and compared with the typed letters
  std::string detail;  ///< a description of a few words
  std::string insert;  ///< the inserted text; "$" marks the caret, which else is placed after it
};

/// Offers in place of the bytes [begin, end) of the text, best first.
struct Offers {
  std::size_t begin = 0, end = 0;
  std::vector<Offer> list;
};

/// Bits of the arrays' axes that a run has: "i3", "i2", ..., of each name the longest.
std::vector<std::string> logical_bits(const std::vector<results::BufferInfo>& buffers);

inline constexpr std::size_t most_offers = 40;

/// `buffers`: of the last good run; its axes give the bits. Nothing inside literals of code and in prose of comments.
Offers offers_at(std::string_view text, std::size_t caret, const std::vector<results::BufferInfo>& buffers);

/// The text with an offer taken, and where the caret is then.
struct Taken {
  std::string text;
  std::size_t caret = 0;
};
Taken take(std::string_view text, const Offers& offers, const Offer& offer);

// Pieces of a kernel that are written often.

struct Snippet {
  std::string_view name, description;
  std::string_view text;  ///< lines without indentation; "$" marks the caret
};
std::span<const Snippet> snippets();

/// Its text with `indentation` before every line but the first. "$" stays.
std::string indented(const Snippet& snippet, std::string_view indentation);

// The words that completion offers, as tables: intrinsics of CUDA, keys of the launch header, rows of a claim.

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
