
#include <fmt/format.h>

#include "app/engine/prepare/prepare.h"

namespace lanescope::engine {
namespace {

bool is_cap(std::string_view option) { return option.find("maxrregcount") != std::string_view::npos; }

/// `-maxrregcount 32` is two words, `maxrregcount=32` one.
void drop_caps(std::vector<std::string>& options) {
  for (auto at = options.begin(); at != options.end();) {
    if (!is_cap(*at)) {
      ++at;
      continue;
    }
    const bool two_words = at->find('=') == std::string::npos && at + 1 != options.end();
    at = options.erase(at, at + (two_words ? 2 : 1));
  }
}

results::RegisterLimit compile_with(const source::Source& source, int cap, std::size_t launch,
                                    const RunRequest& request) {
  results::RegisterLimit row{.cap = cap};
  if (cap < 0) {
    row.refused = "a register limit cannot be negative";
    return row;
  }
  compile::Options options{.arch = source.header.compile.arch, .forbid_nvrtc = request.forbid_nvrtc};
  if (cap > 0) options.extra = {fmt::format("--maxrregcount={}", cap)};
  const auto made = compile::compile(source, compile::Variant::plain, options);
  if (!made) {
    row.refused = made.error().front().message;
    return row;
  }
  const compile::Compiled& c = made->compiled;
  const auto r = launch < c.entry_names.size() ? c.resources.find(c.entry_names[launch]) : c.resources.end();
  if (r == c.resources.end()) {
    row.refused = "the compiler does not report the number of registers";
    return row;
  }
  row.registers = r->second.registers;
  row.spill_bytes = r->second.spill_bytes;
  row.local_bytes = r->second.local_bytes;
  return row;
}

}  // namespace

Expected<std::vector<results::RegisterLimit>> register_caps(const RunRequest& request, const std::vector<int>& caps,
                                                            const std::atomic<bool>* cancel) {
  if (is_ptx(request))
    return failure(Diagnostic{.file = request.file,
                              .message = "a PTX file cannot be compiled with a register limit",
                              .remedy = "open the .cu file from which it was compiled"});
  Expected<source::Source> source = source_to_compile(request);
  if (!source) return tl::unexpected(source.error());
  const auto launch = static_cast<std::size_t>(choose_launch(request, *source));
  source::Source uncapped = *source;
  drop_caps(uncapped.header.compile.options);
  std::vector<results::RegisterLimit> rows;
  for (const int cap : caps) {
    if (cancel && cancel->load()) break;
    rows.push_back(compile_with(cap > 0 ? uncapped : *source, cap, launch, request));
  }
  return rows;
}

}  // namespace lanescope::engine
