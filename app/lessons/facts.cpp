#include "app/lessons/answer.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/engine/summary/occupancy_info.h"
#include "profiling/occupancy/gpu_table.h"

namespace lanescope::lessons {
namespace {

std::string with_commas(std::string digits) {
  for (std::ptrdiff_t at = static_cast<std::ptrdiff_t>(digits.size()) - 3; at > (digits[0] == '-' ? 1 : 0); at -= 3)
    digits.insert(static_cast<std::size_t>(at), 1, ',');
  return digits;
}

/// One value as text. Empty: it is none that could be shown.
std::string fact_text(const Fact& fact, const nlohmann::json& value) {
  const std::string plain = shown(value);
  for (const auto& [of, words] : fact.words)
    if (of == plain) return words;
  if (!value.is_number()) return fact.words.empty() ? plain : std::string();
  const double unit = fact.as == "KiB" ? 1024 : fact.as == "MiB" ? 1024 * 1024 : 1;
  const double number = value.get<double>() / unit;
  std::string text = number == std::round(number) && std::abs(number) < 1e15
                         ? with_commas(fmt::format("{:.0f}", number))
                         : fmt::format("{:.4g}", number);
  return fact.as.empty() ? text : text + " " + fact.as;
}

Expected<std::string> fact_value(const Lesson& lesson, const Fact& fact, Computer& computer) {
  const auto wrong = [&](Diagnostics out) -> Expected<std::string> {
    for (Diagnostic& d : out) {
      d.message = fmt::format("fact `{}`: {}", fact.name, d.message);
      d.file = (lesson.folder / "lesson.md").string(), d.line = fact.line, d.column = 1;
    }
    return tl::unexpected(std::move(out));
  };
  const auto json = computed_json(lesson, fact.compute, computer);
  if (!json) return wrong(json.error());
  const auto value = value_at(*json, fact.at);
  if (!value && fact.otherwise) return *fact.otherwise;
  if (!value) return wrong(value.error());
  if (!value->is_array()) {
    const std::string text = fact_text(fact, *value);
    if (text.empty()) return wrong({{.message = "`at` leads to no value with words"}});
    return text;
  }
  std::vector<std::string> texts;
  for (const nlohmann::json& each : *value) texts.push_back(fact_text(fact, each));
  if (texts.empty() || std::ranges::any_of(texts, [](const std::string& t) { return t.empty(); }))
    return wrong({{.message = "`at` leads to a list that cannot be shown"}});
  // "16, 32 and 48 KiB": the unit once.
  if (!fact.as.empty())
    for (std::size_t n = 0; n + 1 < texts.size(); ++n) texts[n].resize(texts[n].size() - fact.as.size() - 1);
  const std::string last = std::move(texts.back());
  texts.pop_back();
  return texts.empty() ? last : fmt::format("{} and {}", fmt::join(texts, ", "), last);
}

}  // namespace

int put_value(std::string& text, std::string_view name, std::string_view value) {
  const std::string mark = fmt::format("{{{}}}", name);
  int count = 0;
  for (std::size_t at = text.find(mark); at != std::string::npos; at = text.find(mark, at + value.size()), ++count)
    text.replace(at, mark.size(), value);
  return count;
}

void for_each_text(Lesson& lesson, const std::function<void(std::string&)>& each) {
  for (Page& page : lesson.pages) {
    each(page.notes);
    for (Block& block : page.blocks) {
      each(block.markdown);
      if (block.moment) each(block.moment->caption), each(block.moment->notes);
      if (block.question) each(block.question->ask), each(block.question->hint), each(block.question->why);
      if (block.gpus)
        for (auto& [heading, value] : block.gpus->columns) each(value);
    }
  }
}

Expected<FactValues> compute_facts(const Lesson& lesson, Computer& computer) {
  FactValues values;
  Diagnostics wrong;
  for (const Fact& fact : lesson.facts) {
    if (auto value = fact_value(lesson, fact, computer))
      values[fact.name] = std::move(*value);
    else
      wrong.insert(wrong.end(), value.error().begin(), value.error().end());
  }
  if (!wrong.empty()) return tl::unexpected(std::move(wrong));
  return values;
}

Lesson with_facts(Lesson lesson, const FactValues& values) {
  // A fact is identified by its text as it is written: figures may change.
  if (!lesson.facts.empty())
    for (Page& page : lesson.pages)
      for (Block& block : page.blocks)
        if (block.question && block.question->written.empty()) block.question->written = block.question->ask;
  for_each_text(lesson, [&](std::string& text) {
    for (const Fact& fact : lesson.facts) {
      const auto known = values.find(fact.name);
      put_value(text, fact.name, known == values.end() ? "…" : known->second);
    }
  });
  return lesson;
}

Expected<Lesson> reported(Lesson lesson, Computer& computer) {
  const auto values = LS_TRY(compute_facts(lesson, computer));
  return with_facts(std::move(lesson), values);
}

std::vector<std::string> lesson_gpus() {
  std::vector<std::string> names;
  const auto& table = occupancy::gpu_table();
  if (!table) return names;
  for (const occupancy::Gpu& gpu : table->gpus)
    if (gpu.arch.memory.half_warps == access::HalfWarps::none) names.push_back(gpu.name);
  return names;
}

Expected<std::string> lesson_gpu(std::string_view name) {
  std::string found = name.empty() ? std::string() : engine::table_name(std::string(name));
  const std::vector<std::string> known = lesson_gpus();
  if (std::ranges::find(known, found) != known.end()) return found;
  return failure(found.empty() ? fmt::format("the GPU `{}` is not in the table", name)
                               : fmt::format("lessons are not about the GPU `{}`: it has no caches", found),
                 fmt::format("choose one of {}", fmt::join(lesson_gpus(), ", ")));
}

Expected<std::vector<std::vector<std::string>>> gpu_rows(const Lesson& lesson, Computer& computer) {
  std::vector<std::vector<std::string>> rows;
  for (const std::string& gpu : lesson_gpus()) {
    const auto about = LS_TRY(read_lesson(lesson.folder, gpu));
    const auto said = LS_TRY(reported(about, computer));
    for (const Page& page : said.pages)
      for (const Block& block : page.blocks) {
        if (!block.gpus) continue;
        rows.push_back({gpu});
        for (const auto& [heading, value] : block.gpus->columns) rows.back().push_back(value);
      }
  }
  return rows;
}

}  // namespace lanescope::lessons
