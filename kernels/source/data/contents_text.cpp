#include "kernels/source/data/contents_text.h"

#include <charconv>
#include <cmath>
#include <cstdint>

#include <fmt/format.h>

#include "kernels/base/text.h"

namespace lanescope::source {
namespace {

template <class T>
bool read_number(std::string_view text, T& value) {
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  return problem == std::errc() && end == text.data() + text.size();
}

/// Whether the double is the whole number that was written; a number with a fraction or an exponent is rounded.
bool is_exact(std::string_view text, double value) {
  if (text.find_first_of(".eEn") != std::string_view::npos) return true;
  if (value < 0) text.remove_prefix(1);
  std::uint64_t magnitude = 0;
  return read_number(text, magnitude) && std::abs(value) < 0x1p64 &&
         static_cast<std::uint64_t>(std::abs(value)) == magnitude;
}

Expected<Contents> too_many_digits(std::string_view text) {
  return failure(fmt::format("`{}` has too many digits", text),
                 "all whole numbers up to 9007199254740992 (2^53) can be written; write larger ones with an exponent");
}

/// "[1, 2, 3]"; a comma may follow the last number.
Expected<Contents> list_from_text(std::string_view text) {
  Contents c;
  c.kind = Contents::Kind::values;
  std::string_view rest = trimmed(text.substr(1, text.size() - 2));
  while (!rest.empty()) {
    const std::size_t comma = std::min(rest.find(','), rest.size());
    const std::string_view word = trimmed(rest.substr(0, comma));
    double value = 0;
    if (!read_number(word, value))
      return failure(fmt::format("`{}` is not a number", word), "write numbers separated by commas: [1, 2, 3]");
    if (!is_exact(word, value)) return too_many_digits(word);
    c.values.push_back(value);
    rest = trimmed(rest.substr(std::min(comma + 1, rest.size())));
  }
  if (c.values.empty()) return failure("the list is empty", "write one number for each element: [1, 2, 3]");
  return c;
}

}  // namespace

Expected<Contents> contents_from_text(std::string_view text) {
  text = trimmed(text);
  if (text.starts_with('[') && text.ends_with(']')) return list_from_text(text);
  Contents c;
  const std::size_t space = text.find(' ');
  const std::string_view word = text.substr(0, space);
  const std::string_view rest = space == std::string_view::npos ? std::string_view() : trimmed(text.substr(space));
  if (word == "zeros" && rest.empty()) {
    c.kind = Contents::Kind::zeros;
  } else if (word == "uninitialised" && rest.empty()) {
    c.kind = Contents::Kind::zeros;
    c.uninitialised = true;
  } else if (word == "iota" && rest.empty()) {
    c.kind = Contents::Kind::iota;
  } else if (word == "random" && (rest.empty() || read_number(rest, c.seed))) {
    c.kind = Contents::Kind::random;
  } else if (word == "constant" && read_number(rest, c.value)) {
    c.kind = Contents::Kind::constant;
  } else if (read_number(text, c.value)) {
    c.kind = Contents::Kind::constant;
    if (!is_exact(text, c.value)) return too_many_digits(text);
  } else if (text.starts_with("copy of ")) {
    c.kind = Contents::Kind::copy_of;
    c.text = trimmed(text.substr(8));
  } else if (word == "sha256") {
    c.kind = Contents::Kind::sha256;
    c.text = rest;
    if (rest.size() != 64 || rest.find_first_not_of("0123456789abcdef") != std::string_view::npos) {
      return failure("`sha256` without 64 lower-case hexadecimal digits",
                     "copy the digest that `lanescope run --json` prints");
    }
  } else if (text.ends_with(".npy")) {
    c.kind = Contents::Kind::npy;
    c.text = text;
  } else {
    return failure(fmt::format("`{}` are not valid contents of a buffer", text),
                   "use iota, zeros, uninitialised, \"random 7\", a number, a list of numbers or a .npy file; for "
                   "expect also \"copy "
                   "of p\" or \"sha256 HEX\"");
  }
  return c;
}

}  // namespace lanescope::source
