// Places in memory: what an expression names, and reading and writing there.

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include <fmt/format.h>

#include "kernels/source/data/number_format.h"
#include "kernels/source/host/fp8.h"
#include "kernels/source/host/machine.h"
#include "kernels/source/host/number_rules.h"

namespace lanescope::source::host {

Value Machine::load(const Place& p) {
  if (p.type == nullptr) return {.unknown = p.unknown != 0 ? p.unknown : because("it has no value")};
  if (p.unknown != 0) return unknown_value(p.type, p.unknown);
  if (p.type->in_memory()) return {.type = p.type, .i = static_cast<std::int64_t>(p.address)};
  if (p.type->kind == Kind::unknown || p.type->kind == Kind::void_ || p.type->kind == Kind::automatic) {
    Reason why = memory_.first_unknown(p.address, 1);
    if (why == 0) why = because(fmt::format("the type {} is not known", p.type->name));
    return unknown_value(p.type, why);
  }
  std::uint64_t bits = 0;
  Reason unknown = 0;
  if (!memory_.read(p.address, p.type->bytes, &bits, unknown))
    return unknown_value(p.type, because("it is outside of its array"));
  if (unknown != 0) return unknown_value(p.type, unknown);
  if (p.type->kind != Kind::floating) return normal(number(static_cast<std::int64_t>(bits), p.type));
  if (p.type->bytes == 8) return real(std::bit_cast<double>(bits), p.type);
  if (p.type->bytes == 4) return real(std::bit_cast<float>(static_cast<std::uint32_t>(bits)), p.type);
  if (p.type->bytes == 1)
    return real(fp8_value(p.type->device ? Fp8::e5m2 : Fp8::e4m3, static_cast<std::uint8_t>(bits)), p.type);
  return real(decode(p.type->device ? "bf16" : "f16", bits), p.type);
}

void Machine::store(const Place& p, Value v, int line) {
  if (p.type == nullptr) return;
  if (p.unknown != 0) return;
  if (const Object* o = memory_.object(p.address); o != nullptr && o->space == Space::device && uncertain_ == 0)
    note(fmt::format("line {}: the host writes to device memory", line));
  if (p.type->kind == Kind::unknown || p.type->kind == Kind::void_) {
    memory_.poison_all(p.address,
                       v.unknown != 0 ? v.unknown : because(fmt::format("the type {} is not known", p.type->name)));
    return;
  }
  v = convert(v, p.type);
  if (p.type->in_memory()) {
    if (v.unknown != 0) {
      memory_.write(p.address, p.type->bytes, nullptr, v.unknown);
    } else if (p.type->kind == Kind::vector) {
      const auto from = static_cast<Address>(v.i);
      const std::uint64_t count = word(from + 8);
      const Place to{p.address, p.type};
      const Address data = word(from);
      const std::uint64_t bytes = count * p.type->of->bytes;
      if (from == p.address) return;
      set_word(p.address, 0), set_word(p.address + 8, 0), set_word(p.address + 16, 0);
      resize(to, count, line);
      copy_bytes(word(p.address), data, bytes, line);
    } else {
      memory_.copy(p.address, static_cast<Address>(v.i), p.type->bytes);
    }
    return;
  }
  std::uint64_t bits = static_cast<std::uint64_t>(v.i);
  if (p.type->kind == Kind::floating) {
    if (p.type->bytes == 8) bits = std::bit_cast<std::uint64_t>(v.f);
    if (p.type->bytes == 4) bits = std::bit_cast<std::uint32_t>(static_cast<float>(v.f));
    if (p.type->bytes == 2) bits = encode(p.type->device ? "bf16" : "f16", v.f);
    if (p.type->bytes == 1) bits = fp8_bits(p.type->device ? Fp8::e5m2 : Fp8::e4m3, v.f);
  }
  memory_.write(p.address, p.type->bytes, &bits, v.unknown);
  if (p.type->kind == Kind::pointer && v.unknown == 0 && v.i != 0) memory_.mark_pointer(p.address);
}

std::uint64_t Machine::word(Address a) {
  std::uint64_t out = 0;
  Reason unknown = 0;
  return memory_.read(a, 8, &out, unknown) && unknown == 0 ? out : 0;
}
void Machine::set_word(Address a, std::uint64_t v) { memory_.write(a, 8, &v, 0); }

Slot& Machine::slot(Frame& f, int i) {
  static constexpr int most_slots = 100'000;
  i = std::clamp(i, 0, most_slots);
  while (static_cast<int>(f.slots.size()) <= i) f.slots.emplace_back();
  return f.slots[static_cast<std::size_t>(i)];
}

Address Machine::slot_memory(Slot& s, const Type* t) {
  if (s.owned && s.type == t && s.address != 0) return s.address;
  s.type = t;
  s.address = memory_.make(t->bytes, Space::host, 0, uninitialised_);
  s.owned = true;
  return s.address;
}

Address Machine::temporary(const Type* t) {
  const Address a = memory_.make(t->bytes, Space::host, 0, 0);
  if (a != 0) temporaries_.push_back(a);
  return a;
}

void Machine::zero(Address at, const Type* t) { memory_.fill(at, std::byte{0}, t->bytes, 0); }

std::optional<Place> Machine::member(const Place& of, std::string_view name) {
  if (of.type == nullptr || of.type->kind != Kind::record) return std::nullopt;
  const Member* m = p_.types.record(of.type->record).find(name);
  if (m == nullptr) return std::nullopt;
  return Place{of.address + m->offset, m->type, of.unknown};
}

Place Machine::place(const Expr& e) {
  step();
  if (++eval_depth_ > deepest_evaluation) return --eval_depth_, Place{0, nullptr, because("it is nested too deep")};
  Place out;
  const auto unknown = [&](std::string words) { out.unknown = because(std::move(words)); };
  switch (e.op) {
    case Op::local:
    case Op::global: {
      if (constant_only_ && e.op == Op::local) {
        unknown("a local variable is no constant");
        break;
      }
      const Slot& s = slot(e.op == Op::global ? globals_ : *frame_, e.slot);
      out = {s.address, s.type};
      if (s.type == nullptr) unknown(fmt::format("`{}` has no value yet", e.text));
      break;
    }
    case Op::this_:
      out = {frame_->self, frame_->record >= 0 ? p_.types.record_type(frame_->record) : nullptr};
      break;
    case Op::dereference: {
      const Value v = decayed(eval(*e.parts[0]));
      out = {static_cast<Address>(v.i), v.type != nullptr ? v.type->of : nullptr, v.unknown};
      break;
    }
    case Op::index: {
      Value base = eval(*e.parts[0]);
      const Value i = convert(eval(*e.parts[1]), p_.types.i64);
      if (base.type != nullptr && base.type->kind == Kind::vector && base.unknown == 0)
        base = {.type = p_.types.pointer_to(base.type->of),
                .i = static_cast<std::int64_t>(word(static_cast<Address>(base.i)))};
      base = decayed(base);
      if (base.type == nullptr || base.type->kind != Kind::pointer) {
        out.unknown = base.unknown;
        if (base.unknown == 0) unknown("it is no array");
        break;
      }
      out.type = base.type->of;
      out.unknown = base.unknown != 0 ? base.unknown : i.unknown;
      if (base.unknown == 0 && i.unknown != 0) memory_.poison_all(static_cast<Address>(base.i), i.unknown);
      out.address = static_cast<Address>(base.i) + static_cast<std::uint64_t>(i.i) * out.type->bytes;
      break;
    }
    case Op::member:
    case Op::arrow: {
      Place of;
      if (e.op == Op::arrow && e.parts[0]->op == Op::this_) {
        of = place(*e.parts[0]);
      } else if (e.op == Op::arrow) {
        const Value v = decayed(eval(*e.parts[0]));
        of = {static_cast<Address>(v.i), v.type != nullptr ? v.type->of : nullptr, v.unknown};
      } else {
        of = place(*e.parts[0]);
      }
      if (const auto m = member(of, e.text)) {
        out = *m;
      } else {
        out.unknown = of.unknown != 0                         ? of.unknown
                      : of.type != nullptr && of.address != 0 ? memory_.first_unknown(of.address, 1)
                                                              : Reason{0};
        if (out.unknown == 0) unknown(fmt::format("the member `{}` is not known", e.text));
      }
      break;
    }
    case Op::cast:
      if (!e.parts.empty() && e.parts[0] != nullptr && (e.type == nullptr || e.type->in_memory())) {
        out = place(*e.parts[0]);
        break;
      }
      [[fallthrough]];
    default: {
      if (e.op == Op::before_add || e.op == Op::before_subtract || e.op == Op::assign) {
        eval(e);
        out = place(*e.parts[0]);
        break;
      }
      if (e.op == Op::comma) {
        eval(*e.parts[0]);
        out = place(*e.parts[1]);
        break;
      }
      if (e.op == Op::conditional) {
        const auto t = truth(eval(*e.parts[0]));
        if (t) {
          out = place(*e.parts[*t ? 1 : 2]);
        } else {
          unknown("the condition is unknown");
        }
        break;
      }
      // a value that has no place of its own gets one
      const Value v = eval(e);
      if (v.type == nullptr || v.unknown != 0) {
        out = {0, v.type, v.unknown != 0 ? v.unknown : because("it has no value")};
      } else if (v.type->in_memory()) {
        out = {static_cast<Address>(v.i), v.type};
      } else {
        out = {temporary(v.type), v.type};
        store(out, v, e.line);
      }
    }
  }
  --eval_depth_;
  return out;
}

}  // namespace lanescope::source::host
