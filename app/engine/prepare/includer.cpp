#include "app/engine/prepare/prepare.h"

#include <algorithm>

#include "kernels/base/read_file.h"
#include "kernels/compile/compile_log.h"
#include "kernels/source/cxx/outline.h"

namespace lanescope::engine {

bool failed_as_part(const Diagnostics& diagnostics) {
  return std::ranges::any_of(diagnostics, [](const Diagnostic& d) {
    return d.severity == Severity::error && d.code == DiagnosticCode::part_of_other_file;
  });
}

std::optional<RunRequest> request_of_includer(const RunRequest& request) {
  const auto own = read_file(request.file);
  if (!own || *own != request.text) return std::nullopt;
  const auto includer = compile::only_includer(request.file);
  if (!includer) return std::nullopt;
  const auto text = read_file(includer->string());
  if (!text) return std::nullopt;
  RunRequest out = request;
  out.file = includer->string();
  out.text = *text;
  const source::Lexed lexed = source::lex(*own);
  if (out.kernel.empty() && lexed.mistakes.empty())
    for (const source::FunctionRange& f : source::outline(lexed).functions)
      if (f.info.is_kernel && out.kernel.empty()) out.kernel = f.info.name;
  return out;
}

}  // namespace lanescope::engine
