#include "kernels/source/options/nvcc_words.h"

#include <algorithm>
#include <vector>

#include "kernels/base/listed_words.h"
#include "kernels/base/text.h"

namespace lanescope::options {
namespace {

using enum Values;
using enum Meaning;

constexpr std::string_view phase = "chooses what nvcc writes", host = "is for the host compiler",
                           linker = "is for the linker", files = "names files that nvcc writes",
                           tools = "is about how nvcc runs its tools",
                           whole = "the file is compiled as a whole program", warnings = "is about nvcc's messages",
                           unneeded = "is not needed: device code is all there is", always = "is always given",
                           toolchain = "chooses nvcc's tools", one_arch = "one architecture is compiled for";

/// Names of options that are read alike: "long/short" without their dashes, one of the two may be empty; "both".
struct Group {
  Values values;
  Meaning meaning;
  std::string_view reason, names;
};
// clang-format off
constexpr Group groups[] = {
    {attached, include_folder, "", "include-path/I system-include/isystem /iquote /idirafter"},
    {attached, define, "", "define-macro/D"},
    {attached, undefine, "", "undefine-macro/U"},
    {one, pre_include, "", "pre-include/include"},
    {one, standard, "", "std"},
    {one, architecture, "", "gpu-architecture/arch cuda-gpu-arch/ offload-arch/"},
    {one, code, "", "gpu-code/code"},
    {one, generate_code, "", "generate-code/gencode"},
    {one, register_limit, "", "maxrregcount"},
    {one, assembler, "", "ptxas-options/Xptxas"},
    {one, front_end, "", "/Xcudafe"},
    {one, options_file, "", "options-file/optf"},
    {none, device_debug, "", "device-debug/G"},
    {none, pass, "",
     "use_fast_math extra-device-vectorization restrict disable-warnings/w display-error-number/err-no "
     "no-display-error-number/no-err-no device-int128 device-float128"},
    {one, pass, "",
     "ftz prec-div prec-sqrt fmad diag-error diag-suppress diag-warn device-stack-protector Ofast-compile/Ofc dopt "
     "builtin-move-forward builtin-initializer-list"},
    {one, pass_typed, "", "frandom-seed split-compile"},
    {none, pass_typed, "", "no-source-include minimal"},
    {none, no_use, always, "default-device generate-line-info/lineinfo resource-usage/res-usage"},
    {none, no_use, whole,
     "extensible-whole-program/ewp device-c/dc device-w/dw dlink-time-opt/dlto lto gen-opt-lto "
     "relocatable-ptx/reloc-ptx"},
    {one, no_use, whole, "relocatable-device-code/rdc"},
    {one, no_use, "the kernel is chosen by the launch", "entries/e"},
    {none, no_use, unneeded, "expt-relaxed-constexpr extended-lambda expt-extended-lambda"},
    {one, no_use, "the launch states its stream", "default-stream"},
    {none, no_use, phase,
     "cuda cubin fatbin ptx optix-ir ltoir preprocess/E compile/c /S device-link/dlink link lib run dryrun"},
    {one, no_use, phase, "run-args"},
    {none, no_use, files,
     "generate-dependencies/M generate-nonsystem-dependencies/MM generate-dependencies-with-compile/MD "
     "generate-nonsystem-dependencies-with-compile/MMD generate-dependency-targets/MP objdir-as-tempdir/objtemp "
     "keep save-temps clean-targets/clean source-in-ptx/src-in-ptx"},
    {one, no_use, files,
     "dependency-output/MF dependency-target-name/MT /MQ output-directory/odir keep-dir time fdevice-time-trace"},
    {attached, no_use, files, "output-file/o"},
    {attached, no_use, linker, "library/l library-path/L"},
    {one, no_use, linker,
     "cudart cudadevrt linker-options/Xlinker archive-options/Xarchive nvlink-options/Xnvlink "
     "host-linker-script/hls compress-mode"},
    {none, no_use, linker,
     "shared /static no-device-link/nodlink augment-host-linker-script/aug-hls relocatable-link/r no-compress "
     "forward-unknown-to-host-linker"},
    {one, no_use, host,
     "compiler-options/Xcompiler ftemplate-backtrace-limit ftemplate-depth static-global-template-stub "
     "device-entity-has-hidden-visibility /isysroot"},
    {none, no_use, host,
     "profile/pg debug/g /g3 /ggdb no-exceptions/noeh forward-unknown-to-host-compiler forward-unknown-opts "
     "no-host-device-initializer-list/nohdinitlist no-host-device-move-forward/nohdmoveforward no-align-double/ "
     "/pthread /pedantic /pipe /ansi"},
    {attached, no_use, "is for host code; -Xptxas -O1 is for device code", "optimize/O"},
    {attached, no_use, host, "machine/m"},
    {one, no_use, "the file is CUDA C++", "x"},
    {one, no_use, toolchain,
     "compiler-bindir/ccbin archiver-binary/arbin libdevice-directory/ldir target-directory/target-dir cuda-path/ "
     "input-drive-prefix/idp dependency-drive-prefix/ddp drive-prefix/dp"},
    {none, no_use, toolchain,
     "allow-unsupported-compiler use-local-env force-cl-env-setup dont-use-profile/noprof qpp-config /nocudainc "
     "/nocudalib"},
    {none, no_use, tools,
     "verbose/v jobserver fdevice-syntax-only compile-as-tools-patch/astoolspatch help/h version/V "
     "list-gpu-code/code-ls list-gpu-arch/arch-ls"},
    {one, no_use, tools, "threads/t split-compile-extended sanitize"},
    {none, no_use, "functions that no kernel calls do not count", "keep-device-functions"},
    {one, no_use, "NVRTC does not have it", "jump-table-density/jtd"},
    {one, no_use, warnings, "brief-diagnostics/brief-diag optimization-info/opt-info Werror"},
    {none, no_use, warnings,
     "Wreorder Wdefault-stream-launch Wmissing-launch-bounds Wext-lambda-captures-this Wno-deprecated-declarations "
     "Wno-deprecated-gpu-targets"},
    {none, no_use, one_arch, "/arch-list"},
};
// clang-format on

std::vector<NvccOption> make_rows() {
  std::vector<NvccOption> out;
  const auto dashed = [](const char* dashes, std::string_view name) {
    return name.empty() ? std::string() : dashes + std::string(name);
  };
  for (const Group& g : groups)
    for (const std::string_view both : listed_words(g.names)) {
      const std::size_t slash = both.find('/');
      out.push_back({.long_name = dashed("--", both.substr(0, slash)),
                     .short_name = dashed("-", slash == std::string_view::npos ? both : both.substr(slash + 1)),
                     .values = g.values,
                     .meaning = g.meaning,
                     .reason = g.reason});
    }
  return out;
}

}  // namespace

const NvccOption* find_option(std::string_view word) {
  static const std::vector<NvccOption> rows = make_rows();
  const std::string_view name = word.substr(0, word.find('='));
  const bool has_value = name.size() < word.size();
  const auto named = std::ranges::find_if(rows, [&](const NvccOption& o) {
    const bool same = (!o.long_name.empty() && o.long_name == name) || (!o.short_name.empty() && o.short_name == name);
    return same && !(has_value && o.values == none);
  });
  if (named != rows.end()) return &*named;
  const NvccOption* best = nullptr;
  for (const NvccOption& o : rows)
    if (o.values == attached && !o.short_name.empty() && word.starts_with(o.short_name) &&
        (best == nullptr || o.short_name.size() > best->short_name.size()))
      best = &o;
  // -march=native is no -m, -lineinfo2 may be a misspelt option, but -lcudart is a library.
  return best != nullptr && best->short_name == "-m" && (word.size() < 3 || !is_digit(word[2])) ? nullptr : best;
}

bool is_assembler_option_of_files(std::string_view word) {
  static const auto plain = listed_words(
      "-v --verbose -w --disable-warnings -warn-spills --warn-on-spills -warn-lmem-usage --warn-on-local-memory-usage "
      "-warn-double-usage --warn-on-double-precision-use -suppress-stack-size-warning --suppress-stack-size-warning "
      "-disable-optimizer-consts --disable-optimizer-constants");
  static const auto with_cache =
      listed_words("-dlcm --def-load-cache -dscm --def-store-cache -flcm --force-load-cache -fscm --force-store-cache");
  static const auto with_truth =
      listed_words("-fmad --fmad -allow-expensive-optimizations --allow-expensive-optimizations");
  static const auto with_number =
      listed_words("-O --opt-level -maxrregcount --maxrregcount -register-usage-level --register-usage-level");
  const auto is_number = [](std::string_view text) { return !text.empty() && std::ranges::all_of(text, is_digit); };
  const std::size_t equals = word.find('=');
  if (equals == std::string_view::npos)
    return one_of(word, plain) || (word.starts_with("-O") && is_number(word.substr(2)));
  const std::string_view name = word.substr(0, equals), value = word.substr(equals + 1);
  return (one_of(name, with_cache) && one_of(value, {"ca", "cg", "cs", "cv", "wb", "wt"})) ||
         (one_of(name, with_truth) && one_of(value, {"true", "false"})) ||
         (one_of(name, with_number) && is_number(value));
}

bool is_host_option(std::string_view word) {
  return word.starts_with("-W") || word.starts_with("-f") || word.starts_with("-m") || word.starts_with("-pedantic") ||
         word.starts_with("-stdlib") || word.starts_with("-g") || word.starts_with("-Qunused");
}

}  // namespace lanescope::options
