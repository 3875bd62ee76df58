#include "kernels/instrument/rewrite.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace lanescope::instrument {

using ptx::Instruction;
using trace::AccessKind;
using trace::MemorySpace;

namespace {

bool any_of(const Instruction& i, std::initializer_list<std::string_view> modifiers) {
  return std::ranges::any_of(modifiers, [&](std::string_view m) { return i.has(m); });
}

bool is_shared(const Instruction& i) { return any_of(i, {"shared", "shared::cta", "shared::cluster"}); }
/// Memory that is each thread's own, or constant.
bool is_private(const Instruction& i) { return any_of(i, {"local", "const", "param", "param::entry", "param::func"}); }
bool is_bulk(const Instruction& i) { return any_of(i, {"bulk", "async", "mmio", "mbarrier", "multimem"}); }

Site access(const Instruction& i, AccessKind kind, int bytes) {
  Site s;
  s.kind = Site::Kind::access;
  s.access = kind;
  s.width_bytes = bytes;
  s.space = is_shared(i) ? MemorySpace::shared : MemorySpace::global;
  s.generic = !is_shared(i) && !i.has("global");
  s.read_only = i.has("nc") || i.opcode == "ldu";
  return s;
}

int element_bytes(const Instruction& i) { return i.types.empty() ? 0 : ptx::bits_of(i.types.front()) / 8; }

int width_of(const Instruction& i, const ptx::Operand& value) {
  const std::size_t elements = value.kind == ptx::Operand::Kind::vector ? value.elements.size() : 1;
  return element_bytes(i) * static_cast<int>(elements);
}

std::vector<Point> load_or_store(const Instruction& i) {
  const bool load = i.opcode != "st";
  const std::size_t address = load ? 1 : 0;
  if (is_private(i) || is_bulk(i) || i.operands.size() < 2 || element_bytes(i) == 0) return {};
  const int width = width_of(i, i.operands[1 - address]);
  return {{access(i, load ? AccessKind::load : AccessKind::store, width), static_cast<int>(address)}};
}

std::vector<Point> atomic(const Instruction& i) {
  const bool returns = i.opcode == "atom";
  const std::size_t address = returns ? 1 : 0;
  if (is_bulk(i) || i.operands.size() < address + 2 || element_bytes(i) == 0) return {};
  const int width = width_of(i, i.operands[address + 1]);
  return {{access(i, returns ? AccessKind::atomic : AccessKind::reduction, width), static_cast<int>(address)}};
}

std::vector<Point> async_copy(const Instruction& i) {
  if (!i.has("async") || any_of(i, {"bulk", "mbarrier", "reduce", "commit_group", "wait_group", "wait_all"})) return {};
  if (i.operands.size() < 3) return {};
  Site to = access(i, AccessKind::async_copy, static_cast<int>(i.operands[2].bits));
  to.space = MemorySpace::shared;
  to.generic = false;
  Site from = to;
  from.space = MemorySpace::global;
  const int source_bytes = i.operands.size() > 3 && !i.has("L2::cache_hint") ? 3 : -1;
  return {{from, 1, source_bytes}, {to, 0}};
}

std::vector<Point> matrix(const Instruction& i) {
  if (!i.has("m8n8") || i.operands.size() < 2 || i.types.empty() || i.types.front() != ptx::Type::b16) return {};
  const bool load = i.opcode == "ldmatrix";
  Site s = access(i, load ? AccessKind::load : AccessKind::store, 16);
  s.matrix = i.has("x4") ? 4 : i.has("x2") ? 2 : 1;
  s.space = MemorySpace::shared;
  return {{s, load ? 1 : 0, -1, s.matrix == 4 ? ~0u : (1u << (8 * s.matrix)) - 1}};
}

std::vector<Point> plain(Site::Kind kind) {
  Point p;
  p.site.kind = kind;
  return {p};
}

}  // namespace

std::vector<Point> traced_points(const Instruction& i) {
  if (i.opcode == "ld" || i.opcode == "st" || i.opcode == "ldu") return load_or_store(i);
  if (i.opcode == "atom" || i.opcode == "red") return atomic(i);
  if (i.opcode == "cp") return async_copy(i);
  if (i.opcode == "ldmatrix" || i.opcode == "stmatrix") return matrix(i);
  if (i.opcode == "shfl" && i.has("sync") && i.operands.size() == 5) return plain(Site::Kind::shuffle);
  if (i.opcode == "bar" || (i.opcode == "barrier" && !i.has("cluster")))
    return i.has("warp") ? std::vector<Point>{} : plain(Site::Kind::barrier);
  return {};
}

bool is_silent_access(const Instruction& i) {
  static constexpr std::array<std::string_view, 12> memory{"ld",       "ldu",  "st",   "atom",     "red",      "cp",
                                                           "ldmatrix", "wmma", "surf", "stmatrix", "multimem", "tex"};
  if (std::ranges::find(memory, i.opcode) == memory.end() || !traced_points(i).empty()) return false;
  if (i.opcode == "wmma") return any_of(i, {"load", "store"});
  if (i.opcode == "cp") return i.has("async") && !any_of(i, {"commit_group", "wait_group", "wait_all"});
  return !is_private(i);
}

}  // namespace lanescope::instrument
