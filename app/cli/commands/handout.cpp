// `lanescope handout`: a run, a kernel's moments or a lesson as a file to take away.

#include <fmt/format.h>

#include <filesystem>

#include "app/cli/commands/commands.h"
#include "app/document/file_io.h"
#include "app/handout/write.h"
#include "app/lessons/moments_file.h"
#include "kernels/base/json_fields.h"
#include "kernels/base/read_file.h"

namespace lanescope::cli {
namespace {

constexpr std::string_view moments_ending = ".moments.toml";

Answer refused_handout(const Diagnostics& why) { return {.status = bad_input, .diagnostics = why}; }

void write_document(Answer& answer, const page::Document& document, const HandoutOptions& options) {
  if (const Diagnostics wrong = handout::wrong_moments(document, options.output); !wrong.empty()) {
    answer.refuse(wrong);
    return;
  }
  const auto written = handout::write(document, options.output, {.theme = options.theme, .scale = options.scale});
  if (!written) {
    answer.refuse(written.error(), worse(answer.status, not_here));
    return;
  }
  put_fields(answer.json, "output", options.output, "bytes", written->bytes, "steps", written->steps);
  put_known(answer.json, "slides", written->slides);
}

Answer run_handout(const HandoutOptions& options) {
  Diagnostics lost = overwritten(options, options.output);
  Opened opened = lost.empty() ? open(options) : refuse(std::move(lost));
  Answer answer = refused_answer(opened, options.file);
  if (opened.refused) return answer;
  opened.request.record_block = options.block;
  opened.request.review = true;
  const auto engine = engine_for(options);
  const engine::RunResult result = engine->run(opened.request);
  answer.status = status_of(result.ending);
  answer.add(result.summary.diagnostics);
  add_run(answer.json, result.summary);
  if (!result.summary.ok) return answer;
  const auto document = handout::document_of_run(
      *engine, result, opened.request.text, {.warp = options.warp, .most_steps = options.most_steps, .at = options.at});
  if (!document) return answer.refuse(document.error());
  write_document(answer, *document, options);
  return answer;
}

/// The moments of a file, or the one that --at names.
Expected<page::Document> moments_document(const HandoutOptions& options) {
  const std::string& file = options.file;
  const std::string stem = file.substr(0, file.size() - moments_ending.size());
  const auto text = LS_TRY(document::read_text(file));
  std::error_code unreadable;
  const std::string kernel = stem + (std::filesystem::exists(stem + ".ptx", unreadable) ? ".ptx" : ".cu");
  if (real_path(kernel).filename() != std::filesystem::path(kernel).filename())
    return failure(Diagnostic{.file = kernel,
                              .message = "the kernel beside the moments is a link to a file of another name",
                              .remedy = "put the kernel itself there"});
  auto moments = LS_TRY(lessons::read_moments(text, file, kernel));
  if (!options.at.empty()) std::erase_if(moments, [&](const lessons::SavedMoment& m) { return m.name != options.at; });
  if (!options.at.empty() && moments.empty())
    return failure(Diagnostic{.file = file,
                              .message = fmt::format("there is no moment '{}'", options.at),
                              .remedy = "name one as the file does"});
  const bool picture = options.output.ends_with(".png") || options.output.ends_with(".svg");
  return handout::document_of_moments(moments, file,
                                      picture ? handout::Movements::as_saved : handout::Movements::five_positions);
}

Expected<page::Document> lesson_document(const std::string& name, const std::string& gpu) {
  return lessons::find_lesson(name, lessons::lessons_directory())
      .and_then([&](const std::filesystem::path& folder) { return lessons::read_lesson(folder, gpu); })
      .and_then([](const lessons::Lesson& lesson) {
        lessons::Computer computer{.program = lessons::this_program};
        return handout::document_of_lesson(lesson, computer);
      });
}

bool is_kernel_file(const std::string& name) {
  const std::string ending = std::filesystem::path(name).extension().string();
  std::error_code unreadable;
  return ending == ".cu" || ending == ".cuh" || ending == ".ptx" || std::filesystem::is_regular_file(name, unreadable);
}

Answer handout_answer(const HandoutOptions& options) {
  if (Diagnostics wrong = handout::wrong_handout(options.output, options.theme); !wrong.empty())
    return refused_handout(wrong);
  const bool moments = options.file.ends_with(moments_ending);
  if (!moments && is_kernel_file(options.file)) {
    if (!options.gpu.empty())
      return refused_handout(
          {{.message = "--gpu belongs to a lesson with a choice of a GPU", .remedy = "omit it, or name a lesson"}});
    return run_handout(options);
  }
  for (const std::string& option : options.given)
    if (option != "--output" && option != "--theme" && option != "--scale" && option != "--json" &&
        !(moments && option == "--at") && !(!moments && option == "--gpu"))
      return refused_handout({{.message = fmt::format("{} belongs to a run, not to moments or a lesson", option),
                               .remedy = "omit it, or name a kernel file"}});
  const auto document = moments ? moments_document(options) : lesson_document(options.file, options.gpu);
  if (!document) return refused_handout(document.error());
  Answer answer;
  write_document(answer, *document, options);
  return answer;
}

}  // namespace

int write_handout(const HandoutOptions& options) { return print(handout_answer(options), options.json); }

}  // namespace lanescope::cli
