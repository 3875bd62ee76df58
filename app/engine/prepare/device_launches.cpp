#include "app/engine/prepare/prepare.h"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "kernels/emulator/emulator.h"

namespace lanescope::engine {
namespace {

using Clock = emulator::Limits::Clock;
using Tree = std::vector<trace::DeviceLaunch>;

/// The child grids of the launches of the host, one tree for each that ran.
struct Found {
  std::vector<Tree> trees;
  trace::Coverage cut{};  ///< of the launch that ended the run; whole: all ran
};

Found find_grids(const Program& program, std::vector<trace::Buffer> buffers, const RunRequest& request,
                 const std::atomic<bool>* cancel) {
  Found out;
  const double seconds = request.run_seconds > 0 ? std::min(finding_seconds, request.run_seconds) : finding_seconds;
  const auto end = Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
  auto heap = first_heap(program);
  for (const trace::Launch& launch : program.launches) {
    trace::perform(launch.before, buffers, emulator::place_buffers(buffers));
    const auto result = emulator::run(program.module, launch, buffers,
                                      {.seed = request.seed,
                                       .max_steps = request.max_steps,
                                       .cancel = cancel,
                                       .print = {.calls = 0, .bytes = 0},
                                       .limits = {.no_block_after = end, .no_sample_after = end, .leave_at = end},
                                       .heap = heap});
    if (!result) return out;
    heap = result->heap;
    out.trees.push_back(result->grids);
    out.cut = result->coverage;
    if (!result->faults.empty() || !result->coverage.whole()) return out;
  }
  return out;
}

/// An address as the buffer that it leads into; the bytes stay the same.
trace::Argument with_buffer(const trace::Argument& argument, const std::vector<trace::Buffer>& buffers,
                            const std::vector<std::uint64_t>& addresses) {
  const auto* bytes = std::get_if<trace::ValueArgument>(&argument);
  if (bytes == nullptr || bytes->size() != 8) return argument;
  std::uint64_t value = 0;
  std::memcpy(&value, bytes->data(), 8);
  for (std::size_t b = 0; b < buffers.size(); ++b)
    if (value >= addresses[b] && value - addresses[b] <= buffers[b].bytes.size())
      return trace::BufferArgument{static_cast<int>(b), static_cast<std::int64_t>(value - addresses[b])};
  return argument;
}

/// The number that the bytes of a scalar of this type are.
double number_of(const trace::ValueArgument& bytes, const std::string& type) {
  const auto as = [&]<class T>(T value) {
    std::memcpy(&value, bytes.data(), sizeof value);
    return static_cast<double>(value);
  };
  const bool is_float = type.find("float") != std::string::npos || type.find("double") != std::string::npos;
  const bool is_unsigned = type.find("unsigned") != std::string::npos || type.find("uint") != std::string::npos ||
                           type.find("size_t") != std::string::npos;
  switch (bytes.size()) {
    case 1:
      return is_unsigned ? as(std::uint8_t{}) : as(std::int8_t{});
    case 2:
      return is_unsigned ? as(std::uint16_t{}) : as(std::int16_t{});
    case 4:
      return is_float ? as(float{}) : is_unsigned ? as(std::uint32_t{}) : as(std::int32_t{});
    case 8:
      return is_float ? as(double{}) : is_unsigned ? as(std::uint64_t{}) : as(std::int64_t{});
    default:
      return 0;
  }
}

/// The launch as the header would state it, for who reads launches there.
source::LaunchSpec spec_of(const source::Source& source, const trace::Launch& launch, const std::string& name, int line,
                           const std::vector<trace::Buffer>& buffers) {
  source::LaunchSpec spec{.kernel = name,
                          .grid = {launch.grid.x, launch.grid.y, launch.grid.z},
                          .block = {launch.block.x, launch.block.y, launch.block.z},
                          .dynamic_shared_bytes = launch.dynamic_shared_bytes,
                          .stream = launch.stream,
                          .line = line};
  const std::string plain = name.substr(0, name.find('<'));
  const auto f = std::ranges::find_if(source.functions, [&](const source::Function& function) {
    return function.is_kernel && function.name == plain && function.parameters.size() == launch.arguments.size();
  });
  for (std::size_t i = 0; i < launch.arguments.size(); ++i) {
    source::ArgumentSpec& a = spec.arguments.emplace_back();
    if (f != source.functions.end()) a.parameter = f->parameters[i].name, a.type = f->parameters[i].type;
    if (const auto* b = std::get_if<trace::BufferArgument>(&launch.arguments[i])) {
      const trace::Buffer& buffer = buffers[static_cast<std::size_t>(b->buffer)];
      const std::int64_t elements = b->offset_bytes * 8 / std::max(buffer.element_bits, 1);
      a.value = elements == 0 ? buffer.name : fmt::format("{}+{}", buffer.name, elements);
      a.is_buffer = true;
    } else if (const auto* bytes = std::get_if<trace::ValueArgument>(&launch.arguments[i])) {
      a.value = number_of(*bytes, a.type);
      a.bits = *bytes;
    }
  }
  return spec;
}

results::GridInfo info_of(const trace::DeviceLaunch& d, std::int32_t root) {
  using Order = results::GridInfo::Order;
  results::GridInfo out{.kernel = ptx::qualified_name(d.launch.kernel),
                        .grid = d.launch.grid,
                        .block = d.launch.block,
                        .dynamic_shared_bytes = d.launch.dynamic_shared_bytes};
  out.parent = root + 1 + static_cast<std::int32_t>(d.parent);
  out.order = d.order == trace::DeviceLaunch::Order::tail              ? Order::tail
              : d.order == trace::DeviceLaunch::Order::fire_and_forget ? Order::fire_and_forget
                                                                       : Order::stream;
  out.depth = d.launch.depth;
  out.from_block = d.where.block;
  out.from_thread = d.thread;
  out.warp = d.where.warp;
  out.lane = static_cast<std::uint32_t>(d.lane);
  out.line = d.line;
  return out;
}

/// Every grid as a launch of its own, after the one that it comes from.
void make_launches_of(Prepared& out, const std::vector<Tree>& trees) {
  std::vector<source::LaunchSpec>& specs = out.source->header.launches;
  const std::vector<std::uint64_t> addresses = emulator::place_buffers(out.buffers);
  std::vector<source::LaunchSpec> all_specs;
  std::vector<trace::Launch> all;
  const std::vector<trace::Launch> of_host = out.plain.launches;
  std::vector<std::size_t> place;  ///< by launch of the host: where it is now
  for (std::size_t i = 0; i < of_host.size(); ++i) {
    place.push_back(all.size());
    all.push_back(of_host[i]);
    all_specs.push_back(specs[i]);
    if (i >= trees.size()) continue;
    for (const trace::DeviceLaunch& d : trees[i]) {
      trace::Launch launch = d.launch;
      launch.stream = of_host[i].stream;
      for (trace::Argument& a : launch.arguments) a = with_buffer(a, out.buffers, addresses);
      all_specs.push_back(spec_of(*out.source, launch, ptx::qualified_name(launch.kernel), d.line, out.buffers));
      all.push_back(std::move(launch));
    }
  }
  specs = std::move(all_specs);
  for (source::Assumption& a : out.source->header.assumed)
    if (a.launch >= 0 && static_cast<std::size_t>(a.launch) < place.size())
      a.launch = static_cast<int>(place[static_cast<std::size_t>(a.launch)]);
  place.push_back(all.size());
  for (source::StreamOperation& o : out.source->header.streams) {
    if (o.launch < 0) continue;
    const auto at = static_cast<std::size_t>(o.launch);
    o.launch = static_cast<int>(place[at]);
    o.launches = static_cast<int>(place[at + 1] - place[at]);
  }
  for (Program* program : {&out.plain, &out.probed}) {
    program->launches = all;
    program->grids = emulator::Options::Grids::leave;
  }
}

}  // namespace

bool launches_kernels(const ptx::Module& module) {
  return std::ranges::any_of(module.entries, [](const ptx::Entry& e) {
    return e.is_declaration && e.name.starts_with("__cudaCDP2LaunchDevice");
  });
}

void add_device_launches(Prepared& out, const RunRequest& request, const std::atomic<bool>* cancel) {
  const Program& program = out.plain.module.entries.empty() ? out.probed : out.plain;
  if (!launches_kernels(program.module)) return;
  const Found found = find_grids(program, out.buffers, request, cancel);
  std::size_t count = 0;
  for (const Tree& t : found.trees) count += t.size();
  if (!found.cut.whole())
    out.notices.push_back(coded<results::NoticeCode::grids_unknown>(found.trees.size(), trace::words_of(found.cut)));
  if (count == 0) return;
  std::uint64_t bytes = 0;
  for (const trace::Buffer& b : out.buffers) bytes += b.bytes.size();
  const bool own = !request.on_gpu && count <= most_own_launches && count * bytes <= most_own_bytes;
  std::int32_t launch = 0;
  for (std::size_t i = 0; i < program.launches.size(); ++i) {
    const trace::Launch& l = program.launches[i];
    const auto root = static_cast<std::int32_t>(out.grids.size());
    out.grids.push_back({.kernel = out.source->header.launches[i].kernel,
                         .grid = l.grid,
                         .block = l.block,
                         .dynamic_shared_bytes = l.dynamic_shared_bytes,
                         .launch = own ? launch : static_cast<std::int32_t>(i)});
    ++launch;
    if (i >= found.trees.size()) continue;
    for (const trace::DeviceLaunch& d : found.trees[i]) {
      out.grids.push_back(info_of(d, root));
      if (own) out.grids.back().launch = launch++;
    }
  }
  if (own)
    make_launches_of(out, found.trees);
  else if (!request.on_gpu)
    out.notices.push_back(coded<results::NoticeCode::too_many_grids>(count));
}

}  // namespace lanescope::engine
