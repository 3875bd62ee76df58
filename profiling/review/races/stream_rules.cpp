// Operations of several streams that use the same bytes with nothing that orders them (observe/buffer_uses.h).

#include <algorithm>
#include <optional>
#include <set>
#include <tuple>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "kernels/base/enum_size.h"
#include "profiling/review/findings/rule_set.h"

namespace lanescope::review {
namespace {

using source::StreamOperation;
using Use = StreamOperation::Use;

/// "reads and writes"
std::string joined(const std::vector<access::Verb>& verbs) {
  std::vector<std::string_view> words;
  for (const access::Verb verb : verbs) words.push_back(enum_name(verb));
  return fmt::format("{}", fmt::join(words, " and "));
}

/// Two operations that conflict in one buffer.
struct Hazard {
  std::size_t earlier = 0, later = 0, buffer = 0;
  const StreamMeeting* seen = nullptr;  ///< nullptr: two copies
  std::size_t launch = 0;               ///< that of `seen`
  std::uint64_t byte = 0;               ///< the first one, from the beginning of the buffer

  bool seen_in_later(const source::Header& header) const {
    return seen != nullptr && header.streams[later].launch >= 0;
  }
};

class Streams {
 public:
  explicit Streams(const ReviewInput& input) : input_(input), header_(input.source->header) {}

  void rules(std::vector<Finding>& out) const {
    std::set<std::tuple<std::string, int, std::size_t>> reported;  // once for each line and buffer
    for (std::size_t later = 0; later < header_.streams.size(); ++later)
      for (std::size_t buffer = 0; buffer < header_.buffers.size(); ++buffer)
        if (const auto h = hazard(later, buffer))
          if (reported.emplace(header_.streams[later].file, header_.streams[later].line, buffer).second)
            out.push_back(finding_of(*h));
  }

 private:
  const StreamMeeting* first_conflict(std::size_t operation, std::size_t& launch, auto fits) const {
    const StreamOperation& o = header_.streams[operation];
    const auto first = static_cast<std::size_t>(o.launch), end = first + static_cast<std::size_t>(o.launches);
    const StreamMeeting* best = nullptr;
    for (std::size_t l = first; l < std::min(end, input_.uses.size()); ++l)
      for (const StreamMeeting& m : input_.uses[l].meetings)
        if (fits(m) && (best == nullptr || m.operation < best->operation)) best = &m, launch = l;
    return best;
  }

  std::optional<Hazard> hazard(std::size_t later, std::size_t buffer) const {
    Hazard h{.later = later, .buffer = buffer};
    if (header_.streams[later].launch >= 0) {
      h.seen = first_conflict(later, h.launch,
                              [&](const StreamMeeting& m) { return m.buffer == buffer && m.operation < later; });
      if (h.seen == nullptr) return std::nullopt;
      h.earlier = h.seen->operation, h.byte = h.seen->byte;
      return h;
    }
    for (const std::uint32_t earlier : header_.streams[later].beside) {
      h.earlier = earlier;
      if (header_.streams[earlier].launch < 0) {
        if (const auto byte = shared_byte(header_.streams[earlier], header_.streams[later], buffer))
          return h.byte = *byte, h;
        continue;
      }
      h.seen = first_conflict(earlier, h.launch,
                              [&](const StreamMeeting& m) { return m.buffer == buffer && m.operation == later; });
      if (h.seen != nullptr) return h.byte = h.seen->byte, h;
    }
    return std::nullopt;
  }

  /// The first byte that two copies both use, one of them writing.
  std::optional<std::uint64_t> shared_byte(const StreamOperation& a, const StreamOperation& b,
                                           std::size_t buffer) const {
    std::optional<std::uint64_t> best;
    const std::string& name = header_.buffers[buffer].name;
    for (const Use& x : a.uses)
      for (const Use& y : b.uses) {
        const std::uint64_t first = std::max(x.offset_bytes, y.offset_bytes);
        const bool conflict = first < std::min(x.offset_bytes + x.bytes, y.offset_bytes + y.bytes);
        if (conflict && (x.writes || y.writes) && x.buffer == name && y.buffer == name)
          best = std::min(best.value_or(first), first);
      }
    return best;
  }

  /// "`scale` (launch 2, line 12, stream `s`)"
  std::string words(std::size_t operation) const {
    const StreamOperation& o = header_.streams[operation];
    if (o.by_host) return fmt::format("the host code (line {}{})", o.line, o.file.empty() ? "" : " of " + o.file);
    const auto launch = static_cast<std::size_t>(o.launch);
    const std::string name = o.launch < 0                       ? o.call
                             : launch < header_.launches.size() ? header_.launches[launch].kernel
                                                                : "";
    return fmt::format("`{}` ({}line {}{}, {})", name, o.launch < 0 ? "" : fmt::format("launch {}, ", o.launch + 1),
                       o.line, o.file.empty() ? "" : " of " + o.file,
                       o.stream.empty() ? "the default stream" : "stream `" + o.stream + "`");
  }

  /// ", its argument `from`": a launch's own name of a buffer that is called otherwise.
  std::string own_name(std::size_t operation, const std::string& buffer) const {
    const StreamOperation& o = header_.streams[operation];
    if (o.launch < 0 || static_cast<std::size_t>(o.launch) >= header_.launches.size()) return "";
    std::string_view own;
    for (const source::ArgumentSpec& a : header_.launches[static_cast<std::size_t>(o.launch)].arguments) {
      const auto* place = std::get_if<std::string>(&a.value);
      if (!a.is_buffer || place == nullptr || place->substr(0, place->find('+')) != buffer) continue;
      if (a.parameter == buffer) return "";
      if (own.empty()) own = a.parameter;
    }
    return own.empty() ? "" : fmt::format(", its argument `{}`,", own);
  }

  std::string element(const Hazard& h) const {
    const source::BufferSpec& b = header_.buffers[h.buffer];
    const auto bits = static_cast<std::uint64_t>(std::max(b.element_bits, 1));
    return fmt::format("element {} of `{}`", h.byte * 8 / bits, b.name);
  }

  int head_of(std::size_t launch) const {
    const source::Function* f =
        launch < header_.launches.size() ? kernel_of(*input_.source, header_.launches[launch].kernel) : nullptr;
    return f != nullptr ? f->first_line : 0;
  }

  /// A line of this file: that of the operation, else of the access, else of the kernel.
  int line_of(const Hazard& h) const {
    const StreamOperation& o = header_.streams[h.later];
    if (o.file.empty()) return o.line;
    if (h.seen == nullptr) return 0;
    return h.seen->line > 0 ? h.seen->line : head_of(h.launch);
  }

  Evidence::Side seen_side(const Hazard& h) const {
    const StreamMeeting& m = *h.seen;
    return {.does = fmt::format("{} {}", enum_name(access::verb_of(m.kind)), element(h)),
            .line = m.line > 0 ? m.line : head_of(h.launch),
            .block = m.where.block,
            .warp = static_cast<int>(m.where.warp),
            .lane = m.lane,
            .has_address = true,
            .address = m.addresses[static_cast<std::size_t>(m.lane)],
            .buffer = header_.buffers[h.buffer].name,
            .launch = static_cast<int>(h.launch)};
  }

  /// For the side without an observed access: its line in the kernel if there is only one candidate, else that of the
  /// kernel.
  Evidence::Side other_side(const Hazard& h, std::size_t operation, const std::vector<access::Verb>& verbs) const {
    const StreamOperation& o = header_.streams[operation];
    Evidence::Side side{.does = joined(verbs) + " " + element(h),
                        .line = o.file.empty() ? o.line : 0,
                        .buffer = header_.buffers[h.buffer].name};
    if (o.launch < 0) {
      side.does = fmt::format("{} {}", o.by_host ? "the host code" : "`" + o.call + "`", side.does);
      return side;
    }
    const auto first = static_cast<std::size_t>(o.launch), end = first + static_cast<std::size_t>(o.launches);
    std::set<std::pair<std::size_t, int>> lines;  // by launch
    for (std::size_t l = first; l < std::min(end, input_.uses.size()); ++l)
      for (const LaunchUses::Site& s : input_.uses[l].sites)
        if (s.buffer == h.buffer && s.first <= h.byte && h.byte < s.end &&
            std::ranges::find(verbs, access::verb_of(s.kind)) != verbs.end())
          lines.emplace(l, s.line);
    const bool one = lines.size() == 1 && lines.begin()->second > 0;
    side.launch = static_cast<int>(one ? lines.begin()->first : first);
    side.line = one ? lines.begin()->second : head_of(first);
    return side;
  }

  void show(const Hazard& h, Evidence& e) const {
    const StreamMeeting& m = *h.seen;
    e.launch = static_cast<int>(h.launch);
    e.step = static_cast<std::int64_t>(m.where.step);
    e.pc = static_cast<int>(m.where.pc);
    e.instruction = m.instruction;
    e.block = m.where.block;
    e.warp = static_cast<int>(m.where.warp);
    e.lanes = m.lanes;
    e.width_bytes = m.width_bytes;
    e.buffer = header_.buffers[h.buffer].name;
    e.addresses = m.addresses;
  }

  Finding finding_of(const Hazard& h) const {
    const BufferUse now = use_of(header_, h.later, h.buffer, input_.uses);
    const BufferUse before = use_of(header_, h.earlier, h.buffer, input_.uses);
    const std::vector<access::Verb> later = ordered_verbs(now, before), earlier = ordered_verbs(before, now);
    const std::string& name = header_.buffers[h.buffer].name;
    Finding f = finding("stream-order", line_of(h), 0,
                        fmt::format("{} {} {}{} which {} {}; nothing orders the two", words(h.later), joined(later),
                                    element(h), own_name(h.later, name).empty() ? "," : own_name(h.later, name),
                                    words(h.earlier), joined(earlier)));
    const bool by_host = header_.streams[h.later].by_host || header_.streams[h.earlier].by_host;
    if (by_host) f.remedy = "wait before: cudaDeviceSynchronize(), cudaStreamSynchronize() or cudaEventSynchronize()";
    if (h.seen != nullptr) show(h, f.evidence);
    f.evidence.numbers = {{"byte", static_cast<double>(h.byte)}};
    const bool in_later = h.seen_in_later(header_), in_earlier = h.seen != nullptr && !in_later;
    f.evidence.sides = {in_earlier ? seen_side(h) : other_side(h, h.earlier, earlier),
                        in_later ? seen_side(h) : other_side(h, h.later, later)};
    return f;
  }

  const ReviewInput& input_;
  const source::Header& header_;
};

}  // namespace

void stream_rules(const ReviewInput& input, std::vector<Finding>& out) { Streams(input).rules(out); }

}  // namespace lanescope::review
