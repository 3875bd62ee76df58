// Pointer offsets against the addresses that every block, warp and thread really reached.

#include <map>
#include <set>

#include <fmt/format.h>

#include "kernels/source/cxx/outline.h"
#include "profiling/review/findings/rule_set.h"
#include "profiling/review/memory/pointer_reach.h"

namespace lanescope::review {
namespace {

using source::OffsetStage;
using source::PointerOffset;
using source::StatedArray;

/// Extents of 1 are ignored, as are their strides.
bool same_array(const StatedArray& a, const StatedArray& b) {
  const auto plain = [](const StatedArray& s) {
    std::vector<std::pair<std::int64_t, std::int64_t>> out;
    for (std::size_t i = 0; i < s.shape.size(); ++i)
      if (s.shape[i] != 1) out.emplace_back(s.shape[i], s.strides[i]);
    return out;
  };
  return plain(a) == plain(b);
}

std::string who(OffsetStage stage, std::uint64_t group) {
  std::string out = fmt::format("block {}", group >> 10);
  if (stage == OffsetStage::none) return "the grid";
  if (stage >= OffsetStage::warp) out = fmt::format("warp {} of ", group >> 5 & 31) + out;
  if (stage == OffsetStage::thread) out = fmt::format("lane {} of ", group & 31) + out;
  return out;
}

class LaunchPointers {
 public:
  LaunchPointers(const ReviewInput& input, int index, std::vector<Finding>& out)
      : input_(input),
        index_(index),
        launch_(*input.launches[static_cast<std::size_t>(index)].launch),
        seen_(*input.launches[static_cast<std::size_t>(index)].seen),
        out_(out),
        lexed_(source::lexed(*input.source)),
        parts_(source::outline(lexed_)),
        comments_(source::pointer_comments(lexed_, parts_,
                                           source::known_values(lexed_, input.source->header, *launch_.spec))) {}

  void run() {
    const source::Function* kernel = kernel_of(*input_.source, launch_.spec->kernel);
    if (kernel == nullptr) return;
    std::set<int> used;
    checked_.resize(comments_.offsets.size());
    for (std::size_t i = 0; i < comments_.offsets.size(); ++i) {
      const PointerOffset& o = comments_.offsets[i];
      if (o.function != kernel->name) continue;
      if (o.comment < 0) {
        uncommented(o);
      } else {
        used.insert(o.comment);
        check(i);
      }
    }
    for (std::size_t c = 0; c < comments_.comments.size(); ++c) {
      const source::PointerComment& comment = comments_.comments[c];
      const bool here = comment.function.empty()
                            ? comment.line >= kernel->first_line && comment.line <= kernel->last_line
                            : comment.function == kernel->name;
      if (!used.contains(static_cast<int>(c)) && here)
        unchecked(comment,
                  comment.function.empty() ? "no statement after it offsets a pointer parameter" : comment.problem);
    }
  }

 private:
  struct Checked {
    bool anchored = false;  ///< starts are known
    OffsetStage stage = OffsetStage::none;
    std::map<std::uint64_t, std::int64_t> starts;  ///< by group, in elements from the buffer's start
  };

  void uncommented(const PointerOffset& o) {
    if (o.view || o.joined || (!o.by_block && !o.by_warp)) return;
    out_.push_back(finding(
        "pointer-offset-uncommented", o.line, o.column,
        fmt::format("`{}` is offset per {} here, but no comment states shape and strides before and after", o.from,
                    o.by_block && o.by_warp ? "block and per warp"
                    : o.by_block            ? "block"
                                            : "warp")));
  }

  void unchecked(const source::PointerComment& comment, const std::string& why) {
    out_.push_back(finding("pointer-offset-unchecked", comment.line, comment.column,
                           fmt::format("this shape is not checked: {}", why)));
  }

  Finding& differs(const StatedArray& stated, std::string message) {
    out_.push_back(finding("pointer-offset-differs", stated.line, stated.column, std::move(message)));
    out_.back().evidence.launch = index_;
    return out_.back();
  }

  /// The commented offset that this one continues; -1 when it starts from the kernel's argument; -2 when what lies
  /// between is not stated.
  int parent_of(std::size_t i) const {
    const PointerOffset& own = comments_.offsets[i];
    if (own.whole) return -1;
    std::string from = own.from;
    for (std::size_t k = i; k-- > 0;) {
      const PointerOffset& before = comments_.offsets[k];
      if (before.whole || before.function != own.function || before.pointer != from) continue;
      if (before.pointee != own.pointee) return -2;
      if (!before.view && !before.joined) return before.comment >= 0 ? static_cast<int>(k) : -2;
      from = before.from;
    }
    return from == own.root ? -1 : -2;
  }

  void check(std::size_t i) {
    const PointerOffset& o = comments_.offsets[i];
    const source::PointerComment& comment = comments_.comments[static_cast<std::size_t>(o.comment)];
    if (!comment.problem.empty()) return unchecked(comment, comment.problem);
    const int parent = parent_of(i);
    if (parent >= 0 && comment.before) {
      const auto& previous =
          comments_.comments[static_cast<std::size_t>(comments_.offsets[static_cast<std::size_t>(parent)].comment)];
      if (previous.after && !same_array(*previous.after, *comment.before)) {
        differs(
            *comment.before,
            fmt::format("`{0}` is stated as {1} before this offset, but as {3} after the previous offset (line {2})",
                        o.from, comment.before->text, previous.after->line, previous.after->text));
        return;
      }
    }
    const Reached reached = reached_through(*input_.source, comments_, o, launch_, seen_, lexed_);
    if (!reached.problem.empty()) return unchecked(comment, reached.problem);
    std::int64_t anchor = reached.argument_offset;
    Checked& mine = checked_[i];
    mine.stage = comment.stage;
    mine.anchored = parent == -1 || (parent >= 0 && checked_[static_cast<std::size_t>(parent)].anchored);
    if (parent == -1 && comment.before && exceeds_buffer(o, *comment.before, reached))
      return mine.anchored = false, void();
    Judge judge{.comment = comment,
                .offset = o,
                .reached = reached,
                .checked = mine,
                .parent = parent >= 0 ? &checked_[static_cast<std::size_t>(parent)] : nullptr,
                .anchor = anchor};
    if (!starts(judge)) return mine.anchored = false, void();
    if (!reached.sampled.empty())
      unchecked(comment, "it holds for the observed accesses, but only " + reached.sampled);
    else if (comment.before && comment.after && mine.anchored)
      coverage(judge);
  }

  struct Judge {
    const source::PointerComment& comment;
    const PointerOffset& offset;
    const Reached& reached;
    Checked& checked;
    const Checked* parent;
    std::int64_t anchor;
    std::int64_t start_of_parent(std::uint64_t group) const {
      if (parent == nullptr) return anchor;
      const auto at = parent->starts.find(group_of(group, parent->stage));
      return at == parent->starts.end() ? anchor : at->second;
    }
  };

  bool exceeds_buffer(const PointerOffset& o, const StatedArray& before, const Reached& reached) {
    const StatedBox box(before);
    const std::int64_t needed = reached.argument_offset + box.span() + 1;
    if (!box.usable() || needed <= reached.buffer_elements) return false;
    const auto& buffers = input_.source->header.buffers;
    const auto spec = std::ranges::find(buffers, reached.buffer, &source::BufferSpec::name);
    if (spec != buffers.end() && spec->size_assumed)
      return unchecked(
                 comments_.comments[static_cast<std::size_t>(o.comment)],
                 fmt::format("nothing says how large `{}` is; it is taken to have {} elements, fewer than {} needs",
                             reached.buffer, reached.buffer_elements, before.text)),
             true;
    Finding& f =
        differs(before, fmt::format("`{}` has {} elements from here on, but {} needs {}", o.root,
                                    reached.buffer_elements - reached.argument_offset, before.text, box.span() + 1));
    f.evidence.buffer = reached.buffer;
    return true;
  }

  void show(Finding& f, const Judge& j, std::uint64_t group, std::int64_t element) {
    const Reach* r = j.reached.find(seen_, group_of(group, j.checked.stage), j.checked.stage, element);
    f.evidence.buffer = j.reached.buffer;
    if (r == nullptr) return;
    f.evidence.pc = static_cast<int>(r->pc);
    f.evidence.instruction = launch_.code[r->pc].text;
    f.evidence.block = r->block;
    f.evidence.warp = r->warp;
    f.evidence.lanes = r->mask;
    f.evidence.width_bytes = r->width_bytes;
    for (std::size_t l = 0; l < 32; ++l)
      if ((r->mask >> l & 1) != 0)
        f.evidence.addresses[l] = static_cast<std::uint64_t>(byte_of(seen_, *r, static_cast<int>(l)));
  }

  /// Finds where each group's array starts; false after the first group that fits nowhere.
  bool starts(Judge& j) {
    const StatedArray whole{.shape = {std::int64_t{1} << 46}, .strides = {1}};
    const StatedBox after(j.comment.after ? *j.comment.after : whole),
        before(j.comment.before ? *j.comment.before : whole);
    if (!after.usable() || !before.usable()) return unchecked(j.comment, "a stride is negative"), false;
    const std::vector<std::int64_t> shifts = j.comment.after ? after.offsets(4096) : std::vector<std::int64_t>{0};
    std::int64_t hint = 0;
    bool good = true;
    j.reached.for_each_group(seen_, j.checked.stage, [&](std::uint64_t group, std::span<const std::int64_t> elements) {
      const std::int64_t from = j.start_of_parent(group);
      const auto in_before = [&](std::int64_t e) {
        return !j.checked.anchored || !j.comment.before || before.contains(e - from);
      };
      const auto start = find_start(elements, after, hint, shifts, in_before);
      if (!start) return good = !misfit(j, group, elements, after, before, from);
      for (const std::int64_t e : elements)
        if (!in_before(e)) return good = !outside(j, group, e, from);
      j.checked.starts.emplace(group, *start);
      return true;
    });
    return good;
  }

  bool outside(const Judge& j, std::uint64_t group, std::int64_t element, std::int64_t from) {
    Finding& f = differs(
        *j.comment.before,
        fmt::format("{} accesses element {} of the array that `{}` points to before the offset, which is outside of {}",
                    who(j.checked.stage, group), element - from, j.offset.from, j.comment.before->text));
    f.evidence.numbers = {{"element", static_cast<double>(element - from)}};
    show(f, j, group, element);
    return true;
  }

  /// No start fits: whether `after` is too small, or all starts lie outside `before`.
  bool misfit(const Judge& j, std::uint64_t group, std::span<const std::int64_t> elements, const StatedBox& after,
              const StatedBox& before, std::int64_t from) {
    const std::int64_t low = elements.front();
    for (const std::int64_t e : elements) {
      if (after.contains(e - low) || !j.comment.after) continue;
      Finding& f = differs(
          *j.comment.after,
          fmt::format("{} accesses {} of `{}`, and one is {} after the first, which is outside of {}",
                      who(j.checked.stage, group), counted(elements.size(), "element", "elements"), j.offset.pointer,
                      counted(static_cast<std::uint64_t>(e - low), "element", "elements"), j.comment.after->text));
      f.evidence.numbers = {{"elements", static_cast<double>(elements.size())},
                            {"distance", static_cast<double>(e - low)},
                            {"first element", static_cast<double>(low - j.anchor)}};
      show(f, j, group, e);
      return true;
    }
    const auto wrong = std::ranges::find_if(elements, [&](std::int64_t e) { return !before.contains(e - from); });
    return outside(j, group, wrong == elements.end() ? low : *wrong, from);
  }

  /// Elements accessed twice or never, and stated arrays that overlap although their accesses do not.
  void coverage(const Judge& j) {
    if (j.checked.stage == OffsetStage::thread || j.checked.stage == OffsetStage::none) return;
    const Coverage c = cover(j);
    if (c.skipped) return;
    const std::string_view groups = j.checked.stage == OffsetStage::block ? "blocks" : "warps";
    const std::string_view in =
        j.parent != nullptr && j.checked.stage == OffsetStage::warp ? "of a block's array" : "of the array";
    if (c.stated > c.before && c.twice == 0) {
      Finding& f =
          differs(*j.comment.after, fmt::format("the stated arrays of {} {} have {} elements, more than the {} of {} "
                                                "before the offset, although no element is accessed twice",
                                                c.groups, groups, c.stated, c.before, j.comment.before->text));
      f.evidence.numbers = {{"stated elements", static_cast<double>(c.stated)},
                            {"elements before", static_cast<double>(c.before)}};
      f.evidence.buffer = j.reached.buffer;
      return;
    }
    // Halos overlap, tails are left out. Both at once is a wrong offset where elements are written, and where the
    // stated arrays would fill the whole exactly.
    const bool written = std::ranges::any_of(j.reached.accesses, &Reach::writes);
    const bool fills = static_cast<std::int64_t>(c.groups) * c.after == c.before;
    const bool wrong = c.twice > 0 && c.never > 0 && (written || fills);
    const auto note = [&](std::string_view rule, std::uint64_t n, std::string message) {
      Finding f = finding(rule, j.comment.after->line, j.comment.after->column, std::move(message));
      if (wrong) f.severity = Severity::error;
      f.evidence.launch = index_;
      f.evidence.buffer = j.reached.buffer;
      f.evidence.numbers = {{"elements", static_cast<double>(n)}, {"elements before", static_cast<double>(c.before)}};
      out_.push_back(std::move(f));
    };
    if (c.twice > 0)
      note("pointer-offset-overlap", c.twice,
           fmt::format("{} of {} elements {} that `{}` points to are accessed by several {}", c.twice, c.before, in,
                       j.offset.pointer, groups));
    if (c.never > 0)
      note("pointer-offset-gap", c.never,
           fmt::format("{} of {} elements {} that `{}` points to are accessed by none of {} {}", c.never, c.before, in,
                       j.offset.pointer, c.groups, groups));
  }

  struct Coverage {
    bool skipped = false;
    std::uint64_t twice = 0, never = 0, groups = 0;
    std::int64_t stated = 0, before = 0, after = 0;
  };

  /// Of the whole array, or of the first parent group's when the offset continues another.
  Coverage cover(const Judge& j) {
    Coverage c;
    const StatedBox before(*j.comment.before), after(*j.comment.after);
    constexpr std::int64_t most = std::int64_t{1} << 26;  // bytes of `times`
    if (before.span() >= most) return c.skipped = true, c;
    std::vector<std::uint8_t> times(static_cast<std::size_t>(before.span()) + 1, 0);  // 2: twice or more often
    std::set<std::int64_t> starts;
    std::optional<std::uint64_t> only;
    j.reached.for_each_group(seen_, j.checked.stage, [&](std::uint64_t group, std::span<const std::int64_t> elements) {
      if (j.parent != nullptr) {
        const std::uint64_t parent = group_of(group, j.parent->stage);
        if (!only) only = parent;
        if (*only != parent) return true;
      }
      const std::int64_t from = j.start_of_parent(group);
      for (const std::int64_t e : elements) {
        std::uint8_t& n = times[static_cast<std::size_t>(std::clamp<std::int64_t>(e - from, 0, before.span()))];
        n += n < 2 ? 1 : 0;
      }
      ++c.groups;
      starts.insert(j.checked.starts.at(group));
      return true;
    });
    before.for_each_offset([&](std::int64_t e) {
      std::uint8_t& n = times[static_cast<std::size_t>(e)];
      c.twice += n == 2 ? 1 : 0;
      c.never += n == 0 ? 1 : 0;
      n = 1;  // strides that overlap name it again
    });
    c.before = before.elements();
    c.after = after.elements();
    c.stated = static_cast<std::int64_t>(starts.size()) * after.elements();
    return c;
  }

  const ReviewInput& input_;
  int index_;
  const LaunchReview& launch_;
  const AccessCollector& seen_;
  std::vector<Finding>& out_;
  source::Lexed lexed_;
  source::Outline parts_;
  source::PointerComments comments_;
  std::vector<Checked> checked_;
};

}  // namespace

void pointer_rules(const ReviewInput& input, std::vector<Finding>& out) {
  for (int i = 0; i < static_cast<int>(input.launches.size()); ++i) {
    const auto& ran = input.launches[static_cast<std::size_t>(i)];
    if (ran.seen != nullptr && ran.launch->spec != nullptr) LaunchPointers(input, i, out).run();
  }
}

}  // namespace lanescope::review
