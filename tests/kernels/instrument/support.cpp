#include "tests/kernels/instrument/support.h"
#include "kernels/base/read_file.h"
#include "tests/catalogue_files.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <utility>

namespace lanescope::instrument::test {

namespace fs = std::filesystem;

std::string text_of(const std::string& path) { return read_file(path).value_or(""); }

std::vector<std::string> catalogue(std::size_t every) {
  std::vector<std::string> paths;
  for (const fs::path& file : lanescope::test::catalogue_files(every)) paths.push_back(file.string());
  return paths;
}

namespace {

Compiled compiled_anew(const std::string& path, compile::Variant variant, const std::string& text) {
  Compiled out;
  out.program.name = fs::path(path).stem().string();
  auto source = source::read(path, text.empty() ? text_of(path) : text);
  EXPECT_TRUE(source) << path << (source ? "" : to_string(source.error().front()));
  if (!source) return out;
  out.source = std::move(*source);
  auto outcome = compile::compile(out.source, variant, {});
  EXPECT_TRUE(outcome) << path << (outcome ? "" : to_string(outcome.error().front()));
  if (!outcome) return out;
  out.program.module = emulator::test::module_of(outcome->compiled.ptx);
  const source::LaunchSpec& spec = out.source.header.launches.at(0);
  trace::Launch& launch = out.program.launch;
  launch.kernel = outcome->compiled.entry_names.at(0);
  launch.grid = {spec.grid[0], spec.grid[1], spec.grid[2]};
  launch.block = {spec.block[0], spec.block[1], spec.block[2]};
  launch.dynamic_shared_bytes = spec.dynamic_shared_bytes;
  const auto& buffers = out.source.header.buffers;
  for (const source::ArgumentSpec& a : spec.arguments) {
    if (!a.is_buffer) {
      const auto value = static_cast<std::int64_t>(std::get<double>(a.value));
      const ptx::Param& param = out.program.module.find_entry(launch.kernel)->params[launch.arguments.size()];
      launch.arguments.push_back(param.bytes == 8 ? emulator::test::value_of(value)
                                                  : emulator::test::value_of(static_cast<std::int32_t>(value)));
      continue;
    }
    const auto at = std::ranges::find(buffers, std::get<std::string>(a.value), &source::BufferSpec::name);
    launch.arguments.push_back(trace::BufferArgument{static_cast<int>(at - buffers.begin()), 0});
  }
  for (const source::BufferSpec& b : buffers) {
    auto bytes = source::contents(b, b.initial, fs::path(path).parent_path().string());
    EXPECT_TRUE(bytes) << b.name;
    out.program.buffers.push_back(
        {b.name, b.element_type, b.element_bits, bytes ? std::move(*bytes) : std::vector<std::byte>(), b.traced});
  }
  return out;
}

}  // namespace

Compiled compiled(const std::string& path, compile::Variant variant, const std::string& text) {
  if (!text.empty()) return compiled_anew(path, variant, text);
  // Several tests pass through the whole catalogue, and compiling it is most of their time.
  static std::map<std::pair<std::string, compile::Variant>, Compiled> known;
  const auto at = known.find({path, variant});
  if (at != known.end()) return at->second;
  return known.emplace(std::pair(path, variant), compiled_anew(path, variant, text)).first->second;
}

namespace {

/// Bytes of shared memory of a block.
std::uint32_t run(const ptx::Module& module, const trace::Launch& launch, std::vector<trace::Buffer>& buffers,
                  const emulator::Options& options, const std::string& name) {
  const auto result = emulator::run(module, launch, buffers, options);
  EXPECT_TRUE(result) << name << ": " << to_string(result.error().front());
  if (!result) return 0;
  EXPECT_TRUE(result->faults.empty()) << name << ": " << result->faults.front().message;
  return result->shared_bytes;
}

}  // namespace

trace::Trace recorded(const Program& p, std::vector<trace::Buffer>& buffers, std::uint32_t slice) {
  trace::Trace t;
  t.code = emulator::code_sites(p.module, *p.module.find_entry(p.launch.kernel), "");
  t.launch = p.launch;
  t.buffers = p.buffers;
  t.buffer_addresses = emulator::place_buffers(p.buffers);
  trace::Recorder recorder(t, {.first_block = 0, .block_count = ~0u, .max_steps = 20'000'000});
  t.shared_bytes = run(p.module, p.launch, buffers, {.slice = slice, .observers = {&recorder}}, p.name);
  return t;
}

TracedRun run_traced(const Program& p, const Choice& choice, std::uint64_t capacity_bytes, std::uint32_t slice) {
  TracedRun out;
  auto rewritten = rewrite_traced(p.module, p.launch.kernel);
  EXPECT_TRUE(rewritten);
  if (!rewritten) return out;
  out.rewritten = std::move(*rewritten);
  const ptx::Module module = emulator::test::module_of(out.rewritten.ptx);
  out.buffers = p.buffers;
  out.buffers.push_back(record_buffer(out.rewritten.description, choice, capacity_bytes));
  run(module, with_records(p.launch, static_cast<int>(p.buffers.size())), out.buffers, {.slice = slice}, p.name);
  auto decoded = decode(out.buffers.back(), out.rewritten.description, p.launch, p.buffers);
  EXPECT_TRUE(decoded) << (decoded ? "" : to_string(decoded.error().front()));
  if (decoded) out.decoded = std::move(*decoded);
  out.buffers.pop_back();
  return out;
}

namespace {

IdQuestion question(const Compiled& c) {
  const Program& p = c.program;
  const ptx::Entry& entry = *p.module.find_entry(p.launch.kernel);
  IdQuestion q{&p.module, &c.source, p.launch, p.buffers, {}, {}};
  q.value_bytes.resize(c.source.variables.size());
  for (const ptx::Entry& e : p.module.entries)
    for (const ptx::Probe& probe : e.probes)
      q.value_bytes.at(static_cast<std::size_t>(probe.variable)) = probe.value_bytes;
  for (const trace::CodeSite& s : emulator::code_sites(p.module, entry, c.source.file))
    q.caller_lines_by_pc.push_back(s.line);
  return q;
}

}  // namespace

std::vector<claims::ClaimResult> by_tags(const Compiled& c) {
  const IdQuestion q = question(c);
  std::vector<trace::Buffer> buffers = q.buffers;
  trace::TagPool pool;
  pool.space = emulator::tag_space(buffers);
  claims::Collector collector(*q.source, pool, q.value_bytes, q.caller_lines_by_pc);
  run(*q.module, q.launch, buffers, {.tags = &pool, .observers = {&collector}}, c.program.name);
  return collector.judge();
}

Expected<Run> in_emulator(const std::string& ptx, const trace::Launch& launch, const std::vector<trace::Buffer>&) {
  auto module = ptx::parse(ptx, "rewritten.ptx");
  if (!module) return tl::unexpected(module.error());
  return [module = std::make_shared<ptx::Module>(std::move(*module)),
          launch](std::vector<trace::Buffer>& buffers) -> Expected<void> {
    const auto result = emulator::run(*module, launch, buffers, {.slice = 0});
    if (!result) return tl::unexpected(result.error());
    if (!result->faults.empty()) return failure(result->faults.front().message);
    return {};
  };
}

IdAnswer by_ids(const Compiled& c, const IdSettings& settings) {
  return judge_by_ids(question(c), in_emulator, settings);
}

}  // namespace lanescope::instrument::test
