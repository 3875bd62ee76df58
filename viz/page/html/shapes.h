#pragma once
// The shapes of all pictures of a file, each written once. A picture is a list of their numbers, so that steps share
// unchanged shapes.
//
// A shape is an array of JSON: [0, place, style, hatched, elements, words, line] is a rectangle, [1, style, x, y, text,
// whole text] a word, [2, style, x1, y1, x2, y2] a line, [3, style, path, id] a path; zeros at the end are left out. A
// place is [x, y, width, height, radius, id, words], a style the rule .aN of the style sheet. elements, words, id and
// text are numbers of strings, of which 0 is the empty one.

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "viz/page/document.h"

namespace lanescope::page {

class Shapes {
 public:
  using List = std::vector<std::uint32_t>;

  /// The shapes of a picture in the order in which they are painted.
  List add(const Picture& picture, const std::array<scene::Paper, look_count>& papers);
  /// The number of a string.
  std::uint32_t text(std::string_view words);

  /// {"texts": ..., "places": ..., "shapes": ...} without its braces.
  std::string json() const;
  /// The rules of the styles, and the colours of both looks.
  std::string style_sheet() const;
  /// A list as the contents of an <svg>.
  std::string markup(const List& list) const;

 private:
  struct Pair {
    scene::Color light, dark;
    auto operator<=>(const Pair& other) const {
      return std::pair(light.rgba, dark.rgba) <=> std::pair(other.light.rgba, other.dark.rgba);
    }
    bool operator==(const Pair&) const = default;
  };
  class Writer;

  static std::uint32_t number_of(std::unordered_map<std::string, std::uint32_t>& known, std::vector<std::string>& all,
                                 std::string entry);
  std::string color(Pair pair);
  std::uint32_t style(std::string rule);

  std::vector<std::string> texts_{""}, places_, shapes_, markups_, styles_;
  std::unordered_map<std::string, std::uint32_t> text_numbers_{{"", 0}}, place_numbers_, shape_numbers_, style_numbers_;
  std::map<Pair, std::uint32_t> colors_;
};

/// How `to` is made of `from`, as an array of JSON: n keeps n shapes, -n leaves n out, [a, n, ...] puts the shapes a to
/// a + n - 1 there.
std::string difference(const Shapes::List& from, const Shapes::List& to);

// The blocks of a document as HTML, with attributes for the script.

std::string text_markup(const Text& text);
std::string table_markup(const Table& table);

/// `number`: of the question in the document, from 0.
std::string question_markup(const Question& question, int number);
std::string question_json(const Question& question);

/// The first step as it is shown, with the controls. `number`: of the player in the document, from 0.
std::string player_markup(const Player& player, int number, const Document& document, Shapes& shapes);
/// All steps; pictures of one name as differences from the step before.
std::string player_json(const Player& player, const Document& document, Shapes& shapes);

// Text that is written into HTML and into the JSON beside it.

/// Text of an element or of an attribute in double or single quotes. Invalid UTF-8, characters that HTML excludes and
/// bidirectional marks become U+FFFD.
std::string escaped(std::string_view text);
/// A string of JSON with its quotes, without `<`: it cannot end the script that it is in.
std::string json_text(std::string_view text);
/// Two decimals at most, without trailing zeros.
std::string number(float value);

}  // namespace lanescope::page
