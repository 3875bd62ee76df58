#include "kernels/trace/tags.h"

#include <algorithm>

#include "kernels/base/check.h"
#include "kernels/trace/tag_sets.h"

namespace lanescope::trace {

namespace {

constexpr int kind_shift = 62, inverted_shift = 61, run_shift = 56;
constexpr std::uint64_t run_mask = std::uint64_t{31} << run_shift;

std::uint64_t pack_element(int buffer, std::uint64_t element) {
  return static_cast<std::uint64_t>(buffer) << 40 | element;
}
std::pair<int, std::uint64_t> unpack_element(std::uint64_t packed) {
  return {static_cast<int>(packed >> 40), packed & ((std::uint64_t{1} << 40) - 1)};
}

std::uint32_t set_of(WordTag computed_word) { return computed_word - TagPool::computed_word(0); }

/// True when `next` prolongs the run that has reached `length` bits after `first`.
bool continues(BitTag first, std::uint64_t length, BitTag next) {
  switch (first.kind()) {
    case BitKind::none:
    case BitKind::computed:
      return next == first;
    case BitKind::source:
      return next.raw == first.raw + length;
    case BitKind::parity:
      return false;
  }
  return false;
}

}  // namespace

BitTag BitTag::source(std::uint64_t source_bit, bool inverted) {
  return {std::uint64_t{1} << kind_shift | std::uint64_t{inverted} << inverted_shift | source_bit};
}
BitTag BitTag::parity(std::uint32_t set, bool inverted) {
  return {std::uint64_t{2} << kind_shift | std::uint64_t{inverted} << inverted_shift | set};
}
BitTag BitTag::computed(std::uint32_t set) { return {std::uint64_t{3} << kind_shift | set}; }

std::pair<int, std::uint64_t> TagSpace::element_of(std::uint64_t source_bit) const {
  const std::uint64_t word = source_bit / 32;
  const auto after =
      std::ranges::upper_bound(buffers, word, {}, [](const Range& r) { return std::uint64_t{r.first_word}; });
  LS_CHECK(after != buffers.begin());
  auto it = after - 1;
  while (it != buffers.begin() && it->words == 0) --it;  // an empty buffer shares its first word with the next one
  const std::uint64_t bit = source_bit - std::uint64_t{it->first_word} * 32;
  return {static_cast<int>(it - buffers.begin()), bit / static_cast<std::uint64_t>(it->element_bits)};
}

// A word is stored as runs: consecutive source bits, equal computed bits and stretches without data are one number
// each, with the length - 1 in bits 56..60 (payloads need at most 36). The two halves of two f16 words are two numbers.
struct TagPool::State {
  struct Word {
    std::uint32_t first_run = 0;
    std::uint32_t data_mask = 0;
    std::uint32_t runs = 0;
    std::uint32_t elements = 0;  ///< set id; valid when has_elements
    bool has_elements = false;
  };
  const State* below = nullptr;
  WordTag first = 0;  ///< of words: those before it are of the state below
  std::vector<Word> words;
  std::vector<std::uint64_t> runs;
  IdTable table;
  SetTable sets;

  State() : words(1) {}  // handle 0 is "no data"
  explicit State(const State* of) : below(of), first(of->size()), sets(&of->sets) {}
  WordTag size() const { return first + static_cast<WordTag>(words.size()); }
  const Word& word(WordTag id) const { return id < first ? below->word(id) : words[id - first]; }
  std::span<const std::uint64_t> runs_of(WordTag id) const {
    if (id < first) return below->runs_of(id);
    const Word& w = words[id - first];
    return {runs.data() + w.first_run, w.runs};
  }
  WordTag find(std::uint64_t hash, std::span<const std::uint64_t> key) const {
    const WordTag before = below != nullptr ? below->find(hash, key) : no_data;
    if (before != no_data) return before;
    return table.find(hash, [&](WordTag id) { return std::ranges::equal(runs_of(id), key); });
  }
};

TagPool::TagPool() : state_(std::make_unique<State>()) {}
TagPool::TagPool(const TagPool& below, OnTop)
    : space(below.space), state_(std::make_unique<State>(below.state_.get())), budget_bytes_(below.budget_bytes_) {}
TagPool::~TagPool() = default;
TagPool::TagPool(TagPool&&) noexcept = default;
TagPool& TagPool::operator=(TagPool&&) noexcept = default;

WordBits TagPool::bits(WordTag tag) const {
  WordBits out{};
  if (tag == no_data) return out;
  if (is_source_word(tag)) {
    const BitTag first = BitTag::source(std::uint64_t{tag & 0x7fffffffu} * 32);
    for (std::uint64_t i = 0; i < 32; ++i) out[i].raw = first.raw + i;
    return out;
  }
  if (is_computed_word(tag)) {
    out.fill(BitTag::computed(set_of(tag)));
    return out;
  }
  LS_CHECK_LT(tag, state_->size());
  std::size_t bit = 0;
  for (std::uint64_t run : state_->runs_of(tag)) {
    const std::uint64_t length = ((run & run_mask) >> run_shift) + 1;
    const BitTag first{run & ~run_mask};
    const std::uint64_t stride = first.kind() == BitKind::source ? 1 : 0;
    for (std::uint64_t i = 0; i < length; ++i) out[bit++].raw = first.raw + i * stride;
  }
  return out;
}

WordTag TagPool::intern(const WordBits& bits) {
  std::array<std::uint64_t, 32> packed;
  std::size_t runs = 0;
  std::uint32_t data_mask = 0;
  for (std::size_t i = 0; i < 32;) {
    std::size_t length = 1;
    while (i + length < 32 && continues(bits[i], length, bits[i + length])) ++length;
    if (bits[i].kind() != BitKind::none)
      data_mask |= static_cast<std::uint32_t>(((std::uint64_t{1} << length) - 1) << i);
    packed[runs++] = bits[i].raw | std::uint64_t{length - 1} << run_shift;
    i += length;
  }
  if (data_mask == 0) return no_data;
  if (runs == 1 && bits[0].kind() == BitKind::source && !bits[0].inverted() && bits[0].payload() % 32 == 0)
    return source_word(static_cast<std::uint32_t>(bits[0].payload() / 32));
  if (runs == 1 && bits[0].kind() == BitKind::computed)
    return computed_word(static_cast<std::uint32_t>(bits[0].payload()));
  return intern_runs({packed.data(), runs}, data_mask);
}

WordTag TagPool::intern_runs(std::span<const std::uint64_t> key, std::uint32_t data_mask) {
  State& s = *state_;
  const std::uint64_t hash = hash_words(key);
  if (const WordTag found = s.find(hash, key); found != no_data) return found;
  if (bytes() >= overrun * budget_bytes_) return computed_word(too_many);
  const WordTag id = s.size();
  s.words.push_back({static_cast<std::uint32_t>(s.runs.size()), data_mask, static_cast<std::uint32_t>(key.size())});
  s.runs.insert(s.runs.end(), key.begin(), key.end());
  s.table.insert(hash, id, [&](WordTag other) { return hash_words(s.runs_of(other)); });
  return id;
}

bool TagPool::has_room_for(const TagPool& on_top) const {
  const State &s = *state_, &more = *on_top.state_;
  if (more.sets.full() || on_top.full()) return false;
  return bytes_with(s.words, more.words.size()) + bytes_with(s.runs, more.runs.size()) +
             s.table.bytes_with(more.table.count()) + s.sets.bytes_with(more.sets) <
         budget_bytes_;
}

TagPool::Renumbered TagPool::take(const TagPool& on_top) {
  const State& from = *on_top.state_;
  LS_CHECK(from.below == state_.get());
  Renumbered out;
  out.first_word_ = from.first;
  out.first_set_ = from.sets.first_own();
  out.sets_ = state_->sets.take(from.sets);
  out.words_.reserve(from.words.size());
  std::array<std::uint64_t, 32> runs;
  for (WordTag id = from.first; id < from.size(); ++id) {
    const auto key = from.runs_of(id);
    std::ranges::transform(key, runs.begin(), [&](std::uint64_t run) {
      const BitTag first{run & ~run_mask};
      const bool has_set = first.kind() == BitKind::parity || first.kind() == BitKind::computed;
      return has_set ? run - first.payload() + out.set(static_cast<std::uint32_t>(first.payload())) : run;
    });
    out.words_.push_back(intern_runs({runs.data(), key.size()}, from.word(id).data_mask));
  }
  return out;
}

void TagPool::keep_at_most(std::size_t budget_bytes) {
  budget_bytes_ = budget_bytes;
  state_->sets.keep_at_most(overrun * budget_bytes);
}

std::size_t TagPool::bytes() const {
  const State& s = *state_;
  return s.words.capacity() * sizeof(State::Word) + s.runs.capacity() * sizeof(std::uint64_t) + s.table.bytes() +
         s.sets.bytes();
}

std::uint32_t TagPool::data_mask(WordTag tag) const {
  if (is_source_word(tag) || is_computed_word(tag)) return 0xffffffffu;
  return state_->word(tag).data_mask;
}

std::uint32_t TagPool::intern_set(std::span<const std::uint64_t> sorted) { return state_->sets.intern(sorted); }
std::uint32_t TagPool::set_union(std::uint32_t a, std::uint32_t b) { return state_->sets.unite(a, b); }
std::uint32_t TagPool::set_symmetric_difference(std::uint32_t a, std::uint32_t b) {
  return state_->sets.symmetric_difference(a, b);
}
std::span<const std::uint64_t> TagPool::set(std::uint32_t id) const { return state_->sets.list(id); }

std::optional<std::pair<std::uint32_t, std::uint32_t>> TagPool::halves(std::uint32_t id) const {
  return state_->sets.halves(id);
}

std::uint32_t TagPool::element_set(BitTag bit) {
  if (bit.kind() == BitKind::computed) return static_cast<std::uint32_t>(bit.payload());
  const auto one = [&](std::uint64_t source_bit) {
    const auto [buffer, element] = space.element_of(source_bit);
    const std::uint64_t packed = pack_element(buffer, element);
    return intern_set({&packed, 1});
  };
  if (bit.kind() == BitKind::source) return one(bit.payload());
  LS_CHECK(bit.kind() == BitKind::parity);
  const auto span = set(static_cast<std::uint32_t>(bit.payload()));
  const std::vector<std::uint64_t> members(span.begin(), span.end());
  std::uint32_t all = one(members.front());
  for (std::uint64_t m : members) all = set_union(all, one(m));
  return all;
}

std::uint32_t TagPool::element_set(WordTag tag) {
  LS_CHECK(tag != no_data);
  if (is_computed_word(tag)) return set_of(tag);
  if (is_source_word(tag)) {
    const std::uint64_t first = std::uint64_t{tag & 0x7fffffffu} * 32;
    if (space.element_of(first) == space.element_of(first + 31)) return element_set(BitTag::source(first));
  }
  if (!is_source_word(tag) && state_->word(tag).has_elements) return state_->word(tag).elements;
  const WordBits all = bits(tag);
  bool any = false;
  std::uint32_t out = 0;
  std::pair<int, std::uint64_t> last{-1, 0};
  BitTag previous;
  for (BitTag b : all) {
    if (b.kind() == BitKind::none || b == previous) continue;
    previous = b;
    if (b.kind() == BitKind::source) {
      const auto where = space.element_of(b.payload());
      if (any && where == last) continue;
      last = where;
    }
    const std::uint32_t one = element_set(b);
    out = any ? set_union(out, one) : one;
    any = true;
  }
  if (!is_source_word(tag) && tag >= state_->first) {
    State::Word& w = state_->words[tag - state_->first];
    w.elements = out;
    w.has_elements = true;
  }
  return out;
}

std::vector<std::pair<int, std::uint64_t>> TagPool::sources(WordTag tag, int first_bit, int count) const {
  LS_CHECK(first_bit >= 0 && count >= 1 && first_bit + count <= 32);
  if (tag == no_data) return {};
  const WordBits all = bits(tag);
  std::vector<std::uint64_t> found;
  BitTag previous;
  for (int i = first_bit; i < first_bit + count; ++i) {
    const BitTag b = all[static_cast<std::size_t>(i)];
    if (b.kind() == BitKind::none || b == previous) continue;
    previous = b;
    const auto add = [&](std::uint64_t source_bit) {
      const auto [buffer, element] = space.element_of(source_bit);
      found.push_back(pack_element(buffer, element));
    };
    if (b.kind() == BitKind::source) add(b.payload());
    if (b.kind() == BitKind::parity)
      for (std::uint64_t m : set(static_cast<std::uint32_t>(b.payload()))) add(m);
    if (b.kind() == BitKind::computed) {
      const auto members = set(static_cast<std::uint32_t>(b.payload()));
      found.insert(found.end(), members.begin(), members.end());
    }
  }
  std::ranges::sort(found);
  const auto extra = std::ranges::unique(found);
  found.erase(extra.begin(), extra.end());
  std::vector<std::pair<int, std::uint64_t>> out(found.size());
  std::ranges::transform(found, out.begin(), unpack_element);
  return out;
}

ElementTag TagPool::element(WordTag tag, int first_bit, int count) const {
  LS_CHECK(first_bit >= 0 && count >= 1 && first_bit + count <= 32);
  if (tag == no_data) return {};
  const WordBits all = bits(tag);
  bool any_none = false, any_data = false, plain = true, in_order = true, one_set = true;
  for (int i = first_bit; i < first_bit + count; ++i) {
    const BitTag b = all[static_cast<std::size_t>(i)];
    any_none |= b.kind() == BitKind::none;
    any_data |= b.kind() != BitKind::none;
    plain &= b.kind() == BitKind::none || (b.kind() == BitKind::source && !b.inverted());
    in_order &= i == first_bit || b.raw == all[static_cast<std::size_t>(i - 1)].raw + 1;
    one_set &= b.kind() == BitKind::computed && b == all[static_cast<std::size_t>(first_bit)];
  }
  if (!any_data) return {};
  using Kind = ElementTag::Kind;
  const BitTag first = all[static_cast<std::size_t>(first_bit)];
  if (one_set) {  // the common case of a sum: no listing of a large set for each question
    const auto set_id = static_cast<std::uint32_t>(first.payload());
    const std::uint32_t distinct = state_->sets.count(set_id);
    if (distinct == 1) {
      const auto [buffer, element] = unpack_element(set(set_id).front());
      return {Kind::computed, buffer, element, 1};
    }
    return {.kind = Kind::mixed, .count = distinct};
  }
  const auto from = sources(tag, first_bit, count);
  if (from.size() != 1)
    return {.kind = Kind::mixed, .count = from.empty() ? ~0u : static_cast<std::uint32_t>(from.size())};
  const auto [buffer, element] = from.front();
  const ElementTag one{Kind::computed, buffer, element, 1};
  if (!plain) return one;
  if (any_none) return {Kind::partial, buffer, element, 1};
  const auto& range = space.buffers[static_cast<std::size_t>(buffer)];
  const std::uint64_t bit_in_element =
      (first.payload() - std::uint64_t{range.first_word} * 32) % static_cast<std::uint64_t>(range.element_bits);
  // A 64-bit element is seen word by word: each word, in its place, is exact.
  if (in_order && bit_in_element % 32 == 0 && (count == range.element_bits || count == 32))
    return {Kind::exact, buffer, element, 1};
  if (in_order && count < range.element_bits) return {Kind::partial, buffer, element, 1};
  return one;
}

}  // namespace lanescope::trace
