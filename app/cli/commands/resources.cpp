// Resources of each kernel, read from the machine code, and that code as text where a disassembler is installed.

#include <fmt/format.h>

#include <algorithm>

#include "app/cli/answers/problems.h"
#include "app/cli/answers/report.h"
#include "app/cli/commands/commands.h"
#include "app/engine/hardware/machine_code.h"
#include "kernels/base/json_fields.h"
#include "kernels/base/text.h"
#include "kernels/compile/compile.h"

namespace lanescope::cli {
namespace {

using nlohmann::json;

json json_of(const compile::CubinResources& r, const compile::Compiled& c, const std::string& entry) {
  json out =
      fields("kernel", entry, "words", compile::assembled_words(c, entry), "registers", r.registers, "stack_bytes",
             r.stack_bytes, "barriers", r.barriers, "shared_bytes", r.shared_bytes, "constant_bytes", json::object());
  if (const auto reported = c.resources.find(entry); reported != c.resources.end())
    out["spill_store_bytes"] = reported->second.spill_bytes;
  if (const auto loads = c.spill_load_bytes.find(entry); loads != c.spill_load_bytes.end())
    out["spill_load_bytes"] = loads->second;
  for (const auto& [bank, bytes] : r.constant_bytes) out["constant_bytes"][std::to_string(bank)] = bytes;
  if (const auto counts = c.machine.find(entry); counts != c.machine.end()) out["instructions"] = counts->second.all;
  return out;
}

/// Machine code under the source line that it comes from, beside the instruction of the PTX that it was assembled from.
void print(const results::Measured& code, const std::string& text) {
  const std::vector<std::string_view> lines = split_lines(text);
  std::size_t widest = 0;
  for (const results::SassRow& s : code.sass) widest = std::max(widest, s.text.size());
  std::string function;
  int line = -1, ptx_line = 0;
  for (const results::SassRow& s : code.sass) {
    if (s.function != function) say("\n{}:\n", function = s.function), line = -1, ptx_line = 0;
    if (s.line != line && s.line > 0 && static_cast<std::size_t>(s.line) <= lines.size())
      say("{:>5}  {}\n", s.line, lines[static_cast<std::size_t>(s.line) - 1]);
    line = s.line;
    if (s.ptx_line > 0 && s.ptx_line != ptx_line)
      say("           {:#06x}  {:{}}  // {}\n", s.offset, s.text, std::min<std::size_t>(widest, 52), s.ptx);
    else
      say("           {:#06x}  {}\n", s.offset, s.text);
    ptx_line = s.ptx_line;
  }
}

}  // namespace

int resources(const ResourcesOptions& options) {
  const Opened opened = open(options);
  Answer answer = refused_answer(opened, options.file);
  if (opened.refused) return print(answer, options.json);
  const auto compiled = engine::compile_plain(opened.request);
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
  results::Measured code;
  if (options.sass) {
    code = engine::machine_code(opened.request);
    if (code.sass.empty()) answer.status = not_here;
    for (const Diagnostic& d : code.refused)
      if (d.severity != Severity::note) answer.diagnostics.push_back(d);  // notes are what stands above
    for (const results::SassRow& s : code.sass) {
      nlohmann::json row = fields("function", s.function, "offset", s.offset, "text", s.text, "line", s.line);
      if (s.ptx_line > 0) row["ptx_line"] = s.ptx_line, row["ptx"] = s.ptx;
      answer.json["sass"].push_back(std::move(row));
    }
  }
  if (!options.json) say("{}", text);
  const int status = print(answer, options.json);
  if (!options.json && !code.sass.empty()) print(code, opened.request.text);
  return status;
}

}  // namespace lanescope::cli
