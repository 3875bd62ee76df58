#include "app/gui/state/glossary.h"

#include <algorithm>
#include <optional>
#include <unordered_map>

#include "app/document/file_io.h"
#include "app/engine/summary/occupancy_info.h"
#include "kernels/base/text.h"
#include "kernels/resources/resources.h"
#include "profiling/occupancy/gpu_table.h"
#include "viz/views/costs/heat.h"

namespace lanescope::gui {
namespace {

std::vector<std::string> split(std::string_view text, std::string_view separator) {
  std::vector<std::string> parts;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(separator), text.size());
    parts.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + separator.size(), text.size()));
  }
  return parts;
}

std::string without_backticks(std::string_view text) {
  std::string plain(text);
  std::erase(plain, '`');
  return plain;
}

struct Reader {
  std::string file;
  int line = 0;
  std::string heading;
  Diagnostics errors{};

  std::optional<GlossaryTerm> wrong(std::string message, std::string remedy) {
    errors.push_back({.file = file, .line = line, .message = std::move(message), .remedy = std::move(remedy)});
    return {};
  }

  /// "also: lanes; CUDA: lane" into the term.
  bool read_names(std::string_view text, GlossaryTerm& term) {
    for (const std::string& field : split(text, "; ")) {
      if (field.starts_with("also: "))
        term.aliases = split(without_backticks(field.substr(6)), ", ");
      else if (field.starts_with("CUDA: "))
        term.cuda = without_backticks(field.substr(6));
      else if (field.starts_with("JSON: "))
        term.json = split(field.substr(6), ", ");
      else
        return false;
    }
    return true;
  }

  /// The text after "- **".
  std::optional<GlossaryTerm> read(std::string_view text) {
    const std::size_t name_end = text.find("**"), dash = text.find(" - ");
    if (name_end == text.npos || name_end == 0 || dash == text.npos || dash < name_end)
      return wrong("this line is no term", "write - **term** (also: x; CUDA: y) - Sentence. See: z.");
    GlossaryTerm term{.heading = heading, .term = std::string(text.substr(0, name_end)), .line = line};
    std::string_view names = text.substr(name_end + 2, dash - name_end - 2);
    if (names.starts_with(" (") && names.ends_with(")")) names = names.substr(2, names.size() - 3);
    if (!read_names(names, term))
      return wrong("'" + std::string(names) + "' is no list of names", "write (also: a, b; CUDA: c; JSON: d)");
    std::string_view sentence = text.substr(dash + 3);
    if (const std::size_t see = sentence.rfind(" See: "); see != sentence.npos) {
      std::string_view terms = sentence.substr(see + 6);
      if (terms.ends_with('.')) terms.remove_suffix(1);
      term.see = split(terms, "; ");
      sentence = sentence.substr(0, see);
    }
    term.text = without_backticks(sentence);
    if (!term.text.ends_with('.')) return wrong("'" + term.term + "' has no sentence", "end it with a full stop");
    return term;
  }
};

/// How well a term answers a query in lower case: 0 its name, 1 another name, 2 and 3 the same as beginnings, ...
int rank_of(const GlossaryTerm& term, const std::string& query) {
  int best = 7;
  const auto take = [&](std::string_view name, int penalty) {
    const std::string text = lower(name);
    const std::size_t at = text.find(query);
    if (at == text.npos) return;
    best = std::min(best, (text == query ? 0 : at == 0 ? 2 : 4) + penalty);
  };
  take(term.term, 0);
  for (const std::string& alias : term.aliases) take(alias, 1);
  for (const std::string& field : term.json) take(field, 1);
  take(term.cuda, 1);
  if (best == 7 && lower(term.text).find(query) != std::string::npos) best = 6;
  return best;
}

}  // namespace

Expected<Glossary> Glossary::parse(std::string_view markdown, const std::string& file) {
  Reader reader{.file = file};
  Glossary glossary;
  std::unordered_map<std::string, int> line_of_name;
  for (const std::string& line : split(markdown, "\n")) {
    ++reader.line;
    if (line.starts_with("## ")) reader.heading = line.substr(3);
    if (!line.starts_with("- ")) continue;
    if (!line.starts_with("- **")) {
      reader.wrong("this line is no term", "begin it with - **term**");
      continue;
    }
    std::optional<GlossaryTerm> term = reader.read(std::string_view(line).substr(4));
    if (!term) continue;
    std::vector<std::string> names = term->aliases;
    names.push_back(term->term);
    for (const std::string& name : names) {
      const auto [at, fresh] = line_of_name.try_emplace(lower(name), reader.line);
      if (!fresh)
        reader.wrong("'" + name + "' is a name of the term in line " + std::to_string(at->second), "name it once");
    }
    glossary.terms_.push_back(std::move(*term));
  }
  for (const GlossaryTerm& term : glossary.terms_) {
    reader.line = term.line;
    for (const std::string& other : term.see)
      if (std::ranges::find(glossary.terms_, other, &GlossaryTerm::term) == glossary.terms_.end())
        reader.wrong("there is no term '" + other + "'", "refer to a term by its first name");
  }
  if (!reader.errors.empty()) return tl::unexpected(std::move(reader.errors));
  return glossary;
}

const GlossaryTerm* Glossary::find(std::string_view name) const {
  const std::string wanted = lower(name);
  for (const GlossaryTerm& term : terms_) {
    if (lower(term.term) == wanted) return &term;
    for (const std::string& alias : term.aliases)
      if (lower(alias) == wanted) return &term;
  }
  return nullptr;
}

std::vector<const GlossaryTerm*> Glossary::matching(std::string_view query) const {
  while (query.starts_with(' ')) query.remove_prefix(1);
  while (query.ends_with(' ')) query.remove_suffix(1);
  const std::string wanted = lower(query);
  std::vector<std::pair<int, const GlossaryTerm*>> ranked;
  for (const GlossaryTerm& term : terms_) {
    const int rank = wanted.empty() ? 0 : rank_of(term, wanted);
    if (rank < 7) ranked.emplace_back(rank, &term);
  }
  std::ranges::stable_sort(ranked, {}, &std::pair<int, const GlossaryTerm*>::first);
  std::vector<const GlossaryTerm*> found;
  for (const auto& [rank, term] : ranked) found.push_back(term);
  return found;
}

const Expected<Glossary>& glossary() {
  static const Expected<Glossary> read = [] {
    const std::string path = resources::document("glossary.md").string();
    return document::read_text(path).and_then([&](const std::string& text) { return Glossary::parse(text, path); });
  }();
  return read;
}

std::string explanation_of(std::string_view name) {
  const GlossaryTerm* term = glossary() ? glossary()->find(name) : nullptr;
  if (term == nullptr) return {};
  return term->cuda.empty() ? term->text : term->text + "\nCUDA: " + term->cuda;
}

std::string meaning_of(std::string_view words) {
  const auto trim = [](std::string_view text) {
    while (!text.empty() && (text.front() == ' ' || (text.front() >= '0' && text.front() <= '9')))
      text.remove_prefix(1);
    while (!text.empty() && (text.back() == ' ' || text.back() == ':')) text.remove_suffix(1);
    return text;
  };
  if (std::string whole = explanation_of(words); !whole.empty()) return whole;
  for (const std::string_view end : {" per ", " (", ", "})
    if (const std::size_t at = words.find(end); at != std::string_view::npos)
      if (std::string part = explanation_of(trim(words.substr(0, at))); !part.empty()) return part;
  return explanation_of(trim(words));
}

explain::Generation shown_generation(const Model& model) {
  engine::ShownMemory shown = engine::shown_memory(model.results.summary.arch, model.occupancy.choice.gpu);
  explain::Generation out;
  if (shown.arch.empty()) return out;  // not in the table: an H200's
  out.arch = shown.arch, out.memory = std::move(shown.memory);
  if (const auto& table = occupancy::gpu_table())
    if (const auto arch = table->arch(out.arch)) out.name = arch->generation;
  return out;
}

explain::Explanation explained(const Model& model, std::string_view instruction) {
  return explain::explain(instruction, shown_generation(model));
}

std::string explained_text(const Model& model, std::string_view instruction) {
  const explain::Generation generation = shown_generation(model);
  const explain::Explanation e = explain::explain(instruction, generation);
  std::string words = explain::to_text(e);
  if (e.route) words += "\n(" + generation.name + ", " + generation.arch + ")";
  return words;
}

ShownInstruction instruction_on_show(const Model& model) {
  const results::Summary& s = model.results.summary;
  const int pc = model.results.moment.pc;
  if (!model.results.have || pc < 0 || pc >= static_cast<int>(s.code.size())) return {};
  const trace::CodeSite& site = s.code[static_cast<std::size_t>(pc)];
  const int row = views::ptx_row_of(s, model.results.moment);
  const auto& code = views::ptx_code(s);
  const bool probe = site.kind == trace::StepKind::probe, has_row = row >= 0 && row < static_cast<int>(code.size());
  const bool is_row = s.plain_code.empty() || s.plain_pcs[static_cast<std::size_t>(pc)] == row;
  ShownInstruction out;
  if (!probe) out.text = site.text;
  if (probe && has_row) out.text = code[static_cast<std::size_t>(row)].text;
  if (has_row && (probe || is_row)) out.contraction = views::contraction_words(code, row);
  return out;
}

}  // namespace lanescope::gui
