#pragma once
// A kernel from text to judged claims: compiled with probes, run by the emulator.

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "kernels/claims/claims.h"
#include "kernels/compile/compile.h"
#include "kernels/emulator/emulator.h"
#include "kernels/ptx/program.h"
#include "kernels/ptx/value_numbers.h"

namespace lanescope::claims {

struct Run {
  source::Source source;
  trace::TagPool tags;
  std::unique_ptr<Collector> collector;
};

inline std::vector<trace::Buffer> buffers_of(const source::Source& source) {
  std::vector<trace::Buffer> buffers;
  for (const source::BufferSpec& b : source.header.buffers) {
    auto bytes = source::contents(b, b.initial, LANESCOPE_SOURCE_DIR "/assets/kernels");
    EXPECT_TRUE(bytes) << b.name;
    buffers.push_back({b.name, b.element_type, b.element_bits, bytes ? *bytes : std::vector<std::byte>(), b.traced});
  }
  return buffers;
}

/// Changes what was read before it runs: more claims on the same probes.
using Change = std::function<void(source::Source&)>;

/// nullptr where the text could not be compiled here.
inline std::unique_ptr<Run> probe(const std::string& text, const Change& change = {}) {
  auto read = source::read("k.cu", text);
  EXPECT_TRUE(read) << (read ? "" : to_string(read.error().front()));
  if (!read) return nullptr;
  auto run = std::make_unique<Run>();
  run->source = std::move(*read);
  if (change) change(run->source);
  auto outcome = compile::compile(run->source, compile::Variant::probed, {});
  EXPECT_TRUE(outcome) << (outcome ? "" : to_string(outcome.error().front()));
  if (!outcome) return nullptr;
  const auto module = ptx::parse(outcome->compiled.ptx);
  EXPECT_TRUE(module) << (module ? "" : to_string(module.error().front()));
  if (!module) return nullptr;
  const ptx::Entry& entry = *module->find_entry(outcome->compiled.entry_names.at(0));
  const source::LaunchSpec& spec = run->source.header.launches.at(0);
  trace::Launch launch;
  launch.kernel = entry.name;
  launch.grid = {spec.grid[0], spec.grid[1], spec.grid[2]};
  launch.block = {spec.block[0], spec.block[1], spec.block[2]};
  launch.dynamic_shared_bytes = spec.dynamic_shared_bytes;
  for (const source::ArgumentSpec& a : spec.arguments) {
    const auto at =
        std::ranges::find(run->source.header.buffers, std::get<std::string>(a.value), &source::BufferSpec::name);
    launch.arguments.push_back(trace::BufferArgument{static_cast<int>(at - run->source.header.buffers.begin()), 0});
  }
  std::vector<trace::Buffer> buffers = buffers_of(run->source);
  run->tags.space = emulator::tag_space(buffers);
  std::vector<int> bytes(run->source.variables.size(), 0), lines;
  for (const ptx::Probe& p : entry.probes) bytes.at(static_cast<std::size_t>(p.variable)) = p.value_bytes;
  for (const trace::CodeSite& s : emulator::code_sites(*module, entry, "k.cu")) lines.push_back(s.line);
  run->collector = std::make_unique<Collector>(run->source, run->tags, bytes, lines);
  MemoryPlaces places{
      .kernel = spec.kernel, .buffer_addresses = emulator::place_buffers(buffers), .arguments = launch.arguments};
  for (const emulator::SharedPlace& s : emulator::shared_places(*module, launch, buffers))
    places.shared.push_back({s.name, s.offset, s.bytes});
  for (const trace::Buffer& b : buffers) places.buffer_bytes.push_back(b.bytes.size());
  for (const trace::CodeSite& s : emulator::code_sites(*module, entry, "k.cu"))
    places.inner_lines.push_back(s.inner_line);
  places.most_stored_bytes = ptx::most_stored_bytes(entry);
  places.stores_from_shared = ptx::stores_from_shared(entry);
  run->collector->watch_memory(std::move(places));
  emulator::Options options;
  options.tags = &run->tags;
  options.observers = {run->collector.get()};
  const auto result = emulator::run(*module, launch, buffers, options);
  EXPECT_TRUE(result) << (result ? "" : to_string(result.error().front()));
  if (result) {
    EXPECT_TRUE(result->faults.empty()) << result->faults.front().message;
  }
  return run;
}

}  // namespace lanescope::claims
