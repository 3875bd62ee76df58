#pragma once
// Errors that are passed on unchanged.

#include <utility>

#include <tl/expected.hpp>

/// The value of an Expected. Without one, the enclosing function returns its errors:
///
///   const toml::table root = LS_TRY(parse_toml(text, file, 0, remedy));
///
/// Not inside an expression with temporaries: what of it was computed already might never be destroyed.
#define LS_TRY(...)                                                          \
  ({                                                                         \
    auto ls_expected = __VA_ARGS__;                                          \
    if (!ls_expected) return tl::unexpected(std::move(ls_expected.error())); \
    std::move(*ls_expected);                                                 \
  })
