// The public face: checks before anything runs, run() and Machine.

#include "kernels/emulator/emulator.h"

#include <algorithm>

#include <fmt/format.h>

#include "kernels/base/memory.h"
#include "kernels/base/read_file.h"
#include "kernels/emulator/ahead/ahead.h"
#include "kernels/emulator/checkpoint/saved.h"
#include "kernels/emulator/decode/decode.h"
#include "kernels/emulator/lanes/addresses.h"
#include "kernels/emulator/machine/device_heap.h"
#include "kernels/emulator/machine/machine.h"
#include "kernels/emulator/machine/program.h"
#include "kernels/emulator/translate/translate.h"

namespace lanescope::emulator {

namespace {

Expected<void> check_tags(const Options& options, const std::vector<trace::Buffer>& buffers) {
  if (options.tags == nullptr || options.unwritten != nullptr) return {};
  const auto expected = tag_space(buffers);
  const auto& got = options.tags->space.buffers;
  const bool same = std::ranges::equal(got, expected.buffers, [](const auto& a, const auto& b) {
    return a.first_word == b.first_word && a.words == b.words && a.element_bits == b.element_bits;
  });
  if (!same) return failure("the tag space does not belong to these buffers", "set it with tag_space()");
  return {};
}

/// The identities of a buffer's bytes that were never written; none where all are.
std::vector<trace::WordTag> unwritten_tags(const trace::Pages<u8>& unwritten, u32 first_word, trace::TagPool& pool) {
  std::vector<trace::WordTag> tags;
  if (std::ranges::find(unwritten, u8{1}) == unwritten.end()) return tags;
  tags.resize((unwritten.size() + 3) / 4, trace::no_data);
  for (std::size_t w = 0; w < tags.size(); ++w) {
    u32 bytes = 0;
    for (std::size_t b = 0; b < 4 && w * 4 + b < unwritten.size(); ++b) bytes |= u32{unwritten[w * 4 + b]} << b;
    const u32 word = first_word + static_cast<u32>(w);
    if (bytes == 0) continue;
    trace::WordBits bits{};
    for (u32 i = 0; i < 32; ++i)
      if ((bytes >> i / 8 & 1) != 0) bits[i] = trace::BitTag::source(u64{word} * 32 + i);
    tags[w] = bytes == 15 ? trace::TagPool::source_word(word) : pool.intern(bits);
  }
  return tags;
}

void attach_unwritten(AddressSpace& space, std::size_t buffers, const Unwritten& unwritten, trace::TagPool& pool) {
  for (Store& s : space.stores) {
    if (s.buffer < 0 && !s.is_heap) continue;
    const auto b = s.is_heap ? buffers : static_cast<std::size_t>(s.buffer);
    if (b >= unwritten.buffers.size()) continue;
    s.identified = false;
    s.first_word = pool.space.buffers[b].first_word;
    s.tags = unwritten_tags(unwritten.buffers[b], s.first_word, pool);
  }
}

void attach(AddressSpace& space, std::vector<trace::Buffer>& buffers, const trace::TagSpace* tags) {
  const auto addresses = place_buffers(buffers);
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    Store s{.base = addresses[i], .bytes = buffers[i].bytes.size(), .buffer = static_cast<int>(i)};
    s.name = (buffers[i].variable.empty() ? "buffer `" : "variable `") + buffers[i].name + "`";
    s.data = reinterpret_cast<u8*>(buffers[i].bytes.data());
    if (tags != nullptr) {
      s.identified = tags->buffers[i].traced;
      s.first_word = tags->buffers[i].first_word;
    }
    space.stores.push_back(std::move(s));
  }
}

/// Of the blocks that run at a time; with the identities of its words it is there more than once.
constexpr u64 copies_of_local_memory = 4;

}  // namespace

Expected<void> check_local_memory(u64 thread_bytes, u64 cluster_blocks, const trace::Launch& launch) {
  const u64 of_block = thread_bytes * lanes * launch.warps_per_block();
  const u64 most = memory_budget_bytes() / copies_of_local_memory;
  if (of_block * std::max<u64>(cluster_blocks, 1) <= most) return {};
  return failure(
      fmt::format("each thread has {} of local memory, a block of {} threads {}; at most {} can be used",
                  bytes_in_words(thread_bytes), launch.block.count(), bytes_in_words(of_block), bytes_in_words(most)),
      "make the arrays of the kernel smaller, or allow more memory (--max-memory)");
}

struct Machine::State {
  Running running;
  std::shared_ptr<Program> program;
  trace::TagPool* tags = nullptr;  ///< that the run began with
};

struct Machine::Checkpoint {
  std::shared_ptr<const Saved> saved;
};

Machine::Machine(std::unique_ptr<State> state) : state_(std::move(state)) {}
Machine::Machine(Machine&&) noexcept = default;
Machine& Machine::operator=(Machine&&) noexcept = default;
Machine::~Machine() = default;

Expected<Machine> Machine::create(const ptx::Module& module, const trace::Launch& launch,
                                  std::vector<trace::Buffer>& buffers, const Options& options) {
  if (const ptx::Entry* entry = module.find_entry(launch.kernel); entry != nullptr)
    if (auto ok = check_launch(launch, *entry); !ok) return tl::unexpected(ok.error());
  if (auto ok = check_tags(options, buffers); !ok) return tl::unexpected(ok.error());
  auto program = decode(module, launch, buffers);
  if (!program) return tl::unexpected(program.error());
  if (program->shared_bytes > most_shared_bytes)
    return failure(fmt::format("{} bytes of shared memory are more than the {} that a block can have",
                               program->shared_bytes, most_shared_bytes),
                   "use less shared memory");
  if (auto ok = check_local_memory(program->local_bytes, program->cluster.count(), program->launch); !ok)
    return tl::unexpected(ok.error());
  auto state = std::make_unique<State>();
  state->program = std::make_shared<Program>(std::move(*program));
  state->tags = options.tags;
  Running& r = state->running;
  r.program = state->program;
  r.buffers = &buffers;
  r.options = options;
  r.blocks = launch.grid.count();
  r.result.coverage.blocks = r.blocks;
  if (!options.only_blocks.empty()) {
    r.result.coverage.ended = trace::Coverage::Ended::asked;
    r.samples.assign(options.only_blocks.rbegin(), options.only_blocks.rend());
  }
  r.step_limit = options.max_steps;
  r.next_look = options.limits.leave_at == Limits::Clock::time_point::max() ? ~u64{0} : 0;
  r.result.shared_bytes = state->program->shared_bytes;
  r.global = state->program->variables;
  add_runtime_stores(*state->program, r.global);
  add_heap_store(r);
  for (Store& s : r.global.stores) s.data = s.own.data();
  r.cache = std::make_unique<TagCache>();
  if (options.tags != nullptr && options.unwritten != nullptr) {
    const auto& followed = options.unwritten->buffers;
    const auto heap = followed.size() > buffers.size() ? std::optional<u64>(followed.back().size()) : std::nullopt;
    options.tags->space = unwritten_space(buffers, heap, state->program->shared_bytes, state->program->local_bytes);
    attach(r.global, buffers, nullptr);
    attach_unwritten(r.global, buffers.size(), *options.unwritten, *options.tags);
    const u64 ranges = options.tags->space.buffers.size();
    const u64 choice = (ranges - 2) << 40, lane = (ranges - 1) << 40;
    r.chosen = options.tags->computed_word(options.tags->intern_set({&choice, 1}));
    r.absent = options.tags->computed_word(options.tags->intern_set({&lane, 1}));
  } else {
    attach(r.global, buffers, options.tags != nullptr ? &options.tags->space : nullptr);
  }
  r.translation = make_translation(r);
  return Machine(std::move(state));
}

bool Machine::advance(std::uint64_t steps) { return state_->running.advance(steps); }
AheadCounts Machine::run_ahead() { return emulator::run_ahead(state_->running, state_->running.options.cores); }
const Result& Machine::result() const { return state_->running.result; }
std::uint64_t Machine::step_count() const { return state_->running.result.warp_instructions; }

trace::Dim3 Machine::cluster() const { return state_->program->cluster; }

std::shared_ptr<const Machine::Checkpoint> Machine::checkpoint() const {
  Room boundless{Allowance()};
  return std::make_shared<Checkpoint>(Checkpoint{save(state_->running, nullptr, nullptr, boundless)});
}

void Machine::restore(const Checkpoint& c) { emulator::restore(*c.saved, nullptr, state_->tags, state_->running); }

std::shared_ptr<const Saved> Machine::save_within(const Saved* before, const Initial& initial, Room& room) {
  return save(state_->running, before, &initial, room);
}

void Machine::restore(const Saved& saved, const Initial& initial) {
  emulator::restore(saved, &initial, state_->tags, state_->running);
}

std::vector<SharedPlace> shared_places(const ptx::Module& module, const trace::Launch& launch,
                                       const std::vector<trace::Buffer>& buffers) {
  const Expected<Program> program = decode(module, launch, buffers);
  if (!program) return {};
  std::vector<SharedPlace> out;
  const u64 end = u64{program->first_shared} + program->shared_bytes;
  const auto add = [&](const ptx::Variable& v, u64 address) {
    if (v.space != ptx::Space::shared || address < program->first_shared) return;
    const u64 left = end > address ? end - address : 0;
    out.push_back({.name = v.name,
                   .offset = address - program->first_shared,
                   .bytes = v.bytes == 0 ? left : v.bytes,
                   .address = address,
                   .alignment = v.alignment});
  };
  for (std::size_t i = 0; i < module.variables.size(); ++i) add(module.variables[i], program->module_variables[i]);
  for (const Function& f : program->functions) {
    const ptx::Entry& e = module.entries[static_cast<std::size_t>(f.entry)];
    for (std::size_t i = 0; i < e.variables.size(); ++i) add(e.variables[i], f.variables[i]);
  }
  return out;
}

namespace {

bool is_own_variable(const Store& s) {
  return s.buffer < 0 && s.base > first_variable_address && s.base < launch_parameters_address;
}

}  // namespace

std::vector<std::vector<u8>> Machine::variables() const {
  std::vector<std::vector<u8>> out;
  for (const Store& s : state_->running.global.stores)
    if (is_own_variable(s)) out.push_back(s.own);
  return out;
}

void Machine::set_variables(const std::vector<std::vector<u8>>& bytes) {
  auto next = bytes.begin();
  for (Store& s : state_->running.global.stores)
    if (is_own_variable(s) && next != bytes.end()) {
      s.own = *next++;
      s.data = s.own.data();
    }
}

}  // namespace lanescope::emulator
