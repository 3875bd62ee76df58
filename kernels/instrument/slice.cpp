#include "kernels/instrument/slice.h"

#include <algorithm>
#include <map>
#include <optional>

#include <fmt/format.h>

#include "kernels/instrument/reach.h"
#include "kernels/instrument/rewrite.h"

namespace lanescope::instrument {
namespace {

using ptx::Instruction;
using ptx::Operand;
using Kind = Operand::Kind;
using Scope = Operand::Scope;

/// What an object is: a scope of the PTX, the function it belongs to (-1: the module), its number there.
struct ObjectKey {
  Scope scope = Scope::none;
  int function = -1, index = 0;
  auto operator<=>(const ObjectKey&) const = default;
};

class Analysis {
 public:
  Analysis(const ptx::Module& module, const trace::Launch& launch, const std::vector<trace::Buffer>& buffers,
           int kernel)
      : module_(module), launch_(launch), buffers_(buffers), functions_(reached_functions(module, kernel)) {}

  Expected<void> prepare();
  void run();
  Slice result(const Description& description);

 private:
  struct Steer {
    const char* what = "";
    std::uint32_t pc = 0;
    int line = 0;
  };

  std::size_t object(ObjectKey key);
  void add_objects(int function);
  void set_kernel_parameters();
  void visit(const Instruction& i);
  void load(const Instruction& i);
  void store(const Instruction& i);
  void atomic(const Instruction& i);
  void async_copy(const Instruction& i);
  void shuffle(const Instruction& i);
  void call(const Instruction& i);
  void arithmetic(const Instruction& i);

  Flow value(const Operand& o) const;
  Flow memory(const Operand& address) const;
  ObjectSet pointed_at(const Operand& address) const;
  ObjectKey key_of(const Operand& o) const;
  void join(Flow& into, Flow from);
  void join_register(int reg, const Flow& from);
  void assign(const Operand& to, const Flow& from);
  void put(const Operand& address, const Flow& from);
  void steered(const ObjectSet& data, const char* what);
  void address_used(const Operand& address) {
    if (address.reg >= 0) steered(registers_[function_][static_cast<std::size_t>(address.reg)].data, "an address");
  }

  const ptx::Module& module_;
  const trace::Launch& launch_;
  const std::vector<trace::Buffer>& buffers_;
  std::vector<int> functions_;
  std::map<ObjectKey, std::size_t> objects_;
  std::vector<Flow> memory_;                    ///< by object: what is in it
  std::map<int, std::vector<Flow>> registers_;  ///< by function
  std::map<int, Flow> carry_;                   ///< the carry flag, by function
  ObjectSet everything_;
  int function_ = 0;
  std::uint32_t pc_ = 0;
  const Instruction* instruction_ = nullptr;
  bool changed_ = false;
  std::map<std::size_t, Steer> steers_;  ///< by buffer: the first instruction
};

std::size_t Analysis::object(ObjectKey key) {
  const auto [it, fresh] = objects_.try_emplace(key, memory_.size());
  if (fresh) memory_.emplace_back();
  return it->second;
}

void Analysis::add_objects(int function) {
  const ptx::Entry& e = module_.entries[static_cast<std::size_t>(function)];
  const auto add = [&](Scope scope, std::size_t count) {
    for (std::size_t n = 0; n < count; ++n) object({scope, function, static_cast<int>(n)});
  };
  add(Scope::entry, e.variables.size());
  add(Scope::param, e.params.size());
  add(Scope::returned, e.returns.size());
  add(Scope::call_param, e.call_params.size());
}

void Analysis::set_kernel_parameters() {
  for (std::size_t n = 0; n < launch_.arguments.size(); ++n)
    if (const auto* b = std::get_if<trace::BufferArgument>(&launch_.arguments[n]))
      memory_[object({Scope::param, functions_.front(), static_cast<int>(n)})].pointer.set(
          static_cast<std::size_t>(b->buffer));
}

Expected<void> Analysis::prepare() {
  for (std::size_t b = 0; b < buffers_.size(); ++b) {
    const std::size_t at = object({Scope::none, -1, static_cast<int>(b)});
    if (at < most_objects && buffers_[b].traced) {
      memory_[at].data.set(at);
      memory_[at].reach = Reach::moved;
    }
  }
  for (std::size_t n = 0; n < module_.variables.size(); ++n) object({Scope::module, -1, static_cast<int>(n)});
  for (const int f : functions_) {
    const ptx::Entry& e = module_.entries[static_cast<std::size_t>(f)];
    registers_[f].resize(e.registers.size());
    add_objects(f);
    for (const Instruction& i : e.code)
      if (i.opcode == "call" && std::ranges::none_of(i.operands, [](const Operand& o) {
            return o.kind == Kind::symbol && o.symbol_scope == Scope::function;
          }))
        return failure("the kernel calls functions through pointers");
    if (e.is_declaration) return failure(fmt::format("the kernel calls {}, whose code is not here", e.name));
  }
  if (memory_.size() > most_objects) return failure("the kernel has more variables than are followed");
  for (std::size_t n = 0; n < memory_.size(); ++n) everything_.set(n);
  set_kernel_parameters();
  return {};
}

void Analysis::run() {
  do {
    changed_ = false;
    steers_.clear();
    pc_ = 0;
    for (const int f : functions_) {
      function_ = f;
      for (const Instruction& i : module_.entries[static_cast<std::size_t>(f)].code) {
        instruction_ = &i;
        visit(i);
        ++pc_;
      }
      ++pc_;
    }
  } while (changed_);
}

void Analysis::join(Flow& into, Flow from) {
  if (from.data.none()) from.reach = Reach::none;
  Flow both = into;
  both.data |= from.data;
  both.pointer |= from.pointer;
  both.reach = std::max(both.reach, from.reach);
  if (both == into) return;
  into = both;
  changed_ = true;
}

void Analysis::join_register(int reg, const Flow& from) {
  if (reg >= 0) join(registers_[function_][static_cast<std::size_t>(reg)], from);
}

void Analysis::assign(const Operand& to, const Flow& from) {
  if (to.kind == Kind::reg) join_register(to.reg, from);
  join_register(to.second_reg, from);
  for (const Operand& element : to.elements) assign(element, from);
}

ObjectKey Analysis::key_of(const Operand& o) const {
  return {o.symbol_scope, o.symbol_scope == Scope::module ? -1 : function_, o.symbol};
}

Flow Analysis::value(const Operand& o) const {
  Flow out;
  const auto add = [&](const Flow& f) {
    out.data |= f.data;
    out.pointer |= f.pointer;
    out.reach = std::max(out.reach, f.reach);
  };
  if (o.kind == Kind::reg && o.reg >= 0) add(registers_.at(function_)[static_cast<std::size_t>(o.reg)]);
  if (o.kind == Kind::symbol && o.symbol >= 0)
    if (const auto at = objects_.find(key_of(o)); at != objects_.end()) out.pointer.set(at->second);
  for (const Operand& element : o.elements) add(value(element));
  return out;
}

ObjectSet Analysis::pointed_at(const Operand& address) const {
  ObjectSet out;
  if (address.reg >= 0)
    out = registers_.at(function_)[static_cast<std::size_t>(address.reg)].pointer;
  else if (address.symbol >= 0)
    if (const auto at = objects_.find(key_of(address)); at != objects_.end()) out.set(at->second);
  return out.none() ? everything_ : out;
}

Flow Analysis::memory(const Operand& address) const {
  Flow out;
  const ObjectSet objects = pointed_at(address);
  for (std::size_t n = 0; n < memory_.size(); ++n)
    if (objects.test(n)) {
      out.data |= memory_[n].data;
      out.pointer |= memory_[n].pointer;
      out.reach = std::max(out.reach, memory_[n].reach);
    }
  return out;
}

void Analysis::put(const Operand& address, const Flow& from) {
  const ObjectSet objects = pointed_at(address);
  for (std::size_t n = 0; n < memory_.size(); ++n)
    if (objects.test(n)) join(memory_[n], from);
}

void Analysis::steered(const ObjectSet& data, const char* what) {
  for (std::size_t b = 0; b < buffers_.size(); ++b)
    if (data.test(b)) steers_.try_emplace(b, Steer{what, pc_, instruction_->position.line});
}

void Analysis::load(const Instruction& i) {
  const Operand& address = i.operands[1];
  address_used(address);
  assign(i.operands[0], memory(address));
}

void Analysis::store(const Instruction& i) {
  address_used(i.operands[0]);
  put(i.operands[0], value(i.operands[1]));
}

void Analysis::atomic(const Instruction& i) {
  const std::size_t at = i.opcode == "atom" ? 1 : 0;
  const Operand& address = i.operands[at];
  address_used(address);
  Flow f = memory(address);
  for (std::size_t n = at + 1; n < i.operands.size(); ++n) f.data |= value(i.operands[n]).data;
  if (i.has("cas")) steered(f.data, "the comparison of an atomic exchange");
  f.reach = Reach::computed;
  put(address, f);
  if (at == 1) assign(i.operands[0], f);
}

void Analysis::async_copy(const Instruction& i) {
  if (i.operands.size() < 3) return;  // commit, wait
  address_used(i.operands[0]);
  address_used(i.operands[1]);
  for (std::size_t n = 2; n < i.operands.size(); ++n) steered(value(i.operands[n]).data, "the length of a copy");
  put(i.operands[0], memory(i.operands[1]));
}

void Analysis::shuffle(const Instruction& i) {
  for (std::size_t n = 2; n < i.operands.size(); ++n) steered(value(i.operands[n]).data, "the choice of a lane");
  Operand to = i.operands[0];
  to.second_reg = -1;  // whether the lane was in range is no data
  assign(to, value(i.operands[1]));
}

void Analysis::call(const Instruction& i) {
  const auto callee_at = std::ranges::find_if(
      i.operands, [](const Operand& o) { return o.kind == Kind::symbol && o.symbol_scope == Scope::function; });
  const int callee = callee_at->symbol;
  const ptx::Entry& e = module_.entries[static_cast<std::size_t>(callee)];
  const auto hand_over = [&](const Operand& list, Scope scope, const std::vector<ptx::Param>& params, bool in) {
    for (std::size_t n = 0; n < list.elements.size() && n < params.size(); ++n) {
      const Operand& here = list.elements[n];
      Flow& there = params[n].reg >= 0 ? registers_[callee][static_cast<std::size_t>(params[n].reg)]
                                       : memory_[object({scope, callee, static_cast<int>(n)})];
      const bool in_memory = here.kind == Kind::symbol && here.symbol_scope == Scope::call_param;
      if (in)
        join(there, in_memory ? memory_[object(key_of(here))] : value(here));
      else if (in_memory)
        join(memory_[object(key_of(here))], there);
      else
        assign(here, there);
    }
  };
  for (auto o = i.operands.begin(); o != i.operands.end(); ++o)
    if (o->kind == Kind::vector)
      hand_over(*o, o < callee_at ? Scope::returned : Scope::param, o < callee_at ? e.returns : e.params,
                o > callee_at);
}

void Analysis::arithmetic(const Instruction& i) {
  if (i.operands.empty()) return;
  Flow out;
  std::vector<bool> carries(i.operands.size(), false);
  for (std::size_t n = 1; n < i.operands.size(); ++n) {
    const Flow f = value(i.operands[n]);
    carries[n] = f.data.any();
    out.data |= f.data;
    out.pointer |= f.pointer;
    out.reach = std::max(out.reach, f.reach);
  }
  const bool reads_carry = i.opcode == "addc" || i.opcode == "subc" || i.opcode == "madc";
  if (reads_carry) out.data |= carry_[function_].data;
  if (out.data.any()) out.reach = std::max(out.reach, reads_carry ? Reach::computed : reach_of(i, carries));
  if (i.has("cc")) join(carry_[function_], out);
  if (i.opcode == "setp" || i.opcode == "set") out.pointer.reset();
  assign(i.operands[0], out);
}

void Analysis::visit(const Instruction& i) {
  const std::string& op = i.opcode;
  if (i.predicate >= 0)
    steered(registers_[function_][static_cast<std::size_t>(i.predicate)].data, op == "bra" ? "a branch" : "a guard");
  const auto steered_by = [&](std::size_t n, const char* what) {
    if (n < i.operands.size()) steered(value(i.operands[n]).data, what);
  };
  if (op == "lanescope.probe" || op == "bra" || op == "ret" || op == "exit") return;
  if ((op == "ld" || op == "ldu" || op == "ldmatrix") && i.operands.size() >= 2) return load(i);
  if ((op == "st" || op == "stmatrix") && i.operands.size() >= 2) return store(i);
  if ((op == "atom" || op == "red") && i.operands.size() >= 2) return atomic(i);
  if (op == "cp") return async_copy(i);
  if (op == "shfl" && i.operands.size() >= 4) return shuffle(i);
  if (op == "call") return call(i);
  if (op == "brx") return steered_by(0, "a branch");
  if (op == "selp" || op == "slct") steered_by(3, "the condition of a select");
  if (op == "vote" || op == "match") {
    for (std::size_t n = 1; n < i.operands.size(); ++n) steered_by(n, "a vote");
    return;
  }
  if (op == "bar" || op == "barrier")
    for (std::size_t n = 0; n < i.operands.size(); ++n) steered_by(n, "a barrier");
  // What is not followed (tensor copies, wmma) may read and write through any address among its operands.
  for (const Operand& o : i.operands)
    if (o.kind == Kind::address) {
      address_used(o);
      Flow f = memory(o);
      for (const Operand& other : i.operands) f.data |= value(other).data;
      f.reach = Reach::computed;
      put(o, f);
      assign(i.operands[0], f);
    }
  arithmetic(i);
}

Slice Analysis::result(const Description& description) {
  Slice out;
  for (std::size_t b = 0; b < buffers_.size(); ++b) {
    Slice::Buffer& buffer = out.buffers.emplace_back();
    const auto steer = steers_.find(b);
    buffer.carries = buffers_[b].traced && steer == steers_.end();
    if (steer == steers_.end()) continue;
    buffer.reason = fmt::format("its elements reach {}", steer->second.what);
    buffer.pc = steer->second.pc;
    buffer.line = steer->second.line;
  }
  for (const Site& site : description.sites) {
    std::uint32_t first = 0;
    for (const int f : functions_) {
      const ptx::Entry& e = module_.entries[static_cast<std::size_t>(f)];
      if (site.pc - first < e.code.size()) {
        function_ = f;
        const Instruction& i = e.code[site.pc - first];
        Flow flow = value(i.operands.at(0));
        // A guarded probe stands for lanes that data did not choose, or its buffer carries no ids.
        out.words.push_back(flow);
        break;
      }
      first += static_cast<std::uint32_t>(e.code.size()) + 1;
    }
  }
  return out;
}

}  // namespace

Expected<Slice> slice(const ptx::Module& module, const trace::Launch& launch, const std::vector<trace::Buffer>& buffers,
                      const Description& description) {
  const ptx::Entry* entry = module.find_entry(launch.kernel);
  if (entry == nullptr) return failure(fmt::format("the PTX has no kernel `{}`", launch.kernel));
  Analysis analysis(module, launch, buffers, static_cast<int>(entry - module.entries.data()));
  if (auto ready = analysis.prepare(); !ready) return tl::unexpected(ready.error());
  analysis.run();
  return analysis.result(description);
}

}  // namespace lanescope::instrument
