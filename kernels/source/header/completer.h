#pragma once
// Completion of a launch header: one pass over the launches, the arguments, the sizes and the contents, in this order.
// The parts are separate files with this shared state. Used only by inference.cpp.

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/source/header/host_choice.h"
#include "kernels/source/header/inference.h"
#include "kernels/source/host/host_run.h"

namespace lanescope::source {

class Completer {
 public:
  Completer(Header& header, const Lexed& lexed, const Outline& outline, const std::vector<CommentLine>& lines,
            const std::vector<Claim>& claims, std::string_view file, const LaunchWish& wish,
            std::vector<KernelInstance>& instances);

  Diagnostics run();

 private:
  struct BufferAndOffset {
    std::string name, offset;  ///< "p", "+64"; the offset is empty where there is none
  };

  // inference.cpp
  /// If nothing in this file calls the functions that launch its kernels: searches a file beside it that does.
  void ask_siblings();
  void say(std::string sentence);
  void wrong(const TextPlace& at, std::string message, std::string remedy, Severity severity = Severity::error);
  /// Of an argument: its own place, else that of all, else the launch's line.
  static TextPlace place_of(const ArgumentSpec& a, const LaunchSpec& l);
  void assume(Assumption::Code code, const LaunchSpec* l, std::string name, std::string value, std::string because);
  /// Contents of buffers that nothing sets, if there is no header with defaults.
  void assume_contents();
  /// Notes of the interpreter, if its launches are used.
  void notes_of_host(const std::vector<const HostLaunch*>& sequence);

  // inferred_launches.cpp
  /// Kernels that have claims, in text order.
  std::vector<std::string> kernels_with_claims() const;
  /// The launches of a file whose header states none: those of its host code. Which of them is returned for each.
  std::vector<const HostLaunch*> launches();
  const FunctionRange* kernel_of(LaunchSpec& l, const HostLaunch* host);
  /// The first launch in the host code of the kernel that `l` names. A template gets its instance from there.
  const HostLaunch* host_launch_of(LaunchSpec& l);
  /// A template without given arguments: which instance runs.
  void template_instance(LaunchSpec& l, const FunctionRange& f);
  void from_host(LaunchSpec& l, const HostLaunch* h);
  int most_bits(layout::Place place) const;
  bool mentions(const FunctionRange& f, std::string_view a, std::string_view b) const;
  void block(LaunchSpec& l, const FunctionRange& f);
  void grid(LaunchSpec& l);

  // inferred_arguments.cpp
  /// An argument that the header left out, from the host code. False: it is not known there.
  bool from_host(ArgumentSpec& a, bool pointer, const FunctionRange& f, const HostLaunch* h, std::size_t at);
  /// The default argument of its parameter, where it is a literal.
  bool by_default(ArgumentSpec& a, bool pointer, const Parameter& p);
  /// "p", "p+64" for an address of the host code. The buffer is made at its first use, by the name of the parameter.
  std::string place_of(const HostPointer& pointer, const std::string& type, const std::string& parameter,
                       const FunctionRange& f);
  /// Given arguments by position or by name; the rest by the parameter's name.
  void arguments(LaunchSpec& l, const FunctionRange& f, const HostLaunch* host);
  static BufferAndOffset parts_of(const std::string& text);
  /// The types of the members of a structure of the file, in the order of the list.
  void known_structure(ArgumentSpec& a, const LaunchSpec& l);
  void check_buffer(const std::string& text, const ArgumentSpec& a, const LaunchSpec& l);
  /// A pointer may point one past the last element, like one that counts down, but no further.
  void offsets(const LaunchSpec& l);
  void offset(const std::string& place, const ArgumentSpec& a, const LaunchSpec& l);
  /// Names of the buffers that launches pass, also within structures.
  std::set<std::string> passed_buffers() const;
  /// A buffer that no launch passes is a misspelling where some pointer was given an array that was never written.
  void unused_buffers();
  void infer(ArgumentSpec& a, bool pointer, const FunctionRange& f);
  /// A structure of the file that nothing gives: a buffer for each pointer in it.
  bool infer_structure(ArgumentSpec& a, const FunctionRange& f);
  /// The buffer of a pointer in a structure, which is made here.
  std::string buffer_of_member(const ArgumentSpec& a, const HostField& field, const FunctionRange& f);

  // inferred_streams.cpp
  /// Values set by the host code: before the first launch the variable's contents, later a step.
  void symbols(const std::vector<const HostLaunch*>& sequence);
  void add_step(int launch, HostStep step);
  /// The name of a buffer that no argument may lead to, which is made here then.
  std::string named_buffer(int index);
  /// Changes of the host code to buffers between the launches that run, and before the first of them if they cannot be
  /// expressed as contents.
  void steps(const std::vector<const HostLaunch*>& sequence);
  void report_steps();

  // inferred_streams.cpp
  void streams(const std::vector<const HostLaunch*>& sequence);
  void copies_back(const std::vector<const HostLaunch*>& sequence);

  // inferred_sizes.cpp
  const HostBuffer* host_buffer(const BufferSpec& b) const;
  void contents_from_host(BufferSpec& b);
  /// Where the host code sets some bytes of a buffer and not the others: those are steps before the first launch, and
  /// the buffer is uninitialised.
  bool set_in_part(BufferSpec& b, const HostBuffer& host);
  /// Scalars of a launch that have values.
  std::map<std::string, std::int64_t> known_scalars(const LaunchSpec& l) const;
  const FunctionRange* range_of(const LaunchSpec& l) const;
  /// Missing sizes, from guards and indices of the kernels.
  void suggest();
  /// Whether the indices of every launch with this name for a scalar stay within the buffers when it has this value.
  bool fits(const std::string& name, std::int64_t value);
  BufferSpec* buffer(std::string_view name);
  /// `otherwise`: its element type where that of the parameter is not known.
  /// The type of a typedef or an alias of the file, if it is one.
  std::string without_alias(const std::string& type) const;
  /// Bits of the elements that are packed into integers, by the claims' simd rows; 0: no claim has one.
  int packed_bits(const std::string& words) const;
  void new_buffer(const std::string& name, const std::string& parameter, const std::string& type,
                  const FunctionRange& f, const std::string& otherwise);
  void axes(BufferSpec& b);
  /// An axis for each letter of the claims' bits, alphabetical, one-bit names such as ReIm last.
  std::vector<Axis> claimed_axes() const;
  int lanes(std::string_view buffer) const;
  /// Of a scalar that an index multiplies: 1, or the bytes of an element where the index is one of bytes.
  std::int64_t unit_of(const std::string& parameter, const FunctionRange& f) const;
  std::int64_t member_value(const std::string& name) const;
  /// Scalars that were not given: a count of elements by the name, else 0.
  void sizes();

  Header& header_;
  const Lexed& lexed_;
  const Outline& outline_;
  const std::vector<CommentLine>& lines_;
  const std::vector<Claim>& claims_;
  std::string_view file_;
  const LaunchWish& wish_;
  std::vector<KernelInstance>& instances_;
  std::vector<std::string> scalars_;
  std::map<std::string, std::int64_t> guarded_;   ///< scalars, as guards suggest
  std::map<std::string, std::int64_t> strides_;   ///< scalars, as the multiples in indices suggest
  std::map<std::string, std::uint64_t> indexed_;  ///< buffers: elements, as indices suggest
  HostRun host_;
  std::optional<SiblingHost> sibling_;
  std::map<int, std::string> names_;                 ///< of buffers of the host code
  std::map<std::string, int, std::less<>> host_of_;  ///< the inverse
  std::map<std::string, int> lanes_;  ///< buffers: elements in the target type of a pointer to them, as of float4
  /// Numbers of structures that are not given.
  struct PendingMember {
    std::size_t launch = 0, argument = 0, member = 0;
    std::string name, because;  ///< "view.width"
  };
  std::vector<PendingMember> pending_members_;
  std::map<std::string, std::string> unknown_contents_;  ///< buffers: why the contents set by the host code are unknown
  const LaunchSpec* launch_ = nullptr;                   ///< the launch whose arguments are completed
  Diagnostics problems_;
};

}  // namespace lanescope::source
