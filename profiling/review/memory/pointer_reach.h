#pragma once
// Which elements a pointer's accesses reached, block by block, warp by warp, thread by thread.
//
// An access belongs to a pointer if it is to the buffer that the kernel's parameter was given and its source line
// names the pointer, or one made from it, or no pointer of that parameter at all (a macro, a helper function).

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "kernels/base/set_bits.h"
#include "kernels/source/notation/pointer_comments.h"
#include "profiling/review/observe/collector.h"

namespace lanescope::review {

// The elements that "shape (32,32), strides (128*1024, 1)" means, as offsets from the pointer, and the search for the
// pointer's value when only the elements that were reached are known.

class StatedBox {
 public:
  explicit StatedBox(const source::StatedArray& stated);
  bool usable() const { return usable_; }  ///< false: a stride is negative
  bool contains(std::int64_t offset) const {
    return dense_ ? offset >= 0 && offset <= span_ : nested_ ? inside_nested(offset) : inside(offset, 0);
  }
  std::int64_t elements() const { return elements_; }
  std::int64_t span() const { return span_; }  ///< largest offset
  /// Offsets in ascending order, at most `most` of them.
  std::vector<std::int64_t> offsets(std::size_t most) const;
  /// Calls `body(offset)` for every element; one that overlapping strides name several times is visited several times.
  void for_each_offset(auto body) const { visit(0, 0, body); }

 private:
  struct Dimension {
    std::int64_t extent = 1, stride = 1, below = 0;  ///< below: largest offset of the faster dimensions
  };
  bool inside(std::int64_t offset, std::size_t d) const;
  bool inside_nested(std::int64_t offset) const;
  void visit(std::int64_t from, std::size_t d, auto& body) const {
    if (d == dimensions_.size()) return void(body(from));
    for (std::int64_t i = 0; i < dimensions_[d].extent; ++i) visit(from + i * dimensions_[d].stride, d + 1, body);
  }
  std::vector<Dimension> dimensions_;  ///< largest stride first; extents of 1 and strides of 0 left out
  std::int64_t elements_ = 1, span_ = 0;
  bool usable_ = true;
  bool nested_ = true;  ///< each stride is beyond the faster dimensions: an offset has one index
  bool dense_ = true;   ///< every offset up to span_ is an element
};

/// A start such that all of `elements` (ascending, not empty) lie in the box that begins there, and that `allowed`
/// takes. `hint`: distance of the lowest element from the start that worked before; updated on success.
std::optional<std::int64_t> find_start(std::span<const std::int64_t> elements, const StatedBox& box, std::int64_t& hint,
                                       const std::vector<std::int64_t>& shifts, auto allowed) {
  const auto fits = [&](std::int64_t start) {
    if (!allowed(start) || elements.back() - start > box.span()) return false;
    for (const std::int64_t e : elements)
      if (!box.contains(e - start)) return false;
    return true;
  };
  if (fits(elements.front() - hint)) return elements.front() - hint;
  for (const std::int64_t shift : shifts) {
    if (!fits(elements.front() - shift)) continue;
    hint = shift;
    return elements.front() - shift;
  }
  return std::nullopt;
}

/// Groups are numbered block * 1024 + warp * 32 + lane, parts that a stage does not distinguish being 0.
inline std::uint64_t group_of(std::uint64_t group, source::OffsetStage stage) {
  switch (stage) {
    case source::OffsetStage::none:
      return 0;
    case source::OffsetStage::block:
      return group & ~std::uint64_t{1023};
    case source::OffsetStage::warp:
      return group & ~std::uint64_t{31};
    default:
      return group;
  }
}

/// The byte in its buffer at which lane `lane` of an access starts.
inline std::int64_t byte_of(const AccessCollector& seen, const Reach& r, int lane) {
  return r.irregular >= 0 ? seen.irregular()[static_cast<std::size_t>(r.irregular)][static_cast<std::size_t>(lane)]
                          : r.base + lane * r.stride;
}

struct Reached {
  std::string problem;  ///< non-empty: why nothing is known
  std::string sampled;  ///< non-empty: which blocks `accesses` are of
  std::string buffer;
  std::int64_t element_bytes = 4, buffer_elements = 0;
  std::int64_t argument_offset = 0;    ///< of the kernel's argument in the buffer, elements
  std::vector<const Reach*> accesses;  ///< ascending by block, then warp

  /// Calls `body(group, elements)` for every group that reached something, elements ascending and each once, until it
  /// returns false.
  void for_each_group(const AccessCollector& seen, source::OffsetStage stage, auto body) const;
  /// The access by which the group reached the element.
  const Reach* find(const AccessCollector& seen, std::uint64_t group, source::OffsetStage stage,
                    std::int64_t element) const;
};

Reached reached_through(const source::Source& source, const source::PointerComments& comments,
                        const source::PointerOffset& offset, const LaunchReview& launch, const AccessCollector& seen,
                        const source::Lexed& lexed);

/// Buffers that a launch's review has to watch: those of pointer parameters with commented offsets.
std::vector<int> watched_buffers(const source::Source& source, const LaunchReview& launch);

template <class Body>
void Reached::for_each_group(const AccessCollector& seen, source::OffsetStage stage, Body body) const {
  const bool lanes_apart = stage == source::OffsetStage::thread;
  std::vector<std::int64_t> sets[32];
  const auto flush = [&](std::uint64_t group) {
    for (std::uint64_t l = 0; l < (lanes_apart ? 32 : 1); ++l) {
      auto& set = sets[l];
      if (set.empty()) continue;
      if (!std::ranges::is_sorted(set)) std::ranges::sort(set);
      set.erase(std::unique(set.begin(), set.end()), set.end());
      if (!body(group + l, std::span<const std::int64_t>(set))) return false;
      set.clear();
    }
    return true;
  };
  const auto warps = lanes_apart ? source::OffsetStage::warp : stage;
  std::uint64_t current = 0;
  bool any = false;
  for (const Reach* r : accesses) {
    const std::uint64_t group = group_of(std::uint64_t{r->block} * 1024 + std::uint64_t{r->warp} * 32, warps);
    if (any && group != current && !flush(current)) return;
    current = group;
    any = true;
    for (const std::size_t lane : set_bits(r->mask)) {
      const std::int64_t first = byte_of(seen, *r, lane) / element_bytes;
      const std::int64_t last = (byte_of(seen, *r, lane) + r->width_bytes - 1) / element_bytes;
      for (std::int64_t e = first; e <= last; ++e) sets[lanes_apart ? lane : 0].push_back(e);
    }
  }
  if (any) flush(current);
}

}  // namespace lanescope::review
