#pragma once
// Contents of large arrays, of which a run has several copies: before the launches, after them, in the run with probes,
// in the one that looks again. Most of their pages never change, and those are the same memory in all copies:
//
//   a = 1.6 GB of contents        a file without a name (memfd), mapped privately
//   b = a                         the same file, mapped privately again: no memory
//   b[0] = 1                      one page of 4 KiB that is b's own
//   c = b                         the same file, and the pages in which b differs from it: one
//
// `Pages<T>(n, value)` of a large array is as cheap: zeros are no memory until something is written, and any other
// value is one piece, mapped over and over. Small arrays are a std::vector. Elements lie side by side in either case,
// and pointers stay valid until the size changes. It throws std::bad_alloc, as a vector does.

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace lanescope::trace {

/// Bytes that are mapped.
class MappedBytes {
 public:
  struct Origin;  ///< the contents of unchanged pages

  MappedBytes() = default;
  static MappedBytes filled(std::size_t bytes, std::byte value);
  /// Takes the memory of `contents` away piece by piece: its values are lost.
  static MappedBytes taken(std::span<std::byte> contents);
  MappedBytes(const MappedBytes& other);
  MappedBytes(MappedBytes&& other) noexcept { swap(other); }
  MappedBytes& operator=(MappedBytes other) noexcept {
    swap(other);
    return *this;
  }
  ~MappedBytes();

  std::size_t size() const { return bytes_; }
  const std::byte* data() const { return data_; }
  std::byte* data() {
    changed_ = true;
    return data_;
  }

 private:
  MappedBytes(std::shared_ptr<const Origin> origin, std::size_t bytes);
  void swap(MappedBytes& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(bytes_, other.bytes_);
    std::swap(changed_, other.changed_);
    origin_.swap(other.origin_);
  }

  std::byte* data_ = nullptr;
  std::size_t bytes_ = 0;
  bool changed_ = false;                  ///< it may have been written
  std::shared_ptr<const Origin> origin_;  ///< nullptr: zeros
};

template <class T>
class Pages {
  static_assert(sizeof(T) == 1);

 public:
  using value_type = T;
  using iterator = T*;
  using const_iterator = const T*;
  static constexpr std::size_t least_mapped = std::size_t{1} << 20;

  Pages() = default;
  explicit Pages(std::size_t count, T value = T{}) {
    if (count < least_mapped)
      small_.assign(count, value);
    else
      mapped_ = MappedBytes::filled(count, static_cast<std::byte>(value));
  }
  // NOLINTNEXTLINE(google-explicit-constructor): contents are made as vectors, and most of them stay one
  Pages(std::vector<T> values) {
    if (values.size() < least_mapped)
      small_ = std::move(values);
    else
      mapped_ = MappedBytes::taken(std::as_writable_bytes(std::span(values)));
  }
  Pages(std::initializer_list<T> values) : small_(values) {}
  template <std::forward_iterator It>
  Pages(It first, It last) : Pages(std::vector<T>(first, last)) {}

  std::size_t size() const { return mapped_.size() > 0 ? mapped_.size() : small_.size(); }
  bool empty() const { return size() == 0; }
  const T* data() const { return mapped_.size() > 0 ? reinterpret_cast<const T*>(mapped_.data()) : small_.data(); }
  T* data() { return mapped_.size() > 0 ? reinterpret_cast<T*>(mapped_.data()) : small_.data(); }
  const T* begin() const { return data(); }
  const T* end() const { return data() + size(); }
  T* begin() { return data(); }
  T* end() { return data() + size(); }
  const T& operator[](std::size_t i) const { return data()[i]; }
  T& operator[](std::size_t i) { return data()[i]; }
  const T& front() const { return *begin(); }
  const T& back() const { return *(end() - 1); }

  void clear() { *this = {}; }
  void assign(std::size_t count, T value) { *this = Pages(count, value); }
  template <std::forward_iterator It>
  void assign(It first, It last) {
    *this = Pages(first, last);
  }
  /// New elements are zero.
  void resize(std::size_t count) {
    if (count < least_mapped && mapped_.size() == 0) return small_.resize(count);
    Pages other(count);
    if (const std::size_t kept = std::min(count, size()); kept > 0)
      std::memcpy(other.data(), std::as_const(*this).data(), kept);
    *this = std::move(other);
  }

  friend bool operator==(const Pages& a, const Pages& b) { return std::ranges::equal(a.span(), b.span()); }
  friend bool operator==(const Pages& a, const std::vector<T>& b) { return std::ranges::equal(a.span(), b); }

 private:
  std::span<const T> span() const { return {data(), size()}; }

  std::vector<T> small_;
  MappedBytes mapped_;
};

/// Contents of a buffer.
using Bytes = Pages<std::byte>;

}  // namespace lanescope::trace
