#include <filesystem>

#include "app/cli/answers/report.h"
#include "app/cli/commands/commands.h"
#include "kernels/base/json_fields.h"
#include "kernels/base/write_file.h"

namespace lanescope::cli {
namespace {

bool is_ptx(const std::string& path) { return std::filesystem::path(path).extension() == ".ptx"; }

/// Options that are wrong for any file.
Diagnostics wrong_options(const AnnotateOptions& o) {
  if (is_ptx(o.file))
    return {{.file = o.file,
             .message = "PTX has no assignment comments to write",
             .remedy = "annotate the .cu file that it was made from"}};
  if (is_ptx(o.output))
    return {
        {.file = o.output, .message = "the text with its comments is CUDA C++, not PTX", .remedy = "name a .cu file"}};
  return o.output.empty() ? Diagnostics{} : wrong_target(o.output);
}

Answer annotate_answer(const AnnotateOptions& options, const Opened& opened) {
  if (opened.refused) return refused_answer(opened, options.file);
  const auto engine = engine_for(options);
  engine::Ending ending{};
  auto annotation = engine->ask<engine::ask::Annotate>(opened.request, &ending);
  Answer answer{.json = fields("file", options.file)};
  if (!annotation) {
    answer.diagnostics = std::move(annotation.error());
    answer.status = status_of(ending);
    if (answer.status == all_good) answer.status = not_here;
    return answer;
  }
  answer.diagnostics = annotation->warnings;
  if (annotation->ending == engine::Ending::cannot_here) answer.status = not_here;  // not all of the run was seen
  put_fields(answer.json, "kernel", annotation->kernel, "arch", annotation->arch, "compiler", annotation->compiler);
  put_known(answer.json, "inferred", annotation->inferred);
  add_notices(answer.json, annotation->notices);
  const std::string path = options.in_place ? options.file : options.output;
  answer.json["claims_written"] = annotation->claims_written;
  if (path.empty()) {
    answer.json["text"] = annotation->text;
    answer.content = std::move(annotation->text);
    return answer;
  }
  if (auto written = write_file(path, annotation->text); !written) {
    answer.json.erase("claims_written");
    return answer.refuse(written.error(), not_here);
  }
  answer.json["output"] = path;
  answer.text = fmt::format("{}: {} assignment comment{} written\n", path, annotation->claims_written,
                            annotation->claims_written == 1 ? "" : "s");
  return answer;
}

}  // namespace

int annotate(const AnnotateOptions& options) {
  Diagnostics wrong = wrong_options(options);
  const Opened opened = wrong.empty() ? open(options) : refuse(std::move(wrong));
  return print(annotate_answer(options, opened), options.json);
}

}  // namespace lanescope::cli
