#include "app/engine/hardware/machine_code.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "app/engine/prepare/prepare.h"
#include "kernels/base/plain_name.h"
#include "kernels/base/text.h"
#include "kernels/compile/cubin/cubin_file.h"

namespace lanescope::engine {
namespace {

struct CompiledPlain {
  source::Source source;
  compile::Compiled compiled;
};

Expected<CompiledPlain> compiled_plain(const RunRequest& request) {
  if (is_ptx(request))
    return failure(Diagnostic{.file = request.file,
                              .message = "a PTX file is not assembled here: NVRTC takes CUDA C++ only",
                              .remedy = "open the .cu file from which it was compiled, or use ptxas -v"});
  source::Source source = LS_TRY(source_to_compile(request));
  auto made = LS_TRY(compile::compile(source, compile::Variant::plain,
                                      {.arch = source.header.compile.arch, .forbid_nvrtc = request.forbid_nvrtc}));
  if (made.compiled.cubin.empty())
    return failure(Diagnostic{.file = request.file,
                              .message = fmt::format("no machine code is made here ({})", made.compiled.made_by),
                              .remedy = "install NVRTC, see lanescope doctor"});
  return CompiledPlain{std::move(source), std::move(made.compiled)};
}

/// With one blank between words.
std::string spaced_out(std::string_view line) {
  std::string out;
  for (const char c : trimmed(line)) {
    const bool blank = c == ' ' || c == '\t';
    if (!blank || (!out.empty() && out.back() != ' ')) out += blank ? ' ' : c;
  }
  return out;
}

/// Without the NOP that fill the room after the last instruction of each function.
std::vector<cupti::SassLine> without_padding(std::vector<cupti::SassLine> code) {
  std::vector<cupti::SassLine> out;
  std::string_view after;  // the function whose end was passed, from after
  bool ended = false;
  for (auto l = code.rbegin(); l != code.rend(); ++l) {
    if (l->function != after || l == code.rbegin()) after = l->function, ended = false;
    ended = ended || l->text != "NOP";
    if (ended) out.push_back(*l);
  }
  std::ranges::reverse(out);
  return out;
}

/// Without a disassembler: what the machine code itself reports.
Diagnostics known_all_the_same(const compile::Compiled& compiled) {
  Diagnostics out;
  for (const auto& [entry, counts] : compiled.machine)
    out.push_back(
        {.message = fmt::format("{}: {} machine instructions: {}; {}", entry, counts.all,
                                compile::machine_counts_in_words(counts), compile::assembled_words(compiled, entry)),
         .severity = Severity::note});
  return out;
}

}  // namespace

int user_line(std::string_view user_file, const SourceLines& lines, const std::string& file, int line) {
  if (user_file.empty()) return line;
  const std::filesystem::path there(file), user(plain_name(user_file));
  for (std::size_t k = 1; k < lines.files.size(); ++k)
    if (there == std::filesystem::path(plain_name(lines.files[k].path))) return lines.files[k].first_line + line - 1;
  return file.empty() || there == user || there.filename() == user.filename() ? line : 0;
}

int user_line(std::string_view user_file, const SourceLines& lines, const cupti::SassLine& instruction) {
  int line = user_line(user_file, lines, instruction.file, instruction.line);
  for (std::size_t n = 0; line == 0 && n < instruction.callers.size(); ++n)
    line = user_line(user_file, lines, instruction.callers[n].file, instruction.callers[n].line);
  return line;
}

Expected<compile::Compiled> compile_plain(const RunRequest& request) {
  auto made = LS_TRY(compiled_plain(request));
  return std::move(made.compiled);
}

results::Measured machine_code(const RunRequest& request) {
  results::Measured out;
  const auto made = compiled_plain(request);
  if (!made) {
    out.refused = made.error();
    return out;
  }
  const compile::Compiled& compiled = made->compiled;
  out.arch = compiled.arch;
  const auto code = cupti::disassemble(compiled.cubin);
  if (!code) {
    out.refused = code.error();
    const Diagnostics known = known_all_the_same(compiled);
    out.refused.insert(out.refused.end(), known.begin(), known.end());
    return out;
  }
  const std::vector<std::string_view> ptx = compile::ptx_lines_of(compiled.cubin);
  std::array<std::uint64_t, cupti::sass_kinds> kinds{};
  for (const cupti::SassLine& l : without_padding(*code)) {
    results::SassRow row{.function = l.function,
                         .text = l.text,
                         .offset = l.offset,
                         .line = user_line(request.file, made->source.lines, l)};
    const auto n = static_cast<std::size_t>(l.ptx_line);
    if (l.ptx_line > 0 && n <= ptx.size()) row.ptx_line = l.ptx_line, row.ptx = spaced_out(ptx[n - 1]);
    ++kinds[static_cast<std::size_t>(cupti::kind_of(l.text))];
    out.sass.push_back(std::move(row));
  }
  for (std::size_t k = 0; k < kinds.size(); ++k)
    if (kinds[k] > 0)
      out.opcodes.push_back(
          {.kind = std::string(cupti::kind_name(static_cast<cupti::SassKind>(k))), .written = kinds[k]});
  return out;
}

}  // namespace lanescope::engine
