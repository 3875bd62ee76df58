// The kernels of a file, and the instances that its host code launches: what --kernel takes.

#include <fmt/format.h>

#include "app/cli/answers/problems.h"
#include "app/cli/answers/report.h"
#include "app/cli/commands/commands.h"
#include "app/document/file_io.h"
#include "kernels/base/json_fields.h"
#include "kernels/source/source.h"

namespace lanescope::cli {
namespace {

std::string extents_words(const std::array<std::uint32_t, 3>& e) {
  if (e[0] == 0) return "?";
  std::string out = fmt::format("{}", e[0]);
  if (e[1] > 1 || e[2] > 1) out += fmt::format(" x {}", e[1]);
  if (e[2] > 1) out += fmt::format(" x {}", e[2]);
  return out;
}

}  // namespace

int kernels(const KernelsOptions& options) {
  nlohmann::json out = fields("file", options.file, "kernels", nlohmann::json::array());
  const auto fail = [&](const Diagnostics& wrong) {
    return print({.status = bad_input, .diagnostics = wrong, .json = out}, options.json);
  };
  const auto text = document::read_typed_text(options.file);
  if (!text) return fail(text.error());
  const auto source = source::read(options.file, *text, {.watch_probes = false});
  if (!source) return fail(source.error());
  if (source->instances.empty())
    if (const std::optional<Diagnostic> mistake = source::text_mistake(*source)) return fail({*mistake});
  for (const source::KernelInstance& k : source->instances) {
    nlohmann::json one = fields("kernel", k.kernel, "line", k.line, "launches", k.launches, "runs", k.chosen);
    if (k.line > 0) put_line(one, source->lines, k.line);
    put_known(one, "function", k.function);
    const std::string where = k.line > 0 ? "  " + source->lines.words(k.line) : "";  // 0: in another file's host code
    if (k.launches > 0) {
      if (k.grid[0] > 0) one["grid"] = k.grid;
      if (k.block[0] > 0) one["block"] = k.block;
      put_fields(one, "dynamic_shared_bytes", k.dynamic_shared_bytes, "certain", k.certain);
    }
    out["kernels"].push_back(std::move(one));
    if (options.json) continue;
    if (k.launches == 0) {
      say("{}{}{}: {}\n", k.chosen ? "* " : "  ", k.kernel, where,
          k.function.empty() ? "not launched in this file"
                             : fmt::format("calls `{}` by itself with the input that is stated there", k.function));
      continue;
    }
    say("{}{}{}: {} launch{}, grid {}, block {}{}{}\n", k.chosen ? "* " : "  ", k.kernel, where, k.launches,
        k.launches == 1 ? "" : "es", extents_words(k.grid), extents_words(k.block),
        k.dynamic_shared_bytes > 0 ? fmt::format(", {} bytes of dynamic shared memory", k.dynamic_shared_bytes) : "",
        k.certain ? "" : "; whether it is launched is unknown");
  }
  if (options.json) say(out);
  if (!options.json && source->instances.empty()) say("no kernels\n");
  return all_good;
}

}  // namespace lanescope::cli
