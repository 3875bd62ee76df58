// The operations of filling loops: what each does is number_rules.h, here it is bound to a type once, so that a loop requests
// no types.

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <utility>

#include "kernels/source/host/fill_loop.h"

namespace lanescope::source::host {
namespace {

using Word = FillLoop::Code::Word;
using Instruction = FillLoop::Code::Instruction;

template <class T>
T get(const Word& w) {
  if constexpr (std::is_floating_point_v<T>)
    return static_cast<T>(w.f);
  else
    return static_cast<T>(w.i);
}
template <class T>
void set(Word& w, T v) {
  if constexpr (std::is_floating_point_v<T>)
    w.f = static_cast<double>(v);
  else
    w.i = static_cast<std::int64_t>(v);
}

template <Op op, class T>
int combine(Word* r, const Instruction& w, FillLoop&, int lanes) {
  Word *to = r + w.to, *a = r + w.a, *b = r + w.b;
  bool known = true;
  for (int i = 0; i < lanes; ++i) {
    T out{};
    known &= combined(op, get<T>(a[i]), get<T>(b[i]), out);
    set(to[i], out);
  }
  return known ? 0 : -1;
}
template <Op op, class T>
int compare(Word* r, const Instruction& w, FillLoop&, int lanes) {
  Word *to = r + w.to, *a = r + w.a, *b = r + w.b;
  for (int i = 0; i < lanes; ++i) to[i].i = compared(op, get<T>(a[i]), get<T>(b[i])) ? 1 : 0;
  return 0;
}
template <Op op, class T>
int shift(Word* r, const Instruction& w, FillLoop&, int lanes) {
  Word *to = r + w.to, *a = r + w.a, *b = r + w.b;
  bool known = true;
  for (int i = 0; i < lanes; ++i) {
    T out{};
    known &= shifted(op, get<T>(a[i]), b[i].i, out);
    set(to[i], out);
  }
  return known ? 0 : -1;
}

template <Op op, class T>
constexpr FillLoop::Code::Run run_of() {
  if constexpr (is_comparison(op))
    return compare<op, T>;
  else if constexpr (!is_shift(op))
    return combine<op, T>;
  else if constexpr (std::is_integral_v<T>)
    return shift<op, T>;
  else
    return nullptr;
}
/// nullptr: of no binary operation. Those that have one are enumerated one after the other.
template <class T>
FillLoop::Code::Run of_operation(Op op) {
  constexpr auto first = static_cast<std::size_t>(Op::multiply), last = static_cast<std::size_t>(Op::or_);
  static constexpr auto runs = []<std::size_t... n>(std::index_sequence<n...>) {
    return std::array{run_of<static_cast<Op>(first + n), T>()...};
  }
  (std::make_index_sequence<last + 1 - first>());
  const auto n = static_cast<std::size_t>(op) - first;
  return n < runs.size() ? runs[n] : nullptr;
}

/// From a number that `From` holds exactly to the value of type `To`; floats beyond 64 bits have none.
template <class From, class To>
int convert(Word* r, const Instruction& w, FillLoop&, int lanes) {
  Word *to = r + w.to, *a = r + w.a;
  bool known = true;
  for (int i = 0; i < lanes; ++i) {
    const From v = get<From>(a[i]);
    if constexpr (std::is_same_v<To, bool>) {
      to[i].i = v != 0 ? 1 : 0;
    } else if constexpr (std::is_floating_point_v<To> || !std::is_floating_point_v<From>) {
      set(to[i], static_cast<To>(v));
    } else {
      const bool fits = std::abs(v) < 0x1p63;
      known &= fits;
      set(to[i], static_cast<To>(static_cast<std::int64_t>(fits ? v : From{0})));
    }
  }
  return known ? 0 : -1;
}
template <class From>
FillLoop::Code::Run to_type(const Type* t) {
  if (t->kind == Kind::boolean) return convert<From, bool>;
  if (t->kind == Kind::floating) return t->bytes == 4 ? convert<From, float> : convert<From, double>;
  switch (t->bytes) {
    case 1:
      return t->is_signed ? convert<From, std::int8_t> : convert<From, std::uint8_t>;
    case 2:
      return t->is_signed ? convert<From, std::int16_t> : convert<From, std::uint16_t>;
    case 4:
      return t->is_signed ? convert<From, std::int32_t> : convert<From, std::uint32_t>;
    default:
      return t->is_signed ? convert<From, std::int64_t> : convert<From, std::uint64_t>;
  }
}

template <class T>
int load(Word* r, const Instruction& w, FillLoop&, int lanes) {
  const Object& o = *w.object;
  Word *to = r + w.to, *a = r + w.a;
  for (int i = 0; i < lanes; ++i) {
    const auto at = static_cast<std::uint64_t>(w.first_byte) + static_cast<std::uint64_t>(a[i].i) * w.stride;
    if (at > o.bytes || sizeof(T) > o.bytes - at) return -1;
    if (!o.all_known() && o.reason_in(at, sizeof(T)) != 0) return -1;
    T v{};
    if (!o.data.empty()) std::memcpy(&v, o.data.data() + at, sizeof v);
    set(to[i], v);
  }
  return 0;
}
/// Any byte that is not 0 is true.
int load_truth(Word* r, const Instruction& w, FillLoop& loop, int lanes) {
  if (load<std::uint8_t>(r, w, loop, lanes) < 0) return -1;
  for (int i = 0; i < lanes; ++i) r[w.to + i].i = r[w.to + i].i != 0 ? 1 : 0;
  return 0;
}

}  // namespace

FillLoop::Code::Run FillLoop::Code::operation(Op op, const Type* in) {
  return in_type(in, [&]<class T>() { return of_operation<T>(op); });
}

FillLoop::Code::Run FillLoop::Code::conversion(const Type* from, const Type* to) {
  if (from->kind == Kind::floating) return to_type<double>(to);
  return from->kind == Kind::integer && !from->is_signed ? to_type<std::uint64_t>(to) : to_type<std::int64_t>(to);
}

FillLoop::Code::Run FillLoop::Code::loading(const Type* t) {
  if (t->kind == Kind::floating) return t->bytes == 4 ? load<float> : load<double>;
  switch (t->bytes) {
    case 1:
      return t->kind == Kind::boolean ? load_truth : t->is_signed ? load<std::int8_t> : load<std::uint8_t>;
    case 2:
      return t->is_signed ? load<std::int16_t> : load<std::uint16_t>;
    case 4:
      return t->is_signed ? load<std::int32_t> : load<std::uint32_t>;
    default:
      return t->is_signed ? load<std::int64_t> : load<std::uint64_t>;
  }
}

/// Stores are put into memory at the end of an iteration: the latest one of these bytes has their value.
int FillLoop::Code::load_in_order(Word* r, const Instruction& w, FillLoop& loop, int lanes) {
  const auto at = static_cast<std::uint64_t>(w.first_byte) + static_cast<std::uint64_t>(r[w.a].i) * w.stride;
  for (std::size_t n = w.stores; n-- > 0;) {
    const Store& s = loop.stores_[n];
    if (s.object != w.object || !loop.stores(s)) continue;
    const auto stored =
        static_cast<std::uint64_t>(s.first_byte) + static_cast<std::uint64_t>(loop.lanes_of(s.index)->i) * s.stride;
    if (stored == at && s.type == w.type) return r[w.to] = *loop.lanes_of(s.value), 0;
    if (stored < at + w.type->bytes && at < stored + s.type->bytes) return -1;
  }
  return loading(w.type)(r, w, loop, lanes);
}

int FillLoop::Code::negate(Word* r, const Instruction& w, FillLoop&, int lanes) {
  for (int i = 0; i < lanes; ++i) r[w.to + i].f = -r[w.a + i].f;
  return 0;
}
int FillLoop::Code::function(Word* r, const Instruction& w, FillLoop&, int lanes) {
  for (int i = 0; i < lanes; ++i) r[w.to + i].f = w.function->computed(r[w.a + i].f, r[w.b + i].f, w.type->bytes == 4);
  return 0;
}
int FillLoop::Code::narrow(Word* r, const Instruction& w, FillLoop&, int lanes) {
  for (int i = 0; i < lanes; ++i) {
    const double from = r[w.a + i].f;
    const bool again = i > 0 && std::bit_cast<std::uint64_t>(from) == std::bit_cast<std::uint64_t>(r[w.a + i - 1].f);
    r[w.to + i].f = again ? r[w.to + i - 1].f : real_of(host::bits_of(from, w.type), w.type);
  }
  return 0;
}
int FillLoop::Code::draw(Word* r, const Instruction& w, FillLoop& loop, int lanes) {
  for (int i = 0; i < lanes; ++i) r[w.to + i].i = loop.in_.random.c.next();
  return 0;
}
// Jumps: code with them runs one iteration at a time.
int FillLoop::Code::move(Word* r, const Instruction& w, FillLoop&, int) { return r[w.to] = r[w.a], 0; }
int FillLoop::Code::skip(Word*, const Instruction& w, FillLoop&, int) { return w.skip; }
int FillLoop::Code::skip_unless(Word* r, const Instruction& w, FillLoop&, int) { return r[w.a].i != 0 ? 0 : w.skip; }

}  // namespace lanescope::source::host
