#pragma once
// The fixed point after slice() and steering(). Private to this folder.

#include <map>
#include <vector>

#include "kernels/base/diagnostic.h"
#include "kernels/instrument/rewrite.h"
#include "kernels/instrument/slice.h"
#include "kernels/ptx/program.h"
#include "kernels/trace/launch.h"

namespace lanescope::instrument {

// Inputs of a launch that steer its execution, found in the PTX without running it.
//
// A value steers when it may reach a branch, a guard, an address, a length, a barrier or the choice of a lane. A value
// that does not steer changes only results: the same threads execute the same instructions at the same addresses, so
// that a race, an access beyond an array or a deadlock is there for any such value.
//
//   y[i] = a * x[i] + y[i], for i < n:    n steers (a guard), i does by itself; a and the contents of x and y do not
//
// It is the analysis of slice.h, with scalar parameters as sources beside buffers, and with selects and votes that pass
// their condition on instead of being steered by it. The result is the union over all paths.

struct Steers {
  bool control = false;  ///< the threads that execute an instruction, how often, or waits
  bool element = false;  ///< an address, a length or a lane: which element it is
  bool any() const { return control || element; }
};

struct Steering {
  std::vector<Steers> buffers;     ///< contents, by buffer of the launch
  std::vector<Steers> parameters;  ///< by parameter of the kernel; pointers do not count
  /// By buffer: possible origins of its contents afterwards.
  struct Origin {
    std::vector<bool> buffers, parameters;
  };
  std::vector<Origin> results;
  bool block_number = false;  ///< the kernel reads blockIdx, or a number made of it
  bool grid_size = false;     ///< it reads gridDim
};

/// Error: the program has something that the analysis does not follow.
Expected<Steering> steering(const ptx::Module& module, const trace::Launch& launch,
                            const std::vector<trace::Buffer>& buffers);

/// Key of an object: a scope of the PTX, its function (-1: the module), its number there.
struct ObjectKey {
  ptx::Operand::Scope scope = ptx::Operand::Scope::none;
  int function = -1, index = 0;
  auto operator<=>(const ObjectKey&) const = default;
};

class Analysis {
 public:
  /// ids: sources are the buffers that are traced. steering: all buffers, and scalar parameters.
  enum class For : std::uint8_t { ids, steering };

  Analysis(const ptx::Module& module, const trace::Launch& launch, const std::vector<trace::Buffer>& buffers,
           int kernel, For what = For::ids)
      : module_(module),
        launch_(launch),
        buffers_(buffers),
        what_(what),
        functions_(reached_functions(module, kernel)) {}

  Expected<void> prepare();
  void run();
  Slice result(const Description& description);
  Steering steering() const;

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
  enum class By : std::uint8_t { control, element };
  void steered(const ObjectSet& data, const char* what, By by);
  void address_used(const ptx::Operand& address) {
    if (address.reg >= 0)
      steered(registers_[function_][static_cast<std::size_t>(address.reg)].data, "an address", By::element);
  }

  const ptx::Module& module_;
  const trace::Launch& launch_;
  const std::vector<trace::Buffer>& buffers_;
  For what_;
  std::vector<int> functions_;
  std::map<ObjectKey, std::size_t> objects_;
  std::vector<Flow> memory_;                    ///< possible contents by object
  std::map<int, std::vector<Flow>> registers_;  ///< by function
  std::map<int, Flow> carry_;                   ///< the carry flag, by function
  ObjectSet everything_;
  int function_ = 0;
  std::uint32_t pc_ = 0;
  const ptx::Instruction* instruction_ = nullptr;
  bool changed_ = false;
  std::map<std::size_t, Steer> steers_;  ///< by buffer: the first instruction
  ObjectSet control_, elements_;         ///< all that steer
};

}  // namespace lanescope::instrument
