#include "app/engine/prepare/prepare.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstring>
#include <filesystem>

#include "app/engine/prepare/launch_plan.h"
#include "kernels/base/byte_order_mark.h"
#include "kernels/base/plain_name.h"
#include "kernels/compile/compile_options.h"
#include "kernels/compile/local_headers.h"
#include "kernels/emulator/emulator.h"
#include "kernels/emulator/machine/heap.h"
#include "kernels/gpu/gpu.h"
#include "kernels/ptx/heap_functions.h"
#include "kernels/ptx/parser.h"
#include "kernels/ptx/target.h"
#include "kernels/source/header/host_choice.h"
#include "kernels/source/host/heap_limit.h"
#include "kernels/source/options/nvcc_words.h"
#include "results/problems.h"

namespace lanescope::engine {
namespace {

constexpr std::string_view default_arch = "sm_90";

/// 90 of "sm_90a"; 0 where there is none.
int capability(std::string_view arch) {
  int number = 0;
  for (const char c : arch)
    if (c >= '0' && c <= '9') number = number * 10 + (c - '0');
  return number;
}

/// PTX runs on the architecture it was made for and on later ones, so a GPU lowers the choice and never raises it.
std::string lowered_to_device(std::string arch, const RunRequest& request) {
  const auto devices = gpu::devices();
  const auto index = static_cast<std::size_t>(std::max(request.device, 0));
  if (!devices || index >= devices->size()) return arch;
  const std::string own = (*devices)[index].arch();
  return capability(own) < capability(arch) ? own : arch;
}

bool stop(Prepared& out, Diagnostics errors) {
  out.diagnostics.insert(out.diagnostics.end(), errors.begin(), errors.end());
  return false;
}

/// A refusal of a launch whose block or template arguments were assumed is one of that guess.
bool stop_guess(Prepared& out, Diagnostics errors) {
  const auto of_guess = [](const source::Assumption& a) {
    return a.code == source::Assumption::Code::block || a.code == source::Assumption::Code::template_arguments;
  };
  std::vector<source::Assumption> guesses;
  for (const source::Assumption& a : out.source->header.assumed)
    if (of_guess(a)) guesses.push_back(a);
  if (guesses.empty()) return stop(out, std::move(errors));
  out.ending = Ending::cannot_here;
  for (Diagnostic& d : errors) d.message = results::condition_words(guesses) + d.message;
  return stop(out, std::move(errors));
}

/// Whether the text compiles where no instance of a template is requested.
bool compiles_without_instances(const source::Source& source, const compile::Options& options) {
  source::Source plain = source;
  plain.header.launches.clear();
  return compile::compile(plain, compile::Variant::plain, options).has_value();
}

/// Without a compiler nothing is known to be wrong with the kernel, nor where only the assumed instance does not
/// compile.
bool stop_compile(Prepared& out, const compile::Options& options, Diagnostics errors) {
  if (!compile::toolchain(options.forbid_nvrtc).nvrtc) {
    out.ending = Ending::cannot_here;
    return stop(out, std::move(errors));
  }
  const bool guessed = std::ranges::any_of(out.source->header.assumed, [](const source::Assumption& a) {
    return a.code == source::Assumption::Code::template_arguments;
  });
  if (guessed && compiles_without_instances(*out.source, options)) return stop_guess(out, std::move(errors));
  if (std::optional<Diagnostic> mistake = source::text_mistake(*out.source))
    errors = from_mistake_on(std::move(errors), std::move(*mistake));
  return stop(out, std::move(errors));
}

/// The parser names the file as the PTX does.
Diagnostics with_user_name(Diagnostics errors, const std::string& file) {
  const std::string plain = plain_name(file);
  for (Diagnostic& d : errors)
    if (const std::size_t at = d.remedy.rfind(plain); at != std::string::npos && !plain.empty())
      d.remedy.replace(at, plain.size(), file);
  return errors;
}

/// Functions that cannot be read: an error where one is launched, else a warning.
bool report_unreadable(Prepared& out, const Program& program, bool as_warnings) {
  for (const ptx::Entry& e : program.module.entries) {
    if (e.unreadable.empty()) continue;
    const bool launched = std::ranges::any_of(
        program.launches, [&](const trace::Launch& l) { return program.module.find_entry(l.kernel) == &e; });
    Diagnostics why = with_user_name(e.unreadable, out.source->file);
    if (launched) return stop(out, std::move(why));
    if (!as_warnings) continue;
    for (Diagnostic& d : why) {
      d.message = fmt::format("`{}` cannot be read and is left out: {}", e.name, d.message);
      d.severity = Severity::warning;
    }
    stop(out, std::move(why));
  }
  return true;
}

bool launch(Prepared& out, Program& program) {
  auto launches = make_launches(*out.source, program.module, program.entry_names);
  if (!launches) {
    report_unreadable(out, program, true);
    return stop_guess(out, std::move(launches.error()));
  }
  program.launches = std::move(*launches);
  return report_unreadable(out, program, &program == &out.plain);
}

/// Text that is read as if it were of a known version may mean something else.
void doubt_version(Prepared& out, const ptx::Module& module, const std::string& file, int line) {
  if (std::string doubt = ptx::version_doubt(module); !doubt.empty())
    out.diagnostics.push_back({.file = file,
                               .line = line,
                               .message = std::move(doubt),
                               .remedy = "instructions are read as those of version 9.0",
                               .severity = Severity::warning});
}

/// 0: nothing is allocated there.
std::uint64_t heap_of(const source::Source& source, const ptx::Module& module) {
  if (!ptx::allocates_memory(module)) return 0;
  const auto asked = std::ranges::find(source.header.symbols, source::heap_limit, &source::SymbolSpec::name);
  std::uint64_t bytes = emulator::default_heap_bytes;
  if (asked != source.header.symbols.end() && asked->bytes.size() == sizeof bytes)
    std::memcpy(&bytes, asked->bytes.data(), sizeof bytes);
  return bytes;
}

Program program_of(const source::Source& source, const compile::Compiled& compiled, ptx::Module module) {
  Program out{.module = std::move(module)};
  set_symbols(source.header, out.module);
  ptx::put_into_unit_lines(out.module, source.lines);
  out.ptx = compiled.ptx;
  out.cooperative = emulator::synchronises_grid(out.module);
  out.heap_bytes = heap_of(source, out.module);
  out.user_file = source.file;
  out.lines = source.lines;
  out.entry_names = compiled.entry_names;
  return out;
}

/// Compiler output as a program; errors in it are ours or the compiler's, never the user's own text.
bool load(Prepared& out, const compile::Compiled& compiled, Expected<ptx::Module> module, Program& program) {
  if (!module) return stop(out, with_user_name(std::move(module.error()), out.source->file));
  program = program_of(*out.source, compiled, std::move(*module));
  if (&program == &out.plain) doubt_version(out, program.module, out.source->file, 0);
  out.compiled = true;
  return launch(out, program);
}

/// Nothing that comes after the plain compile changes a buffer or what the host does: no size, content or variable that
/// is known from the program only.
bool is_settled(const Prepared& out, const compile::Compiled& plain, const ptx::Module& module) {
  const source::Header& header = out.source->header;
  const auto assumed = [](const source::BufferSpec& b) { return b.size_assumed || b.contents_assumed; };
  const auto unsure = [](const source::LaunchSpec& l) {
    return l.shared_assumed || l.grid_of_occupancy || !l.before.empty();
  };
  const auto of_user = [](const ptx::Variable& v) {
    return (v.space == ptx::Space::global || v.space == ptx::Space::constant) && v.bytes > 0;
  };
  return plain.assumed.empty() && plain.arch == out.arch && header.symbols.empty() &&
         std::ranges::none_of(header.buffers, assumed) && std::ranges::none_of(header.launches, unsure) &&
         std::ranges::none_of(module.variables, of_user) && !launches_kernels(module) &&
         !emulator::synchronises_grid(module);
}

/// The plain program with its launches, where it is settled and nothing is wrong with it.
bool settle(Prepared& out, const compile::Compiled& plain, ptx::Module& module, std::vector<trace::Buffer>& buffers) {
  if (!is_settled(out, plain, module)) return false;
  auto launches = make_launches(*out.source, module, plain.entry_names);
  if (!launches) return false;
  for (const trace::Launch& l : *launches)
    if (const ptx::Entry* entry = module.find_entry(l.kernel); entry == nullptr || !entry->unreadable.empty())
      return false;
  out.plain = program_of(*out.source, plain, std::move(module));
  out.plain.launches = std::move(*launches);
  out.buffers = std::move(buffers);
  return true;
}

/// load() of a program that is settled.
bool report_settled(Prepared& out) {
  doubt_version(out, out.plain.module, out.source->file, 0);
  out.compiled = true;
  return report_unreadable(out, out.plain, true);
}

/// A claim whose probe does not compile stays unchecked, and says so.
void drop_probes(Prepared& out, const std::vector<int>& ids) {
  out.dropped_probes = ids;
  for (source::Claim& claim : out.source->claims) {
    std::erase_if(claim.later_probes, [&](int id) { return std::find(ids.begin(), ids.end(), id) != ids.end(); });
    if (std::find(ids.begin(), ids.end(), claim.probe) == ids.end()) continue;
    claim.probe = -1;
    claim.unchecked_reason = coded<source::Why::probe_not_compiled>();
  }
}

/// Everything that a compilation depends on. Headers of the user's may change without it, and then it is empty.
std::string compilation_of(const Prepared& out, const RunRequest& request) {
  const auto headers = compile::local_headers(request.text, std::filesystem::path(request.file).parent_path(), {});
  if (!headers.known || !headers.key.empty()) return {};
  std::string all = fmt::format("{}\n{}{}{}\n{}\n{}", out.arch, int{request.plain_run}, int{request.probed_run},
                                int{request.forbid_nvrtc}, request.file, request.kernel);
  for (const std::string& option : out.source->header.compile.options) {
    if (option.starts_with("-I") || option.find("include") != std::string::npos) return {};
    all += "\n" + option;
  }
  return all + "\n\n" + request.text;
}

/// The programs of an earlier request, with the launches of this one.
bool take_programs(Prepared& out, const RunRequest& request, Prepared&& earlier) {
  out.made_by = std::move(earlier.made_by), out.arch = std::move(earlier.arch),
  out.resources = std::move(earlier.resources);
  out.assembled = std::move(earlier.assembled);
  out.plain = std::move(earlier.plain), out.probed = std::move(earlier.probed);
  out.compiled = true;
  drop_probes(out, earlier.dropped_probes);
  const bool bare = is_ptx(request);
  return (!(bare || request.plain_run) || launch(out, out.plain)) &&
         (!(bare || request.probed_run) || launch(out, out.probed));
}

/// A folder that was found for a header counts as an option that was not given.
void report_assumed(Prepared& out, const std::vector<options::FoundHeader>& found) {
  for (const options::FoundHeader& f : found) {
    const std::string words = options::words_of(f, out.source->file),
                      folder = options::folder_name(f.folder, out.source->file);
    std::vector<std::string>& inferred = out.source->header.inferred;
    if (std::ranges::find(inferred, words) != inferred.end()) continue;
    inferred.push_back(words);
    out.settings.used.push_back({.kind = options::Kind::include_folder,
                                 .value = folder,
                                 .word = "-I" + folder,
                                 .written = "-I" + folder,
                                 .origin = options::Origin::assumed});
    out.compiled_from.clear();  // its text may change without this one
  }
}

/// `settled`: Receives the plain program before the probed one is there; true where it was taken, with its launches.
using Settled = std::function<bool(const compile::Compiled&, ptx::Module&)>;

bool compile_source(Prepared& out, const RunRequest& request, const Settled& settled) {
  const compile::Options options{.arch = out.arch, .forbid_nvrtc = request.forbid_nvrtc};
  const source::Source& source = *out.source;
  const auto parsed = [&](std::string_view ptx, std::string_view name) {
    auto module = ptx::parse_readable(ptx, name);
    if (module) module->contracts = compile::contracts(source);
    return module;
  };
  const auto keep = [&](const compile::Compiled& compiled) {
    out.made_by = compiled.made_by;
    out.arch = compiled.arch;
    report_assumed(out, compiled.assumed);
    if (request.plain_run) out.resources = compiled.resources;
    if (request.plain_run)
      for (const auto& entry : compiled.cubin_resources)
        out.assembled[entry.first] = compile::assembled_words(compiled, entry.first);
    out.diagnostics.insert(out.diagnostics.end(), compiled.warnings.begin(), compiled.warnings.end());
  };
  if (request.plain_run && request.probed_run) {
    Expected<ptx::Module> plain = ptx::Module{}, probed = ptx::Module{};
    bool is_taken = false;
    const auto parse = [&](compile::Variant variant, const compile::Outcome& compiled) {
      const bool is_plain = variant == compile::Variant::plain;
      Expected<ptx::Module>& module = is_plain ? plain : probed;
      module = parsed(compiled.compiled.ptx, is_plain ? "plain PTX" : "instrumented PTX");
      if (is_plain && module) is_taken = settled(compiled.compiled, *module);
    };
    auto both = compile::compile_both(source, options, parse);
    if (!both) return stop_compile(out, options, std::move(both.error()));
    keep(both->plain.compiled);
    drop_probes(out, both->probed.dropped_probes);
    return (is_taken ? report_settled(out) : load(out, both->plain.compiled, std::move(plain), out.plain)) &&
           load(out, both->probed.compiled, std::move(probed), out.probed);
  }
  const auto variant = request.probed_run ? compile::Variant::probed : compile::Variant::plain;
  auto one = compile::compile(source, variant, options);
  if (!one) return stop_compile(out, options, std::move(one.error()));
  keep(one->compiled);
  drop_probes(out, one->dropped_probes);
  Program& program = request.probed_run ? out.probed : out.plain;
  if (!load(out, one->compiled, parsed(one->compiled.ptx, "compiled PTX"), program)) return false;
  (request.probed_run ? out.plain : out.probed).launches = program.launches;
  return true;
}

bool read_source(Prepared& out, const RunRequest& request, const source::RefusedContracts& refused) {
  out.settings = gathered_settings(request);
  Diagnostics wrong = std::move(out.settings.diagnostics);
  out.settings.diagnostics.clear();
  if (std::ranges::any_of(wrong, [](const Diagnostic& d) { return d.severity == Severity::error; }))
    return stop(out, std::move(wrong));
  auto source = source::read(request.file, request.text,
                             {.watch_probes = request.probed_run,
                              .watch_parameters = request.watch_parameters,
                              .options = out.settings.words_beside_header(),
                              .kernel = request.kernel,
                              .refused_contracts = refused});
  if (!source) return stop(out, std::move(source.error()));
  out.diagnostics = std::move(wrong);
  out.diagnostics.insert(out.diagnostics.end(), source->notes.begin(), source->notes.end());
  out.source = std::move(*source);
  take_settings(out.settings, *out.source);
  for (const std::string& words : options::sentences(out.settings))
    out.notices.push_back(coded<results::NoticeCode::options>(words));
  return true;
}

/// A bare PTX file: the same program with and without identities.
bool read_ptx(Prepared& out, const RunRequest& request) {
  auto module = ptx::parse_readable(request.text, request.file);
  if (!module) return stop(out, std::move(module.error()));
  auto source = source_of_ptx(request, *module);
  if (!source) return stop(out, std::move(source.error()));
  if (Diagnostics wrong = buffers_for_variables(*source, *module); !wrong.empty()) return stop(out, std::move(wrong));
  out.diagnostics = source->notes;
  if (!request.given.words.empty() || !request.given.nvcc_command.empty())
    out.diagnostics.push_back({.file = request.file,
                               .message = "a PTX file is compiled already: options of the compiler are not used",
                               .severity = Severity::warning});
  doubt_version(out, *module, request.file, module->version_line);
  out.source = std::move(*source);
  out.plain.module = std::move(*module);
  out.plain.ptx = without_byte_order_mark(request.text);
  out.plain.cooperative = emulator::synchronises_grid(out.plain.module);
  out.plain.heap_bytes = heap_of(*out.source, out.plain.module);
  out.made_by = "PTX file";
  return true;
}

/// An architecture that there is not, or that PTX made for a later one does not run on.
Diagnostics refused_architecture(const RunRequest& request, Prepared& out) {
  const std::string& target = out.plain.module.target;
  const bool own = is_ptx(request) && !target.empty();
  if (own && request.arch.empty() && out.source->header.compile.arch.empty()) out.arch = target;
  if (Diagnostics wrong = compile::wrong_architecture(request.file, out.arch); !wrong.empty()) return wrong;
  if (!own || capability(out.arch) >= capability(target)) return {};
  return {{.file = request.file,
           .message = fmt::format("this PTX is made for {} and does not run on {}", target, out.arch),
           .remedy = fmt::format("name {} or a later architecture", target)}};
}

/// Where the header's expectations hold, if not here.
void report_replaced(Prepared& out, const RunRequest& request) {
  const ReplacedValues replaced = replaced_values(request, *out.source);
  out.expected_for = fmt::format("{}", fmt::join(replaced.launch, ", "));
  const bool expects = std::ranges::any_of(out.source->header.buffers,
                                           [](const source::BufferSpec& b) { return b.expected.has_value(); });
  if (expects && !replaced.arguments.empty())
    out.notices.push_back(
        coded<results::NoticeCode::expectation_elsewhere>(fmt::format("{}", fmt::join(replaced.arguments, ", "))));
}

bool pack_ptx(Prepared& out) {
  out.compiled = true;
  if (!launch(out, out.plain)) return false;
  out.probed = out.plain;
  return true;
}

}  // namespace

std::string chosen_arch(const RunRequest& request, const source::Source& source) {
  if (!request.arch.empty()) return request.arch;
  const std::string& stated = source.header.compile.arch;
  std::string arch = stated.empty() ? std::string(default_arch) : stated;
  return request.on_gpu ? lowered_to_device(std::move(arch), request) : arch;
}

options::CompileSettings gathered_settings(const RunRequest& request) {
  return request.settings ? *request.settings : options::gather(request.file, request.given);
}

void take_settings(options::CompileSettings& settings, source::Source& source) {
  settings = options::with_header(source.header.compile, source.file, std::move(settings));
  settings.diagnostics.clear();  // the compiler notes those of the header
  options::apply(settings, source.header.compile);
}

Expected<source::Source> source_to_compile(const RunRequest& request) {
  options::CompileSettings settings = gathered_settings(request);
  Expected<source::Source> source =
      source::read(request.file, request.text, {.watch_probes = false, .options = settings.words_beside_header()});
  if (!source) return source;
  take_settings(settings, *source);
  if (Diagnostics wrong = apply_overrides(request, *source); !wrong.empty()) return tl::unexpected(std::move(wrong));
  source->header.compile.arch = chosen_arch(request, *source);
  if (Diagnostics wrong =
          hidden_kernel(*source, {.arch = source->header.compile.arch, .forbid_nvrtc = request.forbid_nvrtc});
      !wrong.empty())
    return tl::unexpected(std::move(wrong));
  return source;
}

int choose_launch(const RunRequest& request, const source::Source& source) {
  const int count = static_cast<int>(source.header.launches.size());
  if (request.record_launch >= 0) return std::min(request.record_launch, count - 1);
  for (int i = 0; i < count && !request.kernel.empty(); ++i)
    if (source::names_instance(request.kernel, source.header.launches[static_cast<std::size_t>(i)].kernel)) return i;
  for (int i = 0; i < count; ++i) {
    const std::string& kernel = source.header.launches[static_cast<std::size_t>(i)].kernel;
    const std::string name = kernel.substr(0, kernel.find('<'));
    for (const source::Function& f : source.functions)
      for (const source::Claim& claim : source.claims)
        if (f.name == name && claim.first_line >= f.first_line && claim.first_line <= f.last_line) return i;
  }
  return 0;
}

bool is_ptx(const RunRequest& request) { return std::filesystem::path(request.file).extension() == ".ptx"; }

bool needs_no_probes(const RunRequest& request, const Prepared& prepared) {
  return request.only_for_claims && request.plain_run && request.probed_run && !request.on_gpu && !is_ptx(request) &&
         prepared.source && prepared.source->claims.empty();
}

Prepared prepare(const RunRequest& request, const std::function<void(std::string_view)>& progress,
                 const std::atomic<bool>* cancel, Prepared earlier) {
  Prepared out;
  prepare_into(out, request, progress, cancel, std::move(earlier), {});
  return out;
}

namespace {

/// `refused`: functions that are not called by themselves.
void prepare_once(Prepared& out, const RunRequest& given, const std::function<void(std::string_view)>& progress,
                  const std::atomic<bool>* cancel, Prepared earlier, const std::function<void()>& plain_ready,
                  const source::RefusedContracts& refused) {
  RunRequest request = given;
  out.directory =
      std::filesystem::path(request.launch_file.empty() ? request.file : request.launch_file).parent_path().string();
  progress("reading");
  const bool bare = is_ptx(request);
  if (!(bare ? read_ptx(out, request) : read_source(out, request, refused))) return;
  if (needs_no_probes(request, out)) request.probed_run = false;
  report_replaced(out, request);
  if (Diagnostics wrong = apply_overrides(request, *out.source); !wrong.empty())
    return static_cast<void>(stop(out, std::move(wrong)));
  out.arch = chosen_arch(request, *out.source);
  if (Diagnostics wrong = refused_architecture(request, out); !wrong.empty())
    return static_cast<void>(stop(out, std::move(wrong)));
  out.source->header.compile.arch = out.arch;  // one choice for all
  if (Diagnostics wrong =
          bare ? Diagnostics{} : hidden_kernel(*out.source, {.arch = out.arch, .forbid_nvrtc = request.forbid_nvrtc});
      !wrong.empty())
    return static_cast<void>(stop(out, std::move(wrong)));
  shrink_to_memory(*out.source);
  if (Diagnostics refused = refusals(*out.source, out.arch); !refused.empty())
    return static_cast<void>(stop(out, std::move(refused)));
  if (cancel && cancel->load()) return;
  // Before the compiler: errors of the header are reported beside errors of the code.
  auto buffers = make_buffers(*out.source, out.directory);
  progress("compiling");
  out.compiled_from = compilation_of(out, request);
  bool is_settled_early = false;
  const Settled settled = [&](const compile::Compiled& plain, ptx::Module& module) {
    is_settled_early = plain_ready && buffers && !is_settled_early && settle(out, plain, module, *buffers);
    if (is_settled_early) plain_ready();
    return is_settled_early;
  };
  const bool compiled = earlier.compiled && !out.compiled_from.empty() && out.compiled_from == earlier.compiled_from;
  if (compiled ? !take_programs(out, request, std::move(earlier))
               : !(bare ? pack_ptx(out) : compile_source(out, request, settled))) {
    if (!buffers) out.diagnostics.insert(out.diagnostics.begin(), buffers.error().begin(), buffers.error().end());
    return;
  }
  if (!buffers) return static_cast<void>(stop(out, std::move(buffers.error())));
  const Program& trial = request.plain_run ? out.plain : out.probed;
  const bool runs = request.plain_run || request.probed_run;
  if (!bare && runs && fit_assumed_sizes(*out.source, trial, out.directory, cancel)) {
    for (Program* program : {&out.plain, &out.probed}) {
      if (program == &out.plain ? !request.plain_run : !request.probed_run) continue;
      auto launches = make_launches(*out.source, program->module, program->entry_names);
      if (!launches) return static_cast<void>(stop(out, std::move(launches.error())));
      program->launches = std::move(*launches);
    }
    if (!request.probed_run) out.probed.launches = out.plain.launches;
    if (!request.plain_run) out.plain.launches = out.probed.launches;
    buffers = make_buffers(*out.source, out.directory);
    if (!buffers) return static_cast<void>(stop(out, std::move(buffers.error())));
  }
  if (!bare && runs && zero_assumed_contents(*out.source, trial, out.directory, cancel)) {
    buffers = make_buffers(*out.source, out.directory);
    if (!buffers) return static_cast<void>(stop(out, std::move(buffers.error())));
  }
  if (!is_settled_early) out.buffers = std::move(*buffers);
  add_variables(out);
  add_steps(out);
  if (runs) add_device_launches(out, request, cancel);
  if (cancel && cancel->load()) return;
  out.ready = true;
}

}  // namespace

void prepare_into(Prepared& out, const RunRequest& request, const std::function<void(std::string_view)>& progress,
                  const std::atomic<bool>* cancel, Prepared earlier, const std::function<void()>& plain_ready) {
  constexpr int most_rounds = 6;
  source::RefusedContracts refused;
  prepare_once(out, request, progress, cancel, std::move(earlier), plain_ready, refused);
  for (int round = 0; round < most_rounds; ++round) {
    if (out.ready || !out.source || (cancel && cancel->load())) return;
    // A mistake of the generated code is none of the file's. It has the line of the claim that states the input, or is in a
    // template that it instantiates.
    source::RefusedContracts more;
    const auto refuse = [&](const source::Contract& c, const std::string& why) {
      if (c.launch >= 0) more.try_emplace(c.function, why);
    };
    std::string first;
    for (const Diagnostic& d : out.diagnostics) {
      if (d.severity != Severity::error) continue;
      if (first.empty()) first = d.line > 0 ? fmt::format("{} (line {})", d.message, d.line) : d.message;
      for (const source::Contract& c : out.source->contracts)
        if (c.line == d.line) refuse(c, d.message);
    }
    const source::Source& source = *out.source;
    const auto is_template = [&](const source::Contract& c) {
      const auto f = std::ranges::find(source.functions, c.function, &source::Function::name);
      return f != source.functions.end() && f->is_template;
    };
    const bool other_launches = std::ranges::any_of(source.header.launches, [&](const source::LaunchSpec& l) {
      return std::ranges::find(source.contracts, l.kernel, &source::Contract::kernel) == source.contracts.end();
    });
    if (more.empty())
      for (const source::Contract& c : source.contracts)
        if (other_launches || is_template(c)) refuse(c, first);
    if (more.empty()) return;
    refused.merge(more);
    out = {};
    prepare_once(out, request, progress, cancel, {}, plain_ready, refused);
  }
}

}  // namespace lanescope::engine
