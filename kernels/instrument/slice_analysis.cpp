#include "kernels/instrument/slice_analysis.h"

#include <algorithm>

#include <fmt/format.h>

#include "kernels/ptx/heap_functions.h"

namespace lanescope::instrument {

using ptx::Instruction;
using ptx::Operand;
using Kind = Operand::Kind;
using Scope = Operand::Scope;

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
  for (std::size_t n = 0; n < launch_.arguments.size(); ++n) {
    const std::size_t at = object({Scope::param, functions_.front(), static_cast<int>(n)});
    const auto pointers = trace::buffers_of(launch_.arguments[n]);
    for (const trace::BufferArgument& b : pointers) memory_[at].pointer.set(static_cast<std::size_t>(b.buffer));
    const ptx::Entry& e = module_.entries[static_cast<std::size_t>(functions_.front())];
    const bool only_a_pointer = pointers.size() == 1 && n < e.params.size() && e.params[n].bytes == 8;
    if (what_ == For::ids || only_a_pointer) continue;
    memory_[at].data.set(at);
    memory_[at].reach = Reach::moved;
  }
}

Expected<void> Analysis::prepare() {
  for (std::size_t b = 0; b < buffers_.size(); ++b) {
    const std::size_t at = object({Scope::none, -1, static_cast<int>(b)});
    if (at < most_objects && (buffers_[b].traced || what_ == For::steering)) {
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
    // Of those that return an error, the address passes through a pointer.
    const bool returns_error = !e.returns.empty() && e.returns.front().bytes != 8;
    if (e.is_declaration && (!ptx::is_heap_function(e.name) || returns_error))
      return failure(fmt::format("the kernel calls {}, whose code is not in this file", e.name));
    // All that it allocates is one object.
    if (e.is_declaration && !e.returns.empty())
      memory_[object({Scope::returned, f, 0})].pointer.set(object({Scope::function, -1, 0}));
  }
  std::erase_if(functions_, [&](int f) { return module_.entries[static_cast<std::size_t>(f)].is_declaration; });
  if (memory_.size() > most_objects) return failure("the kernel has too many variables to analyse");
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

void Analysis::steered(const ObjectSet& data, const char* what, By by) {
  (by == By::control ? control_ : elements_) |= data;
  for (std::size_t b = 0; b < buffers_.size(); ++b)
    if (data.test(b)) steers_.try_emplace(b, Steer{what, pc_, instruction_->position.line});
}

Slice Analysis::result(const Description& description) {
  Slice out;
  for (std::size_t b = 0; b < buffers_.size(); ++b) {
    Slice::Buffer& buffer = out.buffers.emplace_back();
    const auto steer = steers_.find(b);
    buffer.carries = buffers_[b].traced && steer == steers_.end();
    if (steer == steers_.end()) continue;
    buffer.reason = fmt::format("its elements determine {}", steer->second.what);
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
