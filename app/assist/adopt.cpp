#include "app/assist/adopt.h"

#include <fmt/format.h>

#include "kernels/base/byte_order_mark.h"
#include "kernels/source/header/header_text.h"

namespace lanescope::assist {
namespace {

/// With the ends of lines that the file has.
std::string with_line_ends_of(std::string_view file, std::string header) {
  const std::size_t first = file.find('\n');
  if (first == std::string_view::npos || first == 0 || file[first - 1] != '\r') return header;
  std::string out;
  for (const char c : header) {
    if (c == '\n') out += '\r';
    out += c;
  }
  return out;
}

}  // namespace

Expected<Adoption> adopt(std::string_view file, std::string_view text, const source::ReadOptions& options) {
  const Expected<source::Source> source = source::read(file, text, options);
  if (!source) return tl::unexpected<Diagnostics>(source.error());
  if (source->header.present)
    return failure(Diagnostic{.file = std::string(file),
                              .message = "this file has a launch header",
                              .remedy = "edit it; docs/kernel-files.md lists its keys"});
  if (source->header.launches.empty() || source->header.launches.front().kernel.empty()) {
    if (std::optional<Diagnostic> mistake = source::text_mistake(*source)) return failure(std::move(*mistake));
    return failure(Diagnostic{.file = std::string(file),
                              .message = "there is no kernel in this file",
                              .remedy = "name a file with a __global__ function"});
  }
  Adoption out{.inferred = source->header.inferred, .questions = sentences_of(source->header.assumed)};
  out.header = with_line_ends_of(text, source::header_text(source->header, out.questions));
  const std::string_view rest = without_byte_order_mark(text);
  out.text = fmt::format("{}{}{}", text.substr(0, text.size() - rest.size()), out.header, rest);
  return out;
}

}  // namespace lanescope::assist
