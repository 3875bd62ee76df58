#include "results/grids.h"

#include <map>
#include <tuple>

#include <fmt/format.h>

namespace lanescope::results {

namespace {

std::string extent_words(const trace::Dim3& d) {
  if (d.z != 1) return fmt::format("({},{},{})", d.x, d.y, d.z);
  return d.y != 1 ? fmt::format("({},{})", d.x, d.y) : fmt::format("{}", d.x);
}

/// Equal trees have equal numbers.
class Shapes {
 public:
  explicit Shapes(const std::vector<GridInfo>& grids) : grids_(grids), children_(grids.size()), shape_(grids.size()) {
    for (std::size_t i = 0; i < grids.size(); ++i) {
      if (grids[i].parent >= 0)
        children_[static_cast<std::size_t>(grids[i].parent)].push_back(i);
      else
        roots.push_back(i);
    }
    for (std::size_t i = grids.size(); i-- > 0;) {  // children stand after their parents
      const GridInfo& g = grids[i];
      std::map<int, std::uint64_t> below;
      for (const std::size_t c : children_[i]) ++below[shape_[c]];
      const auto key = std::tuple(launch_words(g), g.line, g.order, std::move(below));
      shape_[i] = numbers_.try_emplace(key, static_cast<int>(numbers_.size())).first->second;
    }
  }

  void add(const std::vector<std::size_t>& siblings, std::vector<GridFold>& out) const {
    std::vector<GridFold> folds;
    std::map<int, std::size_t> fold_of;
    for (const std::size_t i : siblings) {
      const bool of_host = grids_[i].order == GridInfo::Order::host;  // each is a line of the host's program
      const auto [at, fresh] = fold_of.try_emplace(of_host ? -1 - static_cast<int>(i) : shape_[i], folds.size());
      if (fresh) folds.push_back({.first = i, .count = 0, .depth = grids_[i].depth});
      ++folds[at->second].count;
      folds[at->second].members.push_back(i);
    }
    for (GridFold& f : folds) {
      const std::size_t first = f.first;
      out.push_back(std::move(f));
      add(children_[first], out);
    }
  }
  std::vector<std::size_t> roots;

 private:
  const std::vector<GridInfo>& grids_;
  std::vector<std::vector<std::size_t>> children_;
  std::vector<int> shape_;
  std::map<std::tuple<std::string, int, GridInfo::Order, std::map<int, std::uint64_t>>, int> numbers_;
};

}  // namespace

std::vector<GridFold> folded(const std::vector<GridInfo>& grids) {
  const Shapes shapes(grids);
  std::vector<GridFold> out;
  shapes.add(shapes.roots, out);
  return out;
}

std::string launch_words(const GridInfo& g) {
  return fmt::format("{}<<<{}, {}{}>>>", g.kernel, extent_words(g.grid), extent_words(g.block),
                     g.dynamic_shared_bytes > 0 ? fmt::format(", {}", g.dynamic_shared_bytes) : "");
}

std::string words_of(const GridFold& fold, const std::vector<GridInfo>& grids, const SourceLines& lines) {
  const GridInfo& g = grids[fold.first];
  std::string words = (fold.count > 1 ? fmt::format("{} x ", fold.count) : std::string()) + launch_words(g);
  if (g.line > 0) words += " · " + lines.words(g.line);
  if (g.order == GridInfo::Order::fire_and_forget) words += " · fire and forget";
  if (g.order == GridInfo::Order::tail) words += " · tail launch";
  return words;
}

}  // namespace lanescope::results
