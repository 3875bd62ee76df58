// Functions of the C and C++ libraries: numbers, random numbers, texts, memory of the host, the process.

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "kernels/base/text.h"
#include "kernels/source/host/library.h"

namespace lanescope::source::host {
namespace {

constexpr std::string_view seeded_note = "random numbers are those of one generator with a fixed seed";

std::optional<Value> exits(Call& c) {
  if (c.in.never_leave || c.in.log.certainty.depth > 0) return c.success();
  throw Stop{};
}

std::optional<Value> rand_(Call& c) {
  if (c.in.random.c_unknown != 0)
    return unknown_value(c.name == "rand" ? c.types().int_ : c.types().i64, c.in.random.c_unknown);
  c.in.notes.add(std::string(rand_note));
  return number(c.in.random.c.next(), c.name == "rand" ? c.types().int_ : c.types().i64);
}

std::optional<Value> srand_(Call& c) {
  const Value seed = c.in.m.convert(c.value(0), c.types().u32);
  if (seed.unknown != 0) c.in.notes.add("the seed of rand() depends on the machine; here it is 1");
  c.in.random.c_unknown = 0;
  c.in.random.c.start(seed.unknown != 0 ? 1 : static_cast<std::uint32_t>(seed.i));
  return c.success();
}

std::optional<Value> rand48(Call& c) {
  if (c.in.random.c_unknown != 0)
    return unknown_value(c.name == "drand48" ? c.types().double_ : c.types().i64, c.in.random.c_unknown);
  const std::uint64_t word = c.in.random.next48();
  if (c.name == "drand48") return real(static_cast<double>(word) * 0x1p-48, c.types().double_);
  return number(static_cast<std::int64_t>(word >> 17), c.types().i64);
}

std::optional<Value> srand48_(Call& c) {
  const Value seed = c.in.m.convert(c.value(0), c.types().u32);
  if (seed.unknown != 0) c.in.notes.add("the seed of drand48() depends on the machine; here it is 1");
  c.in.random.word48 =
      (seed.unknown != 0 ? 1 : static_cast<std::uint64_t>(static_cast<std::uint32_t>(seed.i))) << 16 | 0x330e;
  return c.success();
}

std::optional<Value> to_string_(Call& c) {
  const Value v = c.value(0);
  if (!v.known() || !v.type->is_number()) return unknown_value(c.types().text, v.unknown);
  const bool negative = v.type->is_signed || v.type->kind != Kind::integer;
  return c.in.text_value(v.type->kind == Kind::floating ? std::to_string(v.f)
                         : negative                     ? std::to_string(v.i)
                                                        : std::to_string(static_cast<std::uint64_t>(v.i)),
                         c.line);
}

std::optional<Value> strcmp_(Call& c) {
  const std::optional<std::string> a = c.in.characters_of(c.value(0)), b = c.in.characters_of(c.value(1));
  if (!a || !b) return unknown_value(c.types().int_, c.reason("its characters are not known"));
  return c.integer(a->compare(*b));
}

std::optional<Value> of_machine(Call& c) {
  c.eval_all();
  return unknown_value(c.name == "fopen" ? c.types().characters : c.types().i64,
                       c.reason(fmt::format("`{}` depends on the machine", c.name)));
}

/// A variable of the environment counts as not set.
std::optional<Value> getenv_(Call& c) {
  const std::optional<std::string> name = c.in.characters_of(c.value(0));
  if (!name) return std::nullopt;
  c.in.notes.add(fmt::format("line {}: the environment variable `{}` counts as not set", c.line, *name));
  return at_address(0, c.types().characters);
}

/// Without words on the command line there is no option.
std::optional<Value> getopt_(Call& c) {
  const Value count = c.whole(0);
  c.eval_all(1);
  if (count.unknown != 0 || count.i > 1) return std::nullopt;
  return c.integer(-1);
}

bool is_float(const Value& v) { return v.type != nullptr && v.type->kind == Kind::floating && v.type->bytes == 4; }

/// A name that has an `f` more than the row's is the function of floats, and so is the row's own with floats.
std::optional<Value> real_function(Call& c) {
  Value x = c.value(0), y = c.row->of_two != nullptr ? c.value(1) : x;
  const bool narrow = c.row->is_narrow(c.name, is_float(x) && is_float(y));
  const Type* t = narrow ? c.types().float_ : c.types().double_;
  x = c.in.m.convert(x, t), y = c.in.m.convert(y, t);
  if (x.unknown != 0 || y.unknown != 0) return unknown_value(t, x.unknown != 0 ? x.unknown : y.unknown);
  return real(c.row->computed(x.f, y.f, narrow), t);
}

std::optional<Value> scale(Call& c) {
  const Value x = c.value(0), exponent = c.whole(1);
  const Type* t = is_float(x) || c.name == "ldexpf" ? c.types().float_ : c.types().double_;
  const Value from = c.in.m.convert(x, t);
  if (from.unknown != 0 || exponent.unknown != 0)
    return unknown_value(t, from.unknown != 0 ? from.unknown : exponent.unknown);
  const auto by = static_cast<int>(std::clamp<std::int64_t>(exponent.i, -3000, 3000));
  return TypedMemory::normal(real(std::ldexp(from.f, by), t));
}

std::optional<Value> absolute(Call& c) {
  Value v = c.value(0);
  if (v.known() && v.type->is_number()) v.i = v.i < 0 ? -v.i : v.i, v.f = std::abs(v.f);
  return v;
}

/// As in std: the first where they are equal or cannot be compared.
std::optional<Value> least_or_greatest(Call& c) {
  const Value x = c.value(0), y = c.value(1);
  const bool least = c.name.find("min") != std::string_view::npos;
  const auto second = truth(least ? c.in.m.arithmetic(Op::less, y, x, 0) : c.in.m.arithmetic(Op::less, x, y, 0));
  if (second) return *second ? c.in.m.convert(y, x.type) : x;
  const Reason why = x.unknown != 0 ? x.unknown : y.unknown;
  return unknown_value(x.type, why != 0 ? why : c.reason("it is no number"));
}

std::optional<Value> number_of_text(Call& c) {
  for (std::size_t i = 1; i < c.size(); ++i) {  // where the number ends, and its base
    const Value v = c.value(i);
    if (i == 1) c.in.poison_pointee(c.expr(i), v, c.reason(fmt::format("`{}` sets it", c.name)));
  }
  Value v = c.value(0);
  const bool is_real = c.name.ends_with("f") || c.name.ends_with("d");
  const Type* t = is_real ? c.types().double_ : c.name == "atoi" || c.name == "stoi" ? c.types().int_ : c.types().i64;
  if (v.type != nullptr && v.type->kind == Kind::text) v = at_address(c.in.m.word(v.address()), c.types().characters);
  if (v.unknown != 0 && c.in.never_leave && c.in.m.words(v.unknown) == words_of_command_line) {
    // `main` requires arguments, and this run is as if it had them
    c.in.notes.assume(Assumption::Code::command_line, 0, fmt::format("{} for each number", c.in.number_of_command_line),
                      fmt::format("because line {} reads one", c.expr(0).line));
    return is_real ? real(c.in.number_of_command_line, t) : number(c.in.number_of_command_line, t);
  }
  if (!v.known()) return unknown_value(t, v.unknown != 0 ? v.unknown : c.reason("it is no text"));
  const std::string text = c.in.m.text_of(v);
  const Value base = c.size() > 2 ? c.whole(2) : number(10, c.types().i64);
  if (base.unknown != 0 || base.i < 0 || base.i > 36 || base.i == 1)
    return unknown_value(t, base.unknown != 0 ? base.unknown : c.reason("its base is no base"));
  if (is_real) return real(std::strtod(text.c_str(), nullptr), t);
  return TypedMemory::normal(number(std::strtoll(text.c_str(), nullptr, static_cast<int>(base.i)), t));
}

std::optional<Value> strlen_(Call& c) { return c.count(c.in.m.text_of(c.value(0)).size()); }

std::optional<Value> to_half(Call& c) { return c.in.m.convert(c.eval(0), c.types().half); }
std::optional<Value> to_bfloat(Call& c) { return c.in.m.convert(c.eval(0), c.types().named("__nv_bfloat16")); }
std::optional<Value> to_float(Call& c) { return c.in.m.convert(c.eval(0), c.types().float_); }
std::optional<Value> itself(Call& c) { return c.eval(0); }
std::optional<Value> as_pointer(Call& c) { return c.value(0); }

std::optional<Value> allocate(Call& c) {
  const bool zeros = c.name == "calloc";
  Value bytes = c.whole(zeros || c.name == "aligned_alloc" ? 1 : 0);
  if (zeros) bytes = c.in.m.arithmetic(Op::multiply, bytes, c.whole(0), c.line);
  const Reason content = zeros && bytes.unknown == 0 && bytes.i >= 0 ? Reason{0} : c.in.m.uninitialised;
  const bool known = bytes.unknown == 0 && bytes.i >= 0;
  return c.in.m.allocate(known ? static_cast<std::uint64_t>(bytes.i) : 0, Space::host, c.line, content);
}

/// std::make_unique<T>(arguments), std::make_unique<T[]>(count)
std::optional<Value> make_object(Call& c) {
  if (c.callee.words.empty()) return std::nullopt;
  std::string_view word = trimmed(c.callee.words.front());
  const bool many = word.ends_with("[]");
  if (many) word = trimmed(word.substr(0, word.size() - 2));
  const Type* t = c.in.p.type_named(word);
  if (!many && !c.callee.types.empty() && c.callee.types.front() != nullptr) t = c.callee.types.front();
  if (t == nullptr) return std::nullopt;
  const Value count = many && c.size() > 0 ? c.whole(0) : number(1, c.types().i64);
  const Type* pointer = c.types().pointer_to(t);
  if (count.unknown != 0 || count.i < 0) return unknown_value(pointer, count.unknown);
  Value v = c.in.m.allocate(static_cast<std::uint64_t>(count.i) * t->bytes, Space::host, c.line, 0);
  if (Object* o = c.in.m.object(v.address())) o->element = t;
  if (!many) c.in.construct(v.address(), t, {c.arguments}, c.line);
  v.type = pointer;
  return v;
}

}  // namespace

std::span<const LibraryFunction> c_functions() {
  static constexpr LibraryFunction rows[] = {
      {"exit abort _exit quick_exit", 0, 255, exits, false, true},
      {"printf fprintf puts putchar fputs fflush setvbuf perror fclose assert free usleep sleep", 0, 255, no_effect},
      {"time clock omp_get_wtime fopen system", 0, 255, of_machine},
      {"getenv", 1, 1, getenv_},
      {"getopt getopt_long", 3, 5, getopt_},
      {"rand random", 0, 0, rand_},
      {"srand srandom", 1, 1, srand_},
      {"lrand48 drand48", 0, 0, rand48},
      {"srand48", 1, 1, srand48_},
      {"to_string", 1, 1, to_string_},
      {"strcmp", 2, 2, strcmp_},
      {"sqrt", 1, 1, real_function, false, false, std::sqrt, nullptr, std::sqrt},
      {"fabs", 1, 1, real_function, false, false, std::fabs, nullptr, std::fabs},
      {"sin", 1, 1, real_function, false, false, std::sin, nullptr, std::sin},
      {"cos", 1, 1, real_function, false, false, std::cos, nullptr, std::cos},
      {"tan", 1, 1, real_function, false, false, std::tan, nullptr, std::tan},
      {"exp", 1, 1, real_function, false, false, std::exp, nullptr, std::exp},
      {"log", 1, 1, real_function, false, false, std::log, nullptr, std::log},
      {"log2", 1, 1, real_function, false, false, std::log2, nullptr, std::log2},
      {"log10", 1, 1, real_function, false, false, std::log10, nullptr, std::log10},
      {"floor", 1, 1, real_function, false, false, std::floor, nullptr, std::floor},
      {"ceil", 1, 1, real_function, false, false, std::ceil, nullptr, std::ceil},
      {"round", 1, 1, real_function, false, false, std::round, nullptr, std::round},
      {"trunc", 1, 1, real_function, false, false, std::trunc, nullptr, std::trunc},
      {"atan", 1, 1, real_function, false, false, std::atan, nullptr, std::atan},
      {"tanh", 1, 1, real_function, false, false, std::tanh, nullptr, std::tanh},
      {"cbrt", 1, 1, real_function, false, false, std::cbrt, nullptr, std::cbrt},
      {"exp2", 1, 1, real_function, false, false, std::exp2, nullptr, std::exp2},
      {"rint", 1, 1, real_function, false, false, std::rint, nullptr, std::rint},
      {"sinh", 1, 1, real_function, false, false, std::sinh, nullptr, std::sinh},
      {"cosh", 1, 1, real_function, false, false, std::cosh, nullptr, std::cosh},
      {"asin", 1, 1, real_function, false, false, std::asin, nullptr, std::asin},
      {"acos", 1, 1, real_function, false, false, std::acos, nullptr, std::acos},
      {"erf", 1, 1, real_function, false, false, std::erf, nullptr, std::erf},
      {"log1p", 1, 1, real_function, false, false, std::log1p, nullptr, std::log1p},
      {"expm1", 1, 1, real_function, false, false, std::expm1, nullptr, std::expm1},
      {"pow", 2, 2, real_function, false, false, nullptr, std::pow, nullptr, std::pow},
      {"fmod", 2, 2, real_function, false, false, nullptr, std::fmod, nullptr, std::fmod},
      {"atan2", 2, 2, real_function, false, false, nullptr, std::atan2, nullptr, std::atan2},
      {"hypot", 2, 2, real_function, false, false, nullptr, std::hypot, nullptr, std::hypot},
      {"ldexp ldexpf", 2, 2, scale},
      {"abs labs", 1, 1, absolute},
      {"min max fmin fmax fminf fmaxf", 2, 2, least_or_greatest},
      {"atoi atol atoll atof stoi stol stoul stoll stoull stof stod strtol strtoul strtod strtof strtoll strtoull", 1,
       3, number_of_text},
      {"strlen", 1, 1, strlen_},
      {"__float2half __double2half __float2half_rn", 1, 1, to_half},
      {"__half2float __bfloat162float", 1, 1, to_float},
      {"__float2bfloat16", 1, 1, to_bfloat},
      {"move forward ref cref", 1, 1, itself},
      {"raw_pointer_cast", 1, 1, as_pointer},
      {"malloc _mm_malloc", 1, 255, allocate},
      {"calloc aligned_alloc", 2, 255, allocate},
      {"make_unique make_unique_for_overwrite make_shared", 0, 255, make_object},
  };
  return rows;
}

}  // namespace lanescope::source::host
