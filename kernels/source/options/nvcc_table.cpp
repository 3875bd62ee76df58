#include "kernels/source/options/nvcc_table.h"

#include <algorithm>
#include <array>

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

constexpr NvccOption rows[] = {
    {"--include-path", "-I", attached, include_folder},
    {"--system-include", "-isystem", attached, include_folder},
    {"", "-iquote", attached, include_folder},
    {"", "-idirafter", attached, include_folder},
    {"--define-macro", "-D", attached, define},
    {"--undefine-macro", "-U", attached, undefine},
    {"--pre-include", "-include", one, pre_include},
    {"--std", "-std", one, standard},
    {"--gpu-architecture", "-arch", one, architecture},
    {"--cuda-gpu-arch", "", one, architecture},
    {"--offload-arch", "", one, architecture},
    {"--gpu-code", "-code", one, code},
    {"--generate-code", "-gencode", one, generate_code},
    {"--maxrregcount", "-maxrregcount", one, register_limit},
    {"--ptxas-options", "-Xptxas", one, assembler},
    {"", "-Xcudafe", one, front_end},
    {"--options-file", "-optf", one, options_file},
    {"--device-debug", "-G", none, device_debug},
    // what NVRTC takes as it is
    {"--use_fast_math", "-use_fast_math", none, pass},
    {"--ftz", "-ftz", one, pass},
    {"--prec-div", "-prec-div", one, pass},
    {"--prec-sqrt", "-prec-sqrt", one, pass},
    {"--fmad", "-fmad", one, pass},
    {"--extra-device-vectorization", "-extra-device-vectorization", none, pass},
    {"--restrict", "-restrict", none, pass},
    {"--disable-warnings", "-w", none, pass},
    {"--diag-error", "-diag-error", one, pass},
    {"--diag-suppress", "-diag-suppress", one, pass},
    {"--diag-warn", "-diag-warn", one, pass},
    {"--display-error-number", "-err-no", none, pass},
    {"--no-display-error-number", "-no-err-no", none, pass},
    {"--device-stack-protector", "-device-stack-protector", one, pass},
    {"--frandom-seed", "-frandom-seed", one, pass_typed},
    {"--Ofast-compile", "-Ofc", one, pass},
    {"--dopt", "-dopt", one, pass},
    {"--split-compile", "-split-compile", one, pass_typed},
    {"--device-int128", "-device-int128", none, pass},
    {"--device-float128", "-device-float128", none, pass},
    {"--builtin-move-forward", "-builtin-move-forward", one, pass},
    {"--builtin-initializer-list", "-builtin-initializer-list", one, pass},
    {"--no-source-include", "-no-source-include", none, pass_typed},
    {"--minimal", "-minimal", none, pass_typed},
    {"--default-device", "-default-device", none, no_use, always},
    {"--generate-line-info", "-lineinfo", none, no_use, always},
    {"--extensible-whole-program", "-ewp", none, no_use, whole},
    {"--relocatable-device-code", "-rdc", one, no_use, whole},
    {"--device-c", "-dc", none, no_use, whole},
    {"--device-w", "-dw", none, no_use, whole},
    {"--dlink-time-opt", "-dlto", none, no_use, whole},
    {"--lto", "-lto", none, no_use, whole},
    {"--gen-opt-lto", "-gen-opt-lto", none, no_use, whole},
    {"--relocatable-ptx", "-reloc-ptx", none, no_use, whole},
    {"--entries", "-e", one, no_use, "the kernel is chosen by the launch"},
    {"--expt-relaxed-constexpr", "-expt-relaxed-constexpr", none, no_use, unneeded},
    {"--extended-lambda", "-extended-lambda", none, no_use, unneeded},
    {"--expt-extended-lambda", "-expt-extended-lambda", none, no_use, unneeded},
    {"--default-stream", "-default-stream", one, no_use, "the launch states its stream"},
    {"--cuda", "-cuda", none, no_use, phase},
    {"--cubin", "-cubin", none, no_use, phase},
    {"--fatbin", "-fatbin", none, no_use, phase},
    {"--ptx", "-ptx", none, no_use, phase},
    {"--optix-ir", "-optix-ir", none, no_use, phase},
    {"--ltoir", "-ltoir", none, no_use, phase},
    {"--preprocess", "-E", none, no_use, phase},
    {"--compile", "-c", none, no_use, phase},
    {"", "-S", none, no_use, phase},
    {"--device-link", "-dlink", none, no_use, phase},
    {"--link", "-link", none, no_use, phase},
    {"--lib", "-lib", none, no_use, phase},
    {"--run", "-run", none, no_use, phase},
    {"--run-args", "-run-args", one, no_use, phase},
    {"--dryrun", "-dryrun", none, no_use, phase},
    {"--generate-dependencies", "-M", none, no_use, files},
    {"--generate-nonsystem-dependencies", "-MM", none, no_use, files},
    {"--generate-dependencies-with-compile", "-MD", none, no_use, files},
    {"--generate-nonsystem-dependencies-with-compile", "-MMD", none, no_use, files},
    {"--dependency-output", "-MF", one, no_use, files},
    {"--generate-dependency-targets", "-MP", none, no_use, files},
    {"--dependency-target-name", "-MT", one, no_use, files},
    {"", "-MQ", one, no_use, files},
    {"--output-file", "-o", attached, no_use, files},
    {"--output-directory", "-odir", one, no_use, files},
    {"--objdir-as-tempdir", "-objtemp", none, no_use, files},
    {"--keep", "-keep", none, no_use, files},
    {"--keep-dir", "-keep-dir", one, no_use, files},
    {"--save-temps", "-save-temps", none, no_use, files},
    {"--clean-targets", "-clean", none, no_use, files},
    {"--time", "-time", one, no_use, files},
    {"--fdevice-time-trace", "-fdevice-time-trace", one, no_use, files},
    {"--source-in-ptx", "-src-in-ptx", none, no_use, files},
    {"--library", "-l", attached, no_use, linker},
    {"--library-path", "-L", attached, no_use, linker},
    {"--cudart", "-cudart", one, no_use, linker},
    {"--cudadevrt", "-cudadevrt", one, no_use, linker},
    {"--shared", "-shared", none, no_use, linker},
    {"", "-static", none, no_use, linker},
    {"--linker-options", "-Xlinker", one, no_use, linker},
    {"--archive-options", "-Xarchive", one, no_use, linker},
    {"--nvlink-options", "-Xnvlink", one, no_use, linker},
    {"--no-device-link", "-nodlink", none, no_use, linker},
    {"--host-linker-script", "-hls", one, no_use, linker},
    {"--augment-host-linker-script", "-aug-hls", none, no_use, linker},
    {"--relocatable-link", "-r", none, no_use, linker},
    {"--no-compress", "-no-compress", none, no_use, linker},
    {"--compress-mode", "-compress-mode", one, no_use, linker},
    {"--compiler-options", "-Xcompiler", one, no_use, host},
    {"--profile", "-pg", none, no_use, host},
    {"--debug", "-g", none, no_use, host},
    {"", "-g3", none, no_use, host},
    {"", "-ggdb", none, no_use, host},
    {"--optimize", "-O", attached, no_use, "is for host code; -Xptxas -O1 is for device code"},
    {"--machine", "-m", attached, no_use, host},
    {"--no-exceptions", "-noeh", none, no_use, host},
    {"--x", "-x", one, no_use, "the file is CUDA C++"},
    {"--forward-unknown-to-host-compiler", "-forward-unknown-to-host-compiler", none, no_use, host},
    {"--forward-unknown-to-host-linker", "-forward-unknown-to-host-linker", none, no_use, linker},
    {"--forward-unknown-opts", "-forward-unknown-opts", none, no_use, host},
    {"--no-host-device-initializer-list", "-nohdinitlist", none, no_use, host},
    {"--no-host-device-move-forward", "-nohdmoveforward", none, no_use, host},
    {"--ftemplate-backtrace-limit", "-ftemplate-backtrace-limit", one, no_use, host},
    {"--ftemplate-depth", "-ftemplate-depth", one, no_use, host},
    {"--static-global-template-stub", "-static-global-template-stub", one, no_use, host},
    {"--device-entity-has-hidden-visibility", "-device-entity-has-hidden-visibility", one, no_use, host},
    {"--no-align-double", "", none, no_use, host},
    {"--compiler-bindir", "-ccbin", one, no_use, toolchain},
    {"--allow-unsupported-compiler", "-allow-unsupported-compiler", none, no_use, toolchain},
    {"--archiver-binary", "-arbin", one, no_use, toolchain},
    {"--libdevice-directory", "-ldir", one, no_use, toolchain},
    {"--target-directory", "-target-dir", one, no_use, toolchain},
    {"--cuda-path", "", one, no_use, toolchain},
    {"--use-local-env", "-use-local-env", none, no_use, toolchain},
    {"--force-cl-env-setup", "-force-cl-env-setup", none, no_use, toolchain},
    {"--dont-use-profile", "-noprof", none, no_use, toolchain},
    {"--input-drive-prefix", "-idp", one, no_use, toolchain},
    {"--dependency-drive-prefix", "-ddp", one, no_use, toolchain},
    {"--drive-prefix", "-dp", one, no_use, toolchain},
    {"--qpp-config", "-qpp-config", none, no_use, toolchain},
    {"--verbose", "-v", none, no_use, tools},
    {"--threads", "-t", one, no_use, tools},
    {"--split-compile-extended", "-split-compile-extended", one, no_use, tools},
    {"--jobserver", "-jobserver", none, no_use, tools},
    {"--fdevice-syntax-only", "-fdevice-syntax-only", none, no_use, tools},
    {"--compile-as-tools-patch", "-astoolspatch", none, no_use, tools},
    {"--sanitize", "-sanitize", one, no_use, tools},
    {"--help", "-h", none, no_use, tools},
    {"--version", "-V", none, no_use, tools},
    {"--list-gpu-code", "-code-ls", none, no_use, tools},
    {"--list-gpu-arch", "-arch-ls", none, no_use, tools},
    {"--keep-device-functions", "-keep-device-functions", none, no_use, "functions that no kernel calls do not count"},
    {"--jump-table-density", "-jtd", one, no_use, "NVRTC does not have it"},
    {"--brief-diagnostics", "-brief-diag", one, no_use, warnings},
    {"--resource-usage", "-res-usage", none, no_use, always},
    {"--optimization-info", "-opt-info", one, no_use, warnings},
    {"--Wreorder", "-Wreorder", none, no_use, warnings},
    {"--Wdefault-stream-launch", "-Wdefault-stream-launch", none, no_use, warnings},
    {"--Wmissing-launch-bounds", "-Wmissing-launch-bounds", none, no_use, warnings},
    {"--Wext-lambda-captures-this", "-Wext-lambda-captures-this", none, no_use, warnings},
    {"--Wno-deprecated-declarations", "-Wno-deprecated-declarations", none, no_use, warnings},
    {"--Wno-deprecated-gpu-targets", "-Wno-deprecated-gpu-targets", none, no_use, warnings},
    {"--Werror", "-Werror", one, no_use, warnings},
    {"--Werror", "", none, no_use, warnings},
    {"", "-isysroot", one, no_use, host},
    {"", "-pthread", none, no_use, host},
    {"", "-pedantic", none, no_use, host},
    {"", "-pipe", none, no_use, host},
    {"", "-ansi", none, no_use, host},
    {"", "-nocudainc", none, no_use, toolchain},
    {"", "-nocudalib", none, no_use, toolchain},
    {"", "-arch-list", none, no_use, one_arch},
};

}  // namespace

const NvccOption* find_option(std::string_view word) {
  const std::string_view name = word.substr(0, word.find('='));
  const bool has_value = name.size() < word.size();
  const auto named = std::ranges::find_if(rows, [&](const NvccOption& o) {
    const bool same = (!o.long_name.empty() && o.long_name == name) || (!o.short_name.empty() && o.short_name == name);
    return same && !(has_value && o.values == none);
  });
  if (named != std::end(rows)) return named;
  const NvccOption* best = nullptr;
  for (const NvccOption& o : rows)
    if (o.values == attached && !o.short_name.empty() && word.starts_with(o.short_name) &&
        (best == nullptr || o.short_name.size() > best->short_name.size()))
      best = &o;
  // -march=native is no -m, -lineinfo2 may be a misspelt option, but -lcudart is a library.
  return best != nullptr && best->short_name == "-m" && (word.size() < 3 || !is_digit(word[2])) ? nullptr : best;
}

bool is_assembler_option_of_files(std::string_view word) {
  constexpr std::string_view plain[] = {"-v",
                                        "--verbose",
                                        "-w",
                                        "--disable-warnings",
                                        "-warn-spills",
                                        "--warn-on-spills",
                                        "-warn-lmem-usage",
                                        "--warn-on-local-memory-usage",
                                        "-warn-double-usage",
                                        "--warn-on-double-precision-use",
                                        "-suppress-stack-size-warning",
                                        "--suppress-stack-size-warning",
                                        "-disable-optimizer-consts",
                                        "--disable-optimizer-constants"};
  constexpr std::string_view with_cache[] = {"-dlcm", "--def-load-cache",   "-dscm", "--def-store-cache",
                                             "-flcm", "--force-load-cache", "-fscm", "--force-store-cache"};
  constexpr std::string_view with_truth[] = {"-fmad", "--fmad", "-allow-expensive-optimizations",
                                             "--allow-expensive-optimizations"};
  constexpr std::string_view with_number[] = {
      "-O", "--opt-level", "-maxrregcount", "--maxrregcount", "-register-usage-level", "--register-usage-level"};
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
