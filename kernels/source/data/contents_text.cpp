#include "kernels/source/data/contents_text.h"

#include <charconv>

#include <fmt/format.h>

#include "kernels/base/text.h"

namespace lanescope::source {
namespace {

template <class T>
bool read_number(std::string_view text, T& value) {
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  return problem == std::errc() && end == text.data() + text.size();
}

}  // namespace

Expected<Contents> contents_from_text(std::string_view text) {
  text = trimmed(text);
  Contents c;
  const std::size_t space = text.find(' ');
  const std::string_view word = text.substr(0, space);
  const std::string_view rest = space == std::string_view::npos ? std::string_view() : trimmed(text.substr(space));
  if (word == "zeros" && rest.empty()) {
    c.kind = Contents::Kind::zeros;
  } else if (word == "iota" && rest.empty()) {
    c.kind = Contents::Kind::iota;
  } else if (word == "random" && (rest.empty() || read_number(rest, c.seed))) {
    c.kind = Contents::Kind::random;
  } else if (word == "constant" && read_number(rest, c.value)) {
    c.kind = Contents::Kind::constant;
  } else if (read_number(text, c.value)) {
    c.kind = Contents::Kind::constant;
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
                   "use iota, zeros, \"random 7\", a number, a list of numbers or a .npy file; for expect also \"copy "
                   "of p\" or \"sha256 HEX\"");
  }
  return c;
}

}  // namespace lanescope::source
