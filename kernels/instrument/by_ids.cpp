#include "kernels/instrument/by_ids.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "kernels/base/set_bits.h"
#include "kernels/instrument/rewrite.h"
#include "kernels/instrument/slice.h"

namespace lanescope::instrument {
namespace {

using source::Why;
using trace::BitTag;
using trace::WordTag;

trace::TagSpace tag_space(const std::vector<trace::Buffer>& buffers) {
  trace::TagSpace space;
  std::uint32_t word = 0;
  for (const trace::Buffer& b : buffers) {
    const auto words = static_cast<std::uint32_t>((b.bytes.size() + 3) / 4);
    space.buffers.push_back({word, words, b.element_bits, b.traced});
    word += words;
  }
  return space;
}

/// The data that every run of one piece of the grid shares.
struct Head {
  std::uint32_t site = 0, block = 0, warp = 0, mask = 0;
  bool operator==(const Head&) const = default;
};

/// Probed words of one piece, in all runs.
struct Observations {
  std::vector<Head> heads;                        ///< by block, within a warp as executed
  std::vector<std::vector<std::uint32_t>> words;  ///< [run][head * 32 + lane]
};

tl::unexpected<Diagnostics> unsteady() {
  return failure("two runs of the kernel behaved differently",
                 "its behaviour depends on a race or on the order of atomics; check it in the emulator");
}

class ByIds {
 public:
  ByIds(const IdQuestion& question, const IdSettings& settings) : q_(question), settings_(settings) {
    pool_.space = tag_space(q_.buffers);
  }

  IdAnswer answer(const Load& load) {
    claims::Collector collector(*q_.source, pool_, q_.value_bytes, q_.caller_lines_by_pc);
    const Expected<void> done = observe(load, collector);
    answer_.results = collector.judge();
    for (claims::ClaimResult& r : answer_.results) soften(r, done);
    return std::move(answer_);
  }

 private:
  Expected<void> observe(const Load& load, claims::Collector& collector);
  Expected<void> make_ready(const Load& load, std::uint64_t capacity_bytes);
  Expected<std::optional<Observations>> piece(const Choice& choice, const Ids& ids);
  Expected<Totals> one_run(int run, const Choice& choice, const Ids& ids, std::vector<Head>& heads,
                           std::vector<std::uint32_t>& words);
  void report(const Observations& seen, const Ids& ids, claims::Collector& collector);
  WordTag tag_of(const Ids& ids, std::span<const std::uint32_t> seen, std::uint32_t site);
  void note_unknown(std::uint32_t site);
  void note_kept();
  void soften(claims::ClaimResult& r, const Expected<void>& done) const;
  bool keeps(std::uint32_t site) const;

  const IdQuestion& q_;
  const IdSettings& settings_;
  trace::TagPool pool_;
  Rewritten rewritten_;
  Slice slice_;
  Run run_;
  std::uint64_t capacity_bytes_ = 0;
  IdAnswer answer_;
  std::map<int, source::ClaimReason> unknown_;  ///< by probe: why some of its bits are
  std::uint64_t step_ = 0;
};

Expected<void> ByIds::observe(const Load& load, claims::Collector& collector) {
  rewritten_ = LS_TRY(rewrite_probed(*q_.module, q_.launch.kernel));
  slice_ = LS_TRY(slice(*q_.module, q_.launch, q_.buffers, rewritten_.description));
  note_kept();
  std::vector<bool> carries;
  for (const Slice::Buffer& b : slice_.buffers) carries.push_back(b.carries);
  const Ids ids(pool_.space, carries, settings_.seed, settings_.witnesses);

  // One run that keeps nothing shows how much there is.
  if (auto ready = make_ready(load, 0); !ready) return ready;
  std::vector<Head> heads;
  std::vector<std::uint32_t> words;
  const auto demand = LS_TRY(one_run(0, {}, ids, heads, words));
  const auto blocks = static_cast<std::uint32_t>(q_.launch.grid.count());
  std::uint32_t at_once = blocks;
  if (demand.needed_bytes > settings_.record_bytes)
    at_once =
        static_cast<std::uint32_t>(std::max<std::uint64_t>(settings_.record_bytes * blocks / demand.needed_bytes, 1));
  if (auto ready = make_ready(load, std::min(demand.needed_bytes, settings_.record_bytes)); !ready) return ready;
  for (std::uint32_t first = 0; first < blocks;) {
    const Choice choice{.first_block = first, .block_count = std::min(at_once, blocks - first)};
    const auto seen = LS_TRY(piece(choice, ids));
    if (seen) {
      report(*seen, ids, collector);
      first += choice.block_count;
    } else if (at_once == 1) {
      return failure(fmt::format("the probes of block {} write more than {} bytes of records", first, capacity_bytes_));
    } else {
      at_once = (at_once + 1) / 2;  // blocks need not be alike
    }
  }
  return {};
}

Expected<void> ByIds::make_ready(const Load& load, std::uint64_t capacity_bytes) {
  capacity_bytes_ = capacity_bytes;
  run_ = nullptr;
  std::vector<trace::Buffer> buffers = q_.buffers;
  buffers.push_back(record_buffer(rewritten_.description, {}, capacity_bytes));
  run_ = LS_TRY(load(rewritten_.ptx, with_records(q_.launch, static_cast<int>(q_.buffers.size())), buffers));
  return {};
}

Expected<Totals> ByIds::one_run(int run, const Choice& choice, const Ids& ids, std::vector<Head>& heads,
                                std::vector<std::uint32_t>& words) {
  std::vector<trace::Buffer> buffers = q_.buffers;
  ids.fill(run, buffers);
  buffers.push_back(record_buffer(rewritten_.description, choice, capacity_bytes_));
  ++answer_.runs;
  if (auto done = run_(buffers); !done) return tl::unexpected(done.error());
  struct Read {
    Head head;
    std::array<std::uint32_t, 32> lanes{};
  };
  std::vector<Read> all;
  auto totals = read_records(buffers.back().bytes, rewritten_.description, [&](const Record& r) {
    Read& one = all.emplace_back(Read{{r.site, r.block, r.warp, r.mask}, {}});
    for (std::size_t l = 0; l < 32; ++l) one.lanes[l] = static_cast<std::uint32_t>(r.lanes[l]);
  });
  // Warps may take turns in another order every time; within a warp the order stays.
  std::ranges::stable_sort(all, {}, [](const Read& r) { return std::pair{r.head.block, r.head.warp}; });
  for (const Read& r : all) {
    heads.push_back(r.head);
    words.insert(words.end(), r.lanes.begin(), r.lanes.end());
  }
  return totals;
}

/// nullopt: the records of so many blocks do not fit.
Expected<std::optional<Observations>> ByIds::piece(const Choice& choice, const Ids& ids) {
  Observations out;
  for (int run = 0; run < ids.runs(); ++run) {
    std::vector<Head> heads;
    std::vector<std::uint32_t>& words = out.words.emplace_back();
    const auto totals = LS_TRY(one_run(run, choice, ids, heads, words));
    if (totals.dropped != 0) return std::nullopt;
    if (run == 0) out.heads = heads;
    if (heads != out.heads) return unsteady();
  }
  answer_.records += out.heads.size();
  return out;
}

bool ByIds::keeps(std::uint32_t site) const {
  for (std::size_t b = 0; b < slice_.buffers.size(); ++b)
    if (slice_.words[site].data.test(b) && !slice_.buffers[b].carries && q_.buffers[b].traced) return true;
  return false;
}

void ByIds::note_kept() {
  for (std::size_t b = 0; b < slice_.buffers.size(); ++b) {
    const Slice::Buffer& s = slice_.buffers[b];
    if (s.reason.empty()) continue;
    answer_.kept.push_back(fmt::format("{} keeps its contents (data-dependent control flow): {}{}", q_.buffers[b].name,
                                       s.reason, s.line > 0 ? fmt::format(" (line {})", s.line) : ""));
  }
}

void ByIds::note_unknown(std::uint32_t site) {
  source::ClaimReason& why = unknown_[rewritten_.description.sites[site].probe];
  if (!why.empty()) return;
  for (std::size_t b = 0; b < slice_.buffers.size() && why.empty(); ++b)
    if (slice_.words[site].data.test(b) && !slice_.buffers[b].reason.empty())
      why = coded<Why::kept_contents>(
          q_.buffers[b].name,
          slice_.buffers[b].reason +
              (slice_.buffers[b].line > 0 ? fmt::format(" (line {})", slice_.buffers[b].line) : ""));
  if (why.empty()) why = coded<Why::computed_bits>();
}

WordTag ByIds::tag_of(const Ids& ids, std::span<const std::uint32_t> seen, std::uint32_t site) {
  const Flow& flow = slice_.words[site];
  if (flow.data.none()) return trace::no_data;
  const bool trusted = flow.reach != Reach::computed && !keeps(site);
  std::uint32_t word = 0;
  if (trusted && ids.whole_word(seen, word)) return trace::TagPool::source_word(word);
  const bool constants = flow.reach == Reach::moved && trusted;
  trace::WordBits bits{};
  bool any = false, unknown = false;
  for (int b = 0; b < 32; ++b) {
    const Ids::Bit found = ids.bit(seen, b);
    if (found.origin == Ids::Origin::constant && constants) continue;
    any = true;
    if (found.origin == Ids::Origin::source && trusted) {
      bits[static_cast<std::size_t>(b)] = BitTag::source(found.source_bit, found.inverted);
    } else {
      unknown = true;
      bits[static_cast<std::size_t>(b)] = BitTag::computed(trace::TagPool::too_many);
    }
  }
  if (unknown) note_unknown(site);
  return any ? pool_.intern(bits) : trace::no_data;
}

void ByIds::report(const Observations& seen, const Ids& ids, claims::Collector& collector) {
  std::set<std::uint32_t> blocks;
  std::vector<std::uint32_t> across(static_cast<std::size_t>(ids.runs()));
  std::array<std::uint32_t, 32> values{};
  std::array<WordTag, 32> tags{};
  for (std::size_t n = 0; n < seen.heads.size(); ++n) {
    const Head& head = seen.heads[n];
    const Site& site = rewritten_.description.sites[head.site];
    if (blocks.insert(head.block).second)
      for (const Slice::Buffer& b : slice_.buffers)
        if (!b.reason.empty()) collector.on_steer({.where = {0, head.block, head.warp, b.pc, head.mask}});
    tags.fill(trace::no_data);
    for (const std::size_t lane : set_bits(head.mask)) {
      for (std::size_t r = 0; r < across.size(); ++r) across[r] = seen.words[r][n * 32 + lane];
      values[lane] = across[0];
      tags[lane] = tag_of(ids, across, head.site);
    }
    trace::ProbeEvent e{.where = {++step_, head.block, head.warp, site.pc, head.mask},
                        .probe = site.probe,
                        .variable = site.variable,
                        .byte_offset = site.byte_offset,
                        .values = values,
                        .tags = tags};
    collector.on_probe(e);
  }
}

/// Takes back what rests on unknown bits, or on a run that did not end.
void ByIds::soften(claims::ClaimResult& r, const Expected<void>& done) const {
  const source::Claim& claim = q_.source->claims[static_cast<std::size_t>(r.claim)];
  // Reasons that come from the data seen are not true where some of them are unknown.
  const Why code = r.reason.code;
  const bool is_settled = r.verdict == claims::Verdict::unchecked && code != Why::mixed_elements &&
                          code != Why::buffer_not_traced && code != Why::no_traced_element;
  if (claim.probe < 0 || (done && is_settled && claim.later_probes.empty())) return;
  source::ClaimReason why;
  if (!done) {
    why = coded<Why::engine_limit>(done.error().front().message);
  } else {
    // A claim at the comment does not depend on later code, unless its words look forward.
    const bool here_alone = claim.forward_words.empty() && r.verdict == claims::Verdict::holds && r.after_line == 0;
    std::vector<int> rests_on{claim.probe};
    if (!here_alone) rests_on.insert(rests_on.end(), claim.later_probes.begin(), claim.later_probes.end());
    for (const int probe : rests_on) {
      const auto unknown = unknown_.find(probe);
      if (unknown != unknown_.end() && why.empty()) why = unknown->second;
    }
    if (why.empty()) return;
  }
  claims::ClaimResult weaker{.claim = r.claim, .reason = std::move(why), .instances = r.instances};
  r = std::move(weaker);
}

}  // namespace

IdAnswer judge_by_ids(const IdQuestion& question, const Load& load, const IdSettings& settings) {
  return ByIds(question, settings).answer(load);
}

}  // namespace lanescope::instrument
