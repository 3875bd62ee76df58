#pragma once
// Standard output of the subcommands. Nothing here throws or stops: what could not be written is an exit status of the
// whole program (kernels/base/standard_streams.h).

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <type_traits>
#include <utility>

#include "kernels/base/standard_streams.h"

namespace lanescope::cli {

template <class... T>
void say(fmt::format_string<T...> format, T&&... values) {
  put(fmt::format(format, std::forward<T>(values)...));
}

/// In several lines, text that is no UTF-8 mended.
template <class Json>
requires std::is_same_v<Json, nlohmann::json>  // a text is no JSON
inline void say(const Json& out) { put(out.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n"); }

}  // namespace lanescope::cli
