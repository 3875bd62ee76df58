#include "app/gui/design/improvement.h"

#include "kernels/compile/compile.h"

namespace lanescope::gui {

Expected<compile::MachineCounts> machine_counts(const std::string& file, std::string_view text, const std::string& arch,
                                                const std::vector<std::string>& options) {
  const auto source = source::read(file, text, {.watch_probes = false, .options = options});
  if (!source) return tl::unexpected<Diagnostics>(source.error());
  const auto compiled = compile::compile(*source, compile::Variant::plain, {.arch = arch});
  if (!compiled) return tl::unexpected<Diagnostics>(compiled.error());
  const auto& [names, machine] = std::tie(compiled->compiled.entry_names, compiled->compiled.machine);
  const auto found = names.empty() ? machine.begin() : machine.find(names.front());
  if (found == machine.end())
    return failure("machine instructions are counted in the machine code that NVRTC makes, and NVRTC is not here",
                   "install it with the CUDA Toolkit");
  return found->second;
}

}  // namespace lanescope::gui
