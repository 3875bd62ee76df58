#include "kernels/source/options/build_files.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "kernels/base/read_file.h"
#include "kernels/base/toml_table.h"
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
    const auto root = parse_toml(text, toml_.string(), 0, "the file is TOML with a table [compile]");
    if (!root) {
      out_.diagnostics = root.error();
      return std::move(out_);
    }
    TomlTable file(*root, toml_.string(), 0, "the project file");
    if (const toml::table* table = file.read_table("compile")) {
      TomlTable compile(*table, toml_.string(), 0, "[compile]");
      settings(compile);
      std::ranges::move(compile.finish(), std::back_inserter(out_.diagnostics));
    }
    std::ranges::move(file.finish(), std::back_inserter(out_.diagnostics));
    return std::move(out_);
  }

 private:
  void settings(TomlTable& table) {
    each_text(table, "include", [&](const std::string& folder, int line) { add({"-I", folder}, line); });
    if (table.is_table("define"))
      defines(table);
    else
      each_text(table, "define", [&](const std::string& text, int line) { add({"-D" + text}, line); });
    for (const auto& [key, option] : {std::pair("standard", "-std="), std::pair("arch", "-arch=")})
      if (std::string name; table.read(key, name)) add({option + name}, table.line_of(key));
    std::vector<std::string> words;
    each_text(table, "options", [&](const std::string& word, int) { words.push_back(word); });
    if (!words.empty()) add(words, table.line_of("options"));
  }

  /// A text, or a list of them.
  static void each_text(TomlTable& table, const char* key, auto take) {
    const toml::node* n = table.take(key);
    if (n == nullptr) return;
    const auto line = [](const toml::node& at) { return static_cast<int>(at.source().begin.line); };
    if (const auto* text = n->as_string()) return take(text->get(), line(*n));
    const toml::array* list = n->as_array();
    const std::string wrong = fmt::format("`{}` must be a list of strings", key);
    if (list == nullptr) return table.complain(key, wrong, "write it as in [\"a\", \"b\"]");
    for (const toml::node& e : *list) {
      if (const auto* text = e.as_string())
        take(text->get(), line(e));
      else
        table.complain(e, wrong, "write each of them in quotes");
    }
  }

  void defines(TomlTable& table) {
    for (const auto& [key, value] : *table.read_table("define")) {
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
        table.complain(value, fmt::format("the macro `{}` must be a string, a number or true", key.str()));
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
