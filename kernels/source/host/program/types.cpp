#include "kernels/source/host/program/types.h"

#include <fmt/format.h>

#include <algorithm>
#include <ranges>

#include "kernels/source/cxx/number_types.h"
#include "kernels/source/host/program/device_facts.h"
#include "kernels/source/host/program/enumerators.h"
#include "kernels/source/host/program/random_classes.h"

namespace lanescope::source::host {
namespace {

constexpr std::uint64_t most_bytes_of_type = std::uint64_t{1} << 38;

}  // namespace

TypeTable::TypeTable() {
  const Type *i16{}, *u16{}, *u8{}, *s8{}, *other{};
  const struct {
    const Type** at;
    Kind kind;
    std::uint64_t bytes;
    bool is_signed;
    std::string_view names;  ///< the first one is its own
    bool device = false;
  } plain[] = {
      {&void_, Kind::void_, 1, false, "void"},
      {&bool_, Kind::boolean, 1, false, "bool"},
      {&char_, Kind::integer, 1, true, "char"},
      {&int_, Kind::integer, 4, true, "int|int32_t|cudaError_t|cudaError|cudaMemcpyKind|CUresult"},
      {&u32, Kind::integer, 4, false, "unsigned int|uint32_t|uint|__nv_fp8x4_storage_t"},
      {&i64, Kind::integer, 8, true, "long long|int64_t|ptrdiff_t|ssize_t|intptr_t|clock_t|time_t"},
      {&u64, Kind::integer, 8, false, "unsigned long long|uint64_t|size_t|ulong|uintptr_t|CUdeviceptr"},
      {&i16, Kind::integer, 2, true, "short|int16_t"},
      {&u16, Kind::integer, 2, false, "unsigned short|uint16_t|ushort|__nv_fp8x2_storage_t"},
      {&u8, Kind::integer, 1, false, "unsigned char|uint8_t|uchar|__nv_fp8_storage_t|std::byte|byte"},
      {&s8, Kind::integer, 1, true, "signed char|int8_t"},
      {&float_, Kind::floating, 4, true, "float"},
      {&double_, Kind::floating, 8, true, "double"},
      {&half, Kind::floating, 2, true, "__half|half"},
      {&other, Kind::floating, 2, true, "__nv_bfloat16|nv_bfloat16", true},
      {&other, Kind::floating, 1, true, "__nv_fp8_e4m3"},
      {&other, Kind::floating, 1, true, "__nv_fp8_e5m2", true},
  };
  for (const auto& row : plain) {
    const std::string own(row.names.substr(0, row.names.find('|')));
    *row.at =
        add({.kind = row.kind, .bytes = row.bytes, .is_signed = row.is_signed, .name = own, .device = row.device});
    for (const auto name : std::views::split(row.names, '|')) named_[std::string(name.begin(), name.end())] = *row.at;
  }
  text = named_["string"] = add({.kind = Kind::text, .bytes = 32, .name = "std::string"});
  code = add({.kind = Kind::code, .bytes = 8, .name = "function"});
  function = add({.kind = Kind::code, .bytes = 8, .name = "function"});
  automatic = add({.kind = Kind::automatic, .bytes = 8, .name = "auto"});
  characters = pointer_to(char_);
  for (const std::string_view enumeration : cuda_enumerations()) named_[std::string(enumeration)] = int_;
  for (const char* handle : {"cudaStream_t", "cudaEvent_t", "cudaGraph_t", "cudaGraphExec_t", "cudaArray_t", "CUstream",
                             "CUmodule", "CUfunction", "CUcontext", "cudaMemPool_t"})
    named_[handle] = pointer_to(void_);
  named_["random_device"] = add({.kind = Kind::random, .bytes = 8, .count = random_device, .name = "random_device"});
  const auto random_class = [&](std::string_view names, std::uint64_t bytes, std::uint64_t number) {
    for (const auto name : std::views::split(names, '|')) {
      const std::string own(name.begin(), name.end());
      named_[own] = add({.kind = Kind::random, .bytes = bytes, .count = number, .name = own});
    }
  };
  for (std::uint64_t i = 0; i < std::size(engine_names); ++i)
    with_type<Engines>(i, 0, [&]<class E>(E*) { random_class(engine_names[i], sizeof(E), first_engine + i); });
  for (std::uint64_t i = 0; i < std::size(distribution_names); ++i)
    with_type<Distributions>(
        i, 0, [&]<class D>(D*) { random_class(distribution_names[i], sizeof(D), first_distribution + i); });
  const auto structure = [&](std::string name,
                             std::initializer_list<std::pair<std::string_view, const Type*>> members) {
    const int r = add_record(std::move(name));
    for (const auto& [member, type] : members) add_member(r, member, type);
    complete(r);
    return record_type(r);
  };
  named_["dim3"] = dim3 = structure("dim3", {{"x", u32}, {"y", u32}, {"z", u32}});
  named_["__half2"] = named_["half2"] = structure("__half2", {{"x", half}, {"y", half}});
  for (const char* format : {"e4m3", "e5m2"})
    for (const auto& [values, type] : {std::pair(2, u16), std::pair(4, u32)}) {
      const std::string name = fmt::format("__nv_fp8x{}_{}", values, format);
      named_[name] = structure(name, {{"__x", type}});
    }
  const struct {
    const char* name;
    const Type* of;
  } numbers[] = {{"char", s8},      {"uchar", u8},      {"short", i16},    {"ushort", u16},
                 {"int", int_},     {"uint", u32},      {"float", float_}, {"double", double_},
                 {"longlong", i64}, {"ulonglong", u64}, {"long", i64},     {"ulong", u64}};
  for (const auto& number : numbers)
    for (int n = 1; n <= 4; ++n) {
      const std::string name = number.name + std::to_string(n);
      const int r = add_record(name);
      static constexpr const char* axes[] = {"x", "y", "z", "w"};
      for (int i = 0; i < n; ++i) add_member(r, axes[i], number.of);
      const bool whole = n != 3 && number.of->bytes * static_cast<std::uint64_t>(n) <= 16;
      if (whole) record(r).align = number.of->bytes * static_cast<std::uint64_t>(n);
      complete(r);
      named_[name] = record_type(r);
    }
  const Type* cluster = structure("clusterDim", {{"x", u32}, {"y", u32}, {"z", u32}});
  const Type* value =
      structure("cudaLaunchAttributeValue",
                {{"clusterDim", cluster}, {"cooperative", int_}, {"programmaticStreamSerializationAllowed", int_}});
  const Type* attribute = structure("cudaLaunchAttribute", {{"id", int_}, {"val", value}});
  named_["cudaLaunchAttribute"] = attribute;
  named_["cudaLaunchConfig_t"] = config = structure("cudaLaunchConfig_t", {{"gridDim", dim3},
                                                                           {"blockDim", dim3},
                                                                           {"dynamicSmemBytes", u64},
                                                                           {"stream", pointer_to(void_)},
                                                                           {"attrs", pointer_to(attribute)},
                                                                           {"numAttrs", u32}});
  const int properties = add_record("cudaDeviceProp");
  add_member(properties, "name", array_of(char_, 256));
  for (const DeviceFact& f : device_facts) add_member(properties, f.property, f.bytes == 8 ? u64 : int_);
  for (const auto& [name, type] :
       {std::pair("totalGlobalMem", u64), std::pair("l2CacheSize", int_), std::pair("maxGridSize", array_of(int_, 3)),
        std::pair("maxThreadsDim", array_of(int_, 3))})
    add_member(properties, name, type);
  complete(properties);
  named_["cudaDeviceProp"] = device_properties = record_type(properties);
}

const Type* TypeTable::named(std::string_view name) const {
  const auto found = named_.find(name);
  return found == named_.end() ? nullptr : found->second;
}

const Type* TypeTable::pointer_to(const Type* t) {
  if (t->depth >= deepest) t = void_;
  const Type*& out = pointers_[t];
  if (out == nullptr)
    out = add({.kind = Kind::pointer, .bytes = 8, .of = t, .name = t->name + "*", .depth = t->depth + 1});
  return out;
}

const Type* TypeTable::array_of(const Type* t, std::uint64_t count) {
  if (t->depth >= deepest) return unknown("what is nested too deep");
  if (t->bytes > 0 && count > most_bytes_of_type / t->bytes) count = 0;
  const Type*& out = arrays_[{t, count}];
  if (out == nullptr)
    out = add({.kind = Kind::array,
               .bytes = t->bytes * count,
               .of = t,
               .count = count,
               .name = t->name + "[" + std::to_string(count) + "]",
               .depth = t->depth + 1,
               .hollow = count == 0 || t->hollow});
  return out;
}

const Type* TypeTable::vector_of(const Type* t, bool device) {
  if (t->depth >= deepest) return unknown("what is nested too deep");
  const Type*& out = vectors_[{t, device}];
  if (out == nullptr)
    out = add({.kind = Kind::vector,
               .bytes = 24,
               .of = t,
               .name = "std::vector<" + t->name + ">",
               .device = device,
               .depth = t->depth + 1});
  return out;
}

const Type* TypeTable::pair_of(const Type* first, const Type* second) {
  const Type*& out = pairs_[{first, second}];
  if (out != nullptr) return out;
  const int r = add_record(fmt::format("std::pair<{}, {}>", first->name, second->name));
  add_member(r, "first", first);
  add_member(r, "second", second);
  complete(r);
  return out = record_type(r);
}

const Type* TypeTable::tuple_of(const std::vector<const Type*>& elements) {
  static constexpr std::string_view names[most_in_tuple] = {"0", "1", "2", "3", "4", "5", "6", "7", "8", "9"};
  const Type*& out = tuples_[elements];
  if (out != nullptr || elements.size() > most_in_tuple) return out;
  std::string words;
  for (const Type* t : elements) words += (words.empty() ? "" : ", ") + t->name;
  const int r = add_record(fmt::format("std::tuple<{}>", words));
  for (std::size_t i = 0; i < elements.size(); ++i) add_member(r, names[i], elements[i]);
  record(r).has_unknown = true;
  complete(r);
  return out = record_type(r);
}

const Type* TypeTable::record_type(int i) {
  const Type*& out = record_types_[i];
  if (out == nullptr)
    out = add({.kind = Kind::record,
               .bytes = record(i).bytes,
               .record = i,
               .name = record(i).name,
               .depth = record(i).depth,
               .hollow = record(i).complete && record(i).hollow});
  return out;
}

const Type* TypeTable::integer(std::uint64_t bytes, bool is_signed) const {
  for (const Type& t : all_)
    if (t.kind == Kind::integer && t.bytes == bytes && t.is_signed == is_signed) return &t;
  return int_;
}

const Type* TypeTable::unknown(std::string_view name) {
  const auto known = unknown_.find(name);
  if (known != unknown_.end()) return known->second;
  const Type* t = add({.kind = Kind::unknown, .bytes = 8, .name = std::string(name)});
  unknown_.emplace(name, t);
  return t;
}

int TypeTable::add_record(std::string name) {
  records_.push_back({.name = std::move(name)});
  return static_cast<int>(records_.size()) - 1;
}

void TypeTable::add_member(int i, std::string_view name, const Type* type, const Expr* initial) {
  Record& r = record(i);
  if (r.members.size() >= most_members) {
    r.has_unknown = true;
    return;
  }
  const Type* whole = type;
  while (whole->kind == Kind::array) whole = whole->of;
  if (type->depth >= deepest || (whole->kind == Kind::record && !record(whole->record).complete))
    type = unknown("what is not complete");
  r.depth = std::max(r.depth, type->depth + 1);
  r.hollow = r.hollow && type->hollow;
  const std::uint64_t align = std::max<std::uint64_t>(alignment(*this, type), 1);
  r.align = std::max(r.align, align);
  r.bytes = (r.bytes + align - 1) / align * align;
  if (r.bytes == 0 && type->kind == Kind::record && type->record != i) {
    const std::vector<int>& own = record(type->record).empty_at_start;
    const bool same = std::ranges::any_of(
        own, [&](int e) { return std::ranges::find(r.empty_at_start, e) != r.empty_at_start.end(); });
    if (same) r.bytes = align;  // two empty bases of one type have two addresses
    if (!same) r.empty_at_start.insert(r.empty_at_start.end(), own.begin(), own.end());
  }
  r.has_unknown = r.has_unknown || type->kind == Kind::unknown ||
                  (whole->kind == Kind::record && whole->record != i && record(whole->record).has_unknown);
  r.members.push_back({.name = name, .type = type, .offset = r.bytes, .initial = initial});
  r.bytes = std::min(r.bytes + type->bytes, most_bytes_of_type);
}

void TypeTable::complete(int i) {
  Record& r = record(i);
  r.bytes = std::max<std::uint64_t>((r.bytes + r.align - 1) / r.align * r.align, 1);
  r.complete = true;
  if (const auto made = record_types_.find(i); made != record_types_.end()) {
    auto* type = const_cast<Type*>(made->second);
    type->bytes = r.bytes, type->depth = r.depth, type->hollow = r.hollow;
  }
}

std::uint64_t alignment(const TypeTable& types, const Type* t) {
  switch (t->kind) {
    case Kind::array:
      return alignment(types, t->of);
    case Kind::record:
      return types.record(t->record).align;
    case Kind::vector:
    case Kind::text:
      return 8;
    case Kind::random: {
      std::uint64_t out = 8;
      const auto of_class = [&]<class T>(T*) { out = alignof(T); };
      if (!with_type<Engines>(t->count, first_engine, of_class))
        with_type<Distributions>(t->count, first_distribution, of_class);
      return out;
    }
    default:
      return t->bytes;
  }
}

std::string element_type_of(const TypeTable& types, const Type* t) {
  if (t == nullptr) return {};
  if (t->kind == Kind::array) return element_type_of(types, t->of);
  if (t->kind == Kind::boolean) return "u8";
  if (t->kind == Kind::integer) return (t->is_signed ? "s" : "u") + std::to_string(8 * t->bytes);
  if (t->kind == Kind::floating && t->bytes == 1) return "u8";  // an fp8: buffers have its bits
  if (t->kind == Kind::floating) return t->device ? "bf16" : "f" + std::to_string(8 * t->bytes);
  if (t->kind != Kind::record || types.record(t->record).members.empty()) return {};
  const Record& r = types.record(t->record);
  for (const Member& m : r.members)
    if (m.type != r.members.front().type) return {};
  return element_type_of(types, r.members.front().type);
}

}  // namespace lanescope::source::host
