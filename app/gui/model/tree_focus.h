#pragma once
// Which value the tree panel takes apart. It stays the same while one steps through the run.

#include <optional>
#include <string>

#include "app/engine/requests/requests.h"
#include "app/gui/model/results.h"
#include "viz/views/base/selection.h"

namespace lanescope::gui {

class TreeFocus {
 public:
  /// What to ask of the engine for the results on screen: after another run a step means something else, and a register
  /// array is looked for by its name.
  engine::TreeRequest request(const Results& results) const;

  void show_best() { set({}, {}); }
  /// The register that is selected, at the step of the selection; `all_lanes`: in the whole warp.
  void show_register(const Results& results, const views::Selection& at, bool all_lanes);
  /// A selected word of shared memory, or element of a buffer.
  void show_memory(const Results& results, const views::Selection& at);

  /// A node of the tree on screen that is drawn as the root; -1: the value itself.
  int root() const { return root_; }
  void unfold(int node) { root_ = node, ++version_; }
  std::uint64_t version() const { return version_; }

 private:
  void set(const engine::TreeRequest& request, std::string family);
  engine::TreeRequest request_;
  std::string family_;            ///< name of the register array
  std::uint64_t of_version_ = 0;  ///< Results::version
  std::uint64_t version_ = 0;
  int root_ = -1;
};

}  // namespace lanescope::gui
