#include "app/cli/answer.h"

#include <fmt/format.h>

#include "app/cli/report.h"

namespace lanescope::cli {

int print(const Answer& answer, bool as_json) {
  report(answer.diagnostics);
  if (answer.json.is_null()) return answer.status;
  if (as_json)
    fmt::print("{}\n", answer.json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace));
  else
    fmt::print("{}", answer.text);
  return answer.status;
}

std::unique_ptr<engine::Engine> engine_for(const KernelOptions& options) {
  if (options.via.empty()) return engine::engine_here();
  engine::ClientOptions client = engine::via_options(options.via.front());
  client.hello_limit = std::chrono::seconds(options.via_wait_seconds);
  client.run_limit = std::chrono::hours(24);  // as long as in this process: --max-steps ends runaway loops
  client.answer_limit = std::chrono::minutes(10);
  return engine::engine_behind(std::move(client), [](const std::string& sentence) { report("", sentence, ""); });
}

}  // namespace lanescope::cli
