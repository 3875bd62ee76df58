#pragma once
// Values to bytes (CBOR) and back, for every message between processes. One description of each value serves writing and
// reading: describe(archive, value), beside the type's namespace, names the fields, and the archive moves them. What is
// read is checked: bytes of another shape are refused in words.
//
//   template <class A> void describe(A& a, Buffer& v) { a("name", v.name), a("bytes", v.bytes); }
//   Bytes bytes = codec::encode_message(buffer);
//   Expected<Buffer> back = codec::decode_message<Buffer>(bytes);
//
// Included by few .cpp files only: nlohmann/json is slow to compile.

#include <array>
#include <cstring>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "kernels/base/coded.h"
#include "kernels/base/diagnostic.h"
#include "kernels/base/frames.h"
#include "kernels/base/source_lines.h"
#include "kernels/trace/pages.h"

namespace lanescope::codec {

using nlohmann::json;

/// Thrown while reading, caught in decode: the bytes are well-formed CBOR of the wrong shape.
struct Malformed : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Largest enumerator; reading refuses what lies beyond.
template <class E>
inline constexpr int last_of = static_cast<int>(enum_size<E>) - 1;

/// Values of fixed size that travel as packed little-endian bytes; specialised with `bytes` and `each(cursor, value)`.
template <class T>
struct Packed {
  static constexpr std::size_t bytes = 0;
};
template <class T>
inline constexpr bool is_packed = Packed<T>::bytes != 0;

/// Values that travel as a list, without the names of their fields: there are many of them.
template <class T>
inline constexpr bool is_row = false;

/// Contents of buffers and files.
template <>
struct Packed<std::byte> {
  static constexpr std::size_t bytes = 1;
  template <class Cursor, class Value>
  static void each(Cursor& c, Value& v) {
    c(v);
  }
};
template <>
struct Packed<std::uint8_t> : Packed<std::byte> {};

/// Moves one number to or from packed bytes (every machine this runs on is little-endian).
struct PackedWriter {
  std::uint8_t* at;
  template <class T>
  void operator()(T value) {
    std::memcpy(at, &value, sizeof value);
    at += sizeof value;
  }
};
struct PackedReader {
  const std::uint8_t* at;
  template <class T>
  void operator()(T& value) {
    std::memcpy(&value, at, sizeof value);
    at += sizeof value;
  }
};

template <class T>
json write(const T& value);
template <class T>
void read(const json& from, T& value);

class Writer {
 public:
  template <class T>
  void operator()(const char* name, const T& value) {
    out_[name] = write(value);
  }
  template <class T>
  void optional(const char* name, const T& value) {
    (*this)(name, value);
  }
  /// Left out where it says nothing, so that files of before are written as they were.
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
  template <class T>
  void optional(const char* name, T& value) {
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
      read(*found, value);
    } catch (const json::exception&) {
      throw Malformed(std::string("'") + name + "' has the wrong type");
    }
  }

 private:
  const json& from_;
};

class RowWriter {
 public:
  template <class T>
  void operator()(const char*, const T& value) {
    out_.push_back(write(value));
  }
  json take() { return std::move(out_); }

 private:
  json out_ = json::array();
};

class RowReader {
 public:
  explicit RowReader(const json& from) : from_(from) {
    if (!from.is_array()) throw Malformed("a list was expected");
  }
  template <class T>
  void operator()(const char* name, T& value) {
    if (at_ == from_.size()) throw Malformed(std::string("'") + name + "' is missing");
    try {
      read(from_[at_++], value);
    } catch (const json::exception&) {
      throw Malformed(std::string("'") + name + "' has the wrong type");
    }
  }

 private:
  const json& from_;
  std::size_t at_ = 0;
};

template <class T>
struct IsVector : std::false_type {};
template <class T>
struct IsVector<std::vector<T>> : std::true_type {};
template <class T>
struct IsPages : std::false_type {};
template <class T>
struct IsPages<trace::Pages<T>> : std::true_type {};
template <class T>
struct IsOptional : std::false_type {};
template <class T>
struct IsOptional<std::optional<T>> : std::true_type {};
template <class T>
struct IsArray : std::false_type {};
template <class T, std::size_t N>
struct IsArray<std::array<T, N>> : std::true_type {};

template <class T>
struct IsVariant : std::false_type {};
template <class... T>
struct IsVariant<std::variant<T...>> : std::true_type {};
template <class T>
struct IsExpected : std::false_type {};
template <class T>
struct IsExpected<Expected<T>> : std::true_type {};

template <class... T>
json write_variant(const std::variant<T...>& value) {
  return json::array({value.index(), std::visit([](const auto& v) { return write(v); }, value)});
}
template <class... T>
void read_variant(const json& from, std::variant<T...>& value) {
  if (!from.is_array() || from.size() != 2) throw Malformed("a choice was expected");
  std::size_t chosen = 0, index = 0;
  read(from[0], chosen);
  const bool found = ((index++ == chosen ? (read(from[1], value.template emplace<T>()), true) : false) || ...);
  if (!found) throw Malformed("a choice is out of range");
}

template <class T>
json write_vector(const std::vector<T>& values) {
  if constexpr (is_packed<T>) {
    Bytes bytes(values.size() * Packed<T>::bytes);
    PackedWriter cursor{bytes.data()};
    for (const T& v : values) Packed<T>::each(cursor, v);
    return json::binary(std::move(bytes));
  } else {
    json out = json::array();
    for (const T& v : values) out.push_back(write(v));
    return out;
  }
}

template <class T>
void read_vector(const json& from, std::vector<T>& values) {
  if constexpr (is_packed<T>) {
    const auto& bytes = from.get_binary();
    if (bytes.size() % Packed<T>::bytes != 0) throw Malformed("packed values are cut off");
    values.resize(bytes.size() / Packed<T>::bytes);
    PackedReader cursor{bytes.data()};
    for (T& v : values) Packed<T>::each(cursor, v);
  } else {
    if (!from.is_array()) throw Malformed("a list was expected");
    values.resize(from.size());
    for (std::size_t i = 0; i < values.size(); ++i) read(from[i], values[i]);
  }
}

template <class T>
json write(const T& value) {
  if constexpr (std::is_enum_v<T>) {
    return static_cast<int>(value);
  } else if constexpr (std::is_arithmetic_v<T> || std::is_same_v<T, std::string>) {
    return value;
  } else if constexpr (IsVector<T>::value) {
    return write_vector(value);
  } else if constexpr (IsPages<T>::value) {
    const auto* const first = reinterpret_cast<const std::uint8_t*>(value.data());
    return json::binary(Bytes(first, first + value.size()));
  } else if constexpr (IsOptional<T>::value) {
    return value ? write(*value) : json();
  } else if constexpr (IsArray<T>::value) {
    json out = json::array();
    for (const auto& v : value) out.push_back(write(v));
    return out;
  } else if constexpr (IsVariant<T>::value) {
    return write_variant(value);
  } else if constexpr (IsExpected<T>::value) {
    return value ? write(*value) : json{{"errors", write(value.error())}};
  } else {
    std::conditional_t<is_row<T>, RowWriter, Writer> archive;
    describe(archive, const_cast<T&>(value));  // the one description serves both ways; writing changes nothing
    return archive.take();
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

template <class T>
void read(const json& from, T& value) {
  if constexpr (std::is_enum_v<T>) {
    static_assert(last_of<T> >= 0, "the enumerators are 0, 1, 2, ...");
    int number = 0;
    read_number(from, number);
    if (number < 0 || number > last_of<T>) throw Malformed("a choice is out of range");
    value = static_cast<T>(number);
  } else if constexpr (std::is_arithmetic_v<T>) {
    read_number(from, value);
  } else if constexpr (std::is_same_v<T, std::string>) {
    value = from.get<std::string>();
  } else if constexpr (IsVector<T>::value) {
    read_vector(from, value);
  } else if constexpr (IsPages<T>::value) {
    const auto& bytes = from.get_binary();
    value = T(bytes.size());
    if (!bytes.empty()) std::memcpy(value.data(), bytes.data(), bytes.size());
  } else if constexpr (IsOptional<T>::value) {
    value.reset();
    if (!from.is_null()) read(from, value.emplace());
  } else if constexpr (IsArray<T>::value) {
    if (!from.is_array() || from.size() != value.size()) throw Malformed("a list has the wrong length");
    for (std::size_t i = 0; i < value.size(); ++i) read(from[i], value[i]);
  } else if constexpr (IsVariant<T>::value) {
    read_variant(from, value);
  } else if constexpr (IsExpected<T>::value) {
    if (!from.is_object() || !from.contains("errors")) {
      value = typename T::value_type{};
      return read(from, *value);
    }
    Diagnostics errors;
    read(from["errors"], errors);
    value = tl::unexpected(std::move(errors));
  } else {
    std::conditional_t<is_row<T>, RowReader, Reader> archive(from);
    describe(archive, value);
  }
}

template <class Message>
Bytes encode_message(const Message& message) {
  return json::to_cbor(write(message));
}
/// Error: the bytes are damaged or describe another value. `what` begins the sentence.
template <class Message>
Expected<Message> decode_message(std::span<const std::uint8_t> payload, const char* what = "a message") {
  try {  // from_cbor throws on lengths beyond all memory even where it is told not to
    const json parsed = json::from_cbor(payload.begin(), payload.end(), true, false);
    if (parsed.is_discarded())
      return failure(std::string(what) + " cannot be read: the bytes are damaged", "start the worker again");
    Message message;
    read(parsed, message);
    return message;
  } catch (const std::exception& e) {
    return failure(std::string(what) + " cannot be read: " + e.what(),
                   "use the same version of lanescope on both ends");
  }
}
/// What was encoded from an Expected: the value, or the errors in its place.
template <class Value>
Expected<Value> decode_answer(std::span<const std::uint8_t> payload, const char* what) {
  auto answer = decode_message<Expected<Value>>(payload, what);
  if (!answer) return tl::unexpected(std::move(answer.error()));
  return std::move(*answer);
}

}  // namespace lanescope::codec

namespace lanescope {
template <class A>
void describe(A& a, SourceFileLines& v) {
  a("name", v.name), a("path", v.path), a("first", v.first_line), a("count", v.line_count);
}
template <class A>
void describe(A& a, SourceLines& v) {
  a("files", v.files);
}
template <class A>
void describe(A& a, Diagnostic& v) {
  a("file", v.file), a("line", v.line), a("column", v.column), a("message", v.message), a("remedy", v.remedy);
  a("severity", v.severity), a("code", v.code);
}
template <class A, class Code>
void describe(A& a, Coded<Code>& v) {
  a("code", v.code), a("operands", v.operands);
}
}  // namespace lanescope
