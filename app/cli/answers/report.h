#pragma once
// Shared by all subcommands: diagnostics on standard error, exit statuses, sessions from options.

#include <optional>
#include <string>
#include <type_traits>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/cli/answers/options.h"
#include "app/engine/requests/requests.h"
#include "app/engine/requests/run_result.h"
#include "kernels/base/standard_streams.h"
#include "kernels/base/visible.h"

namespace lanescope::cli {

/// `file:line:column: message; remedy`, one per line, on standard error.
void report(const Diagnostics& diagnostics);
void report(std::string file, std::string message, std::string remedy);

/// The request for a file and its options; reads the file and, for PTX, its launch text. Nothing is printed.
struct Opened {
  engine::RunRequest request;
  std::optional<Status> refused;
  Diagnostics diagnostics;  ///< why
};
Opened open(const KernelOptions& options);
/// The same for options that are wrong in themselves; `status`: another one, for a timeout.
Opened refuse(Diagnostics why, Status status = bad_input);

/// A file to write that a run also reads: its kernel, its launch text or a file of `also`. Empty: it is none of them.
Diagnostics overwritten(const KernelOptions& options, const std::string& output,
                        const std::vector<std::string>& also = {});

/// Exit status of a run that is over.
Status status_of(engine::Ending ending);

/// The worse of two: bad input before a wrong kernel before impossible here.
Status worse(Status a, Status b);

// Standard output of the subcommands. Nothing here throws or stops: lost output sets the exit status of the program
// (kernels/base/standard_streams.h).

template <class... T>
void say(fmt::format_string<T...> format, T&&... values) {
  put(fmt::format(format, std::forward<T>(values)...));
}

/// In one line, with invalid UTF-8 replaced.
inline std::string line_of(const nlohmann::json& out) {
  return visible_json(out.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
}

/// In several lines, with invalid UTF-8 replaced.
template <class Json>
requires std::is_same_v<Json, nlohmann::json>  // a text is no JSON
inline void say(const Json& out) {
  put(visible_json(out.dump(2, ' ', false, nlohmann::json::error_handler_t::replace)) + "\n");
}

}  // namespace lanescope::cli
