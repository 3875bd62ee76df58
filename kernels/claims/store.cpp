#include "kernels/claims/store.h"

#include <algorithm>
#include <bit>

#include "kernels/base/set_bits.h"

namespace lanescope::claims {

TagStore::Handle TagStore::add(std::span<const trace::WordTag> lanes) {
  const auto at = static_cast<std::uint32_t>(data_.size());
  std::array<trace::WordTag, 6> form{lanes[0]};
  for (std::size_t b = 0; b < 5; ++b) form[b + 1] = lanes[0] ^ lanes[std::size_t{1} << b];
  bool affine = true;
  std::array<trace::WordTag, trace::lanes_per_warp> predicted{form[0]};
  for (std::size_t lane = 1; lane < predicted.size(); ++lane) {
    predicted[lane] = predicted[lane & (lane - 1)] ^ form[static_cast<std::size_t>(std::countr_zero(lane)) + 1];
    affine = affine && predicted[lane] == lanes[lane];
  }
  if (affine)
    data_.insert(data_.end(), form.begin(), form.end());
  else
    data_.insert(data_.end(), lanes.begin(), lanes.end());
  return {at, affine};
}

LaneTags TagStore::get(Handle h) const {
  LaneTags out{};
  if (!h.affine) {
    std::copy_n(data_.begin() + h.at, out.size(), out.begin());
    return out;
  }
  const trace::WordTag* form = data_.data() + h.at;
  out[0] = form[0];
  for (std::size_t lane = 1; lane < out.size(); ++lane)
    out[lane] = out[lane & (lane - 1)] ^ form[static_cast<std::size_t>(std::countr_zero(lane)) + 1];
  return out;
}

int ProbeWords::slot(int variable, int byte_offset) const {
  for (std::size_t i = 0; i < words.size(); ++i)
    if (words[i].variable == variable && words[i].byte_offset == byte_offset) return static_cast<int>(i);
  return -1;
}

int value_bytes_of(std::span<const int> value_bytes, int variable) {
  const auto at = static_cast<std::size_t>(variable);
  return variable >= 0 && at < value_bytes.size() && value_bytes[at] > 0 ? value_bytes[at] : 4;
}

std::vector<ProbeWords::Word> words_of(std::span<const int> variables, std::span<const int> value_bytes) {
  std::vector<ProbeWords::Word> words;
  for (const int v : variables)
    for (int offset = 0; offset < value_bytes_of(value_bytes, v); offset += 4) words.push_back({v, offset});
  return words;
}

std::vector<Iterations::Part> Iterations::count(std::size_t counter, std::uint32_t active) {
  if (counter >= counters_.size()) counters_.resize(std::max(counter + 1, counters_.size() * 2));
  Counter& c = counters_[counter];
  if (c.detail < 0 && (c.seen == 0 || c.seen == active)) {  // nearly always: the same lanes as every time before
    c.seen = active;
    return {{c.times++, active}};
  }
  if (c.detail < 0) {
    c.detail = static_cast<std::int32_t>(details_.size());
    auto& times = details_.emplace_back();
    for (const std::size_t lane : set_bits(c.seen)) times[lane] = c.times;
  }
  auto& times = details_[static_cast<std::size_t>(c.detail)];
  std::vector<Part> parts;
  for (const std::size_t lane : set_bits(active)) {
    const std::uint32_t now = times[lane]++;
    const auto part = std::ranges::find(parts, now, &Part::iteration);
    if (part == parts.end())
      parts.push_back({now, 1u << lane});
    else
      part->mask |= 1u << lane;
  }
  return parts;
}

}  // namespace lanescope::claims
