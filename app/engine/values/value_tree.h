#pragma once
// The tree of a value (results/value_tree.h) from the graph of where it came from.

#include <functional>
#include <string>
#include <vector>

#include "app/engine/values/origins.h"
#include "results/value_tree.h"

namespace lanescope::engine {

struct TreeQuestion {
  std::vector<Origins::Edge> roots;
  std::vector<int> lanes;
  /// Dependency set of the roots: what is not in it has no part in them, even if instructions name it (a value that a select
  /// does not choose, bits that a mask removes). Ascending.
  std::vector<Element> depends;
  bool depends_known = true;
  std::function<std::string(trace::VariableWord)> name;  ///< of a variable, as the source has it; empty: none
};

/// Elements of a word of the trace, ascending; false: it depends on more than can be listed.
bool elements_of(const trace::Trace& trace, trace::WordTag tag, int first_bit, int bits, std::vector<Element>& to);

/// Fills nodes, roots, elements and levels. `origins.follow()` has been called. At most `most_nodes` nodes: what is deepest is
/// folded first.
results::ValueTree value_tree(const Origins& origins, const TreeQuestion& question, std::size_t most_nodes = 4096);

}  // namespace lanescope::engine
