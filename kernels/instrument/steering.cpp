

#include <fmt/format.h>

#include "kernels/instrument/slice_analysis.h"

namespace lanescope::instrument {
namespace {

using ptx::Special;

bool is_block_number(Special s) {
  return (s >= Special::ctaid_x && s <= Special::ctaid_z) ||
         (s >= Special::cluster_ctaid_x && s <= Special::nclusterid_z && s != Special::cluster_nctarank);
}
bool is_grid_size(Special s) {
  return (s >= Special::nctaid_x && s <= Special::nctaid_z) ||
         (s >= Special::nclusterid_x && s <= Special::nclusterid_z) || s == Special::envreg1 || s == Special::envreg2;
}

void look_at(const ptx::Operand& o, Steering& out) {
  out.block_number = out.block_number || is_block_number(o.special);
  out.grid_size = out.grid_size || is_grid_size(o.special);
  for (const ptx::Operand& e : o.elements) look_at(e, out);
}

}  // namespace

Steering Analysis::steering() const {
  Steering out;
  const auto kernel_parameters = module_.entries[static_cast<std::size_t>(functions_.front())].params.size();
  const auto parameter = [&](std::size_t n) {
    return objects_.at({ptx::Operand::Scope::param, functions_.front(), static_cast<int>(n)});
  };
  const auto steers = [&](std::size_t n) { return Steers{.control = control_.test(n), .element = elements_.test(n)}; };
  for (std::size_t b = 0; b < buffers_.size(); ++b) out.buffers.push_back(steers(b));
  for (std::size_t n = 0; n < kernel_parameters; ++n) out.parameters.push_back(steers(parameter(n)));
  for (std::size_t b = 0; b < buffers_.size(); ++b) {
    Steering::Origin& from = out.results.emplace_back();
    for (std::size_t o = 0; o < buffers_.size(); ++o) from.buffers.push_back(memory_[b].data.test(o));
    for (std::size_t n = 0; n < kernel_parameters; ++n) from.parameters.push_back(memory_[b].data.test(parameter(n)));
  }
  for (const int f : functions_)
    for (const ptx::Instruction& i : module_.entries[static_cast<std::size_t>(f)].code)
      for (const ptx::Operand& o : i.operands) look_at(o, out);
  return out;
}

Expected<Steering> steering(const ptx::Module& module, const trace::Launch& launch,
                            const std::vector<trace::Buffer>& buffers) {
  const ptx::Entry* entry = module.find_entry(launch.kernel);
  if (entry == nullptr) return failure(fmt::format("the PTX has no kernel `{}`", launch.kernel));
  Analysis analysis(module, launch, buffers, static_cast<int>(entry - module.entries.data()), Analysis::For::steering);
  if (auto ready = analysis.prepare(); !ready) return tl::unexpected(ready.error());
  analysis.run();
  return analysis.steering();
}

}  // namespace lanescope::instrument
