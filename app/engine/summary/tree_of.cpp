#include "app/engine/summary/moment.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "app/engine/values/value_tree.h"
#include "kernels/base/set_bits.h"

namespace lanescope::engine {
namespace {

using results::ValueTree;

/// Stores looked at for the one that depends on most elements, from the last one back.
constexpr std::size_t most_stores = 4096;

ValueTree refused(std::string why) { return ValueTree{.refused = std::move(why)}; }

class Asker {
 public:
  Asker(const RunState& state, const TreeRequest& request, std::int64_t step)
      : state_(state),
        request_(request),
        trace_(state.recorded()->trace),
        step_(step),
        origins_(trace_, state.prepared.probed.module, entry_of(state.prepared.probed, trace_.launch)) {
    question_.name = [this](trace::VariableWord word) { return name_of(word); };
  }

  ValueTree answer() {
    switch (request_.of) {
      case TreeRequest::Of::best:
        best();
        break;
      case TreeRequest::Of::element:
        element();
        break;
      case TreeRequest::Of::register_:
        registers();
        break;
      case TreeRequest::Of::word:
        word();
        break;
    }
    if (!refused_.empty()) return refused(refused_);
    std::ranges::sort(question_.depends);
    const auto extra = std::ranges::unique(question_.depends);
    question_.depends.erase(extra.begin(), extra.end());
    const bool whole = origins_.follow();
    ValueTree tree = value_tree(origins_, question_);
    tree.subject = subject_, tree.step = at_, tree.line = line_;
    if (!whole)
      tree.refused = fmt::format("more than {} values took part: choose one of fewer elements", Origins::most_nodes);
    return tree;
  }

 private:
  std::string name_of(trace::VariableWord word) const {
    for (const Family& f : state_.families) {
      const auto at = std::ranges::find(f.words, word);
      if (at == f.words.end()) continue;
      const auto n = static_cast<std::size_t>(at - f.words.begin()) / (f.wide ? 2 : 1);
      return n < f.info.registers.size() ? f.info.registers[n] : f.info.name;
    }
    return {};
  }

  void depends_on(trace::WordTag tag, int first_bit, int bits) {
    if (!elements_of(trace_, tag, first_bit, bits, question_.depends)) question_.depends_known = false;
  }

  int line_at(std::int64_t step) const {
    if (step < 0) return 0;
    const std::uint32_t pc = trace_.steps[static_cast<std::size_t>(step)].pc;
    return pc < trace_.code.size() ? trace_.code[pc].line : 0;
  }

  bool stores_to_global(std::size_t i) const {
    return trace_.accesses.space(i) == trace::MemorySpace::global &&
           trace_.accesses.kind(i) != trace::AccessKind::load &&
           trace_.accesses.kind(i) != trace::AccessKind::async_copy;
  }

  /// Bytes [first, first + bytes) of what a lane stored.
  void stored(std::size_t record, const trace::AccessRecord& r, int lane, int first, int bytes) {
    for (int byte = first; byte < first + bytes; byte += 4) {
      const auto w = static_cast<std::size_t>(byte / 4) * trace::lanes_per_warp + static_cast<std::size_t>(lane);
      const int in_word = std::min(4 - byte % 4, first + bytes - byte);
      if (w < r.tags.size()) depends_on(r.tags[w], byte % 4 * 8, in_word * 8);
    }
    question_.roots.push_back(origins_.accessed(record, lane, first, bytes));
    question_.lanes.push_back(lane);
    at_ = static_cast<std::int64_t>(r.step), line_ = line_at(at_);
  }

  struct Place {
    int buffer = -1, bytes = 4;
    std::uint64_t element = 0;
  };
  std::optional<Place> place_of(std::uint64_t address) const {
    const auto at = trace_.locate(address);
    if (!at || at->first >= static_cast<int>(state_.summary.buffers.size())) return std::nullopt;
    const int bits = std::max(state_.summary.buffers[static_cast<std::size_t>(at->first)].element_bits, 8);
    return Place{at->first, bits / 8, at->second / static_cast<std::uint64_t>(bits / 8)};
  }

  std::string element_name(int buffer, std::uint64_t element) const {
    return fmt::format("{}[{}]", state_.summary.buffers[static_cast<std::size_t>(buffer)].name, element);
  }

  /// The last store among those looked at that depends on most elements; of several lanes the first.
  void best() {
    const trace::AccessLog& log = trace_.accesses;
    std::size_t most = 0, looked = 0, record = log.size();
    int lane = 0;
    for (std::size_t i = log.size(); i-- > 0 && looked < most_stores;) {
      if (!stores_to_global(i)) continue;
      ++looked;
      const trace::AccessRecord r = log[i];
      if (r.tags.empty() || r.matrix > 0) continue;
      for (const std::size_t l : set_bits(r.mask)) {
        if (r.tags[l] == trace::no_data || !place_of(r.addresses[l])) continue;
        const std::size_t count = trace_.tags.sources(r.tags[l], 0, 32).size();
        if (count > most) most = count, record = i, lane = static_cast<int>(l);
      }
    }
    if (record == log.size())
      return void(refused_ = "the recorded block stores nothing that depends on an element of a buffer");
    const trace::AccessRecord r = log[record];
    const Place at = *place_of(r.addresses[static_cast<std::size_t>(lane)]);
    subject_ = element_name(at.buffer, at.element);
    stored(record, r, lane, 0, std::min(at.bytes, r.width_bytes));
  }

  void element() {
    if (request_.buffer < 0 || request_.buffer >= static_cast<int>(state_.summary.buffers.size()))
      return void(refused_ = "there is no such buffer");
    const results::BufferInfo& buffer = state_.summary.buffers[static_cast<std::size_t>(request_.buffer)];
    subject_ = element_name(request_.buffer, request_.element);
    const int bytes = std::max(buffer.element_bits / 8, 1);
    const std::uint64_t address = buffer.address + request_.element * static_cast<std::uint64_t>(bytes);
    const trace::AccessLog& log = trace_.accesses;
    std::optional<std::size_t> found;
    for (std::size_t i = 0; i < log.size(); ++i) {
      if (!stores_to_global(i)) continue;
      if (found && static_cast<std::int64_t>(log.step(i)) > step_) break;
      if (lane_at(log[i], address)) found = i;
    }
    if (!found)
      return void(refused_ = fmt::format("block {} stores nothing in {}", state_.request.record_block, subject_));
    const trace::AccessRecord r = log[*found];
    const int lane = *lane_at(r, address);
    const int first = static_cast<int>(address - r.addresses[static_cast<std::size_t>(lane)]);
    stored(*found, r, lane, first, std::min(bytes, r.width_bytes - first));
  }

  /// The last lane that stores to the byte.
  static std::optional<int> lane_at(const trace::AccessRecord& r, std::uint64_t address) {
    for (int lane = 31; lane >= 0; --lane) {
      const std::uint64_t from = r.addresses[static_cast<std::size_t>(lane)];
      const bool active = (r.mask >> lane & 1) != 0;
      if (active && address >= from && address < from + static_cast<std::uint64_t>(r.width_bytes)) return lane;
    }
    return std::nullopt;
  }

  void registers() {
    if (request_.family < 0 || request_.family >= static_cast<int>(state_.families.size()))
      return void(refused_ = "there is no such register array");
    const Family& f = state_.families[static_cast<std::size_t>(request_.family)];
    const auto n = static_cast<std::size_t>(request_.reg) * (f.wide ? 2 : 1);
    if (request_.reg < 0 || n >= f.words.size() || request_.lane < 0 || request_.lane > 31 || request_.warp < 0 ||
        request_.warp >= static_cast<int>(trace_.launch.warps_per_block()))
      return void(refused_ = "there is no such register");
    const std::string& name = f.info.registers[static_cast<std::size_t>(request_.reg)];
    subject_ = request_.all_lanes ? fmt::format("{} in all lanes of warp {}", name, request_.warp)
                                  : fmt::format("{} in lane {} of warp {}", name, request_.lane, request_.warp);
    // The newest probe that shows it, lane by lane.
    const int first = request_.all_lanes ? 0 : request_.lane, last = request_.all_lanes ? 31 : request_.lane;
    for (int lane = first; lane <= last; ++lane)
      for (std::size_t word = n; word < std::min(n + (f.wide ? 2 : 1), f.words.size()); ++word)
        shown(f.words[word], lane, f.wide);
    if (question_.roots.empty()) refused_ = subject_ + " has no value yet";
  }

  void shown(trace::VariableWord word, int lane, bool wide) {
    const auto warp = static_cast<std::uint32_t>(request_.warp);
    for (std::size_t i = trace_.probes.count_until(step_); i-- > 0;) {
      const std::uint64_t step = trace_.probes.step(i);
      if (trace_.probes.variable(i) != word.variable || trace_.probes.byte_offset(i) != word.byte_offset ||
          trace_.steps[step].warp != warp || (trace_.probes.mask(i) >> lane & 1) == 0)
        continue;
      const trace::WordTag tag = trace_.probes[i].tags[static_cast<std::size_t>(lane)];
      const int bits = wide ? 32 : part_bits(tag);
      depends_on(tag, bits < 32 ? request_.part * bits : 0, bits);
      question_.roots.push_back(origins_.probed(static_cast<std::int64_t>(step), lane));
      question_.lanes.push_back(lane);
      at_ = std::max(at_, static_cast<std::int64_t>(step)), line_ = line_at(at_);
      return;
    }
  }

  /// Bits of the part that was requested: the whole word, or an element of a packed register.
  int part_bits(trace::WordTag tag) const {
    if (request_.part == 0 && trace_.tags.sources(tag, 0, 32) == trace_.tags.sources(tag, 0, 1)) return 32;
    std::vector<Element> all;
    elements_of(trace_, tag, 0, 32, all);
    if (all.empty()) return 32;
    const int bits = trace_.tags.space.buffers[static_cast<std::size_t>(all.front().first)].element_bits;
    return bits >= 32 || bits < 1 || (request_.part + 1) * bits > 32 ? 32 : bits;
  }

  void word() {
    if (request_.element * 4 >= trace_.shared_bytes) return void(refused_ = "there is no such word of shared memory");
    subject_ = fmt::format("shared memory at byte {}", request_.element * 4);
    const auto words = trace_.shared_at(step_, state_.request.record_block);
    const trace::SharedByte& held = words[static_cast<std::size_t>(request_.element)];
    if (!held.written) return void(refused_ = subject_ + " has no value yet");
    depends_on(held.tag, 0, 32);
    question_.roots.push_back(origins_.shared_word(step_, static_cast<std::uint32_t>(request_.element)));
    question_.lanes.push_back(0);
    at_ = step_, line_ = line_at(step_);
  }

  const RunState& state_;
  const TreeRequest& request_;
  const trace::Trace& trace_;
  std::int64_t step_ = -1, at_ = -1;
  int line_ = 0;
  Origins origins_;
  TreeQuestion question_;
  std::string subject_, refused_;
};

}  // namespace

results::ValueTree tree_of(const RunState& state, const TreeRequest& request, std::int64_t step) {
  if (state.recorded() == nullptr) return refused("there is no recorded run");
  if (state.recorded()->trace.first_step > 0)
    return refused(
        "the recorded part begins within the block, and earlier values are not known: go to an earlier step of the "
        "block");
  const auto last = static_cast<std::int64_t>(state.recorded()->trace.steps.size()) - 1;
  // While one steps through a run, the same tree is requested again and again.
  TreeRequest question = request;
  question.step = request.of == TreeRequest::Of::best ? 0 : std::clamp<std::int64_t>(step, -1, last);
  if (!state.tree || state.tree->first != question)
    state.tree.emplace(question, Asker(state, request, question.step).answer());
  return state.tree->second;
}

}  // namespace lanescope::engine
