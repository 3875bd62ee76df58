#include "kernels/instrument/block_terms.h"

#include <algorithm>
#include <utility>

namespace lanescope::instrument {
namespace {

using Op = Terms::Op;
using Node = Terms::Node;

/// nullopt: a division by zero.
std::optional<std::uint64_t> apply(const Node& n, std::uint64_t a, std::uint64_t b, std::uint64_t c) {
  const std::int64_t sa = signed_value(a, n.bits), sb = signed_value(b, n.bits);
  const int half = n.bits / 2;
  switch (n.op) {
    case Op::constant:
      return n.value;
    case Op::block_x:
    case Op::block_y:
    case Op::block_z:
      return std::nullopt;
    case Op::add:
      return a + b;
    case Op::multiply:
      return a * b;
    case Op::multiply_wide:
      return n.is_signed ? static_cast<std::uint64_t>(signed_value(a, half) * signed_value(b, half))
                         : low_bits(a, half) * low_bits(b, half);
    case Op::shift_left:
      return b >= n.bits ? 0 : a << b;
    case Op::shift_right:
      if (n.is_signed) return static_cast<std::uint64_t>(sa >> std::min<std::uint64_t>(b, 63));
      return b >= n.bits ? 0 : a >> b;
    case Op::bit_and:
      return a & b;
    case Op::bit_or:
      return a | b;
    case Op::bit_xor:
      return a ^ b;
    case Op::minimum:
      return n.is_signed ? static_cast<std::uint64_t>(std::min(sa, sb)) : std::min(a, b);
    case Op::maximum:
      return n.is_signed ? static_cast<std::uint64_t>(std::max(sa, sb)) : std::max(a, b);
    case Op::divide:
    case Op::remainder: {
      const bool divides = n.op == Op::divide;
      if (b == 0 || (n.is_signed && sb == -1)) return std::nullopt;
      if (n.is_signed) return static_cast<std::uint64_t>(divides ? sa / sb : sa % sb);
      return divides ? a / b : a % b;
    }
    case Op::extend:
      return n.is_signed ? static_cast<std::uint64_t>(signed_value(a, n.from_bits)) : low_bits(a, n.from_bits);
    case Op::equal:
      return a == b ? 1 : 0;
    case Op::less:
      return n.is_signed ? signed_value(a, n.from_bits) < signed_value(b, n.from_bits) : a < b;
    case Op::select:
      return c != 0 ? a : b;
  }
  return std::nullopt;
}

}  // namespace

Terms::Terms(trace::Dim3 grid) : grid_(grid) { constant(0); }

Term Terms::add(Node node) {
  const auto [it, fresh] = known_.try_emplace(node, static_cast<Term>(nodes_.size()));
  if (fresh) nodes_.push_back(node);
  return it->second;
}

Term Terms::constant(std::uint64_t value) { return add({.value = value}); }

Term Terms::block(int axis) {
  const std::uint32_t extent = axis == 0 ? grid_.x : axis == 1 ? grid_.y : grid_.z;
  if (extent == 1) return 0;
  return add({.op = axis == 0 ? Op::block_x : axis == 1 ? Op::block_y : Op::block_z, .bits = 32});
}

std::optional<std::uint64_t> Terms::value_of(Term t) const {
  return nodes_[t].op == Op::constant ? std::optional(nodes_[t].value) : std::nullopt;
}

Term Terms::without_constant(Term t) const {
  const Node& n = nodes_[t];
  if (n.op == Op::constant) return 0;
  return n.op == Op::add && value_of(n.b) ? n.a : t;
}

Term Terms::make(Node n) {
  const bool commutes = n.op == Op::add || n.op == Op::multiply || n.op == Op::bit_and || n.op == Op::bit_or ||
                        n.op == Op::bit_xor || n.op == Op::minimum || n.op == Op::maximum || n.op == Op::equal;
  if (commutes && (value_of(n.a) || (!value_of(n.b) && n.a < n.b))) std::swap(n.a, n.b);
  const auto a = value_of(n.a), b = value_of(n.b), c = value_of(n.c);
  if (a && b && c)
    if (const auto value = apply(n, *a, *b, *c)) return constant(low_bits(*value, n.bits));
  const auto sum = [&](Term x, std::uint64_t constant_part) {
    return make({.op = Op::add, .bits = n.bits, .a = x, .b = constant(low_bits(constant_part, n.bits))});
  };
  // A constant moves outwards, as long as everything is modulo the same power of two.
  const Node left = nodes_[n.a], right = nodes_[n.b];
  const auto adds_constant = [&](const Node& x) {
    return x.op == Op::add && x.bits == n.bits && value_of(x.b).has_value();
  };
  const bool of_left = adds_constant(left), of_right = adds_constant(right);
  const std::uint64_t left_constant = of_left ? nodes_[left.b].value : 0;
  if (n.op == Op::add && b && *b == 0) return n.a;
  if (n.op == Op::add && of_left && b) return sum(left.a, left_constant + *b);
  if (n.op == Op::add && of_left)
    return sum(make({.op = Op::add, .bits = n.bits, .a = left.a, .b = n.b}), left_constant);
  if (n.op == Op::add && of_right)
    return sum(make({.op = Op::add, .bits = n.bits, .a = n.a, .b = right.a}), nodes_[right.b].value);
  if (n.op == Op::shift_left && b) {
    n.op = Op::multiply;
    n.b = constant(*b >= n.bits ? 0 : low_bits(std::uint64_t{1} << *b, n.bits));
    return make(n);
  }
  if (n.op == Op::multiply && b && *b <= 1) return *b == 0 ? 0 : n.a;
  if (n.op == Op::multiply && of_left && b)
    return sum(make({.op = Op::multiply, .bits = n.bits, .a = left.a, .b = n.b}), left_constant * *b);
  return add(n);
}

void Terms::evaluate(trace::Dim3 block, std::vector<std::uint64_t>& values) const {
  values.resize(nodes_.size());
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    const Node& n = nodes_[i];
    const std::uint64_t value = n.op == Op::block_x   ? block.x
                                : n.op == Op::block_y ? block.y
                                : n.op == Op::block_z ? block.z
                                                      : apply(n, values[n.a], values[n.b], values[n.c]).value_or(0);
    values[i] = low_bits(value, n.bits);
  }
}

}  // namespace lanescope::instrument
