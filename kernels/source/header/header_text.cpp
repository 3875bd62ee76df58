#include "kernels/source/header/header_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <set>

#include "kernels/base/text.h"
#include "kernels/base/toml_table.h"
#include "kernels/source/cxx/lexer.h"
#include "kernels/source/data/contents.h"
#include "kernels/source/data/number_format.h"

namespace lanescope::source {
namespace {

/// A key of a table; quoted where it is no plain word.
std::string key_text(std::string_view name) {
  const bool plain = !name.empty() && std::ranges::all_of(name, [](char c) { return is_word(c) || c == '-'; });
  return plain ? std::string(name) : toml_string(name);
}

std::string number_text(double value) {
  if (value == std::floor(value) && std::abs(value) <= 0x1p53)
    return fmt::format("{}", static_cast<std::int64_t>(value));
  return fmt::format("{}", value);
}

std::string list_text(const std::vector<double>& values) {
  std::vector<std::string> words;
  for (const double v : values) words.push_back(number_text(v));
  return fmt::format("[{}]", fmt::join(words, ", "));
}

std::string extents_text(const std::array<std::uint32_t, 3>& e) {
  if (e[1] == 1 && e[2] == 1) return fmt::format("{}", e[0]);
  return e[2] == 1 ? fmt::format("[{}, {}]", e[0], e[1]) : fmt::format("[{}, {}, {}]", e[0], e[1], e[2]);
}

/// As after the `=` of the short form.
std::string contents_words(const Contents& c) {
  switch (c.kind) {
    case Contents::Kind::zeros:
      return c.uninitialised && c.line > 0 ? "uninitialised" : "zeros";
    case Contents::Kind::iota:
      return "iota";
    case Contents::Kind::random:
      return fmt::format("random {}", c.seed);
    case Contents::Kind::constant:
      return number_text(c.value);
    case Contents::Kind::npy:
      return c.text;
    case Contents::Kind::values:
      return list_text(c.values);
    case Contents::Kind::copy_of:
      return "copy of " + c.text;
    case Contents::Kind::sha256:
      return "sha256 " + c.text;
    case Contents::Kind::bytes:
      break;
  }
  return "iota";
}

/// As a TOML value of `init` and `expect`.
std::string contents_value(const Contents& c) {
  const bool number = c.kind == Contents::Kind::constant || c.kind == Contents::Kind::values;
  return number ? contents_words(c) : toml_string(contents_words(c));
}

std::string buffer_line(const BufferSpec& b) {
  const bool iota = b.initial.kind == Contents::Kind::iota;
  const std::string axes = axes_text(b);
  if (!b.expected && b.tolerance == 0 && b.traced) {
    const std::string text = fmt::format("{}{}{}{}{}", b.element_type, axes.empty() ? "" : " ", axes, iota ? "" : " = ",
                                         iota ? std::string() : contents_words(b.initial));
    return fmt::format("{} = {}\n", key_text(b.name), toml_string(text));
  }
  std::string out = fmt::format("{} = {{ type = {}", key_text(b.name), toml_string(b.element_type));
  if (!axes.empty()) out += ", axes = " + toml_string(axes);
  if (!iota) out += ", init = " + contents_value(b.initial);
  if (b.expected) out += ", expect = " + contents_value(*b.expected);
  if (b.tolerance != 0) out += fmt::format(", tolerance = {}", b.tolerance);
  if (!b.traced) out += ", traced = false";
  return out + " }\n";
}

std::string argument_text(const ArgumentSpec& a) {
  if (a.is_buffer) return toml_string(std::get<std::string>(a.value));
  if (!a.bits.empty()) {
    std::string bytes = "bytes";
    for (const std::byte b : a.bits) bytes += fmt::format(" {:02x}", static_cast<unsigned>(b));
    return toml_string(bytes);
  }
  if (!a.members.empty()) {
    std::vector<std::string> words;
    for (const FieldSpec& f : a.members) {
      const std::string typed = typed_member_text(f);
      words.push_back(!typed.empty()                                 ? toml_string(typed)
                      : std::holds_alternative<std::string>(f.value) ? toml_string(std::get<std::string>(f.value))
                                                                     : number_text(std::get<double>(f.value)));
    }
    return fmt::format("[{}]", fmt::join(words, ", "));
  }
  return a.fields.empty() ? number_text(std::get<double>(a.value)) : list_text(a.fields);
}

std::string arguments_line(const LaunchSpec& l) {
  std::set<std::string_view> names;
  std::vector<std::string> in_order, by_name;
  for (const ArgumentSpec& a : l.arguments) {
    names.insert(a.parameter);
    in_order.push_back(argument_text(a));
    if (!a.is_buffer || std::get<std::string>(a.value) != a.parameter)
      by_name.push_back(fmt::format("{} = {}", key_text(a.parameter), argument_text(a)));
  }
  if (names.size() != l.arguments.size() || names.contains(""))
    return fmt::format("args = [{}]\n", fmt::join(in_order, ", "));
  return by_name.empty() ? "" : fmt::format("args = {{ {} }}\n", fmt::join(by_name, ", "));
}

std::string launch_lines(const LaunchSpec& l) {
  std::string out;
  if (!l.kernel.empty()) out += fmt::format("kernel = {}\n", toml_string(l.kernel));
  out += fmt::format("grid = {}\nblock = {}\n", extents_text(l.grid), extents_text(l.block));
  if (l.cluster) out += fmt::format("cluster = {}\n", extents_text(*l.cluster));
  if (l.dynamic_shared_bytes > 0) out += fmt::format("shared = {}\n", l.dynamic_shared_bytes);
  if (l.stream > 0) out += fmt::format("stream = {}\n", l.stream);
  return out + arguments_line(l);
}

/// Each line of `text` as a `//` comment: for texts that hold the end of a `/*` comment.
std::string as_line_comments(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    out += end == 0 ? "//" : "// ";
    out += text.substr(0, end);
    out += '\n';
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

}  // namespace

std::string header_text(const Header& header, const std::vector<std::string>& assumed) {
  std::string out = header.title.empty() ? "" : header.title + "\n";
  out += "[lanescope]\n";
  for (const std::string& sentence : assumed) out += fmt::format("# assumed: {}\n", sentence);
  if (!header.compile.arch.empty()) out += fmt::format("arch = {}\n", toml_string(header.compile.arch));
  if (!header.compile.options.empty()) {
    std::vector<std::string> options;
    for (const std::string& o : header.compile.options) options.push_back(toml_string(o));
    out += fmt::format("options = [{}]\n", fmt::join(options, ", "));
  }
  if (header.launches.size() == 1) out += launch_lines(header.launches.front());
  if (header.launches.size() > 1)
    for (const LaunchSpec& l : header.launches) out += "\n[[launch]]\n" + launch_lines(l);
  std::string buffers, open;
  for (const BufferSpec& b : header.buffers) {
    if (b.initial.kind == Contents::Kind::bytes) continue;
    // A size that was assumed is fitted to what the kernel reaches; one that is stated would be held against it.
    if (b.inferred && b.size_assumed)
      open += "# " + buffer_line(b);
    else
      buffers += buffer_line(b);
  }
  if (!open.empty())
    buffers += "# sizes that are fitted to what the kernel reaches while they are not stated:\n" + open;
  if (!buffers.empty()) out += "\n[buffers]\n" + buffers;
  return out.find("*/") == std::string::npos ? "/* " + out + "*/\n" : as_line_comments(out);
}

namespace {

constexpr std::size_t most_axes = 32;

struct LinePart {
  std::string_view text;
  std::size_t offset = 0;
};

std::vector<LinePart> split(std::string_view text) {
  std::vector<LinePart> out;
  for (std::size_t i = 0; i < text.size();) {
    if (text[i] == ' ' || text[i] == ',' || text[i] == '\t') {
      ++i;
      continue;
    }
    std::size_t end = i;
    while (end < text.size() && text[end] != ' ' && text[end] != ',' && text[end] != '\t') ++end;
    out.push_back({text.substr(i, end - i), i});
    i = end;
  }
  return out;
}

bool read_count(std::string_view text, std::uint64_t& value) {
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  return problem == std::errc() && end == text.data() + text.size();
}

/// Empty when `text` is an axis.
std::string read_axis(std::string_view text, Axis& axis) {
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos || colon == 0) return fmt::format("`{}` is not an axis", text);
  axis.name = text.substr(0, colon);
  for (const char c : axis.name)
    if (!is_word(c)) return fmt::format("`{}` is not a valid axis name", axis.name);
  const std::string_view rest = text.substr(colon + 1);
  const std::size_t slash = rest.find('/');
  if (!read_count(rest.substr(0, slash), axis.extent) || axis.extent == 0)
    return fmt::format("axis {} has no extent", axis.name);
  if (slash != std::string_view::npos &&
      (!read_count(rest.substr(slash + 1), axis.stride_elements) || axis.stride_elements == 0)) {
    return fmt::format("axis {} has no stride after its /", axis.name);
  }
  return {};
}

}  // namespace

Expected<BufferSpec> read_buffer_text(std::string_view name, std::string_view text, std::string_view file, int line,
                                      int column) {
  BufferSpec b{.name = std::string(name), .line = line};
  const auto wrong = [&](std::size_t offset, std::string message, std::string remedy) {
    return failure(Diagnostic{.file = std::string(file),
                              .line = line,
                              .column = column + static_cast<int>(offset),
                              .message = fmt::format("buffer {}: {}", name, message),
                              .remedy = std::move(remedy)});
  };
  const std::size_t equals = text.find('=');
  const std::vector<LinePart> parts = split(text.substr(0, equals));
  if (parts.empty()) return wrong(0, "no element type", "write for example \"f32 i:16 j:16\"");
  b.element_type = parts.front().text;
  b.element_bits = element_bits(b.element_type);
  if (b.element_bits == 0)
    return wrong(parts.front().offset, fmt::format("unknown element type `{}`", b.element_type),
                 "use b1 u4 s4 u8 s8 u16 s16 f16 bf16 u32 s32 f32 u64 s64 or f64");
  for (std::size_t i = 1; i < parts.size(); ++i) {
    Axis axis;
    const std::string problem = read_axis(parts[i].text, axis);
    if (!problem.empty())
      return wrong(parts[i].offset, problem, "write NAME:EXTENT or NAME:EXTENT/STRIDE, for example i:16 or i:16/20");
    for (const Axis& other : b.axes)
      if (other.name == axis.name)
        return wrong(parts[i].offset, fmt::format("two axes are called {}", axis.name), "give each its own name");
    if (b.axes.size() == most_axes)
      return wrong(parts[i].offset, fmt::format("more than {} axes", most_axes), "omit axes of extent 1");
    b.axes.push_back(std::move(axis));
  }
  if (const std::string problem = lay_out(b); !b.axes.empty() && !problem.empty())
    return wrong(0, problem, "make an axis shorter");
  if (equals != std::string_view::npos) {
    const std::size_t at = std::min(text.find_first_not_of(' ', equals + 1), text.size());
    const Expected<Contents> initial = contents_from_text(text.substr(equals + 1));
    if (!initial) return wrong(at, initial.error().front().message, initial.error().front().remedy);
    b.initial = *initial;
    b.initial.line = line;
    b.initial.column = column + static_cast<int>(at);
    if (b.initial.kind == Contents::Kind::copy_of || b.initial.kind == Contents::Kind::sha256)
      return wrong(at, fmt::format("`{}` cannot be an initial value", trimmed(text.substr(at))), "use it for expect");
    if (const Misfit m = misfit(b.element_type, b.initial); !m.message.empty()) return wrong(at, m.message, m.remedy);
  }
  return b;
}

namespace {

struct MemberType {
  std::string_view name, written;  ///< "s16", "short"
  std::uint32_t bytes;
};
constexpr MemberType member_types[] = {{"u8", "unsigned char", 1}, {"u16", "unsigned short", 2},
                                       {"u32", "unsigned int", 4}, {"u64", "unsigned long long", 8},
                                       {"s8", "signed char", 1},   {"s16", "short", 2},
                                       {"s32", "int", 4},          {"s64", "long long", 8},
                                       {"f16", "__half", 2},       {"bf16", "__nv_bfloat16", 2},
                                       {"f32", "float", 4},        {"f64", "double", 8}};

}  // namespace

std::optional<FieldSpec> typed_member(std::string_view text) {
  const std::size_t blank = text.find(' ');
  if (blank == std::string_view::npos) return std::nullopt;
  const std::string_view name = text.substr(0, blank), digits = text.substr(blank + 1);
  for (const MemberType& t : member_types) {
    if (t.name != name) continue;
    double value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error != std::errc{} || end != digits.data() + digits.size()) return std::nullopt;
    return FieldSpec{.value = value, .type = std::string(t.written), .bytes = t.bytes};
  }
  return std::nullopt;
}

bool is_exact(const FieldSpec& member) {
  const double* const value = std::get_if<double>(&member.value);
  return value == nullptr || member.type == "double" || std::abs(*value) <= 9007199254740992.0;
}

std::string typed_member_text(const FieldSpec& member) {
  const double* const value = std::get_if<double>(&member.value);
  if (value == nullptr || member.offset_bytes >= 0) return {};
  for (const MemberType& t : member_types)
    if (member.type == t.written && member.bytes == t.bytes) return fmt::format("{} {}", t.name, *value);
  return {};
}

}  // namespace lanescope::source
