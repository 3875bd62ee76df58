#include "app/cli/answer.h"

#include <cstdio>
#include <cstdlib>

#include "app/cli/problems.h"
#include "app/cli/say.h"

namespace lanescope::cli {

Answer refused_answer(const Opened& opened, const std::string& file) {
  return {.status = opened.refused.value_or(bad_input),
          .diagnostics = opened.diagnostics,
          .json = {{"file", file}},
          .text = {}};
}

nlohmann::json json_of(const Answer& answer) {
  nlohmann::json out = answer.json;
  if (!answer.diagnostics.empty()) out["diagnostics"] = diagnostics_json(answer.diagnostics);
  return out;
}

int print(const Answer& answer, bool as_json) {
  report(answer.diagnostics);
  if (as_json)
    say(json_of(answer));
  else
    put(answer.text);
  return answer.status;
}

std::unique_ptr<engine::Engine> engine_for(const KernelOptions& options) {
  // What is stuck in this process ends with it: the compiler cannot be stopped.
  const auto overdue = [file = options.file, json = options.json](const Diagnostic& late) {
    print({.status = not_here, .diagnostics = {late}, .json = {{"file", file}}, .text = {}}, json);
    std::fflush(stdout);
    std::_Exit(not_here);
  };
  if (options.via.empty()) return engine::engine_here(overdue);
  engine::ClientOptions client = engine::via_options(options.via.front());
  client.hello_limit = std::chrono::seconds(options.via_wait_seconds);
  client.run_limit = std::chrono::hours(24);  // as long as in this process: --max-steps ends runaway loops
  client.answer_limit = std::chrono::minutes(10);
  return engine::engine_behind(std::move(client), [](const std::string& sentence) { report("", sentence, ""); });
}

}  // namespace lanescope::cli
