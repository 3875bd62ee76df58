#include "profiling/review/memory/pointer_reach.h"

#include <fmt/format.h>

#include <map>
#include <set>

#include "kernels/source/cxx/number_types.h"
#include "kernels/source/cxx/outline.h"
#include "profiling/review/findings/rule_set.h"

namespace lanescope::review {
namespace {

/// Names of pointer variables that stem from `root` in a function.
std::set<std::string> family(const source::PointerComments& comments, const std::string& function,
                             const std::string& root) {
  std::set<std::string> out{root};
  for (bool grows = true; grows;) {
    grows = false;
    for (const auto& [key, from] : comments.made_from)
      if (key.first == function && out.contains(from)) grows = out.insert(key.second).second || grows;
  }
  return out;
}

/// By line: whether an access there is through one of `wanted`, as opposed to others of `all`.
std::map<int, bool> lines_through(const source::Lexed& lexed, const std::set<std::string>& all,
                                  const std::set<std::string>& wanted) {
  std::map<int, bool> out;
  for (int i = 0; i < lexed.count(); ++i) {
    const std::string name(lexed.of(i));
    if (!all.contains(name) || (i > 0 && lexed.is(i - 1, "."))) continue;
    out[lexed.token(i).line] |= wanted.contains(name);
  }
  return out;
}

/// The parameter's place in the kernel's signature; -1 when it is none.
int parameter_index(const source::Source& source, const source::PointerOffset& offset) {
  for (const source::Function& f : source.functions) {
    if (f.name != offset.function || !f.is_kernel) continue;
    const auto at = std::ranges::find(f.parameters, offset.root, &source::Parameter::name);
    return at == f.parameters.end() ? -1 : static_cast<int>(at - f.parameters.begin());
  }
  return -1;
}

}  // namespace

Reached reached_through(const source::Source& source, const source::PointerComments& comments,
                        const source::PointerOffset& offset, const LaunchReview& launch, const AccessCollector& seen,
                        const source::Lexed& lexed) {
  Reached out;
  const int parameter = parameter_index(source, offset);
  const auto& arguments = launch.launch.arguments;
  const auto* argument = parameter >= 0 && static_cast<std::size_t>(parameter) < arguments.size()
                             ? std::get_if<trace::BufferArgument>(&arguments[static_cast<std::size_t>(parameter)])
                             : nullptr;
  if (argument == nullptr) return out.problem = fmt::format("`{}` has no buffer as argument", offset.root), out;
  const LaunchReview::Buffer& buffer = launch.buffers[static_cast<std::size_t>(argument->buffer)];
  out.buffer = buffer.name;
  const auto element = source::number_type(offset.pointee);
  out.element_bytes = element ? element->bytes : 0;
  if (out.element_bytes == 0) out.element_bytes = buffer.element_bits / 8;
  if (out.element_bytes == 0) return out.problem = fmt::format("the size of `{}` is not known", offset.pointee), out;
  if (argument->offset_bytes % out.element_bytes != 0)
    return out.problem = "the argument is not aligned to an element", out;
  out.argument_offset = argument->offset_bytes / out.element_bytes;
  out.buffer_elements = static_cast<std::int64_t>(buffer.bytes) / out.element_bytes;
  if (!seen.all_blocks_watched()) {
    const std::string more = fmt::format("more addresses take over {} MiB", seen.budget().addresses >> 20);
    out.sampled = fmt::format("the first {} of {} blocks were watched: {}", seen.watched_blocks(),
                              launch.launch.grid.count(), more);
    if (seen.watched_blocks() == 0) return out.problem = "no whole block was watched: " + more, out;
  }
  const auto kept = seen.reaches().find(argument->buffer);
  if (kept == seen.reaches().end()) return out.problem = fmt::format("no access uses `{}`", offset.pointer), out;
  const std::map<int, bool> lines = lines_through(lexed, family(comments, offset.function, offset.root),
                                                  family(comments, offset.function, offset.pointer));
  for (const Reach& r : kept->second) {
    const auto line = lines.find(r.pc < launch.code.size() ? launch.code[r.pc].line : 0);
    if (line == lines.end() || line->second) out.accesses.push_back(&r);
  }
  if (out.accesses.empty()) return out.problem = fmt::format("no access uses `{}`", offset.pointer), out;
  std::ranges::stable_sort(out.accesses, [](const Reach* a, const Reach* b) {
    return std::pair(a->block, a->warp) < std::pair(b->block, b->warp);
  });
  return out;
}

const Reach* Reached::find(const AccessCollector& seen, std::uint64_t group, source::OffsetStage stage,
                           std::int64_t element) const {
  for (const Reach* r : accesses)
    for (const std::size_t lane : set_bits(r->mask)) {
      const std::uint64_t g = group_of(
          std::uint64_t{r->block} * 1024 + std::uint64_t{r->warp} * 32 + static_cast<std::uint64_t>(lane), stage);
      const std::int64_t first = byte_of(seen, *r, lane) / element_bytes;
      const std::int64_t last = (byte_of(seen, *r, lane) + r->width_bytes - 1) / element_bytes;
      if (g == group && element >= first && element <= last) return r;
    }
  return nullptr;
}

std::vector<int> watched_buffers(const source::Source& source, const LaunchReview& launch) {
  std::set<int> out;
  if (launch.spec == nullptr) return {};
  const source::Lexed lexed = source::lexed(source);
  const source::PointerComments comments =
      source::pointer_comments(lexed, source::outline(lexed), source::known_values(lexed, source.header, *launch.spec));
  const source::Function* kernel = kernel_of(source, launch.spec->kernel);
  for (const source::PointerOffset& o : comments.offsets) {
    if (o.comment < 0 || kernel == nullptr || o.function != kernel->name) continue;
    const int parameter = parameter_index(source, o);
    if (parameter < 0 || static_cast<std::size_t>(parameter) >= launch.launch.arguments.size()) continue;
    if (const auto* b =
            std::get_if<trace::BufferArgument>(&launch.launch.arguments[static_cast<std::size_t>(parameter)]))
      out.insert(b->buffer);
  }
  return {out.begin(), out.end()};
}

StatedBox::StatedBox(const source::StatedArray& stated) {
  for (std::size_t i = 0; i < stated.shape.size(); ++i) {
    if (stated.strides[i] < 0) usable_ = false;
    elements_ *= stated.shape[i];
    if (stated.shape[i] > 1 && stated.strides[i] > 0)
      dimensions_.push_back({.extent = stated.shape[i], .stride = stated.strides[i], .below = 0});
  }
  std::ranges::stable_sort(dimensions_, std::greater{}, &Dimension::stride);
  for (std::size_t i = dimensions_.size(); i-- > 0;) {
    dimensions_[i].below = span_;
    nested_ = nested_ && dimensions_[i].stride > span_;
    dense_ = dense_ && dimensions_[i].stride == span_ + 1;
    if (__builtin_add_overflow(span_, (dimensions_[i].extent - 1) * dimensions_[i].stride, &span_)) usable_ = false;
  }
}

bool StatedBox::inside_nested(std::int64_t offset) const {
  if (offset < 0) return false;
  for (const Dimension& dim : dimensions_) {
    const std::int64_t index = offset / dim.stride;
    if (index >= dim.extent) return false;
    offset -= index * dim.stride;
  }
  return offset == 0;
}

bool StatedBox::inside(std::int64_t offset, std::size_t d) const {
  if (offset < 0) return false;
  if (d == dimensions_.size()) return offset == 0;
  const Dimension& dim = dimensions_[d];
  // Where strides nest, one index is possible; where they overlap, few.
  std::int64_t index = offset > dim.below ? (offset - dim.below + dim.stride - 1) / dim.stride : 0;
  const std::int64_t last = std::min(dim.extent - 1, offset / dim.stride);
  for (; index <= last; ++index)
    if (inside(offset - index * dim.stride, d + 1)) return true;
  return false;
}

std::vector<std::int64_t> StatedBox::offsets(std::size_t most) const {
  std::vector<std::int64_t> out{0};
  for (auto dim = dimensions_.rbegin(); dim != dimensions_.rend(); ++dim) {
    const std::size_t inner = out.size();
    for (std::int64_t i = 1; i < dim->extent && out.size() < most; ++i)
      for (std::size_t k = 0; k < inner && out.size() < most; ++k) out.push_back(out[k] + i * dim->stride);
  }
  std::ranges::sort(out);
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

}  // namespace lanescope::review
