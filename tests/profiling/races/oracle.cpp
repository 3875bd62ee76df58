#include "oracle.h"

#include <algorithm>
#include <map>
#include <optional>

namespace lanescope::races::test {
namespace {

using Kind = Ins::Kind;
using Order = Ins::Order;

/// Stands for the lanes that touch no memory: two others may be in order by way of them.
constexpr int idle_lane = 2;

class Graph {
 public:
  explicit Graph(const Tree& tree) : tree_(tree) {
    std::size_t points = 0;
    for (int g = 0; g < static_cast<int>(tree.size()); ++g)
      for (int b = 0; b < tree[static_cast<std::size_t>(g)].block_count; ++b)
        for (int w = 0; w < tree[static_cast<std::size_t>(g)].warps; ++w)
          for (const int l : {lanes_used[0], lanes_used[1], lanes_used[2], idle_lane}) {
            threads_.push_back({b, w, l, g});
            first_point_.push_back(points);
            points += tree[static_cast<std::size_t>(g)].code.size() + 1;
          }
    edges_.resize(points);
    for (std::size_t t = 0; t < threads_.size(); ++t)
      for (int i = 0; i < length(threads_[t].grid); ++i) edge(point(t, i), point(t, i + 1));
    for (int g = 0; g < static_cast<int>(tree.size()); ++g) {
      const Program& p = tree[static_cast<std::size_t>(g)];
      for (int i = 0; i < length(g); ++i) add_sync(g, i);
      for (int i = 0; i < length(g); ++i)
        if (p.code[static_cast<std::size_t>(i)].is_copy()) add_copies(g, i);
      for (int i = 0; i < length(g); ++i)
        if (p.code[static_cast<std::size_t>(i)].is_bulk()) add_bulk(g, i);
      for (int i = 0; i < length(g); ++i)
        if (p.code[static_cast<std::size_t>(i)].kind == Kind::arrive) add_object(g, i);
      for (int i = 0; i < length(g); ++i)
        if (p.code[static_cast<std::size_t>(i)].kind == Kind::cluster_arrive) add_cluster(g, i);
    }
    for (const auto& [hub, thread, i] : relaxed_) add_relaxed(hub, thread, i);
    for (const auto& [from, to] : of_fences_) edge(from, to);
  }

  /// Begins and ends of grids. `order`: as they ran.
  void add_grids(const std::vector<int>& order) {
    struct Points {
      std::size_t begin = 0, own_end = 0, end = 0;  ///< own_end: without tail launches
    };
    std::vector<Points> grids;
    for (std::size_t g = 0; g < tree_.size(); ++g) {
      grids.push_back({edges_.size(), edges_.size() + 1, edges_.size() + 2});
      begins_.push_back(edges_.size());
      edges_.resize(edges_.size() + 3);
    }
    for (std::size_t t = 0; t < threads_.size(); ++t) {
      const Points& of = grids[static_cast<std::size_t>(threads_[t].grid)];
      edge(of.begin, point(t, 0));
      edge(point(t, length(threads_[t].grid)), of.own_end);
    }
    const auto ran = [&](int grid) { return std::ranges::find(order, grid) - order.begin(); };
    for (std::size_t g = 0; g < tree_.size(); ++g) {
      edge(grids[g].own_end, grids[g].end);
      std::vector<GridLaunch> launches = tree_[g].launches;
      std::ranges::sort(launches, {}, [&](const GridLaunch& l) { return ran(l.grid); });
      for (std::size_t i = 0; i < launches.size(); ++i) {
        const GridLaunch& l = launches[i];
        const Points& of = grids[static_cast<std::size_t>(l.grid)];
        const bool tail = l.stream == GridLaunch::Stream::tail;
        edge(point(number({l.block, l.warp, l.lane, static_cast<int>(g)}), l.at), of.begin);
        if (tail) edge(grids[g].own_end, of.begin);
        edge(of.end, tail ? grids[g].end : grids[g].own_end);
        for (std::size_t e = 0; e < i; ++e) {
          const GridLaunch& before = launches[e];
          const bool thread = before.warp == l.warp && before.lane == l.lane;
          const bool follows =
              before.stream == l.stream && l.stream != GridLaunch::Stream::forget &&
              (tail || (before.block == l.block && (thread || l.stream == GridLaunch::Stream::of_block)));
          if (follows) edge(grids[static_cast<std::size_t>(before.grid)].end, of.begin);
        }
      }
    }
  }

  /// After which an access may begin, and before which it is over: of a copy, points of its own.
  std::size_t before(const Access& a) const {
    const auto at = copies_.find({number(a.thread), a.instruction, a.of_source});
    return at == copies_.end() ? point(number(a.thread), a.instruction) : at->second.first;
  }
  std::size_t past(const Access& a) const {
    const auto at = copies_.find({number(a.thread), a.instruction, a.of_source});
    return at == copies_.end() ? point(number(a.thread), a.instruction + 1) : at->second.second;
  }

  /// The point of an access that releases, after what comes before it and after the access itself.
  std::size_t release(const Access& a) {
    const std::size_t at = edges_.size();
    edges_.emplace_back();
    edge(before(a), at);
    releases_[{number(a.thread), a.instruction}] = at;
    return at;
  }
  /// The point of a strong write after a fence: who reads it comes after it, and after nothing else by that.
  std::size_t itself(const Access& a) {
    const std::size_t at = edges_.size();
    edges_.emplace_back();
    itself_[{number(a.thread), a.instruction}] = at;
    return at;
  }
  bool read_before(const Access& a, std::size_t point) const {
    const auto at = itself_.find({number(a.thread), a.instruction});
    return at != itself_.end() && search(at->second, false)[point];
  }
  /// The points that an access happens before. `waits`: see below.
  std::vector<bool> after(const Access& a, bool waits = false) const {
    std::vector<bool> seen = search(past(a), waits);
    if (const auto at = releases_.find({number(a.thread), a.instruction}); at != releases_.end()) {
      const std::vector<bool> more = search(at->second, waits);
      for (std::size_t i = 0; i < seen.size(); ++i) seen[i] = seen[i] || more[i];
    }
    return seen;
  }

  /// Threads of the cluster wait for each other there, even if no memory is in order with it.
  std::vector<bool> from_with_waits(std::size_t start) const { return search(start, true); }
  std::vector<bool> from(std::size_t start) const { return search(start, false); }

  const std::vector<std::size_t>& begins() const { return begins_; }
  const std::vector<Thread>& threads() const { return threads_; }
  std::size_t number(const Thread& t) const {
    return static_cast<std::size_t>(std::ranges::find(threads_, t) - threads_.begin());
  }
  std::size_t point(std::size_t thread, int instruction) const {
    return first_point_[thread] + static_cast<std::size_t>(instruction);
  }
  std::uint32_t mask(int i, const Thread& t) const {
    const Program& p = program(t.grid);
    return p.code[static_cast<std::size_t>(i)].masks[static_cast<std::size_t>(t.block * p.warps + t.warp)];
  }
  const Program& program(int grid) const { return tree_[static_cast<std::size_t>(grid)]; }
  int length(int grid) const { return static_cast<int>(program(grid).code.size()); }
  bool executes(int i, const Thread& t) const { return (mask(i, t) >> t.lane & 1) != 0; }
  void edge(std::size_t from, std::size_t to) { edges_[from].push_back(to); }

  std::vector<bool> search(std::size_t start, bool waits) const {
    std::vector<bool> seen(edges_.size(), false);
    std::vector<std::size_t> open{start};
    seen[start] = true;
    while (!open.empty()) {
      const std::size_t at = open.back();
      open.pop_back();
      for (const std::size_t to : edges_[at])
        if (!seen[to]) seen[to] = true, open.push_back(to);
      if (!waits) continue;
      for (auto [at_hub, end] = waits_.equal_range(at); at_hub != end; ++at_hub)
        if (!seen[at_hub->second]) seen[at_hub->second] = true, open.push_back(at_hub->second);
    }
    return seen;
  }

 private:
  /// All of `comes` before all of `goes`.
  void join(int i, const std::vector<std::size_t>& comes, const std::vector<std::size_t>& goes) {
    const std::size_t hub = edges_.size();
    edges_.emplace_back();
    for (const std::size_t t : comes) edge(point(t, i), hub);
    for (const std::size_t t : goes) edge(hub, point(t, i + 1));
  }

  void add_sync(int g, int i) {
    const Ins& ins = program(g).code[static_cast<std::size_t>(i)];
    if (ins.kind == Kind::barrier || ins.kind == Kind::named)
      for (int b = 0; b < program(g).block_count; ++b) {
        std::vector<std::size_t> comes, goes;
        for (std::size_t t = 0; t < threads_.size(); ++t) {
          if (threads_[t].grid != g || threads_[t].block != b) continue;
          const Ins::Role role =
              ins.kind == Kind::barrier ? Ins::Role::sync : ins.roles[static_cast<std::size_t>(threads_[t].warp)];
          if (role != Ins::Role::none) comes.push_back(t);
          if (role == Ins::Role::sync) goes.push_back(t);
        }
        join(i, comes, goes);
      }
    if (ins.kind != Kind::warp_sync && ins.kind != Kind::shuffle && ins.kind != Kind::vote) return;
    for (int b = 0; b < program(g).block_count; ++b)
      for (int w = 0; w < program(g).warps; ++w) {
        std::vector<std::size_t> in, out;
        for (std::size_t t = 0; t < threads_.size(); ++t)
          if (threads_[t].grid == g && threads_[t].block == b && threads_[t].warp == w)
            (executes(i, threads_[t]) ? in : out).push_back(t);
        join(i, in, in);
        if (ins.others_too) join(i, out, out);
      }
  }

  /// A copy begins after its instruction, and is over before the first wait of its thread that covers its group.
  void add_copies(int g, int i) {
    for (std::size_t t = 0; t < threads_.size(); ++t) {
      if (threads_[t].grid != g || !executes(i, threads_[t])) continue;
      const std::size_t begin = edges_.size(), end = begin + 1;
      edges_.emplace_back(), edges_.emplace_back();
      copies_[{t, i, false}] = copies_[{t, i, true}] = {begin, end};
      edge(point(t, i), begin);
      edge(begin, end);
      int committed = -1;  // groups committed after its own; -1: it is in none yet
      for (int j = i + 1; j < length(g); ++j) {
        const Ins& ins = program(g).code[static_cast<std::size_t>(j)];
        if (!executes(j, threads_[t])) continue;
        if (ins.kind == Kind::commit) ++committed;
        const bool covers = ins.kept_groups < 0 || (committed >= 0 && committed >= ins.kept_groups);
        if (ins.kind != Kind::wait || !covers) continue;
        edge(end, point(t, j + 1));
        break;
      }
    }
  }

  bool is_group_copy(int g, int i) const { return program(g).code[static_cast<std::size_t>(i)].is_copy(); }

  /// PTX ISA, "Async proxy", cp.async.bulk, st.async: a bulk copy reads and writes at any time after its instruction,
  /// and its completion is seen by way of what the instruction names, and of nothing else. By a group: by its own
  /// thread, which may wait for the reading alone; by a barrier object: by every thread that sees the phase complete.
  /// (That accesses of the two proxies to one place need a proxy fence besides is not judged.)
  void add_bulk(int g, int i) {
    const Ins& bulk = program(g).code[static_cast<std::size_t>(i)];
    for (std::size_t t = 0; t < threads_.size(); ++t) {
      if (threads_[t].grid != g || !executes(i, threads_[t])) continue;
      for (const bool source : {true, false}) {
        const std::size_t begin = edges_.size(), end = begin + 1;
        edges_.emplace_back(), edges_.emplace_back();
        copies_[{t, i, source}] = {begin, end};
        edge(point(t, i), begin);
        int committed = -1;
        for (int j = i + 1; j < length(g) && !bulk.by_object(); ++j) {
          const Ins& ins = program(g).code[static_cast<std::size_t>(j)];
          if (!executes(j, threads_[t])) continue;
          if (ins.kind == Kind::bulk_commit) ++committed;
          if (ins.kind != Kind::bulk_wait || committed < 0 || committed < ins.kept_groups) continue;
          if (ins.only_reads && !source) continue;
          edge(end, point(t, j + 1));
          break;
        }
      }
    }
  }

  void add_object(int g, int i) {
    const Ins& ins = program(g).code[static_cast<std::size_t>(i)];
    for (int b = 0; b < program(g).block_count; ++b) {
      // Of all who arrive, and of threads of the block with the object.
      const std::size_t hub = edges_.size(), own_hub = hub + 1;
      edges_.emplace_back(), edges_.emplace_back();
      edge(own_hub, hub);
      for (std::size_t t = 0; t < threads_.size(); ++t) {
        if (threads_[t].grid != g) continue;
        const bool own = threads_[t].block == b;
        for (int c = 0; c < length(g); ++c) {
          const Ins& bulk = program(g).code[static_cast<std::size_t>(c)];
          if (!bulk.by_object() || bulk.object != ins.object || !executes(c, threads_[t]) ||
              program(g).owner(bulk, threads_[t].block) != b)
            continue;
          for (const bool source : {true, false}) edge(copies_.at({t, c, source}).second, own_hub);
          edge(point(t, c), own ? own_hub : hub);  // what came before it: complete-tx releases to the cluster
        }
        if (program(g).owner(ins, threads_[t].block) == b && executes(i, threads_[t]) && (own || !ins.cta)) {
          edge(point(t, i + 1), own ? own_hub : hub);  // the arrival itself is done with the phase
          for (int c = 0; c < i && ins.with_copies; ++c)
            if (const auto at = copies_.find({t, c, false}); at != copies_.end() && is_group_copy(g, c))
              edge(at->second.second, own_hub);
        }
        for (int j = i + 1; j < length(g) && threads_[t].block == b; ++j) {
          const Ins& wait = program(g).code[static_cast<std::size_t>(j)];
          if (wait.kind == Kind::await && wait.object == ins.object && executes(j, threads_[t]))
            edge(wait.cta ? own_hub : hub, point(t, j + 1));
        }
      }
    }
  }

  /// The barrier of each cluster: all threads arrive at i, and wait at the next wait.
  void add_cluster(int g, int i) {
    const Program& p = program(g);
    int wait = i;
    while (p.code[static_cast<std::size_t>(wait)].kind != Kind::cluster_wait) ++wait;
    for (int c = 0; c < p.block_count / p.cluster; ++c) {
      const std::size_t hub = edges_.size();
      edges_.emplace_back();
      for (std::size_t t = 0; t < threads_.size(); ++t) {
        if (threads_[t].grid != g || threads_[t].block / p.cluster != c) continue;
        edge(hub, point(t, wait + 1));
        if (p.code[static_cast<std::size_t>(i)].relaxed) {
          relaxed_.push_back({hub, t, i});
          waits_.emplace(point(t, i), hub);
        } else {
          edge(point(t, i), hub);
        }
      }
    }
  }

  /// Order made by a fence continues through an arrival that is relaxed.
  void add_relaxed(std::size_t hub, std::size_t thread, int i) {
    for (std::size_t t = 0; t < threads_.size(); ++t)
      for (int f = 0; f < length(threads_[t].grid); ++f) {
        const Ins& ins = program(threads_[t].grid).code[static_cast<std::size_t>(f)];
        if (ins.kind != Kind::fence || ins.cta || !executes(f, threads_[t])) continue;
        if (from(point(t, f + 1))[point(thread, i)]) of_fences_.emplace_back(point(t, f), hub);
      }
  }

  struct Relaxed {
    std::size_t hub, thread;
    int instruction;
  };
  std::vector<Relaxed> relaxed_;
  std::multimap<std::size_t, std::size_t> waits_;
  std::vector<std::pair<std::size_t, std::size_t>> of_fences_;
  const Tree& tree_;
  std::vector<Thread> threads_;
  std::vector<std::size_t> first_point_;  ///< by thread
  std::vector<std::size_t> begins_;       ///< of grids
  std::vector<std::vector<std::size_t>> edges_;
  std::map<std::pair<std::size_t, int>, std::size_t> releases_, itself_;  ///< by thread and instruction
  /// By thread and instruction, and whether it is the reading.
  std::map<std::tuple<std::size_t, int, bool>, std::pair<std::size_t, std::size_t>> copies_;
};

/// Numbered through the grids.
int block_of(const Thread& t) { return t.grid * blocks + t.block; }
/// In a launch without clusters, each block is one.
int cluster_of(const Program& p, const Thread& t) { return block_of(t) / p.cluster; }

enum Level { block_level, cluster_level, device_level };
Level level_of(const Ins& i) { return i.cta ? block_level : i.in_cluster ? cluster_level : device_level; }

/// Edges from releases to the strong reads that see them.
void add_releases(const Tree& tree, const std::vector<Access>& log, Graph& graph) {
  struct Source {
    std::size_t point;
    Level level;
    int block, cluster;  ///< -1: it has gone through an atomic of another one
  };
  const auto program = [&](int grid) -> const Program& { return tree[static_cast<std::size_t>(grid)]; };
  struct Fence {
    std::size_t point;
    Level level;
    std::vector<bool> reaches;
  };
  // Barriers and `.sync` operations alone hand on what a fence has made ready: no edge of a release is there yet.
  std::vector<Fence> fences;
  for (std::size_t t = 0; t < graph.threads().size(); ++t)
    for (int i = 0; i < graph.length(graph.threads()[t].grid); ++i) {
      const Ins& ins = program(graph.threads()[t].grid).code[static_cast<std::size_t>(i)];
      if (ins.kind == Kind::fence && graph.executes(i, graph.threads()[t]))
        fences.push_back({graph.point(t, i), level_of(ins), graph.from(graph.point(t, i + 1))});
    }
  std::map<std::tuple<bool, int, int>, std::vector<Source>> released;
  std::vector<std::pair<std::size_t, std::size_t>> edges;
  // Accesses before a grid begins are visible on the whole device then, as after a fence.
  for (const std::size_t begin : graph.begins()) fences.push_back({begin, device_level, graph.from(begin)});
  const auto of_first_grid = [&](const Fence& f) {
    return !graph.begins().empty() && f.point == graph.begins().front();
  };
  for (const Access& a : log) {
    const Program& p = program(a.thread.grid);
    const Ins& ins = p.code[static_cast<std::size_t>(a.instruction)];
    const int block = block_of(a.thread), cluster = cluster_of(p, a.thread);
    if (ins.is_bulk() || (ins.is_copy() && a.of_source)) continue;  // a later reader may see what was there before it
    const int byte = ins.byte(a.thread.lane, a.thread.block * p.warps + a.thread.warp);
    const std::size_t here = graph.point(graph.number(a.thread), a.instruction);
    auto& sources =
        released[{ins.shared, ins.shared ? a.thread.grid * blocks + p.owner(ins, a.thread.block) : 0, byte}];
    if (!ins.strong()) {
      if (ins.writes()) sources.clear();
      continue;
    }
    const Level own = level_of(ins);
    if (!ins.writes() || ins.kind == Kind::atomic)  // a reduction returns nothing
      for (const Source& s : sources)
        if (s.block == block || (s.cluster == cluster && s.level >= cluster_level && own >= cluster_level) ||
            (s.level == device_level && own == device_level))
          edges.emplace_back(s.point, here);
    if (!ins.writes()) continue;
    if (!ins.updates()) sources.clear();
    // Through an atomic of another block only what is released to more than that block continues.
    for (Source& s : sources) {
      if (s.block != block) s.block = -1;
      if (s.cluster != cluster) s.cluster = -1;
    }
    std::erase_if(sources, [](const Source& s) {
      return s.block < 0 && s.level != device_level && (s.level == block_level || s.cluster < 0);
    });
    if (ins.order == Order::release) {
      sources.push_back({graph.release(a), own, block, cluster});
      continue;
    }
    std::optional<Level> widest;
    for (const Fence& f : fences)
      if (f.reaches[here]) {
        sources.push_back({f.point, std::min(f.level, own), block, cluster});
        if (!of_first_grid(f)) widest = std::max(widest.value_or(block_level), sources.back().level);
      }
    if (widest) sources.push_back({graph.itself(a), *widest, block, cluster});
  }
  for (const auto& [from, to] : edges) graph.edge(from, to);
}

bool writes(const Ins& i, const Access& a) { return i.writes() && !a.of_source; }
bool in_shared(const Ins& i, const Access& a) {
  if (i.kind == Kind::bulk_store || i.kind == Kind::bulk_reduce) return a.of_source;
  return i.kind == Kind::bulk_push || (i.shared && !a.of_source);
}
/// Whose shared memory it is about.
int owner_of(const Program& p, const Ins& i, const Access& a) {
  return a.of_source ? a.thread.block : p.owner(i, a.thread.block);
}
/// The reading of a copy is as weak as any load.
bool is_strong(const Ins& i, const Access& a) { return i.strong() && !a.of_source; }

bool conflict(const Program& p, const Ins& a, const Access& x, const Ins& b, const Access& y, bool strong_pairs) {
  if (!writes(a, x) && !writes(b, y)) return false;
  if (strong_pairs) return true;
  if (!is_strong(a, x) || !is_strong(b, y)) return true;
  const bool same_block = block_of(x.thread) == block_of(y.thread);
  if (a.order == Order::is_volatile && b.order == Order::is_volatile)
    return same_block && x.thread.warp == y.thread.warp;
  const Level narrow = std::min(level_of(a), level_of(b));
  if (narrow == cluster_level) return cluster_of(p, x.thread) != cluster_of(p, y.thread);
  return !same_block && narrow == block_level;
}

std::uint32_t value_of(const Program& p, const Access& a) {
  const Ins& i = p.code[static_cast<std::size_t>(a.instruction)];
  if (i.same_value) return 7;
  return static_cast<std::uint32_t>(((a.thread.block * p.warps + a.thread.warp) * 32 + a.thread.lane) * 16 +
                                    a.instruction);
}

/// Bytes that both access, none if they are of different memories.
std::vector<int> common_bytes(const Program& p, const Access& x, const Program& q, const Access& y) {
  const Ins &a = p.code[static_cast<std::size_t>(x.instruction)], &b = q.code[static_cast<std::size_t>(y.instruction)];
  const bool shared = in_shared(a, x);
  if (shared != in_shared(b, y)) return {};
  if (shared && (x.thread.grid != y.thread.grid || owner_of(p, a, x) != owner_of(q, b, y))) return {};
  const int first = a.byte(x.thread.lane, x.thread.block * p.warps + x.thread.warp);
  const int second = b.byte(y.thread.lane, y.thread.block * q.warps + y.thread.warp);
  std::vector<int> common;
  for (int byte = std::max(first, second); byte < std::min(first + a.width, second + b.width); ++byte)
    common.push_back(byte);
  return common;
}

Verdict verdict(const Tree& tree, const Graph& graph, const std::vector<Access>& log, bool strong_pairs) {
  std::vector<Access> all = log;
  std::ranges::sort(all);
  std::vector<std::vector<bool>> after;
  for (const Access& a : all) after.push_back(graph.after(a));
  Verdict out;
  for (std::size_t i = 0; i < all.size(); ++i)
    for (std::size_t j = i + 1; j < all.size(); ++j) {
      const Access &x = all[i], &y = all[j];
      const Program &p = tree[static_cast<std::size_t>(x.thread.grid)],
                    &q = tree[static_cast<std::size_t>(y.thread.grid)];
      const Ins &a = p.code[static_cast<std::size_t>(x.instruction)],
                &b = q.code[static_cast<std::size_t>(y.instruction)];
      const bool own =
          x.thread == y.thread && ((!a.is_asynchronous() && !b.is_asynchronous()) || x.instruction == y.instruction);
      const bool conflicts = conflict(p, a, x, b, y, strong_pairs);
      const bool by_volatile = !conflicts && (writes(a, x) || writes(b, y)) &&
                               (a.order == Order::is_volatile || b.order == Order::is_volatile);
      if (own || (!conflicts && !by_volatile)) continue;
      const std::vector<int> common = common_bytes(p, x, q, y);
      if (common.empty()) continue;
      if (after[i][graph.before(y)] || after[j][graph.before(x)]) continue;
      // Of two atomics only what orders them otherwise is requested there.
      const bool itself = !strong_pairs || !a.strong() || !b.strong();
      if (itself && (graph.read_before(x, graph.before(y)) || graph.read_before(y, graph.before(x)))) continue;
      const auto stores = [](const Ins& i) {
        return i.kind == Kind::store && (!i.strong() || i.order == Order::is_volatile);
      };
      const bool equal = stores(a) && stores(b);
      const int first = a.byte(x.thread.lane, x.thread.block * p.warps + x.thread.warp);
      const int second = b.byte(y.thread.lane, y.thread.block * q.warps + y.thread.warp);
      for (const int byte : common) {
        const std::uint32_t one = value_of(p, x) >> 8 * (byte - first), other = value_of(q, y) >> 8 * (byte - second);
        (conflicts ? out.pairs : out.volatile_pairs)[{x, y, byte}] = equal && ((one ^ other) & 0xff) == 0;
        (conflicts ? out.bytes : out.volatile_bytes)
            .insert({in_shared(a, x), in_shared(a, x) ? x.thread.grid * blocks + owner_of(p, a, x) : 0, byte});
      }
    }
  return out;
}

}  // namespace

Verdict judge(const Program& p, const std::vector<Access>& log, bool strong_pairs) {
  const Tree tree{p};
  Graph graph(tree);
  add_releases(tree, log, graph);
  return verdict(tree, graph, log, strong_pairs);
}

Lifetimes lifetimes(const Program& p, const std::vector<Access>& log, const std::vector<Reach>& reaches) {
  const Tree tree{p};
  Graph graph(tree);
  add_releases(tree, log, graph);
  Lifetimes out;
  std::map<std::pair<Thread, int>, Access> last;
  const auto of_block = [&](int block, auto f) {
    for (std::size_t t = 0; t < graph.threads().size(); ++t)
      if (graph.threads()[t].block == block && f(t)) return true;
    return false;
  };
  std::map<std::size_t, std::vector<bool>> after_start;
  for (const Reach& r : reaches) {
    if (r.until_end) last[{r.access.thread, r.owner}] = r.access;
    const bool begun = (p.objects > 0 && p.cluster > 1) || of_block(r.owner, [&](std::size_t t) {
                         const std::size_t start = graph.point(t, 0);
                         if (!after_start.contains(start)) after_start[start] = graph.from_with_waits(start);
                         return after_start[start][graph.before(r.access)];
                       });
    if (!begun) out.begin.insert({r.access.instruction, r.access.thread});
  }
  for (const auto& [key, access] : last) {
    const bool loads = access.instruction >= 0 && !p.code[static_cast<std::size_t>(access.instruction)].writes();
    const auto after = graph.after(access, loads);
    if (!of_block(key.second, [&](std::size_t t) { return after[graph.point(t, graph.length(0))]; }))
      out.end.insert({access.instruction, access.thread});
  }
  return out;
}

Verdict judge_tree(const Tree& tree, const std::vector<int>& order, const std::vector<Access>& log) {
  Graph graph(tree);
  graph.add_grids(order);
  add_releases(tree, log, graph);
  return verdict(tree, graph, log, false);
}

}  // namespace lanescope::races::test
