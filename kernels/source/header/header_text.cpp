#include "kernels/source/header/header_text.h"

#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include "kernels/base/text.h"
#include "kernels/base/toml_table.h"
#include "kernels/source/header/buffer_text.h"

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

std::string axes_text(const BufferSpec& b) {
  std::string out;
  std::uint64_t regular = 1;
  for (std::size_t i = b.axes.size(); i-- > 0;) {
    const Axis& axis = b.axes[i];
    const std::string stride = axis.stride_elements == regular ? "" : fmt::format("/{}", axis.stride_elements);
    out = fmt::format("{}:{}{}{}{}", axis.name, axis.extent, stride, out.empty() ? "" : " ", out);
    regular = axis.extent * axis.stride_elements;
  }
  return out;
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
  if (header.launches.size() > 1) {
    for (const LaunchSpec& l : header.launches) out += "\n[[launch]]\n" + launch_lines(l);
  }
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

}  // namespace lanescope::source
