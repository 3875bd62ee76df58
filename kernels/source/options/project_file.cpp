#include "kernels/source/options/build_files.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <toml++/toml.h>

#include "kernels/base/nearest.h"
#include "kernels/base/read_file.h"
#include "kernels/source/options/header_search.h"
#include "kernels/source/options/nvcc_words.h"

namespace lanescope::options {
namespace {

namespace fs = std::filesystem;
constexpr std::uintmax_t most_toml_bytes = std::uintmax_t{1} << 20;

class ProjectReader {
 public:
  ProjectReader(const fs::path& toml, const fs::path& kernel) : toml_(toml), kernel_(kernel) {}

  CompileSettings run(const std::string& text) {
    toml::table root;
    try {
      root = toml::parse(text);
    } catch (const toml::parse_error& e) {
      wrong(e.source().begin, std::string(e.description()), "the file is TOML with a table [compile]");
      return std::move(out_);
    }
    only(root, "the project file", {"compile"});
    const toml::node* node = root.get("compile");
    if (node == nullptr) return std::move(out_);
    const toml::table* table = node->as_table();
    if (table == nullptr) {
      wrong(node->source().begin, "`compile` must be a table", "write [compile] on a line of its own");
      return std::move(out_);
    }
    only(*table, "[compile]", {"include", "define", "standard", "arch", "options"});
    if (const toml::node* n = table->get("include"))
      each_text(*n, "include", [&](const std::string& folder, int line) { add({"-I", folder}, line); });
    if (const toml::node* n = table->get("define")) defines(*n);
    if (const toml::node* n = table->get("standard"))
      one_text(*n, "standard", [&](const std::string& name) { add({"-std=" + name}, line_of(*n)); });
    if (const toml::node* n = table->get("arch"))
      one_text(*n, "arch", [&](const std::string& name) { add({"-arch=" + name}, line_of(*n)); });
    if (const toml::node* n = table->get("options")) {
      std::vector<std::string> words;
      each_text(*n, "options", [&](const std::string& word, int) { words.push_back(word); });
      add(words, line_of(*n));
    }
    return std::move(out_);
  }

 private:
  static int line_of(const toml::node& n) { return static_cast<int>(n.source().begin.line); }

  void wrong(const toml::source_position& at, std::string message, std::string remedy) {
    out_.diagnostics.push_back({.file = toml_.string(),
                                .line = static_cast<int>(at.line),
                                .column = static_cast<int>(at.column),
                                .message = std::move(message),
                                .remedy = std::move(remedy)});
  }

  void only(const toml::table& table, std::string_view where, const std::vector<std::string>& known) {
    for (const auto& [key, value] : table) {
      if (std::ranges::find(known, key.str()) != known.end()) continue;
      wrong(key.source().begin, fmt::format("unknown key `{}` in {}", key.str(), where),
            did_you_mean(key.str(), known, fmt::format("known are {}", fmt::join(known, ", "))));
    }
  }

  template <class Take>
  void one_text(const toml::node& n, std::string_view key, Take take) {
    if (const auto* text = n.as_string()) return take(text->get());
    wrong(n.source().begin, fmt::format("`{}` must be a string", key), "write it in quotes");
  }

  template <class Take>
  void each_text(const toml::node& n, std::string_view key, Take take) {
    if (const auto* text = n.as_string()) return take(text->get(), line_of(n));
    const toml::array* list = n.as_array();
    if (list == nullptr)
      return wrong(n.source().begin, fmt::format("`{}` must be a list of strings", key),
                   "write it as in [\"a\", \"b\"]");
    for (const toml::node& e : *list) {
      if (const auto* text = e.as_string())
        take(text->get(), line_of(e));
      else
        wrong(e.source().begin, fmt::format("`{}` must be a list of strings", key), "write each of them in quotes");
    }
  }

  void defines(const toml::node& n) {
    const toml::table* table = n.as_table();
    if (table == nullptr)
      return each_text(n, "define", [&](const std::string& text, int line) { add({"-D" + text}, line); });
    for (const auto& [key, value] : *table) {
      std::string text;
      if (const auto* s = value.as_string())
        text = "=" + s->get();
      else if (const auto* b = value.as_boolean())
        text = b->get() ? "" : "=0";
      else if (const auto* i = value.as_integer())
        text = fmt::format("={}", i->get());
      else if (const auto* f = value.as_floating_point(); f != nullptr && std::isfinite(f->get()))
        text = fmt::format("={}", f->get());
      else {
        wrong(value.source().begin, fmt::format("the macro `{}` must be a string, a number or true", key.str()), "");
        continue;
      }
      add({"-D" + std::string(key.str()) + text}, static_cast<int>(key.source().begin.line));
    }
  }

  void add(const std::vector<std::string>& words, int line) {
    out_ = merged(std::move(out_),
                  read_words(words, {Origin::project_file, toml_.parent_path(), kernel_, {toml_.string(), line}}));
  }

  const fs::path& toml_;
  const fs::path& kernel_;
  CompileSettings out_;
};

}  // namespace

std::optional<fs::path> find_project_file(const fs::path& file) {
  const fs::path project = project_folder(file);
  for (const fs::path& folder : folders_above(file))
    if (is_found(folder / project_file_name, project)) return folder / project_file_name;
  return std::nullopt;
}

CompileSettings read_project_file(const fs::path& toml, const fs::path& kernel) {
  CompileSettings out;
  const auto text = read_file(toml.string(), most_toml_bytes);
  if (text) return ProjectReader(toml, kernel).run(*text);
  out.diagnostics = text.error();
  for (Diagnostic& d : out.diagnostics) d.file = toml.string();
  return out;
}

}  // namespace lanescope::options
