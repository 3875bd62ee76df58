#include "kernels/convert/planner.h"

#include <algorithm>
#include <bit>

#include "kernels/base/set_bits.h"
#include "kernels/convert/bits.h"
#include "kernels/convert/place_map.h"
#include "kernels/convert/travel.h"
#include "kernels/convert/warp_moves.h"

namespace lanescope::convert {
namespace {

using Basis = layout::F2Basis<std::uint64_t>;

constexpr int most_vector_bytes = 16, most_vector_bits = 2;

/// Vectors of `of` that, with those before them and the span of `given`, are independent.
std::vector<std::uint64_t> independent(const std::vector<std::uint64_t>& of, const std::vector<std::uint64_t>& given) {
  Basis basis;
  std::vector<std::uint64_t> out;
  for (const std::uint64_t v : given) basis.insert({v, 0});
  for (const std::uint64_t v : of)
    if (basis.insert({v, 0})) out.push_back(v);
  return out;
}

/// A basis of the vectors in both spans.
std::vector<std::uint64_t> intersection(const std::vector<std::uint64_t>& a, const std::vector<std::uint64_t>& b) {
  Basis basis;
  std::vector<std::uint64_t> out;
  for (const std::uint64_t v : a) basis.insert({v, v});
  for (const std::uint64_t v : b) {
    const auto left = basis.reduce({v, 0});
    if (left.vector == 0)
      out.push_back(left.tag);
    else
      basis.insert({v, 0});
  }
  return independent(out, {});
}

/// The address of each unit vector of words.
std::vector<std::uint64_t> swizzle(int bits, int unit_bytes, const std::vector<std::uint64_t>& vector,
                                   const std::vector<std::uint64_t>& stored, const std::vector<std::uint64_t>& loaded) {
  std::vector<std::uint64_t> units;
  for (int i = 0; i < bits; ++i) units.push_back(bit(i));
  const std::vector<std::uint64_t> both = intersection(stored, loaded);
  std::vector<std::uint64_t> shared = vector;
  for (const std::uint64_t v : independent(both, vector)) shared.push_back(v);
  const std::vector<std::uint64_t> only_stored = independent(stored, shared), only_loaded = independent(loaded, shared);
  std::vector<std::uint64_t> known = shared;
  known.insert(known.end(), only_stored.begin(), only_stored.end());
  known.insert(known.end(), only_loaded.begin(), only_loaded.end());
  std::vector<std::uint64_t> rest = independent(units, known);

  const int below_banks = std::countr_zero(static_cast<unsigned>(4 / unit_bytes));  // words within one bank
  const int first_bank = std::max(below_banks, static_cast<int>(vector.size()));
  std::vector<std::vector<std::uint64_t>>
      columns;  // what is at each address bit: basis vectors whose coordinates add up
  for (const std::uint64_t v : vector) columns.push_back({v});
  std::vector<std::uint64_t> side_by_side(shared.begin() + static_cast<std::ptrdiff_t>(vector.size()), shared.end());
  const auto take = [](std::vector<std::uint64_t>& from) {
    const std::uint64_t v = from.front();
    from.erase(from.begin());
    return v;
  };
  while (static_cast<int>(columns.size()) < first_bank && (!side_by_side.empty() || !rest.empty()))
    columns.push_back({take(side_by_side.empty() ? rest : side_by_side)});
  for (std::size_t n = 0; n < std::max(only_stored.size(), only_loaded.size()); ++n) {
    columns.emplace_back();
    if (n < only_stored.size()) columns.back().push_back(only_stored[n]);
    if (n < only_loaded.size()) columns.back().push_back(only_loaded[n]);
  }
  for (const std::uint64_t v : side_by_side) columns.push_back({v});
  // Rows. A pair that shares a bank bit is distinguished by the loaded one.
  for (std::size_t n = 0; n < std::min(only_stored.size(), only_loaded.size()); ++n)
    columns.push_back({only_loaded[n]});
  for (const std::uint64_t v : rest) columns.push_back({v});

  Basis coordinates;
  std::vector<std::uint64_t> order = known;
  order.insert(order.end(), rest.begin(), rest.end());
  for (const std::uint64_t v : independent(units, known))
    if (std::ranges::find(order, v) == order.end()) order.push_back(v);
  for (std::size_t n = 0; n < order.size(); ++n) coordinates.insert({order[n], bit(static_cast<int>(n))});
  std::vector<std::uint64_t> out;
  for (const std::uint64_t unit : units) {
    const std::uint64_t parts = coordinates.reduce({unit, 0}).tag;
    std::uint64_t address = 0;
    for (std::size_t position = 0; position < columns.size(); ++position) {
      bool odd = false;
      for (const std::uint64_t v : columns[position]) {
        const auto n = static_cast<int>(std::ranges::find(order, v) - order.begin());
        odd = odd != has(parts, n);
      }
      if (odd) address |= bit(static_cast<int>(position));
    }
    out.push_back(address);
  }
  return out;
}

struct Builder {
  PlaceMap map;  ///< of what passes through shared memory
  SharedPlan plan{};
  /// Bits of a word's number among all threads: words of a thread lowest, then its thread bits that distinguish words.
  std::vector<int> thread_position;

  enum class Matrices : std::uint8_t { none, stored, loaded };
  Matrices matrices = Matrices::none;
  std::span<const std::pair<int, int>> exchanges{};  ///< before
  std::vector<int> groups{};                         ///< of them

  bool run(int most_slots) {
    WordBuilder store(1 << map.registers);
    std::vector<Value> registers;
    for (int r = 0; r < 1 << map.registers; ++r) {
      const bool exists = (static_cast<std::uint64_t>(r) << map.slots & ~map.from_bits) == 0;
      registers.push_back(exists ? store.input(r) : nothing);
    }
    if (!groups.empty()) {
      std::optional<Exchanged> exchanged = exchange(store, map, exchanges, groups, std::move(registers));
      if (!exchanged) return false;
      registers = std::move(exchanged->registers);
      map = std::move(exchanged->left);
    }
    Travel travel(store, map, most_slots);
    plan.store = store.finish(travel.gather_words(std::move(registers)));
    number_threads(travel.from_word_bits());

    // Reads of the destination.
    std::vector<std::uint64_t> word_reads, thread_reads;
    for (const std::uint64_t v : travel.word_directions()) {
      const Travel::Read read = travel.reads(v);
      if (read.slots != 0) return false;
      word_reads.push_back(number_of(read));
    }
    LaneTable flips{};
    for (int i = 0; i < thread_bits(); ++i) {
      const Travel::Read read = travel.reads(bit(map.local() + i));
      thread_reads.push_back(number_of(read));
      if (read.slots == 0) continue;
      if (i >= lane_bits) return false;
      for (std::uint32_t lane = 0; lane < lanes; ++lane)
        if (has(lane, i)) flips[lane] ^= read.slots;
    }
    int highest = -1;
    for (const int p : travel.positions()) highest = std::max(highest, p);
    plan.unit_bytes = std::max(1, (std::min(map.element_bits, 32) << (highest + 1)) / 8);

    WordBuilder load(1 << travel.word_directions().size());
    Travel other_end(load, map, most_slots);
    std::vector<Value> words;
    for (int k = 0; k < load_inputs(travel); ++k) words.push_back(other_end.flip(load.input(k), flips));
    std::vector<Value> out = other_end.gather_registers(std::move(words));
    out.resize(std::size_t{1} << map.to_registers);
    plan.load = load.finish(out);

    if (matrices == Matrices::none) {
      addresses(travel.from_word_bits(), word_reads, thread_reads);
      return true;
    }
    return matrix_addresses(travel.from_word_bits(), word_reads, thread_reads);
  }

  /// Rows of four words: on the side of the threads, the words of lane bits 0 and 1; on the other one registers.
  bool matrix_addresses(int store_words, const std::vector<std::uint64_t>& word_reads,
                        const std::vector<std::uint64_t>& thread_reads) {
    if (plan.unit_bytes != 4 || plan.idle_threads != 0) return false;
    plan.between_warps = !map.within_warps();
    const bool loads = matrices == Matrices::loaded;
    std::vector<std::uint64_t> row;  // directions of words
    std::vector<int> stored, loaded;
    for (int i = 0; i < 2; ++i) {
      const std::uint64_t direction = loads ? thread_reads[index(i)] : threads_number(bit(i));
      row.push_back(direction);
      if (loads) {
        if (!std::has_single_bit(direction) || direction >= bit(store_words)) return false;
        stored.push_back(std::countr_zero(direction));
      } else {
        const auto at = std::ranges::find(word_reads, direction);
        if (at == word_reads.end()) return false;
        loaded.push_back(static_cast<int>(at - word_reads.begin()));
      }
    }
    // A vector of 16 bytes is served with 8 lanes, as a matrix with its 8 rows.
    std::vector<std::uint64_t> on_store = row, on_load = row;
    for (int i = 0; i < 3; ++i) {
      on_store.push_back(threads_number(bit(loads ? i : i + 2)));
      on_load.push_back(thread_reads[index(loads ? i + 2 : i)]);
    }
    plan.vector_bits = 2;
    plan.store_vector = stored;
    plan.load_vector = loaded;
    plan.matrix_stores = !loads;
    plan.matrix_loads = loads;
    const std::vector<std::uint64_t> address =
        swizzle(plan.unit_bits, plan.unit_bytes, row, independent(on_store, {}), independent(on_load, {}));
    const auto at = [&](std::uint64_t number) { return combine(address, number); };
    plan.store_words.clear(), plan.store_threads.clear(), plan.load_words.clear(), plan.load_threads.clear();
    for (int i = 0; i < store_words; ++i) plan.store_words.push_back(at(bit(i)));
    for (int i = 0; i < thread_bits(); ++i) plan.store_threads.push_back(at(threads_number(bit(i))));
    for (const std::uint64_t v : word_reads) plan.load_words.push_back(at(v));
    for (const std::uint64_t v : thread_reads) plan.load_threads.push_back(at(v));
    plan.load_constant = at(threads_number(map.constant >> map.local()));
    // Nothing but a row's own bits may number the words inside it.
    const auto inside = [&](const std::vector<std::uint64_t>& columns, const std::vector<int>& of_row) {
      for (std::size_t i = 0; i < columns.size(); ++i) {
        const auto found = std::ranges::find(of_row, static_cast<int>(i));
        const std::uint64_t own = found == of_row.end() ? 0 : bit(static_cast<int>(found - of_row.begin()));
        if ((columns[i] & 3) != own) return false;
      }
      return true;
    };
    const std::vector<int> lanes_of_row = {0, 1};
    return (plan.load_constant & 3) == 0 && inside(plan.store_words, stored) && inside(plan.load_words, loaded) &&
           inside(plan.store_threads, loads ? std::vector<int>{} : lanes_of_row) &&
           inside(plan.load_threads, loads ? lanes_of_row : std::vector<int>{});
  }

  static int load_inputs(const Travel& t) { return 1 << t.word_directions().size(); }
  int thread_bits() const { return lane_bits + map.warps; }
  std::uint64_t number_of(const Travel::Read& read) const { return read.word | threads_number(read.thread); }

  std::uint64_t threads_number(std::uint64_t thread) const {
    std::uint64_t out = 0;
    for (int i = 0; i < thread_bits(); ++i)
      if (has(thread, i) && thread_position[index(i)] >= 0) out |= bit(thread_position[index(i)]);
    return out;
  }

  void number_threads(int first) {
    const std::uint64_t present = (map.from_bits & ~map.from_copies) >> map.local();
    for (int i = 0; i < thread_bits(); ++i) {
      thread_position.push_back(has(present, i) ? first++ : -1);
      if (!has(present, i)) plan.idle_threads |= bit(i);
    }
    plan.unit_bits = first;
  }

  /// Words that both sides have side by side: a bit of the stored words, and the loaded one that is that bit alone.
  std::vector<std::pair<int, int>> vectors(int store_words, const std::vector<std::uint64_t>& word_reads) const {
    std::vector<std::pair<int, int>> out;
    for (std::size_t k = 0; k < word_reads.size(); ++k) {
      if (static_cast<int>(out.size()) == most_vector_bits || plan.unit_bytes << (out.size() + 1) > most_vector_bytes)
        break;
      if (std::has_single_bit(word_reads[k]) && word_reads[k] < bit(store_words))
        out.emplace_back(std::countr_zero(word_reads[k]), static_cast<int>(k));
    }
    return out;
  }

  void addresses(int store_words, const std::vector<std::uint64_t>& word_reads,
                 const std::vector<std::uint64_t>& thread_reads) {
    // Warps that have copies store nothing and wait for the one that does.
    plan.between_warps = !map.within_warps() || plan.idle_threads >> lane_bits != 0;
    std::vector<std::pair<int, int>> pairs = vectors(store_words, word_reads);
    while (!place(pairs, store_words, word_reads, thread_reads)) pairs.pop_back();
  }

  /// False where a vector would not begin at a multiple of its own size.
  bool place(const std::vector<std::pair<int, int>>& pairs, int store_words,
             const std::vector<std::uint64_t>& word_reads, const std::vector<std::uint64_t>& thread_reads) {
    std::vector<std::uint64_t> vector;
    plan.store_vector.clear();
    plan.load_vector.clear();
    for (const auto& [stored, loaded] : pairs) {
      vector.push_back(bit(stored));
      plan.store_vector.push_back(stored);
      plan.load_vector.push_back(loaded);
    }
    plan.vector_bits = static_cast<int>(vector.size());
    const int access_bytes = plan.unit_bytes << plan.vector_bits;
    const int together = access_bytes == 16 ? 3 : access_bytes == 8 ? 4 : 5;  // lane bits served together
    // Loads of 8 and 16 bytes are served with twice as many lanes where neighbours read one address.
    const bool merged = access_bytes > 4 && (thread_reads[0] == 0 || thread_reads[1] == 0);
    std::vector<std::uint64_t> stored = vector, loaded = vector;
    for (int i = 0; i < together; ++i) stored.push_back(threads_number(bit(i)));
    for (int i = 0; i < together + (merged ? 1 : 0); ++i) loaded.push_back(thread_reads[index(i)]);
    const std::vector<std::uint64_t> address =
        swizzle(plan.unit_bits, plan.unit_bytes, vector, independent(stored, {}), independent(loaded, {}));
    const auto at = [&](std::uint64_t number) { return combine(address, number); };
    const std::uint64_t inside = bit(plan.vector_bits) - 1;
    bool aligned = true;
    const auto columns = [&](std::size_t count, auto number, const std::vector<int>& in_vector) {
      std::vector<std::uint64_t> out;
      for (std::size_t i = 0; i < count; ++i) {
        out.push_back(at(number(static_cast<int>(i))));
        const bool is_vector = std::ranges::find(in_vector, static_cast<int>(i)) != in_vector.end();
        aligned = aligned && (is_vector || (out.back() & inside) == 0);
      }
      return out;
    };
    plan.store_words = columns(
        index(store_words), [](int i) { return bit(i); }, plan.store_vector);
    plan.store_threads = columns(index(thread_bits()), [&](int i) { return threads_number(bit(i)); }, {});
    plan.load_words = columns(
        word_reads.size(), [&](int i) { return word_reads[index(i)]; }, plan.load_vector);
    plan.load_threads = columns(index(thread_bits()), [&](int i) { return thread_reads[index(i)]; }, {});
    plan.load_constant = at(threads_number(map.constant >> map.local()));
    return aligned && (plan.load_constant & inside) == 0;
  }
};

}  // namespace

std::optional<SharedPlan> shared_plan(const PlaceMap& map) {
  for (int i = map.total() - map.blocks; i < map.total(); ++i)
    if (map.columns[index(i)] != bit(i)) return std::nullopt;
  const std::uint64_t outside = ~(bit(map.total() - map.blocks) - 1);
  if ((map.constant & outside) != 0) return std::nullopt;
  for (int i = 0; i < map.total() - map.blocks; ++i)
    if ((map.columns[index(i)] & outside) != 0) return std::nullopt;
  // Words whose slots lie otherwise in some registers or warps are not packed.
  for (const int most_slots : {map.slots, 0}) {
    Builder b{.map = map, .plan = {}, .thread_position = {}};
    if (b.run(most_slots)) return std::move(b.plan);
  }
  return std::nullopt;
}

std::vector<SharedPlan> exchanged_shared_plans(const SharedPlan& plain, const PlaceMap& map) {
  std::vector<SharedPlan> out;
  if (plain.unit_bytes == 4) return out;
  const std::vector<std::pair<int, int>> exchanges = slot_exchanges(map);
  if (exchanges.empty()) return out;
  std::vector<std::vector<int>> ways = {std::vector<int>(exchanges.size(), 1)};
  if (exchanges.size() > 1) ways.push_back({static_cast<int>(exchanges.size())});
  for (std::vector<int>& way : ways) {
    Builder b{.map = map, .plan = {}, .thread_position = {}, .exchanges = exchanges, .groups = std::move(way)};
    if (b.run(map.slots) && b.plan.unit_bytes > plain.unit_bytes) out.push_back(std::move(b.plan));
  }
  return out;
}

std::vector<SharedPlan> matrix_shared_plans(const SharedPlan& plain, const PlaceMap& map) {
  std::vector<SharedPlan> out;
  if (map.element_bits != 16 || map.slots != 1 || plain.unit_bytes != 4) return out;
  for (const auto matrices : {Builder::Matrices::loaded, Builder::Matrices::stored}) {
    const bool loads = matrices == Builder::Matrices::loaded;
    for (const bool transposed : {false, true}) {
      const std::optional<PlaceMap> through = !transposed ? map : loads ? before_matrix(map) : after_matrix(map);
      if (!through) continue;
      Builder b{.map = *through, .plan = {}, .thread_position = {}, .matrices = matrices};
      if (!b.run(map.slots)) continue;
      // The transposed words are the registers themselves.
      if (transposed && (loads ? b.plan.load : b.plan.store).counts().all() > 0) continue;
      b.plan.transposed = transposed;
      const SharedPlan::Cost cost = b.plan.cost(), known = plain.cost();
      if (cost.conflicts == 0 && cost.stores + cost.loads < known.stores + known.loads)
        out.push_back(std::move(b.plan));
    }
  }
  return out;
}

std::vector<access::Access> SharedPlan::accesses(std::uint64_t warp) const {
  std::vector<access::Access> out;
  const auto side = [&](trace::AccessKind kind, bool matrices, const std::vector<std::uint64_t>& words,
                        const std::vector<std::uint64_t>& threads, const std::vector<int>& vector,
                        std::uint64_t constant, std::uint64_t idle) {
    const std::uint64_t count = bit(static_cast<int>(words.size())), first_thread = warp << lane_bits;
    const auto at = [&](std::uint64_t word, std::uint64_t lane) {
      return (combine(words, word) ^ combine(threads, first_thread | lane) ^ constant) *
             static_cast<std::uint64_t>(unit_bytes);
    };
    access::Access a{.space = trace::MemorySpace::shared, .kind = kind};
    if (matrices) {  // each is eight rows of 16 bytes
      a.width_bytes = 16, a.matrices = static_cast<int>(std::min<std::uint64_t>(count, 4));
      a.mask = ~0u >> (32 - 8 * a.matrices);
      for (std::uint64_t k = 0; k < count; k += 4) {
        for (const std::size_t row : set_bits(a.mask)) a.addresses[row] = at(k + row / 8, row % 8 << 2);
        out.push_back(a);
      }
      return;
    }
    std::uint64_t in_vector = 0;
    for (const int i : vector) in_vector |= bit(i);
    a.width_bytes = unit_bytes << vector_bits, a.mask = 0;
    for (std::uint64_t lane = 0; lane < lanes; ++lane)
      if (((first_thread | lane) & idle) == 0) a.mask |= 1U << lane;
    for (std::uint64_t k = 0; k < count && a.mask != 0; ++k) {
      if ((k & in_vector) != 0) continue;
      for (const std::size_t lane : set_bits(a.mask)) a.addresses[lane] = at(k, lane);
      out.push_back(a);
    }
  };
  side(trace::AccessKind::store, matrix_stores, store_words, store_threads, store_vector, 0, idle_threads);
  side(trace::AccessKind::load, matrix_loads, load_words, load_threads, load_vector, load_constant, 0);
  return out;
}

SharedPlan::Cost SharedPlan::cost() const {
  Cost out;
  for (const access::Access& a : accesses(0)) {
    const access::Cost cost = access::cost(a);
    ++(a.reads() ? out.loads : out.stores);
    (a.reads() ? out.load_wavefronts : out.store_wavefronts) += static_cast<int>(cost.wavefronts);
    out.conflicts += static_cast<int>(cost.bank_conflicts);
  }
  return out;
}

std::string disprove(const SharedPlan& plan, const PlaceMap& map) {
  const PlaceCheck check(map, map.warps);
  const std::uint64_t warps = bit(map.warps);
  const std::uint32_t unit_mask = plan.unit_bytes == 4 ? ~0U : (1U << (8 * plan.unit_bytes)) - 1;
  for (int pass = 0; pass < check.passes(); ++pass) {
    std::vector<std::uint32_t> memory;
    std::vector<std::vector<Register>> inputs, outputs;
    const auto clear = [&] { memory.assign(std::size_t{1} << plan.unit_bits, 0xdeadbeefU); };
    const auto store = [&](std::uint64_t w) {
      inputs.push_back(check.inputs(pass, w));
      std::vector<Register> words = outputs_of(plan.store, execute(plan.store, inputs.back()));
      if (plan.matrix_stores && plan.transposed) std::ranges::transform(words, words.begin(), matrix_transposed);
      for (std::uint64_t k = 0; k < words.size(); ++k)
        for (std::uint64_t lane = 0; lane < lanes; ++lane) {
          const std::uint64_t thread = w << lane_bits | lane;
          if ((thread & plan.idle_threads) != 0) continue;
          memory[combine(plan.store_words, k) ^ combine(plan.store_threads, thread)] = words[k][lane] & unit_mask;
        }
    };
    const auto load = [&](std::uint64_t w) {
      std::vector<Register> words(std::size_t{1} << plan.load_words.size());
      for (std::uint64_t k = 0; k < words.size(); ++k)
        for (std::uint64_t lane = 0; lane < lanes; ++lane) {
          const std::uint64_t thread = w << lane_bits | lane;
          words[k][lane] =
              memory[combine(plan.load_words, k) ^ combine(plan.load_threads, thread) ^ plan.load_constant];
        }
      if (plan.matrix_loads && plan.transposed) std::ranges::transform(words, words.begin(), matrix_transposed);
      outputs.push_back(outputs_of(plan.load, execute(plan.load, words)));
    };
    clear();
    for (std::uint64_t w = 0; w < warps; ++w) {
      if (!plan.between_warps) clear();  // it waits for no thread: what others store may come later
      store(w);
      if (!plan.between_warps) load(w);
    }
    for (std::uint64_t w = 0; w < warps && plan.between_warps; ++w) load(w);
    if (std::string wrong = check.wrong(inputs, outputs); !wrong.empty()) return wrong;
  }
  return {};
}

}  // namespace lanescope::convert
