#include <algorithm>
#include <cmath>
#include <cstdlib>

#include <fmt/format.h>

#include "kernels/base/text.h"
#include "kernels/source/host/fill_loop.h"
#include "kernels/source/host/machine.h"
#include "kernels/source/host/program/device_facts.h"

namespace lanescope::source::host {
namespace {

/// Functions that compute nothing that a launch needs: their arguments are evaluated.
constexpr std::string_view without_effect[] = {"printf",
                                               "fprintf",
                                               "puts",
                                               "putchar",
                                               "fflush",
                                               "srand48",
                                               "perror",
                                               "fclose",
                                               "free",
                                               "assert",
                                               "fputs",
                                               "setvbuf",
                                               "cudaFreeAsync",
                                               "cudaGetLastError",
                                               "cudaPeekAtLastError",
                                               "cudaSetDevice",
                                               "cudaFuncSetAttribute",
                                               "cudaFuncSetCacheConfig",
                                               "cudaFuncSetSharedMemConfig",
                                               "cudaDeviceSetCacheConfig",
                                               "cudaDeviceSetSharedMemConfig",
                                               "cudaStreamDestroy",
                                               "cudaEventDestroy",
                                               "cudaHostUnregister",
                                               "cudaMemPrefetchAsync",
                                               "cudaMemAdvise",
                                               "cudaProfilerStart",
                                               "cudaProfilerStop",
                                               "nvtxRangePush",
                                               "nvtxRangePop",
                                               "nvtxRangePushA",
                                               "cudaDeviceEnablePeerAccess",
                                               "usleep",
                                               "sleep"};

struct OfOne {
  std::string_view name;
  double (*function)(double);
};
constexpr OfOne of_one[] = {{"sqrt", std::sqrt},   {"fabs", std::fabs},   {"sin", std::sin},   {"cos", std::cos},
                            {"tan", std::tan},     {"exp", std::exp},     {"log", std::log},   {"log2", std::log2},
                            {"log10", std::log10}, {"floor", std::floor}, {"ceil", std::ceil}, {"round", std::round},
                            {"trunc", std::trunc}, {"atan", std::atan},   {"tanh", std::tanh}, {"cbrt", std::cbrt},
                            {"exp2", std::exp2},   {"rint", std::rint}};

/// Of a text, and where they take more, of the place where the number ends and its base.
constexpr std::string_view numbers_of_texts[] = {"atoi",    "atol",   "atoll",  "atof",    "stoi",    "stol",
                                                 "stoul",   "stoll",  "stoull", "stof",    "stod",    "strtol",
                                                 "strtoul", "strtod", "strtof", "strtoll", "strtoull"};

constexpr std::uint64_t most_elements = std::uint64_t{1} << 26;

/// The host goes on when the kernels before them have ended.
constexpr std::string_view waits_for_kernels[] = {"cudaDeviceSynchronize",
                                                  "cudaThreadSynchronize",
                                                  "cudaStreamSynchronize",
                                                  "cudaEventSynchronize",
                                                  "cudaMemcpy",
                                                  "cudaFree"};

}  // namespace

/// splitmix64 from a fixed seed.
std::uint64_t Machine::random_bits() {
  random_ += 0x9e3779b97f4a7c15ULL;
  std::uint64_t x = random_;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  note("random numbers are those of one generator with a fixed seed");
  return x ^ (x >> 31);
}
void Machine::note_random() { note("rand() gives the numbers of the GNU C library"); }
double Machine::random_unit() { return static_cast<double>(random_bits() >> 11) * 0x1p-53; }

Value Machine::random_call(const Place& source, std::span<Expr* const> arguments) {
  for (const Expr* a : arguments) place(*a);
  const Value low = load({source.address + 8, p_.types.double_}), high = load({source.address + 16, p_.types.double_});
  const double a = low.unknown == 0 ? low.f : 0, b = high.unknown == 0 ? high.f : 1;
  switch (source.type->count) {
    case 1:
      return normal(real(a + (b - a) * random_unit(), p_.types.float_));
    case 2: {
      const double count = std::clamp(b - a + 1, 1.0, 0x1p31);
      return normal(number(static_cast<std::int64_t>(a + std::floor(count * random_unit())), p_.types.int_));
    }
    case 3: {
      const double u = std::max(random_unit(), 0x1p-53), v = random_unit();
      return normal(real(a + b * std::sqrt(-2 * std::log(u)) * std::cos(6.283185307179586 * v), p_.types.float_));
    }
    case 4:
      return number(random_unit() < a ? 1 : 0, p_.types.bool_);
    default:
      return number(static_cast<std::int64_t>(random_bits() >> 32), p_.types.u32);
  }
}

std::string Machine::text_of(const Value& v) {
  std::string out;
  for (Address a = static_cast<Address>(v.i); out.size() < 4096; ++a) {
    char c = 0;
    Reason unknown = 0;
    if (!memory_.read(a, 1, &c, unknown) || unknown != 0 || c == 0) break;
    out += c;
  }
  return out;
}

/// std::make_unique<T>(arguments), std::make_unique<T[]>(count)
std::optional<Value> Machine::made_object(const Expr& e) {
  const Expr& callee = *e.parts[0];
  const std::span<Expr* const> a(e.parts.data() + 1, e.parts.size() - 1);
  if (callee.words.empty()) return std::nullopt;
  std::string_view word = trimmed(callee.words.front());
  const bool many = word.ends_with("[]");
  if (many) word = trimmed(word.substr(0, word.size() - 2));
  const auto own = p_.type_names.find(word);
  const Type* t = own != p_.type_names.end() ? own->second : p_.types.named(word);
  if (!many && !callee.types.empty() && callee.types.front() != nullptr) t = callee.types.front();
  if (t == nullptr) return std::nullopt;
  const Value count = many && !a.empty() ? convert(decayed(eval(*a[0])), p_.types.i64) : number(1, p_.types.i64);
  const Type* pointer = p_.types.pointer_to(t);
  if (count.unknown != 0 || count.i < 0) return unknown_value(pointer, count.unknown);
  const Value v = fresh(static_cast<std::uint64_t>(count.i) * t->bytes, Space::host, e.line, 0);
  if (Object* o = memory_.object(static_cast<Address>(v.i))) o->element = t;
  if (!many) construct(static_cast<Address>(v.i), t, a, false, nullptr, e.line);
  return Value{.type = pointer, .i = v.i, .unknown = v.unknown};
}

std::optional<Value> Machine::library(std::string_view name, std::span<Expr* const> a, const Expr& e) {
  if (one_of(name, without_effect)) {
    for (const Expr* each : a) eval(*each);
    return number(0, p_.types.int_);
  }
  if (one_of(name, waits_for_kernels)) look_meanwhile(true);
  if (auto v = stream_call(name, a, e.line)) return v;
  if (name == "exit" || name == "abort" || name == "_exit" || name == "quick_exit") {
    if (never_leave_ || uncertain_ > 0) return number(0, p_.types.int_);
    throw Stop{};
  }
  if (name == "cudaLaunchKernel" || name == "cudaLaunchKernelEx" || name == "cudaLaunchCooperativeKernel")
    return a.size() >= 2 ? launch_call(name, a, e.line) : number(0, p_.types.int_);
  if (name == "make_unique" || name == "make_unique_for_overwrite" || name == "make_shared") return made_object(e);
  if (auto v = math(name, a)) return v;
  if (auto v = algorithms(name, a, e.line)) return v;
  if (auto v = runtime(name, a, e)) return v;
  if (name.starts_with("cuda") && name.size() > 4 && name[4] >= 'A' && name[4] <= 'Z') {
    const Reason why = because(fmt::format("`{}` at line {} depends on the machine", name, e.line));
    for (const Expr* each : a) poison_pointee(*each, eval(*each), why);
    return number(0, p_.types.int_);
  }
  return std::nullopt;
}

std::optional<Value> Machine::math(std::string_view name, std::span<Expr* const> a) {
  if ((name == "rand" || name == "random") && a.empty()) {
    note_random();
    return number(rand_.next(), name == "rand" ? p_.types.int_ : p_.types.i64);
  }
  if ((name == "srand" || name == "srandom") && a.size() == 1) {
    const Value seed = convert(decayed(eval(*a[0])), p_.types.u32);
    if (seed.unknown != 0) note("the seed of rand() depends on the machine; here it is 1");
    rand_.start(seed.unknown != 0 ? 1 : static_cast<std::uint32_t>(seed.i));
    return number(0, p_.types.int_);
  }
  if (name == "lrand48" && a.empty()) return number(static_cast<std::int64_t>(random_bits() >> 33), p_.types.i64);
  if (name == "drand48" && a.empty()) return real(random_unit(), p_.types.double_);
  if (name == "time" || name == "clock" || name == "omp_get_wtime" || name == "getenv" || name == "fopen" ||
      name == "system") {
    for (const Expr* each : a) eval(*each);
    return Value{.type = name == "fopen" || name == "getenv" ? p_.types.characters : p_.types.i64,
                 .unknown = because(fmt::format("`{}` depends on the machine", name))};
  }
  if (a.size() == 1) {
    std::string_view plain = name;
    const bool narrow = plain.ends_with('f') && plain != "f";
    for (const OfOne& f : of_one) {
      const bool is_narrow = narrow && plain.substr(0, plain.size() - 1) == f.name;
      if (plain != f.name && !is_narrow) continue;
      const Value v = decayed(eval(*a[0]));
      const bool is_float = is_narrow || (v.type != nullptr && v.type->kind == Kind::floating && v.type->bytes == 4);
      const Type* t = is_float ? p_.types.float_ : p_.types.double_;
      const Value x = convert(v, p_.types.double_);
      return x.unknown != 0 ? unknown_value(t, x.unknown) : normal(real(f.function(x.f), t));
    }
    if (name == "abs" || name == "labs") {
      Value v = decayed(eval(*a[0]));
      if (v.unknown == 0 && v.type != nullptr && v.type->is_number()) v.i = v.i < 0 ? -v.i : v.i, v.f = std::abs(v.f);
      return v;
    }
  }
  if (!a.empty() && a.size() <= 3 && one_of(name, numbers_of_texts)) {
    for (std::size_t i = 1; i < a.size(); ++i) {  // where the number ends, and its base
      const Value v = decayed(eval(*a[i]));
      if (i == 1) poison_pointee(*a[i], v, because(fmt::format("`{}` sets it", name)));
    }
    Value v = decayed(eval(*a[0]));
    const bool is_real = name.ends_with("f") || name.ends_with("d");
    const Type* t = is_real ? p_.types.double_ : name == "atoi" || name == "stoi" ? p_.types.int_ : p_.types.i64;
    if (v.type != nullptr && v.type->kind == Kind::text)
      v = {.type = p_.types.characters, .i = static_cast<std::int64_t>(word(static_cast<Address>(v.i)))};
    if (v.unknown != 0 && never_leave_ && memory_.words(v.unknown) == words_of_command_line) {
      // `main` asks for arguments, and this run is as if it had them
      assume(Assumption::Code::command_line, 0, fmt::format("{} for each number", number_),
             fmt::format("because line {} reads one", a[0]->line));
      return is_real ? real(number_, t) : number(number_, t);
    }
    if (v.unknown != 0 || v.type == nullptr)
      return unknown_value(t, v.unknown != 0 ? v.unknown : because("it is no text"));
    const std::string text = text_of(v);
    const Value base = a.size() > 2 ? convert(decayed(eval(*a[2])), p_.types.i64) : number(10, p_.types.i64);
    if (base.unknown != 0 || base.i < 0 || base.i > 36 || base.i == 1)
      return unknown_value(t, base.unknown != 0 ? base.unknown : because("its base is no base"));
    return is_real ? real(std::strtod(text.c_str(), nullptr), t)
                   : normal(number(std::strtoll(text.c_str(), nullptr, static_cast<int>(base.i)), t));
  }
  if (a.size() == 1) {
    if (name == "begin" || name == "end" || name == "cbegin" || name == "cend" || name == "data" || name == "size") {
      const Place p = place(*a[0]);
      if (p.unknown == 0 && p.type != nullptr && p.type->kind == Kind::vector) return vector_method(p, name, {}, 0);
      if (p.unknown == 0 && p.type != nullptr && p.type->kind == Kind::array) {
        if (name == "size") return number(static_cast<std::int64_t>(p.type->count), p_.types.u64);
        const bool behind = name == "end" || name == "cend";
        const std::uint64_t bytes = behind ? p.type->count * p.type->of->bytes : 0;
        return Value{.type = p_.types.pointer_to(p.type->of), .i = static_cast<std::int64_t>(p.address + bytes)};
      }
    }
    if (name == "strlen") return number(static_cast<std::int64_t>(text_of(decayed(eval(*a[0]))).size()), p_.types.u64);
    if (name == "__float2half" || name == "__double2half" || name == "__float2half_rn")
      return convert(eval(*a[0]), p_.types.half);
    if (name == "__half2float") return convert(eval(*a[0]), p_.types.float_);
    if (name == "__float2bfloat16") return convert(eval(*a[0]), p_.types.named("__nv_bfloat16"));
    if (name == "__bfloat162float") return convert(eval(*a[0]), p_.types.float_);
    if (name == "move" || name == "forward" || name == "ref" || name == "cref") return eval(*a[0]);
    if (name == "raw_pointer_cast") return decayed(eval(*a[0]));
  }
  if (a.size() == 2 &&
      (name == "min" || name == "max" || name == "fmin" || name == "fmax" || name == "fminf" || name == "fmaxf")) {
    const Value x = decayed(eval(*a[0])), y = decayed(eval(*a[1]));
    const bool smallest = name.find("min") != std::string_view::npos;
    // as in std: the first where they are equal or cannot be compared
    const auto second = truth(smallest ? arithmetic(Op::less, y, x, 0) : arithmetic(Op::less, x, y, 0));
    if (!second)
      return unknown_value(x.type, x.unknown != 0   ? x.unknown
                                   : y.unknown != 0 ? y.unknown
                                                    : because("it is no number"));
    return *second ? convert(y, x.type) : x;
  }
  if (a.size() == 2 && (name == "pow" || name == "powf" || name == "fmod" || name == "ldexp" || name == "atan2")) {
    const Value x = convert(decayed(eval(*a[0])), p_.types.double_),
                y = convert(decayed(eval(*a[1])), p_.types.double_);
    const Type* t = name == "powf" ? p_.types.float_ : p_.types.double_;
    if (x.unknown != 0 || y.unknown != 0) return unknown_value(t, x.unknown != 0 ? x.unknown : y.unknown);
    return normal(real(name == "fmod"    ? std::fmod(x.f, y.f)
                       : name == "atan2" ? std::atan2(x.f, y.f)
                       : name == "ldexp" ? std::ldexp(x.f, static_cast<int>(std::clamp(y.f, -3000.0, 3000.0)))
                                         : std::pow(x.f, y.f),
                       t));
  }
  for (const char* vector :
       {"make_float", "make_int", "make_uint", "make_double", "make_uchar", "make_char", "make_short", "make_ushort"}) {
    if (!name.starts_with(vector)) continue;
    const Type* t = p_.types.named(name.substr(5));
    if (t == nullptr) continue;
    const Address at = temporary(t);
    construct(at, t, a, true, nullptr, 0);
    return Value{.type = t, .i = static_cast<std::int64_t>(at)};
  }
  return std::nullopt;
}

std::optional<Value> Machine::algorithms(std::string_view name, std::span<Expr* const> a, int line) {
  const auto nothing = Value{.type = p_.types.void_};
  if (name == "swap" && a.size() == 2) {
    const Place x = place(*a[0]), y = place(*a[1]);
    if (x.type == nullptr || y.type == nullptr || x.unknown != 0 || y.unknown != 0 || x.type != y.type) {
      for (const Expr* each : a) poison_target(*each, because(fmt::format("line {} swaps what is not known", line)));
      return nothing;
    }
    const Address hold = temporary(x.type);  // byte by byte, so that what is unknown stays so
    memory_.copy(hold, x.address, x.type->bytes);
    memory_.copy(x.address, y.address, x.type->bytes);
    memory_.copy(y.address, hold, x.type->bytes);
    return nothing;
  }
  const bool filled = name == "fill" || name == "iota", copies = name == "copy" || name == "copy_n",
             counted = name == "fill_n";
  const bool generated = name == "generate" || name == "generate_n";
  if (!(filled || copies || counted || generated || name == "sequence") || a.size() < 2) return std::nullopt;
  const Value first = decayed(eval(*a[0]));
  const Value second = decayed(eval(*a[1]));
  const bool by_count = counted || name == "copy_n" || name == "generate_n";
  if (first.type == nullptr || first.unknown != 0 || first.type->kind != Kind::pointer || second.unknown != 0 ||
      second.type == nullptr) {
    const Reason why = first.unknown != 0    ? first.unknown
                       : second.unknown != 0 ? second.unknown
                                             : because(fmt::format("line {} fills what is not known", line));
    for (const Expr* each : a) poison_pointee(*each, eval(*each), why);
    return nothing;
  }
  const Type* of = first.type->of;
  const std::uint64_t each = std::max<std::uint64_t>(of->bytes, 1);
  const std::int64_t span = by_count ? second.i : (second.i - first.i) / static_cast<std::int64_t>(each);
  const auto count = static_cast<std::uint64_t>(std::clamp<std::int64_t>(span, 0, most_elements));
  const auto at = static_cast<Address>(first.i);
  if (copies) {
    const Value to = a.size() > 2 ? decayed(eval(*a[2])) : Value{};
    if (to.type != nullptr && to.unknown == 0 && to.type->kind == Kind::pointer && to.type->of == of) {
      copy_bytes(static_cast<Address>(to.i), at, count * each, line);
    } else if (a.size() > 2) {
      poison_pointee(*a[2], to, because(fmt::format("line {} copies to another type", line)));
    }
    return nothing;
  }
  Value x = name == "sequence" && a.size() < 3 ? number(0, p_.types.int_)
            : a.size() > 2                     ? decayed(eval(*a[2]))
                                               : Value{};
  std::uint64_t begun = 0;
  if (generated && x.unknown == 0 && x.type != nullptr) {
    const auto code = closures_.find(static_cast<Address>(x.i));
    const Expr* lambda = code != closures_.end() ? code->second.lambda : nullptr;
    const Stmt* body = lambda != nullptr ? lambda->body : nullptr;
    while (body != nullptr && body->kind == StmtKind::block && body->body.size() == 1) body = body->body.front();
    if (body != nullptr && body->kind == StmtKind::return_ && body->first != nullptr && lambda->slots.empty() &&
        (lambda->type == nullptr || lambda->type->kind == Kind::automatic))
      begun = FillLoop::generate(*this, *body->first, at, of, count);
  }
  const std::uint64_t most = steps_ + limits_.steps / 4;  // what is left of the run has to go on
  for (std::uint64_t i = begun; i < count; ++i) {
    if (steps_ > most) {
      const Reason why = because(fmt::format("line {} fills more elements than are followed", line));
      memory_.fill(at + i * each, std::byte{0}, (count - i) * each, why);
      break;
    }
    step();
    const Value v = generated ? call_lambda(x, {}, line) : x;
    store({at + i * each, of}, v, line);
    if (name == "iota" || name == "sequence") x = arithmetic(Op::add, x, number(1, p_.types.int_), line);
  }
  return nothing;
}

}  // namespace lanescope::source::host
