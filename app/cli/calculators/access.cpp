#include "profiling/access/access.h"

#include <fmt/compile.h>
#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>

#include "app/cli/answers/answer.h"
#include "app/cli/answers/report.h"
#include "app/cli/calculators/calculators.h"
#include "app/cli/render/render.h"
#include "kernels/base/json_fields.h"
#include "kernels/base/numbers.h"
#include "kernels/base/text.h"
#include "profiling/access/patterns.h"
#include "viz/views/memory/calculator.h"

namespace lanescope::cli {
namespace {

namespace sj = simdjson;

/// Throws a sentence: batches of a million lines have no room for diagnostics by value. It extends no further than here.
struct Wrong {
  std::string words;
};

/// Of a line of a batch: architectures and paths are for single accesses.
AccessRoute route_to(std::string_view space) {
  const std::optional<trace::MemorySpace> named = access_space(space);
  if (!named) throw Wrong{fmt::format("the space '{}' is neither shared, global, constant nor local", space)};
  return AccessRoute{.space = *named};
}

void set_kind(std::string_view op, access::Access& p) {
  if (op != "ld" && op != "st") throw Wrong{fmt::format("the op '{}' is neither ld nor st", op)};
  p.kind = op == "ld" ? trace::AccessKind::load : trace::AccessKind::store;
}

std::uint32_t parse_mask(std::string_view text) {
  if (text.starts_with("0x") || text.starts_with("0X")) text.remove_prefix(2);
  const auto mask = number_in<std::uint32_t>(text, 16);
  if (!mask) throw Wrong{fmt::format("the mask '{}' is not a hexadecimal number of 32 bits", text)};
  return *mask;
}

void check_pattern(const access::Access& p) {
  const int w = p.width_bytes;
  if (w != 1 && w != 2 && w != 4 && w != 8 && w != 16)
    throw Wrong{fmt::format("the width is {} bytes; lanes access 1, 2, 4, 8 or 16 bytes", w)};
  const std::uint64_t inside = static_cast<std::uint64_t>(w) - 1;
  for (std::size_t lane = 0; lane < 32; ++lane)
    if ((p.mask >> lane & 1) && (p.addresses[lane] & inside) != 0)
      throw Wrong{fmt::format(
          "the offset {1} of lane {0} is not a multiple of the width {2}; the hardware faults on misaligned accesses",
          lane, p.addresses[lane], w)};
}

/// One line of JSON: read, priced, and written again with the costs after what it said.
class Batch {
 public:
  /// SIMDJSON_PADDING bytes after `text` must be readable; what they hold does not matter.
  void line(std::string_view text, std::string& out) {
    try {
      const access::Access p = parse(text);
      check_pattern(p);
      out.append(text.substr(0, text.find_last_of('}')));
      out += ',';
      append_cost(out, route_, p);
      out += "}\n";
    } catch (const sj::simdjson_error& e) {
      throw Wrong{fmt::format("this line cannot be read: {}", e.what())};
    }
  }

 private:
  access::Access parse(std::string_view text) {
    access::Access p;
    sj::ondemand::document document = parser_.iterate(sj::padded_string_view(text, text.size() + sj::SIMDJSON_PADDING));
    bool has_space = false, has_op = false, has_offsets = false, has_width = false;
    for (auto field : document.get_object()) {
      const std::string_view key = field.unescaped_key();
      if (key == "space")
        set_space(field.value().get_string()), p.space = route_.space, has_space = true;
      else if (key == "op")
        set_kind(field.value().get_string(), p), has_op = true;
      else if (key == "width")
        p.width_bytes = width_of(field.value().get_int64()), has_width = true;
      else if (key == "mask")
        p.mask = mask_of(field.value());
      else if (key == "offsets")
        read_offsets(field.value(), p), has_offsets = true;
    }
    const char* left = nullptr;
    if (document.current_location().get(left) == sj::SUCCESS)
      throw Wrong{"there is text after the object on this line"};
    if (!has_space || !has_op || !has_offsets || !has_width)
      throw Wrong{"this line needs space, op, width and offsets"};
    return p;
  }
  /// Most batches name one space.
  void set_space(std::string_view space) {
    if (space == space_) return;
    route_ = route_to(space);
    space_ = space;
  }
  static int width_of(std::int64_t width) { return width >= 0 && width <= 16 ? static_cast<int>(width) : 0; }
  static std::uint32_t mask_of(sj::ondemand::value value) {
    if (value.type() == sj::ondemand::json_type::string) return parse_mask(value.get_string());
    const std::uint64_t mask = value.get_uint64();
    if (mask > 0xffffffffu) throw Wrong{"the mask has more than 32 bits"};
    return static_cast<std::uint32_t>(mask);
  }
  static void read_offsets(sj::ondemand::value value, access::Access& p) {
    std::size_t lane = 0;
    for (auto offset : value.get_array()) {
      if (lane == 32) throw Wrong{"there are more than 32 offsets"};
      p.addresses[lane++] = offset.get_uint64();
    }
    if (lane != 32) throw Wrong{fmt::format("there are {} offsets; a warp has 32 lanes", lane)};
  }

  sj::ondemand::parser parser_;
  std::string space_;
  AccessRoute route_;
};

/// Standard input line by line, from large blocks. A line lies in the block itself, with readable bytes after it.
class Lines {
 public:
  Lines() : block_(std::size_t{1} << 20) {}
  /// False at the end of the input.
  bool next(std::string_view& line) {
    std::size_t searched = begin_;
    for (;;) {
      const void* const at = std::memchr(block_.data() + searched, '\n', end_ - searched);
      if (at != nullptr) return take(static_cast<std::size_t>(static_cast<const char*>(at) - block_.data()), line);
      searched = end_ - begin_;  // where this line's unsearched part lies once the block is moved to its front
      if (!refill()) return begin_ < end_ && take(end_, line);
    }
  }

 private:
  bool take(std::size_t stop, std::string_view& line) {
    line = {block_.data() + begin_, stop - begin_};
    begin_ = std::min(stop + 1, end_);
    return true;
  }
  bool refill() {
    std::memmove(block_.data(), block_.data() + begin_, end_ - begin_);
    end_ -= begin_, begin_ = 0;
    if (end_ + sj::SIMDJSON_PADDING >= block_.size()) block_.resize(block_.size() * 2);
    const std::size_t got = std::fread(block_.data() + end_, 1, block_.size() - sj::SIMDJSON_PADDING - end_, stdin);
    end_ += got;
    return got > 0;
  }
  std::vector<char> block_;
  std::size_t begin_ = 0, end_ = 0;  ///< what is read and not yet given out
};

/// Lines come out as they go in, one for one; an interactive reader sees them when the input ends or a block is full.
int from_stdin() {
  constexpr std::size_t flush_bytes = 1 << 20;
  Batch batch;
  Lines lines;
  std::string_view text;
  std::string out;
  out.reserve(flush_bytes + (1 << 16));
  int status = all_good;
  for (std::uint64_t number = 1; lines.next(text); ++number) {
    if (text.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    try {
      batch.line(text, out);
    } catch (const Wrong& wrong) {
      report({{.file = "stdin",
               .line = static_cast<int>(number),
               .message = wrong.words,
               .remedy = "lines before and after it are not affected"}});
      out += line_of(fields("error", wrong.words)) + "\n";
      status = bad_input;
    }
    if (out.size() > flush_bytes) put(out), out.clear();
    if (!standard_output_works()) break;
  }
  put(out);
  if (std::ferror(stdin) == 0) return status;
  report("stdin", "standard input cannot be read", "give it lines of JSON");
  return not_here;
}

/// Shapes with random numbers: what follows their name is a seed.
bool is_drawn(access::Shape shape) { return shape == access::Shape::permuted || shape == access::Shape::scattered; }
bool takes_number(access::Shape shape) { return is_drawn(shape) || !access::meaning_of_amount(shape).empty(); }

/// "stride:2": the name of a shape and what it takes.
access::PatternSpec spec_of(const AccessOptions& o, const access::Access& p) {
  access::PatternSpec spec{
      .space = p.space, .kind = p.kind, .width_bytes = p.width_bytes, .mask = p.mask, .formula = o.formula};
  if (!o.formula.empty()) {
    spec.shape = access::Shape::formula;
    return spec;
  }
  const std::size_t colon = o.pattern.find(':');
  const auto shape = access::shape_of(o.pattern.substr(0, colon));
  const auto names = typed_patterns();
  if (!shape || !one_of(access::name_of(*shape), names))
    throw Wrong{fmt::format("there is no pattern '{}'; the patterns are {}", o.pattern.substr(0, colon),
                            fmt::join(names, ", "))};
  spec.shape = *shape;
  if (colon == std::string::npos) return spec;
  if (!takes_number(*shape)) throw Wrong{fmt::format("the pattern {} takes no number", access::name_of(*shape))};
  const auto amount = number_in<decltype(spec.amount)>(std::string_view(o.pattern).substr(colon + 1));
  if (!amount) throw Wrong{fmt::format("'{}' has no number after its colon", o.pattern)};
  spec.amount = *amount;
  if (is_drawn(*shape) && spec.amount < 0) throw Wrong{fmt::format("the seed {} is negative", spec.amount)};
  spec.seed = static_cast<std::uint64_t>(spec.amount);
  return spec;
}

/// Offsets from wherever they were given.
void set_offsets(const AccessOptions& o, access::Access& p) {
  const int ways = (o.offsets.empty() ? 0 : 1) + (o.pattern.empty() ? 0 : 1) + (o.formula.empty() ? 0 : 1);
  if (ways > 1) throw Wrong{"give only one of offsets, pattern and formula"};
  if (!o.pattern.empty() || !o.formula.empty()) {
    auto made = access::make_pattern(spec_of(o, p));
    if (!made) throw Wrong{made.error().front().message};
    p = *made;
    return;
  }
  if (o.offsets.size() != 32) throw Wrong{fmt::format("there are {} offsets; a warp has 32 lanes", o.offsets.size())};
  std::copy(o.offsets.begin(), o.offsets.end(), p.addresses.begin());
}

/// Options of a picture where there is none, and those of banks where there are none.
Diagnostics misplaced(const AccessOptions& o) {
  const auto given = [&](std::string_view option) { return one_of(option, o.given); };
  Diagnostics wrong;
  for (const std::string_view option : {"--theme", "--what-if", "--wavefront"}) {
    if (!given(option)) continue;
    if (o.output.empty())
      wrong.push_back({.message = fmt::format("{} is for a picture", option), .remedy = "name one with -o"});
    else if (option != "--theme" && o.space != "shared")
      wrong.push_back(
          {.message = fmt::format("{} is for shared memory", option), .remedy = "leave it out, or use --space shared"});
  }
  return wrong;
}

/// Options beside --stdin, whose lines say everything.
Diagnostics unread_beside_stdin(const AccessOptions& o) {
  Diagnostics wrong;
  for (const std::string& option : o.given)
    if (!one_of(option, {"--stdin", "--json"}))
      wrong.push_back(
          {.message = fmt::format("{} is not read beside --stdin", option), .remedy = "write it in the lines"});
  return wrong;
}

/// Of the first byte of each lane, active or not.
std::array<std::uint64_t, 32> banks_of(const access::Access& p, const access::MemoryModel& memory) {
  std::array<std::uint64_t, 32> banks{};
  std::ranges::transform(p.addresses, banks.begin(), [&](std::uint64_t address) {
    return address / static_cast<std::uint64_t>(memory.bank_bytes) % static_cast<std::uint64_t>(memory.banks);
  });
  return banks;
}

Status draw_access(const AccessOptions& o, const AccessRoute& route, const access::Access& p, Diagnostics& wrong) {
  if (route.space == trace::MemorySpace::local) {
    wrong = {{.message = "there is no picture of local memory", .remedy = "leave -o out"}};
    return bad_input;
  }
  wrong = wrong_picture(o.output, o.theme);
  const auto what_if = parse_what_if(o.what_if);
  if (!what_if) wrong.insert(wrong.end(), what_if.error().begin(), what_if.error().end());
  const bool played = one_of("--wavefront", o.given);
  if (played && wrong.empty()) wrong = wrong_wavefront(access::cost(p).wavefronts, o.wavefront);
  if (!wrong.empty()) return bad_input;
  const views::CalculatorOptions options{.wavefront = played ? o.wavefront : -1,
                                         .what_if = *what_if,
                                         .arch = route.arch,
                                         .memory = route.memory,
                                         .path = route.path};
  const Drawn drawn{.scene = views::calculator_view(p, options, theme_of(o.theme)), .csv = views::to_csv(p)};
  if (auto written = write_picture(drawn, o.output, o.theme, 2); !written) return wrong = written.error(), not_here;
  return all_good;
}

}  // namespace

std::vector<std::string> typed_patterns() {
  std::vector<std::string> names;
  for (const access::Shape shape : access::shapes())
    if (shape != access::Shape::formula && shape != access::Shape::map) names.emplace_back(access::name_of(shape));
  return names;
}

int access(const AccessOptions& options) {
  const auto refuse_all = [&](const Diagnostics& wrong, Status status) {
    return print({.status = status, .diagnostics = wrong}, options.json);
  };
  if (options.from_stdin) {
    if (const Diagnostics wrong = unread_beside_stdin(options); !wrong.empty()) return refuse_all(wrong, bad_input);
    return from_stdin();
  }
  try {
    access::Access p;
    set_kind(options.op, p);
    p.width_bytes = options.width;
    p.mask = parse_mask(options.mask);
    set_offsets(options, p);
    check_pattern(p);
    const Expected<AccessRoute> route = access_route(options);
    if (!route) return refuse_all(route.error(), bad_input);
    p.space = route->space;
    if (const Diagnostics wrong = misplaced(options); !wrong.empty()) return refuse_all(wrong, bad_input);
    Diagnostics wrong;
    if (!options.output.empty())
      if (const Status drawn = draw_access(options, *route, p, wrong); drawn != all_good)
        return refuse_all(wrong, drawn);
    const AccessRoute taken = with_default_path(*route, p);
    std::string fields;
    append_cost(fields, taken, p);
    if (options.json) {
      std::string chosen;
      if (!route->arch.empty()) chosen += fmt::format("\"arch\":\"{}\",", route->arch);
      if (!options.path.empty())
        chosen += fmt::format("\"path\":\"{}\",", options.path);
      else if (taken.path)
        chosen += fmt::format("\"path\":\"{}\",", access::name_of(*taken.path));
      if (route->space == trace::MemorySpace::shared)
        chosen += fmt::format("\"banks\":[{}],", fmt::join(banks_of(p, route->memory), ","));
      const std::string_view space = !options.space.empty()                         ? std::string_view(options.space)
                                     : route->space == trace::MemorySpace::constant ? "constant"
                                                                                    : "global";
      say("{{\"space\":\"{}\",\"op\":\"{}\",\"width\":{},\"mask\":{},\"offsets\":[{}],{}{}}}\n", space, options.op,
          options.width, p.mask, fmt::join(p.addresses, ","), chosen, fields);
    } else {
      for (char& c : fields)
        if (c == ',')
          c = '\n';
        else if (c == ':')
          c = ' ';
      std::erase(fields, '"');
      if (options.path.empty() && taken.path)
        say("path {} (the default of {})\n", access::name_of(*taken.path), taken.arch);
      say("{}\n", fields);
    }
    return all_good;
  } catch (const Wrong& wrong) {
    return refuse_all({{.message = wrong.words, .remedy = "see lanescope access --help"}}, bad_input);
  }
}

}  // namespace lanescope::cli
