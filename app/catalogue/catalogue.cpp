#include "app/catalogue/catalogue.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "kernels/base/read_file.h"
#include "kernels/base/text.h"
#include "kernels/base/toml_table.h"
#include "kernels/resources/resources.h"
#include "kernels/source/cxx/lexer.h"
#include "kernels/source/notation/allow_comments.h"

namespace lanescope::catalogue {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view without_topic = "Other kernels";

/// The text of the first comment above the launch header, its lines joined.
std::string explanation_of(std::string_view text) {
  if (!text.starts_with("/*")) return {};
  text.remove_prefix(2);
  text = text.substr(0, std::min(text.find("[lanescope]"), text.find("*/")));
  return fmt::format("{}", fmt::join(words_between(text), " "));
}

std::string first_sentence(const std::string& text) {
  std::string out = text.substr(0, text.find(". "));
  if (out.ends_with('.')) out.pop_back();
  return out;
}

Kernel kernel_of(const fs::path& file, const std::string& text) {
  Kernel k{.name = file.stem().string(),
           .path = file.string(),
           .topic = std::string(without_topic),
           .explanation = explanation_of(text)};
  k.summary = first_sentence(k.explanation);
  for (const source::ExpectComment& e : source::review_comments(source::lex(text)).expected)
    if (std::ranges::find(k.expects, e.rule) == k.expects.end()) k.expects.push_back(e.rule);
  return k;
}

std::vector<Kernel> kernels_in(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error))
    if (entry.path().extension() == ".cu") files.push_back(entry.path());
  std::ranges::sort(files);
  std::vector<Kernel> kernels;
  for (const fs::path& file : files)
    if (const auto text = read_file(file.string())) kernels.push_back(kernel_of(file, *text));
  return kernels;
}

constexpr const char* topics_remedy = "write [[topic]] tables with name = \"...\" and kernels = [\"...\"]";

/// Gives the kernels of one [[topic]] its name and moves them after those that have one.
Expected<void> take_topic(const toml::table& topic, const fs::path& file, std::vector<Kernel>& kernels,
                          std::vector<Kernel>& ordered) {
  TomlTable reader(topic, file.string(), 0, "[[topic]]");
  std::string name;
  std::vector<std::string> names;
  for (const char* key : {"name", "kernels"}) reader.need(key);
  reader.read("name", name), reader.read("kernels", names);
  if (Diagnostics problems = reader.finish(); !problems.empty()) return tl::unexpected(std::move(problems));
  for (std::size_t n = 0; n < names.size(); ++n) {
    const auto at = std::ranges::find(kernels, names[n], &Kernel::name);
    if (at == kernels.end()) {
      reader.complain(*topic["kernels"].as_array()->get(n),
                      fmt::format("there is no kernel `{}` that no other topic has", names[n]), topics_remedy);
      return tl::unexpected(reader.finish());
    }
    at->topic = name;
    ordered.push_back(std::move(*at));
    kernels.erase(at);
  }
  return {};
}

bool begins_a_word(const std::string& text, const std::string& word) {
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1))
    if (at == 0 || !(is_letter(text[at - 1]) || is_digit(text[at - 1]))) return true;
  return false;
}

}  // namespace

Expected<std::vector<Kernel>> read(const fs::path& folder) {
  std::vector<Kernel> kernels = kernels_in(folder);
  const fs::path file = folder / "topics.toml";
  const auto text = read_file(file.string());
  if (!text) return kernels;
  const auto parsed = LS_TRY(parse_toml(*text, file.string(), 0, topics_remedy));
  std::vector<Kernel> ordered;
  TomlTable top(parsed, file.string());
  for (const toml::table* topic : top.read_tables("topic"))
    if (auto taken = take_topic(*topic, file, kernels, ordered); !taken) return tl::unexpected(taken.error());
  if (Diagnostics problems = top.finish(false); !problems.empty()) return tl::unexpected(std::move(problems));
  std::ranges::move(kernels, std::back_inserter(ordered));
  return ordered;
}

const std::vector<Kernel>& installed() {
  static const std::vector<Kernel> kernels = [] {
    const fs::path folder = resources::assets_directory() / "kernels";
    auto all = read(folder);
    return all ? std::move(*all) : kernels_in(folder);
  }();
  return kernels;
}

std::optional<int> score(const Kernel& kernel, std::string_view query) {
  const std::string name = lower(kernel.name), topic = lower(kernel.topic), text = lower(kernel.explanation);
  std::string rules;
  for (const std::string& rule : kernel.expects) rules += rule + ' ';
  int sum = 0;
  for (const std::string& word : words_between(lower(query))) {
    const std::string stem = word.ends_with(".cu") ? word.substr(0, word.size() - 3) : word;
    if (name == stem)
      sum += 64;
    else if (name.starts_with(stem))
      sum += 16;
    else if (name.find(stem) != std::string::npos)
      sum += 12;
    else if (begins_a_word(topic, word) || begins_a_word(rules, word))
      sum += 4;
    else if (begins_a_word(text, word))
      sum += 1;
    else
      return std::nullopt;
  }
  return sum;
}

std::vector<const Kernel*> search(const std::vector<Kernel>& kernels, std::string_view query) {
  std::vector<std::pair<int, const Kernel*>> found;
  for (const Kernel& k : kernels)
    if (const auto points = score(k, query)) found.emplace_back(*points, &k);
  std::ranges::stable_sort(found, [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<const Kernel*> out;
  for (const auto& [points, k] : found) out.push_back(k);
  return out;
}

}  // namespace lanescope::catalogue
