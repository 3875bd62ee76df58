#include "profiling/access/access.h"

#include <fmt/format.h>
#include <simdjson.h>

#include <charconv>
#include <iostream>
#include <string>

#include "app/cli/commands.h"
#include "app/cli/report.h"

namespace lanescope::cli {
namespace {

namespace sj = simdjson;

/// Throws a sentence: batches of a million lines have no room for diagnostics by value. It goes no further than here.
struct Wrong {
  std::string words;
};

void set_space(std::string_view space, bool& shared) {
  if (space != "shared" && space != "global") throw Wrong{fmt::format("the space '{}' is neither shared nor global", space)};
  shared = space == "shared";
}

void set_direction(std::string_view op, access::Pattern& p) {
  if (op != "ld" && op != "st") throw Wrong{fmt::format("the op '{}' is neither ld nor st", op)};
  p.direction = op == "ld" ? access::Direction::load : access::Direction::store;
}

std::uint32_t parse_mask(std::string_view text) {
  if (text.starts_with("0x") || text.starts_with("0X")) text.remove_prefix(2);
  std::uint32_t mask = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), mask, 16);
  if (error != std::errc{} || end != text.data() + text.size()) throw Wrong{fmt::format("the mask '{}' is no hexadecimal number of 32 bits", text)};
  return mask;
}

void check_pattern(const access::Pattern& p) {
  const int w = p.width_bytes;
  if (w != 1 && w != 2 && w != 4 && w != 8 && w != 16) throw Wrong{fmt::format("a width of {} bytes; lanes move 1, 2, 4, 8 or 16", w)};
  for (int lane = 0; lane < 32; ++lane)
    if ((p.mask >> lane & 1) && p.addresses[static_cast<std::size_t>(lane)] % static_cast<std::uint64_t>(w) != 0)
      throw Wrong{fmt::format("lane {}'s offset {} is no multiple of the width {}: the hardware refuses it", lane,
                              p.addresses[static_cast<std::size_t>(lane)], w)};
}

/// The computed fields, without braces.
void append_cost(std::string& out, bool shared, const access::Pattern& p) {
  const auto to = std::back_inserter(out);
  if (shared) {
    const access::SharedCost c = access::shared_cost(p);
    fmt::format_to(to, R"("requests":{},"wavefronts":{},"ideal_wavefronts":{},"bank_conflicts":{})", c.requests, c.wavefronts,
                   c.ideal_wavefronts, c.bank_conflicts);
  } else {
    const access::GlobalCost c = access::global_cost(p);
    fmt::format_to(to, R"("requests":{},"sectors":{},"lines":{})", c.requests, c.sectors, c.lines);
  }
}

/// One line of JSON: read, priced, and written again with the costs behind what it said.
class Batch {
 public:
  void line(std::string_view text, std::string& out) {
    padded_.assign(text);
    padded_.reserve(padded_.size() + sj::SIMDJSON_PADDING);
    try {
      bool shared = false;
      const access::Pattern p = parse(shared);
      check_pattern(p);
      std::size_t end = padded_.find_last_of('}');
      out.append(padded_, 0, end);
      out += ',';
      append_cost(out, shared, p);
      out += "}\n";
    } catch (const sj::simdjson_error& e) {
      throw Wrong{fmt::format("this line is not as expected: {}", e.what())};
    }
  }

 private:
  access::Pattern parse(bool& shared) {
    access::Pattern p;
    sj::ondemand::document document = parser_.iterate(padded_);
    bool has_space = false, has_op = false, has_offsets = false, has_width = false;
    for (auto field : document.get_object()) {
      const std::string_view key = field.unescaped_key();
      if (key == "space") set_space(field.value().get_string(), shared), has_space = true;
      else if (key == "op") set_direction(field.value().get_string(), p), has_op = true;
      else if (key == "width") p.width_bytes = width_of(field.value().get_int64()), has_width = true;
      else if (key == "mask") p.mask = mask_of(field.value());
      else if (key == "offsets") read_offsets(field.value(), p), has_offsets = true;
    }
    if (!has_space || !has_op || !has_offsets || !has_width) throw Wrong{"this line needs space, op, width and offsets"};
    return p;
  }
  static int width_of(std::int64_t width) { return width >= 0 && width <= 16 ? static_cast<int>(width) : 0; }
  static std::uint32_t mask_of(sj::ondemand::value value) {
    if (value.type() == sj::ondemand::json_type::string) return parse_mask(value.get_string());
    const std::uint64_t mask = value.get_uint64();
    if (mask > 0xffffffffu) throw Wrong{"the mask has more than 32 bits"};
    return static_cast<std::uint32_t>(mask);
  }
  static void read_offsets(sj::ondemand::value value, access::Pattern& p) {
    std::size_t lane = 0;
    for (auto offset : value.get_array()) {
      if (lane == 32) throw Wrong{"there are more than 32 offsets"};
      p.addresses[lane++] = offset.get_uint64();
    }
    if (lane != 32) throw Wrong{fmt::format("there are {} offsets; a warp has 32 lanes", lane)};
  }

  sj::ondemand::parser parser_;
  std::string padded_;
};

int from_stdin() {
  constexpr std::size_t flush_bytes = 1 << 20;
  std::ios::sync_with_stdio(false);
  Batch batch;
  std::string text, out;
  int status = all_good;
  for (std::uint64_t number = 1; std::getline(std::cin, text); ++number) {
    if (text.find_first_not_of(" \t\r") == std::string::npos) continue;
    try {
      batch.line(text, out);
    } catch (const Wrong& wrong) {
      report({{.file = "stdin", .line = static_cast<int>(number), .message = wrong.words, .remedy = "lines before and after it are not affected"}});
      out += "{\"error\":\"see standard error\"}\n";
      status = bad_input;
    }
    if (out.size() > flush_bytes) std::cout.write(out.data(), static_cast<std::streamsize>(out.size())), out.clear();
  }
  std::cout.write(out.data(), static_cast<std::streamsize>(out.size()));
  std::cout.flush();
  return status;
}

}  // namespace

int access(const AccessOptions& options) {
  if (options.from_stdin) return from_stdin();
  try {
    access::Pattern p;
    bool shared = false;
    set_space(options.space, shared);
    set_direction(options.op, p);
    p.width_bytes = options.width;
    p.mask = parse_mask(options.mask);
    if (options.offsets.size() != 32) throw Wrong{fmt::format("there are {} offsets; a warp has 32 lanes", options.offsets.size())};
    std::copy(options.offsets.begin(), options.offsets.end(), p.addresses.begin());
    check_pattern(p);
    std::string fields;
    append_cost(fields, shared, p);
    if (options.json) {
      fmt::print("{{\"space\":\"{}\",\"op\":\"{}\",\"width\":{},\"mask\":{},\"offsets\":[{}],{}}}\n", options.space, options.op, options.width,
                 p.mask, fmt::join(options.offsets, ","), fields);
    } else {
      for (char& c : fields)
        if (c == ',') c = '\n';
        else if (c == ':') c = ' ';
      std::erase(fields, '"');
      fmt::print("{}\n", fields);
    }
    return all_good;
  } catch (const Wrong& wrong) {
    report("", wrong.words, "lanescope access --help shows what it takes");
    return bad_input;
  }
}

}  // namespace lanescope::cli
