// SPDX-License-Identifier: GPL-3.0-or-later
// A 64-bit digest of plain data, the same on every compiler and at every optimisation level (little-endian machines).
#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

namespace picknext {

/// Not cryptographic: it tells states apart, it does not resist an attacker.
class Hasher {
  public:
    constexpr void word(std::uint64_t w) {
        m_state ^= w;
        m_state *= 0x9fb21c651e98df25ULL;
        m_state ^= m_state >> 32;
    }
    void bytes(const void* data, std::size_t size) {
        const auto* p = static_cast<const unsigned char*>(data);
        for (; size >= 8; size -= 8, p += 8) {
            std::uint64_t w = 0;
            std::memcpy(&w, p, 8);
            word(w);
        }
        if (size > 0) {
            std::uint64_t w = 0;
            std::memcpy(&w, p, size);
            word(w | (std::uint64_t{size} << 56));
        }
    }
    /// A value without padding bytes: two equal values hash equal.
    template <class T>
    void value(const T& v) {
        static_assert(std::has_unique_object_representations_v<T>, "padding would make the digest depend on luck");
        bytes(&v, sizeof v);
    }
    template <class T>
    void array(const std::vector<T>& v) {
        static_assert(std::has_unique_object_representations_v<T>);
        word(v.size());
        bytes(v.data(), v.size() * sizeof(T));
    }
    void text(std::string_view s) {
        word(s.size());
        bytes(s.data(), s.size());
    }
    [[nodiscard]] constexpr std::uint64_t digest() const {
        std::uint64_t h = m_state;
        h ^= h >> 29;
        h *= 0xbf58476d1ce4e5b9ULL;
        return h ^ (h >> 32);
    }

  private:
    std::uint64_t m_state = 0x243f6a8885a308d3ULL;
};

} // namespace picknext
