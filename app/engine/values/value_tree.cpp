#include "app/engine/values/value_tree.h"

#include <algorithm>
#include <array>
#include <deque>
#include <numeric>

namespace lanescope::engine {
namespace {

using Kind = InstructionFacts::Kind;
using results::ValueTree;
using Way = ValueTree::Way;

/// A value as it arrives somewhere: a node of the simplified graph, or none where it carries no data.
struct Arrival {
  std::int32_t node = -1;
  Way way = Way::direct;
  std::int64_t way_step = -1;
  bool changed = false;
  bool zero = false;  ///< no data: the number 0
};

/// A node of the simplified graph.
struct Made {
  std::int32_t origin = -1;  ///< into Origins::nodes()
  std::vector<Element> ends{};
  std::vector<Arrival> operands{};
  int level = 0;
  bool chain = false;    ///< terms of one thread at one line, in one node
  bool several = false;  ///< an end that is not one element
};

constexpr std::array<std::string_view, 6> associative{"+", "×", "max", "min", "and", "xor"};

class Simplifier {
 public:
  Simplifier(const Origins& origins, const TreeQuestion& question) : origins_(origins), question_(question) {}

  void run() {
    const auto& nodes = origins_.nodes();
    std::vector<std::int32_t> order(nodes.size());
    std::iota(order.begin(), order.end(), 0);
    // The operands of a value have an earlier step; ends have no operands.
    std::ranges::stable_sort(order, [&](std::int32_t a, std::int32_t b) {
      const auto rank = [&](std::int32_t n) {
        const Origins::Node& x = nodes[static_cast<std::size_t>(n)];
        return std::tuple(x.operands.empty() ? -1 : x.step, x.record >= 0 ? x.lane : -1);
      };
      return rank(a) < rank(b);
    });
    arrivals_.resize(nodes.size());
    uses_.assign(nodes.size(), 0);
    for (const Origins::Node& n : nodes)
      for (const Origins::Edge& e : n.operands)
        if (e.to >= 0) ++uses_[static_cast<std::size_t>(e.to)];
    for (const Origins::Edge& r : question_.roots)
      if (r.to >= 0) ++uses_[static_cast<std::size_t>(r.to)];
    for (const std::int32_t n : order) arrivals_[static_cast<std::size_t>(n)] = arrive(n);
  }

  Arrival at(const Origins::Edge& edge) const {
    if (edge.to < 0) return {};
    Arrival a = arrivals_[static_cast<std::size_t>(edge.to)];
    if (edge.way != Way::direct) a.way = edge.way, a.way_step = edge.step;
    return a;
  }
  const std::vector<Made>& made() const { return made_; }
  const Origins::Node& origin(const Made& m) const { return origins_.nodes()[static_cast<std::size_t>(m.origin)]; }
  std::uint32_t warp_of(const Origins::Node& n) const {
    return n.step < 0 ? 0 : origins_.trace().steps[static_cast<std::size_t>(n.step)].warp;
  }
  int line_of(const Origins::Node& n) const {
    if (n.step < 0) return 0;
    const std::uint32_t pc = origins_.trace().steps[static_cast<std::size_t>(n.step)].pc;
    return pc < origins_.trace().code.size() ? origins_.trace().code[pc].line : 0;
  }

 private:
  bool wanted(const Element& e) const {
    return !question_.depends_known || std::ranges::binary_search(question_.depends, e);
  }

  Arrival end(std::int32_t n, const Origins::Node& node) {
    Made m{.origin = n};
    std::ranges::copy_if(node.ends, std::back_inserter(m.ends), [&](const Element& e) { return wanted(e); });
    if (m.ends.empty() && node.listed) return {};
    m.several = m.ends.size() != 1 || !node.listed;
    made_.push_back(std::move(m));
    return {.node = static_cast<std::int32_t>(made_.size()) - 1};
  }

  Arrival arrive(std::int32_t n) {
    const Origins::Node& node = origins_.nodes()[static_cast<std::size_t>(n)];
    if (node.operands.empty()) {
      if (node.zero) return {.zero = true};
      return end(n, node);
    }
    Made m{.origin = n};
    bool other = node.other_constants, all_zero = !node.operands.empty() && node.kind != Kind::compute;
    for (const Origins::Edge& e : node.operands) {
      const Arrival a = at(e);
      if (a.node < 0) {
        other = other || !a.zero;
        all_zero = all_zero && a.zero;
        continue;
      }
      all_zero = false;
      const auto twice = std::ranges::find(m.operands, a.node, &Arrival::node);
      if (twice == m.operands.end())
        m.operands.push_back(a);
      else
        twice->changed = true;  // x * x, x + x
    }
    if (m.operands.empty()) return {.zero = all_zero || node.zero};
    const bool moves = node.kind == Kind::copy || node.kind == Kind::load || node.kind == Kind::shuffle ||
                       node.kind == Kind::transpose || node.kind == Kind::old;
    const bool kept = moves || (node.adds && !other) || node.kind == Kind::lanes;
    if (m.operands.size() == 1) {
      Arrival a = m.operands.front();
      a.changed = a.changed || !kept;
      return a;
    }
    extend_chain(m, node);
    for (const Arrival& a : m.operands) m.level = std::max(m.level, made_[static_cast<std::size_t>(a.node)].level + 1);
    made_.push_back(std::move(m));
    return {.node = static_cast<std::int32_t>(made_.size()) - 1, .changed = other && !moves};
  }

  /// A thread that adds one term after the other at one line: its terms become operands of one node.
  void extend_chain(Made& m, const Origins::Node& node) {
    if (m.operands.size() != 2 || std::ranges::find(associative, node.op) == associative.end()) return;
    for (int side = 0; side < 2; ++side) {
      const Arrival before = m.operands[static_cast<std::size_t>(side)],
                    term = m.operands[static_cast<std::size_t>(1 - side)];
      const Made& c = made_[static_cast<std::size_t>(before.node)];
      if (c.operands.empty() || before.way != Way::direct || before.changed || term.way == Way::shuffle) continue;
      const Origins::Node& o = origin(c);
      const bool same_thread = o.lane == node.lane && warp_of(o) == warp_of(node);
      if (!same_thread || o.op != node.op || line_of(o) != line_of(node)) continue;
      if (made_[static_cast<std::size_t>(term.node)].level >= c.level) continue;
      if (std::ranges::find(c.operands, term.node, &Arrival::node) != c.operands.end()) continue;
      const bool alone = used_here_alone(node, c.origin);
      if (!alone && c.operands.size() >= most_copied_terms) continue;
      std::vector<Arrival> terms =
          alone ? std::move(made_[static_cast<std::size_t>(before.node)].operands) : c.operands;
      terms.push_back(term);
      m.operands = std::move(terms), m.chain = true;
      return;
    }
  }

  /// Nothing but this node uses the other one, over copies that nothing else uses: its terms can be taken.
  bool used_here_alone(const Origins::Node& node, std::int32_t other) const {
    for (const Origins::Edge& e : node.operands) {
      std::int32_t at = e.to;
      while (at >= 0 && uses_[static_cast<std::size_t>(at)] == 1) {
        if (at == other) return true;
        const Origins::Node& n = origins_.nodes()[static_cast<std::size_t>(at)];
        if (n.kind != Kind::copy || n.operands.size() != 1) break;
        at = n.operands.front().to;
      }
    }
    return false;
  }

  static constexpr std::size_t most_copied_terms = 64;
  const Origins& origins_;
  const TreeQuestion& question_;
  std::vector<std::uint32_t> uses_;  ///< by node of the origins
  std::vector<Arrival> arrivals_;
  std::vector<Made> made_;
};

/// The nodes that an answer holds, and what each depends on.
class Answer {
 public:
  Answer(const Origins& origins, const Simplifier& from, const TreeQuestion& question)
      : origins_(origins), from_(from), question_(question) {}

  ValueTree make(std::size_t most) {
    choose(most);
    ValueTree tree;
    std::vector<std::int32_t> numbers(from_.made().size(), -1);
    for (std::size_t n = 0; n < kept_.size(); ++n) {
      if (!kept_[n]) continue;
      numbers[n] = static_cast<std::int32_t>(tree.nodes.size());
      tree.nodes.push_back(node(n, numbers));
      tree.most_level = std::max(tree.most_level, tree.nodes.back().level);
    }
    std::vector<Element> shown;
    for (std::size_t r = 0; r < question_.roots.size(); ++r) {
      const Arrival a = from_.at(question_.roots[r]);
      tree.roots.push_back(edge(a, numbers));
      tree.root_lanes.push_back(question_.lanes[r]);
      if (a.node >= 0) {
        const std::vector<Element> below = elements(a.node);
        shown.insert(shown.end(), below.begin(), below.end());
      }
    }
    tidy(shown);
    tree.depends = results::fold(question_.depends);
    tree.depends.known = question_.depends_known;
    if (question_.depends_known) {
      std::vector<Element> missing;
      std::ranges::set_difference(question_.depends, shown, std::back_inserter(missing));
      tree.not_followed = missing.size();
    }
    return tree;
  }

 private:
  static void tidy(std::vector<Element>& all) {
    std::ranges::sort(all);
    const auto extra = std::ranges::unique(all);
    all.erase(extra.begin(), extra.end());
  }

  /// Level by level from the roots down, until there are enough.
  void choose(std::size_t most) {
    kept_.assign(from_.made().size(), false);
    whole_.assign(from_.made().size(), false);
    std::deque<std::int32_t> next;
    std::size_t count = 0;
    const auto keep = [&](std::int32_t n) {
      if (n < 0 || kept_[static_cast<std::size_t>(n)]) return;
      kept_[static_cast<std::size_t>(n)] = true, ++count;
      next.push_back(n);
    };
    for (const Origins::Edge& r : question_.roots) keep(from_.at(r).node);
    while (!next.empty()) {
      const Made& m = from_.made()[static_cast<std::size_t>(next.front())];
      if (count + m.operands.size() <= most) {
        whole_[static_cast<std::size_t>(next.front())] = true;
        for (const Arrival& a : m.operands) keep(a.node);
      }
      next.pop_front();
    }
  }

  static ValueTree::Edge edge(const Arrival& a, const std::vector<std::int32_t>& numbers) {
    return {.from = a.node < 0 ? -1 : numbers[static_cast<std::size_t>(a.node)],
            .way = a.way,
            .changed = a.changed,
            .step = a.way_step};
  }

  ValueTree::Node node(std::size_t n, const std::vector<std::int32_t>& numbers) {
    const Made& m = from_.made()[n];
    const Origins::Node& o = from_.origin(m);
    ValueTree::Node out{.warp = static_cast<std::int32_t>(from_.warp_of(o)),
                        .lane = o.lane,
                        .step = o.step,
                        .line = from_.line_of(o),
                        .level = m.level};
    out.elements = results::fold(elements(static_cast<std::int32_t>(n)));
    if (m.operands.empty()) {
      out.kind = m.several ? ValueTree::Kind::set : ValueTree::Kind::element;
      out.elements.known = o.listed;
      return out;
    }
    out.kind = whole_[n] ? ValueTree::Kind::combined : ValueTree::Kind::folded;
    out.op = std::string(o.op);
    if (whole_[n])
      for (const Arrival& a : m.operands) out.operands.push_back(edge(a, numbers));
    if (o.result == ~RegisterKey{0}) return out;
    const auto probe = origins_.shown_by(o.step, o.lane, o.result);
    if (!probe) return out;
    const trace::Trace& t = origins_.trace();
    if (question_.name) out.variable = question_.name({t.probes.variable(*probe), t.probes.byte_offset(*probe)});
    if (!out.variable.empty()) out.value = t.probes[*probe].values[static_cast<std::size_t>(o.lane)];
    return out;
  }

  /// Every element below a node.
  std::vector<Element> elements(std::int32_t n) {
    std::vector<Element> all;
    stamp_.resize(from_.made().size(), 0);
    ++now_;
    std::vector<std::int32_t> todo{n};
    while (!todo.empty()) {
      const auto at = static_cast<std::size_t>(todo.back());
      todo.pop_back();
      if (stamp_[at] == now_) continue;
      stamp_[at] = now_;
      const Made& m = from_.made()[at];
      all.insert(all.end(), m.ends.begin(), m.ends.end());
      for (const Arrival& a : m.operands) todo.push_back(a.node);
    }
    tidy(all);
    return all;
  }

  const Origins& origins_;
  const Simplifier& from_;
  const TreeQuestion& question_;
  std::vector<bool> kept_, whole_;
  std::vector<std::uint32_t> stamp_;
  std::uint32_t now_ = 0;
};

}  // namespace

bool elements_of(const trace::Trace& trace, trace::WordTag tag, int first_bit, int bits, std::vector<Element>& to) {
  if (tag == trace::no_data) return true;
  const auto found = trace.tags.sources(tag, first_bit, bits);
  to.insert(to.end(), found.begin(), found.end());
  std::ranges::sort(to);
  const auto extra = std::ranges::unique(to);
  to.erase(extra.begin(), extra.end());
  return !found.empty() || trace.tags.data_mask(tag) == 0 || trace.tags.element(tag, first_bit, bits).count != ~0u;
}

results::ValueTree value_tree(const Origins& origins, const TreeQuestion& question, std::size_t most_nodes) {
  Simplifier simplifier(origins, question);
  simplifier.run();
  return Answer(origins, simplifier, question).make(most_nodes);
}

}  // namespace lanescope::engine
