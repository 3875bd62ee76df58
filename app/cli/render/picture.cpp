#include "app/cli/render/render.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <filesystem>

#include "kernels/base/write_file.h"
#include "viz/paint/paint.h"

namespace lanescope::cli {
namespace {

constexpr std::string_view endings[] = {".svg", ".png", ".json", ".csv"};

std::string ending_of(const std::string& output) { return std::filesystem::path(output).extension().string(); }

std::vector<std::byte> bytes_of(const std::string& text) {
  const auto raw = std::as_bytes(std::span(text));
  return {raw.begin(), raw.end()};
}

/// A number at the begin of `text`, and the separator after it, taken away.
bool take_number(std::string_view& text, char separator, int& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || number < 0) return false;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  if (separator == 0) return text.empty();
  if (!text.starts_with(separator)) return false;
  text.remove_prefix(1);
  return true;
}

bool is_power_of_two(int n) { return n > 0 && (n & (n - 1)) == 0; }

}  // namespace

Expected<views::WhatIf> parse_what_if(std::string_view text) {
  using Kind = views::WhatIf::Kind;
  views::WhatIf out;
  if (text.empty()) return out;
  std::string_view rest = text;
  if (rest.starts_with("padding:")) {
    rest.remove_prefix(8);
    out.kind = Kind::padding;
    if (take_number(rest, '+', out.row_words) && take_number(rest, 0, out.padding_words) && out.row_words > 0)
      return out;
  } else if (rest.starts_with("swizzle:")) {
    rest.remove_prefix(8);
    out.kind = Kind::swizzle;
    const bool read = take_number(rest, '/', out.row_words) && take_number(rest, '/', out.unit_words) &&
                      take_number(rest, 0, out.rows_per_step);
    if (read && is_power_of_two(out.unit_words) && out.row_words > 0 && out.row_words % out.unit_words == 0 &&
        out.rows_per_step > 0)
      return out;
  }
  return failure(fmt::format("'{}' is not a layout of shared memory", text),
                 "write padding:32+1 (rows of 32 words, 1 word of padding after each) or swizzle:32/4/1 (rows of 32 "
                 "words, units of 4 words, a power of two that divides the row, 1 row per permutation)");
}

Diagnostics wrong_picture(const std::string& output, const std::string& theme) {
  if (std::ranges::find(endings, ending_of(output)) == std::end(endings))
    return {{.file = output,
             .message = "a picture ends in .svg or .png",
             .remedy = "use one of these suffixes, .json for the scene, or .csv for the data"}};
  if (Diagnostics wrong = wrong_target(output); !wrong.empty()) return wrong;
  return wrong_theme(theme);
}

Diagnostics wrong_theme(const std::string& theme) {
  if (!views::theme_name_of(theme).empty()) return {};
  return {{.message = fmt::format("there is no theme '{}'", theme),
           .remedy = fmt::format("the themes are {}", fmt::join(views::theme_names(), ", "))}};
}

const views::Theme& theme_of(const std::string& typed) { return views::theme_named(views::theme_name_of(typed)); }

Expected<void> write_picture(const Drawn& drawn, const std::string& output, const std::string& theme, float scale) {
  const std::string kind = ending_of(output);
  const auto paper = theme_of(theme).paper();
  if (kind == ".csv") return write_file(output, bytes_of(drawn.csv));
  if (kind == ".json") return write_file(output, bytes_of(scene::to_json(drawn.scene)));
  if (kind == ".svg") return write_file(output, bytes_of(paint::to_svg(drawn.scene, paper)));
  return paint::to_png(drawn.scene, paper, scale).and_then([&](const std::vector<std::byte>& png) {
    return write_file(output, png);
  });
}

}  // namespace lanescope::cli
