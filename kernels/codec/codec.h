#pragma once
// Values to bytes (CBOR) and back, for every message between processes. Bytes of another shape are refused with a
// message.
//
//   struct Range { std::uint64_t first = 0, count = 1; };
//   Bytes bytes = codec::encode_message(range);
//   Expected<Range> back = codec::decode_message<Range>(bytes);
//
// A plain struct travels as the list of its fields (fields.h), and a vector of numbers, or of structs of nothing but
// numbers, as packed little-endian bytes: both ends are one version of this program. A value that is also a file, or
// that other versions read, has names instead: describe(archive, value), beside the type's namespace, names its fields
// once for both ways, and everything inside of it is readable JSON.
//
//   template <class A> void describe(A& a, Range& v) { a("first", v.first), a("count", v.count); }
//
// flaw_of(value), beside the type's namespace, returns any other error of a value that was read; empty: none.
//
// Included by few .cpp files only: nlohmann/json is slow to compile.

#include <array>
#include <cstring>
#include <initializer_list>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "kernels/base/diagnostic.h"
#include "kernels/base/enum_size.h"
#include "kernels/base/frames.h"
#include "kernels/codec/fields.h"
#include "kernels/trace/pages.h"

namespace lanescope::codec {

using nlohmann::json;

/// Thrown while reading, caught in decode: the bytes are well-formed CBOR of the wrong shape.
struct Malformed : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Lists of fields and packed bytes, or what a person can read: inside of a described value.
enum class Form : std::uint8_t { compact, named };

template <Form form = Form::compact, class T>
json write(const T& value);
template <Form form = Form::compact, class T>
void read(const json& from, T& value);

class Writer {
 public:
  template <class T>
  void operator()(const char* name, const T& value) {
    out_[name] = write<Form::named>(value);
  }
  void optional(const char* name, const auto& value) { (*this)(name, value); }
  /// Left out where it has no content, so that files of earlier versions stay as they are.
  template <class T>
  void sparse(const char* name, const T& value) {
    if (value != T{}) (*this)(name, value);
  }
  template <class T>
  void sparse(const char* name, const std::optional<T>& value) {
    if (value) (*this)(name, value);
  }
  json take() { return std::move(out_); }

 private:
  json out_ = json::object();
};

class Reader {
 public:
  explicit Reader(const json& from) : from_(from) {
    if (!from.is_object()) throw Malformed("an object was expected");
  }
  /// A field that other versions may lack: then `value` stays as it is.
  void optional(const char* name, auto& value) {
    if (from_.contains(name)) (*this)(name, value);
  }
  template <class T>
  void sparse(const char* name, T& value) {
    value = T{};
    optional(name, value);
  }
  template <class T>
  void operator()(const char* name, T& value) {
    const auto found = from_.find(name);
    if (found == from_.end()) throw Malformed(std::string("'") + name + "' is missing");
    try {
      read<Form::named>(*found, value);
    } catch (const json::exception&) {
      throw Malformed(std::string("'") + name + "' has the wrong type");
    }
  }

 private:
  const json& from_;
};

template <class T, template <class...> class Of>
inline constexpr bool is_a = false;
template <template <class...> class Of, class... T>
inline constexpr bool is_a<Of<T...>, Of> = true;
template <class T>
inline constexpr bool is_array = false;
template <class T, std::size_t n>
inline constexpr bool is_array<std::array<T, n>> = true;

template <class T>
concept Described = requires(Writer& a, T& value) {
  describe(a, value);
};
template <class T>
inline constexpr bool is_byte = std::is_same_v<T, std::byte>;

// --- packed bytes ----------------------------------------------------------------------------------------------------

constexpr std::size_t sum_of_all(std::initializer_list<std::size_t> all) {
  std::size_t sum = 0;
  for (const std::size_t one : all) {
    if (one == 0) return 0;
    sum += one;
  }
  return sum;
}
/// How many bytes a value takes that consists of numbers only; 0: it has other parts.
template <class T>
constexpr std::size_t packed_bytes() {
  if constexpr (std::is_arithmetic_v<T> || std::is_enum_v<T>) {
    return sizeof(T);
  } else if constexpr (is_array<T>) {
    return packed_bytes<typename T::value_type>() * std::tuple_size_v<T>;
  } else if constexpr (std::is_class_v<T> && std::is_aggregate_v<T> && !Described<T>) {
    const auto sum = []<class... Field>(Field&...) {
      return std::integral_constant<std::size_t, sum_of_all({packed_bytes<Field>()...})>();
    };
    return decltype(with_fields(std::declval<T&>(), sum))::value;
  } else {
    return 0;
  }
}

/// Moves values to packed bytes (every machine this runs on is little-endian).
struct PackedWriter {
  std::uint8_t* at;
  template <class T>
  inline void operator()(const T& value) {
    if constexpr (std::is_arithmetic_v<T> || std::is_enum_v<T>) {
      std::memcpy(at, &value, sizeof value);
      at += sizeof value;
    } else if constexpr (is_array<T>) {
      for (const auto& v : value) (*this)(v);
    } else {
      each_field(value, *this);
    }
  }
};
struct PackedReader {
  const std::uint8_t* at;
  template <class T>
  inline void operator()(T& value) {
    if constexpr (std::is_same_v<T, bool>) {
      value = *at++ != 0;
    } else if constexpr (std::is_arithmetic_v<T> || std::is_enum_v<T>) {
      std::memcpy(&value, at, sizeof value);
      at += sizeof value;
      if constexpr (std::is_enum_v<T> && !is_byte<T>)
        if (static_cast<std::uint64_t>(value) >= enum_size<T>) throw Malformed("a choice is out of range");
    } else if constexpr (is_array<T>) {
      for (auto& v : value) (*this)(v);
    } else {
      each_field(value, *this);
    }
  }
};

template <class T>
json write_packed(std::span<const T> values) {
  Bytes bytes(values.size() * packed_bytes<T>());
  if constexpr (std::is_arithmetic_v<T> || is_byte<T>) {
    if (!bytes.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
  } else {
    PackedWriter writer{bytes.data()};
    for (const T& v : values) writer(v);
  }
  return json::binary(std::move(bytes));
}

template <class List>
void read_packed(const json& from, List& values) {
  using T = typename List::value_type;
  const auto& bytes = from.get_binary();
  if (bytes.size() % packed_bytes<T>() != 0) throw Malformed("packed values are cut off");
  values = List(bytes.size() / packed_bytes<T>());
  if constexpr (std::is_arithmetic_v<T> || is_byte<T>) {
    if (!bytes.empty()) std::memcpy(values.data(), bytes.data(), bytes.size());
  } else {
    PackedReader reader{bytes.data()};
    for (T& v : values) reader(v);
  }
}

// --- values ----------------------------------------------------------------------------------------------------------

template <Form form, class List>
json write_list(const List& values) {
  json out = json::array();
  for (const auto& v : values) out.push_back(write<form>(v));
  return out;
}
template <Form form, class List>
void read_list(const json& from, List& values) {
  if (!from.is_array()) throw Malformed("a list was expected");
  if constexpr (requires { values.resize(from.size()); }) values.resize(from.size());
  if (from.size() != values.size()) throw Malformed("a list has the wrong length");
  for (std::size_t i = 0; i < values.size(); ++i) read<form>(from[i], values[i]);
}

template <Form form, class T>
void read_variant(const json& from, T& value) {
  if (!from.is_array() || from.size() != 2) throw Malformed("a choice was expected");
  std::size_t chosen = 0;
  read(from[0], chosen);
  const bool found = [&]<std::size_t... i>(std::index_sequence<i...>) {
    return ((i == chosen && (read<form>(from[1], value.template emplace<i>()), true)) || ...);
  }
  (std::make_index_sequence<std::variant_size_v<T>>());
  if (!found) throw Malformed("a choice is out of range");
}

template <Form form, class T>
json write(const T& value) {
  if constexpr (std::is_enum_v<T>) {
    return static_cast<int>(value);
  } else if constexpr (std::is_arithmetic_v<T> || std::is_same_v<T, std::string>) {
    return value;
  } else if constexpr (is_a<T, trace::Pages>) {
    return write_packed(std::span<const typename T::value_type>(value.data(), value.size()));
  } else if constexpr (is_a<T, std::vector>) {
    using Element = typename T::value_type;
    if constexpr (packed_bytes<Element>() > 0 && (form == Form::compact || is_byte<Element>))
      return write_packed(std::span<const Element>(value));
    else
      return write_list<form>(value);
  } else if constexpr (is_a<T, std::optional>) {
    return value ? write<form>(*value) : json();
  } else if constexpr (is_array<T>) {
    return write_list<form>(value);
  } else if constexpr (is_a<T, std::pair>) {
    return json::array({write<form>(value.first), write<form>(value.second)});
  } else if constexpr (is_a<T, std::map>) {
    return write_list<form>(value);
  } else if constexpr (is_a<T, std::variant>) {
    return json::array({value.index(), std::visit([](const auto& v) { return write<form>(v); }, value)});
  } else if constexpr (is_a<T, tl::expected>) {
    return value ? write<form>(*value) : json{{"errors", write(value.error())}};
  } else if constexpr (Described<T>) {
    Writer archive;
    describe(archive, const_cast<T&>(value));  // the one description serves both directions; writing changes nothing
    return archive.take();
  } else {
    json out = json::array();
    each_field(value, [&](const auto& field) { out.push_back(write<form>(field)); });
    return out;
  }
}

template <class T>
void read_number(const json& from, T& value) {
  if constexpr (std::is_same_v<T, bool>) {
    value = from.get<bool>();
  } else if constexpr (std::is_floating_point_v<T>) {
    value = from.get<T>();
  } else {
    if (!from.is_number_integer()) throw Malformed("a whole number was expected");
    const bool fits = from.is_number_unsigned() ? std::in_range<T>(from.get<std::uint64_t>())
                                                : std::in_range<T>(from.get<std::int64_t>());
    if (!fits) throw Malformed("a number is out of range");
    value = from.get<T>();
  }
}

template <Form form, class T>
void read_fields(const json& from, T& value) {
  if (!from.is_array() || from.size() != field_count<T>) throw Malformed("a value has the wrong number of fields");
  std::size_t at = 0;
  each_field(value, [&](auto& field) { read<form>(from[at++], field); });
}

template <Form form, class T>
void read(const json& from, T& value) {
  if constexpr (std::is_enum_v<T>) {
    int number = 0;
    read_number(from, number);
    if (number < 0 || static_cast<std::size_t>(number) >= enum_size<T>) throw Malformed("a choice is out of range");
    value = static_cast<T>(number);
  } else if constexpr (std::is_arithmetic_v<T>) {
    read_number(from, value);
  } else if constexpr (std::is_same_v<T, std::string>) {
    value = from.get<std::string>();
  } else if constexpr (is_a<T, trace::Pages>) {
    read_packed(from, value);
  } else if constexpr (is_a<T, std::vector>) {
    using Element = typename T::value_type;
    if constexpr (packed_bytes<Element>() > 0 && (form == Form::compact || is_byte<Element>))
      read_packed(from, value);
    else
      read_list<form>(from, value);
  } else if constexpr (is_a<T, std::optional>) {
    value.reset();
    if (!from.is_null()) read<form>(from, value.emplace());
  } else if constexpr (is_array<T>) {
    read_list<form>(from, value);
  } else if constexpr (is_a<T, std::pair>) {
    if (!from.is_array() || from.size() != 2) throw Malformed("a pair was expected");
    read<form>(from[0], value.first), read<form>(from[1], value.second);
  } else if constexpr (is_a<T, std::map>) {
    std::vector<std::pair<typename T::key_type, typename T::mapped_type>> all;
    read_list<form>(from, all);
    value = T(std::make_move_iterator(all.begin()), std::make_move_iterator(all.end()));
  } else if constexpr (is_a<T, std::variant>) {
    read_variant<form>(from, value);
  } else if constexpr (is_a<T, tl::expected>) {
    if (!from.is_object() || !from.contains("errors")) {
      value = typename T::value_type{};
      return read<form>(from, *value);
    }
    typename T::error_type errors;
    read(from["errors"], errors);
    value = tl::unexpected(std::move(errors));
  } else if constexpr (Described<T>) {
    Reader archive(from);
    describe(archive, value);
  } else {
    read_fields<form>(from, value);
  }
  if constexpr (requires { flaw_of(value); })
    if (const std::string_view flaw = flaw_of(value); !flaw.empty()) throw Malformed(std::string(flaw));
}

Bytes encode_message(const auto& message) { return json::to_cbor(write(message)); }
/// Error: the bytes are damaged or describe another value. `what` begins the sentence.
template <class Message>
Expected<Message> decode_message(std::span<const std::uint8_t> payload, const char* what = "a message") {
  try {  // from_cbor throws on lengths beyond all memory even where it must not
    const json parsed = json::from_cbor(payload.begin(), payload.end(), true, false);
    if (parsed.is_discarded())
      return failure(std::string(what) + " cannot be read: the bytes are damaged", "start the worker again");
    const auto message =
        std::make_unique<Message>();  // not on the stack: gcc 12 warns about an uninitialised optional there
    read(parsed, *message);
    return std::move(*message);
  } catch (const std::exception& e) {
    return failure(std::string(what) + " cannot be read: " + e.what(),
                   "use the same version of lanescope on both ends");
  }
}
/// Decodes an encoded Expected: the value, or the errors.
template <class Value>
Expected<Value> decode_answer(std::span<const std::uint8_t> payload, const char* what) {
  return LS_TRY(decode_message<Expected<Value>>(payload, what));
}

}  // namespace lanescope::codec

namespace lanescope {
/// Named: measurement files contain some.
void describe(auto& a, Diagnostic& v) {
  a("file", v.file), a("line", v.line), a("column", v.column), a("message", v.message), a("remedy", v.remedy);
  a("severity", v.severity), a.sparse("code", v.code);
}
}  // namespace lanescope
