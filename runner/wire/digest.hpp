// SHA-256 as lower-case hex, of bytes or of JSON in one canonical form.
#pragma once

#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace pasb {

std::string sha256_hex(std::string_view bytes);

// Of the value's compact dump with sorted keys; bytes that are not UTF-8 are replaced, so the digest never throws.
std::string json_sha256(const nlohmann::json& value);

// The digest of what does not fit into memory.
class Sha256 {
  public:
    Sha256();
    ~Sha256();
    Sha256(const Sha256&) = delete;
    Sha256& operator=(const Sha256&) = delete;
    void add(std::string_view bytes);
    [[nodiscard]] std::string hex();  // ends it: nothing may be added afterwards

  private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace pasb
