#pragma once
// A handout as a plain value: text, steps of runs with their pictures, questions with their answers. It is written
// as one HTML file (viz/page/html) or as slides (slides.h). Nothing in it refers to a file or a network.

#include <array>
#include <string>
#include <variant>
#include <vector>

#include "viz/scene/paper.h"
#include "viz/scene/scene.h"

namespace lanescope::page {

/// Light and dark, in this order; a reader's system chooses.
inline constexpr int look_count = 2;
enum class Look : std::uint8_t { light, dark };

/// Colours of the page around the pictures.
struct Colors {
  scene::Color background, panel, border, text, text_dim, accent, row_highlight, good, bad, selected;
  scene::Paper paper;
};

/// Meaning of a shape of a picture: its words, and its links to others.
struct Mark {
  scene::Id id{};
  std::string place{};     ///< "x0, lane 3, s0"; the same for every state of the place
  std::string words{};     ///< "p[0, 4, 6] = 0x3C4C (f16) = 1.07"
  std::string elements{};  ///< "p[140] p[141]": shapes that share one are highlighted together; empty: of none
  int line = 0;            ///< of the source, that wrote or accesses it; 0: none
};

/// The same view in both looks: shapes, places and words are equal, colours differ.
struct Picture {
  std::string name{};      ///< "registers": pictures of one name follow each other from step to step
  std::string title{};     ///< "Registers of warp 0"
  bool of_before = false;  ///< of an earlier step: it stays where there is room
  std::array<scene::Scene, look_count> scenes{};
  std::vector<Mark> marks{};

  const scene::Scene& scene(Look look) const { return scenes[static_cast<std::size_t>(look)]; }
};

struct Step {
  std::string title{};  ///< "line 58", with the visit where there are several
  int line = 0;         ///< of the source; 0: none
  std::string code{};   ///< that line
  std::string caption{};
  std::vector<Picture> pictures{};
};

struct SourceFile {
  std::string name{};
  int first_line = 1;  ///< number of its line 1 in Step::line and Mark::line
  std::vector<std::string> lines{};
};
/// A kernel's file, and the headers of its own that steps are in.
struct Source {
  std::vector<SourceFile> files{};
};

/// Steps for a reader, beside their source.
struct Player {
  std::string name{};    ///< "Warp 0 of block 0"
  int source = -1;       ///< into Document::sources; -1: none
  bool excerpt = false;  ///< only the lines around the current one
  std::vector<Step> steps{};
};

/// Markdown: paragraphs, lists, tables, `code`, **bold** and fenced code (markdown.h).
struct Text {
  std::string markdown{};
};

struct Question {
  enum class Kind : std::uint8_t { number, choice, row, code };
  Kind kind = Kind::number;
  std::string ask{}, answer{}, unit{}, hint{}, why{};
  std::vector<std::string> choices{};
  std::string command{};                ///< of code: the command that checks it
  std::string given{};                  ///< of code: the file as it is given to the reader
  std::string solution{};               ///< of code
  std::string file{}, solution_file{};  ///< names of the two
};

struct Table {
  std::string caption{};
  std::vector<std::string> headings{};  ///< columns but the first are numbers
  std::vector<std::vector<std::string>> rows{};
  bool words = false;  ///< all columns are words
};

using Block = std::variant<Text, Player, Question, Table>;

struct Section {
  std::string heading{};  ///< empty: it has none
  std::vector<Block> blocks{};
};

struct Document {
  std::string title{}, summary{};
  std::string made_by{};  ///< "lanescope 0.1.0, sm_90"
  std::vector<Source> sources{};
  std::vector<Section> sections{};
  std::array<Colors, look_count> colors{};

  const Colors& of(Look look) const { return colors[static_cast<std::size_t>(look)]; }
};

}  // namespace lanescope::page
