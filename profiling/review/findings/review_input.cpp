#include "profiling/review/findings/review_input.h"

#include <algorithm>

#include <fmt/format.h>

namespace lanescope::review {

access::Verb verb_of(races::Touch t) {
  if (t == races::Touch::strong_write) return access::Verb::updates;
  return races::writes(t) ? access::Verb::writes : access::Verb::reads;
}

Evidence evidence_of(const LaunchReview& launch, int index, const trace::Where& where) {
  Evidence e{.launch = index, .step = static_cast<std::int64_t>(where.step), .pc = static_cast<int>(where.pc)};
  if (where.pc < launch.code.size()) e.instruction = launch.code[where.pc].text;
  e.block = where.block;
  e.warp = static_cast<int>(where.warp);
  e.lanes = where.active;
  return e;
}

void show_access(Evidence& evidence, const LaunchReview& launch, const AccessTotals& totals) {
  const access::Access& access = totals.access;
  evidence.space = access.space;
  evidence.width_bytes = access.width_bytes;
  evidence.matrices = access.matrices;
  evidence.buffer = "shared";
  std::uint64_t start = 0;
  if (access.space == trace::MemorySpace::constant) {
    evidence.buffer = "constant";
    start = *std::ranges::min_element(access.addresses);
  } else if (access.space == trace::MemorySpace::global) {
    evidence.buffer.clear();
    if (totals.buffer >= 0) {
      const LaunchReview::Buffer& b = launch.buffers[static_cast<std::size_t>(totals.buffer)];
      evidence.buffer = b.name;
      start = b.address;
    }
  }
  for (std::size_t l = 0; l < 32; ++l)
    if ((evidence.lanes >> l & 1) != 0) evidence.addresses[l] = access.addresses[l] - start;
}

const LaunchReview::Allocation* allocation_at(const LaunchReview& launch, std::uint64_t byte) {
  const auto after = std::ranges::upper_bound(launch.allocations, byte, {}, &LaunchReview::Allocation::at);
  return after == launch.allocations.begin() ? nullptr : &*(after - 1);
}

std::string place_words(const LaunchReview& launch, int buffer, std::uint64_t byte) {
  const LaunchReview::Buffer& b = launch.buffers[static_cast<std::size_t>(buffer)];
  if (b.heap) {
    const LaunchReview::Allocation* const a = allocation_at(launch, byte);
    return a == nullptr ? fmt::format("byte {} of the device heap", byte)
                        : fmt::format("byte {} of an allocation of line {}", byte - a->at, a->line);
  }
  return fmt::format("element {} of `{}`", byte * 8 / static_cast<std::uint64_t>(std::max(b.element_bits, 1)), b.name);
}

std::string at_least(std::uint64_t times, std::string_view many, int launches) {
  const std::string in = launches > 1 ? fmt::format("in {} launches", launches) : "";
  if (times > 1) return fmt::format("; at least {} such {}{}{}", times, many, in.empty() ? "" : " ", in);
  return in.empty() ? "" : "; " + in;
}

const source::Function* kernel_of(const source::Source& source, std::string_view kernel) {
  std::string_view name = kernel.substr(0, kernel.find('<'));
  if (const std::size_t scope = name.rfind(':'); scope != std::string_view::npos) name.remove_prefix(scope + 1);
  for (const source::Function& f : source.functions)
    if (f.is_kernel && f.name == name) return &f;
  return nullptr;
}

int line_of(const ReviewInput& input, const LaunchReview& launch, std::uint32_t pc) {
  if (pc < launch.code.size()) {
    if (!launch.code[pc].call_lines.empty()) return launch.code[pc].call_lines.front();
    if (launch.code[pc].inner_line > 0) return launch.code[pc].inner_line;
    // Where the compiler merged code of several lines it names none: it is within the previous statement.
    for (std::size_t at = pc + 1; at-- > 0;) {
      const trace::CodeSite& site = launch.code[at];
      if (site.inner_line > 0) return site.inner_line;
      if (site.line > 0) return site.line;
      const bool ends = site.kind == trace::StepKind::exit && at < pc;  // of another function, or of none that is known
      if (ends || !site.call_lines.empty()) break;
    }
  }
  const source::Function* f = launch.spec != nullptr ? kernel_of(*input.source, launch.spec->kernel) : nullptr;
  return f != nullptr ? f->first_line : 0;
}

std::string in_lines(const ReviewInput& input, const LaunchReview& launch, std::uint32_t pc) {
  const std::vector<int> none;
  const std::vector<int>& lines = pc < launch.code.size() ? launch.code[pc].call_lines : none;
  if (lines.empty()) return fmt::format("in line {}", line_of(input, launch, pc));
  std::string words = "in a function that lines ";
  for (std::size_t i = 0; i < lines.size(); ++i)
    words += fmt::format("{}{}", i == 0 ? "" : i + 1 == lines.size() ? " and " : ", ", lines[i]);
  return words + " call";
}

}  // namespace lanescope::review
