#include <algorithm>
#include <tuple>

#include "app/engine/prepare/prepare.h"
#include "kernels/base/read_file.h"
#include "kernels/compile/compile_log.h"
#include "kernels/source/cxx/outline.h"
#include "kernels/source/source.h"

namespace lanescope::engine {

Diagnostics from_mistake_on(Diagnostics errors, Diagnostic mistake) {
  const auto follows = [&](const Diagnostic& d) {
    return d.severity == Severity::error && d.file == mistake.file &&
           std::tie(d.line, d.column) >= std::tie(mistake.line, mistake.column);
  };
  auto first = std::ranges::find_if(errors, follows);
  // A bracket that closes nothing is found after what is wrong.
  if (first == errors.end())
    first = std::ranges::find_if(errors, [&](const Diagnostic& d) {
      return d.severity == Severity::error && d.file == mistake.file && d.line == mistake.line;
    });
  if (first == errors.end()) {
    errors.insert(errors.begin(), std::move(mistake));
    return errors;
  }
  const bool only_after = follows(*first);
  const int line = first->line;
  std::erase_if(errors, [&](const Diagnostic& d) {
    return d.severity == Severity::error && (d.file != mistake.file || d.line != line || (only_after && !follows(d)));
  });
  mistake.severity = Severity::note;
  errors.push_back(std::move(mistake));
  return errors;
}

Diagnostics hidden_kernel(const source::Source& source, const compile::Options& options) {
  if (source::has_kernel(source) && !source.header.launches.empty()) return {};
  const std::optional<Diagnostic> mistake = source::text_mistake(source);
  if (!mistake) return {};
  source::Source whole = source;
  // A function without a mark may be the one whose mark cannot be read. Where brackets do not pair up nothing was cut anyway.
  if (source::lexed(source).balanced) whole.device_text = source.active_text;
  whole.header.launches.clear();
  Diagnostics errors;
  if (compile::toolchain(options.forbid_nvrtc).nvrtc) {
    auto compiled = compile::compile(whole, compile::Variant::plain, options);
    if (!compiled) errors = std::move(compiled.error());
  }
  return from_mistake_on(std::move(errors), *mistake);
}

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
