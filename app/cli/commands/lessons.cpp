// Lessons without a window: which there are, what is on their pages, and whether all of it works.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "app/cli/answers/problems.h"
#include "app/cli/answers/report.h"
#include "app/cli/commands/commands.h"
#include "app/lessons/answer.h"
#include "app/lessons/progress.h"
#include "kernels/base/json_fields.h"
#include "viz/page/markdown.h"

namespace lanescope::cli {
namespace {

using lessons::Question;

int fail_lesson(const Diagnostics& why, bool json) {
  return print(Answer{.status = bad_input, .diagnostics = why}, json);
}

/// The answered questions; none if they cannot be read, which is reported.
lessons::Progress known_progress() {
  auto progress = lessons::read_progress(lessons::default_progress_path());
  if (!progress) report(progress.error());
  return progress ? std::move(*progress) : lessons::Progress{};
}

nlohmann::json moment_json(const lessons::SavedMoment& m) {
  nlohmann::json out = {
      {"kernel", m.kernel}, {"line", m.line}, {"visit", m.visit}, {"warp", m.warp}, {"block", m.block}};
  put_known(out, "name", m.name, "text", m.text, "picture", m.picture, "select", m.select, "caption", m.caption,
            "notes", m.notes, "pins", m.pins);
  return out;
}

/// Without the answer, which --check computes.
nlohmann::json question_json(const Question& q) {
  nlohmann::json out = {
      {"id", q.id}, {"kind", lessons::kind_name(q.kind)}, {"ask", q.ask}, {"compute", q.compute}, {"line", q.line}};
  put_known(out, "unit", q.unit, "hint", q.hint, "row", q.row, "kernel", q.kernel, "want", q.want, "choices",
            q.choices);
  return out;
}

nlohmann::json gpu_json(const lessons::GpuChoice& choice) {
  nlohmann::json out = fields("caption", choice.caption, "columns", nlohmann::json::array());
  for (const auto& [heading, value] : choice.columns)
    out["columns"].push_back(fields("heading", heading, "value", value));
  return out;
}

nlohmann::json page_json(const lessons::Page& page, int number) {
  nlohmann::json blocks = nlohmann::json::array();
  for (const lessons::Block& block : page.blocks) {
    if (block.moment)
      blocks.push_back(fields("moment", moment_json(*block.moment)));
    else if (block.question)
      blocks.push_back(fields("question", question_json(*block.question)));
    else if (block.gpus)
      blocks.push_back(fields("gpu", gpu_json(*block.gpus)));
    else
      blocks.push_back(fields("text", block.markdown));
  }
  nlohmann::json out = fields("page", number, "heading", page.heading, "blocks", blocks);
  put_known(out, "notes", page.notes);
  return out;
}

void say_page(const lessons::Page& page, int number, int count, const std::string& gpu) {
  say("\n## {}  ({} of {})\n", page.heading, number, count);
  for (const lessons::Block& block : page.blocks) {
    if (block.moment) {
      const auto& m = *block.moment;
      say("\n[{} line {}{}{}]\n", std::filesystem::path(m.kernel).filename().string(), m.line,
          m.picture.empty() ? "" : ", " + m.picture, m.caption.empty() ? "" : ": " + m.caption);
    } else if (block.question) {
      const Question& q = *block.question;
      say("\n? {}\n", q.ask);
      if (!q.choices.empty()) say("  {}\n", fmt::join(q.choices, " | "));
      if (q.kind == Question::Kind::code) say("  fix {}\n", q.kernel);
    } else if (block.gpus) {
      say("\n{}: {}  (another one with --gpu: {})\n", block.gpus->caption, gpu,
          fmt::join(lessons::lesson_gpus(), ", "));
      std::size_t widest = 0;
      for (const auto& [heading, value] : block.gpus->columns) widest = std::max(widest, heading.size());
      for (const auto& [heading, value] : block.gpus->columns) say("  {:<{}}  {}\n", heading, widest, value);
    } else {
      say("\n{}\n", page::with_aligned_tables(block.markdown));
    }
  }
}

int check_one(const lessons::Lesson& lesson, bool json) {
  lessons::Computer computer{.program = lessons::this_program};
  const lessons::LessonCheck check = lessons::check_lesson(lesson, computer);
  const Diagnostics problems = check.problems();
  const bool wrong = std::ranges::any_of(problems, [](const Diagnostic& d) { return d.severity == Severity::error; });
  report(problems);
  nlohmann::json out = fields("lesson", lesson.name, "ok", !wrong, "moments", nlohmann::json::array(), "questions",
                              nlohmann::json::array());
  for (const lessons::CheckedMoment& m : check.moments) {
    nlohmann::json one = moment_json(*m.moment);
    if (m.step >= 0) one["step"] = m.step;
    out["moments"].push_back(one);
  }
  for (const lessons::CheckedQuestion& q : check.questions) {
    nlohmann::json one = question_json(*q.question);
    if (q.wrong.empty() && !q.answer.text.empty()) one["answer"] = q.answer.text;
    if (q.wrong.empty() && !q.question->why.empty())
      one["why"] = lessons::why_words(*q.question, q.answer, check.facts);
    out["questions"].push_back(one);
  }
  for (const auto& [name, value] : check.facts) out["facts"][name] = value;
  if (!problems.empty()) out["diagnostics"] = diagnostics_json(problems);
  if (json) {
    say(out);
    return wrong ? bad_input : all_good;
  }
  for (const lessons::CheckedQuestion& q : check.questions)
    if (q.wrong.empty())
      say("{:<40} {}{}{}\n", q.question->id,
          q.question->kind == Question::Kind::code ? "the solution is right, the kernel to fix is wrong"
                                                   : q.answer.text,
          q.question->unit.empty() || q.question->kind == Question::Kind::code ? "" : " ",
          q.question->kind == Question::Kind::code ? "" : q.question->unit);
  for (const auto& [name, value] : check.facts) say("{:<40} {}\n", '{' + name + '}', value);
  const auto found = std::ranges::count_if(check.moments, [](const auto& m) { return m.step >= 0; });
  const auto answered = std::ranges::count_if(check.questions, [](const auto& q) { return q.wrong.empty(); });
  say("{} of {} moments found, {} of {} questions computed\n", found, check.moments.size(), answered,
      check.questions.size());
  return wrong ? bad_input : all_good;
}

}  // namespace

int list_lessons(const LessonsOptions& options) {
  const lessons::Progress progress = known_progress();
  Diagnostics wrong;
  nlohmann::json out = fields("lessons", nlohmann::json::array());
  std::string text;
  for (const std::filesystem::path& folder : lessons::lesson_folders(lessons::lessons_directory())) {
    const auto lesson = lessons::read_lesson_as_left(folder, progress);
    if (!lesson) {
      std::ranges::copy(lesson.error(), std::back_inserter(wrong));
      continue;
    }
    const auto known = progress.lessons.find(lesson->name);
    const int answered = known == progress.lessons.end() ? 0 : lessons::answered(known->second, *lesson);
    const std::size_t questions = lesson->questions().size();
    out["lessons"].push_back(fields("name", lesson->name, "title", lesson->title, "summary", lesson->summary, "folder",
                                    lesson->folder.string(), "pages", lesson->pages.size(), "moments",
                                    lesson->moments().size(), "questions", questions, "answered", answered));
    text += fmt::format("{:<28} {} ({} pages, {} of {} questions answered)\n", lesson->name, lesson->title,
                        lesson->pages.size(), answered, questions);
  }
  if (text.empty() && wrong.empty())
    wrong.push_back({.message = "there are no lessons among the assets",
                     .remedy = "set LANESCOPE_ASSETS to the assets folder of the sources"});
  report(wrong);
  if (!wrong.empty()) out["diagnostics"] = diagnostics_json(wrong);
  if (options.json)
    say(out);
  else
    say("{}", text);
  return wrong.empty() ? all_good : bad_input;
}

int show_lesson(const LessonOptions& options) {
  if (options.play)
    return fail_lesson({{.message = "--play opens the window and excludes other options",
                         .remedy = fmt::format("lanescope lesson {} --play", options.name)}},
                       options.json);
  const auto folder = lessons::find_lesson(options.name, lessons::lessons_directory());
  if (!folder) return fail_lesson(folder.error(), options.json);
  auto lesson = lessons::read_lesson(*folder, options.gpu);
  if (!lesson) return fail_lesson(lesson.error(), options.json);
  const int count = static_cast<int>(lesson->pages.size());
  if (options.page > count)
    return fail_lesson(
        {{.message = fmt::format("the lesson has {} pages, so there is no page {}", count, options.page)}},
        options.json);
  if (options.check) return check_one(*lesson, options.json);
  lessons::Computer computer{.program = lessons::this_program};
  lesson = lessons::reported(std::move(*lesson), computer);
  if (!lesson) return fail_lesson(lesson.error(), options.json);
  const int first = options.page > 0 ? options.page : 1, last = options.page > 0 ? options.page : count;
  if (options.json) {
    nlohmann::json out = fields("name", lesson->name, "title", lesson->title, "summary", lesson->summary, "pages",
                                nlohmann::json::array());
    if (!lesson->gpu.empty()) out["gpu"] = lesson->gpu, out["gpus"] = lessons::lesson_gpus();
    for (int p = first; p <= last; ++p)
      out["pages"].push_back(page_json(lesson->pages[static_cast<std::size_t>(p) - 1], p));
    say(out);
    return all_good;
  }
  say("# {}\n\n{}\n", lesson->title, lesson->summary);
  for (int p = first; p <= last; ++p) say_page(lesson->pages[static_cast<std::size_t>(p) - 1], p, count, lesson->gpu);
  return all_good;
}

}  // namespace lanescope::cli
