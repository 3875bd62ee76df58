#pragma once
// The tree of a value: elements above, the value below, a row for each time that values were combined. If all of it is
// in one warp and no lane has two values in one row, lanes are columns, so that a butterfly or a scan looks like one;
// else the tree has a column for each of its ends. Parts that do not fit are folded, with the number of their elements.

#include <string>
#include <vector>

#include "results/value_tree.h"
#include "viz/views/base/draw.h"
#include "viz/views/base/selection.h"
#include "viz/views/base/theme.h"

namespace lanescope::views {

struct ValueTreeOptions {
  float width = 0, height = 0;  ///< height 0: the natural one
  int root = -1;                ///< the node drawn as the root; -1: the tree's own
};
Scene value_tree_view(const Summary&, const ValueTree&, const Selection&, const ValueTreeOptions&, const Theme&);

/// The drawn shapes: nodes, or several elements that one operation takes, or a node again that is drawn elsewhere.
struct DrawnTree {
  struct Item {
    int node = -1;                ///< of several elements the first
    std::vector<int> elements{};  ///< nodes; several elements in one box
    bool folded = false;          ///< its operands are not drawn
    bool again = false;           ///< it is drawn elsewhere, with its operands
    struct Operand {
      int item = -1;
      ValueTree::Edge edge{};
    };
    std::vector<Operand> operands{};
    float column = 0;  ///< of its middle
  };
  std::vector<Item> items{};
  std::vector<int> roots{};  ///< items
  bool by_lane = false;      ///< columns are lanes
  float columns = 0;
  int first_level = 0, last_level = 0;
};
/// At most `most_columns` columns: what is deepest is folded first.
DrawnTree arrange(const ValueTree& tree, int root, int most_columns);

/// Words for an Id::Kind::tree_node.
std::string tree_tooltip(const Summary&, const ValueTree&, const Id&);
/// One row a node: level, operation, place, line, elements, operands.
std::string to_csv(const Summary&, const ValueTree&);

}  // namespace lanescope::views
