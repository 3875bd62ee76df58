#include "kernels/source/contracts.h"

#include <algorithm>
#include <bit>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "kernels/base/text.h"
#include "kernels/source/contract_input.h"
#include "kernels/source/cxx/number_types.h"
#include "kernels/source/notation/claim_variables.h"

namespace lanescope::source {
namespace {

using layout::Place;

constexpr int most_statements = 4096;    ///< that fill the registers of one claim
constexpr int shared_bytes = 32768;      ///< behind each pointer to shared memory
constexpr int other_elements = 1 << 16;  ///< of an array in global memory that nothing is claimed about

/// A parameter as the generated kernel declares it: an object, where the function has a pointer or a reference.
struct Object {
  std::string type, extents;  ///< of one element; "[4][2]"
  bool pointer = false;
};

std::string without_words(std::string_view type, std::initializer_list<std::string_view> unwanted) {
  std::string out;
  for (const std::string& word : words_between(type, " \t\n"))
    if (!one_of(word, unwanted)) out += (out.empty() ? "" : " ") + word;
  return out;
}

Object object_of(const Parameter& p) {
  std::string type = p.type;
  if (const std::size_t at = type.find("(&)"); at != std::string::npos) type.resize(at);
  if (type.ends_with("[]")) type.resize(type.size() - 2);
  Object out{.type = {}, .extents = p.extents};
  for (std::string_view mark : {"&", "*"})
    for (std::size_t at = type.find(mark); at != std::string::npos; at = type.find(mark)) {
      out.pointer = out.pointer || mark == "*";
      type.replace(at, 1, " ");
    }
  out.type = without_words(type, {"const", "__restrict__", "__restrict", "restrict", "volatile"});
  return out;
}

/// "u32" and the C++ type of its loads; bits are 8, 16, 32 or 64.
std::string element_type(int bits) { return bits == 1 ? "b1" : fmt::format("u{}", bits); }
std::string_view word_type(int bits) {
  return bits == 8 ? "unsigned char" : bits == 16 ? "unsigned short" : bits == 32 ? "unsigned" : "unsigned long long";
}

class Generator {
 public:
  Generator(const Lexed& lexed, const Outline& outline, const Bound& bound)
      : lexed_(lexed), outline_(outline), bound_(bound), values_(known_values(lexed, {}, {})) {}

  /// nullopt: no claim of the function states its input.
  std::optional<ContractKernel> of(int function) {
    f_ = &outline_.functions[static_cast<std::size_t>(function)];
    out_ = {};
    inputs_.clear();
    find_inputs(function);
    if (inputs_.empty()) return std::nullopt;
    out_.contract.function = f_->info.name;
    out_.contract.kernel = "contract_of_" + f_->info.name;
    for (const Input& i : inputs_) out_.contract.given.push_back(i.claim);
    out_.contract.line = claim(inputs_.front()).first_line;
    for (const Parameter& p : f_->info.parameters)
      if (p.type.find_first_of("*&[") != std::string::npos && !inputs_.front().parameters.contains(p.name))
        out_.only_array = false;
    const Values of_file = values_;
    write();
    values_ = of_file;  // without template arguments
    if (!out_.contract.problem.empty()) return ContractKernel{.contract = out_.contract, .only_array = out_.only_array};
    return std::move(out_);
  }

 private:
  struct Input {
    int claim = 0;
    std::set<std::string> parameters;
  };
  struct Part {
    std::string expression;  ///< "V", "s.v4", "x0"
    std::uint64_t bytes = 0;
  };

  const Claim& claim(const Input& i) const { return bound_.claims[static_cast<std::size_t>(i.claim)]; }
  const Parameter* parameter(std::string_view name) const {
    const auto p = std::ranges::find(f_->info.parameters, name, &Parameter::name);
    return p == f_->info.parameters.end() ? nullptr : &*p;
  }
  void refuse(std::string why) {
    if (out_.contract.problem.empty()) out_.contract.problem = std::move(why);
  }

  void find_inputs(int function) {
    std::set<std::string> known;
    for (std::size_t n = 0; n < bound_.claims.size(); ++n) {
      const Claim& c = bound_.claims[n];
      if (c.probe < 0 || c.registers.empty() || !c.unchecked_reason.empty() || c.alternative_of >= 0) continue;
      const int token = bound_.probes[static_cast<std::size_t>(c.probe)].token;
      if (outline_.function_at(token) != function && token != f_->open) continue;
      Input input{.claim = static_cast<int>(n), .parameters = {}};
      bool all = true;
      for (const int id : c.registers) {
        const std::string base = parts_of(bound_.variables[static_cast<std::size_t>(id)].name).base;
        all = all && parameter(base) != nullptr &&
              bound_.variables[static_cast<std::size_t>(id)].function == f_->info.name;
        input.parameters.insert(base);
      }
      all = all && std::ranges::none_of(input.parameters, [&](const std::string& p) { return known.contains(p); });
      for (int i = f_->open; i <= token && all; ++i) all = !input.parameters.contains(std::string(lexed_.of(i)));
      if (!all || !c.forward_words.empty()) continue;
      known.insert(input.parameters.begin(), input.parameters.end());
      inputs_.push_back(std::move(input));
    }
  }

  /// "a::b::" of the namespaces around the function; nullopt: it is a method, or in a function.
  std::optional<std::string> namespaces() const {
    if (f_->of_class >= 0 || f_->member) return std::nullopt;
    std::string out;
    for (int i = 0; i < f_->head; ++i) {
      if (!lexed_.is(i, "{")) continue;
      const int close = lexed_.partner(i);
      if (close < f_->head) {
        i = std::max(i, close);
        continue;
      }
      int at = i - 1;
      std::string name;
      while (at > 0 && (lexed_.token(at).kind == TokenKind::identifier || lexed_.is(at, "::")) &&
             !lexed_.is(at, "namespace"))
        name = std::string(lexed_.of(at--)) + name;
      if (!lexed_.is(at, "namespace")) {
        if (!lexed_.is(i - 2, "extern")) return std::nullopt;
        continue;
      }
      if (name.starts_with("inline")) name.erase(0, 6);
      if (!name.empty()) out += name + "::";
    }
    return out;
  }

  /// Template parameters as aliases and constants of the generated kernel, and the list of them; false: one is unknown.
  bool read_template(std::string& definitions, std::string& list) {
    if (!f_->info.is_template) return true;
    int i = f_->head;
    while (i < f_->open && !lexed_.is(i, "<")) ++i;
    const int first = i + 1;
    int depth = 0, end = first;
    for (; end < f_->open; ++end) {
      if (lexed_.partner(end) > end) end = lexed_.partner(end);
      if (lexed_.is(end, "<")) ++depth;
      if (lexed_.is(end, ">") && depth-- == 0) break;
    }
    bool simd = false;
    for (const Input& input : inputs_) simd = simd || claim(input).stated.bits(Place::simd) > 0;
    std::vector<std::string> names;
    for (int at = first; at < end;) {
      int stop = at, inner = 0;
      for (; stop < end && (inner > 0 || !lexed_.is(stop, ",")); ++stop) {
        if (lexed_.is(stop, "<")) ++inner;
        if (lexed_.is(stop, ">")) --inner;
        if (lexed_.partner(stop) > stop) stop = lexed_.partner(stop);
      }
      int equals = at;
      while (equals < stop && !lexed_.is(equals, "=")) ++equals;
      const std::string name(lexed_.of(equals - 1));
      if (one_of(lexed_.of(at), {"typename", "class"})) {
        if (lexed_.is(at + 1, "...")) return false;
        const std::string type = equals < stop ? joined(lexed_, equals + 1, stop - 1) : simd ? "unsigned" : "float";
        if (equals == stop)
          out_.assumed.push_back({.code = Assumption::Code::template_arguments,
                                  .kernel = out_.contract.kernel,
                                  .name = name,
                                  .value = type,
                                  .because = "a type that nothing gives"});
        definitions += fmt::format("using {} = {}; ", name, type);
        if (const auto number = number_type(type)) types_[name] = static_cast<std::uint64_t>(number->bytes);
      } else {
        std::string value = equals < stop ? joined(lexed_, equals + 1, stop - 1) : extent_by_claim(name);
        if (value.empty()) return false;
        definitions += fmt::format("constexpr {} {} = {}; ", joined(lexed_, at, equals - 2), name, value);
        if (const ConstantValue known = evaluate(value, values_)) values_[name] = *known;
      }
      names.push_back(name);
      at = stop + 1;
    }
    list = fmt::format("<{}>", fmt::join(names, ", "));
    return true;
  }

  /// The number of elements of a claimed array whose extent is this template parameter.
  std::string extent_by_claim(const std::string& name) const {
    for (const Input& input : inputs_)
      for (const std::string& p : input.parameters)
        if (const Parameter* own = parameter(p); own->extents == "[" + name + "]" && input.parameters.size() == 1)
          return std::to_string(1 << std::min(claim(input).stated.bits(Place::reg), 12));
    return {};
  }

  std::uint64_t bytes_of_type(const std::string& type) const {
    const auto alias = types_.find(type);
    if (alias != types_.end()) return alias->second;
    return bytes_of({.type = type, .extents = {}, .pointer = false}, outline_, values_);
  }

  /// The objects of a claim in the order of its registers; extents that the text leaves open are filled in.
  std::vector<Part> parts_of_claim(const Input& input, std::map<std::string, std::string>& extents) {
    const Claim& c = claim(input);
    std::vector<Part> out;
    const std::uint64_t registers = std::uint64_t{1} << std::min(c.stated.bits(Place::reg), 12);
    for (const int id : c.registers) {
      const NamePath path = parts_of(bound_.variables[static_cast<std::size_t>(id)].name);
      const Parameter* p = parameter(path.base);
      const Object object = object_of(*p);
      Part part{.expression = path.base + path.path};
      if (!path.path.empty()) {
        const auto local = std::ranges::find_if(outline_.locals, [&](const Local& l) {
          return l.parameter && l.name == path.base && &outline_.functions[static_cast<std::size_t>(l.function)] == f_;
        });
        const auto selected =
            local == outline_.locals.end() ? std::nullopt : object_at(lexed_, outline_, values_, *local, path.path);
        if (selected) part.bytes = bytes_of(*selected, outline_, values_);
        if (object.pointer) part.bytes = 0;
      } else {
        part.bytes = bytes_of_type(object.type);
        std::string known;
        std::uint64_t count = 1;
        for (std::size_t at = 0; at < object.extents.size(); at = object.extents.find(']', at) + 1) {
          const std::size_t end = object.extents.find(']', at);
          const ConstantValue value = evaluate(object.extents.substr(at + 1, end - at - 1), values_);
          if (value && *value > 0) count *= static_cast<std::uint64_t>(*value), known += fmt::format("[{}]", *value);
        }
        const bool open = object.pointer || (!object.extents.empty() && known.empty());
        if (open && part.bytes > 0) {
          count =
              std::max<std::uint64_t>(registers * std::max<std::uint64_t>(4, std::min<std::uint64_t>(part.bytes, 8)) /
                                          (part.bytes * c.registers.size()),
                                      1);
          known = fmt::format("[{}]", count);
        }
        part.bytes *= count;
        extents[path.base] = known;
      }
      if (part.bytes == 0) refuse(fmt::format("the size of `{}` is not known", part.expression));
      out.push_back(std::move(part));
    }
    return out;
  }

  /// Statements that fill the registers of a claim, and those that store them again.
  void fill(const Input& input, std::string& fills, std::string& stores) {
    const Claim& c = claim(input);
    const std::vector<Part> parts = parts_of_claim(input, extents_);
    if (!out_.contract.problem.empty()) return;
    std::uint64_t bytes = 0;
    for (const Part& p : parts) bytes += p.bytes;
    const Object first = object_of(*parameter(parts_of(parts.front().expression).base));
    auto stated = stated_input(c, bytes, bytes_of_type(first.type), warp_bits_);
    if (!stated) return refuse(std::move(stated.error()));
    StatedInput& in = *stated;
    const int unit = in.unit_bits, grain = in.buffer.element_bits, units = in.units, simd = in.simd_bits();
    const int n = static_cast<int>(inputs_.size()) > 1 ? static_cast<int>(&input - inputs_.data()) : -1;
    in.buffer.name = n < 0 ? "input" : fmt::format("input{}", n);
    std::string at = std::to_string(in.element(in.map.map.constant)), condition;
    for (const auto& [place, value] : {std::pair<Place, std::string_view>{Place::thread, "lane"},
                                       {Place::warp, "warp"},
                                       {Place::block, "blockIdx.x"}})
      for (int bit = 0; bit < in.map.shape.bits[static_cast<std::size_t>(place)]; ++bit) {
        const std::string is = fmt::format("({}{} >> {} & 1u)", place == Place::block ? "" : "contract_", value, bit);
        const std::uint64_t column = in.element(in.column(place, bit));
        if (column != 0) at += fmt::format(" ^ {} * {}u", is, column);
        if (in.junk(place, bit)) condition += fmt::format("{}{} == 0", condition.empty() ? "" : " && ", is);
      }
    const std::string index = fmt::format("contract_at{}", n < 0 ? "" : std::to_string(n));
    fills += fmt::format("const unsigned {} = {}; ", index, at);
    if (!condition.empty()) fills += fmt::format("if ({}) {{ ", condition);
    if (units << simd > most_statements) return refuse("it has too many registers");
    const std::string out_name = n < 0 ? "output" : fmt::format("output{}", n);
    std::size_t part = 0;
    std::uint64_t before = 0;  // bytes of the parts before
    bool changes = false;
    for (const std::string& p : input.parameters) {
      const std::string& type = parameter(p)->type;
      const bool reference = type.find_first_of("&*[") != std::string::npos;
      changes = changes || (reference && type.find("const") == std::string::npos);
    }
    for (int r = 0; r < units; ++r) {
      const std::uint64_t byte = static_cast<std::uint64_t>(r) * static_cast<std::uint64_t>(unit) / 8;
      while (byte >= before + parts[part].bytes) before += parts[part++].bytes;
      bool is_junk = false;
      std::uint64_t logical = 0;
      for (int bit = 0; 1 << bit < units; ++bit) {
        if ((r >> bit & 1) == 0) continue;
        is_junk = is_junk || in.junk(Place::reg, bit);
        logical ^= in.column(Place::reg, bit);
      }
      if (changes)
        stores += fmt::format(
            "contract_{}[{}u * contract_threads + contract_thread] = reinterpret_cast<const {}*>(&{})[{}]; ", out_name,
            r, word_type(unit), parts[part].expression, (byte - before) * 8 / static_cast<std::uint64_t>(unit));
      if (in.as_words && !is_junk)
        fills += fmt::format("reinterpret_cast<{}*>(&{})[{}] = contract_{}[({} ^ {}u) >> {}]; ", word_type(unit),
                             parts[part].expression, (byte - before) * 8 / static_cast<std::uint64_t>(unit),
                             in.buffer.name, index, in.element(logical), simd);
      for (int s = 0; s < 1 << simd && !is_junk && !in.as_words; ++s) {
        std::uint64_t own = logical;
        bool is_unset = false;
        for (int bit = 0; bit < simd; ++bit) {
          if ((s >> bit & 1) == 0) continue;
          is_unset = is_unset || in.junk(Place::simd, bit);
          own ^= in.column(Place::simd, bit);
        }
        if (is_unset) continue;
        fills += fmt::format(
            "reinterpret_cast<{}*>(&{})[{}] = contract_{}[{} ^ {}u]; ", word_type(grain), parts[part].expression,
            ((byte - before) * 8 + static_cast<std::uint64_t>(s * grain)) / static_cast<std::uint64_t>(grain),
            in.buffer.name, index, in.element(own));
      }
    }
    if (!condition.empty()) fills += "} ";
    add_buffer(in.buffer, word_type(in.as_words ? unit : grain), true);
    if (!changes) return;
    BufferSpec result{.name = out_name, .element_type = element_type(unit), .element_bits = unit};
    result.axes = {{.name = "n", .extent = static_cast<std::uint64_t>(units) * threads()}};
    result.initial.kind = Contents::Kind::zeros;
    result.inferred = result.generated = true;
    lay_out(result);
    add_buffer(std::move(result), word_type(unit), false);
  }

  std::uint64_t threads() const { return std::uint64_t{32} << warp_bits_ << block_bits_; }

  /// The kernel's parameter is called contract_NAME, so that it is no parameter of the function.
  void add_buffer(BufferSpec spec, std::string_view type, bool constant) {
    parameters_.push_back(fmt::format("{}{}* contract_{}", constant ? "const " : "", type, spec.name));
    out_.launch.arguments.push_back({.parameter = "contract_" + spec.name,
                                     .type = fmt::format("{}{}*", constant ? "const " : "", type),
                                     .value = std::string(),
                                     .is_buffer = true});
    out_.buffers.push_back(std::move(spec));
  }

  /// A parameter that no claim is about: its declaration and value.
  std::string other(const Parameter& p, const std::string& name) {
    const Object object = object_of(p);
    const std::string low = lower(name);
    if (!object.extents.empty()) return fmt::format("{} {}{} = {{}}; ", object.type, name, object.extents);
    if (object.pointer) {
      const bool constant = p.type.find("const") != std::string::npos;
      if (!constant)
        return fmt::format(
            "__shared__ __align__(16) unsigned char contract_memory_{0}[{1}]; {2}* {0} = "
            "reinterpret_cast<{2}*>(contract_memory_{0}); ",
            name, shared_bytes, object.type);
      const auto number = number_type_in(object.type);
      BufferSpec spec{.name = "array_" + name,
                      .element_type = std::string(number ? number->element_type : "u32"),
                      .element_bits = number ? 8 * number->bytes / number->numbers : 32};
      spec.axes = {{.name = "n_" + name, .extent = other_elements}};
      spec.contents_assumed = spec.size_assumed = spec.inferred = spec.generated = true;
      lay_out(spec);
      add_buffer(spec, object.type, true);
      return fmt::format("const {}* {} = contract_array_{}; ", object.type, name, name);
    }
    const auto declared = [&](std::string_view value) { return fmt::format("{} {} = {}; ", object.type, name, value); };
    const auto number = number_type(object.type);
    if (!number && bytes_of_type(object.type) == 0 && object.type != "bool")
      return fmt::format("{} {}{{}}; ", object.type, name);
    if (number && number->numbers > 1) return fmt::format("{} {}{{}}; ", object.type, name);
    if (one_of(low, {"lane", "laneid", "lane_id", "lid", "l", "lane_idx", "laneidx"})) return declared("contract_lane");
    if (one_of(low, {"warp", "warpid", "warp_id", "wid", "w", "warp_idx", "warpidx"})) return declared("contract_warp");
    if (one_of(low, {"tid", "t", "thread", "threadid", "thread_id", "tx", "tidx", "thread_idx", "threadidx"}))
      return declared("contract_in_block");
    if (one_of(low, {"bid", "block", "blockid", "block_id", "bx", "block_idx"})) return declared("blockIdx.x");
    if (low.find("mask") != std::string::npos) return declared("0xffffffffu");
    const std::vector<std::string> values = deciding_values(name, object.type);
    if (values.size() > 1 && tries_ * values.size() <= most_tries) return declared(one_after_the_other(name, values));
    if (!p.initial.empty()) return declared(p.initial);
    const bool real = number && (number->element_type.starts_with('f') || number->element_type.starts_with('b'));
    const bool lane = !real && used_as_index(name);
    const std::string_view value = lane ? "the number of the thread" : real ? "1" : "0";
    out_.assumed.push_back(
        {.code = Assumption::Code::scalar,
         .kernel = out_.contract.kernel,
         .name = name,
         .value = std::string(value),
         .because = lane ? "its bits are taken apart" : "the default for a parameter that nothing gives"});
    return declared(lane ? "contract_in_block" : value);
  }

  /// Values between which the function decides: both of a bool, and for a whole number that it compares with literals, or
  /// uses as a condition, these with 0 and 1. Empty: it decides nothing.
  std::vector<std::string> deciding_values(std::string_view name, std::string_view type) const {
    if (type == "bool") return {"false", "true"};
    const auto number = number_type(type);
    if (!number || number->element_type.starts_with('f') || number->element_type.starts_with('b')) return {};
    std::vector<std::string> out;
    const auto add = [&](std::string value) {
      if (std::ranges::find(out, value) == out.end()) out.push_back(std::move(value));
    };
    for (int i = f_->open; i + 2 < f_->close; ++i) {
      if (lexed_.of(i) != name || lexed_.is(i - 1, ".") || lexed_.is(i - 1, "->")) continue;
      const bool compared = one_of(lexed_.of(i + 1), {"==", "!="});
      const bool alone = one_of(lexed_.of(i - 1), {"(", "!", "&&", "||"}) &&
                         one_of(lexed_.of(i + 1), {")", "?", "&&", "||"}) &&
                         (lexed_.is(i + 1, "?") || lexed_.is(i - 1, "!") || lexed_.is(i - 2, "if"));
      if (compared || alone) add("0"), add("1");
      if (compared && lexed_.token(i + 2).kind == TokenKind::number) add(std::string(lexed_.of(i + 2)));
    }
    return out.size() <= most_values ? out : std::vector<std::string>{};
  }

  /// The expression that is each value in turn, together with those of other parameters.
  std::string one_after_the_other(std::string_view name, const std::vector<std::string>& values) {
    std::string out = values.back();
    for (std::size_t n = values.size() - 1; n-- > 0;)
      out = fmt::format("contract_try / {}u % {}u == {}u ? {} : {}", tries_, values.size(), n, values[n], out);
    tries_ *= values.size();
    if (values.front() != "false")
      out_.assumed.push_back(
          {.code = Assumption::Code::scalar,
           .kernel = out_.contract.kernel,
           .name = std::string(name),
           .value = fmt::format("one of {} and {}", fmt::join(values.begin(), values.end() - 1, ", "), values.back()),
           .because = "one after the other: the function decides by them"});
    return out;
  }

  /// "name & 4", "name >> 2", "name % 32": as the number of a lane or a thread is.
  bool used_as_index(std::string_view name) const {
    for (int i = f_->open; i + 1 < f_->close; ++i)
      if (lexed_.of(i) == name && one_of(lexed_.of(i + 1), {"&", "%", ">>", "/", "^"}) && !lexed_.is(i - 1, "."))
        return true;
    return false;
  }

  /// In the function or in one that it calls.
  bool uses_rows_of_threads() const {
    std::set<const FunctionRange*> seen;
    std::vector<const FunctionRange*> to_read = {f_};
    while (!to_read.empty()) {
      const FunctionRange* f = to_read.back();
      to_read.pop_back();
      if (!seen.insert(f).second) continue;
      for (int i = f->open; i + 2 < f->close; ++i) {
        if (lexed_.is(i, "threadIdx") && lexed_.is(i + 1, ".") && lexed_.is(i + 2, "y")) return true;
        if (lexed_.token(i).kind != TokenKind::identifier || !(lexed_.is(i + 1, "(") || lexed_.is(i + 1, "<")))
          continue;
        for (const FunctionRange& other : outline_.functions)
          if (lexed_.of(i) == other.info.name) to_read.push_back(&other);
      }
    }
    return false;
  }

  void write() {
    const auto names = namespaces();
    if (!names) return refuse(fmt::format("`{}` is a method", f_->info.name));
    warp_bits_ = block_bits_ = 0;
    parameters_.clear(), extents_.clear(), types_.clear();
    tries_ = 1;
    for (const Claim& c : bound_.claims) {
      const auto v = c.registers.empty() ? nullptr : &bound_.variables[static_cast<std::size_t>(c.registers.front())];
      if (v == nullptr || v->function != f_->info.name) continue;
      warp_bits_ = std::max(warp_bits_, c.stated.bits(Place::warp));
      block_bits_ = std::max(block_bits_, c.stated.bits(Place::block));
    }
    if (warp_bits_ > 5) return refuse("it has more than 32 warps");
    if (block_bits_ > 12) return refuse("it has too many blocks");
    std::string definitions, list;
    if (!read_template(definitions, list)) return refuse("a template argument is not known");
    std::string fills, stores, objects, call;
    for (const Input& input : inputs_) fill(input, fills, stores);
    if (!out_.contract.problem.empty()) return;
    int number = 0;
    for (const Parameter& p : f_->info.parameters) {
      const std::string name = p.name.empty() ? fmt::format("contract_unnamed{}", number) : p.name;
      ++number;
      const bool claimed = std::ranges::any_of(inputs_, [&](const Input& i) { return i.parameters.contains(name); });
      if (claimed)
        objects += fmt::format("{} {}{} = {{}}; ", object_of(p).type, name, extents_[name]);
      else
        objects += other(p, name);
      call += (call.empty() ? "" : ", ") + name;
    }
    if (tries_ > 1) {
      objects =
          fmt::format("_Pragma(\"unroll 1\") for (unsigned contract_try = 0; contract_try < {}u; ++contract_try) {{ {}",
                      tries_, objects);
      stores += "__syncthreads(); } ";
    }
    const unsigned warps = 1u << warp_bits_;
    const bool rows = uses_rows_of_threads();
    out_.launch.kernel = out_.contract.kernel;
    out_.launch.grid = {1u << block_bits_, 1, 1};
    out_.launch.block =
        rows ? std::array<std::uint32_t, 3>{32, warps, 1} : std::array<std::uint32_t, 3>{32 * warps, 1, 1};
    out_.launch.line = out_.contract.line;
    out_.text = fmt::format(
        "#line {0}\n__global__ void {1}({2}) {{ [[maybe_unused]] const unsigned contract_in_block = threadIdx.x + "
        "blockDim.x * "
        "threadIdx.y, "
        "contract_lane = contract_in_block & 31u, contract_warp = contract_in_block >> 5, contract_thread = "
        "blockIdx.x * {3}u + contract_in_block, contract_threads = {4}u; {5}{6}{7}{8}{9}({10}); {11}}}\n",
        out_.contract.line, out_.contract.kernel, fmt::join(parameters_, ", "), 32 * warps, threads(), definitions,
        objects, fills, *names + f_->info.name, list, call, stores);
  }

  const Lexed& lexed_;
  const Outline& outline_;
  const Bound& bound_;
  Values values_;
  const FunctionRange* f_ = nullptr;
  ContractKernel out_;
  std::vector<Input> inputs_;
  std::map<std::string, std::string> extents_;  ///< of the objects of claims, by parameter
  std::map<std::string, std::uint64_t> types_;  ///< bytes of template parameters
  std::vector<std::string> parameters_;         ///< of the generated kernel
  int warp_bits_ = 0, block_bits_ = 0;
  static constexpr std::size_t most_values = 4, most_tries = 16;
  std::size_t tries_ = 1;  ///< calls of the function, with different numbers
};

}  // namespace

std::vector<ContractKernel> contract_kernels(const Lexed& lexed, const Outline& outline, const Bound& bound,
                                             const std::vector<bool>& host, const RefusedContracts& refused) {
  std::vector<ContractKernel> out;
  Generator generator(lexed, outline, bound);
  std::set<std::string> taken;
  for (std::size_t f = 0; f < outline.functions.size(); ++f) {
    const FunctionRange& function = outline.functions[f];
    if (function.info.is_kernel || (f < host.size() && host[f]) || !outline.reliable) continue;
    std::optional<ContractKernel> one = generator.of(static_cast<int>(f));
    if (!one || !taken.insert(one->contract.kernel).second) continue;
    if (const auto why = refused.find(one->contract.function); why != refused.end() && one->contract.problem.empty()) {
      one->contract.problem = why->second;
      one = ContractKernel{.contract = one->contract, .only_array = one->only_array};
    }
    out.push_back(std::move(*one));
  }
  return out;
}

}  // namespace lanescope::source
