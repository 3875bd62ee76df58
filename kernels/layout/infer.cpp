#include "kernels/layout/infer.h"

#include <algorithm>
#include <array>

#include "kernels/base/check.h"
#include "kernels/base/set_bits.h"
#include "kernels/layout/f2_basis.h"

namespace lanescope::layout {
namespace {

/// The tag of a basis vector: the element difference it causes, and which observations it is made of.
struct Evidence {
  std::uint64_t element = 0;
  std::uint64_t members = 0;
  Evidence& operator^=(const Evidence& o) {
    element ^= o.element;
    members ^= o.members;
    return *this;
  }
};

/// Reducing a place difference is linear, so it can be read from one table per byte of the place. Nearly every
/// observation only confirms, and then costs one look-up per byte instead of one step per bit.
class Predictor {
 public:
  explicit Predictor(int place_bits) : bytes_((place_bits + 7) / 8), tables_(static_cast<std::size_t>(bytes_)) {}

  void rebuild(const F2Basis<Evidence>& basis) {
    for (std::size_t b = 0; b < tables_.size(); ++b) {
      tables_[b][0] = {};
      for (std::size_t bit = 0; bit < 8; ++bit) {
        const auto r = basis.reduce({std::uint64_t{1} << (8 * b + bit), {}});
        for (std::size_t low = 0; low < (std::size_t{1} << bit); ++low) {
          const Cell& c = tables_[b][low];
          tables_[b][low | std::size_t{1} << bit] = {c.residual ^ r.vector, c.element ^ r.tag.element};
        }
      }
    }
  }

  /// True when the basis explains both differences.
  bool confirms(std::uint64_t place, std::uint64_t element) const {
    std::uint64_t residual = 0;
    for (const auto& table : tables_) {
      const Cell& c = table[place & 255];
      residual ^= c.residual;
      element ^= c.element;
      place >>= 8;
    }
    return (residual | element) == 0;
  }

 private:
  struct Cell {
    std::uint64_t residual = 0;
    std::uint64_t element = 0;
  };
  int bytes_;
  std::vector<std::array<Cell, 256>> tables_;
};

std::uint64_t low_bits(int n) { return n >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << n) - 1; }

AffineMap map_from(const F2Basis<Evidence>& basis, const Observation& origin, int place_bits, int names) {
  AffineMap map{.out_bits = names, .columns = {}, .constant = 0};
  for (int p = 0; p < place_bits; ++p) {
    const bool known = (basis.pivots() >> p & 1) != 0;
    map.columns.push_back(known ? basis.row(p).tag.element : 0);
  }
  map.constant = origin.element ^ map(origin.place);
  return map;
}

Inference in_words_of_the_notation(const Question& q, AffineMap map, std::uint64_t unknown) {
  Inference result{.assignment = from_map({q.shape, q.names, map}),
                   .constant = map.constant,
                   .map = std::move(map),
                   .complete = unknown == 0};
  for (const std::size_t bit : set_bits(unknown)) result.unobserved.push_back(q.shape.bit_at(bit));
  const std::vector<std::string> said = logical_bits(result.assignment);
  std::uint64_t varying = 0;
  for (const std::uint64_t column : result.map.columns) varying |= column;
  for (std::size_t n = 0; n < q.names.size(); ++n) {
    const bool named = std::find(said.begin(), said.end(), q.names[n]) != said.end();
    if ((varying >> n & 1) == 0)
      result.constant_bits.push_back(q.names[n]);
    else if (!named)
      result.unsaid.push_back(q.names[n]);
  }
  return result;
}

}  // namespace

std::variant<Inference, Counterexample> infer(const Question& q) {
  const int place_bits = q.shape.total();
  const int names = static_cast<int>(q.names.size());
  LS_CHECK_LE(place_bits, 64);
  LS_CHECK_LE(names, 64);
  const Observation origin = q.observations.empty() ? Observation{} : q.observations.front();
  std::uint64_t places_used = 0;
  std::uint64_t elements_used = 0;
  F2Basis<Evidence> basis;
  std::vector<Observation> members{origin};
  Predictor predictor(place_bits);
  predictor.rebuild(basis);
  for (const Observation& o : q.observations) {
    places_used |= o.place;
    elements_used |= o.element;
    const std::uint64_t place = o.place ^ origin.place;
    const std::uint64_t element = o.element ^ origin.element;
    if (predictor.confirms(place, element)) continue;
    const std::uint64_t self = std::uint64_t{1} << ((members.size() - 1) & 63);
    const auto reduced = basis.reduce({place, {element, 0}});
    if (reduced.vector == 0) {
      // These members predict something else. The origin joins them where an even number is otherwise missed.
      std::vector<Observation> witness;
      for (const std::size_t bit : set_bits(reduced.tag.members)) witness.push_back(members[bit + 1]);
      if (witness.size() % 2 == 0) witness.insert(witness.begin(), origin);
      witness.push_back(o);
      return smallest_counterexample(q, std::move(witness));
    }
    basis.insert({place, {element, self}});
    members.push_back(o);
    predictor.rebuild(basis);
  }
  LS_CHECK_EQ(places_used & ~low_bits(place_bits), std::uint64_t{0});
  LS_CHECK_EQ(elements_used & ~low_bits(names), std::uint64_t{0});
  return in_words_of_the_notation(q, map_from(basis, origin, place_bits, names),
                                  low_bits(place_bits) & ~basis.pivots());
}

}  // namespace lanescope::layout
