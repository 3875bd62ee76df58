// mbarrier, bulk copies, st.async and red.async.

#include <algorithm>

#include "kernels/emulator/decode/decoder.h"
#include "kernels/emulator/lanes/operations.h"
#include "kernels/emulator/steps/steps.h"

namespace lanescope::emulator {

using ptx::Operand;
using ptx::Type;
using Kind = Operand::Kind;

namespace {

const std::pair<std::string_view, Atomic> atomic_names[] = {
    {"add", Atomic::add}, {"min", Atomic::min},  {"max", Atomic::max}, {"and", Atomic::and_},
    {"or", Atomic::or_},  {"xor", Atomic::xor_}, {"inc", Atomic::inc}, {"dec", Atomic::dec}};

}  // namespace

bool Decoder::barrier_object() {
  using Does = BarrierObjectOp::Kind;
  BarrierObjectOp o;
  std::size_t at = 0;
  const auto address = [&] {
    memory_space(o.memory);
    o.memory.kind = trace::AccessKind::atomic;
    return memory_operand(operand(at++), o.memory);
  };
  if (has("pending_count")) {
    o.kind = Does::pending_count;
    o.destination = destination(operand(0), 32);
    o.token = source(operand(1), 64);
  } else if (has("init")) {
    o.kind = Does::init;
    if (!address()) return false;
    o.count = source(operand(1), 32);
  } else if (has("inval")) {
    o.kind = Does::inval;
    if (!address()) return false;
  } else if (has("test_wait") || has("try_wait")) {
    o.kind = has("parity") ? Does::test_parity : Does::test;
    o.destination = predicate_destination(operand(at++));
    if (!address()) return false;
    o.token = source(operand(at), has("parity") ? 32 : 64);
  } else if (has("arrive") || has("arrive_drop")) {
    o.kind = has("arrive") ? Does::arrive : Does::arrive_drop;
    const bool returns = operand(0).kind != Kind::address;
    if (returns) o.destination = operand(at++).kind == Kind::reg ? destination(operand(0), 64) : 0;
    if (!address()) return false;
    if (has("expect_tx"))
      o.bytes = source(operand(at), 32);
    else if (at < operand_count())
      o.count = source(operand(at), 32);
  } else if (has("expect_tx") || has("complete_tx")) {
    o.kind = has("expect_tx") ? Does::expect : Does::complete;
    if (!address()) return false;
    o.bytes = source(operand(at), 32);
  } else {
    return false;
  }
  op_.immediate = static_cast<u32>(program_.barrier_objects.size());
  program_.barrier_objects.push_back(o);
  op_.step = step_barrier_object;
  return true;
}

bool Decoder::bulk_copy() {
  if (has("tensor") || has("async::tensor")) return refuse("tensor maps are not supported");
  if (has("commit_group") || has("wait_group") || has("prefetch")) return ignore();
  BulkOp b;
  b.fills = instruction_->opcode == "st";
  const auto place = [&](MemoryOp& m, std::string_view space, const Operand& o) {
    m.kind = trace::AccessKind::async_copy;
    const bool shared = space.starts_with("shared");
    m.area = shared ? Area::shared : Area::global;
    m.of_cluster = space == "shared::cluster";
    m.space = shared ? trace::MemorySpace::shared : trace::MemorySpace::global;
    return memory_operand(o, m);
  };
  if (b.fills) {
    memory_space(b.to);
    b.to.kind = trace::AccessKind::async_copy;
    if (!memory_operand(operand(0), b.to)) return false;
    b.bytes = source(operand(1), 32);
    if (operand(2).kind != Kind::immediate || operand(2).bits != 0) return refuse("only zeros can be stored");
  } else {
    std::vector<std::string_view> spaces;
    for (const std::string& m : instruction_->modifiers)
      if (m == "global" || m.starts_with("shared")) spaces.push_back(m);
    if (spaces.size() != 2) return refuse("its state spaces are not known");
    if (!place(b.to, spaces[0], operand(0)) || !place(b.from, spaces[1], operand(1))) return false;
    b.bytes = source(operand(2), 32);
    b.completes = has("mbarrier::complete_tx::bytes");
    if (operand_count() !=
        3u + (b.completes ? 1 : 0) + (has("multicast::cluster") ? 1 : 0) + (has("L2::cache_hint") ? 1 : 0))
      return refuse("it has another number of operands");
    if (b.completes && !place(b.barrier, spaces[0], operand(3))) return false;
    if (has("multicast::cluster")) b.blocks = source(operand(4), 16);
    if (has("reduce")) {
      for (const auto& [name, atomic] : atomic_names)
        if (has(name)) b.to.atomic = atomic;
      b.to.type = type();
      b.to.bytes = static_cast<u32>(ptx::bits_of(type())) / 8;
      if (b.to.atomic == Atomic::none || b.to.bytes < 2 || b.to.bytes > 8) return false;
      if (b.completes && b.to.bytes == 8 && b.to.atomic != Atomic::add) return refuse("only sums have 64 bits here");
    }
  }
  op_.immediate = static_cast<u32>(program_.bulk_copies.size());
  program_.bulk_copies.push_back(b);
  op_.step = step_bulk_copy;
  return true;
}

/// clusterlaunchcontrol: a request to cancel the launch of a cluster never succeeds here, which the PTX ISA allows: every
/// block of the grid runs. The response is 16 bytes of zeros.
bool Decoder::launch_control() {
  if (has("query_cancel")) {
    if (!has("is_canceled")) {  // left open where the request failed
      if (operand(0).kind == Kind::vector) return refuse("only its single elements are supported");
      op_.d = destination(operand(0), 32);
      op_.a = constants_.row_of(0, 32);
      op_.d_bits = op_.a_bits = 32;
      op_.b_bits = op_.c_bits = 0;
      op_.tag = tag_nothing;
      return find_copy(32);
    }
    op_.d = predicate_destination(operand(0));
    op_.a = op_.b = op_.c = never;
    op_.exec = exec_predicates;
    op_.tag = tag_predicates;
    return true;
  }
  if (!has("try_cancel")) return false;
  BulkOp b;
  for (MemoryOp* m : {&b.to, &b.barrier}) {
    memory_space(*m);
    m->kind = trace::AccessKind::async_copy;
  }
  if (!memory_operand(operand(0), b.to) || !memory_operand(operand(1), b.barrier)) return false;
  b.bytes = constants_.row_of(16, 32);
  b.fills = b.completes = true;
  op_.immediate = static_cast<u32>(program_.bulk_copies.size());
  program_.bulk_copies.push_back(b);
  op_.step = step_bulk_copy;
  return true;
}

/// st.async and red.async that complete bytes of a barrier object. Those with .release are stores and reductions of global
/// memory.
bool Decoder::remote_store() {
  BulkOp b;
  memory_space(b.to);
  memory_space(b.barrier);
  b.to.kind = instruction_->opcode == "st" ? trace::AccessKind::store : trace::AccessKind::reduction;
  if (!has("mbarrier::complete_tx::bytes"))
    return refuse("only stores that complete bytes of a barrier object are supported");
  b.to.type = type();
  b.to.bytes = static_cast<u32>(ptx::bits_of(type())) / 8;
  if (b.to.bytes != 4 && b.to.bytes != 8) return false;
  if (has("weak") && has("cluster")) return refuse("a weak store has no scope");
  if (instruction_->opcode == "red") {
    for (const auto& [name, atomic] : atomic_names)
      if (has(name)) b.to.atomic = atomic;
    if (b.to.atomic == Atomic::none) return false;
  }
  if (!memory_operand(operand(0), b.to) || !value_operands(operand(1), b.to, false) ||
      !memory_operand(operand(2), b.barrier))
    return false;
  if (b.to.count * b.to.bytes > 16) return refuse("vectors of this size are not supported");
  op_.immediate = static_cast<u32>(program_.bulk_copies.size());
  program_.bulk_copies.push_back(b);
  op_.step = step_remote_store;
  return true;
}

}  // namespace lanescope::emulator
