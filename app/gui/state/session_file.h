#pragma once
// The session file: the open text with its edits, the selection, and the view options.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "app/gui/state/app.h"

namespace lanescope::gui {

struct SavedLayout {
  std::string file, text, saved_text;
};

struct SavedSession {
  std::string file, text, saved_text, arch;
  std::uint64_t seed = 1;
  views::Selection selection;
  std::vector<Navigation::NamedPin> pins{};        ///< elements that are followed
  std::map<std::string, CompilerChoices> choices;  ///< of the panel Options, by file
  std::vector<std::string> refused{};              ///< options that a session, as any file, may not give
  ViewOptions view;
  std::optional<SavedLayout> layout;  ///< the one that was under design
};

/// $XDG_STATE_HOME/lanescope/session.json, or below ~/.local/state.
std::string default_session_path();
/// Errors: damaged, or written by a newer version. Nothing is half-loaded.
Expected<SavedSession> read_session(const std::string& path);
Expected<void> write_session(const std::string& path, const App& app);
/// Applies the view options, and with `with_text` the open text. True: there is a text.
bool apply_session(App& app, const SavedSession& session, bool with_text);

}  // namespace lanescope::gui
