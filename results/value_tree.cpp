#include "results/value_tree.h"

namespace lanescope::results {
namespace {

/// The word for values that one operation alone combines; empty: there is none.
std::string_view word_of(std::string_view op) {
  if (op == "+") return "sum";
  if (op == "×") return "product";
  if (op == "max") return "maximum";
  if (op == "min") return "minimum";
  if (op == "xor") return "exclusive or";
  if (op == "and") return "conjunction";
  if (op == "or") return "disjunction";
  return {};
}

struct Pure {
  bool pure = true;
  std::string op{};
  std::uint64_t elements = 0;  ///< with those that occur twice
};

void walk(const ValueTree& tree, const ValueTree::Edge& edge, Pure& found, std::uint64_t& budget) {
  if (!found.pure) return;
  if (budget == 0 || edge.changed || edge.from < 0) return void(found.pure = false);
  --budget;
  const ValueTree::Node& n = tree.nodes[static_cast<std::size_t>(edge.from)];
  using Kind = ValueTree::Kind;
  if (n.kind == Kind::set || n.kind == Kind::folded) return void(found.pure = false);
  if (n.kind == Kind::element) {
    ++found.elements;
    return;
  }
  if (found.op.empty()) found.op = n.op;
  if (found.op != n.op || word_of(n.op).empty()) return void(found.pure = false);
  for (const ValueTree::Edge& e : n.operands) walk(tree, e, found, budget);
}

}  // namespace

std::string meaning_of(const Summary& summary, const ValueTree& tree) {
  if (!tree.refused.empty()) return tree.refused;
  if (tree.roots.size() != 1) return counted_set_words(summary, tree.depends);
  const ValueTree::Edge& root = tree.roots.front();
  if (root.from < 0) return "no element of a buffer";
  const ValueTree::Node& n = tree.nodes[static_cast<std::size_t>(root.from)];
  if (n.kind == ValueTree::Kind::element && !root.changed) return set_words(summary, n.elements);
  Pure found;
  std::uint64_t budget = 1 << 16;
  walk(tree, root, found, budget);
  if (found.pure && !found.op.empty() && found.elements == tree.depends.count && tree.not_followed == 0)
    return "the " + std::string(word_of(found.op)) + " of " + counted_set_words(summary, tree.depends);
  return "a value computed from " + counted_set_words(summary, tree.depends);
}

}  // namespace lanescope::results
