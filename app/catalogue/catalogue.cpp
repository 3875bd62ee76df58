#include "app/catalogue/catalogue.h"

#include <algorithm>
#include <cctype>
#include <map>

#include <fmt/format.h>
#include <toml++/toml.h>

#include "kernels/base/read_file.h"
#include "kernels/resources/resources.h"
#include "kernels/source/cxx/lexer.h"
#include "kernels/source/notation/allow_comments.h"

namespace lanescope::catalogue {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view without_topic = "Other kernels";

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; }

std::string lower(std::string_view text) {
  std::string out(text);
  std::ranges::transform(out, out.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return out;
}

/// The text of the first comment above the launch header, its lines joined.
std::string explanation_of(std::string_view text) {
  if (!text.starts_with("/*")) return {};
  text.remove_prefix(2);
  text = text.substr(0, std::min(text.find("[lanescope]"), text.find("*/")));
  std::string out;
  for (const char c : text) {
    const bool blank = std::isspace(static_cast<unsigned char>(c)) != 0;
    if (!blank)
      out += c;
    else if (!out.empty() && out.back() != ' ')
      out += ' ';
  }
  while (out.ends_with(' ')) out.pop_back();
  return out;
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
           .explanation = explanation_of(text),
           .summary = {},
           .expects = {}};
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

tl::unexpected<Diagnostics> wrong(const fs::path& file, int line, std::string message) {
  return tl::unexpected(Diagnostics{{.file = file.string(),
                                     .line = line,
                                     .message = std::move(message),
                                     .remedy = "write [[topic]] tables with name = \"...\" and kernels = [\"...\"]"}});
}

/// Gives the kernels of one [[topic]] its name and moves them after those that have one.
Expected<void> take_topic(const toml::table& topic, const fs::path& file, std::vector<Kernel>& kernels,
                          std::vector<Kernel>& ordered) {
  const int line = static_cast<int>(topic.source().begin.line);
  const auto name = topic["name"].value<std::string>();
  const toml::array* const names = topic["kernels"].as_array();
  if (!name || names == nullptr) return wrong(file, line, "a topic without a name or without kernels");
  for (const toml::node& node : *names) {
    const std::string kernel = node.value_or(std::string());
    const auto at = std::ranges::find(kernels, kernel, &Kernel::name);
    if (at == kernels.end())
      return wrong(file, static_cast<int>(node.source().begin.line),
                   fmt::format("there is no kernel `{}` that no other topic has", kernel));
    at->topic = *name;
    ordered.push_back(std::move(*at));
    kernels.erase(at);
  }
  return {};
}

bool begins_a_word(const std::string& text, const std::string& word) {
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1))
    if (at == 0 || !is_word(text[at - 1])) return true;
  return false;
}

std::vector<std::string> words_of(std::string_view query) {
  std::vector<std::string> words;
  bool open = false;
  for (const char c : lower(query)) {
    const bool blank = std::isspace(static_cast<unsigned char>(c)) != 0;
    if (!blank && !open) words.emplace_back();
    if (!blank) words.back() += c;
    open = !blank;
  }
  return words;
}

}  // namespace

Expected<std::vector<Kernel>> read(const fs::path& folder) {
  std::vector<Kernel> kernels = kernels_in(folder);
  const fs::path file = folder / "topics.toml";
  const auto text = read_file(file.string());
  if (!text) return kernels;
  toml::table parsed;
  try {
    parsed = toml::parse(*text);
  } catch (const toml::parse_error& e) {
    return wrong(file, static_cast<int>(e.source().begin.line), std::string(e.description()));
  }
  std::vector<Kernel> ordered;
  if (const toml::array* const topics = parsed["topic"].as_array())
    for (const toml::node& node : *topics) {
      const toml::table* const topic = node.as_table();
      if (topic == nullptr) return wrong(file, static_cast<int>(node.source().begin.line), "a topic is a table");
      if (auto taken = take_topic(*topic, file, kernels, ordered); !taken) return tl::unexpected(taken.error());
    }
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
  for (const std::string& word : words_of(query)) {
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
