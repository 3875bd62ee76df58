// `lanescope handout`: a run as a file to take away.

#include <fmt/format.h>

#include <filesystem>

#include "app/cli/answers/answer.h"
#include "app/cli/commands.h"
#include "app/handout/run_document.h"
#include "app/handout/write.h"
#include "kernels/base/write_file.h"

namespace lanescope::cli {
namespace {

Answer handout_answer(const HandoutOptions& options) {
  Diagnostics wrong = handout::wrong_handout(options.output, options.theme);
  if (wrong.empty()) wrong = overwritten(options, options.output);
  Opened opened = wrong.empty() ? open(options) : refuse(std::move(wrong));
  Answer answer = refused_answer(opened, options.file);
  if (opened.refused) return answer;
  opened.request.record_block = options.block;
  opened.request.review = true;
  const auto engine = engine_for(options);
  const engine::RunResult result = engine->run(opened.request);
  const auto add = [&](const Diagnostics& more) {
    answer.diagnostics.insert(answer.diagnostics.end(), more.begin(), more.end());
  };
  answer.status = status_of(result.ending);
  add(result.summary.diagnostics);
  add_run(answer.json, result.summary);
  if (!result.summary.ok) return answer;
  const auto document = handout::document_of_run(
      *engine, result, opened.request.text, {.warp = options.warp, .most_steps = options.most_steps, .at = options.at});
  if (!document) return add(document.error()), answer.status = bad_input, answer;
  const auto written = handout::write(*document, options.output, {.theme = options.theme, .scale = options.scale});
  if (!written) return add(written.error()), answer.status = worse(answer.status, not_here), answer;
  answer.json["output"] = options.output;
  answer.json["bytes"] = written->bytes;
  answer.json["steps"] = written->steps;
  if (written->slides > 0) answer.json["slides"] = written->slides;
  return answer;
}

}  // namespace

int write_handout(const HandoutOptions& options) { return print(handout_answer(options), options.json); }

}  // namespace lanescope::cli
