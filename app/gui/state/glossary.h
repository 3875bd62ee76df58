#pragma once
// Terms of the window, the commands and their JSON, each explained in a sentence or two: docs/glossary.md, read at run
// time.
//
// A line of that file is one term; the parentheses and the cross references may be missing:
//
//   - **lane** (also: lanes; CUDA: lane, `%laneid`; JSON: lane) - One of the 32 threads of a warp. See: warp; block.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/gui/model/model.h"
#include "kernels/base/diagnostic.h"
#include "kernels/explain/explain.h"

namespace lanescope::gui {

struct GlossaryTerm {
  std::string heading;               ///< the chapter: "Memory accesses"
  std::string term;                  ///< "lane", "bank-conflict rule", "Registers panel"
  std::vector<std::string> aliases;  ///< other names of it in window and text: "lanes"
  std::string cuda;                  ///< its names in CUDA and Nsight Compute; may be empty
  std::vector<std::string> json;     ///< fields of JSON output
  std::string text;                  ///< without Markdown
  std::vector<std::string> see;      ///< other terms
  int line = 0;                      ///< in the file
};

class Glossary {
 public:
  /// Errors, each with its line: a term without a sentence, a field of unknown kind, a name that occurs twice, a cross
  /// reference to no term.
  static Expected<Glossary> parse(std::string_view markdown, const std::string& file);

  std::span<const GlossaryTerm> terms() const { return terms_; }
  /// By its term or an alias, in any case; nullptr: unknown.
  const GlossaryTerm* find(std::string_view name) const;
  /// Terms that contain `query` in a name (best matches first), then those that contain it in the sentence; all of
  /// them, in the order of the file, for an empty query.
  std::vector<const GlossaryTerm*> matching(std::string_view query) const;

 private:
  std::vector<GlossaryTerm> terms_;
};

/// docs/glossary.md, or where the program is installed its copy among the assets; read once. Error: it is missing or
/// damaged.
const Expected<Glossary>& glossary();
/// The tooltip of a term: its sentence and its name in CUDA; empty for an unknown term.
std::string explanation_of(std::string_view name);
/// The same of words as they stand on the screen, where they are a term as a whole or up to a "per", a unit in brackets
/// or a number: "Global sectors per request", "Bank conflicts (total)", "32 lanes".
std::string meaning_of(std::string_view words);

// An instruction in words, for the chosen generation of memory.

/// Of the GPU that was chosen for occupancy and traffic, else of the architecture that the kernel was compiled for.
explain::Generation shown_generation(const Model& model);
explain::Explanation explained(const Model& model, std::string_view instruction);
/// For a tooltip: its effect, its pieces and the path of its data.
std::string explained_text(const Model& model, std::string_view instruction);
struct ShownInstruction {
  std::string text;         ///< empty: there is none
  std::string contraction;  ///< views::contraction_words
};
/// The PTX instruction of the step on show; of a probe, which is none, the one before it on its line.
ShownInstruction instruction_on_show(const Model& model);

}  // namespace lanescope::gui
