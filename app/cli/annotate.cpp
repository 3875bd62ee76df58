#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "app/cli/answer.h"
#include "app/cli/report.h"
#include "app/document/file_io.h"

namespace lanescope::cli {

int annotate(const AnnotateOptions& options) {
  auto [request, refused] = open(options);
  if (refused) return *refused;
  const auto engine = engine_for(options);
  auto [annotation, ending] = engine->annotate(request);
  if (!annotation) {
    report(annotation.error());
    const Status status = status_of(ending);
    return status == all_good ? not_here : status;
  }
  const std::string path = options.in_place ? options.file : options.output;
  if (!path.empty())
    if (auto written = document::write_file(path, annotation->text); !written) {
      report(written.error());
      return bad_input;
    }
  if (options.json) {
    nlohmann::json out = {{"file", options.file}, {"claims_written", annotation->claims_written}};
    if (path.empty())
      out["text"] = annotation->text;
    else
      out["output"] = path;
    fmt::print("{}\n", out.dump(2, ' ', false, nlohmann::json::error_handler_t::replace));
  } else if (path.empty()) {
    fmt::print("{}", annotation->text);
  } else {
    fmt::print("{}: {} assignment comment{} written\n", path, annotation->claims_written,
               annotation->claims_written == 1 ? "" : "s");
  }
  return all_good;
}

}  // namespace lanescope::cli
