#include "profiling/review/findings/review_input.h"

namespace lanescope::review {

std::string_view touch_verb(races::Touch t) {
  if (t == races::Touch::strong_write) return "updates";
  return races::writes(t) ? "writes" : "reads";
}

Evidence evidence_of(const LaunchReview& launch, int index, const trace::Where& where) {
  Evidence e;
  e.launch = index;
  e.step = static_cast<std::int64_t>(where.step);
  e.pc = static_cast<int>(where.pc);
  if (where.pc < launch.code.size()) e.instruction = launch.code[where.pc].text;
  e.block = where.block;
  e.warp = static_cast<int>(where.warp);
  e.lanes = where.active;
  return e;
}

void show_access(Evidence& evidence, const LaunchReview& launch, const AccessTotals& totals) {
  evidence.space = totals.space;
  evidence.width_bytes = totals.width_bytes;
  evidence.buffer = "shared";
  std::uint64_t start = 0;
  if (totals.space == trace::MemorySpace::global) {
    evidence.buffer.clear();
    if (totals.buffer >= 0) {
      const LaunchReview::Buffer& b = launch.buffers[static_cast<std::size_t>(totals.buffer)];
      evidence.buffer = b.name;
      start = b.address;
    }
  }
  for (std::size_t l = 0; l < 32; ++l)
    if ((evidence.lanes >> l & 1) != 0) evidence.addresses[l] = totals.worst_addresses[l] - start;
}

const source::Function* kernel_of(const source::Source& source, std::string_view kernel) {
  std::string_view name = kernel.substr(0, kernel.find('<'));
  if (const std::size_t scope = name.rfind(':'); scope != std::string_view::npos) name.remove_prefix(scope + 1);
  for (const source::Function& f : source.functions)
    if (f.is_kernel && f.name == name) return &f;
  return nullptr;
}

int line_of(const ReviewInput& input, const LaunchReview& launch, std::uint32_t pc) {
  if (pc < launch.code.size() && launch.code[pc].line > 0) return launch.code[pc].line;
  const source::Function* f = launch.spec != nullptr ? kernel_of(*input.source, launch.spec->kernel) : nullptr;
  return f != nullptr ? f->first_line : 0;
}

}  // namespace lanescope::review
