// The launch header of a strange file, written from what was inferred.

#include "app/assist/adopt.h"

#include "app/cli/commands/commands.h"
#include "app/document/file_io.h"
#include "kernels/base/json_fields.h"
#include "kernels/base/write_file.h"

namespace lanescope::cli {

int adopt(const AdoptOptions& options) {
  Answer answer{.json = fields("file", options.file)};
  const auto fail = [&](Diagnostics wrong, Status status) {
    answer.diagnostics = std::move(wrong);
    answer.status = status;
    return print(answer, options.json);
  };
  const std::string path = options.in_place ? options.file : options.output;
  if (!options.output.empty())
    if (Diagnostics wrong = wrong_target(options.output); !wrong.empty()) return fail(std::move(wrong), bad_input);
  const auto text = document::read_typed_text(options.file);
  if (!text) return fail(text.error(), bad_input);
  Expected<assist::Adoption> adopted =
      assist::adopt(options.file, *text, {.watch_probes = false, .kernel = options.kernel});
  if (!adopted) return fail(std::move(adopted.error()), bad_input);
  put_known(answer.json, "inferred", adopted->inferred, "questions", adopted->questions);
  answer.json["header"] = adopted->header;
  if (path.empty()) {
    answer.json["text"] = adopted->text;
    answer.content = std::move(adopted->text);
    return print(answer, options.json);
  }
  if (auto written = write_file(path, adopted->text); !written) return fail(std::move(written.error()), not_here);
  answer.json["output"] = path;
  for (const std::string& sentence : adopted->inferred) answer.text += fmt::format("from the file: {}\n", sentence);
  for (const std::string& sentence : adopted->questions) answer.text += fmt::format("please check: {}\n", sentence);
  answer.text += fmt::format("{}: a launch header was written; nothing else was changed\n", path);
  return print(answer, options.json);
}

}  // namespace lanescope::cli
