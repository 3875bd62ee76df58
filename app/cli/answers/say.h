#pragma once
// Standard output of the subcommands. Nothing here throws or stops: what could not be written is an exit status of the
// whole program (kernels/base/standard_streams.h).

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <string>
#include <type_traits>
#include <utility>

#include "kernels/base/standard_streams.h"
#include "kernels/base/visible.h"

namespace lanescope::cli {

template <class... T>
void say(fmt::format_string<T...> format, T&&... values) {
  put(fmt::format(format, std::forward<T>(values)...));
}

/// In one line, text that is no UTF-8 mended.
inline std::string line_of(const nlohmann::json& out) {
  return visible_json(out.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
}

/// In several lines, text that is no UTF-8 mended.
template <class Json>
requires std::is_same_v<Json, nlohmann::json>  // a text is no JSON
inline void say(const Json& out) {
  put(visible_json(out.dump(2, ' ', false, nlohmann::json::error_handler_t::replace)) + "\n");
}

}  // namespace lanescope::cli
