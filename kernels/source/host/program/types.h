#pragma once
// Types of host code, for sizes, arithmetic of C++ and members. A type is made once, so equal types are equal pointers
// (except structures, which are identified by their number).

#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope::source::host {

enum class Kind : std::uint8_t {
  void_,
  boolean,
  integer,
  floating,  ///< 1 (fp8), 2 (half), 4 or 8 bytes
  pointer,
  array,
  record,
  vector,  ///< std::vector and its kin: address, elements, capacity; 8 bytes each
  text,    ///< std::string: address of the characters, how many
  code,    ///< a function or a lambda: an address of its own kind
  random,  ///< engines and distributions of <random>: which, and the two numbers it was made with
  automatic,
  unknown,
};

struct Type {
  Kind kind = Kind::unknown;
  std::uint64_t bytes = 0;
  bool is_signed = false;
  const Type* of = nullptr;  ///< target of a pointer, element of an array or vector
  std::uint64_t count = 0;   ///< of an array; random: the number of its class (random_classes.h)
  int record = -1;
  std::string name;     ///< as C++ spells it
  bool device = false;  ///< a vector in device memory; a bfloat16; an fp8 that is e5m2
  int depth = 0;        ///< of the types that it is made of, at most TypeTable::deepest
  bool hollow = false;  ///< neither numbers nor pointers are in it

  bool is_number() const { return kind == Kind::boolean || kind == Kind::integer || kind == Kind::floating; }
  bool is_whole() const { return kind == Kind::boolean || kind == Kind::integer; }
  bool in_memory() const {  ///< a value of it is named by its address
    return kind == Kind::array || kind == Kind::record || kind == Kind::vector || kind == Kind::text ||
           kind == Kind::random;
  }
};

struct Expr;

struct Member {
  std::string_view name;
  const Type* type = nullptr;
  std::uint64_t offset = 0;
  const Expr* initial = nullptr;
  bool reference = false;  ///< `type` is a pointer to what it refers to
};

struct Record {
  std::string name;
  std::string path{};              ///< of a structure in a function: the scopes around its members
  std::string_view of_template{};  ///< the class template that it is an instance of: "Tensor" of "Tensor<float>"
  std::vector<Member> members{};
  std::uint64_t bytes = 0, align = 1;
  std::vector<int> methods{};                                    ///< functions of the program (program.h)
  std::vector<std::string_view> virtuals{};                      ///< names of virtual methods, of its bases too
  std::map<std::string, std::int64_t, std::less<>> constants{};  ///< static members and enumerators, of its bases too
  bool complete = false, has_unknown = false, of_file = false;
  int depth = 0;                      ///< of its deepest member, and one
  bool hollow = true;                 ///< no member has a number or a pointer in it
  std::vector<int> empty_at_start{};  ///< structures without members that begin where it does: no two of one type may
  const Member* find(std::string_view member) const {
    for (const Member& m : members)
      if (m.name == member) return &m;
    return nullptr;
  }
};

class TypeTable {
 public:
  TypeTable();

  /// Types nested deeper are unknown: a pointer to one is void*.
  static constexpr int deepest = 60;
  /// A structure with more of them is not known.
  static constexpr std::size_t most_members = 4096;

  const Type* named(std::string_view name) const;  ///< a number or a vector of CUDA's; nullptr when it is none
  const Type* pointer_to(const Type* t);
  const Type* array_of(const Type* t, std::uint64_t count);
  const Type* vector_of(const Type* t, bool device);
  const Type* record_type(int record);
  const Type* pair_of(const Type* first, const Type* second);
  static constexpr std::size_t most_in_tuple = 10;
  /// std::tuple: its members are "0", "1", ...; how the library lays them out is not known here.
  const Type* tuple_of(const std::vector<const Type*>& elements);
  const Type* integer(std::uint64_t bytes, bool is_signed) const;
  const Type* unknown(std::string_view name);

  int add_record(std::string name);
  /// A structure within itself, or one that is not complete yet, is a member that is not known.
  void add_member(int record, std::string_view name, const Type* type, const Expr* initial = nullptr);
  void complete(int record);
  Record& record(int i) { return records_[static_cast<std::size_t>(i)]; }
  const Record& record(int i) const { return records_[static_cast<std::size_t>(i)]; }
  int records() const { return static_cast<int>(records_.size()); }

  const Type *void_, *bool_, *char_, *int_, *u32, *i64, *u64, *float_, *double_, *half, *text, *code, *automatic, *dim3,
      *config, *device_properties, *characters;
  const Type* function;  ///< not a pointer to it, which is `code`

 private:
  const Type* add(Type t) { return &all_.emplace_back(std::move(t)); }
  std::deque<Type> all_;
  std::deque<Record> records_;
  std::map<std::string, const Type*, std::less<>> named_, unknown_;
  std::map<const Type*, const Type*> pointers_;
  std::map<std::pair<const Type*, std::uint64_t>, const Type*> arrays_;
  std::map<std::pair<const Type*, bool>, const Type*> vectors_;
  std::map<std::pair<const Type*, const Type*>, const Type*> pairs_;
  std::map<std::vector<const Type*>, const Type*> tuples_;
  std::map<int, const Type*> record_types_;
};

std::uint64_t alignment(const TypeTable& types, const Type* t);

/// As a buffer names its elements: "f32", "u8"; of a CUDA vector those of its numbers; "" for all others.
std::string element_type_of(const TypeTable& types, const Type* t);

}  // namespace lanescope::source::host
