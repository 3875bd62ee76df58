#include "kernels/claims/check.h"

#include <algorithm>

namespace lanescope::claims {

using trace::BitKind;
using trace::BitTag;
using trace::TagPool;

namespace {
constexpr std::size_t most_found = std::size_t{1} << 22;  ///< sets times buffers, 24 bytes each
}

Commons::Commons(const TagPool& pool, std::function<const LogicalBits*(int)> logical)
    : pool_(&pool), logical_(std::move(logical)), buffers_(pool.space.buffers.size()) {}

void Commons::add_element(OfBuffer* out, int buffer, std::uint64_t element) const {
  if (static_cast<std::size_t>(buffer) >= buffers_) return;
  OfBuffer& o = out[buffer];
  o.some = true;
  const LogicalBits* logical = logical_(buffer);
  const auto packed = logical == nullptr ? std::nullopt : logical->pack(element);
  if (!packed) {
    o.hole = true;
    return;
  }
  o.in_all &= *packed;
  o.in_any |= *packed;
}

void Commons::add_packed(OfBuffer* out, std::uint64_t packed) const {
  add_element(out, static_cast<int>(packed >> 40), packed & ((std::uint64_t{1} << 40) - 1));
}

const Commons::OfBuffer* Commons::of_set(std::uint32_t set) {
  if (set == TagPool::too_many) return nullptr;
  if (found_.size() > most_found / 2) {  // the sets of one block are seldom those of the next
    found_.clear();
    index_.clear();
  }
  std::vector<std::uint32_t> todo{set};
  while (!todo.empty()) {
    const std::uint32_t now = todo.back();
    if (index_.contains(now)) {
      todo.pop_back();
      continue;
    }
    if (now == TagPool::too_many || found_.size() + buffers_ > most_found) return nullptr;
    const auto halves = pool_->halves(now);
    if (halves) {
      const auto left = index_.find(halves->first), right = index_.find(halves->second);
      if (left == index_.end()) todo.push_back(halves->first);
      if (right == index_.end()) todo.push_back(halves->second);
      if (left == index_.end() || right == index_.end()) continue;
      const std::size_t l = left->second, r = right->second, at = found_.size() / std::max<std::size_t>(buffers_, 1);
      found_.resize(found_.size() + buffers_);
      for (std::size_t b = 0; b < buffers_; ++b) {
        const OfBuffer &x = entry(l)[b], &y = entry(r)[b];
        entry(at)[b] = {x.in_all & y.in_all, x.in_any | y.in_any, x.some || y.some, x.hole || y.hole};
      }
      index_.emplace(now, at);
    } else {
      const std::size_t at = found_.size() / std::max<std::size_t>(buffers_, 1);
      found_.resize(found_.size() + buffers_);
      for (const std::uint64_t packed : pool_->set(now)) add_packed(entry(at), packed);
      index_.emplace(now, at);
    }
    todo.pop_back();
  }
  return entry(index_.at(set));
}

Commons::Bits Commons::at(std::span<const trace::WordTag> words, int first_bit, int bits) {
  Bits out(buffers_);
  trace::WordTag known = trace::no_data;
  trace::WordBits all{};
  BitTag previous;
  for (int i = 0; i < bits; ++i) {
    const trace::WordTag word = words[static_cast<std::size_t>((first_bit + i) / 32)];
    if (word == trace::no_data) continue;
    if (word != known) all = pool_->bits(known = word);
    const BitTag b = all[static_cast<std::size_t>((first_bit + i) % 32)];
    if (b.kind() == BitKind::none || b == previous) continue;
    previous = b;
    const auto add = [&](std::uint64_t source_bit) {
      const auto [buffer, element] = pool_->space.element_of(source_bit);
      add_element(out.data(), buffer, element);
    };
    if (b.kind() == BitKind::source) {
      add(b.payload());
    } else if (b.kind() == BitKind::parity) {
      for (const std::uint64_t source_bit : pool_->set(static_cast<std::uint32_t>(b.payload()))) add(source_bit);
    } else {
      const OfBuffer* found = of_set(static_cast<std::uint32_t>(b.payload()));
      if (found == nullptr) return {};
      for (std::size_t n = 0; n < buffers_; ++n)
        out[n] = {out[n].in_all & found[n].in_all, out[n].in_any | found[n].in_any, out[n].some || found[n].some,
                  out[n].hole || found[n].hole};
    }
  }
  return out;
}

Sums::Sums(const layout::Assignment& stated, std::span<const LogicalBits* const> buffers)
    : names_(layout::logical_bits(stated)) {
  for (const std::string& name : names_) {
    auto& bits = bits_.emplace_back();
    for (std::size_t b = 0; b < buffers.size(); ++b) {
      const int bit = buffers[b] == nullptr ? -1 : buffers[b]->bit_of(name);
      if (bit >= 0) bits.push_back({b, bit < buffers[b]->total() ? bit : -1});
    }
    all_known_ = all_known_ && !bits.empty();
  }
  int packed = 0;
  for (const auto& row : stated.rows) {
    if (!row) continue;
    for (const layout::Term& t : *row) {
      const std::uint64_t place = std::uint64_t{1} << packed++;
      if (t.role != layout::Term::Role::sum) continue;
      Row& r = rows_.emplace_back(Row{.place = place, .names = {}, .constant = t.constant});
      for (const std::string& name : t.names)
        r.names.push_back(static_cast<std::size_t>(std::ranges::find(names_, name) - names_.begin()));
    }
  }
}

std::optional<bool> Sums::value(std::size_t n, const Commons::Bits& bits) const {
  std::optional<bool> out;
  for (const Bit& b : bits_[n]) {
    if (b.buffer >= bits.size() || !bits[b.buffer].some) continue;
    const Commons::OfBuffer& o = bits[b.buffer];
    if (o.hole) return std::nullopt;
    const bool all = b.bit >= 0 && (o.in_all >> b.bit & 1) != 0, any = b.bit >= 0 && (o.in_any >> b.bit & 1) != 0;
    if (all != any || (out && *out != all)) return std::nullopt;
    out = all;
  }
  return out;
}

Sums::At Sums::check(std::uint64_t place, const Commons::Bits& bits) const {
  std::uint64_t values = 0;
  for (std::size_t n = 0; n < names_.size(); ++n) {
    const std::optional<bool> v = value(n, bits);
    if (!v || n >= 64) return {.answer = Answer::open, .name = static_cast<int>(n), .is = false};
    values |= std::uint64_t{*v} << n;
  }
  for (const Row& r : rows_) {
    bool sum = r.constant;
    for (const std::size_t n : r.names) sum ^= (values >> n & 1) != 0;
    if (sum == ((place & r.place) != 0)) continue;
    const std::size_t name = r.names.empty() ? 0 : r.names.front();
    if (r.names.empty()) return {.answer = Answer::elsewhere, .name = -1, .is = false};
    return {.answer = Answer::elsewhere, .name = static_cast<int>(name), .is = (values >> name & 1) != 0};
  }
  return {.answer = Answer::agrees, .name = -1, .is = false};
}

}  // namespace lanescope::claims
