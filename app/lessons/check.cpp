#include "app/lessons/answer.h"

#include <algorithm>
#include <tuple>

#include <fmt/format.h>

#include "app/engine/remote/engine.h"
#include "app/lessons/moments_file.h"
#include "kernels/base/read_file.h"

namespace lanescope::lessons {
namespace {

struct Run {
  std::string text;
  results::Summary summary;
  Diagnostics wrong;
};

Run run_for(const SavedMoment& m) {
  Run out;
  const auto text = read_file(m.kernel);
  if (!text) {
    out.wrong = text.error();
    return out;
  }
  out.text = *text;
  engine::RunRequest request{
      .file = m.kernel, .text = *text, .record_block = m.block, .record_launch = m.launch, .limit_seconds = 60};
  out.summary = engine::engine_here()->run(request).summary;
  if (!out.summary.ok) {
    for (const Diagnostic& d : out.summary.diagnostics)
      if (d.severity == Severity::error) out.wrong.push_back(d);
    if (out.wrong.empty()) out.wrong.push_back({.file = m.kernel, .message = "the kernel did not run"});
  }
  return out;
}

CheckedQuestion check_question(const Lesson& lesson, const Question& q, Computer& computer) {
  CheckedQuestion out{.question = &q};
  const auto complain = [&](std::string message, std::string remedy) {
    out.wrong.push_back({.file = (lesson.folder / "lesson.md").string(),
                         .line = q.line,
                         .column = 1,
                         .message = fmt::format("question `{}`: {}", q.id, message),
                         .remedy = std::move(remedy)});
  };
  if (q.kind != Question::Kind::code) {
    if (auto answer = compute_answer(lesson, q, computer))
      out.answer = std::move(*answer);
    else
      out.wrong = answer.error();
    return out;
  }
  const auto broken = check_code(lesson, q, (lesson.folder / q.kernel).string(), computer);
  const auto mended = check_code(lesson, q, (lesson.folder / q.solution).string(), computer);
  for (const auto* verdict : {&broken, &mended})
    if (!*verdict) std::ranges::copy(verdict->error(), std::back_inserter(out.wrong));
  if (broken && broken->right) complain(fmt::format("{} is right already", q.kernel), "the kernel to fix must fail");
  if (mended && !mended->right)
    complain(fmt::format("the solution {} is not right: {}", q.solution, mended->reason), "fix the solution");
  if (mended) out.answer.text = mended->value;
  return out;
}

}  // namespace

Diagnostics LessonCheck::problems() const {
  Diagnostics out;
  for (const CheckedMoment& m : moments) std::ranges::copy(m.remarks, std::back_inserter(out));
  for (const CheckedQuestion& q : questions) std::ranges::copy(q.wrong, std::back_inserter(out));
  std::ranges::copy(wrong_facts, std::back_inserter(out));
  return out;
}

LessonCheck check_lesson(const Lesson& lesson, Computer& computer) {
  LessonCheck out;
  if (auto facts = compute_facts(lesson, computer))
    out.facts = std::move(*facts);
  else
    out.wrong_facts = facts.error();
  const std::string file = (lesson.folder / "lesson.md").string();
  std::map<std::tuple<std::string, int, std::uint32_t>, Run> runs;
  for (const Page& page : lesson.pages)
    for (const Block& block : page.blocks) {
      if (block.question) out.questions.push_back(check_question(lesson, *block.question, computer));
      if (!block.moment) continue;
      const SavedMoment& m = *block.moment;
      const auto key = std::tuple(m.kernel, m.launch, m.block);
      if (!runs.contains(key)) runs.emplace(key, run_for(m));
      const Run& run = runs.at(key);
      CheckedMoment checked{.moment = &m, .step = -1, .remarks = run.wrong};
      if (run.wrong.empty()) {
        const auto place = resolve(m, run.text, run.summary);
        if (place) checked.step = place->selection.step;
        checked.remarks = place ? place->remarks : place.error();
        for (Diagnostic& d : checked.remarks) {
          d.file = file, d.line = block.line, d.column = 1;
          d.message = fmt::format("moment of {}: {}", std::filesystem::path(m.kernel).filename().string(), d.message);
        }
      }
      out.moments.push_back(std::move(checked));
    }
  return out;
}

}  // namespace lanescope::lessons
