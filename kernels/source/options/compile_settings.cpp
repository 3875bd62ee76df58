#include "kernels/source/options/compile_settings.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace lanescope::options {
namespace {

constexpr std::string_view origins[] = {"launch header", "panel Options",         "command line", "nvcc command",
                                        "project file",  "compile_commands.json", "build file",   "assumed"};
constexpr std::string_view kinds[] = {"include folder", "define",         "undefine",    "standard",
                                      "architecture",   "register limit", "other option"};

/// The key by which one option replaces another; empty: they can both be given.
std::string slot_of(const UsedOption& o) {
  switch (o.kind) {
    case Kind::define:
    case Kind::undefine: {
      const std::string name = o.value.substr(0, o.value.find_first_of("=("));
      return "macro " + name;
    }
    case Kind::standard:
    case Kind::architecture:
    case Kind::register_limit:
      return std::string(enum_name(o.kind));
    case Kind::include_folder:
      return "folder " + o.value;
    case Kind::other: {
      // One of --fmad=true and --fmad=false; several of --ptxas-options=... and -diag-suppress=...
      const std::size_t equals = o.word.find('=');
      const std::string name = o.word.substr(0, equals);
      for (const char* list : {"--ptxas-options", "--pre-include", "--diag-suppress", "--diag-error", "--diag-warn"})
        if (name == list) return o.word;
      return name;
    }
  }
  return {};
}

std::string counted(std::size_t number) { return fmt::format("{} option{}", number, number == 1 ? "" : "s"); }

}  // namespace

std::string_view origin_words(Origin origin) { return entry_for(origins, origin); }
std::string_view kind_words(Kind kind) { return entry_for(kinds, kind); }

std::vector<std::string> CompileSettings::words_beside_header() const {
  std::vector<std::string> out;
  for (const UsedOption& o : used)
    if (o.origin != Origin::header && !o.word.empty()) out.push_back(o.word);
  return out;
}

std::string CompileSettings::architecture() const {
  const auto at = std::ranges::find(used, Kind::architecture, &UsedOption::kind);
  return at == used.end() ? std::string() : at->value;
}

CompileSettings merged(CompileSettings first, CompileSettings second) {
  std::map<std::string, UsedOption> taken;
  for (const UsedOption& o : first.used) taken.emplace(slot_of(o), o);
  for (UsedOption& o : second.used) {
    const auto other = taken.find(slot_of(o));
    if (other == taken.end()) {
      first.used.push_back(std::move(o));
      continue;
    }
    const UsedOption& kept = other->second;
    const bool same = kept.value == o.value && kept.kind == o.kind;
    first.left_out.push_back({.written = std::move(o.written),
                              .reason = same ? fmt::format("is given already ({})", origin_words(kept.origin))
                                             : fmt::format("{} counts ({})", kept.written, origin_words(kept.origin)),
                              .replaced = true,
                              .origin = o.origin,
                              .place = std::move(o.place)});
  }
  const auto append = [](auto& to, auto& from) {
    to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
  };
  append(first.left_out, second.left_out);
  append(first.remarks, second.remarks);
  append(first.diagnostics, second.diagnostics);
  return first;
}

std::string place_words(Origin origin, const Place& place) {
  if (place.file.empty()) return std::string(origin_words(origin));
  const std::string file = origin == Origin::header ? std::string(origin_words(origin)) : place.file;
  return place.line > 0 ? fmt::format("{} line {}", file, place.line) : file;
}

std::vector<std::string> sentences(const CompileSettings& settings) {
  std::vector<std::string> out;
  for (const Origin origin : {Origin::project_file, Origin::compile_commands, Origin::build_file}) {
    std::vector<std::string> words;
    std::string file;
    for (const UsedOption& o : settings.used)
      if (o.origin == origin) words.push_back(o.written), file = o.place.file;
    if (!words.empty()) out.push_back(fmt::format("{} gives the options {}", file, fmt::join(words, " ")));
  }
  for (int i = 0; i < origin_count; ++i) {
    const auto origin = static_cast<Origin>(i);
    if (origin == Origin::header) continue;  // at their places in the header
    std::vector<std::string> reasons;
    std::map<std::string, std::vector<std::string>> by_reason;
    std::size_t count = 0;
    for (const LeftOut& o : settings.left_out) {
      if (o.origin != origin || o.no_option) continue;
      auto& words = by_reason[o.reason];
      if (words.empty()) reasons.push_back(o.reason);
      words.push_back(o.written);
      ++count;
    }
    if (count == 0) continue;
    std::string words;
    for (const std::string& reason : reasons)
      words += fmt::format("{}{} ({})", words.empty() ? "" : "; ", fmt::join(by_reason[reason], " "), reason);
    out.push_back(fmt::format("{} of {}{} {} not used: {}", counted(count),
                              origin == Origin::compile_commands ? "" : "the ", origin_words(origin),
                              count == 1 ? "is" : "are", words));
  }
  return out;
}

std::string table(const CompileSettings& settings) {
  std::string out;
  for (const UsedOption& o : settings.used)
    out += fmt::format("option: {} ({}; {})\n", o.written, kind_words(o.kind), place_words(o.origin, o.place));
  for (const LeftOut& o : settings.left_out)
    out += fmt::format("option not used: {} ({}; {})\n", o.written, o.reason, place_words(o.origin, o.place));
  for (const std::string& remark : settings.remarks) out += fmt::format("options: {}\n", remark);
  if (settings.used.empty() && settings.left_out.empty()) out += "options: none are given\n";
  return out;
}

}  // namespace lanescope::options
