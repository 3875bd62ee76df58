#include "kernels/claims/judge.h"

#include <algorithm>
#include <bit>
#include <tuple>

#include <fmt/format.h>

namespace lanescope::claims {

using layout::Place;

const LogicalBits* Setting::logical(int buffer) const {
  const auto at = static_cast<std::size_t>(buffer);
  if (buffer < 0 || at >= source->header.buffers.size()) return nullptr;
  if (const auto other = other_bits.find(buffer); other != other_bits.end())
    return &logical_by_buffer.try_emplace(buffer, source->header.buffers[at], other->second).first->second;
  if (const auto other = other_axes.find(buffer); other != other_axes.end())
    return &logical_by_buffer.try_emplace(buffer, other->second).first->second;
  return &logical_by_buffer.try_emplace(buffer, source->header.buffers[at]).first->second;
}

int Setting::element_bits(int buffer) const {
  const auto at = static_cast<std::size_t>(buffer);
  return buffer >= 0 && at < pool->space.buffers.size() ? pool->space.buffers[at].element_bits : 32;
}

Commons& Setting::commons() const {
  if (!commons_of_pool) commons_of_pool.emplace(*pool, [this](int buffer) { return logical(buffer); });
  return *commons_of_pool;
}

const source::ProbePoint* Setting::probe(int id) const {
  const auto it = std::ranges::find(source->probes, id, &source::ProbePoint::id);
  return it == source->probes.end() ? nullptr : &*it;
}

int Setting::caller_line(std::uint32_t pc, int probe_id) const {
  const source::ProbePoint* point = probe(probe_id);
  const int line = pc < caller_lines_by_pc.size() ? caller_lines_by_pc[pc] : 0;
  if (point == nullptr || line == 0 || line == point->line || line == point->statement_line) return 0;
  for (const source::Function& f : source->functions) {
    const bool has_probe = f.first_line <= point->line && point->line <= f.last_line;
    if (has_probe) return f.first_line <= line && line <= f.last_line ? 0 : line;
  }
  return 0;
}

Judge::Judge(const Setting& setting, int claim, int probe)
    : setting_(&setting),
      index_(claim),
      claim_(&setting.source->claims[static_cast<std::size_t>(claim)]),
      probe_(probe) {
  words_ = static_cast<int>(words_of(claim_->registers, setting.value_bytes).size());
}

namespace {

/// A value of several elements fills a register where every bit depends on the same ones; two halves do not.
bool same_of_all_bits(const trace::TagPool& pool, trace::WordTag tag, int first, int count, const Held& held) {
  if (held.kind != Held::Kind::mixed) return true;
  const trace::WordBits bits = pool.bits(tag);
  return std::all_of(bits.begin() + first, bits.begin() + first + count,
                     [&](trace::BitTag b) { return b == bits[static_cast<std::size_t>(first)]; });
}

}  // namespace

Geometry natural_geometry(const std::vector<int>& registers, const Setting& setting, int element_bits,
                          const Snapshot& snapshot, Reader& reader) {
  Geometry g = geometry_of(registers, *setting.source, setting.value_bytes, element_bits, std::nullopt);
  if (g.parts() == 1 || g.unit_bits > 32) return g;
  for (const Snapshot::Warp& w : snapshot.warps)
    for (const Geometry::Unit& unit : g.units) {
      const auto word = static_cast<std::size_t>(unit.word);
      if (w.masks[word] == 0) continue;
      const trace::WordTag tag = w.tags[word][static_cast<std::size_t>(std::countr_zero(w.masks[word]))];
      const Held whole = reader.read(std::span(&tag, 1), unit.first_bit, g.unit_bits);
      bool copies = true;  // of one element in each part: a broadcast, not a wider value
      for (int part = 0; part < g.parts(); ++part)
        copies = copies && reader.read(std::span(&tag, 1), unit.first_bit + part * g.grain_bits, g.grain_bits).kind ==
                               Held::Kind::exact;
      const bool one = whole.kind == Held::Kind::computed || whole.kind == Held::Kind::mixed;
      if (one && !copies && same_of_all_bits(*setting.pool, tag, unit.first_bit, g.unit_bits, whole))
        g.grain_bits = g.unit_bits;
      return g;
    }
  return g;
}

const Sums& Judge::sums() {
  if (!sums_) {
    std::vector<const LogicalBits*> buffers;
    for (std::size_t b = 0; b < setting_->source->header.buffers.size(); ++b)
      buffers.push_back(setting_->logical(static_cast<int>(b)));
    sums_ = std::make_shared<const Sums>(claim_->stated, buffers);
  }
  return *sums_;
}

const Plan* Judge::plan_for(int buffer, const Snapshot& snapshot, Reader& reader) {
  const auto known = plans_.find(buffer);
  if (known != plans_.end()) return &known->second;
  const LogicalBits* logical = setting_->logical(buffer);
  if (logical == nullptr) return nullptr;
  std::optional<int> simd_bits;
  if (claim_->stated.row(Place::simd)) simd_bits = claim_->stated.bits(Place::simd);
  Plan plan{.buffer = buffer,
            .geometry = simd_bits ? geometry_of(claim_->registers, *setting_->source, setting_->value_bytes,
                                                setting_->element_bits(buffer), simd_bits)
                                  : natural_geometry(claim_->registers, *setting_, setting_->element_bits(buffer),
                                                     snapshot, reader),
            .logical = logical,
            .relation = Relation(claim_->stated, *logical),
            .sums = &sums(),
            .commons = &setting_->commons(),
            .joint = false};
  plan.joint = !plan.relation.problem().empty() && sums().all_known();
  return &plans_.emplace(buffer, std::move(plan)).first->second;
}

namespace {

/// Orders failures by block and iteration; all ones where there is none.
std::uint64_t moment(const std::optional<Failure>& f) {
  return f ? std::uint64_t{f->at.block} << 32 | f->iteration : ~std::uint64_t{0};
}

}  // namespace

Snapshot Judge::snapshot(const Group& group) const { return snapshot_of(group, words_); }

void Judge::add(const std::shared_ptr<const Group>& group, const std::optional<Steer>& steer) {
  add_own(group, steer);
  for (Other* other : {&fitted_, &ordered_})
    if (!other->judge.empty()) other->judge.front().add_own(group, steer);
}

void Judge::add_own(const std::shared_ptr<const Group>& group, const std::optional<Steer>& steer) {
  Reader reader(*setting_->pool);
  const Snapshot all = snapshot(*group);
  std::uint64_t last_step = 0;
  for (const WordRecord& r : group->records) last_step = std::max(last_step, r.step);
  if (steer && steer->step < last_step && (!steer_ || steer->step < steer_->step)) steer_ = steer;

  // Without a warp row each warp is an instance of its own, and may hold another array.
  std::vector<Snapshot> parts;
  if (claim_->stated.row(Place::warp)) {
    parts.push_back(all);
  } else {
    for (const Snapshot::Warp& w : all.warps) parts.push_back({all.block, all.iteration, {w}});
  }
  const std::uint64_t instances = tally_.instances + 1;
  for (const Snapshot& part : parts) {
    int buffer = first_buffer(part, reader);
    if (buffer >= 0 && !fit_tried_) try_fit(part, buffer, reader);
    if (buffer < 0) buffer = first_buffer_ >= 0 ? first_buffer_ : 0;
    const Plan* plan = plan_for(buffer, part, reader);
    if (plan == nullptr) continue;
    Tally joint;
    if (plan->joint) {
      Classes scratch;
      check(part, *plan, reader, scratch, joint);
    }
    const bool several = joint.sums != 0 || joint.failure || (joint.mixed && !joint.mixed->held.one_element());
    if (!plan->relation.problem().empty() && !several) {
      if (first_buffer(part, reader) >= 0 && foreign_axis_.empty())
        foreign_axis_ =
            coded<Why::axis_of_other_buffer>(setting_->source->header.buffers[static_cast<std::size_t>(buffer)].name,
                                             plan->relation.problem(), plan->logical->axes_in_words());
      continue;
    }
    const std::uint64_t failure_before = moment(tally_.failure), nothing_before = moment(tally_.nothing);
    Classes fresh;
    Classes& classes = claim_->stated.row(Place::block) ? block_classes_[group->iteration] : fresh;
    check(part, *plan, reader, classes, tally_);
    if (first_buffer_ < 0 && tally_.with_data != 0) first_buffer_ = buffer;
    if (moment(tally_.failure) != failure_before) failed_ = {group, buffer};
    if (moment(tally_.nothing) != nothing_before) empty_ = {group, buffer};
  }
  tally_.instances = instances;
  if (!first_ || std::tie(group->block, group->iteration) < std::tie(first_->block, first_->iteration)) first_ = group;
  if (claim_->stated.row(Place::block)) with_blocks_[group->iteration].push_back(group);
}

// --- the verdict ----------------------------------------------------------------------------------------------------

ClaimReason Judge::unknown_axis() const {
  const auto& buffers = setting_->source->header.buffers;
  if (buffers.empty()) return {};
  for (const std::string& name : layout::logical_bits(claim_->stated)) {
    std::string known;
    bool found = false;
    for (std::size_t b = 0; b < buffers.size() && !found; ++b) {
      const LogicalBits* logical = setting_->logical(static_cast<int>(b));
      found = logical->bit_of(name) >= 0;
      if (!buffers[b].axes.empty())
        known += fmt::format("{}{} has {}", known.empty() ? "" : "; ", buffers[b].name, logical->axes_in_words());
    }
    if (!found)
      return coded<Why::unknown_axis>(
          layout::split_name(name).axis, name,
          known.empty() ? "no buffer has named axes; give them in the launch header" : known);
  }
  return {};
}

ClaimReason Judge::untraceable() const {
  const auto& buffers = setting_->source->header.buffers;
  for (std::size_t b = 0; b < buffers.size(); ++b) {
    if (buffers[b].traced) continue;
    const LogicalBits* logical = setting_->logical(static_cast<int>(b));
    for (const std::string& name : layout::logical_bits(claim_->stated))
      if (logical->bit_of(name) >= 0) return coded<Why::buffer_not_traced>(buffers[b].name);
  }
  return coded<Why::no_traced_element>(claim_->variable);
}

std::string Judge::structural(const Plan& plan) const {
  const auto& row = claim_->stated.row(Place::reg);
  if (row && static_cast<int>(row->size()) > plan.geometry.register_bits())
    return fmt::format("the register row names {}, but {} has {}",
                       row_count_words(Place::reg, static_cast<int>(row->size())), claim_->variable,
                       plan.geometry.units.size());
  if (claim_->stated.bits(Place::thread) > 5) return "the thread row names more than 5 bits, but a warp has 32 threads";
  return {};
}

Failure::What Judge::failed_as() const {
  if (moment(tally_.nothing) < moment(tally_.failure)) return Failure::What::nothing;
  return tally_.failure ? tally_.failure->what : Failure::What::missing;
}

ClaimResult Judge::result(bool tags_seen) const {
  ClaimResult r = own_result(tags_seen);
  if (r.verdict == Verdict::holds) return r;
  if (fit_tried_) r = with_other_axes(std::move(r), tags_seen);
  if (r.verdict == Verdict::differs)
    if (const std::string guess = guess_after(); !guess.empty()) {
      ClaimResult open = unchecked(r, coded<Why::guessed_layout>(guess, r.difference));
      const auto buffer = static_cast<std::size_t>(std::max(first_buffer_, 0));
      open.axes_of = static_cast<int>(buffer), open.axes = source::axes_text(setting_->source->header.buffers[buffer]);
      return open;
    }
  return r;
}

ClaimResult Judge::own_result(bool tags_seen) const {
  ClaimResult r{.claim = index_, .probe = probe_};
  if (probe_ < 0) {
    r.reason = claim_->unchecked_reason.empty() ? coded<Why::no_place_for_probe>("no probe could be placed here")
                                                : claim_->unchecked_reason;
    return r;
  }
  r.instances = tally_.instances;
  r.places = tally_.places;
  r.inactive_places = tally_.inactive_places;
  r.outside_places = tally_.outside_places;
  r.computed = tally_.computed;
  if (steer_) {
    r.for_this_input = true;
    if (steer_->pc < setting_->caller_lines_by_pc.size()) r.steered_line = setting_->caller_lines_by_pc[steer_->pc];
  }
  if (ClaimReason reason = unknown_axis(); !reason.empty()) {
    r.reason = std::move(reason);
  } else if (tally_.instances == 0) {
    r.reason = tags_seen ? coded<Why::not_executed>() : coded<Why::no_provenance>();
  } else if (!foreign_axis_.empty()) {
    r.reason = foreign_axis_;
  } else if (tally_.with_data == 0) {
    r.reason = untraceable();
  } else if (tally_.failure || tally_.nothing || !structural(plans_.at(first_buffer_)).empty()) {
    differs(r);
  } else if (tally_.mixed) {
    const Plan& plan = plans_.at(first_buffer_);
    const Held& held = tally_.mixed->held;
    const bool named = !tally_.mixed->name.empty() && held.count != 1;
    r.reason = coded<Why::mixed_elements>(in_words(tally_.mixed->at, plan.geometry),
                                          held.count == ~0u ? "many" : std::to_string(held.count),
                                          named ? ", which do not agree in " + tally_.mixed->name : "");
  } else {
    holds(r);
  }
  return r;
}

std::vector<Snapshot> Judge::snapshots_of(std::uint32_t iteration) const {
  std::vector<Snapshot> out;
  const auto it = with_blocks_.find(iteration);
  if (it == with_blocks_.end()) return out;
  std::size_t places = 0;
  for (const auto& group : it->second) {
    out.push_back(snapshot(*group));
    places += group->records.size() * 32;
    if (places > (std::size_t{1} << 22)) break;
  }
  return out;
}

void Judge::holds(ClaimResult& r) const {
  r.verdict = Verdict::holds;
  if (tally_.sums != 0) {
    r.up_to_sums = r.computed = true;
    r.actual = claim_->stated;
    r.actual_words = layout::print_line(*r.actual) + " (of sums of such elements)";
    return;
  }
  Reader reader(*setting_->pool);
  const Plan& plan = plans_.at(first_buffer_);
  std::vector<Snapshot> snapshots = snapshots_of(first_->iteration);
  if (snapshots.empty()) snapshots.push_back(snapshot(*first_));
  const Actual actual =
      actual_against(claim_->stated, snapshots, plan.geometry, plan.buffer, *plan.logical, reader, std::nullopt);
  // Lanes and warps that never ran leave bits open; the stated ones agree with all that was seen.
  const bool same = actual.assignment && layout::compare(claim_->stated, *actual.assignment).empty();
  r.actual = same ? actual.assignment : std::optional(claim_->stated);
  r.actual_words = layout::print_line(*r.actual);
  if (r.computed) r.actual_words += " (values computed from these elements)";
}

void Judge::differs(ClaimResult& r) const {
  r.verdict = Verdict::differs;
  const bool is_empty = moment(tally_.nothing) < moment(tally_.failure);
  const Witness witness = is_empty ? empty_ : tally_.failure ? failed_ : Witness{first_, first_buffer_};
  const std::shared_ptr<const Group>& group = witness.group;
  const Plan& plan = plans_.at(witness.buffer);
  Failure failure{};
  if (is_empty || tally_.failure) {
    failure = is_empty ? *tally_.nothing : *tally_.failure;
  } else {
    failure.what = Failure::What::missing;
    failure.at = {.block = group->block, .warp = group->records.front().warp};
    failure.iteration = group->iteration;
    failure.row = Place::reg;
  }
  // Places as the elements are wide, not as the claim's simd row says: that row may be what is wrong.
  Geometry geometry = plan.geometry;
  if (!tally_.computed)
    geometry = geometry_of(claim_->registers, *setting_->source, setting_->value_bytes,
                           setting_->element_bits(plan.buffer), std::nullopt);
  if (geometry.unit_bits != plan.geometry.unit_bits && plan.geometry.unit_bits % geometry.grain_bits == 0) {
    const int grain = geometry.grain_bits;
    geometry = plan.geometry;
    geometry.grain_bits = grain;
  }
  Reader reader(*setting_->pool);
  std::vector<Snapshot> snapshots = snapshots_of(failure.iteration);
  if (snapshots.empty()) snapshots.push_back(snapshot(*group));
  const bool of_sums = plan.joint || failure.what == Failure::What::sum;
  const Actual actual =
      of_sums ? actual_of_sums(claim_->stated, snapshots, plan, reader)
              : actual_against(claim_->stated, snapshots, geometry, plan.buffer, *plan.logical, reader, failure.at);
  // Where no assignment of any kind describes what is there, the comment cannot be meant for this moment.
  r.formless = !actual.assignment && !of_sums && !tally_.mixed && !plan.logical->ragged();
  r.actual = actual.assignment;
  r.actual_words = actual.words;
  r.difference = difference(actual, failure, plan, *group);
  const Snapshot failing = snapshot(*group);
  const auto warp = std::ranges::find(failing.warps, failure.at.warp, &Snapshot::Warp::warp);
  Instance instance{
      .block = failure.at.block, .warp = failure.at.warp, .iteration = failure.iteration, .caller_line = 0};
  if (warp != failing.warps.end()) {
    const auto word = static_cast<std::size_t>(plan.geometry.units[static_cast<std::size_t>(failure.at.reg)].word);
    instance.caller_line = setting_->caller_line(warp->records[word].pc, probe_);
  }
  r.first_failure = instance;
  r.first_false_line = first_false_line(failure, *group);
}

std::string Judge::difference(const Actual& actual, const Failure& f, const Plan& plan, const Group& group) const {
  std::string out;
  if (actual.assignment) {
    out = layout::describe(layout::compare(claim_->stated, *actual.assignment));
    if (out.empty()) out = actual.also;
  }
  const bool place_says_more = f.what != Failure::What::elsewhere && f.what != Failure::What::varies;
  if (f.what == Failure::What::missing) {
    if (out.empty()) out = structural(plan);
  } else if (out.empty() || place_says_more) {
    out += (out.empty() ? "" : "; ") + in_words(f, plan, *setting_->source);
  }
  if (!actual.assignment) {
    Reader reader(*setting_->pool);
    if (plan.joint || f.what == Failure::What::sum) return out;
    const std::string missing = missing_element(snapshot(group), plan, reader);
    if (!missing.empty()) out = missing + "; " + out;
  }
  return out;
}

int Judge::first_false_line(const Failure& f, const Group& group) const {
  const std::vector<ProbeWords::Word> words = words_of(claim_->registers, setting_->value_bytes);
  const WordRecord* earliest = nullptr;
  for (const WordRecord& r : group.records) {
    if (r.warp != f.at.warp || r.writer < 0) continue;
    const auto at = std::ranges::find(claim_->registers, words[r.slot].variable) - claim_->registers.begin();
    if ((f.wrong_registers >> std::min<std::ptrdiff_t>(at, 63) & 1) == 0) continue;
    if (earliest == nullptr || r.writer_step < earliest->writer_step) earliest = &r;
  }
  const source::ProbePoint* point = earliest == nullptr ? nullptr : setting_->probe(earliest->writer);
  return point == nullptr ? 0 : point->statement_line;
}

}  // namespace lanescope::claims
