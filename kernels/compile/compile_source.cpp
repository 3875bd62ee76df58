// A source through NVRTC, or its stored PTX.

#include "kernels/compile/compile.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <future>
#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "kernels/compile/calls/answer_cache.h"
#include "kernels/compile/calls/nvrtc_library.h"
#include "kernels/compile/calls/workers.h"
#include "kernels/compile/compile_log.h"
#include "kernels/compile/compile_options.h"
#include "kernels/compile/file_names.h"
#include "kernels/compile/left_out.h"
#include "kernels/compile/local_headers.h"
#include "kernels/compile/texts.h"
#include "kernels/source/header/declared_arrays.h"
#include "kernels/source/notation/probes.h"

namespace lanescope::compile {
namespace {

constexpr const char* how_to_get_nvrtc =
    "install the CUDA Toolkit (or set LANESCOPE_NVRTC to a libnvrtc.so), or Debian's libnvrtc11.2 from the non-free "
    "section for kernels without includes; "
    "the catalogue, layouts and PTX files work without it";

struct Attempt {
  int status = 0;
  CompileLog log;
  std::string first_words, ptx;  ///< the first line of what the compiler says
  std::map<std::string, MachineCounts> machine;
  std::string cubin;
  bool of_mixed_math = false;        ///< an error names a function of mixed_math_text()
  std::vector<std::string> lowered;  ///< one for each launch; empty where the entry is found by name
};

/// Instances of templates and qualified names are requested by expression; a plain name is found among the entries.
bool needs_expression(const std::string& kernel) {
  return kernel.find('<') != std::string::npos || kernel.find("::") != std::string::npos;
}

/// In the order of FileNames: the file, then its headers.
std::vector<LoggedText> logged_texts(const source::Source& source, const FileNames& names) {
  std::vector<LoggedText> out = {{.file = names.main(), .text = source.text}};
  for (std::size_t k = 0; k < names.headers().size(); ++k)
    out.push_back({.file = names.headers()[k], .text = source::text_of(source, k + 1)});
  return out;
}

/// The headers that the #includes of a file mean. Where it is compiled with other options than it was read with, only
/// those that lie beside it are sure.
source::IncludeTargets includes_of(const source::Source& source, std::size_t file, bool same_options) {
  namespace fs = std::filesystem;
  source::IncludeTargets out = file == 0 ? source.includes : source.headers[file - 1].includes;
  if (same_options) return out;
  std::erase_if(out, [&](const auto& include) {
    const auto& [written, target] = include;
    const fs::path beside =
        fs::path(source.lines.files[file].path).parent_path() / written.substr(1, written.size() - 2);
    return written.front() == '<' || beside.lexically_normal() != source.lines.files[target].path;
  });
  return out;
}

/// A text that ends in a backslash, as a macro with one line too many does: nvcc's host compiler reads it, NVRTC does
/// not.
std::string ended(std::string text) {
  std::string_view last = text;
  while (last.ends_with('\n') || last.ends_with('\r')) last.remove_suffix(1);
  if (last.ends_with('\\') && text.size() - last.size() < 3) text += "\n";
  return text;
}

/// The call of the compiler, and the way from its names back to the user's.
Call call_of(const source::Source& source, const Texts& texts, const NvrtcOptions& options, const FileNames& names) {
  Call out;
  out.name = names.main();
  out.text = ended(names.text(without_comments(texts.main), includes_of(source, 0, options.as_read)));
  out.headers = options.headers.unmarked;
  for (std::size_t k = 0; k < texts.headers.size(); ++k)
    out.headers[names.headers()[k]] =
        ended(names.text(without_comments(texts.headers[k]), includes_of(source, k + 1, options.as_read)));
  out.headers.emplace(source::prologue_file, source::probe_prologue());
  const HostHeaders& host = host_headers();
  for (std::size_t k = 0; k < host.names.size(); ++k) out.headers.insert_or_assign(host.names[k], host.texts[k]);
  for (const source::LaunchSpec& l : source.header.launches)
    if (needs_expression(l.kernel)) out.expressions.push_back(l.kernel);
  out.options = names.options();
  out.folders = names.folders();
  out.precompiled = options.precompiled;
  return out;
}

Attempt attempt(const source::Source& source, const Texts& texts, const NvrtcOptions& options, bool cached,
                Variant variant) {
  const FileNames names(source, options.list);
  Attempt out;
  Call call = call_of(source, texts, options, names);
  Contained contained = contain(call, source, names);
  if (!contained.computed.empty()) {
    out.status = not_called;
    out.log.diagnostics = std::move(contained.computed);
    return out;
  }
  Answer answer = answer_of(call, cached, static_cast<std::size_t>(variant));
  out.status = answer.status;
  const std::string log = FileNames::log(answer.log);
  out.log = read_log(log, logged_texts(source, names));
  if (!out.log.assembler.empty())
    for (Diagnostic& d : assembler_diagnostics(out.log.assembler, answer.ptx, names.main()))
      out.log.diagnostics.push_back(std::move(d));
  for (CompileLog::MissingHeader& m : out.log.missing_headers) m.includer = names.real(m.includer);
  for (Diagnostic& d : out.log.diagnostics) {
    if (const auto refused = contained.refused.find(d.file); refused != contained.refused.end()) {
      d = refused->second;
      continue;
    }
    d.file = names.real(d.file), d.message = names.words(d.message);
    out.of_mixed_math = out.of_mixed_math || (d.severity == Severity::error && is_of_mixed_math(d));
    d = without_quotes(with_replacement(without_mixed_names(std::move(d))), source);
  }
  out.log.diagnostics = placed_in_header(std::move(out.log.diagnostics), source);
  out.first_words = names.words(log.substr(0, log.find('\n')));
  if (out.status != 0) return out;
  out.ptx = names.ptx(answer.ptx);
  out.cubin = std::move(answer.cubin);
  out.machine = machine_counts(out.cubin);
  std::size_t expression = 0;
  for (const source::LaunchSpec& l : source.header.launches)
    out.lowered.push_back(needs_expression(l.kernel) ? std::move(answer.lowered[expression++]) : "");
  return out;
}

/// NVRTC refuses a kernel with too much static shared memory without a word of its own (seen with NVRTC 13.0).
Diagnostics too_much_shared(const source::Source& source, const Attempt& attempt) {
  constexpr int most = 48 << 10;
  Diagnostics out;
  for (const auto& [entry, resources] : attempt.log.resources) {
    if (resources.shared_bytes <= most) continue;
    Diagnostic& d = out.emplace_back(Diagnostic{
        .file = source.file,
        .message = fmt::format("the kernel `{}` has {} bytes of static shared memory; at most {} are possible",
                               demangled(entry), resources.shared_bytes, most),
        .remedy = "make the arrays smaller, or use dynamic shared memory, of which there is more "
                  "(extern __shared__, and cudaFuncAttributeMaxDynamicSharedMemorySize)"});
    const std::string name = demangled(entry);
    source::LaunchSpec launch;  // if nothing launches it
    launch.kernel = name.substr(0, name.find_first_of("<("));
    for (const source::LaunchSpec& l : source.header.launches)
      if (name.find(l.kernel.substr(0, l.kernel.find('<'))) != std::string::npos) launch = l;
    const auto array = source::largest_array(source::lexed(source), source.header, launch, source::ArrayMemory::shared,
                                             static_cast<std::uint64_t>(resources.shared_bytes));
    if (array) source::name_array(*array, source.lines, d);
  }
  return out;
}

Diagnostics errors_of(const Nvrtc& library, const source::Source& source, Attempt& attempt) {
  Diagnostics out;
  for (Diagnostic& d : attempt.log.diagnostics)
    if (d.severity == Severity::error) out.push_back(std::move(d));
  if (out.empty()) out = too_much_shared(source, attempt);
  if (out.empty()) {
    const std::string& first = attempt.first_words;
    out.push_back(
        {.file = source.file, .message = first.empty() ? library.error_string(attempt.status) : first, .remedy = {}});
  }
  return out;
}

Expected<Outcome> finish(const Nvrtc& library, const source::Source& source, Attempt& done,
                         const NvrtcOptions& options) {
  Outcome out;
  out.compiled.ptx = std::move(done.ptx);
  out.compiled.made_by = "NVRTC " + library.version_text;
  out.compiled.arch = options.arch;
  out.compiled.warnings = options.notes;
  for (Diagnostic& d : out.compiled.warnings) d.file = source.file;
  out.compiled.warnings = placed_in_header(std::move(out.compiled.warnings), source);
  for (Diagnostic& d : done.log.diagnostics) out.compiled.warnings.push_back(std::move(d));
  for (std::size_t i = 0; i < source.header.launches.size(); ++i) {
    const source::LaunchSpec& l = source.header.launches[i];
    std::string name =
        done.lowered[i].empty() ? find_entry(out.compiled.ptx, l.kernel, l.arguments.size()) : done.lowered[i];
    if (name.empty()) {
      const auto overloads = entries_called(out.compiled.ptx, l.kernel, l.arguments.size()).size();
      const auto place = l.place_or_line(l.places.kernel);
      return failure(Diagnostic{
          .file = source.file,
          .line = place.line,
          .column = place.column,
          .message = overloads > 1 ? fmt::format("{} kernels are called `{}` and have {} parameters", overloads,
                                                 l.kernel, l.arguments.size())
                                   : fmt::format("the compiled program has no kernel `{}`", l.kernel),
          .remedy = overloads > 1 ? "rename one of them: kernels of one name are distinguished by how many parameters "
                                    "they have, not by the types of these"
                                  : "a template needs its arguments, for instance kernel = \"copy<float4>\""});
    }
    out.compiled.entry_names.push_back(std::move(name));
  }
  out.compiled.resources = std::move(done.log.resources);
  out.compiled.spill_load_bytes = std::move(done.log.spill_load_bytes);
  out.compiled.machine = std::move(done.machine);
  out.compiled.cubin_resources = cubin_resources(done.cubin);
  out.compiled.cubin = std::move(done.cubin);
  return out;
}

/// Whether the toolkit has what is missing: it goes before a copy that a project may keep.
bool is_of_cccl(const Nvrtc& library, const std::vector<CompileLog::MissingHeader>& missing) {
  std::error_code problem;
  return !library.cccl_directory.empty() && std::ranges::any_of(missing, [&](const auto& m) {
    return std::filesystem::exists(std::filesystem::path(library.cccl_directory) / m.name, problem);
  });
}

/// A kernel that launches kernels. The functions of the device runtime are declared where device code is relocatable;
/// what such a kernel calls besides is not known before (seen with NVRTC 13.0).
bool asks_for_runtime(const Texts& texts, const Diagnostics& errors) {
  const auto has_launch = [](const std::string& text) { return text.find("<<<") != std::string::npos; };
  if (!has_launch(texts.main) && std::ranges::none_of(texts.headers, has_launch)) return false;
  return std::ranges::any_of(errors, [](const Diagnostic& d) {
    return d.code == DiagnosticCode::launch_in_device_code || d.message.starts_with("identifier \"cuda");
  });
}

/// Of -I, in their order.
std::vector<std::filesystem::path> all_folders(const NvrtcOptions& options) {
  std::vector<std::filesystem::path> out;
  for (const std::string& o : options.list)
    for (const std::string_view word : {"-I", "--include-path="})
      if (o.starts_with(word)) out.emplace_back(o.substr(word.size()));
  return out;
}

Expected<Outcome> compile_now(const Nvrtc& library, const source::Source& source, Variant variant,
                              const Options& options) {
  HeaderFolders headers(source.file, source.device_text, source.found_headers);
  Texts texts = texts_of(source, variant);
  bool with_cccl = false;
  bool plain_forms = false, newer = false;  ///< what NVRTC does not take of GNU C++ was replaced; as C++20
  bool launches = false;                    ///< kernels launch kernels, which calls functions of the device runtime
  std::string standard;           // what device code takes from the C++ library, once it turned out to need it
  std::set<std::string> without;  // headers that are answered with nothing
  std::set<std::string> annotations;
  std::set<std::string_view> mixed = mixed_functions(texts, source), not_mixed;
  const auto with_all = [&] {
    std::string answered = standard;
    for (const std::string& h : without) answered += '\0' + h;
    const std::string marks = annotations_text(annotations);
    answered += marks;
    const std::string math = mixed_math_text(mixed);
    answered += math;
    NvrtcOptions all = nvrtc_options(library, source, texts.headers, options, headers.folders(), answered);
    if (variant == Variant::probed && source.probes_in_headers)
      all.list.push_back(fmt::format("--pre-include={}", source::prologue_file));
    for (const std::string& h : without) all.headers.unmarked.try_emplace(h, "\n");
    if (with_cccl) all.list.push_back(cccl_option(library));
    if (newer) all.list.emplace_back("--std=c++20");
    if (launches) all.list.emplace_back("--relocatable-device-code=true");
    if (!marks.empty()) {
      all.headers.unmarked.insert_or_assign(std::string(annotations_file), marks);
      all.list.push_back(fmt::format("--pre-include={}", annotations_file));
    }
    if (!math.empty()) {
      all.headers.unmarked.insert_or_assign(std::string(mixed_math_file), math);
      all.list.push_back(fmt::format("--pre-include={}", mixed_math_file));
    }
    if (!standard.empty()) {
      all.headers.unmarked.insert_or_assign(std::string(standard_file), standard);
      all.list.push_back(fmt::format("--pre-include={}", standard_file));
    }
    return all;
  };
  NvrtcOptions nvrtc_opts = with_all();
  std::vector<int> dropped;
  bool assembler_refused = false;
  LeftOut left_out(source);
  for (;;) {
    Attempt a = attempt(source, texts, nvrtc_opts, options.cached, variant);
    forget_edited_headers(source, nvrtc_opts);
    if (a.status == 0) {
      Expected<Outcome> out = finish(library, source, a, nvrtc_opts);
      if (out) {
        out->dropped_probes = std::move(dropped);
        out->assembler_refused = assembler_refused;
        out->compiled.assumed = headers.found();
        for (Diagnostic& d : left_out.notes()) out->compiled.warnings.push_back(std::move(d));
        for (Diagnostic& d : annotation_notes(annotations, source.file)) out->compiled.warnings.push_back(std::move(d));
        if (!not_mixed.empty()) out->compiled.warnings.push_back(mixed_note(not_mixed, source.file));
      }
      return out;
    }
    assembler_refused = assembler_refused || !a.log.assembler.empty();
    if (a.status == not_called) return tl::unexpected(std::move(a.log.diagnostics));
    if (a.status == compiler_full)
      return failure(Diagnostic{.file = source.file,
                                .message = a.first_words,
                                .remedy = "compile fewer templates and headers, or allow more memory (--max-memory)"});
    if (a.status == compiler_died)
      return failure(
          Diagnostic{.file = source.file,
                     .message = a.first_words,
                     .remedy = "change or take out what was written last; its crash is no error of lanescope"});
    const std::string cccl = cccl_option(library);
    if (const auto& missing = a.log.missing_headers; !missing.empty()) {
      const bool theirs = is_of_cccl(library, missing);
      if (!(theirs && !with_cccl) && headers.look_for(missing)) {
        nvrtc_opts = with_all();
        continue;
      }
      if (!cccl.empty() && !with_cccl) {
        with_cccl = true;
        nvrtc_opts = with_all();
        continue;
      }
    }
    if (add_annotations(a.log.diagnostics, annotations)) {
      nvrtc_opts = with_all();
      continue;
    }
    const bool has_standard = std::ranges::any_of(
        nvrtc_opts.list, [](const std::string& o) { return o.starts_with("-std=") || o.starts_with("--std="); });
    if (!newer && !has_standard &&
        std::ranges::any_of(a.log.diagnostics, [&](const Diagnostic& d) { return is_at_designator(d, source); })) {
      newer = true;
      nvrtc_opts = with_all();
      continue;
    }
    if (not_mixed.empty() && asks_for_mixed_pow(a.log.diagnostics) && mixed.insert("pow").second) {
      nvrtc_opts = with_all();
      continue;
    }
    if (!launches && asks_for_runtime(texts, a.log.diagnostics)) {
      launches = true;
      nvrtc_opts = with_all();
      continue;
    }
    if (!plain_forms && std::ranges::any_of(a.log.diagnostics, [](const Diagnostic& d) {
          return d.message == "expected an expression" || d.message.find("__typeof") != std::string::npos ||
                 d.message.find("\"__builtin_") != std::string::npos;
        })) {
      plain_forms = true;
      if (replace_gnu_forms(texts)) {
        nvrtc_opts = with_all();
        continue;
      }
    }
    if (make_class_constants(texts, a.log.diagnostics, source)) {
      nvrtc_opts = with_all();
      continue;
    }
    const std::vector<int>& broken = a.log.broken_probes;
    if (variant == Variant::plain || broken.empty() || !drop_probes(texts, broken)) {
      if (standard.empty() && !cccl.empty() && a.log.missing_headers.empty()) {
        standard = standard_text(texts);
        if (!standard.empty()) {
          with_cccl = true;
          nvrtc_opts = with_all();
          continue;
        }
      }
      if (a.of_mixed_math && !mixed.empty()) {  // a library has functions of these names, or what is called is none
        not_mixed = std::exchange(mixed, {});
        nvrtc_opts = with_all();
        continue;
      }
      if (left_out.less(a.log.diagnostics, all_folders(nvrtc_opts), texts, without)) {
        nvrtc_opts = with_all();
        continue;
      }
      Diagnostics errors = left_out.explained(errors_of(library, source, a));
      for (const options::FoundHeader& f : headers.found())
        errors.push_back({.file = source.file,
                          .message = "assumed: " + options::words_of(f, source.file),
                          .remedy = {},
                          .severity = Severity::note});
      return tl::unexpected<Diagnostics>(with_neighbours(std::move(errors), source));
    }
    dropped.insert(dropped.end(), broken.begin(), broken.end());
  }
}

}  // namespace

std::string assembled_words(const Compiled& compiled, const std::string& entry) {
  const auto machine = compiled.cubin_resources.find(entry);
  if (machine == compiled.cubin_resources.end()) return {};
  const auto reported = compiled.resources.find(entry);
  const auto loads = compiled.spill_load_bytes.find(entry);
  return words(machine->second, reported == compiled.resources.end() ? -1 : reported->second.spill_bytes,
               loads == compiled.spill_load_bytes.end() ? -1 : loads->second);
}

Expected<Outcome> compile(const source::Source& source, Variant variant, const Options& options) {
  const auto start = std::chrono::steady_clock::now();
  const Nvrtc& library = nvrtc();
  if (options.forbid_nvrtc || !library.usable()) {
    if (std::optional<Compiled> stored = find_stored(source, variant, options))
      return Outcome{.compiled = std::move(*stored), .dropped_probes = {}};
    const std::string problem = options.forbid_nvrtc ? "NVRTC is disabled" : library.problem;
    return failure(Diagnostic{.file = source.file,
                              .message = fmt::format("{}, and there is no stored PTX of this text", problem),
                              .remedy = how_to_get_nvrtc});
  }
  Expected<Outcome> out = compile_now(library, source, variant, options);
  const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
  if (out) out->compiled.milliseconds = took.count();
  return out;
}

Expected<Both> compile_both(const source::Source& source, const Options& options,
                            const std::function<void(Variant, const Outcome&)>& done) {
  const auto one = [&](Variant variant, bool assembled) {
    Options own = options;
    own.assembled = assembled;
    Expected<Outcome> out = compile(source, variant, own);
    if (out && done) done(variant, *out);
    return out;
  };
  std::future<Expected<Outcome>> probed = std::async(std::launch::async, one, Variant::probed, false);
  Expected<Outcome> plain = one(Variant::plain, options.assembled);
  Expected<Outcome> other = probed.get();
  // The plain compile, which has no insertions, reports errors of the user's text.
  if (!plain) return tl::unexpected<Diagnostics>(plain.error());
  // Code left out since ptxas does not take it is left out of both.
  if (plain->assembler_refused) other = one(Variant::probed, true);
  if (!other) return tl::unexpected<Diagnostics>(other.error());
  return Both{.plain = std::move(*plain), .probed = std::move(*other)};
}

Toolchain toolchain(bool forbid_nvrtc) {
  Toolchain out;
  const Nvrtc& library = nvrtc();
  out.nvrtc = !forbid_nvrtc && library.usable();
  if (out.nvrtc) {
    out.nvrtc_path = library.path;
    out.nvrtc_version = library.version_text;
    out.include_directory = library.include_directory;
    if (out.include_directory.empty())
      out.problem =
          "NVRTC is installed without the CUDA headers: kernels that include, for example, cuda_fp16.h do not compile";
  } else {
    out.problem = fmt::format("{}; {}", forbid_nvrtc ? "NVRTC is disabled" : library.problem, how_to_get_nvrtc);
  }
  return out;
}

}  // namespace lanescope::compile
