#include "kernels/emulator/machine/print_format.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <optional>

namespace lanescope::emulator {

namespace {

struct Conversion {
  std::string flags;
  std::optional<int> width, precision;
  bool width_given = false, precision_given = false;  ///< by an argument: `*`
  std::string_view length;
  char type = 0;
  std::size_t end = 0;  ///< in the format, after it
};

constexpr int largest_field = static_cast<int>(longest_print);

std::optional<int> number_at(std::string_view text, std::size_t& at) {
  if (at >= text.size() || text[at] < '0' || text[at] > '9') return std::nullopt;
  int value = 0;
  for (; at < text.size() && text[at] >= '0' && text[at] <= '9'; ++at)
    value = std::min(value * 10 + (text[at] - '0'), largest_field);
  return value;
}

/// From after the percent sign; no type where there is none.
Conversion conversion_at(std::string_view format, std::size_t at) {
  Conversion c;
  const auto next_is = [&](char wanted) { return at < format.size() && format[at] == wanted; };
  while (at < format.size() && std::string_view("#0- +'I").find(format[at]) != std::string_view::npos)
    c.flags += format[at++];
  if (next_is('*')) {
    c.width_given = true;
    ++at;
  } else {
    c.width = number_at(format, at);
  }
  if (next_is('.')) {
    ++at;
    if (next_is('*')) {
      c.precision_given = true;
      ++at;
    } else {
      c.precision = number_at(format, at).value_or(0);
    }
  }
  const std::size_t length = at;
  if (next_is('h') || next_is('l'))
    at += at + 1 < format.size() && format[at + 1] == format[at] ? 2 : 1;
  else if (at < format.size() && std::string_view("zjtqL").find(format[at]) != std::string_view::npos)
    ++at;
  c.length = format.substr(length, at - length);
  if (at < format.size()) c.type = format[at++];
  c.end = at;
  return c;
}

/// Known to the host's C library and not to the device.
bool is_of_host_only(const Conversion& c) {
  if (c.type == 0) return false;
  if (std::string_view("nmbBCS").find(c.type) != std::string_view::npos) return true;
  if (std::string_view("cdiouxXpeEfFgGaAs").find(c.type) == std::string_view::npos) return false;
  return c.precision_given || c.flags.find_first_of("'I") != std::string::npos ||
         (c.type == 's' ? c.length == "l"
                        : !c.length.empty() && c.length != "h" && c.length != "l" && c.length != "ll");
}

bool is_float(const Conversion& c) { return std::string_view("eEfFgGaA").find(c.type) != std::string_view::npos; }

/// Of the argument, as the compiler packs it.
std::uint32_t bytes_of(const Conversion& c) {
  if (is_float(c) || std::string_view("psSn").find(c.type) != std::string_view::npos) return 8;
  return c.type != 'c' && !c.length.empty() && c.length[0] != 'h' ? 8 : 4;
}

class Printer {
 public:
  Printer(std::span<const std::uint8_t> arguments,
          const std::function<std::span<const std::uint8_t>(std::uint64_t)>& memory_at)
      : arguments_(arguments), memory_at_(memory_at) {}

  PrintedText print(std::string_view format) {
    for (std::size_t at = 0; at < format.size() && !out_.cut && out_.missing == PrintedText::Missing::nothing;) {
      const std::size_t percent = std::min(format.find('%', at), format.size());
      write(format.substr(at, percent - at));
      if (percent == format.size()) break;
      Conversion c = conversion_at(format, percent + 1);
      at = c.end;
      const std::string_view text = format.substr(percent, c.end - percent);
      if (!out_.of_host_only.empty())
        out_.string_after = out_.string_after || c.type == 's';
      else if (is_of_host_only(c))
        out_.of_host_only = text;
      if (c.type == '%')
        write("%");
      else if (!convert(c))
        write(text);
    }
    return std::move(out_);
  }

 private:
  void write(std::string_view text) {
    const std::size_t room = longest_print - out_.text.size();
    out_.cut = text.size() > room;
    out_.text += text.substr(0, room);
  }

  bool missing() const { return out_.missing != PrintedText::Missing::nothing; }

  /// The next argument, of 4 or 8 bytes; 0 where it cannot be read.
  std::uint64_t take(std::uint32_t bytes) {
    if (missing()) return 0;
    const std::size_t begin = (next_ + bytes - 1) / bytes * bytes;
    if (begin > arguments_.size() || arguments_.size() - begin < bytes) {
      out_.missing = PrintedText::Missing::argument;
      out_.bytes = bytes;
      return 0;
    }
    std::uint64_t value = 0;
    std::memcpy(&value, arguments_.data() + begin, bytes);
    next_ = begin + bytes;
    ++out_.arguments;
    return value;
  }

  /// False: it is no conversion, or there are no arguments left for it, so that it is written as it stands.
  bool convert(Conversion& c) {
    if (c.type == 0 || std::string_view("cdiouxXpeEfFgGaAsnbBCS").find(c.type) == std::string_view::npos) return false;
    const int needed = 1 + (c.width_given ? 1 : 0) + (c.precision_given ? 1 : 0);
    if (full_ || out_.arguments + needed > most_print_arguments) return full_ = true, false;
    if (c.width_given) {
      const int width = static_cast<int>(take(4));
      if (width < 0) c.flags += '-';
      c.width = width < -largest_field ? largest_field : std::min(std::abs(width), largest_field);
    }
    if (c.precision_given) {
      const int precision = static_cast<int>(take(4));
      if (precision >= 0) c.precision = std::min(precision, largest_field);
    }
    if (missing()) return true;
    if (is_of_host_only(c)) return take(bytes_of(c)), false;
    std::string spec = "%" + c.flags;
    if (c.width) spec += std::to_string(*c.width);
    if (c.precision && c.type != 's') spec += "." + std::to_string(*c.precision);
    if (c.type == 's') return string(c, spec), true;
    if (c.type == 'c') return number(spec + "c", static_cast<int>(take(4))), true;
    if (c.type == 'p') return number(spec + "p", reinterpret_cast<void*>(take(8))), true;
    if (is_float(c)) {
      const std::uint64_t bits = take(8);
      double value;
      std::memcpy(&value, &bits, 8);
      return number(spec + c.type, value), true;
    }
    if (bytes_of(c) == 8) return number(spec + "ll" + c.type, static_cast<long long>(take(8))), true;
    return number(spec + std::string(c.length) + c.type, static_cast<int>(take(4))), true;
  }

  template <class T>
  void number(const std::string& spec, T value) {
    if (missing()) return;
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    const int length = std::snprintf(nullptr, 0, spec.c_str(), value);
    if (length < 0) return;
    std::string text(static_cast<std::size_t>(length) + 1, '\0');
    std::snprintf(text.data(), text.size(), spec.c_str(), value);
#pragma GCC diagnostic pop
    text.pop_back();
    write(text);
  }

  /// A null pointer is written as the C library does.
  void string(const Conversion& c, const std::string& spec) {
    const std::uint64_t address = take(8);
    if (missing()) return;
    const std::size_t wanted = c.precision ? static_cast<std::size_t>(*c.precision) : longest_print;
    std::string text;
    if (address == 0) {
      text = wanted >= 6 ? "(null)" : "";
    } else if (wanted > 0) {
      const std::span<const std::uint8_t> memory = memory_at_(address);
      const auto end =
          std::find(memory.begin(), memory.begin() + static_cast<std::ptrdiff_t>(std::min(wanted, memory.size())), 0);
      text.assign(memory.begin(), end);
      if (end == memory.end() && text.size() < wanted) {
        out_.missing = PrintedText::Missing::string;
        out_.address = address;
        return;
      }
    }
    number(spec + "s", text.c_str());
  }

  std::span<const std::uint8_t> arguments_;
  const std::function<std::span<const std::uint8_t>(std::uint64_t)>& memory_at_;
  std::size_t next_ = 0;
  bool full_ = false;
  PrintedText out_;
};

}  // namespace

PrintedText print_text(std::string_view format, std::span<const std::uint8_t> arguments,
                       const std::function<std::span<const std::uint8_t>(std::uint64_t)>& memory_at) {
  return Printer(arguments, memory_at).print(format);
}

}  // namespace lanescope::emulator
