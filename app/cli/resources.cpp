// What the assembler gave each kernel, read from the machine code, and that code as text where a disassembler is there.

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "app/cli/answers/answer.h"
#include "app/cli/answers/problems.h"
#include "app/cli/answers/report.h"
#include "app/cli/answers/say.h"
#include "app/cli/commands.h"
#include "app/engine/prepare/overrides.h"
#include "app/engine/prepare/prepare.h"
#include "kernels/base/plain_name.h"
#include "kernels/compile/compile.h"
#include "profiling/cupti/machine_code.h"

namespace lanescope::cli {
namespace {

using nlohmann::json;

/// Where nvdisasm is asked for and is not there, at the most useful place for the reader: the end.
struct Listing {
  std::vector<cupti::SassLine> code;
  Diagnostics missing;
};

Expected<compile::Compiled> compiled_of(const ResourcesOptions& o, const engine::RunRequest& request) {
  if (engine::is_ptx(request))
    return failure(Diagnostic{.file = o.file,
                              .message = "a PTX file is not assembled here: NVRTC takes CUDA C++ only",
                              .remedy = "open the .cu file from which it was compiled, or use ptxas -v"});
  options::CompileSettings settings = engine::gathered_settings(request);
  auto source =
      source::read(request.file, request.text, {.watch_probes = false, .options = settings.words_beside_header()});
  if (!source) return tl::unexpected(source.error());
  engine::take_settings(settings, *source);
  if (Diagnostics wrong = engine::apply_overrides(request, *source); !wrong.empty())
    return tl::unexpected(std::move(wrong));
  source->header.compile.arch = engine::chosen_arch(request, *source);
  auto made =
      compile::compile(*source, compile::Variant::plain,
                       {.arch = source->header.compile.arch, .extra = {}, .forbid_nvrtc = request.forbid_nvrtc});
  if (!made) return tl::unexpected(made.error());
  if (made->compiled.cubin.empty())
    return failure(Diagnostic{.file = o.file,
                              .message = fmt::format("no machine code is made here ({})", made->compiled.made_by),
                              .remedy = "install NVRTC, see lanescope doctor"});
  return std::move(made->compiled);
}

json json_of(const compile::CubinResources& r, const compile::Compiled& c, const std::string& entry) {
  json out = {{"kernel", entry},
              {"words", compile::assembled_words(c, entry)},
              {"registers", r.registers},
              {"stack_bytes", r.stack_bytes},
              {"barriers", r.barriers},
              {"shared_bytes", r.shared_bytes},
              {"constant_bytes", json::object()}};
  if (const auto told = c.resources.find(entry); told != c.resources.end())
    out["spill_store_bytes"] = told->second.spill_bytes;
  if (const auto loads = c.spill_load_bytes.find(entry); loads != c.spill_load_bytes.end())
    out["spill_load_bytes"] = loads->second;
  for (const auto& [bank, bytes] : r.constant_bytes) out["constant_bytes"][std::to_string(bank)] = bytes;
  if (const auto counts = c.machine.find(entry); counts != c.machine.end()) out["instructions"] = counts->second.all;
  return out;
}

Listing listing_of(const compile::Compiled& c) {
  auto code = cupti::disassemble(c.cubin);
  if (!code) return {.code = {}, .missing = code.error()};
  return {.code = std::move(*code), .missing = {}};
}

/// Machine code under the source line that it comes from, as far as CUPTI tells that.
void print(const std::vector<cupti::SassLine>& code, const std::string& file, const std::string& text) {
  const std::filesystem::path own = std::filesystem::path(plain_name(file)).filename();
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  std::string function;
  int line = -1;
  for (const cupti::SassLine& s : code) {
    if (s.function != function) say("\n{}:\n", function = s.function), line = -1;
    if (s.line != line && s.line > 0 && std::filesystem::path(s.file).filename() == own &&
        static_cast<std::size_t>(s.line) <= lines.size())
      say("{:>5}  {}\n", s.line, lines[static_cast<std::size_t>(s.line) - 1]);
    line = s.line;
    say("           {:#06x}  {}\n", s.offset, s.text);
  }
}

}  // namespace

int resources(const ResourcesOptions& options) {
  const Opened opened = open(options);
  Answer answer = refused_answer(opened, options.file);
  if (opened.refused) return print(answer, options.json);
  const auto compiled = compiled_of(options, opened.request);
  if (!compiled) {
    answer.diagnostics = compiled.error();
    answer.status = compile::toolchain(options.no_nvrtc).nvrtc ? bad_input : not_here;
    return print(answer, options.json);
  }
  answer.status = all_good;
  answer.diagnostics = compiled->warnings;
  answer.json = {
      {"file", options.file}, {"arch", compiled->arch}, {"compiler", compiled->made_by}, {"kernels", json::array()}};
  std::string text = fmt::format("{}, {}\n", compiled->made_by, compiled->arch);
  for (const auto& [entry, r] : compiled->cubin_resources) {
    answer.json["kernels"].push_back(json_of(r, *compiled, entry));
    text += fmt::format("  {}: {}\n", entry, compile::assembled_words(*compiled, entry));
  }
  Listing listing;
  if (options.sass) {
    listing = listing_of(*compiled);
    answer.diagnostics.insert(answer.diagnostics.end(), listing.missing.begin(), listing.missing.end());
    if (!listing.missing.empty()) answer.status = not_here;
    for (const cupti::SassLine& s : listing.code)
      answer.json["sass"].push_back(
          {{"function", s.function}, {"offset", s.offset}, {"text", s.text}, {"line", s.line}});
  }
  if (!options.json) say("{}", text);
  const int status = print(answer, options.json);
  if (!options.json && !listing.code.empty()) print(listing.code, options.file, opened.request.text);
  return status;
}

}  // namespace lanescope::cli
