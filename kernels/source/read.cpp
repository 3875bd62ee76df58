#include "kernels/source/source.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "kernels/base/byte_order_mark.h"
#include "kernels/base/text.h"
#include "kernels/source/contracts.h"
#include "kernels/source/cxx/device_part.h"
#include "kernels/source/cxx/runtime_macros.h"
#include "kernels/source/cxx/structural_macros.h"
#include "kernels/source/header/inference.h"
#include "kernels/source/header/launch_header.h"
#include "kernels/source/notation/comment_readers.h"
#include "kernels/source/notation/probes.h"
#include "kernels/source/notation/shares/work_comments.h"
#include "kernels/source/notation/stated_steps.h"
#include "kernels/source/options/build_files.h"

namespace lanescope::source {
namespace {

constexpr std::size_t longest_file = std::size_t{64} << 20;

/// Bytes that no source text has.
std::optional<Diagnostic> not_text(std::string_view file, std::string_view text) {
  const std::size_t nul = text.find('\0');
  if (nul != std::string_view::npos) {
    const auto line =
        static_cast<int>(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(nul), '\n')) + 1;
    return Diagnostic{
        .file = std::string(file), .line = line, .message = "this is not a text file", .remedy = "open a .cu file"};
  }
  if (text.size() > longest_file)
    return Diagnostic{.file = std::string(file),
                      .message = fmt::format("this file has {} bytes", text.size()),
                      .remedy = "files can have at most 64 MiB"};
  return std::nullopt;
}

/// Of unit lines of the file, or of text before headers were read.
void name_file(Diagnostics& diagnostics, std::string_view file, const SourceLines& lines = {}) {
  for (Diagnostic& d : diagnostics) d.file = file;
  put_into_files(diagnostics, lines);
}

/// Comments without the launch header's own lines.
std::vector<CommentLine> lines_outside(const Lexed& lexed, const HeaderPlace& header) {
  std::vector<CommentLine> out = comment_lines(lexed);
  std::erase_if(out, [&](const CommentLine& l) {
    return header.first_line > 0 && l.line >= header.first_line && l.line <= header.last_line;
  });
  return out;
}

/// Options of the launch header, then those from elsewhere.
std::vector<std::string> all_options(const CompileSpec& header, const ReadOptions& options) {
  std::vector<std::string> all = header.options;
  all.insert(all.end(), options.options.begin(), options.options.end());
  return all;
}

/// The text that conditions leave of the file and its headers, by the options for the compiler.
Conditionals active_part(std::string_view file, std::string_view text, const CompileSpec& header,
                         const ReadOptions& options) {
  DeviceTarget target = options.target;
  const std::string_view arch = header.arch;
  int number = 0;
  for (const char c : arch.substr(std::min(arch.find('_'), arch.size())))
    if (is_digit(c) && number < 1000) number = 10 * number + (c - '0');
  if (number > 0) target.architecture = number;
  MacroTable macros = device_macros(target);
  // Text that is left to the compiler is compiled without these: its own headers request __NVCC__, and NVRTC defines none of the
  // host's, which nvcc does in both passes.
  for (const char* d : {"__NVCC__=1", "__linux__=1", "__linux=1", "__gnu_linux__=1", "__unix__=1", "__unix=1",
                        "__x86_64__=1", "__x86_64=1", "__amd64__=1", "__GNUC__=12", "__GNUC_MINOR__=2"})
    define(macros, d);
  for (const RuntimeMacro& m : runtime_macros) define(macros, fmt::format("{}={}", m.name, m.value));
  const std::vector<std::string> all = all_options(header, options);
  apply_options(macros, all);
  return evaluate_conditionals(file, text, std::move(macros),
                               options.headers && !file.empty() ? header_reader(file, all) : ReadInclude());
}

/// As active_part, with the headers that no given folder has and that lie nearby. Their folders come after those of
/// `options`, and they themselves into `found`.
Conditionals active_with_near_headers(std::string_view file, std::string_view text, const CompileSpec& header,
                                      ReadOptions& options, std::vector<options::FoundHeader>& found) {
  constexpr int most_rounds = 8;
  constexpr std::size_t most_asked = 32;
  std::set<std::string> asked;
  for (int round = 0;; ++round) {
    Conditionals active = active_part(file, text, header, options);
    std::error_code problem;
    const std::filesystem::path own(file);
    if (!options.headers || file.empty() || round >= most_rounds || !std::filesystem::is_regular_file(own, problem))
      return active;
    const std::size_t before = found.size();
    for (const ActiveFile& each : active.files)
      for (const ActiveInclude& i : each.includes) {
        // a project's own "cuda_utils.cuh" is none of the toolkit's
        const bool of_toolkit =
            i.name.starts_with("cub/") || i.name.starts_with("thrust/") || i.name.starts_with("cuda/") ||
            one_of(i.name,
                   {"cuda.h", "cuda_runtime.h", "cuda_runtime_api.h", "cuda_fp16.h", "cuda_fp8.h", "cuda_bf16.h"});
        if (!i.quoted || !i.file.empty() || of_toolkit || asked.size() >= most_asked || !asked.insert(i.name).second)
          continue;
        std::optional<options::FoundHeader> near = options::find_header_near(own, i.name);
        if (!near && each.file != file) near = options::find_header_near(each.file, i.name);
        if (!near) continue;
        options.options.push_back("-I" + near->folder.string());
        found.push_back(std::move(*near));
      }
    if (found.size() == before) return active;
  }
}

/// Every local's name, and what is left of it without digits at its end.
std::set<std::string, std::less<>> variable_names(const Outline& outline) {
  std::set<std::string, std::less<>> out;
  for (const auto& [name, locals] : outline.by_name) {
    std::string stem = name;
    for (int digits = 0; digits < 6 && !stem.empty(); ++digits) {
      out.insert(stem);
      if (stem.back() < '0' || stem.back() > '9') break;
      stem.pop_back();
    }
  }
  return out;
}

ReadHeaders headers_of(std::string_view file, const Lexed& lexed, const Outline& parts, const Conditionals& active,
                       const CompileSpec& header, const ReadOptions& options) {
  if (!options.headers || file.empty()) return {};
  return read_headers(file, lexed, parts, active, all_options(header, options));
}

/// In text order; lines that are rows of the notation stay what they are.
void add_other_notations(const std::vector<CommentLine>& lines, const Header& header, std::vector<TextClaim>& claims) {
  std::set<int> taken;
  for (const TextClaim& c : claims) {
    taken.insert(c.row_lines.begin(), c.row_lines.end());
    for (const UnreadRow& row : c.unread) taken.insert(row.line);
  }
  std::vector<TextClaim> more = other_notations(lines, header);
  std::erase_if(more, [&](const TextClaim& c) { return taken.contains(c.row_lines.front()); });
  if (more.empty()) return;
  std::vector<std::size_t> order(claims.size() + more.size());
  for (std::size_t n = 0; n < order.size(); ++n) order[n] = n;
  claims.insert(claims.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
  std::ranges::stable_sort(order, {}, [&](std::size_t n) { return claims[n].offset; });
  std::vector<int> now(order.size());
  for (std::size_t n = 0; n < order.size(); ++n) now[order[n]] = static_cast<int>(n);
  std::vector<TextClaim> sorted;
  for (const std::size_t n : order) {
    sorted.push_back(std::move(claims[n]));
    if (int& of = sorted.back().alternative_of; of >= 0) of = now[static_cast<std::size_t>(of)];
  }
  claims = std::move(sorted);
}

/// Of claims that are no rows. Which functions these are depends on no value of a launch.
std::vector<std::string> functions_with_other_claims(const Lexed& lexed, const Outline& parts, const Header& header) {
  std::vector<std::string> out;
  for (const Claim& c : memory_claims(lexed, parts, {}, header)) out.push_back(c.function);
  for (const Subarray& s : subarrays(lexed, parts, {})) out.push_back(s.claim.function);
  for (const Claim& c : work_claims(lexed, parts, header)) out.push_back(c.function);
  return out;
}

/// The text of each file for the compiler.
void device_texts(const Lexed& lexed, std::string& device_text, const std::vector<PlacedProbe>& probes,
                  const ReadHeaders& read, Source& out) {
  if (out.unit_text.empty()) {
    out.probed_text = probed_text(lexed, device_text, probes);
    out.device_text = std::move(device_text);
    return;
  }
  const auto plain = [&](const TextPart& part) { return device_text.substr(part.begin, part.end - part.begin); };
  const TextPart& own = read.parts.front();
  out.device_text = plain(own);
  out.probes_in_headers =
      std::ranges::any_of(probes, [&](const PlacedProbe& p) { return lexed.token(p.token).offset >= own.end; });
  out.probed_text = out.probes_in_headers ? probed_part(lexed, own, 0, device_text, probes)
                                          : probed_text(lexed, out.device_text, probes);
  out.includes = read.includes.front();
  for (std::size_t k = 1; k < read.parts.size(); ++k) {
    const TextPart& part = read.parts[k];
    out.headers.push_back({.begin = part.begin,
                           .end = part.end,
                           .text = read.given[k],
                           .device_text = plain(part),
                           .probed_text = probed_part(lexed, part, k, device_text, probes),
                           .includes = read.includes[k]});
  }
}

/// `name` empty: any.
bool has_own_kernel(const Outline& outline, std::string_view name = {}) {
  return std::ranges::any_of(outline.functions, [&](const FunctionRange& f) {
    return f.info.is_kernel && (name.empty() || f.info.name == name);
  });
}

/// Marks contracts that run in place of the launches of the file: the one that is chosen, else all where there is no
/// kernel. False: none.
bool run_in_place(std::vector<ContractKernel>& all, const Outline& outline, const std::string& chosen) {
  const bool own = has_own_kernel(outline);
  bool any = false;
  for (ContractKernel& c : all) {
    const bool is_chosen =
        c.contract.kernel == chosen || (c.contract.function == chosen && !has_own_kernel(outline, chosen));
    c.runs = c.contract.problem.empty() && (is_chosen || (chosen.empty() && !own));
    any = any || c.runs;
  }
  return any;
}

/// Marks contracts of functions that no launch needs.
void run_beside(std::vector<ContractKernel>& all, const Source& source) {
  std::vector<std::string> roots;
  for (const LaunchSpec& l : source.header.launches) roots.push_back(l.kernel);
  const std::vector<bool> needed = needed_parts(source.parts, roots);
  for (ContractKernel& c : all) {
    bool is_needed = false;
    for (std::size_t i = 0; i < source.parts.size(); ++i)
      is_needed =
          is_needed || (needed[i] && source.parts[i].is_function && source.parts[i].name == c.contract.function);
    c.runs = !is_needed && c.contract.problem.empty();
  }
}

KernelInstance instance_of(const ContractKernel& k) {
  return {.kernel = k.contract.kernel,
          .line = k.contract.line,
          .grid = k.launch.grid,
          .block = k.launch.block,
          .function = k.contract.function};
}

/// The launches of generated kernels after those of the file.
void add_contracts(const std::vector<ContractKernel>& kernels, Source& out) {
  for (const ContractKernel& k : kernels) {
    Contract contract = k.contract;
    if (k.runs) {
      LaunchSpec launch = k.launch;
      contract.launch = static_cast<int>(out.header.launches.size());
      std::size_t buffer = 0;
      for (BufferSpec spec : k.buffers) {
        const std::string stem = spec.name;
        for (int n = 2; std::ranges::find(out.header.buffers, spec.name, &BufferSpec::name) != out.header.buffers.end();
             ++n)
          spec.name = fmt::format("{}_{}", stem, n);
        launch.arguments[buffer++].value = spec.name;
        out.header.buffers.push_back(std::move(spec));
      }
      for (Assumption a : k.assumed) {
        a.launch = contract.launch;
        out.header.assumed.push_back(std::move(a));
      }
      out.instances.push_back(instance_of(k));
      out.instances.back().chosen = true;
      out.header.launches.push_back(std::move(launch));
    }
    out.contracts.push_back(std::move(contract));
  }
}

bool is_generated(const std::vector<ContractKernel>& contracts, const FunctionRange& f) {
  return std::ranges::any_of(contracts,
                             [&](const ContractKernel& c) { return c.runs && c.contract.kernel == f.info.name; });
}

/// Functions without probes: those of the host, and generated kernels, whose lines are not the user's.
std::vector<bool> not_probed(const Outline& outline, std::vector<bool> host,
                             const std::vector<ContractKernel>& contracts) {
  for (std::size_t f = 0; f < outline.functions.size() && f < host.size(); ++f)
    host[f] = host[f] || is_generated(contracts, outline.functions[f]);
  return host;
}

/// Comments of a function with one array of registers that name no variable are about that array.
void name_the_only_array(const std::vector<ContractKernel>& contracts, Bound& bound) {
  for (const ContractKernel& k : contracts) {
    if (k.contract.given.size() != 1 || !k.only_array) continue;
    const Claim& input = bound.claims[static_cast<std::size_t>(k.contract.given.front())];
    const std::vector<int> registers = input.registers;
    for (Claim& c : bound.claims) {
      if (c.registers != registers || c.assumed.empty()) continue;
      c.assumed.clear();
      c.read_as.push_back(fmt::format("the comment names no variable; {} is meant, which the function gets",
                                      c.variable.starts_with('(') ? c.variable : "`" + c.variable + "`"));
    }
  }
}

/// Contracts of a file between its two readings.
struct Contracts {
  bool wanted = false;  ///< the first reading finds them
  std::vector<ContractKernel> all;
  bool in_place = false;  ///< those that run do so in place of the launches of the file
};

/// One reading. `contracts`: the kernels of those that run are at the end of `text`, after its first `own_size` characters.
Expected<Source> read_once(std::string_view file, std::string_view text, std::size_t own_size, Contracts& contracts,
                           const ReadOptions& given) {
  ReadOptions options = given;
  if (std::optional<Diagnostic> d = not_text(file, text)) return failure(std::move(*d));
  Source out{.file = std::string(file), .text = std::string(text.substr(0, own_size))};
  text = without_byte_order_mark(text);  // not every compiler takes it; `annotate` writes it again
  Expected<ReadHeader> header = read_header(lex_plainly(text), file);
  Conditionals active =
      active_with_near_headers(file, text, header ? header->header.compile : CompileSpec{}, options, out.found_headers);
  out.active_text = std::move(active.files.front().text);
  Lexed lexed = lex(out.active_text, active.macros);
  const auto option_macros = std::make_shared<const std::vector<std::string>>(
      option_definitions(all_options(header ? header->header.compile : CompileSpec{}, options)));
  lexed.option_macros = option_macros;
  if (!lexed.mistakes.empty()) {
    name_file(lexed.mistakes, file);
    return tl::unexpected<Diagnostics>(lexed.mistakes);
  }
  if (!header) return tl::unexpected<Diagnostics>(header.error());
  Outline parts = outline(lexed);
  if (const int deep = lexed.too_deep >= 0 ? lexed.too_deep : parts.too_deep; deep >= 0)
    return failure(Diagnostic{.file = std::string(file),
                              .line = lexed.token(deep).line,
                              .column = lexed.token(deep).column,
                              .message = "the nesting is too deep",
                              .remedy = "remove unnecessary brackets and blocks"});
  ReadHeaders headers = headers_of(file, lexed, parts, active, header->header.compile, options);
  if (headers.parts.size() > 1) {
    out.unit_text = std::move(headers.text);
    lexed = lex(out.unit_text, headers.parts, active.macros);
    lexed.option_macros = option_macros;
    parts = outline(lexed);
  }
  out.lines = std::move(headers.lines);
  out.macros = std::move(active.macros);
  out.options = given.options;
  const std::vector<CommentLine> lines = lines_outside(lexed, header->where);
  const auto variables = variable_names(parts);
  CommentClaims claims = find_claims(
      lines, [&](std::string_view name) { return variables.contains(name); }, read_vocabulary(lines, header->header));
  add_other_notations(lines, header->header, claims.claims);
  DevicePart device = device_part(lexed, parts);
  Bound bound = bind_claims(lexed, parts, claims.claims, not_probed(parts, device.host, contracts.all),
                            options.watch_probes, options.watch_parameters);
  out.header = std::move(header->header);
  if (contracts.wanted) {
    contracts.all = contract_kernels(lexed, parts, bound, device.host, options.refused_contracts);
    contracts.in_place = run_in_place(contracts.all, parts, options.kernel);
    if (contracts.in_place) return out;
  }
  options::CommandLine call = options.headers && !file.empty()
                                  ? options::command_line_nearby(std::filesystem::path(file))
                                  : options::CommandLine{};
  const bool generated = !contracts.wanted && !contracts.all.empty();
  Outline own = generated ? parts : Outline{};  // without what is generated
  for (FunctionRange& f : own.functions)
    if (is_generated(contracts.all, f)) f.info.is_kernel = false;
  const Outline& own_parts = generated ? own : parts;
  Diagnostics problems;
  if (!contracts.in_place)
    problems = complete_header(out.header, lexed, own_parts, lines, bound.claims, file,
                               {.blocks = options.blocks,
                                .variables = options.variables,
                                .registers = bound.variables,
                                .kernel = options.kernel,
                                .claimed = out.header.launches.empty() && options.kernel.empty()
                                               ? functions_with_other_claims(lexed, own_parts, out.header)
                                               : std::vector<std::string>{},
                                .command_line = std::move(call.words),
                                .command_line_place = std::move(call.place),
                                .lists_are_whole = options.lists_are_whole},
                               out.instances);
  else
    out.header.launches.clear(), out.header.buffers.clear();
  for (std::string& sentence : out.header.inferred) sentence = out.lines.sentence(sentence);
  for (Assumption& a : out.header.assumed)
    a.name = out.lines.sentence(a.name), a.because = out.lines.sentence(a.because);
  if (std::ranges::any_of(problems, [](const Diagnostic& d) { return d.severity == Severity::error; })) {
    put_into_files(problems, out.lines);
    return tl::unexpected<Diagnostics>(std::move(problems));
  }
  name_the_only_array(contracts.all, bound);
  if (generated) add_contracts(contracts.all, out);
  for (const FunctionRange& f : parts.functions) out.functions.push_back(f.info);
  const Values values =
      out.header.launches.empty() ? Values{} : known_values(lexed, out.header, out.header.launches.front());
  device_texts(lexed, device.text, bound.probes, headers, out);
  for (PlacedProbe& p : bound.probes) out.probes.push_back(std::move(p.point));
  out.claims = std::move(bound.claims);
  std::ranges::move(memory_claims(lexed, parts, values, out.header), std::back_inserter(out.claims));
  // A sentence about a part of an array whose shape is stated says more than the number of its elements.
  std::set<int> said;
  for (Subarray& s : subarrays(lexed, parts, values)) {
    said.insert(s.claim.first_line);
    out.claims.push_back(std::move(s.claim));
  }
  for (Claim& c : work_claims(lexed, parts, out.header))
    if (!said.contains(c.first_line)) out.claims.push_back(std::move(c));
  for (Claim& c : out.claims)
    for (std::string& words : c.unchecked_reason.operands) words = out.lines.sentence(words);
  out.variables = std::move(bound.variables);
  out.has_host_code = device.cut;
  out.parts = std::move(device.parts);
  out.notes.insert(out.notes.end(), device.notes.begin(), device.notes.end());
  Diagnostics steps = wrong_steps(lines, out.claims);
  for (Diagnostics* more : {&header->warnings, &problems, &claims.mistakes, &steps})
    out.notes.insert(out.notes.end(), more->begin(), more->end());
  name_file(out.notes, file, out.lines);
  out.notes.insert(out.notes.end(), headers.notes.begin(), headers.notes.end());
  if (!contracts.wanted) return out;
  for (const ContractKernel& c : contracts.all)
    if (c.contract.problem.empty()) out.instances.push_back(instance_of(c));
  if (options.kernel.empty() && options.watch_probes) run_beside(contracts.all, out);
  return out;
}

}  // namespace

Expected<Source> read(std::string_view file, std::string_view text, const ReadOptions& options) {
  Contracts contracts{.wanted = true, .all = {}};
  Expected<Source> out = read_once(file, text, text.size(), contracts, options);
  if (contracts.all.empty() || !out) return out;
  if (std::ranges::none_of(contracts.all, &ContractKernel::runs)) {
    add_contracts(contracts.all, *out);
    return out;
  }
  contracts.wanted = false;
  std::string whole(text);
  whole += '\n';
  for (const ContractKernel& c : contracts.all)
    if (c.runs) whole += c.text;
  return read_once(file, whole, text.size(), contracts, options);
}

Lexed lexed(const Source& source) {
  if (source.headers.empty()) return lex(source.active_text, source.macros);
  std::vector<TextPart> parts = {{.begin = 0, .end = source.headers.front().begin - 1}};
  for (std::size_t k = 0; k < source.headers.size(); ++k)
    parts.push_back({.begin = source.headers[k].begin,
                     .end = source.headers[k].end,
                     .first_line = source.lines.files[k + 1].first_line});
  return lex(source.unit_text, parts, source.macros);
}

bool is_generated(const Source& source, int launch) {
  return std::ranges::find(source.contracts, launch, &Contract::launch) != source.contracts.end();
}

std::string_view text_of(const Source& source, std::size_t file) {
  if (file == 0 || file > source.headers.size()) return source.text;
  return source.headers[file - 1].text;
}

}  // namespace lanescope::source
