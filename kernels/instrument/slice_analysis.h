#pragma once
// The fixed point behind slice(). Private to this folder.

#include <map>

#include "kernels/instrument/rewrite.h"
#include "kernels/instrument/slice.h"

namespace lanescope::instrument {

/// What an object is: a scope of the PTX, the function it belongs to (-1: the module), its number there.
struct ObjectKey {
  ptx::Operand::Scope scope = ptx::Operand::Scope::none;
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
  void visit(const ptx::Instruction& i);
  void load(const ptx::Instruction& i);
  void store(const ptx::Instruction& i);
  void atomic(const ptx::Instruction& i);
  void async_copy(const ptx::Instruction& i);
  void shuffle(const ptx::Instruction& i);
  void call(const ptx::Instruction& i);
  void arithmetic(const ptx::Instruction& i);

  Flow value(const ptx::Operand& o) const;
  Flow memory(const ptx::Operand& address) const;
  ObjectSet pointed_at(const ptx::Operand& address) const;
  ObjectKey key_of(const ptx::Operand& o) const;
  void join(Flow& into, Flow from);
  void join_register(int reg, const Flow& from);
  void assign(const ptx::Operand& to, const Flow& from);
  void put(const ptx::Operand& address, const Flow& from);
  void steered(const ObjectSet& data, const char* what);
  void address_used(const ptx::Operand& address) {
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
  const ptx::Instruction* instruction_ = nullptr;
  bool changed_ = false;
  std::map<std::size_t, Steer> steers_;  ///< by buffer: the first instruction
};

}  // namespace lanescope::instrument
