#include "app/lessons/progress.h"

#include <algorithm>
#include <cstdint>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "kernels/base/json_fields.h"
#include "kernels/base/read_file.h"
#include "kernels/base/write_file.h"
#include "kernels/resources/resources.h"

namespace lanescope::lessons {
namespace {

using Json = nlohmann::json;
namespace fs = std::filesystem;
constexpr int version = 1;

}  // namespace

std::string question_digest(const Question& q) {
  // FNV-1a over the parts, each with its end.
  std::uint64_t sum = 14695981039346656037ULL;
  const auto add = [&](std::string_view part) {
    for (const char c : part) sum = (sum ^ static_cast<unsigned char>(c)) * 1099511628211ULL;
    sum = (sum ^ 0x1FF) * 1099511628211ULL;
  };
  for (const std::string_view part :
       {kind_name(q.kind), std::string_view(q.written.empty() ? q.ask : q.written), std::string_view(q.compute),
        std::string_view(q.row), std::string_view(q.kernel), std::string_view(q.want)})
    add(part);
  for (const std::string& step : q.at) add(step);
  add("");
  for (const std::string& choice : q.choices) add(choice);
  return fmt::format("{:016x}", sum);
}

std::string progress_key(const Question& q) { return q.gpu.empty() ? q.id : q.id + " on " + q.gpu; }

Expected<Lesson> read_lesson_as_left(const fs::path& folder, const Progress& progress) {
  const auto known = progress.lessons.find(folder.filename().string());
  if (known != progress.lessons.end() && !known->second.gpu.empty())
    if (auto lesson = read_lesson(folder, known->second.gpu)) return lesson;
  return read_lesson(folder);
}

QuestionProgress progress_of(const LessonProgress& progress, const Question& q) {
  const auto known = progress.questions.find(progress_key(q));
  return known != progress.questions.end() && known->second.asked == question_digest(q) ? known->second
                                                                                        : QuestionProgress{};
}

void note_reply(LessonProgress& progress, const Question& q, std::string_view reply, bool right) {
  QuestionProgress now = progress_of(progress, q);
  now.tries += 1;
  now.right = now.right || right;
  now.reply = std::string(reply);
  now.asked = question_digest(q);
  progress.questions[progress_key(q)] = std::move(now);
}

int page_of(const LessonProgress& progress, const Lesson& lesson) {
  const auto same = std::ranges::find(lesson.pages, progress.page, &Page::heading);
  if (same != lesson.pages.end()) return static_cast<int>(same - lesson.pages.begin());
  return std::clamp(progress.page_number, 0, std::max(static_cast<int>(lesson.pages.size()) - 1, 0));
}

int answered(const LessonProgress& progress, const Lesson& lesson) {
  const auto questions = lesson.questions();
  return static_cast<int>(
      std::ranges::count_if(questions, [&](const Question* q) { return progress_of(progress, *q).right; }));
}

fs::path default_progress_path() { return resources::state_folder() / "lessons.json"; }

fs::path work_folder(const fs::path& progress_path, const Lesson& lesson) {
  return progress_path.parent_path() / "lessons" / lesson.name;
}

Expected<Progress> read_progress(const fs::path& path) {
  std::error_code ignored;
  if (!fs::exists(path, ignored)) return Progress{};
  const auto text = LS_TRY(read_file(path.string()));
  const auto refused = [&](const char* why, const char* remedy) {
    return failure(Diagnostic{.file = path.string(), .message = why, .remedy = remedy});
  };
  const Json root = Json::parse(text, nullptr, false);
  try {
    if (root.is_discarded()) return refused("the progress of the lessons is damaged", "delete it to start over");
    if (root.at("version").get<int>() > version)
      return refused("the progress of the lessons was written by a newer version", "use that version, or delete it");
    Progress out;
    for (const auto& [name, lesson] : root.at("lessons").items()) {
      LessonProgress& p = out.lessons[name];
      p.page = lesson.at("page").get<std::string>();
      p.page_number = lesson.at("page_number").get<int>();
      p.gpu = lesson.value("gpu", std::string());
      for (const auto& [id, q] : lesson.at("questions").items())
        p.questions[id] = {.right = q.at("right").get<bool>(),
                           .tries = q.at("tries").get<int>(),
                           .reply = q.at("reply").get<std::string>(),
                           .asked = q.at("asked").get<std::string>()};
    }
    return out;
  } catch (const Json::exception&) {
    return refused("the progress of the lessons is damaged", "delete it to start over");
  }
}

Expected<void> write_progress(const fs::path& path, const Progress& progress) {
  Json root = fields("version", version, "lessons", Json::object());
  for (const auto& [name, p] : progress.lessons) {
    Json questions = Json::object();
    for (const auto& [id, q] : p.questions)
      questions[id] = fields("right", q.right, "tries", q.tries, "reply", q.reply, "asked", q.asked);
    root["lessons"][name] = fields("page", p.page, "page_number", p.page_number, "questions", questions);
    if (!p.gpu.empty()) root["lessons"][name]["gpu"] = p.gpu;
  }
  std::error_code failed;
  fs::create_directories(path.parent_path(), failed);
  return write_file(path.string(), root.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
}

Expected<fs::path> working_copy(const fs::path& progress_path, const Lesson& lesson, const Question& q) {
  const fs::path folder = work_folder(progress_path, lesson), copy = folder / q.kernel;
  std::error_code failed;
  if (fs::exists(copy, failed)) return copy;
  const auto text = LS_TRY(read_file((lesson.folder / q.kernel).string()));
  fs::create_directories(copy.parent_path(), failed);
  if (const auto written = write_file(copy.string(), text); !written) return tl::unexpected(written.error());
  return copy;
}

}  // namespace lanescope::lessons
