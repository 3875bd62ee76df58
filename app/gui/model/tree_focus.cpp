#include "app/gui/model/focus.h"

#include <algorithm>

namespace lanescope::gui {

using Of = engine::TreeRequest::Of;

void TreeFocus::set(const engine::TreeRequest& request, std::string family) {
  request_ = request, family_ = std::move(family), root_ = -1;
  ++version_;
}

engine::TreeRequest TreeFocus::request(const Results& results) const {
  engine::TreeRequest request = request_;
  if (results.version != of_version_) request.step = -2;
  if (request.of == Of::register_) {
    const auto& families = results.summary.families;
    const auto found = std::ranges::find(families, family_, &results::RegisterArray::name);
    if (found == families.end()) return {};
    request.family = static_cast<int>(found - families.begin());
  }
  if (request.of == Of::element && request.buffer >= static_cast<int>(results.summary.buffers.size())) return {};
  return request;
}

void TreeFocus::show_register(const Results& results, const views::Selection& at, bool all_lanes) {
  if (!at.place) return;
  const auto family = static_cast<std::size_t>(at.place->family);
  if (family >= results.summary.families.size()) return;
  of_version_ = results.version;
  set({.of = Of::register_,
       .family = at.place->family,
       .warp = at.place->warp,
       .reg = at.place->reg,
       .part = at.place->part,
       .lane = at.place->lane,
       .step = at.step,
       .all_lanes = all_lanes},
      results.summary.families[family].name);
}

void TreeFocus::show_memory(const Results& results, const views::Selection& at) {
  if (!at.address) return;
  of_version_ = results.version;
  if (at.address->first < 0) return set({.of = Of::word, .element = at.address->second / 4, .step = at.step}, {});
  const auto buffer = static_cast<std::size_t>(at.address->first);
  if (buffer >= results.summary.buffers.size()) return;
  const auto bits = static_cast<std::uint64_t>(std::max(results.summary.buffers[buffer].element_bits, 1));
  set({.of = Of::element, .buffer = at.address->first, .element = at.address->second * 8 / bits, .step = at.step}, {});
}

}  // namespace lanescope::gui
