#include "kernels/claims/collector.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "kernels/base/numbers.h"
#include "kernels/trace/event_log.h"

namespace lanescope::claims {

bool needs_elements(const source::Claim& claim) { return claim.kind() != source::ClaimKind::subarray; }

void settle_alternatives(const source::Source& source, std::vector<ClaimResult>& results) {
  const auto root = [&](std::size_t c) {
    const int of = source.claims[c].alternative_of;
    return of >= 0 ? static_cast<std::size_t>(of) : c;
  };
  const std::size_t count = std::min(results.size(), source.claims.size());
  for (std::size_t c = 0; c < count; ++c) {
    if (results[c].verdict == Verdict::holds) continue;
    std::size_t alternatives = 0, holding = count;
    for (std::size_t other = 0; other < count; ++other) {
      if (root(other) != root(c)) continue;
      ++alternatives;
      if (results[other].verdict == Verdict::holds && results[other].reason.empty()) holding = std::min(holding, other);
    }
    if (alternatives < 2 || holding == count) continue;
    ClaimResult settled = results[holding];
    settled.claim = results[c].claim;
    settled.reason = coded<Why::alternative>(alternatives, fmt::format("line {}", source.claims[holding].first_line));
    results[c] = std::move(settled);
  }
}

namespace {

/// A claim that defines the order of an array holds by that, if others were judged in this order.
void settle_orders(const source::Source& source, std::vector<ClaimResult>& results) {
  for (std::size_t i = 0; i < results.size() && i < source.claims.size(); ++i) {
    if (results[i].reason.code != Why::defines_order) continue;
    const ClaimReason used = coded<Why::order_of_claim>(fmt::format("line {}", source.claims[i].first_line));
    const bool judged = std::ranges::any_of(results, [&](const ClaimResult& r) {
      return r.verdict == Verdict::holds && r.reason.code == used.code && r.reason.operands == used.operands;
    });
    if (judged) results[i].verdict = Verdict::holds;
  }
}

}  // namespace

void put_under_contract(const source::Source& source, int launch, std::vector<ClaimResult>& results) {
  for (const source::Contract& c : source.contracts)
    for (const int input : c.given)
      if (const auto i = static_cast<std::size_t>(input); i < results.size()) results[i].of_input = true;
  const auto contract = std::ranges::find(source.contracts, launch, &source::Contract::launch);
  if (launch < 0 || contract == source.contracts.end()) return;
  std::vector<std::string> lines;
  bool is_given = true;
  for (const int c : contract->given) {
    const auto i = static_cast<std::size_t>(c);
    lines.push_back(fmt::format("{}line {}", lines.empty() ? "" : "and that at ", source.claims[i].first_line));
    is_given = is_given && i < results.size() && results[i].verdict == Verdict::holds;
  }
  const std::string all = fmt::format("{}{}", "the claim at ", fmt::join(lines, " "));
  for (std::size_t i = 0; i < results.size(); ++i) {
    ClaimResult& r = results[i];
    if (!is_given && r.verdict != Verdict::unchecked)
      r = {.claim = r.claim,
           .reason = coded<Why::no_contract>(contract->function, "its input cannot be made as stated")};
    if (r.verdict != Verdict::holds) continue;
    const bool given = std::ranges::find(contract->given, static_cast<int>(i)) != contract->given.end();
    if (given)
      r.reason = coded<Why::input>(contract->function);
    else if (r.reason.empty())
      r.reason = coded<Why::if_input>(all);
  }
}

namespace {
ClaimReason as_seen(const ClaimReason& other, const std::string& where) {
  return coded<Why::as_seen>(other.empty() ? where : other.words() + "; " + where);
}
}  // namespace

std::string verdict_words(const ClaimResult& r) {
  std::string out(to_string(r.verdict));
  if (r.verdict != Verdict::holds) return out;
  if (r.reason.code == Why::input) return "is given";
  if (r.reason.code == Why::defines_order) return "defines the order";
  if (r.up_to_sums) out += " up to sums";
  if (r.after_line > 0) out += fmt::format(" after line {}", r.after_line);
  return out;
}

std::vector<std::string> remarks_on(const source::Claim& claim, const ClaimResult& r) {
  std::vector<std::string> out;
  if (!claim.assumed.empty()) out.push_back(claim.assumed);
  if (r.verdict == Verdict::unchecked) return out;
  if (r.verdict == Verdict::differs && r.after_line > 0)
    out.push_back(
        fmt::format("it is true after line {}; if the comment means that moment, say so with words such as "
                    "\"becomes\", or move it there",
                    r.after_line));
  if (r.verdict == Verdict::holds && r.after_line > 0)
    out.push_back(claim.kind() != source::ClaimKind::registers ? "the statements after the comment write it"
                  : !claim.step_words.empty()
                      ? fmt::format("the words describe the step (\"{}\") of the next statements", claim.step_words)
                  : claim.forward_words.empty()
                      ? "at the comment no assignment describes the registers; the next statements write them"
                      : fmt::format("the words look forward (\"{}\")", claim.forward_words));
  if (r.up_to_sums) out.push_back("values are computed from several elements each, which agree in the bits named");
  if (r.outside_places > 0)
    out.push_back(fmt::format("{} place{} outside of an axis and may hold anything", r.outside_places,
                              r.outside_places == 1 ? " is" : "s are"));
  return out;
}

std::string blame_words(const ClaimResult& r) {
  if (r.verdict != Verdict::differs) return {};
  if (r.of_input && r.first_failure && r.first_failure->caller_line > 0)
    return fmt::format("the call in line {} does not give the function the input that it states",
                       r.first_failure->caller_line);
  if (r.others_hold > 0 && r.others_differ > 0)
    return fmt::format(
        "{} of the other claims hold{}, also of this variable further down: the code agrees with {}, and "
        "this comment does not",
        r.others_hold, r.others_hold == 1 ? "s" : "", r.others_hold == 1 ? "it" : "them");
  if (r.others_hold == 1) return "the other claim holds: the code agrees with it, and this comment does not";
  if (r.others_hold > 1)
    return fmt::format(
        "the {} other claims hold, also further down: the code agrees with them, and this comment does not",
        r.others_hold);
  return r.first_false_line > 0 ? fmt::format("first contradicted by the write of line {}", r.first_false_line) : "";
}

Collector::State::State(const source::Source& source, const trace::TagPool& pool, std::vector<int> value_bytes,
                        std::vector<int> lines) {
  setting.source = &source;
  setting.pool = &pool;
  setting.value_bytes = std::move(value_bytes);
  setting.caller_lines_by_pc = std::move(lines);
  for (const source::Variable& v : source.variables) {
    const auto id = static_cast<std::size_t>(v.id);
    if (id >= first_word.size()) first_word.resize(id + 1, ~std::size_t{0});
    first_word[id] = variable_words;
    variable_words += static_cast<std::size_t>((value_bytes_of(setting.value_bytes, v.id) + 3) / 4);
  }
  for (const source::ProbePoint& p : source.probes) {
    const auto id = static_cast<std::size_t>(p.id);
    if (id >= probes.size()) {
      probes.resize(id + 1);
      first_counter.resize(id + 1);
      judges_of_probe.resize(id + 1);
    }
    probes[id] = {p.id, words_of(p.variables, setting.value_bytes)};
  }
  for (std::size_t c = 0; c < source.claims.size(); ++c) {
    const source::Claim& claim = source.claims[c];
    std::vector<int> at{claim.probe};
    if (claim.probe >= 0) at.insert(at.end(), claim.later_probes.begin(), claim.later_probes.end());
    for (const int probe : at) {
      judges.emplace_back(setting, static_cast<int>(c), probe);
      const auto id = static_cast<std::size_t>(probe);
      if (probe < 0 || id >= probes.size()) continue;
      judges_of_probe[id].push_back(static_cast<int>(judges.size()) - 1);
      probes[id].words = words_of(claim.registers, setting.value_bytes);  // register order, not the probe's own
    }
  }
  twins.resize(probes.size());
  for (const source::ProbePoint& claimed : source.probes) {
    if (judges_of_probe[static_cast<std::size_t>(claimed.id)].empty()) continue;
    for (const source::ProbePoint& p : source.probes) {
      const bool here = p.line == claimed.line && p.column == claimed.column;
      if (here && judges_of_probe[static_cast<std::size_t>(p.id)].empty())
        twins[static_cast<std::size_t>(claimed.id)].push_back(&p);
    }
  }
  for (std::size_t id = 0; id < probes.size(); ++id) {
    first_counter[id] = counters;
    counters += probes[id].words.size();
  }
}

int Collector::State::twin(std::size_t probe, int variable) const {
  for (const source::ProbePoint* p : twins[probe])
    if (std::ranges::find(p->variables, variable) != p->variables.end()) return p->id;
  return -1;
}

const ProbeWords* Collector::State::words_of_probe(int id) const {
  return id >= 0 && static_cast<std::size_t>(id) < probes.size() && probes[static_cast<std::size_t>(id)].probe == id
             ? &probes[static_cast<std::size_t>(id)]
             : nullptr;
}

Collector::State::LiveBlock& Collector::State::live(std::uint32_t block) {
  if (block == last_live && last_live_block != nullptr) return *last_live_block;
  const auto [it, fresh] = live_blocks.try_emplace(block);
  if (fresh) {
    live_order.push_back(block);
    if (live_order.size() > budget.live_blocks) {  // blocks take effect in a serial order: the oldest has ended
      live_blocks.erase(live_order.front());
      live_order.pop_front();
    }
  }
  last_live = block;
  last_live_block = &it->second;
  return it->second;
}

Collector::State::LiveBlock::Writer& Collector::State::writer_of(LiveBlock& block, const trace::ProbeEvent& e) {
  static LiveBlock::Writer nobody;
  const auto id = static_cast<std::size_t>(e.variable);
  if (e.variable < 0 || id >= first_word.size() || first_word[id] == ~std::size_t{0}) return nobody = {};
  const std::size_t at = e.where.warp * variable_words + first_word[id] + static_cast<std::size_t>(e.byte_offset / 4);
  if (at >= block.writers.size()) block.writers.resize(at + variable_words);
  return block.writers[at];
}

void Collector::State::take(const trace::ProbeEvent& e) {
  events_seen = true;
  if (e.tags.empty()) return;
  tags_seen = true;
  const ProbeWords* words = words_of_probe(e.probe);
  if (words == nullptr) return;
  const auto id = static_cast<std::size_t>(e.probe);
  highest_block = std::max(highest_block, e.where.block);
  const bool claimed = !judges_of_probe[id].empty();
  const int slot = words->slot(e.variable, e.byte_offset);
  if (slot < 0) return;
  LiveBlock& block = live(e.where.block);
  LiveBlock::Writer& writer = writer_of(block, e);
  std::uint32_t hash = 2166136261u;
  for (const trace::WordTag t : e.tags) hash = (hash ^ t) * 16777619u;
  if (!claimed && (writer.hash != hash || writer.probe < 0)) writer = {e.where.step, e.probe, hash};
  if (claimed && (writer.hash != hash || writer.probe < 0)) {
    if (const int after = twin(id, e.variable); after >= 0) writer = {e.where.step, after, hash};
  }
  if (!claimed && log_full) return;
  const auto parts = block.iterations.count(
      e.where.warp * counters + first_counter[id] + static_cast<std::size_t>(slot), e.where.active);
  log(e, parts);
  if (claimed) take_claim_word(e, *words, slot, parts, writer);
}

void Collector::State::take_claim_word(const trace::ProbeEvent& e, const ProbeWords& words, int slot,
                                       const std::vector<Iterations::Part>& parts, const LiveBlock::Writer& writer) {
  for (const Iterations::Part& part : parts) {
    const GroupKey key{words.probe, e.where.block, part.iteration};
    std::shared_ptr<Group>& group = groups[key];
    if (!group) {
      group = std::make_shared<Group>(
          Group{.probe = key.probe, .block = key.block, .iteration = key.iteration, .records = {}, .tags = {}});
      group_order.push_back(key);
      group_bytes += sizeof(Group) + sizeof(GroupKey);
    }
    WordRecord r{.step = e.where.step,
                 .writer_step = writer.step,
                 .mask = part.mask,
                 .pc = e.where.pc,
                 .iteration = part.iteration,
                 .tags = group->tags.add(e.tags),
                 .writer = writer.probe,
                 .slot = static_cast<std::uint16_t>(slot),
                 .warp = static_cast<std::uint8_t>(e.where.warp)};
    group->records.push_back(r);
    group_bytes += sizeof(WordRecord) + (r.tags.affine ? 24 : 128);
  }
  while (group_bytes > budget.groups && group_order.size() > 8) fold_oldest();
}

void Collector::State::log(const trace::ProbeEvent& e, const std::vector<Iterations::Part>& parts) {
  if (log_full) return;
  BlockLog& log = logs[e.where.block];
  for (const Iterations::Part& part : parts) {
    const TagStore::Handle tags = log.tags.add(e.tags);
    log.entries.push_back({e.probe,
                           e.variable,
                           e.byte_offset,
                           {.step = e.where.step,
                            .writer_step = 0,
                            .mask = part.mask,
                            .pc = e.where.pc,
                            .iteration = part.iteration,
                            .tags = tags,
                            .writer = -1,
                            .slot = 0,
                            .warp = static_cast<std::uint8_t>(e.where.warp)}});
    log_bytes += sizeof(BlockLog::Entry) + (tags.affine ? 24 : 128);
  }
  if (log_bytes > budget.log) log_full = true;
}

std::optional<Steer> Collector::State::steer_of(std::uint32_t block) const {
  const auto it = steers.find(block);
  return it == steers.end() ? std::nullopt : std::optional(it->second);
}

void Collector::State::Watched::leave_unchecked(ClaimResult& r) const {
  const bool held = r.verdict == Verdict::holds;
  r.verdict = Verdict::unchecked;
  r.seen_in_part = true;
  const std::string seen = held ? "it holds in" : "it does not occur in";
  if (held || is_not_reached(r.reason.code))
    r.reason = coded<Why::seen_in_part>(fmt::format("{} {}; {}", seen, blocks, why));
}

void Collector::State::Stopped::leave_unchecked(ClaimResult& r) const {
  const auto claim = static_cast<std::size_t>(r.claim);
  if (claim >= claims.size() || !claims[claim] || r.verdict == Verdict::differs) return;
  if (r.verdict == Verdict::holds)
    r.reason = coded<Why::not_all_threads>(counted(r.instances, "instance"), why);
  else if (is_not_reached(r.reason.code))
    r.reason = coded<Why::threads_stopped>(why);
  r.verdict = Verdict::unchecked;
  r.seen_in_part = true;
}

void Collector::State::fold_oldest() {
  folded = true;
  const GroupKey key = group_order.front();
  group_order.pop_front();
  const auto it = groups.find(key);
  if (it == groups.end()) return;
  const std::shared_ptr<Group> group = std::move(it->second);
  groups.erase(it);
  group_bytes -= std::min(group_bytes, sizeof(Group) + sizeof(GroupKey));
  for (const WordRecord& r : group->records)
    group_bytes -= std::min<std::size_t>(group_bytes, sizeof(WordRecord) + (r.tags.affine ? 24 : 128));
  for (const int j : judges_of_probe[static_cast<std::size_t>(key.probe)])
    judges[static_cast<std::size_t>(j)].add(group, steer_of(key.block));
}

std::vector<std::vector<std::shared_ptr<const Group>>> Collector::State::groups_by_probe() const {
  std::vector<std::vector<std::shared_ptr<const Group>>> out(probes.size());
  for (const auto& [key, group] : groups) out[static_cast<std::size_t>(key.probe)].push_back(group);
  for (auto& of_probe : out)
    std::ranges::sort(of_probe, [](const auto& a, const auto& b) {
      return std::tie(a->block, a->iteration) < std::tie(b->block, b->iteration);
    });
  return out;
}

std::vector<ClaimResult> Collector::State::judge() const {
  const auto left = groups_by_probe();
  const auto at_moment = [&](const Judge& folded) {
    Judge judge = folded;
    if (judge.probe() >= 0 && static_cast<std::size_t>(judge.probe()) < left.size())
      for (const auto& group : left[static_cast<std::size_t>(judge.probe())]) {
        if (stopped()) return AtMoment{};
        judge.add(group, steer_of(group->block));
      }
    const source::ProbePoint* point = setting.probe(judge.probe());
    return AtMoment{judge.result(tags_seen || !events_seen), point == nullptr ? 0 : point->statement_line};
  };
  std::vector<ClaimResult> results;
  for (std::size_t first = 0, end = 0; first < judges.size(); first = end) {
    while (end < judges.size() && judges[end].claim() == judges[first].claim()) ++end;
    const int index = judges[first].claim();
    const source::Claim& claim = setting.source->claims[static_cast<std::size_t>(index)];
    ClaimResult& r = results.emplace_back(
        at_the_moment_meant({end - first, [&](std::size_t moment) { return at_moment(judges[first + moment]); }},
                            claim.forward_words, !claim.step_words.empty()));
    if (stopped()) {
      r = {};
      r.claim = index;
      r.reason = coded<Why::stopped>();
      continue;
    }
    if (claim.kind() != source::ClaimKind::registers) of_memory(r, claim);
    if (!claim.assumed.empty()) variable_was_guessed(r, claim);
    if (!repeated.empty() && r.verdict == Verdict::holds && r.reason.empty()) r.reason = coded<Why::as_seen>(repeated);
    const std::optional<Watched>& seen = seen_of(claim);
    if (seen && r.verdict == Verdict::holds && seen_whole(claim))
      r.reason = as_seen(r.reason, "in " + seen->blocks);
    else if (seen && (r.verdict == Verdict::holds || r.instances == 0))
      seen->leave_unchecked(r);
    if (early && r.verdict == Verdict::holds && seen_whole(claim))
      r.reason = as_seen(r.reason, "in what ended before " + early->why);
    else if (early)
      early->leave_unchecked(r);
  }
  settle_alternatives(*setting.source, results);
  settle_orders(*setting.source, results);
  return results;
}

void Collector::State::variable_was_guessed(ClaimResult& r, const source::Claim& claim) {
  if (r.verdict != Verdict::differs) return;
  const std::string later = r.after_line > 0 ? fmt::format(" (it is true after line {})", r.after_line) : std::string();
  r.reason = coded<Why::guessed_variable>(claim.variable, r.difference + later, claim.variable);
  r.verdict = Verdict::unchecked;
  r.difference.clear();
  r.after_line = 0;
}

/// Blocks that ran were seen to their end: an array of theirs in shared memory, and what they work on, is judged as a whole.
bool Collector::State::seen_whole(const source::Claim& claim) const {
  const auto* layout = std::get_if<source::ArrayLayout>(&claim.about);
  return layout != nullptr ? layout->space == source::ArrayLayout::Space::shared
                           : std::holds_alternative<source::WorkShare>(claim.about);
}

const std::optional<Collector::State::Watched>& Collector::State::seen_of(const source::Claim& claim) const {
  return needs_elements(claim) && watched ? watched : ran;
}

void Collector::State::of_memory(ClaimResult& r, const source::Claim& claim) const {
  if (!claim.unchecked_reason.empty()) return;
  r.reason = coded<Why::memory_not_watched>();
  for (const auto& j : memory)
    if (j->claim() == r.claim) r = j->result(early.has_value());
}

void Collector::watch_memory(MemoryPlaces places) {
  state_->places = std::move(places);
  const std::vector<source::Claim>& claims = state_->setting.source->claims;
  for (std::size_t c = 0; c < claims.size(); ++c)
    if (claims[c].unchecked_reason.empty())
      if (auto judge = access_judge(state_->setting, state_->places, static_cast<int>(c)))
        state_->memory.push_back(std::move(judge));
}

void Collector::on_access(const trace::AccessEvent& e) {
  for (const auto& j : state_->memory) j->access(e);
}

void Collector::on_block_end(std::uint32_t block, std::uint64_t) {
  for (const auto& j : state_->memory) j->block_ended(block);
}

void Collector::on_barrier(const trace::BarrierEvent& e) {
  for (const auto& j : state_->memory) j->barrier(e);
}

Collector::Collector(const source::Source& source, const trace::TagPool& tags, std::vector<int> value_bytes,
                     std::vector<int> caller_lines_by_pc)
    : state_(std::make_unique<State>(source, tags, std::move(value_bytes), std::move(caller_lines_by_pc))) {}
Collector::~Collector() = default;

void Collector::on_probe(const trace::ProbeEvent& e) { state_->take(e); }

void Collector::on_steer(const trace::SteerEvent& e) {
  const Steer now{e.where.step, e.where.pc};
  const auto [it, fresh] = state_->steers.try_emplace(e.where.block, now);
  if (!fresh && now.step < it->second.step) it->second = now;
}

std::unique_ptr<trace::Observer> Collector::part() const {
  using Kind = trace::EventLog::Kind;
  if (state_->memory.empty())
    return std::make_unique<trace::EventLog>(std::initializer_list{Kind::probe, Kind::steer, Kind::block_end});
  return std::make_unique<trace::EventLog>(
      std::initializer_list{Kind::probe, Kind::steer, Kind::block_end, Kind::access, Kind::barrier});
}

bool Collector::can_take(const trace::Observer& part) const {
  return static_cast<const trace::EventLog&>(part).is_whole();
}

void Collector::take(trace::Observer& part, std::uint64_t first_step) {
  static_cast<const trace::EventLog&>(part).report(*this, first_step);
}

trace::Observer::Atomics Collector::needs_atomics() const {
  return state_->memory.empty() ? Atomics::never : Atomics::in_turn;
}

void Collector::keep_at_most(std::size_t instance_bytes, std::size_t moment_bytes) {
  state_->budget.groups = instance_bytes;
  state_->budget.log = moment_bytes;
}

void Collector::watched_only(std::string blocks, std::string why) {
  state_->watched = {.blocks = std::move(blocks), .why = std::move(why)};
}

void Collector::ran_only(std::string blocks, std::string why) {
  state_->ran = {.blocks = std::move(blocks), .why = std::move(why)};
}

void Collector::stopped_before(const std::vector<int>& probes, std::string why) {
  State::Stopped stopped{
      .probes = probes, .claims = std::vector<bool>(state_->setting.source->claims.size()), .why = std::move(why)};
  for (const int p : probes)
    if (p >= 0 && static_cast<std::size_t>(p) < state_->judges_of_probe.size())
      for (const int j : state_->judges_of_probe[static_cast<std::size_t>(p)])
        stopped.claims[static_cast<std::size_t>(state_->judges[static_cast<std::size_t>(j)].claim())] = true;
  // No probe reports the stores of threads that stopped.
  const auto& all = state_->setting.source->claims;
  for (std::size_t c = 0; c < all.size(); ++c)
    if (all[c].kind() != source::ClaimKind::registers) stopped.claims[c] = true;
  state_->early = std::move(stopped);
}

void Collector::stop_when(const std::atomic<bool>* flag) { state_->stop = flag; }

std::vector<ClaimResult> Collector::judge() const { return state_->judge(); }

}  // namespace lanescope::claims
