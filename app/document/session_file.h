#pragma once
// What is kept between two starts: which file, where one looked, how it looked. A session is read whole or not at all.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "kernels/base/diagnostic.h"

namespace lanescope::document {

struct PanelState {
  std::string name;
  bool visible = true;
  float share = 1;  ///< of its row or column
  bool operator==(const PanelState&) const = default;
};

struct SavedSelection {
  std::int64_t step = -1;
  int line = -1, family = -1, warp = 0;
  std::uint32_t block = 0;
  std::optional<std::pair<int, std::uint64_t>> element;  ///< (buffer, element)
  bool operator==(const SavedSelection&) const = default;
};

struct SavedSession {
  static constexpr int version = 1;
  std::string file, arrangement, theme = "dark";
  float scale = 1;
  SavedSelection selection;
  std::vector<PanelState> panels;
  bool operator==(const SavedSession&) const = default;
};

std::string to_text(const SavedSession& session);
/// Errors: not JSON, a field missing or of the wrong kind, a number out of range, written by a newer version.
Expected<SavedSession> session_from_text(const std::string& text, const std::string& path);

Expected<SavedSession> read_session(const std::string& path);
Expected<void> write_session(const std::string& path, const SavedSession& session);

}  // namespace lanescope::document
